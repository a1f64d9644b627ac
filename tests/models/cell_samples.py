"""A small, correct cell: each test breaks one thing of it."""

from pathlib import Path

import pytest

from telecell.errors import TelecellError
from telecell.models import Cell, compile_world, load_cell

CELL = """\
format = 1
name = "bench"
start = "home"

[[mounts]]
name = "arm"
model = "./arm"

[[mounts]]
name = "claw"
file = "claw.urdf"
on = "arm/hand"

[[mounts]]
name = "block"
model = "block"
xyz_m = [1.5, 0.0, 0.025]

[[robots]]
name = "arm"
axes = ["arm/*"]
base = "arm/foot"
tip = "arm/hand"
tool = "claw/hand"

[poses.home]
joints_deg_m = { arm = [0.0, 30.0] }

[[cameras]]
name = "view"
xyz_m = [2.0, 0.0, 1.0]
"""

MODEL = """\
format = 1
kind = "robot"
title = "Turntable with a sliding column"
file = "arm.xml"

[frames]
foot = "underside"
hand = "end"

[axes.turn]
hardware_limits_deg = [-170.0, 170.0]
speed_deg_s = 90.0

[axes.bend]
hardware_limits_deg = [-10.0, 90.0]
software_limits_deg = [0.0, 80.0]
"""

ARM = """\
<mujoco model="arm">
  <!-- Degrees, as MJCF has them by default. -->
  <asset>
    <material name="paint" rgba="0.8 0.2 0.1 1"/>
    <mesh name="wedge" file="wedge.obj"/>
  </asset>
  <worldbody>
    <body name="base">
      <site name="foot"/>
      <geom type="cylinder" size="0.1 0.05" pos="0 0 0.05" material="paint"/>
      <body name="column" pos="0 0 0.15">
        <joint name="turn" axis="0 0 1"/>
        <geom type="box" size="0.05 0.05 0.1" pos="0 0 0.15"/>
        <body name="beam" pos="0 0 0.3">
          <joint name="bend" axis="0 1 0"/>
          <geom type="capsule" size="0.03" fromto="0 0 0.05 0 0 0.3"/>
          <geom type="mesh" mesh="wedge" contype="0" conaffinity="0" mass="0"/>
          <body name="flange" pos="0 0 0.35">
            <site name="hand" pos="0 0 0.02"/>
            <geom type="cylinder" size="0.03 0.01"/>
          </body>
        </body>
      </body>
    </body>
  </worldbody>
</mujoco>
"""

WEDGE = """\
v 0 0 0
v 0.05 0 0
v 0 0.05 0
v 0 0 0.05
f 1 3 2
f 1 2 4
f 1 4 3
f 2 3 4
"""

CLAW = """\
<?xml version="1.0"?>
<robot name="claw">
  <link name="palm">
    <inertial><mass value="0.5"/><inertia ixx="0.001" iyy="0.001" izz="0.001" ixy="0" ixz="0" iyz="0"/></inertial>
    <visual><geometry><mesh filename="package://claw/palm.dae"/></geometry></visual>
    <collision><origin xyz="0 0 0.02"/><geometry><box size="0.1 0.05 0.02"/></geometry></collision>
  </link>
  <link name="left">
    <inertial><mass value="0.1"/><inertia ixx="0.001" iyy="0.001" izz="0.001" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><origin xyz="0.005 0 0"/><geometry><box size="0.01 0.02 0.05"/></geometry></collision>
  </link>
  <link name="right">
    <inertial><mass value="0.1"/><inertia ixx="0.001" iyy="0.001" izz="0.001" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><origin xyz="-0.005 0 0"/><geometry><box size="0.01 0.02 0.05"/></geometry></collision>
  </link>
  <joint name="open_left" type="prismatic">
    <parent link="palm"/>
    <child link="left"/>
    <origin xyz="0.005 0 0.06"/>
    <axis xyz="1 0 0"/>
    <limit lower="0" upper="0.04" effort="30" velocity="0.1"/>
  </joint>
  <joint name="open_right" type="prismatic">
    <parent link="palm"/>
    <child link="right"/>
    <origin xyz="-0.005 0 0.06"/>
    <axis xyz="1 0 0"/>
    <limit lower="-0.04" upper="0" effort="30" velocity="0.1"/>
    <mimic joint="open_left" multiplier="-1"/>
  </joint>
</robot>
"""

FILES = {
    "cell.toml": CELL,
    "arm/model.toml": MODEL,
    "arm/arm.xml": ARM,
    "arm/wedge.obj": WEDGE,
    "claw.urdf": CLAW,
}


def write_cell(folder: Path, changes: dict[str, str] | None = None) -> Path:
    """The sample with some of its files changed or added; returns the cell file."""
    for name, text in (FILES | (changes or {})).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder / "cell.toml"


def change(name: str, old: str, new: str) -> dict[str, str]:
    """One file of the sample with one place changed."""
    assert FILES[name].count(old) == 1, f"{old!r} is not once in {name}"
    return {name: FILES[name].replace(old, new)}


def load(folder: Path, changes: dict[str, str]) -> Cell:
    """Load and compile: some mistakes show only in the whole world."""
    cell = load_cell(write_cell(folder, changes))
    compile_world(cell)
    return cell


def error_of(folder: Path, changes: dict[str, str]) -> str:
    """What loading says, with `F` for the folder."""
    with pytest.raises(TelecellError) as caught:
        load(folder, changes)
    assert caught.value.__cause__ is None
    return str(caught.value).replace(str(folder), "F")
