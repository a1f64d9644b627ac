"""Lines of the tip: straight, within every limit, through singular places, and refused where they would jump."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from telecell.errors import InputError, JointOutOfRange, NoSolution, TelecellError, UnknownName
from telecell.geometry import Pose, rotation_from_vector, vector_from_rotation
from telecell.kinematics import Chain, InverseSolver
from telecell.kinematics.posture import Posture
from telecell.models import Robot, load_cell
from telecell.trajectories import MotionLimits, SplinePlan, TipLimits, build, plan_line
from telecell.trajectories.tip_line import TipLine

from .motions import NINE, NINE_ROBOT, PUMA, PUMA_ROBOT, assert_motions_keep_limits, draw

TIP = TipLimits(0.25, 1.0, 1.0, 4.0)
TOLERANCE_M, TOLERANCE_RAD = 5e-5, np.radians(0.01)
READY = np.array(PUMA_ROBOT.poses["ready"])
WORK = np.array(PUMA_ROBOT.poses["work"])
BENT = np.array([0.2, -0.8, 0.9, 0.3, 0.6, 0.2])
NO_OFFSET = Pose.identity()


def make_solver(cell: str, robot: Robot) -> InverseSolver:
    posture = Posture(load_cell(cell))
    return InverseSolver(
        Chain(
            posture.model,
            axes=robot.axis_names,
            base=robot.base,
            tip=robot.tip,
            limits=[axis.software_limits for axis in robot.axes],
            weights=[axis.weight for axis in robot.axes],
            posture=posture.data.qpos,
            name=robot.name,
        )
    )


@cache
def puma() -> InverseSolver:
    return make_solver("puma", PUMA_ROBOT)


@cache
def nine() -> InverseSolver:
    return make_solver("cirsse", NINE_ROBOT)


def move(solver: InverseSolver, joints, way_m=(0.0, 0.0, 0.0), turn_rad=(0.0, 0.0, 0.0)) -> Pose:
    here = solver.chain.forward(joints)
    return Pose(here.rotation @ rotation_from_vector(turn_rad), here.position + way_m)


def measure_tip(
    solver: InverseSolver, joints, target: Pose, plan: SplinePlan, count: int, offset: Pose = NO_OFFSET
) -> tuple[np.ndarray, np.ndarray]:
    """The parts of the line at which the tool is, and how far beside it, as a part of the tolerance."""
    start = solver.chain.forward(joints) @ offset
    way, turn = target.position - start.position, vector_from_rotation(start.rotation.T @ target.rotation)
    line = TipLine(start, target, NO_OFFSET)
    trajectory = build(plan)
    parts, errors = [], []
    for q in trajectory.sample(np.linspace(0, trajectory.duration_s, count)).position:
        here = solver.chain.forward(q) @ offset
        turned = vector_from_rotation(start.rotation.T @ here.rotation)
        along = (here.position - start.position) @ way / TOLERANCE_M**2 + turned @ turn / TOLERANCE_RAD**2
        part = along / (way @ way / TOLERANCE_M**2 + turn @ turn / TOLERANCE_RAD**2)
        metres, radians = here.distance_to(line.compute_pose(float(part)))
        parts.append(part)
        errors.append(max(metres / TOLERANCE_M, radians / TOLERANCE_RAD))
    return np.array(parts), np.array(errors)


def draw_lines(solver: InverseSolver, limits: MotionLimits, count: int, seed: int):
    """Random lines of up to 0.35 m and 80 deg that can be followed."""
    rng = np.random.default_rng(seed)
    for joints in draw(limits, count, seed):
        target = move(solver, joints, rng.uniform(-0.2, 0.2, 3), rng.uniform(-0.8, 0.8, 3))
        try:
            yield joints, target, plan_line(solver, limits, joints, target, TIP)
        except (NoSolution, JointOutOfRange):
            continue


@pytest.mark.parametrize(
    ("solver", "limits", "count", "least"), [(puma, PUMA, 2000, 600), (nine, NINE, 150, 50)], ids=["puma", "nine axes"]
)
def test_lines_are_straight_and_keep_the_limits(solver, limits, count, least):
    """Two thousand tries of the PUMA give more than six hundred lines, in about 10 s."""
    lines = list(draw_lines(solver(), limits, count, 1))
    assert len(lines) > least
    assert_motions_keep_limits(limits, [plan for _, _, plan in lines])
    for joints, target, plan in lines:
        parts, errors = measure_tip(solver(), joints, target, plan, 30)
        assert errors.max() < 1.0
        assert (np.diff(parts) > -1e-6).all()
        assert solver().chain.forward(plan.positions[-1]).almost_equal(target, 1e-7, 1e-7)


def test_the_tip_keeps_its_own_limits():
    for way, turn in (((0.0, 0.3, 0.0), (0.0, 0.0, 0.0)), ((0.0, 0.0, 0.0), (0.3, 0.5, -0.2))):
        target = move(puma(), WORK, way, turn)
        plan = plan_line(puma(), PUMA, WORK, target, TIP)
        count = 400
        parts, _ = measure_tip(puma(), WORK, target, plan, count)
        period = build(plan).duration_s / (count - 1)
        rate, change = np.diff(parts) / period, np.diff(parts, 2) / period**2
        length, angle = np.linalg.norm(way), np.linalg.norm(turn)
        assert np.abs(rate).max() * length <= TIP.linear_speed
        assert np.abs(rate).max() * angle <= TIP.angular_speed
        assert np.abs(change).max() * length <= TIP.linear_acceleration
        assert np.abs(change).max() * angle <= TIP.angular_acceleration


def test_acceleration_is_continuous():
    plan = plan_line(puma(), PUMA, WORK, move(puma(), WORK, (0.1, 0.2, -0.1)), TIP)
    trajectory = build(plan)
    acceleration = trajectory.sample(np.arange(0, trajectory.duration_s, 0.001)).acceleration
    # Averaged over a / j = 0.1 s: within 1 ms it changes by about a hundredth of its range; a jump would be all of it.
    assert (np.abs(np.diff(acceleration, axis=0)) < 0.05 * PUMA.acceleration).all()


@pytest.mark.parametrize("way", [(0, 0, -0.3), (0.2, 0, -0.3), (0, 0.2, -0.3), (0, 0, -0.01)])
def test_lines_start_from_ready_where_wrist_and_elbow_are_straight(way):
    target = move(puma(), READY, way)
    plan = plan_line(puma(), PUMA, READY, target, TIP)
    assert measure_tip(puma(), READY, target, plan, 100)[1].max() < 1.0
    assert_motions_keep_limits(PUMA, [plan])


@pytest.mark.parametrize("aside", [0.0, 1e-12, 1e-9, 1e-6, 1e-4, 1e-3])
def test_a_straight_wrist_is_crossed_with_joints_4_and_6_continuous(aside):
    """In the plane of the arm joint 5 goes through zero; beside it, by less than the tolerance, all the same."""
    start = np.array([0.2, -0.8, 0.9, aside, 0.3, 0.2])
    end = np.array([0.2, -0.8, 0.9, 0.0, -0.3, 0.2])
    target = puma().chain.forward(end)
    plan = plan_line(puma(), PUMA, start, target, TIP)
    joints = np.array(plan.positions)
    assert joints[0, 4] > 0.2
    assert joints[-1, 4] < -0.2
    assert np.ptp(joints[:, 3]) < 0.1
    assert measure_tip(puma(), start, target, plan, 200)[1].max() < 1.0


def test_lines_at_any_distance_from_a_straight_wrist_stay_on_the_line():
    """From a ten-millionth to a radian beside it: passed straight, followed round, or refused for a limit."""
    rng = np.random.default_rng(0)
    passed = 0
    for _ in range(150):
        start = np.array([0.2, rng.uniform(-1.5, 0.0), rng.uniform(0.2, 1.2), 0.0, rng.uniform(0.05, 0.5), 0.0])
        end = start + 10.0 ** rng.uniform(-7, -1, 6) * rng.choice([-1, 1], 6)
        end[4] = -rng.uniform(0.05, 0.5)
        start[3] = 10.0 ** rng.uniform(-7, 0)
        target = puma().chain.forward(end)
        try:
            plan = plan_line(puma(), PUMA, start, target, TIP)
        except JointOutOfRange:
            continue
        passed += 1
        assert measure_tip(puma(), start, target, plan, 100)[1].max() < 1.0
    assert passed > 20


def test_near_a_straight_wrist_the_line_slows_down_and_passes():
    start = np.array([0.2, -0.8, 0.9, -1.0, 0.3, 0.2])
    target = puma().chain.forward([0.2, -0.8, 0.9, 1.2, 0.3, -2.0])
    slow = plan_line(puma(), PUMA, start, target, TIP)
    free = plan_line(puma(), PUMA, BENT, move(puma(), BENT, (0.02, 0.0, 0.0), (0.3, 0.0, 0.0)), TIP)
    assert slow.times_s[-1] > free.times_s[-1]
    assert np.ptp(np.array(slow.positions)[:, 3]) > 2.0
    assert_motions_keep_limits(PUMA, [slow])
    assert measure_tip(puma(), start, target, slow, 200)[1].max() < 1.0


def test_a_line_that_needs_a_jump_of_the_wrist_is_refused():
    """With the wrist straight, a turn square to joint 5 needs joint 4 a quarter turn away at once."""
    straight = np.array([0.2, -0.8, 0.9, 0.0, 0.0, 0.0])
    with pytest.raises(NoSolution, match=r"without a jump after 0\.0 % of the way") as error:
        plan_line(puma(), PUMA, straight, move(puma(), straight, turn_rad=(0.3, 0.0, 0.0)), TIP)
    assert "wrist_rotation" in str(error.value.where) or "flange_rotation" in str(error.value.where)
    assert "turn the wrist away from straight first" in str(error.value)


def test_a_line_beyond_the_limits_names_axis_and_place():
    with pytest.raises(JointOutOfRange, match=r"leaves the limits after \d+\.\d % of the way") as error:
        plan_line(puma(), PUMA, WORK, move(puma(), WORK, (0.0, 0.0, 0.5)), TIP)
    assert error.value.where == "axis puma/wrist_bend (wrist bend)"


def test_a_line_beyond_the_last_turn_is_refused_and_not_continued_a_turn_away():
    start = BENT.copy()
    start[5] = PUMA.position[5, 1] - 0.1
    with pytest.raises(JointOutOfRange, match="flange rotation"):
        plan_line(puma(), PUMA, start, move(puma(), start, turn_rad=(0.0, 0.0, 0.5)), TIP)


def test_a_line_out_of_reach_says_where():
    with pytest.raises(NoSolution, match=r"leaves the reach of the arm after \d+\.\d % of the way"):
        plan_line(puma(), PUMA, READY, move(puma(), READY, (0.3, 0.0, 0.0)), TIP)
    with pytest.raises(NoSolution, match="leaves the reach"):
        plan_line(nine(), NINE, NINE.position.mean(axis=1), Pose.translation(9.0, 0.0, 1.0), TIP)
    with pytest.raises(NoSolution, match="beyond any reach"):
        plan_line(puma(), PUMA, WORK, Pose.translation(1e8, 0.0, 0.0), TIP)


def test_a_start_outside_the_limits_may_retreat():
    start = BENT.copy()
    start[5] = PUMA.position[5, 1] + 0.1
    plan = plan_line(puma(), PUMA, start, move(puma(), start, turn_rad=(0.0, 0.0, -0.5)), TIP)
    assert plan.positions[-1][5] < PUMA.position[5, 1]


def test_a_tool_frame_moves_straight_instead_of_the_tip():
    offset = Pose.from_xyz_rpy((0.0, 0.05, 0.2), (0.0, 0.4, 0.0))
    start = puma().chain.forward(WORK) @ offset
    way, turn = np.array([0.05, -0.1, 0.05]), rotation_from_vector((0.2, 0.3, 0.1))
    target = Pose(start.rotation @ turn, start.position + way)
    plan = plan_line(puma(), PUMA, WORK, target, TIP, tip_offset=offset)
    assert measure_tip(puma(), WORK, target, plan, 100, offset)[1].max() < 1.0
    assert measure_tip(puma(), WORK, puma().chain.forward(plan.positions[-1]), plan, 100)[1].max() > 10.0


def test_a_branch_is_kept_or_the_line_refused():
    target = move(puma(), BENT, (0.05, 0.0, -0.05))
    branch = puma().solve(puma().chain.forward(BENT), reference=BENT).best.branch
    assert plan_line(puma(), PUMA, BENT, target, TIP, branch=branch) == plan_line(puma(), PUMA, BENT, target, TIP)
    other = {"wrist": "flip" if branch["wrist"] == "noflip" else "noflip"}
    with pytest.raises(NoSolution, match=f"with wrist {other['wrist']}.*it is {branch['wrist']}"):
        plan_line(puma(), PUMA, BENT, target, TIP, branch=other)
    with pytest.raises(UnknownName, match="noflip"):
        plan_line(puma(), PUMA, BENT, target, TIP, branch={"wrist": "flop"})
    with pytest.raises(UnknownName, match="elbow"):
        plan_line(puma(), PUMA, BENT, target, TIP, branch={"knee": "above"})


def test_no_way_takes_no_time():
    plan = plan_line(puma(), PUMA, WORK, move(puma(), WORK), TIP)
    assert plan == SplinePlan((0.0,), (tuple(WORK.tolist()),), ((0.0,) * 6,))


@pytest.mark.parametrize("scale", [1e-7, 1e-5, 1e-3])
def test_tiny_lines_are_motions_too(scale):
    plan = plan_line(puma(), PUMA, BENT, move(puma(), BENT, np.array([0.0, 0.3, 0.1]) * scale), TIP)
    assert 0.0 < plan.times_s[-1] < 1.0
    assert_motions_keep_limits(PUMA, [plan])


def test_a_very_slow_line_has_a_bounded_number_of_knots():
    slow = TipLimits(1e-4, 1.0, 1.0, 4.0)
    plan = plan_line(puma(), PUMA, WORK, move(puma(), WORK, (0.0, 0.3, 0.0)), slow)
    assert plan.times_s[-1] > 3000.0
    assert len(plan.times_s) < 2100
    assert_motions_keep_limits(PUMA, [plan])


@pytest.mark.parametrize("value", [0.0, -1.0, np.nan, np.inf, 1e308])
def test_tip_limits_that_are_none_are_refused(value):
    with pytest.raises(InputError, match="linear speed of the tip"):
        TipLimits(value, 1.0, 1.0, 1.0)


@pytest.mark.parametrize("start", [[0.0] * 5, [np.nan] * 6, [1e308] * 6, "ready"])
def test_a_bad_start_is_refused(start):
    with pytest.raises(JointOutOfRange):
        plan_line(puma(), PUMA, start, puma().chain.forward(WORK), TIP)


def test_hostile_targets_give_typed_errors_only():
    rng = np.random.default_rng(5)
    for _ in range(50):
        target = Pose(rotation_from_vector(rng.normal(size=3) * 3), rng.normal(size=3) * 10.0 ** rng.uniform(-3, 6))
        try:
            plan_line(puma(), PUMA, draw(PUMA, 1, int(rng.integers(1000)))[0], target, TIP)
        except TelecellError:
            continue
