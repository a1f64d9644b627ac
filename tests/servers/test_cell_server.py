import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from telecell.messages import Refused
from telecell.messages.events import GrantChanged, ModeChanged, Stopped
from telecell.messages.granting import Acquire
from telecell.messages.moves import MoveJointsBy, StreamJoints
from telecell.messages.queries import ReadSignals, Subscribe
from telecell.messages.replies import Accepted, Done, Queued, SignalsRead, Subscribed
from telecell.messages.request import Placement
from telecell.messages.settings import DefineToolFrame, Power, SetTool
from telecell.messages.stopping import Reset, Stop
from telecell.servers.cell_server import TICKS_BETWEEN_SETUPS

from .desk import LOOP, PERIOD_S, Desk

STEP = (0.5, 0, 0, 0, 0, 0)


@pytest.fixture
def desk() -> Desk:
    return Desk()


def test_every_tick_publishes_the_state_with_the_account_of_the_loop(desk: Desk):
    for tick in (1, 2):
        state = desk.tick()
        assert (state.tick, state.loop, state.epoch) == (tick, LOOP, "e")
    assert [state.tick for state in desk.states] == [1, 2]


def test_a_request_is_answered_in_the_tick_in_which_it_takes_effect(desk: Desk):
    desk.get_ready()
    desk.replies.clear()
    desk.send(MoveJointsBy, robot="puma", increments=STEP)
    desk.send(SetTool, tool="jaw/fingers", opening=0.0)
    assert desk.replies == []
    state = desk.tick()
    queued, done = desk.replies
    assert isinstance(queued, Queued)
    assert isinstance(done, Done)
    assert state.robots[0].mode == "moving"
    assert state.tools[0].opening_desired == 0.0


def test_a_reply_comes_after_the_state_and_the_setup_that_it_led_to(desk: Desk):
    desk.get_ready()
    order: list[str] = []
    desk.bus.subscribe(desk.keys.setup, lambda *_: order.append("setup"))
    desk.bus.subscribe(desk.keys.state, lambda *_: order.append("state"))
    payload = desk.build(DefineToolFrame, robot="puma", offset=Placement((0.0, 0.0, 0.1)))
    desk.bus.ask(desk.keys.request, payload, lambda _: order.append("reply"), 1.0)
    desk.tick()
    assert order == ["setup", "state", "reply"]


def test_what_happens_is_published_with_the_tick_and_numbered(desk: Desk):
    desk.send(Acquire, holder="test")
    desk.tick(2)
    (event,) = desk.events
    assert isinstance(event, GrantChanged)
    assert (event.number, event.tick, event.request, event.sender, event.holder) == (1, 0, 1, "d1", "test")


def test_what_cannot_be_done_is_refused_with_the_reason(desk: Desk):
    refused = desk.ask(MoveJointsBy, robot="puma", increments=STEP)
    assert isinstance(refused, Refused)
    assert "nobody has control" in refused.error.text
    desk.get_ready()
    refused = desk.ask(MoveJointsBy, robot="puma", increments=(99.0, 0, 0, 0, 0, 0))
    assert isinstance(refused, Refused)
    assert desk.get_mode() == "holding"


def test_events_that_were_lost_can_be_asked_for(desk: Desk):
    desk.send(Acquire, holder="test")
    desk.tick()
    reply = desk.ask(Subscribe, after=0)
    assert isinstance(reply, Subscribed)
    assert list(reply.events) == desk.events


def test_the_setup_is_told_at_first_when_it_changes_and_every_second(desk: Desk):
    desk.get_ready()
    assert [setup.number for setup in desk.setups] == [0]
    desk.ask(DefineToolFrame, robot="puma", offset=Placement((0.0, 0.0, 0.1)))
    assert [setup.number for setup in desk.setups] == [0, 1]
    assert desk.setups[-1].robots["puma"].tool.position_m == (0.0, 0.0, 0.1)
    desk.tick(TICKS_BETWEEN_SETUPS)
    assert [setup.number for setup in desk.setups] == [0, 1, 1]


