"""A running cell answers, reports its state, and draws pictures."""

from collections.abc import Callable

import msgspec
import numpy as np
import pytest

from soak.operator import Operator
from telecell.errors import InputError, UnknownName
from telecell.messages import (
    OPERATIONS,
    VERSION,
    CellState,
    Placement,
    Refused,
    decode_request,
    moves,
    queries,
    replies,
    settings,
    stopping,
)
from telecell.runtime import RunningCell, start_cell
from telecell.runtime.running import MAX_WAITING

BringUp = Callable[..., Operator]


@pytest.fixture(scope="module")
def fresh() -> RunningCell:
    return start_cell("puma", keep_poses=False)


def test_a_cell_comes_up_without_power_and_without_a_holder(fresh: RunningCell):
    state = fresh.state()
    assert (state.grants, state.waiting, state.tick) == ((), (), 0)
    assert {robot.holder for robot in state.robots} == {None}
    assert not any(axis.powered for axis in state.axes)
    assert [robot.mode for robot in state.robots] == ["off"]


def test_unknown_cells_and_plants_are_refused_with_the_known_ones():
    with pytest.raises(UnknownName, match="cirsse"):
        start_cell("cirse")
    with pytest.raises(UnknownName, match="physics"):
        start_cell("puma", plant="phisics")


def test_a_named_pose_is_reached_in_physics(bring_up: BringUp):
    operator = bring_up("physics")
    operator.ask(moves.MoveNamed, robot="puma", pose="work")
    operator.settle()
    operator.run(0.5)
    goal = operator.running.cell.get_robot("puma").get_pose("work")
    assert [axis.q_measured for axis in operator.running.state().axes] == pytest.approx(goal, abs=2e-3)
    assert operator.list_wrongs() == []


def test_the_state_survives_json_and_is_finite(bring_up: BringUp):
    operator = bring_up("physics")
    operator.ask(moves.MoveNamed, robot="puma", pose="work")
    operator.run(0.3)
    state = operator.running.state()
    encoded = msgspec.json.encode(state)
    assert msgspec.json.decode(encoded, type=CellState) == state
    assert state.robots[0].moving
    assert (state.robots[0].segment, state.robots[0].queued) == (1, 1)
    assert {frame.name for frame in state.frames} == {"puma/shoulder", "puma/flange", "jaw/grip"}


def test_the_tip_in_the_state_agrees_with_forward_kinematics(bring_up: BringUp):
    operator = bring_up()
    state = operator.running.state()
    joints = tuple(axis.q_measured for axis in state.axes)
    solved = operator.ask(queries.SolveForward, robot="puma", joints=joints)
    assert isinstance(solved, replies.Solved)
    assert solved.pose is not None
    assert solved.pose.position_m == pytest.approx(state.robots[0].position_m, abs=1e-12)


def test_robots_that_share_axes_see_the_same_axes(bring_up: BringUp):
    operator = bring_up(cell="cirsse")
    operator.ask(moves.MoveJointsBy, robot="CL", increments=(0.3, 0.0, 0.0))
    operator.settle()
    robots = {robot.name: robot for robot in operator.running.state().robots}
    assert robots["CL"].position_m[1] == pytest.approx(-1.0, abs=1e-5)
    assert robots["FL"].position_m[1] == pytest.approx(-1.0 + 0.15, abs=0.01)


def test_hello_tells_versions_and_refuses_another_major_one(fresh: RunningCell):
    welcome = fresh.answer(queries.Hello(sequence=1, version=VERSION))
    assert isinstance(welcome, replies.Welcome)
    assert (welcome.cell, welcome.period_s) == ("puma", 0.004)
    refused = fresh.answer(queries.Hello(sequence=2, version="1.0"))
    assert isinstance(refused, Refused)
    assert refused.error.kind == "VersionMismatch"


def test_a_cell_describes_itself(fresh: RunningCell):
    described = fresh.answer(queries.Describe(sequence=3))
    assert isinstance(described, replies.Described)
    assert [axis.name for axis in described.axes] == [axis.name for axis in fresh.cell.axes]
    assert described.operations == OPERATIONS
    assert set(described.robots[0].poses) >= {"ready", "work", "zero"}
    assert set(described.robots[0].branches) == {"arm", "elbow", "wrist"}
    assert {signal.name for signal in described.signals} >= {"door", "panic", "valve"}


