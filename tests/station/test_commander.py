import msgspec
import pytest

from telecell.bus import Link, Report, open_pair
from telecell.messages import AnyRequest, MoveAxes, Reply, SetTool
from telecell.station.commander import MAX_PENDING, Commander


@pytest.fixture
def ends():
    page_end, cell_end = open_pair()
    with (
        Link(page_end, msgspec.json.Decoder(Report)) as page,
        Link(cell_end, msgspec.json.Decoder(AnyRequest)) as cell,
    ):
        yield page, cell


@pytest.fixture
def refusals() -> list[tuple[int, str]]:
    return []


@pytest.fixture
def commander(ends, refusals):
    return Commander(ends[0], lambda client, reason: refusals.append((client, reason)))


def test_requests_are_numbered(ends, commander: Commander):
    commander.move_axes({"puma/waist": 0.5}, client=7)
    commander.set_tool("jaw/fingers", 0.0, client=7)
    assert [ends[1].maybe_receive() for _ in range(2)] == [
        MoveAxes(sequence=1, targets={"puma/waist": 0.5}),
        SetTool(sequence=2, tool="jaw/fingers", opening=0.0),
    ]


def test_a_refusal_goes_to_who_asked(commander: Commander, refusals):
    commander.move_axes({}, client=7)
    commander.move_axes({}, client=8)
    commander.settle([Reply(1), Reply(2, "too far")])
    assert refusals == [(8, "too far")]


def test_a_reply_counts_once(commander: Commander, refusals):
    commander.move_axes({}, client=7)
    commander.settle([Reply(1, "no"), Reply(1, "no"), Reply(99, "no")])
    assert refusals == [(7, "no")]


def test_a_cell_that_does_not_listen_is_a_refusal(ends, commander: Commander, refusals):
    ends[1].close()
    commander.move_axes({}, client=7)
    assert refusals == [(7, "The cell takes no requests at the moment. Try again.")]


def test_unanswered_requests_are_forgotten_in_the_end(ends, commander: Commander, refusals):
    for _ in range(MAX_PENDING + 1):
        commander.move_axes({}, client=7)
        ends[1].maybe_receive()
    commander.settle([Reply(1, "late"), Reply(2, "late")])
    assert len(refusals) == 1