def test_set_points_come_by_the_stream_and_are_answered_there(desk: Desk):
    desk.get_ready()
    here = [axis.q_desired for axis in desk.running.state().axes]
    desk.streamed.clear()
    desk.stream(StreamJoints, robot="puma", joints=(here[0] + 0.1, *here[1:]))
    desk.tick()
    accepted, renewed = desk.streamed
    assert isinstance(accepted, Accepted)
    assert isinstance(renewed, Done)
    assert desk.get_mode() == "tracking"


def test_a_lost_plant_stops_the_robots_and_the_server_goes_on(desk: Desk):
    desk.get_ready()
    desk.ask(MoveJointsBy, robot="puma", increments=STEP)
    desk.plant.broken = True
    desk.tick(2)
    (stopped,) = [event for event in desk.events if isinstance(event, Stopped)]
    assert (stopped.cause, stopped.reason) == ("plant_lost", "puma: the line is cut")
    assert desk.tick(10).robots[0].mode == "stopped"

    desk.plant.broken = False
    assert isinstance(desk.ask(Reset), Done)
    assert isinstance(desk.ask(Power, robot="puma", on=True), Done)
    assert desk.tick(3).robots[0].mode == "holding"


def test_a_plant_slower_than_half_of_real_time_stops_what_moves(desk: Desk):
    desk.get_ready()
    desk.ask(MoveJointsBy, robot="puma", increments=STEP, speed=0.05)
    desk.tick(100)
    assert desk.get_mode() == "moving"
    state = desk.tick(200, period_s=2.5 * PERIOD_S)
    assert state.axes[0].stopped == "plant_slow"


def test_a_stream_is_silent_by_the_real_clock(desk: Desk):
    desk.get_ready()
    here = [axis.q_desired for axis in desk.running.state().axes]
    desk.ask(StreamJoints, robot="puma", joints=(here[0] + 1.0, *here[1:]))
    desk.tick(24)
    assert desk.get_mode() == "tracking"
    desk.tick(1, period_s=0.01)
    assert desk.get_mode() == "stopping"


def test_a_holder_whose_renewals_end_is_stopped_and_loses_control(desk: Desk):
    desk.get_ready()
    desk.ask(MoveJointsBy, robot="puma", increments=STEP, speed=0.05)
    desk.grant = None  # ends the renewals
    desk.tick(125)
    assert desk.get_mode() == "moving"
    desk.tick(2)
    assert desk.get_mode() == "stopping"
    assert desk.tick(130).grants == ()


def test_stop_needs_no_control(desk: Desk):
    desk.get_ready()
    desk.ask(MoveJointsBy, robot="puma", increments=STEP)
    desk.put(desk.build(Stop, author="somebody", grant=None, sender="other"), desk.keys.stop)
    desk.tick()
    assert isinstance(desk.replies[-1], Done)
    assert any(isinstance(event, ModeChanged) and event.mode == "stopping" for event in desk.events)
    assert desk.tick(300).robots[0].mode == "stopped"


def test_a_cell_runs_on_when_nobody_is_left(desk: Desk):
    desk.send(ReadSignals)
    desk.bus.close()
    assert [desk.server.tick(LOOP).tick for _ in range(3)] == [1, 2, 3]


@pytest.fixture(scope="module")
def old_desk() -> Desk:
    """One for all: whatever it has been told before, it has to answer."""
    return Desk()


@given(packets=st.lists(st.tuples(st.sampled_from(["request", "stop", "stream"]), st.binary(max_size=200)), max_size=9))
def test_no_bytes_stop_the_cell(old_desk: Desk, packets: list[tuple[str, bytes]]):
    desk = old_desk
    desk.replies.clear()
    for way, packet in packets:
        if way == "stream":
            desk.bus.publish(desk.keys.stream, packet)
        else:
            desk.put(packet, getattr(desk.keys, way))
    desk.send(ReadSignals)
    desk.tick()
    assert len(desk.replies) == 1 + sum(way != "stream" for way, _ in packets)
    assert isinstance(desk.replies[-1], SignalsRead)
    assert all(math.isfinite(axis.q_desired) for axis in desk.running.state().axes)
