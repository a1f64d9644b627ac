import msgspec
import pytest

from telecell.bus import MAX_MESSAGE_BYTES, Presence, alive_pattern, parse_alive
from telecell.messages import AnyReply, CellSetup, CellState, Refused
from telecell.messages.granting import Acquire, RenewGrant
from telecell.messages.moves import MoveJointsBy
from telecell.messages.queries import ReadSignals
from telecell.messages.replies import Done, SignalsRead
from telecell.messages.stopping import Stop
from telecell.servers.cell_port import ASKED_PER_TICK, MAX_WAITING, REQUESTS_PER_TICK, STOPS_PER_TICK
from telecell.servers.inbox import MAX_REFUSED

from .desk import LOOP, SENDER, Desk, decode

FLOOD = 10_000


@pytest.fixture
def desk() -> Desk:
    return Desk()


def get_refusal(reply: AnyReply | None) -> tuple[str, str]:
    assert isinstance(reply, Refused)
    return reply.error.kind, reply.error.text


def flood(desk: Desk, count: int = FLOOD) -> None:
    payload = desk.build(ReadSignals)
    for _ in range(count):
        desk.put(payload)


@pytest.mark.parametrize(
    ("packet", "sequence"),
    [
        (b"", 0),
        (b"\xff\xfe", 0),
        (b"[" * 100_000, 0),
        (b'{"request": "dance", "sequence": 41}', 41),
        (b'{"request": "set_tool", "sequence": 42, "tool": "jaw/fingers", "opening": NaN}', 0),
        (b'{"request": "stop", "sequence": 43, "author": "me", "extra": 1}', 43),
    ],
)
@pytest.mark.parametrize("way", ["request", "stop"])
def test_a_packet_that_is_no_request_is_refused(desk: Desk, way: str, packet: bytes, sequence: int):
    desk.put(packet, getattr(desk.keys, way))
    desk.tick()
    (reply,) = desk.replies
    assert isinstance(reply, Refused)
    assert (reply.sequence, reply.error.kind) == (sequence, "MalformedRequestError")


def test_requests_are_answered_in_the_order_in_which_they_came(desk: Desk):
    for _ in range(ASKED_PER_TICK + 5):
        desk.send(ReadSignals)
    desk.tick()
    assert len(desk.replies) == ASKED_PER_TICK
    desk.tick()
    numbers = [reply.sequence for reply in desk.replies if reply is not None]
    assert numbers == list(range(1, ASKED_PER_TICK + 6))


def test_a_flood_does_not_eat_the_period(desk: Desk):
    for _ in range(FLOOD):
        desk.stream(RenewGrant)
    flood(desk)
    assert len(desk.port.take()) == REQUESTS_PER_TICK


def test_what_finds_no_room_is_refused_at_the_next_tick_and_what_is_beyond_that_is_counted(desk: Desk):
    flood(desk)
    desk.tick()
    assert len(desk.replies) == ASKED_PER_TICK + MAX_REFUSED
    refusals = [get_refusal(reply) for reply in desk.replies if isinstance(reply, Refused)]
    assert (
        refusals
        == [("QueueFull", "request: too many requests wait for the cell, limit 256. Send fewer at once.")] * MAX_REFUSED
    )
    assert desk.port.unanswered == FLOOD - MAX_WAITING - MAX_REFUSED


@pytest.mark.parametrize("way", ["request", "stream"])
def test_a_stop_is_answered_at_the_next_tick_whatever_else_waits(desk: Desk, way: str):
    desk.get_ready()
    desk.ask(MoveJointsBy, robot="puma", increments=(0.5, 0, 0, 0, 0, 0))
    desk.grant = None
    if way == "request":
        flood(desk)
    else:
        for _ in range(FLOOD):
            desk.bus.publish(desk.keys.stream, b"{}")
    answers: list[bytes | None] = []
    desk.bus.ask(desk.keys.stop, desk.build(Stop, author="somebody"), answers.append, 1.0)
    state = desk.tick()
    (answer,) = answers
    assert isinstance(decode(answer or b"", AnyReply), Done)
    assert state.robots[0].mode == "stopping"


