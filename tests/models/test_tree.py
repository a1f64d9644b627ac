"""A kinematic tree is read as a person would: arms, hands, tips."""

from pathlib import Path

import numpy as np
import pytest

from telecell.models import Model, build_start_posture, compile_world, load_cell
from telecell.models.source import compile_spec, find_inside, load_source
from telecell.models.tree import Reading, read_tree
from telecell.plant import PhysicsPlant

from .cell_samples import CLAW
from .robots import chain, hold, urdf

FINGERS = ["{} left l prismatic", "{} right r prismatic"]

# As grippers are drawn for MuJoCo: a tendon pulls both drivers, links follow in closed loops.
LINKAGE = """
<mujoco model="gripper">
  <compiler angle="radian"/>
  <worldbody>
    <body name="palm">
      <geom size="0.03"/>
      <site name="pinch" pos="0 0 0.1"/>
      <body name="right_driver" pos="0.03 0 0.02">
        <joint name="right_driver" axis="0 1 0" range="0 0.8"/>
        <geom type="capsule" size="0.005" fromto="0 0 0 0.02 0 0.05"/>
        <body name="right_pad" pos="0.02 0 0.05">
          <joint name="right_pad" axis="0 1 0" range="-1 1"/>
          <geom type="box" size="0.003 0.01 0.02"/>
        </body>
      </body>
      <body name="left_driver" pos="-0.03 0 0.02">
        <joint name="left_driver" axis="0 -1 0" range="0 0.8"/>
        <geom type="capsule" size="0.005" fromto="0 0 0 -0.02 0 0.05"/>
        <body name="left_pad" pos="-0.02 0 0.05">
          <joint name="left_pad" axis="0 -1 0" range="-1 1"/>
          <geom type="box" size="0.003 0.01 0.02"/>
        </body>
      </body>
    </body>
  </worldbody>
  <tendon>
    <fixed name="split"><joint joint="right_driver" coef="0.5"/><joint joint="left_driver" coef="0.5"/></fixed>
  </tendon>
  <equality>
    <joint joint1="right_pad" joint2="right_driver" polycoef="0 -1 0 0 0"/>
    <joint joint1="left_pad" joint2="left_driver" polycoef="0 -1 0 0 0"/>
  </equality>
  <actuator><position tendon="split" kp="10"/></actuator>
</mujoco>
"""


def read(folder: Path, text: str) -> Reading:
    path = folder / "robot.xml"
    path.write_text(text)
    return read_tree(compile_spec(load_source(path, find_inside(folder)).spec, ""))


def read_model(folder: Path, text: str) -> Model:
    path = folder / "robot.xml"
    path.write_text(text)
    return Model.from_file(path, folder)


def test_a_row_of_joints_is_an_arm(tmp_path: Path):
    (arm,) = read(tmp_path, urdf(chain(6))).arms
    assert arm.joints == ("j1", "j2", "j3", "j4", "j5", "j6")
    assert (arm.base, arm.end_body, arm.tip) == ("base", "j_link6", "j_link6")


def test_one_joint_is_an_axis_but_no_arm(tmp_path: Path):
    reading = read(tmp_path, urdf(["base lift carriage"]))
    assert reading.axes == ("lift",)
    assert reading.arms == ()


def test_fingers_at_the_end_of_an_arm_are_a_hand(tmp_path: Path):
    reading = read(tmp_path, urdf([*chain(3), *(f.format("j_link3") for f in FINGERS)]))
    (hand,) = reading.hands
    assert hand.driven == ("left", "right")
    assert hand.palm == "j_link3"
    assert hand.parent_joint == "j3"
    assert reading.axes == ("j1", "j2", "j3")
    assert len(reading.arms) == 1


def test_two_long_chains_on_a_trunk_are_two_arms(tmp_path: Path):
    reading = read(tmp_path, urdf([*chain(1), *chain(4, "j_link1", "l"), *chain(4, "j_link1", "r")]))
    assert [arm.joints[0] for arm in reading.arms] == ["l1", "r1"]
    assert reading.hands == ()
    assert "j1" in reading.axes


def test_legs_at_the_root_are_no_hand(tmp_path: Path):
    reading = read(tmp_path, urdf([*chain(3, "base", "l"), *chain(3, "base", "r")]))
    assert len(reading.arms) == 2
    assert reading.hands == ()


def test_coupled_fingers_at_the_root_are_a_hand(tmp_path: Path):
    reading = read(tmp_path, CLAW)
    assert reading.hands[0].driven == ("open_left", "open_right")
    assert reading.axes == ()


def test_tendon_driven_fingers_are_a_hand_and_only_the_drivers_are_driven(tmp_path: Path):
    reading = read(tmp_path, LINKAGE)
    assert reading.hands[0].driven == ("right_driver", "left_driver")
    assert reading.hands[0].tip == "pinch"
    assert (reading.axes, reading.arms) == ((), ())


