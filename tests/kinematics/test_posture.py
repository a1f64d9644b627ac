"""Every body is where the axes, tools and parts say."""

from pathlib import Path

import numpy as np
import pytest

from telecell.errors import UnknownName
from telecell.kinematics.posture import Posture
from telecell.models import load_cell

LINKAGE = """
<mujoco>
  <worldbody>
    <body name="crank"><joint name="crank" axis="0 0 1" range="-90 90"/><geom size="0.05"/>
      <body name="bar" pos="1 0 0"><joint name="bar" axis="0 0 1" range="-90 90"/><geom size="0.05"/></body>
    </body>
  </worldbody>
  <equality><joint joint1="bar" joint2="crank" polycoef="0 -2 0 0 0"/></equality>
</mujoco>
"""


def test_frames_agree_with_the_named_pose():
    posture = Posture(load_cell("cirsse"))
    tip, shoulder = posture.get_frame("left_puma/wrist"), posture.get_frame("left_puma/shoulder")
    assert (shoulder.inverse() @ tip).position == pytest.approx((0.625011683891, 0.15005, 0.014354267658), abs=1e-9)


def test_tools_and_parts_go_where_they_are_put():
    cell = load_cell("puma")
    posture = Posture(cell)
    parts = np.array([[0.1, 0.2, 0.3, 1, 0, 0, 0], [0.4, 0.5, 0.6, 1, 0, 0, 0]])
    posture.set(cell.start, openings=[0.0], parts=parts)
    closed = posture.get_frame("jaw/beam_left").distance_to(posture.get_frame("jaw/beam_right"))[0]
    posture.set(cell.start, openings=[1.0])
    opened = posture.get_frame("jaw/beam_left").distance_to(posture.get_frame("jaw/beam_right"))[0]
    assert opened - closed == pytest.approx(0.1, abs=1e-9)
    assert posture.get_frame("block_b/centre").position == pytest.approx((0.4, 0.5, 0.6))


def test_joints_that_follow_others_are_taken_along(tmp_path: Path):
    (tmp_path / "linkage.xml").write_text(LINKAGE)
    (tmp_path / "cell.toml").write_text('format = 1\nname = "linkage"\n[[mounts]]\nname = "m"\nfile = "linkage.xml"\n')
    posture = Posture(load_cell(tmp_path))
    posture.set([0.5])
    assert posture.get_frame("m/bar").rpy()[2] == pytest.approx(0.5 - 2 * 0.5)


def test_an_unknown_frame_is_refused_with_the_known_ones():
    with pytest.raises(UnknownName, match="puma/flange"):
        Posture(load_cell("puma")).get_frame("puma/flnge")
