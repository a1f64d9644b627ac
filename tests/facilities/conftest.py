"""A small two-link arm whose every flaw can be chosen."""

from pathlib import Path

import pytest

from telecell.models import Cell, load_cell

ARM = """
<mujoco model="arm">
  <asset>{assets}</asset>
  <worldbody>
    <body name="base" pos="0 0 0.3">
      <geom type="cylinder" size="0.06 0.3" mass="20"/>
      <body name="upper" pos="0 0 0.4">
        <joint name="shoulder" axis="0 1 0" range="-90 90"/>
        {upper}
        <body name="fore" pos="0.3 0 0">
          <joint name="elbow" axis="0 1 0" range="-160 160"/>
          <geom type="capsule" fromto="0 0 0 0.25 0 0" size="0.03" mass="1.5"/>
          <site name="tip" pos="0.25 0 0"/>
        </body>
      </body>
    </body>
  </worldbody>
</mujoco>
"""

BLOCK = """
<mujoco model="block">
  <worldbody>
    <body name="block"><freejoint/><geom type="box" size="0.03 0.03 0.03" mass="0.2"/></body>
  </worldbody>
</mujoco>
"""

CELL = """
format = 1
name = "bench"

[[mounts]]
name = "arm"
file = "arm.xml"
{axes}

[[robots]]
name = "arm"
axes = ["arm/*"]
tip = "arm/tip"

{more}
"""


@pytest.fixture
def build(tmp_path: Path):
    """Load the arm's cell with another upper link, other axis settings, further tables or meshes."""

    def build(
        upper: str = '<geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.04" mass="3"/>',
        axes: str = "",
        more: str = "",
        assets: str = "",
    ) -> Cell:
        (tmp_path / "arm.xml").write_text(ARM.format(upper=upper, assets=assets))
        (tmp_path / "block").mkdir(exist_ok=True)
        (tmp_path / "block" / "block.xml").write_text(BLOCK)
        (tmp_path / "block" / "model.toml").write_text(
            'format = 1\nkind = "part"\ntitle = "block"\nfile = "block.xml"\n'
        )
        (tmp_path / "cell.toml").write_text(CELL.format(axes=axes, more=more))
        return load_cell(tmp_path)

    return build
