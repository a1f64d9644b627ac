"""Brake, free drive, feed-forward and grip force in the physics."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from telecell.contract import Command, Drive
from telecell.models import Cell, load_cell
from telecell.plant import PhysicsPlant

SHOULDER = 1


@pytest.fixture(scope="module")
def puma() -> Cell:
    return load_cell("puma")


def run(plant: PhysicsPlant, command: Command, seconds: float) -> np.ndarray:
    """The true position of each axis after each period."""
    count = len(plant.cell.axes)
    ticks = round(seconds / plant.period_s)
    return np.array([(plant.step(command), plant.data.qpos[:count].copy())[1] for _ in range(ticks)])


def accelerate(plant: PhysicsPlant, share: float = 0.8) -> np.ndarray:
    """Every axis to a share of its speed, away from its nearer limit; returns the last set-point."""
    axes = plant.cell.axes
    q = np.array(plant.cell.start)
    direction = np.sign([sum(axis.software_limits) / 2 - at + 1e-9 for axis, at in zip(axes, q, strict=True)])
    speed, limit = np.zeros(len(axes)), share * np.array([axis.max_velocity for axis in axes])
    for _ in range(100):
        speed = np.minimum(speed + plant.period_s * np.array([axis.max_acceleration for axis in axes]), limit)
        q = q + direction * speed * plant.period_s
        plant.step(replace(Command.holding(plant.cell, q), v_desired=direction * speed))
    return q


def test_brakes_stop_a_fast_arm_within_five_degrees_and_do_not_spring_back(puma: Cell):
    plant = PhysicsPlant(puma)
    q = accelerate(plant)
    assert np.abs(plant.data.qvel[:6]).max() > 3.0
    before = plant.data.qpos[:6].copy()
    travel = np.abs(run(plant, Command.holding(puma, q, Drive.OFF), 1.0) - before)
    assert travel.max() < np.radians(5)
    assert (travel.max(axis=0) - travel[-1]).max() < np.radians(0.1)


def test_braking_torque_stays_within_the_drive(puma: Cell):
    plant = PhysicsPlant(puma)
    q = accelerate(plant)
    limits = np.array([axis.max_torque for axis in puma.axes])
    for _ in range(50):
        plant.step(Command.holding(puma, q, Drive.OFF))
        assert (np.abs(plant.data.qfrc_actuator[:6]) <= limits + 1e-9).all()


def test_set_brakes_hold_a_load_without_creep(puma: Cell):
    """40 N at the hand. Friction lets the brakes find their elastic place slowly, and there they stay."""
    plant = PhysicsPlant(puma)
    off = Command.holding(puma, drive=Drive.OFF)
    plant.data.xfrc_applied[plant.model.body("jaw/palm").id, :3] = (40.0, 0.0, 0.0)
    q = run(plant, off, 15.0)
    assert np.abs(q[-1] - puma.start).max() < np.radians(0.1)
    assert np.abs(q[-1] - q[-250]).max() < np.radians(1e-3), "in the last second"


def test_a_load_beyond_the_torque_limit_drags_the_brake_and_it_stays_there(puma: Cell):
    plant = PhysicsPlant(puma)
    off = Command.holding(puma, drive=Drive.OFF)
    plant.data.xfrc_applied[plant.model.body("jaw/palm").id, :3] = (600.0, 0.0, 0.0)
    run(plant, off, 0.1)
    plant.data.xfrc_applied[:] = 0.0
    run(plant, off, 0.5)
    dragged = plant.data.qpos[SHOULDER]
    assert abs(dragged - puma.start[SHOULDER]) > np.radians(1)
    assert abs(run(plant, off, 1.0)[-1, SHOULDER] - dragged) < np.radians(0.01)


def test_an_unpowered_drive_reports_no_torque(puma: Cell):
    plant = PhysicsPlant(puma)
    assert plant.step(Command.holding(puma)).torque.any()
    assert not plant.step(Command.holding(puma, drive=Drive.OFF)).torque.any()


def test_a_free_arm_yields_to_a_hand_and_does_not_sink(puma: Cell):
    plant = PhysicsPlant(puma)
    free = Command.holding(puma, drive=Drive.FREE)
    assert np.abs(run(plant, free, 2.0)[-1] - puma.start).max() < np.radians(0.1), "gravity is compensated"
    plant.data.xfrc_applied[plant.model.body("jaw/palm").id, :3] = (20.0, 0.0, 0.0)
    run(plant, free, 0.5)
    plant.data.xfrc_applied[:] = 0.0
    pushed = run(plant, free, 3.0)[-1]
    assert np.abs(pushed - puma.start).max() > np.radians(5), "20 N for half a second"
    held = run(plant, Command.holding(puma, plant.measure().q_measured), 0.5)
    assert np.abs(held - pushed).max() < np.radians(0.05), "servoed where it is, without a jump"


def test_a_hand_moves_only_the_axes_that_are_free(puma: Cell):
    plant = PhysicsPlant(puma)
    drives = np.full(6, Drive.SERVO, np.int8)
    drives[SHOULDER] = Drive.FREE
    plant.data.xfrc_applied[plant.model.body("jaw/palm").id, :3] = (30.0, 0.0, 0.0)
    travel = np.abs(run(plant, replace(Command.holding(puma), drives=drives), 0.5)[-1] - puma.start)
    assert travel[SHOULDER] > np.radians(5)
    assert np.delete(travel, SHOULDER).max() < np.radians(1)


def test_feed_forward_adds_its_torque(puma: Cell):
    """Against a wall that gives as much: the joints do not notice, the drives give the torque."""
    plant = PhysicsPlant(puma)
    torque = np.array([20.0, 30.0, 20.0, 5.0, 5.0, 5.0])
    plain = plant.step(Command.holding(puma)).torque
    plant.data.qfrc_applied[:6] = -torque
    q = run(plant, replace(Command.holding(puma), torque_feedforward=torque), 1.0)[-1]
    assert np.abs(q - puma.start).max() < np.radians(1e-3)
    assert plant.measure().torque - plain == pytest.approx(torque, abs=0.1)


def test_a_gripper_squeezes_with_the_force_it_was_told(puma: Cell):
    plant = PhysicsPlant(puma)
    fingers = [plant.model.actuator(joint).id for joint in puma.tools[0].joints]
    command = replace(Command.holding(puma), openings=np.zeros(1), grip_forces=np.array([10.0]))
    seen = []
    for _ in range(100):
        plant.step(command)
        seen.append(np.abs(plant.data.actuator_force[fingers]).max())
    assert max(seen) == pytest.approx(10.0)
    plant.step(replace(Command.holding(puma), openings=np.ones(1)))
    assert np.abs(plant.data.actuator_force[fingers]).max() > 10.0, "full force again"


def test_pneumatic_fingers_push_with_their_grip_force():
    cell = load_cell("cirsse")
    plant = PhysicsPlant(cell)
    pneumatic = next(k for k, tool in enumerate(cell.tools) if tool.drive == "pneumatic")
    finger = plant.model.actuator(cell.tools[pneumatic].joints[0]).id
    forces = np.array([tool.force for tool in cell.tools])
    forces[pneumatic] = 12.0
    plant.step(replace(Command.holding(cell), grip_forces=forces))
    assert abs(plant.data.actuator_force[finger]) == pytest.approx(12.0)


@pytest.mark.parametrize("drive", list(Drive))
def test_a_state_with_mixed_drives_and_little_grip_restores_bit_for_bit(puma: Cell, drive: Drive):
    """Into a fresh plant, whose model still has the gains of its start."""
    plant = PhysicsPlant(puma)
    q = accelerate(plant)
    drives = np.array([drive, drive, Drive.SERVO, Drive.OFF, Drive.FREE, drive], np.int8)
    command = replace(Command.holding(puma, q), drives=drives, openings=np.zeros(1), grip_forces=np.array([7.0]))
    for _ in range(3):
        plant.step(command)
    saved = plant.save()
    first = [plant.step(command).to_bytes() for _ in range(50)]
    fresh = PhysicsPlant(puma)
    fresh.restore(saved)
    assert [fresh.step(command).to_bytes() for _ in range(50)] == first


OWN_ACTUATORS = {
    "cell.toml": 'format = 1\nname = "own"\n[[mounts]]\nname = "arm"\nmodel = "./arm"\n',
    "arm/model.toml": 'format = 1\nkind = "robot"\ntitle = "Arm"\nfile = "arm.xml"\nactuators = "file"\n',
    "arm/arm.xml": """
