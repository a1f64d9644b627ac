"""A cell in another process: it may be silent, gone or new, and the program is told."""

from collections.abc import Callable, Iterator

import msgspec
import pytest

import telecell as tc
from telecell.bus import MemoryBroker, MemoryBus
from telecell.client.over_bus import MOST_UNDER_WAY, SILENT_S
from telecell.client.transport import Arrival
from telecell.errors import RequestError, VersionMismatch
from telecell.messages import LoopState
from telecell.messages.events import SegmentEnded, SignalChanged
from telecell.messages.granting import Acquire
from telecell.messages.moves import MoveJointsBy
from telecell.messages.queries import Where
from telecell.messages.replies import Done, Located
from telecell.messages.settings import SetSignal
from telecell.messages.stopping import Stop

from .ways import OverBus, start_fake

FAR = tc.deg(90, -90, 90, 0, 0, 0)
STEP = (0.02, 0.0, 0.0, 0.0, 0.0, 0.0)


@pytest.fixture
def way() -> Iterator[OverBus]:
    with start_fake() as running:
        yield OverBus(running)


class LossyBus(MemoryBus):
    """Loses what it is told to lose, on its way here."""

    def __init__(self, broker: MemoryBroker):
        super().__init__(broker)
        self.loses: Callable[[str], bool] = lambda key: False

    def subscribe(self, key: str, take: Callable[[str, bytes], None]) -> None:
        super().subscribe(key, lambda found, payload: None if self.loses(found) else take(found, payload))


@pytest.fixture
def bus(way: OverBus) -> LossyBus:
    return LossyBus(way.broker)


@pytest.fixture
def cell(way: OverBus, bus: LossyBus) -> Iterator[tc.CellClient]:
    with tc.CellClient.connect(way.build_transport(bus)) as opened:
        yield opened


def hang(way: OverBus) -> None:
    """The cell server stands still, though the clock goes on."""
    way.tick = lambda: way.clock.advance(way.running.plant.period_s)


class TestGone:
    def test_connecting_to_nobody_says_what_to_do(self, way: OverBus):
        way.kill_server()
        with pytest.raises(tc.CellUnreachable, match=r"cell puma at site local: nobody answers.*telecell status"):
            way.connect()

    def test_a_request_to_nobody_is_refused_at_once(self, way: OverBus, cell: tc.CellClient):
        way.kill_server()
        begin_s = way.clock.now()
        with pytest.raises(tc.CellUnreachable, match="nobody has answered"):
            cell.take_control("me")
        with pytest.raises(tc.CellUnreachable):
            cell.stop()
        assert way.clock.now() - begin_s < 0.1

    def test_waiting_for_a_silent_cell_ends_with_its_age(self, way: OverBus, cell: tc.CellClient, arm: tc.Manipulator):
        segment = arm.move_joints(FAR)
        begin_s = way.clock.now()
        tick = way.tick
        hang(way)
        with pytest.raises(tc.CellUnreachable, match=r"silent for 2\.0 s, limit 2 s"):
            segment.wait()
        assert way.clock.now() - begin_s == pytest.approx(SILENT_S, abs=0.02)
        with pytest.raises(tc.CellUnreachable):
            cell.run(1.0)
        assert cell.link().age_s > SILENT_S
        way.tick = tick

    def test_after_a_pause_of_the_cell_the_session_goes_on(self, way: OverBus, cell: tc.CellClient):
        tick = way.tick
        hang(way)
        with pytest.raises(tc.CellUnreachable):
            cell.run(10.0)
        way.tick = tick
        cell.run(0.1)
        assert cell.link().age_s < 0.01
        with cell.control("me"):
            cell.manipulator("puma").power(True)

    def test_leaving_control_of_a_silent_cell_does_not_hide_the_reason(self, way: OverBus, cell: tc.CellClient):
        def fail() -> None:
            with cell.control("me"):
                hang(way)
                raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            fail()


