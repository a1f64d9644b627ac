import socket

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from telecell.bus import MAX_MESSAGE_BYTES, Link, open_pair
from telecell.messages import AnyReply, AnyRequest, MalformedRequest, decode_request
from telecell.messages.moves import MoveJoints
from telecell.messages.replies import Done
from telecell.messages.settings import SetTool
from telecell.messages.stopping import Stop

MOVE = MoveJoints(sequence=1, robot="puma", joints=(0.5, 0.0))
TOOL = SetTool(sequence=2, tool="jaw", opening=0.0)
STOP = Stop(sequence=3, author="test")
decode_strictly = msgspec.json.Decoder(AnyRequest).decode


class Blob(msgspec.Struct):
    text: str


@pytest.fixture
def pair():
    station, cell = open_pair()
    with (
        Link(station, msgspec.json.Decoder(AnyReply).decode) as station_link,
        Link(cell, decode_strictly) as cell_link,
    ):
        yield station_link, cell_link


@pytest.fixture
def raw_and_link():
    raw, end = open_pair()
    with raw, Link(end, decode_strictly) as link:
        yield raw, link


def test_messages_arrive_in_order_and_as_they_were(pair):
    station, cell = pair
    requests = [MOVE, TOOL, STOP]
    assert all(station.send(request) for request in requests)
    assert [cell.maybe_receive() for _ in requests] == requests
    assert cell.send(Done(1))
    assert station.maybe_receive() == Done(1)


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


PACKETS = [
    b"\xff\xfe",
    b'{"request":"\x80"',
    b"null",
    b"{",
    b"[" * 100_000,
    b'{"request": "move_joints"}',
    b'{"request": "dance", "sequence": 1}',
    b'{"request": "move_joints", "sequence": 1, "robot": "puma", "joints": [NaN]}',
    b'{"request": "move_joints", "sequence": 1, "robot": "puma", "joints": [1e999]}',
    b'{"request": "set_tool", "sequence": 1, "tool": "jaw", "opening": 1, "extra": 2}',
]


@pytest.mark.parametrize("packet", PACKETS)
def test_what_cannot_be_decoded_is_counted_and_skipped(raw_and_link, packet: bytes):
    raw, link = raw_and_link
    raw.send(packet)
    raw.send(msgspec.json.encode(MOVE))
    assert link.maybe_receive() == MOVE
    assert link.counts.malformed == 1


@pytest.mark.parametrize("packet", [b"", *PACKETS])
def test_a_decoder_that_never_raises_has_every_packet_handed_over(packet: bytes):
    raw, end = open_pair()
    with raw, Link(end, decode_request) as link:
        raw.send(packet)
        raw.send(msgspec.json.encode(MOVE))
        assert isinstance(link.maybe_receive(), MalformedRequest)
        assert link.maybe_receive() == MOVE
        assert (link.counts.received, link.counts.malformed) == (2, 0)


def damage(packet: bytes, cut: int, position: int, byte: int) -> bytes:
    damaged = bytearray(packet[: cut + 1])
    damaged[position % len(damaged)] = byte
    return bytes(damaged)


mutations = st.builds(
    damage,
    st.sampled_from([msgspec.json.encode(request) for request in (MOVE, TOOL, STOP)]),
    st.integers(0, 200),
    st.integers(0, 200),
    st.integers(0, 255),
)


@given(st.lists(st.one_of(st.binary(max_size=300), mutations), max_size=20))
def test_a_link_survives_any_bytes(packets: list[bytes]):
    raw, end = open_pair()
    with raw, Link(end, decode_strictly) as link:
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
        Link(ours, decode_strictly) as link,
        Link.from_fd(theirs.detach(), msgspec.json.Decoder(AnyReply).decode) as inherited,
    ):
        inherited.send(MOVE)
        assert link.maybe_receive() == MOVE


def test_both_ends_keep_message_boundaries():
    first, second = open_pair()
    with first, second:
        assert first.type == second.type == socket.SOCK_SEQPACKET
