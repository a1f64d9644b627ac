"""Tool frames, user frames and increments: where the tool goes, stated in any frame."""

import math

import numpy as np
import pytest

from soak.operator import Operator
from telecell.geometry import Pose, rotation_from_vector
from telecell.kinematics.placements import to_placement, to_pose
from telecell.messages import Placement, Refused, moves, queries, replies, settings

EXACT = 3e-4
"""m: two encoder counts of 1e-4 rad at an arm's length."""


def locate(operator: Operator) -> Pose:
    located = operator.ask(queries.Where, robot="puma")
    assert isinstance(located, replies.Located)
    return to_pose(located.frames["tool"])


@pytest.fixture
def at_work(puma: Operator) -> Operator:
    puma.ask(moves.MoveNamed, robot="puma", pose="work")
    puma.settle()
    return puma


def move(operator: Operator, kind: type, **fields) -> None:
    reply = operator.ask(kind, robot="puma", **fields)
    assert isinstance(reply, replies.Queued), reply
    operator.settle()


def test_ten_degrees_of_a_alone_turn_the_ready_tool_about_base_y(puma: Operator):
    """VAL: at ready the tool is aligned with the base frame, and dA = 10 degrees gives R = Ry(10 degrees).

    The arm is stretched out, so only its wrist centre can be turned about.
    """
    located = puma.ask(queries.Where, robot="puma")
    assert isinstance(located, replies.Located)
    wrist = to_pose(located.frames["puma/flange"]).inverse() @ to_pose(located.frames["puma/wrist"])
    puma.ask(settings.DefineToolFrame, robot="puma", offset=to_placement(wrist))
    before = locate(puma)
    assert before.rotation == pytest.approx(np.eye(3), abs=1e-3)
    move(puma, moves.MovePoseBy, oat_rad=(0.0, math.radians(10), 0.0))
    after = locate(puma)
    assert after.rotation == pytest.approx(rotation_from_vector((0.0, math.radians(10), 0.0)), abs=1e-3)
    assert after.position == pytest.approx(before.position, abs=EXACT)


@pytest.mark.parametrize("straight", [True, False])
@pytest.mark.parametrize("frame", ["base", "tool"])
def test_an_increment_is_stated_in_its_frame(at_work: Operator, frame: str, straight: bool):
    before, step = locate(at_work), np.array([0.02, -0.03, 0.01])
    move(at_work, moves.MovePoseBy, translation_m=tuple(step.tolist()), frame=frame, straight=straight)
    expected = before.position + (before.rotation @ step if frame == "tool" else step)
    assert locate(at_work).position == pytest.approx(expected, abs=EXACT)
    assert locate(at_work).rotation == pytest.approx(before.rotation, abs=1e-3)


def test_increments_begin_at_the_end_of_what_is_queued(at_work: Operator):
    before = locate(at_work)
    for _ in range(3):
        at_work.send(moves.MovePoseBy, robot="puma", translation_m=(0.0, 0.0, 0.02))
    at_work.settle()
    assert locate(at_work).position == pytest.approx(before.position + np.array([0, 0, 0.06]), abs=EXACT)


def test_poses_are_for_the_tool_frame_once_it_is_defined(at_work: Operator):
    tip = locate(at_work)
    at_work.ask(settings.DefineToolFrame, robot="puma", offset=Placement((0.0, 0.0, 0.1)))
    tool = locate(at_work)
    assert tool.position == pytest.approx(tip.position + 0.1 * tip.rotation[:, 2], abs=1e-9)
    move(at_work, moves.MovePoseBy, rotation_rad=(0.3, 0.0, 0.0), frame="tool", straight=True)
    assert locate(at_work).position == pytest.approx(tool.position, abs=EXACT)


def test_a_tool_frame_cannot_change_in_motion(at_work: Operator):
    at_work.ask(moves.Home, robot="puma")
    reply = at_work.ask(settings.DefineToolFrame, robot="puma", offset=Placement((0.0, 0.0, 0.1)))
    assert isinstance(reply, Refused)
    assert "in motion" in reply.error.text