class TestRestarted:
    def restart(self, way: OverBus) -> None:
        way.kill_server()
        way.serve(start_fake(epoch="second"))

    def test_everything_that_was_awaited_fails_with_the_reason(self, way: OverBus, cell: tc.CellClient, arm):
        segment = arm.move_joints(FAR)
        self.restart(way)
        with pytest.raises(RequestError, match="the cell was restarted"):
            segment.wait()

    def test_control_is_lost_and_can_be_had_again(self, way: OverBus, cell: tc.CellClient):
        arm = cell.manipulator("puma")
        cell.take_control("me")
        arm.power(True)
        self.restart(way)
        cell.run(0.1)
        assert arm.mode == "off"
        with pytest.raises(tc.NotHolder, match=r"control was lost: the cell was restarted\. Ask for it again"):
            arm.power(True)
        cell.release_control()
        with arm.control("me"):
            arm.power(True)
            arm.move_joints_by(STEP).wait()

    def test_events_of_the_new_run_are_told_from_the_first(self, way: OverBus, cell: tc.CellClient):
        for _ in range(3):
            with cell.control("me"):
                pass
        seen = []
        cell.on_event(seen.append, kinds="grant_changed")
        self.restart(way)
        cell.run(0.1)
        with cell.control("you"):
            pass
        assert [(event.number, event.holder) for event in seen] == [(1, "you"), (2, "you")]


class TestWorker:
    def test_questions_take_no_time_of_the_cell(self, cell: tc.CellClient):
        before = cell.tick
        assert isinstance(cell.send(Where, robot="puma").result(), Located)
        assert cell.tick == before

    def test_without_a_worker_the_cell_answers_itself(self, way: OverBus, cell: tc.CellClient):
        way.worker_bus.close()
        assert cell.manipulator("puma").where().robot == "puma"

    def test_a_worker_that_does_not_answer_is_not_waited_for_long(self, way: OverBus, cell: tc.CellClient):
        way.worker.work = lambda timeout_s: None
        begin_s = cell.time_s
        assert cell.manipulator("puma").where().robot == "puma"
        assert cell.time_s - begin_s < 1.1

    def test_what_was_just_set_is_in_the_answer(self, cell: tc.CellClient, arm: tc.Manipulator):
        arm.define_tool(tc.Pose.translation(0.0, 0.0, 0.1))
        where = arm.where()
        assert (where.pose("flange").inverse() @ where.pose("tool")).position[2] == pytest.approx(0.1)

    @pytest.mark.rendering
    def test_a_picture_is_drawn_from_the_model_that_the_cell_gives(self, cell: tc.CellClient):
        assert cell.render("top", width=64, height=48).pixels.shape == (48, 64, 3)


class TestEvents:
    def test_a_gap_is_filled_before_anything_after_it_is_told(self, bus: LossyBus, cell: tc.CellClient, arm):
        seen: list[bool] = []
        numbers: list[int] = []
        cell.on_event(lambda event: numbers.append(event.number))
        cell.on_event(lambda event: seen.append(event.value), kinds="signal_changed")  # pyright: ignore[reportAttributeAccessIssue]
        bus.loses = lambda key: key.endswith("events")
        for value in (True, False, True):
            cell.set_signal("valve", value)
        assert seen == []
        bus.loses = lambda key: False
        cell.set_signal("valve", False)
        cell.run(0.1)
        assert seen == [True, False, True, False]
        assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))

    def test_the_end_of_a_motion_is_noticed_even_if_its_event_is_lost(self, bus: LossyBus, cell: tc.CellClient, arm):
        bus.loses = lambda key: key.endswith("events")
        segment = arm.move_joints_by(STEP)
        assert segment.wait(timeout_s=5.0).outcome == "arrived"

    def test_events_that_nobody_has_any_more_end_the_waiting(self, way: OverBus, bus: LossyBus, cell, arm):
        segment = arm.move_joints(FAR, speed=0.1)
        bus.loses = lambda key: key.endswith("events")
        for k in range(1100):
            way.running.controller.journal.note(SignalChanged, name="valve", value=k % 2 == 0)
        with pytest.raises(RequestError, match="news of the cell were lost"):
            segment.wait()
        bus.loses = lambda key: False
        assert arm.mode == "moving"
        cell.run(0.01)
        arm.halt()
        arm.move_joints_by(STEP).wait()

    def test_events_that_nobody_has_any_more_cost_no_reply(self, cell: tc.CellClient):
        pending = cell.send(Stop, author="me")
        cell._session._take(Arrival(incomplete=True))
        assert isinstance(pending.result(), Done)

    def test_an_end_that_overtakes_the_reply_is_not_lost(self, way: OverBus, cell: tc.CellClient, arm):
        session = cell._session
        pending = cell.send(MoveJointsBy, robot="puma", increments=STEP)
        replies, events = [], []
        while not any(isinstance(event, SegmentEnded) for event in events):
            arrival = session.transport.pump()
            replies += arrival.replies
            events += arrival.events
        session._take(Arrival((), tuple(events)))
        assert not pending.done
        session._take(Arrival(tuple(replies)))
        assert pending.result().outcome == "arrived"


