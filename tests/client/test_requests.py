"""Every request gets its own reply, and a refusal is raised in the call that asked."""

import asyncio

import numpy as np
import pytest

import telecell as tc
from telecell.client.in_process import InProcess
from telecell.client.transport import Arrival
from telecell.errors import MalformedRequestError, RequestError, RequestOutOfOrder, VersionMismatch
from telecell.messages import AnyRequest, Query, queries
from telecell.messages.moves import MoveJointsBy
from telecell.messages.queries import Describe, Where
from telecell.messages.replies import Described, Done, Located
from telecell.messages.settings import SavePose, SetSpeedFactor
from telecell.runtime import start_cell

STEP = (0.02, 0.0, 0.0, 0.0, 0.0, 0.0)


def test_pipelined_requests_each_get_their_own_reply(cell: tc.CellClient, arm: tc.Manipulator):
    moves = [cell.send(MoveJointsBy, robot="puma", increments=STEP) for _ in range(5)]
    where = cell.send(Where, robot="puma")
    factor = cell.send(SetSpeedFactor, robot="puma", factor=0.5)
    assert isinstance(factor.result(), Done)
    assert isinstance(where.result(), Located)
    assert [pending.result().number for pending in moves] == [1, 2, 3, 4, 5]
    assert all(pending.request.robot == "puma" for pending in moves)


def test_a_refusal_among_pipelined_requests_concerns_no_other(cell: tc.CellClient, arm: tc.Manipulator):
    wrong = cell.send(MoveJointsBy, robot="puma", increments=(9.0, 0, 0, 0, 0, 0))
    right = cell.send(MoveJointsBy, robot="puma", increments=STEP)
    assert right.result().wait().outcome == "arrived"
    with pytest.raises(tc.JointOutOfRange, match="waist"):
        wrong.result()


def test_a_query_takes_no_time(cell: tc.CellClient):
    before = cell.tick
    assert isinstance(cell.send(Describe).result(), Described)
    cell.manipulator("puma").where()
    assert cell.tick == before


def test_requests_can_be_awaited_together(cell: tc.CellClient, arm: tc.Manipulator):
    async def ask():
        return await asyncio.gather(
            cell.send(Where, robot="puma"), cell.send(SavePose, robot="puma", name="here"), cell.send(Describe)
        )

    located, saved, described = asyncio.run(ask())
    assert isinstance(located, Located)
    assert isinstance(saved, Done)
    assert isinstance(described, Described)


def test_an_out_of_range_move_is_refused_and_the_next_is_carried_out(arm: tc.Manipulator):
    with pytest.raises(tc.JointOutOfRange, match=r"puma/waist.*limit") as caught:
        arm.move_joints(tc.deg(170, -90, 90, 0, 0, 0))
    assert caught.value.remedy
    assert arm.mode == "holding"
    assert arm.move_joints(tc.deg(10, -90, 90, 0, 0, 0)).wait().outcome == "arrived"


@pytest.mark.parametrize(
    "joints", [tc.deg(5, -90, 90, 0, 0, 0), list(tc.deg(5, -90, 90, 0, 0, 0)), np.radians([5, -90, 90, 0, 0, 0])]
)
def test_joints_may_be_a_tuple_a_list_or_an_array(arm: tc.Manipulator, joints):
    assert arm.move_joints(joints).goal == pytest.approx(tc.deg(5, -90, 90, 0, 0, 0))


@pytest.mark.parametrize(
    ("fields", "complaint"),
    [
        ({"increments": "abc"}, "Expected `array`"),
        ({"increments": STEP, "pace": 1}, "unknown field `pace`"),
        ({"increments": [object()]}, "no numbers, names or poses"),
        ({}, "missing required field `increments`"),
    ],
)
def test_a_malformed_request_fails_before_it_is_sent(cell: tc.CellClient, arm, fields: dict, complaint: str):
    before = cell.tick
    with pytest.raises(MalformedRequestError, match=complaint) as caught:
        cell.send(MoveJointsBy, robot="puma", **fields)
    assert "increments" in str(caught.value.remedy)
    assert cell.tick == before