def test_the_inverse_finds_the_posture_it_came_from(fresh: RunningCell):
    joints = tuple(np.radians([20, -60, 150, 10, 40, -30]).tolist())
    solved = fresh.answer(queries.SolveForward(sequence=4, robot="puma", joints=joints))
    assert isinstance(solved, replies.Solved)
    assert solved.pose is not None
    found = fresh.answer(queries.SolveInverse(sequence=5, robot="puma", target=solved.pose, reference=joints))
    assert isinstance(found, replies.Solved)
    assert found.solutions[0].joints == pytest.approx(joints, abs=1e-9)


def test_a_pose_out_of_reach_has_no_solution_and_a_reason(fresh: RunningCell):
    found = fresh.answer(queries.SolveInverse(sequence=6, robot="puma", target=Placement((5.0, 0.0, 0.0))))
    assert isinstance(found, replies.Solved)
    assert found.solutions == ()
    assert found.reason


@pytest.mark.parametrize(
    "query",
    [
        queries.Where(sequence=7, robot="pumo"),
        queries.SolveForward(sequence=7, robot="puma", joints=(0.0,)),
        queries.SolveForward(sequence=7, robot="puma", joints=(float("nan"),) * 6),
        queries.ReadSignals(sequence=7, names=("dor",)),
        queries.Subscribe(sequence=7, kinds=("stoped",)),
    ],
    ids=lambda query: type(query).__name__,
)
def test_a_question_about_nothing_is_refused(fresh: RunningCell, query: queries.AnyQuery):
    assert isinstance(fresh.answer(query), Refused)


def test_events_can_be_fetched_later(bring_up: BringUp):
    operator = bring_up()
    got = operator.ask(queries.Subscribe, after=0)
    assert isinstance(got, replies.Subscribed)
    assert list(got.events) == operator.events
    assert (got.newest, got.lost) == (len(operator.events), 0)


def test_requests_beyond_the_bound_are_refused_and_the_rest_is_answered(bring_up: BringUp):
    running = bring_up().running
    for number in range(MAX_WAITING + 3):
        running.submit(queries.Where(sequence=number, robot="puma"))
    answered, _ = running.step()
    refused = [reply for reply in answered if isinstance(reply, Refused)]
    assert len(answered) == MAX_WAITING + 3
    assert [reply.error.kind for reply in refused] == ["QueueFull"] * 3


def test_bytes_that_are_no_request_are_answered(bring_up: BringUp):
    operator = bring_up()
    operator.submit(decode_request(b'{"request": "fly", "sequence": 41}'))
    (reply,) = operator.step()
    assert isinstance(reply, Refused)
    assert (reply.sequence, reply.error.kind) == (41, "MalformedRequestError")


def test_tools_close_in_physics(bring_up: BringUp):
    operator = bring_up("physics")
    operator.ask(settings.SetTool, tool="jaw/fingers", opening=0.0)
    operator.run(1.0)
    tool = operator.running.state().tools[0]
    assert tool.opening == pytest.approx(0.0, abs=0.02)
    assert tool.opening_desired == 0.0


def test_the_state_tells_what_is_stopped(bring_up: BringUp):
    operator = bring_up()
    operator.ask(stopping.Stop, author="watcher")
    assert {axis.stopped for axis in operator.running.state().axes} == {"stop"}


@pytest.mark.rendering
@pytest.mark.parametrize("view", ["iso", "front", "side", "top", "hand"])
def test_pictures_show_the_cell(fresh: RunningCell, view: str, tmp_path):
    picture = fresh.render(view, width=320, height=200)
    assert picture.pixels.shape == (200, 320, 3)
    assert picture.pixels.std() > 10, "an empty picture"
    assert picture.save(tmp_path / "cell.png").read_bytes().startswith(b"\x89PNG")


def test_an_unknown_view_is_refused_with_the_known_ones(fresh: RunningCell):
    with pytest.raises(UnknownName, match="iso"):
        fresh.render("izo")
    with pytest.raises(InputError, match="picture size"):
        fresh.render("iso", width=0)