class TestLink:
    def test_lost_states_of_the_last_second_are_counted(self, bus: LossyBus, cell: tc.CellClient):
        cell.run(0.5)
        assert cell.link().lost == 0
        bus.loses = lambda key: key.endswith("state")
        for _ in range(10):
            cell._session.pump()
        bus.loses = lambda key: False
        cell.run(0.1)
        assert cell.link().lost == 10
        cell.run(1.1)
        assert cell.link().lost == 0

    def test_the_round_trip_of_requests_is_measured(self, cell: tc.CellClient):
        cell.grants()
        assert cell.link().round_trip_s == pytest.approx(0.004)


class TestGarbage:
    def test_what_cannot_be_read_is_left_aside(self, way: OverBus, cell: tc.CellClient):
        sender = cell._session.transport.sender
        for key in (way.keys.state, way.keys.events, way.keys.replies(sender)):
            for payload in (b"", b"\xff", b"[1]", b"{}", b"[" * 100_000):
                way.server_bus.publish(key, payload)
                cell._session.poll()
        cell.run(0.1)
        with cell.control("me"):
            pass

    def test_a_reply_that_cannot_be_read_is_an_error(self, way: OverBus, cell: tc.CellClient):
        way.kill_server()
        stranger = MemoryBus(way.broker)
        stranger.start()
        stranger.serve(way.keys.request, lambda inquiry: inquiry.reply(b"what?"))
        with pytest.raises(VersionMismatch, match="what the cell says cannot be read"):
            cell.grants()

    def test_a_cell_of_another_release_is_told_apart(self, way: OverBus):
        way.kill_server()
        stranger = MemoryBus(way.broker)
        stranger.start()
        stranger.serve(way.keys.request, lambda inquiry: inquiry.reply(b'{"reply": "done", "sequence": 0}'))
        with pytest.raises(VersionMismatch):
            way.connect()

    def test_a_state_of_an_earlier_run_changes_nothing(self, way: OverBus, cell: tc.CellClient):
        old = way.running.state(LoopState())
        way.kill_server()
        way.serve(start_fake(epoch="second"))
        cell.run(0.1)
        way.server_bus.publish(way.keys.state, msgspec.json.encode(old))
        assert cell.state().epoch == "second"


class TestStopWay:
    def test_a_stop_goes_its_own_way(self, way: OverBus, cell: tc.CellClient):
        asked: list[str] = []
        way.kill_server()
        stranger = MemoryBus(way.broker)
        stranger.start()
        for key in (way.keys.stop, way.keys.request):
            stranger.serve(key, lambda inquiry: asked.append(inquiry.key))
        cell.send(Acquire, holder="me")
        cell.send(Stop, author="watcher")
        assert asked == [way.keys.request, way.keys.stop]

    def test_a_flood_of_requests_goes_out_bit_by_bit_and_a_stop_does_not_wait_behind_it(self, way: OverBus, cell):
        asked: list[str] = []
        way.kill_server()
        stranger = MemoryBus(way.broker)
        stranger.start()
        for key in (way.keys.stop, way.keys.request):
            stranger.serve(key, lambda inquiry: asked.append(inquiry.key))
        for _ in range(50):
            cell.send(Acquire, holder="me")
        cell.send(Stop, author="watcher")
        assert asked == [way.keys.request] * MOST_UNDER_WAY + [way.keys.stop]

    def test_every_request_of_a_flood_is_answered_in_order(self, cell: tc.CellClient, arm: tc.Manipulator):
        seen: list[bool] = []
        cell.on_event(lambda event: seen.append(event.value), kinds="signal_changed")  # pyright: ignore[reportAttributeAccessIssue]
        pending = [cell.send(SetSignal, name="valve", value=k % 2 == 0) for k in range(100)]
        for one in pending:
            one.result()
        assert seen == [k % 2 == 0 for k in range(100)]