def test_a_user_frame_from_three_points_takes_targets(at_work: Operator):
    before = locate(at_work)
    shoulder = at_work.running.state().frames[0]
    origin = np.array(shoulder.position_m) + before.position
    points = {
        "origin_m": origin,
        "on_x_m": origin + np.array([0, 0.5, 0]),
        "towards_y_m": origin + np.array([-0.5, 0, 0]),
    }
    fields = {name: tuple(point.tolist()) for name, point in points.items()}
    at_work.ask(settings.DefineUserFrame, name="bench", **fields)
    turned = Pose(rotation_from_vector((0, 0, math.pi / 2)).T @ before.rotation, np.array([0.03, 0.0, 0.0]))
    quaternion = tuple(turned.quaternion().tolist())
    move(at_work, moves.MoveLine, target=Placement((0.03, 0.0, 0.0), quaternion), frame="bench")
    assert locate(at_work).position == pytest.approx(before.position + np.array([0, 0.03, 0]), abs=EXACT)
    assert locate(at_work).rotation == pytest.approx(before.rotation, abs=1e-3)


@pytest.mark.parametrize("name", ["", "world", "1st", "a b", "x" * 41, "tool"])
def test_a_user_frame_needs_a_name_of_its_own(puma: Operator, name: str):
    points = {"origin_m": (0.0, 0.0, 0.0), "on_x_m": (1.0, 0.0, 0.0), "towards_y_m": (0.0, 1.0, 0.0)}
    assert isinstance(puma.ask(settings.DefineUserFrame, name=name, **points), Refused)


@pytest.mark.parametrize("far", [1e308, -1e200, 1e12])
def test_numbers_that_no_cell_has_are_refused_without_a_warning(puma: Operator, far: float):
    points = {"origin_m": (0.0, 0.0, 0.0), "on_x_m": (far, 0.0, 0.0), "towards_y_m": (0.0, far, 0.0)}
    assert isinstance(puma.ask(settings.DefineUserFrame, name="far", **points), Refused)
    target = Placement((0.4, 0.0, 0.4), (far, 0.0, 0.0, 0.0))
    assert isinstance(puma.ask(moves.MovePose, robot="puma", target=target), Refused)


def test_an_unknown_frame_is_refused_with_the_known_ones(puma: Operator):
    reply = puma.ask(moves.MovePose, robot="puma", target=Placement((0.4, 0.1, 0.5)), frame="bensh")
    assert isinstance(reply, Refused)
    assert {"base", "world", "tool"} <= set(reply.error.choices)


def test_a_line_keeps_the_tool_on_a_straight_line(at_work: Operator):
    before = locate(at_work)
    goal = before.position + np.array([0.0, 0.2, 0.05])
    quaternion = tuple(before.quaternion().tolist())
    at_work.ask(moves.MoveLine, robot="puma", target=Placement(tuple(goal.tolist()), quaternion))
    along = (goal - before.position) / np.linalg.norm(goal - before.position)
    while at_work.books.modes["puma"] == "moving":
        way = locate(at_work).position - before.position
        assert np.linalg.norm(way - (way @ along) * along) < 5e-4
        at_work.run(0.04)
    assert locate(at_work).position == pytest.approx(goal, abs=EXACT)


def test_via_points_are_passed_without_a_stop(puma: Operator):
    start = puma.observer.command.q_desired
    points = tuple(tuple((start + step).tolist()) for step in (0.1, 0.25, 0.3))
    assert isinstance(puma.ask(moves.MoveVia, robot="puma", points=points), replies.Queued)
    speeds, positions = [], []
    while puma.books.modes["puma"] == "moving":
        puma.step()
        speeds.append(np.linalg.norm(puma.observer.command.v_desired))
        positions.append(puma.observer.command.q_desired)
    assert min(speeds[40:-40]) > 0.05
    for point in points:
        assert np.abs(np.array(positions) - point).max(axis=1).min() < 5e-3


@pytest.mark.parametrize("blend", [-0.1, 1.1, math.nan])
def test_a_blend_is_a_share(puma: Operator, blend: float):
    reply = puma.ask(moves.Home, robot="puma", blend=blend)
    assert isinstance(reply, Refused)
    assert "0 to 1" in reply.error.text
