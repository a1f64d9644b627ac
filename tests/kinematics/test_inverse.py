from __future__ import annotations

import msgspec
import numpy as np
import pytest

from telecell.errors import InputError, JointOutOfRange, NoSolution, UnknownName
from telecell.geometry import Pose
from telecell.kinematics import BRANCH_NAMES, Chain, InverseSolver
from telecell.kinematics.reasons import describe_branch

from .arms import PUMA_AXES, PUMA_LIMITS, PUMA_READY
from .golden import FORWARD, INVERSE

G1 = np.radians(FORWARD["G1"][0])
WORK = np.radians([0, -45, 180, 0, 45, 0])


def test_solutions_inside_the_limits_come_first_and_nearest_first(puma, puma_solver):
    solutions = puma_solver.solve(puma.forward(G1), reference=G1).solutions
    inside = [solution.inside_limits for solution in solutions]
    assert inside == sorted(inside, reverse=True)
    for group in (True, False):
        distances = [s.distance for s in solutions if s.inside_limits is group]
        assert distances == sorted(distances)


def test_the_flange_is_listed_in_both_turns_that_its_limits_allow(puma, puma_solver):
    joints = G1 + np.radians([0, 0, 0, 0, 0, -50])
    result = puma_solver.solve(puma.forward(joints), branch={"elbow": "above", "wrist": "noflip"})
    flange = [round(np.degrees(s.joints[5])) for s in result.solutions if s.inside_limits]
    assert sorted(flange) == [-120, 240]


@pytest.mark.parametrize(("pose", "index"), [("G1", 4), ("G2", 0), ("G3", 3)])
def test_a_wanted_branch_is_the_only_one_that_comes_back(puma, puma_solver, pose, index):
    text, degrees, _ = INVERSE[pose][index]
    branch = dict(zip(BRANCH_NAMES, text.split(), strict=True))
    result = puma_solver.solve(puma.forward(np.radians(FORWARD[pose][0])), branch=branch)
    assert {describe_branch(solution.branch) for solution in result.solutions} == {text}
    assert any(np.abs(np.degrees(s.joints) - degrees).max() < 1e-6 for s in result.solutions)


def test_a_branch_may_be_wanted_in_part(puma, puma_solver):
    result = puma_solver.solve(puma.forward(G1), branch={"arm": "righty"})
    assert {solution.branch["arm"] for solution in result.solutions} == {"righty"}
    assert len({describe_branch(solution.branch) for solution in result.solutions}) == 4


def test_limit_margins_agree_with_the_chain(puma, puma_solver):
    for solution in puma_solver.solve(puma.forward(G1)).solutions:
        assert solution.limit_margins == pytest.approx(puma.limit_margins(solution.joints))
        assert (min(solution.limit_margins) < 0) == bool(solution.outside)


def test_distance_is_weighted(puma_model):
    weights = np.array([4.0, 1, 1, 1, 1, 0.25])
    arm = Chain(puma_model, axes=PUMA_AXES, base="shoulder", tip="wrist", limits=PUMA_LIMITS, weights=weights)
    reference = G1 + 0.1
    for solution in InverseSolver(arm).solve(arm.forward(G1), reference=reference).solutions:
        motion = np.subtract(solution.joints, reference)
        assert solution.distance == pytest.approx(np.sqrt(weights @ motion**2))


def test_the_reference_defaults_to_the_middle_of_the_limits(puma, puma_solver):
    target = puma.forward(G1)
    assert puma_solver.solve(target) == puma_solver.solve(target, reference=PUMA_LIMITS.mean(axis=1))


def test_results_are_plain_values_that_can_be_sent(puma, puma_solver):
    result = puma_solver.solve(puma.forward(G1))
    assert msgspec.json.decode(msgspec.json.encode(result), type=type(result)) == result


def test_a_target_beyond_reach_says_by_how_much(puma_solver):
    result = puma_solver.solve(Pose.translation(3, 0, 0))
    assert not result.reachable
    assert result.solutions == ()
    # Links in a line reach at most 1.118 m from the crossing of waist and shoulder.
    assert result.reason.startswith("the target is at least 1882")
    with pytest.raises(NoSolution, match="puma560: the target is at least"):
        _ = result.best