def test_a_joint_that_follows_is_no_axis(tmp_path: Path):
    limit = '<limit lower="-1" upper="1" effort="1" velocity="1"/>'
    text = urdf(
        [*chain(2), f'j_link2 link c revolute {limit}<mimic joint="j2" multiplier="2" offset="0.1"/>', "c last d"]
    )
    reading = read(tmp_path, text)
    assert reading.axes == ("j1", "j2", "last")
    assert reading.arms[0].joints == ("j1", "j2", "last")


@pytest.mark.parametrize(
    ("frames", "tip"),
    [
        (["flange", "tool0"], "tool0"),
        (["camera", "gripper_tcp", "tool0"], "gripper_tcp"),
        (["ee_link"], "ee_link"),
        (["bolt", "steel"], "j_link2"),
    ],
)
def test_the_tip_is_the_frame_that_is_named_like_one(tmp_path: Path, frames: list[str], tip: str):
    fixed = [f"j_link2 weld{k} {name} fixed" for k, name in enumerate(frames)]
    assert read(tmp_path, urdf([*chain(2), *fixed])).arms[0].tip == tip


def test_an_unnamed_row_of_fixed_links_ends_at_the_last(tmp_path: Path):
    fixed = ["j_link2 weld1 plate fixed", "plate weld2 cover fixed"]
    assert read(tmp_path, urdf([*chain(2), *fixed])).arms[0].tip == "cover"


def test_several_joints_on_one_body_are_a_row(tmp_path: Path):
    text = """<mujoco><worldbody><body name="ball"><joint name="x" axis="1 0 0"/><joint name="y" axis="0 1 0"/>
              <joint name="z" axis="0 0 1"/><geom size="0.1"/></body></worldbody></mujoco>"""
    assert read(tmp_path, text).arms[0].joints == ("x", "y", "z")


def test_open_is_where_the_fingers_are_farther_apart(tmp_path: Path):
    """Each finger for itself: here the left one opens upwards in its range, the right one downwards."""
    tool = read_model(tmp_path, CLAW).description.tools["hand"]
    assert tool.closed_deg_m == (0.0, 0.0)
    assert tool.open_deg_m == (0.04, -0.04)
    assert tool.force_N == 30.0


def test_keyframes_inside_the_limits_become_poses(tmp_path: Path):
    text = """<mujoco><worldbody><body><joint name="a" range="-90 90"/><geom size="0.1"/>
      <body pos="0 0 1"><joint name="b" range="-90 90"/><geom size="0.1"/></body></body></worldbody>
      <keyframe><key name="go home" qpos="0.5 -0.5"/><key qpos="3 0"/></keyframe></mujoco>"""
    poses = read_model(tmp_path, text).description.poses
    assert list(poses) == ["go_home"]
    assert poses["go_home"].joints_deg_m == pytest.approx(np.degrees([0.5, -0.5]), abs=1e-6)


def test_followers_start_and_stay_where_their_leaders_want_them(tmp_path: Path):
    (tmp_path / "gripper.xml").write_text(LINKAGE)
    (tmp_path / "cell.toml").write_text(
        'format = 1\nname = "g"\nfloor.height_m = -1\n[[mounts]]\nname = "g"\nfile = "gripper.xml"\n'
    )
    cell = load_cell(tmp_path)
    model = compile_world(cell)
    start = build_start_posture(cell, model)
    opened = cell.tools[0].open
    assert start[model.joint("g/right_driver").qposadr] == pytest.approx(opened[0])
    assert start[model.joint("g/right_pad").qposadr] == pytest.approx(-opened[0])
    plant = PhysicsPlant(cell)
    assert hold(plant, 0.5, (), opening=0.5).openings == pytest.approx([0.5], abs=0.01)
    driver, pad = plant.data.joint("g/right_driver").qpos, plant.data.joint("g/right_pad").qpos
    assert pad == pytest.approx(-driver, abs=0.01)


def test_actuators_of_the_file_can_be_kept(tmp_path: Path):
    (tmp_path / "arm").mkdir()
    (tmp_path / "arm" / "arm.xml").write_text(
        """<mujoco><worldbody><body name="a" pos="0 0 1"><joint name="j" axis="0 1 0" range="-90 90" damping="5"/>
        <geom size="0.1" pos="0.2 0 0"/></body></worldbody>
        <actuator><position name="drive" joint="j" kp="900"/></actuator></mujoco>"""
    )
    model = 'format = 1\nkind = "robot"\ntitle = "Arm"\nfile = "arm.xml"\nactuators = "{}"\n'
    (tmp_path / "cell.toml").write_text('format = 1\nname = "c"\n[[mounts]]\nname = "m"\nmodel = "./arm"\n')
    gains = {}
    for whose in ("ours", "file"):
        (tmp_path / "arm" / "model.toml").write_text(model.format(whose))
        plant = PhysicsPlant(load_cell(tmp_path))
        assert hold(plant, 1.0, [0.3]).q_measured == pytest.approx([0.3], abs=0.01)
        gains[whose] = plant.model.actuator_gainprm[0, 0]
    assert gains["file"] == 900 != gains["ours"]
