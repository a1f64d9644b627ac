"""Grippers hold by friction alone: a strut is taken out of the rack, carried and held; a block is picked up."""

import numpy as np
import pytest

from telecell.contract import Command, Measurement
from telecell.geometry import Pose
from telecell.kinematics import InverseSolver
from telecell.kinematics.posture import Posture, build_chain
from telecell.models import Cell, load_cell
from telecell.plant import PhysicsPlant


class Driver:
    """Moves one robot of a cell along smooth paths, straight on the plant."""

    def __init__(self, cell: Cell, robot: str, tool: str):
        self.cell = cell
        self.plant = PhysicsPlant(cell)
        self.posture = Posture(cell)
        self.robot = cell.get_robot(robot)
        self.solver = InverseSolver(build_chain(self.robot, self.posture))
        self.rows = [[axis.name for axis in cell.axes].index(name) for name in self.robot.axis_names]
        self.tool = [tool_.name for tool_ in cell.tools].index(tool)
        self.q = np.array(cell.start)
        self.openings = np.ones(len(cell.tools))
        self.measured: Measurement = self.plant.measure()

    def follow(self, path, seconds: float) -> None:
        """Run a path q(s), s from 0 to 1 along a quintic in time."""
        ticks = round(seconds / self.plant.period_s)
        previous = self.q
        for tick in range(1, ticks + 1):
            s = tick / ticks
            q = path(s**3 * (10 - 15 * s + 6 * s**2))
            self.measured = self.plant.step(Command(q, (q - previous) / self.plant.period_s, self.openings))
            previous = q
        self.q = previous

    def move(self, changes: dict[int, float], seconds: float) -> None:
        begin, end = self.q.copy(), self.q.copy()
        for row, value in changes.items():
            end[row] = value
        self.follow(lambda s: begin + s * (end - begin), seconds)

    def line(self, begin: Pose, end: Pose, seconds: float) -> None:
        """A straight line of the tip without turning, in the robot's base frame."""

        def path(s: float) -> np.ndarray:
            target = Pose(begin.rotation, begin.position + s * (end.position - begin.position))
            q = self.q.copy()
            q[self.rows] = self.solver.solve(target, reference=q[self.rows]).best.joints
            self.q = q
            return q

        self.follow(path, seconds)

    def wait(self, seconds: float) -> None:
        self.follow(lambda _: self.q, seconds)

    def close(self, opening: float = 0.0) -> None:
        self.openings[self.tool] = opening
        self.wait(0.6)

    def in_hand(self, part: str) -> Pose:
        """Where a part is, seen from the tool's tip."""
        self.posture.set(self.measured.q_measured, self.measured.openings, self.measured.parts)
        tip = self.posture.get_frame(self.cell.tools[self.tool].tip)
        row = self.measured.parts[self.cell.parts.index(part)]
        return tip.inverse() @ Pose.from_quaternion(row[:3], row[3:])

    def height(self, part: str) -> float:
        return float(self.measured.parts[self.cell.parts.index(part)][2])


@pytest.fixture(scope="module")
def carried() -> tuple[Driver, list[Pose]]:
    """The left arm takes the middle strut, lifts it, carries it 0.6 m, turns it by 90 deg and holds it."""
    cell = load_cell("cirsse")
    arm = Driver(cell, "PL", "left_gripper/fingers")
    linear = [axis.name for axis in cell.axes].index("left_cart/linear")
    flange = arm.rows[-1]
    arm.move({linear: -0.15005}, 6.0)
    arm.posture.set(arm.q)
    shoulder = arm.posture.get_frame(arm.robot.base)
    grip_to_flange = arm.posture.get_frame("left_gripper/grip").inverse() @ arm.posture.get_frame(arm.robot.tip)

    def above(height: float) -> Pose:
        grip = Pose(arm.posture.get_frame("left_gripper/grip").rotation, (0.90, 0.0, 0.70 + height))
        return shoulder.inverse() @ grip @ grip_to_flange

    over = arm.solver.solve(above(0.15), reference=arm.q[arm.rows]).best.joints
    arm.move(dict(zip(arm.rows, over, strict=True)), 3.0)
    arm.line(above(0.15), above(0.0), 2.0)
    arm.close()
    poses = [arm.in_hand("strut2")]
    assert arm.measured.beams[0], "the strut interrupts the cross-fire beam"
    arm.line(above(0.0), above(0.15), 1.0)
    arm.move({linear: -0.75}, 4.0)
    arm.move({flange: arm.q[flange] - np.pi / 2}, 1.0)
    poses.append(arm.in_hand("strut2"))
    arm.wait(5.0)
    poses.append(arm.in_hand("strut2"))
    return arm, poses


def test_a_strut_is_lifted_out_of_the_rack_and_carried(carried):
    arm, (gripped, moved, _) = carried
    assert arm.height("strut2") == pytest.approx(0.85, abs=0.005)
    assert arm.measured.parts[1, 1] == pytest.approx(-0.6, abs=0.01)
    slip, turn = gripped.distance_to(moved)
    assert slip < 0.002
    assert turn < np.radians(1)


def test_a_held_strut_does_not_creep(carried):
    _, (_, moved, held) = carried
    assert moved.distance_to(held)[0] < 0.0002


def test_the_other_struts_stay_in_the_rack(carried):
    arm, _ = carried
    for strut in ("strut1", "strut3"):
        assert arm.height(strut) == pytest.approx(0.70, abs=0.001)


def test_an_opened_gripper_lets_go(carried):
    arm, _ = carried
    arm.close(1.0)
    arm.wait(1.0)
    assert arm.height("strut2") < 0.5
    assert not arm.measured.beams[0]


def test_the_jaw_picks_up_a_block_and_drops_nothing():
    cell = load_cell("puma")
    arm = Driver(cell, "puma", "jaw/fingers")
    work = np.array(arm.robot.get_pose("work"))
    arm.move(dict(zip(arm.rows, work, strict=True)), 3.0)
    arm.posture.set(arm.q, arm.measured.openings, arm.measured.parts)
    base = arm.posture.get_frame(arm.robot.base)
    grip = arm.posture.get_frame("jaw/grip")
    grip_to_flange = grip.inverse() @ arm.posture.get_frame(arm.robot.tip)
    x, y, z = arm.measured.parts[0, :3]

    def above(height: float) -> Pose:
        return base.inverse() @ Pose(grip.rotation, (x, y, z + height)) @ grip_to_flange

    over = arm.solver.solve(above(0.1), reference=arm.q[arm.rows]).best.joints
    arm.move(dict(zip(arm.rows, over, strict=True)), 2.0)
    arm.line(above(0.1), above(0.0), 2.0)
    arm.close()
    gripped = arm.in_hand("block_a")
    arm.line(above(0.0), above(0.15), 1.0)
    arm.wait(5.0)
    assert arm.height("block_a") == pytest.approx(z + 0.15, abs=0.003)
    assert gripped.distance_to(arm.in_hand("block_a"))[0] < 0.001
    assert arm.measured.beams[0]