def test_a_target_within_the_links_but_out_of_reach_says_by_how_much_it_is_missed(puma_solver):
    inside_the_column = puma_solver.solve(Pose.translation(0.05, 0, 0.2))
    assert not inside_the_column.reachable
    assert inside_the_column.reason.startswith("no posture takes the tip to the target; the nearest found misses it")
    too_far = puma_solver.solve(Pose.translation(0.9, 0.15005, 0))
    assert not too_far.reachable
    assert "misses it by" in too_far.reason


@pytest.mark.parametrize("beyond_m", [1e-6, 1e-3, 0.1])
def test_just_beyond_the_workspace_is_unreachable(puma, puma_solver, beyond_m):
    straight = np.pi / 2 + np.arctan2(0.0203, 0.4318)
    joints = np.array([0.0, 0.0, straight, 0.3, 0.5, 0.1])
    at_the_edge = puma.forward(joints)
    assert puma_solver.solve(at_the_edge, reference=joints).reachable
    outwards = at_the_edge.position * [1, 0, 1] / np.linalg.norm(at_the_edge.position * [1, 0, 1])
    assert not puma_solver.solve(Pose.translation(*(beyond_m * outwards)) @ at_the_edge).reachable


def test_solutions_outside_the_limits_are_told_with_axis_and_limit(puma_model):
    limits = PUMA_LIMITS.copy()
    limits[1] = np.radians([-30, 30])
    arm = Chain(puma_model, axes=PUMA_AXES, base="shoulder", tip="wrist", limits=limits, name="stiff")
    result = InverseSolver(arm).solve(arm.forward(WORK))
    assert result.solutions
    assert not result.reachable
    assert result.reason.startswith("every solution is outside the limits; least outside, in degrees: shoulder -45.00")
    assert "(-30.00 to 30.00)" in result.reason
    with pytest.raises(NoSolution, match="stiff: every solution is outside the limits"):
        _ = result.best


def test_a_wanted_branch_outside_the_limits_is_told_with_its_axis(puma_model):
    limits = PUMA_LIMITS.copy()
    limits[4] = np.radians([0, 100])
    arm = Chain(puma_model, axes=PUMA_AXES, base="shoulder", tip="wrist", limits=limits)
    result = InverseSolver(arm).solve(arm.forward(WORK), branch={"wrist": "flip"})
    assert not result.reachable
    assert "wrist_bend" in result.reason


def test_unknown_branches_are_refused_with_the_choices(puma_solver):
    with pytest.raises(UnknownName, match="no branch key of that name, got 'hand'; choose from: arm, elbow, wrist"):
        puma_solver.solve(Pose.identity(), branch={"hand": "left"})
    with pytest.raises(UnknownName, match="no branch arm of that name, got 'left'; choose from: lefty, righty"):
        puma_solver.solve(Pose.identity(), branch={"arm": "left"})


def test_a_branch_of_an_arm_without_names_is_refused(ur5):
    with pytest.raises(InputError, match="this arm has no named branches"):
        InverseSolver(ur5).solve(Pose.identity(), branch={"arm": "lefty"})


@pytest.mark.parametrize("reference", [[0.0] * 5, [np.nan] * 6, [np.inf] * 6])
def test_a_bad_reference_is_refused(puma_solver, reference):
    with pytest.raises(JointOutOfRange, match="puma560: joint vector must be 6 finite numbers"):
        puma_solver.solve(Pose.identity(), reference=reference)


def test_solving_leaves_no_trace(puma, puma_solver):
    before = puma.forward(PUMA_READY)
    first = puma_solver.solve(puma.forward(G1), reference=G1)
    puma_solver.solve(Pose.translation(3, 0, 0))
    assert puma_solver.solve(puma.forward(G1), reference=G1) == first
    assert puma.forward(PUMA_READY) == before