def test_as_many_stops_as_can_wait_are_answered_at_once(desk: Desk):
    for _ in range(STOPS_PER_TICK):
        desk.put(desk.build(Stop, author="somebody"), desk.keys.stop)
    desk.tick()
    assert [type(reply) for reply in desk.replies] == [Done] * STOPS_PER_TICK


@pytest.mark.parametrize(("way", "allowed"), [("stop", "Stop"), ("stream", "SetPoint, Renewal")])
def test_a_request_by_the_wrong_way_is_refused(desk: Desk, way: str, allowed: str):
    payload = desk.build(ReadSignals)
    if way == "stream":
        desk.bus.publish(desk.keys.stream, payload)
    else:
        desk.put(payload, desk.keys.stop)
    desk.tick()
    (reply,) = [*desk.replies, *desk.streamed]
    kind, text = get_refusal(reply)
    assert kind == "RequestError"
    assert text == (f"this does not go by '{way}', got 'read_signals'; choose from: {allowed}. Send it by 'request'.")


def test_nobody_on_the_bus_is_inside_the_cell(desk: Desk):
    kind, text = get_refusal(desk.ask(Acquire, holder="liar", source="inside"))
    assert kind == "InputError"
    assert text == (
        "acquire: only a program in the cell's own process can be that source, got 'inside'; "
        "choose from: program, attended, page, wire"
    )
    assert desk.states[-1].grants == ()


def test_replies_to_a_stream_come_together_to_their_own_sender(desk: Desk):
    batches: list[tuple[str, bytes]] = []
    desk.bus.subscribe("telecell/local/puma/replies/*", lambda key, payload: batches.append((key, payload)))
    desk.stream(RenewGrant)
    desk.stream(RenewGrant, sender="other")
    desk.stream(RenewGrant)
    desk.tick()
    assert [key.rpartition("/")[2] for key, _ in batches] == [SENDER, "other"]
    assert [[reply.sequence for reply in decode(payload, list[AnyReply])] for _, payload in batches] == [[1, 3], [2]]


@pytest.mark.parametrize("sender", ["", "a/b", "*", "x" * 100])
def test_a_stream_of_somebody_who_cannot_be_answered_is_dropped_and_counted(desk: Desk, sender: str):
    desk.stream(RenewGrant, sender=sender)
    desk.bus.publish(desk.keys.stream, b"noise")
    desk.tick()
    assert desk.port.unanswered == 2


def test_late_comers_ask_for_the_newest_state_and_setup(desk: Desk):
    desk.tick(3)
    answers: list[bytes | None] = []
    for key in (desk.keys.state, desk.keys.setup):
        desk.bus.ask(key, b"", answers.append, 1.0)
    state, setup = answers
    assert decode(state or b"", CellState) == desk.states[-1]
    assert decode(setup or b"", CellSetup) == desk.setups[-1]


def test_before_the_first_tick_nobody_answers_for_the_state(desk: Desk):
    answers: list[bytes | None] = []
    desk.bus.ask(desk.keys.state, b"", answers.append, 1.0)
    assert answers == [None]


def test_a_reply_that_is_too_long_becomes_a_refusal(desk: Desk):
    desk.send(ReadSignals)
    ((_, answer),) = desk.port.take()
    answer(SignalsRead(1, {"x" * MAX_MESSAGE_BYTES: True}))
    desk.port.publish(desk.running.state(LOOP))
    (reply,) = desk.replies
    kind, text = get_refusal(reply)
    assert kind == "RequestError"
    assert text.startswith("the reply is too long")


def test_an_open_port_shows_that_the_cell_is_there(desk: Desk):
    seen: list[Presence] = []
    desk.bus.watch(alive_pattern("server"), lambda key, _: seen.append(parse_alive(key)))
    assert [(presence.site, presence.cell, presence.part) for presence in seen] == [("local", "puma", "server")]


def test_the_state_is_plain_json(desk: Desk):
    desk.tick()
    answers: list[bytes | None] = []
    desk.bus.ask(desk.keys.state, b"", answers.append, 1.0)
    assert msgspec.json.decode(answers[0] or b"")["cell"] == "puma"
