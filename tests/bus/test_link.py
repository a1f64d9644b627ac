import socket

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from telecell.bus import MAX_MESSAGE_BYTES, Link, open_pair
from telecell.messages import AnyRequest, MoveAxes, Reply, SetTool

MOVE = MoveAxes(sequence=1, targets={"puma/joint1": 0.5})


class Blob(msgspec.Struct):
    text: str


@pytest.fixture
def pair():
    station, cell = open_pair()
    with (
        Link(station, msgspec.json.Decoder(Reply)) as station_link,
        Link(cell, msgspec.json.Decoder(AnyRequest)) as cell_link,
    ):
        yield station_link, cell_link


@pytest.fixture
def raw_and_link():
    raw, end = open_pair()
    with raw, Link(end, msgspec.json.Decoder(AnyRequest)) as link:
        yield raw, link


def test_messages_arrive_in_order_and_as_they_were(pair):
    station, cell = pair
    requests = [MOVE, SetTool(sequence=2, tool="jaw", opening=0.0), MoveAxes(sequence=3, targets={})]
    assert all(station.send(request) for request in requests)
    assert [cell.maybe_receive() for _ in requests] == requests
    assert cell.send(Reply(1, "no"))
    assert station.maybe_receive() == Reply(1, "no")


def test_nothing_to_receive_is_none_and_does_not_wait(pair):
    _, cell = pair
    assert cell.maybe_receive() is None
    assert not cell.closed


def test_a_slow_peer_costs_messages_and_no_time(pair):
    station, cell = pair
    while station.send(MOVE):
        pass
    assert not station.send(MOVE)
    assert station.counts.dropped == 2
    arrived = sum(1 for _ in iter(cell.maybe_receive, None))
    assert arrived == station.counts.sent == cell.counts.received
    assert station.send(MOVE), "room again once the peer has read"


def test_a_message_over_the_limit_is_dropped_and_counted(pair):
    station, cell = pair
    assert not station.send(Blob("x" * MAX_MESSAGE_BYTES))
    assert station.counts.dropped == 1
    assert not station.closed
    assert station.send(MOVE)
    assert cell.maybe_receive() == MOVE


def test_the_end_of_the_peer_is_seen_after_its_last_message(pair):
    station, cell = pair
    station.send(MOVE)
    station.close()
    assert cell.maybe_receive() == MOVE
    assert not cell.closed
    assert cell.maybe_receive() is None
    assert cell.closed


def test_sending_to_a_peer_that_has_gone_is_a_counted_drop(pair):
    station, cell = pair
    cell.close()
    assert not station.send(MOVE)
    assert station.closed
    assert not station.send(MOVE)
    assert station.counts.dropped == 2


def test_an_empty_packet_is_malformed_and_not_the_end(raw_and_link):
    raw, link = raw_and_link
    raw.send(b"")
    raw.send(msgspec.json.encode(MOVE))
    assert link.maybe_receive() == MOVE
    assert link.counts.malformed == 1
    assert not link.closed


@pytest.mark.parametrize(
    "packet",
    [
        b"\xff\xfe",
        b'{"request":"\x80"',
        b"null",
        b"{",
        b"[" * 100_000,
        b'{"request": "move_axes"}',
        b'{"request": "dance", "sequence": 1}',
        b'{"request": "move_axes", "sequence": 1, "targets": {"a": NaN}}',
        b'{"request": "move_axes", "sequence": 1, "targets": {"a": 1e999}}',
        b'{"request": "set_tool", "sequence": 1, "tool": "jaw", "opening": 1, "extra": 2}',
    ],
)
def test_what_is_not_a_request_is_counted_and_skipped(raw_and_link, packet: bytes):
    raw, link = raw_and_link
    raw.send(packet)
    raw.send(msgspec.json.encode(MOVE))
    assert link.maybe_receive() == MOVE
    assert link.counts.malformed == 1


def damage(packet: bytes, cut: int, position: int, byte: int) -> bytes:
    damaged = bytearray(packet[: cut + 1])
    damaged[position % len(damaged)] = byte
    return bytes(damaged)


mutations = st.builds(
    damage,
    st.sampled_from([msgspec.json.encode(MOVE), msgspec.json.encode(SetTool(sequence=2, tool="jaw", opening=0.5))]),
    st.integers(0, 200),
    st.integers(0, 200),
    st.integers(0, 255),
)


@given(st.lists(st.one_of(st.binary(max_size=300), mutations), max_size=20))
def test_a_link_survives_any_bytes(packets: list[bytes]):
    raw, end = open_pair()
    with raw, Link(end, msgspec.json.Decoder(AnyRequest)) as link:
        for packet in packets:
            raw.send(packet)
        raw.send(msgspec.json.encode(MOVE))
        received = list(iter(link.maybe_receive, None))
        assert received[-1] == MOVE
        assert link.counts.received + link.counts.malformed == len(packets) + 1
        assert not link.closed


def test_a_link_works_over_an_inherited_file_descriptor():
    ours, theirs = open_pair()
    with (
        Link(ours, msgspec.json.Decoder(AnyRequest)) as link,
        Link.from_fd(theirs.detach(), msgspec.json.Decoder(Reply)) as inherited,
    ):
        inherited.send(MOVE)
        assert link.maybe_receive() == MOVE


def test_both_ends_keep_message_boundaries():
    first, second = open_pair()
    with first, second:
        assert first.type == second.type == socket.SOCK_SEQPACKET