def test_a_repeated_number_is_refused(cell: tc.CellClient, arm: tc.Manipulator):
    with pytest.raises(RequestOutOfOrder):
        cell.send(SetSpeedFactor, robot="puma", factor=0.5, sequence=1).result()


def test_an_unknown_robot_is_answered_with_the_known_ones(cell: tc.CellClient):
    with pytest.raises(tc.UnknownName, match="no robot of that name, got 'pum'; choose from: puma"):
        cell.manipulator("pum")


class DeafTransport(InProcess):
    """Loses every command on its way to the cell."""

    def submit(self, request: AnyRequest) -> None:
        if isinstance(request, Query):
            super().submit(request)


def test_a_reply_that_does_not_come_ends_in_a_deadline_of_cell_time():
    transport = DeafTransport(start_cell("puma", plant="fake", keep_poses=False))
    with tc.CellClient.connect(transport) as cell:
        pending = cell.send(SetSpeedFactor, robot="puma", factor=0.5)
        with pytest.raises(tc.DeadlineExceeded, match=r"reply to set_speed_factor.*limit 0\.1 s"):
            pending.result(timeout_s=0.1)
        assert cell.time_s == pytest.approx(0.1)
        assert not pending.done


class OtherVersion(InProcess):
    """Speaks of a version that does not exist yet."""

    closed = False

    def submit(self, request: AnyRequest) -> None:
        if isinstance(request, queries.Hello):
            request = queries.Hello(sequence=request.sequence, version="99.0")
        super().submit(request)

    def close(self) -> None:
        self.closed = True
        super().close()


def test_another_major_version_is_refused_and_everything_closed():
    transport = OtherVersion(start_cell("puma", plant="fake", keep_poses=False))
    with pytest.raises(VersionMismatch, match=r"99\.0"):
        tc.CellClient.connect(transport)
    assert transport.closed


def test_closing_fails_everything_under_way_and_to_come(cell: tc.CellClient, arm: tc.Manipulator):
    segment = arm.move_joints_by(STEP)
    pending = [cell.send(MoveJointsBy, robot="puma", increments=STEP) for _ in range(3)]
    cell.close()
    cell.close()
    for awaited in (segment, *pending):
        with pytest.raises(RequestError, match="the cell was closed"):
            awaited.wait()
    with pytest.raises(RequestError, match="the cell was closed"):
        arm.where()


class ChattyTransport(InProcess):
    """Brings replies that nobody asked for."""

    def pump(self) -> Arrival:
        arrival = super().pump()
        return arrival._replace(replies=(Done(10_099), *arrival.replies))


def test_a_reply_to_nothing_is_dropped():
    transport = ChattyTransport(start_cell("puma", plant="fake", keep_poses=False))
    with tc.CellClient.connect(transport) as cell, cell.control("me"):
        assert cell.manipulator("puma").where().robot == "puma"


def test_a_callback_gets_the_reply_or_the_error_once(cell: tc.CellClient, arm: tc.Manipulator):
    told: list[tuple[object, object]] = []
    right = cell.send(SetSpeedFactor, robot="puma", factor=0.5)
    wrong = cell.send(SetSpeedFactor, robot="puma", factor=9.0)
    for pending in (right, wrong):
        pending.then(lambda value, error: told.append((type(value), type(error))))
    assert told == []
    cell.run(0.01)
    assert told == [(Done, type(None)), (type(None), tc.InputError)]
    right.then(lambda value, error: told.append((type(value), type(error))))
    assert told[2:] == [(Done, type(None))]


def test_what_a_callback_raises_does_not_keep_others_from_their_replies(cell: tc.CellClient, arm: tc.Manipulator):
    def complain(_value: object, _error: object) -> None:
        raise LookupError

    first, second = (cell.send(SetSpeedFactor, robot="puma", factor=0.5) for _ in range(2))
    first.then(complain)
    with pytest.raises(LookupError):
        cell.run(0.01)
    assert second.done