<mujoco model="arm">
  <worldbody>
    <body name="base" pos="0 0 1"><geom type="box" size=".05 .05 .05"/>
      <body name="link">
        <joint name="swing" axis="0 1 0" range="-170 170"/>
        <geom type="capsule" size="0.03" fromto="0.1 0 0 0.6 0 0" contype="0" conaffinity="0"/>
      </body>
    </body>
  </worldbody>
  <actuator><position name="motor" joint="swing" kp="50" kv="5" gear="2"/></actuator>
</mujoco>
""",
}


def test_actuators_of_the_models_own_file_brake_and_let_go(tmp_path: Path):
    for name, text in OWN_ACTUATORS.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    cell = load_cell(tmp_path)
    plant = PhysicsPlant(cell)
    run(plant, Command.holding(cell, np.array([0.5])), 0.1)
    before = plant.data.qpos[0]
    assert abs(plant.data.qvel[0]) > 0.5
    stopped = run(plant, Command.holding(cell, np.array([0.5]), Drive.OFF), 0.5)[-1, 0]
    assert abs(stopped - before) < 0.02
    assert abs(run(plant, Command.holding(cell, np.array([0.5]), Drive.FREE), 0.5)[-1, 0] - stopped) < 0.001
    assert run(plant, Command.holding(cell, np.array([0.5])), 3.0)[-1, 0] == pytest.approx(0.5, abs=0.01)
