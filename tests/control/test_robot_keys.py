"""The robot keys of CIRSSE's CLIF are grants: start 18 axes, split left and right, move both, end each key."""

import numpy as np

from soak.operator import Operator
from telecell.messages import Grant, events, granting, moves, replies

from .people import Person, get_kind, list_changes, list_holders


class Clif:
    """A client of CLIF; a key is a grant, -1 is none."""

    def __init__(self, operator: Operator, name: str = "CLIF"):
        self._person = Person(operator, name, "inside")

    def start(self, *axes: str) -> Grant | int:
        reply = self._person.acquire(*axes)
        return reply.grants[0].grant if isinstance(reply, replies.Granted) else -1

    def split(self, key: Grant) -> list[Grant]:
        reply = self._person.ask(granting.SplitGrant, grant=key, parts=(("FL",), ("FR",)))
        return [entry.grant for entry in reply.grants]

    def move(self, key: Grant, robot: str, turn: float = 0.1) -> str:
        increments = (turn,) * len(self._person.operator.running.cell.get_robot(robot).axes)
        return get_kind(self._person.ask(moves.MoveJointsBy, grant=key, robot=robot, increments=increments))

    def merge(self, key: Grant, *others: Grant) -> replies.Granted | replies.Refused:
        return self._person.ask(granting.MergeGrants, grant=key, others=others)

    def end(self, key: Grant) -> str:
        return get_kind(self._person.ask(granting.ReleaseGrant, grant=key))


def start(clif: Clif) -> Grant:
    key = clif.start()
    assert isinstance(key, Grant)
    return key


def test_both_halves_move_in_parallel_each_in_its_own_order(free_cirsse: Operator):
    clif = Clif(free_cirsse)
    left, right = clif.split(start(clif))
    for key, robot, turn in ((left, "FL", 0.05), (right, "FR", -0.1), (right, "FR", 0.1), (left, "FL", -0.05)):
        assert clif.move(key, robot, turn) == "Queued"
    free_cirsse.run(0.1)
    assert (free_cirsse.books.modes["FL"], free_cirsse.books.modes["FR"]) == ("moving", "moving")
    free_cirsse.settle()
    ended = [(event.robot, event.segment, event.outcome) for event in free_cirsse.happened(events.SegmentEnded)]
    for robot in ("FL", "FR"):
        assert [row for row in ended if row[0] == robot] == [(robot, 1, "arrived"), (robot, 2, "arrived")]


def test_the_key_of_one_half_does_not_move_the_other_nor_does_the_key_that_was_split(free_cirsse: Operator):
    clif = Clif(free_cirsse)
    bed = start(clif)
    left, _ = clif.split(bed)
    assert clif.move(left, "FR") == "NotHolder"
    assert clif.move(bed, "FL") == "NotHolder"
    assert clif.move(left, "PL") == "Queued"


def test_each_key_is_ended_by_itself_and_halts_only_its_half(free_cirsse: Operator):
    clif = Clif(free_cirsse)
    left, right = clif.split(start(clif))
    clif.move(left, "FL")
    clif.move(right, "FR", -0.3)
    free_cirsse.run(0.2)
    assert clif.end(left) == "Done"
    free_cirsse.run_until(lambda: free_cirsse.books.modes["FL"] != "stopping", 2.0)
    assert (free_cirsse.books.modes["FL"], free_cirsse.books.modes["FR"]) == ("holding", "moving")
    assert clif.end(left) == "NotHolder"
    assert clif.end(right) == "Done"
    assert list_holders(free_cirsse) == []


def test_a_start_that_fails_gives_no_key_and_changes_nothing(free_cirsse: Operator):
    first, second = Clif(free_cirsse, "first"), Clif(free_cirsse, "second")
    start(first)
    assert second.start() == -1
    assert second.start("FR") == -1
    assert list_holders(free_cirsse) == ["first"]


def test_motion_goes_on_while_keys_are_split_and_merged(free_cirsse: Operator):
    clif = Clif(free_cirsse)
    bed = start(clif)
    clif.move(bed, "PL")
    free_cirsse.run(0.1)
    left, right = clif.split(bed)
    assert isinstance(clif.merge(right, left), replies.Granted)
    free_cirsse.run(0.1)
    assert free_cirsse.books.modes["PL"] == "moving"
    free_cirsse.settle()
    assert [event.outcome for event in free_cirsse.happened(events.SegmentEnded)] == ["arrived"]
    assert list_changes(free_cirsse) == [("acquired", "CLIF"), ("split", "CLIF"), ("split", "CLIF"), ("merged", "CLIF")]


def test_a_moving_robot_is_not_split(free_cirsse: Operator):
    ada = Person(free_cirsse, "Ada", "inside")
    ada.acquire()
    ada.ask(moves.MoveNamed, robot="FL", pose="zero")
    refused = ada.ask(granting.SplitGrant, parts=(("CL", "FR"), ("PL",)))
    assert get_kind(refused) == "AxisBusy"
    assert "FL" in refused.error.text


def test_parts_must_be_the_whole_each_axis_once(free_cirsse: Operator):
    ada = Person(free_cirsse, "Ada", "inside")
    ada.acquire()
    for parts in ((), (("FL", "FR"),), (("FL",), ("PL", "FR")), (("FL",), ("CR",)), (("FL", "FR"), ())):
        assert get_kind(ada.ask(granting.SplitGrant, parts=parts)) == "InputError"
    assert get_kind(ada.ask(granting.SplitGrant, parts=(("FL",), ("FX",)))) == "UnknownName"
    assert list_holders(free_cirsse) == ["Ada"]


def test_only_grants_of_the_same_sender_are_merged(free_cirsse: Operator):
    ada, bob = Person(free_cirsse, "Ada", "inside"), Person(free_cirsse, "Bob", "inside")
    ada.acquire("FL")
    bob.acquire("FR")
    assert ada.grant is not None
    for others in ((bob.grant,), (ada.grant,), (Grant("test", 99),), (Grant("old", ada.grant.tenure),)):
        assert get_kind(ada.ask(granting.MergeGrants, others=others)) == "NotHolder"
    assert list_holders(free_cirsse) == ["Ada", "Bob"]


def test_what_is_merged_covers_robots_that_were_in_two_parts(free_cirsse: Operator):
    ada = Person(free_cirsse, "Ada", "inside")
    ada.acquire("FL")
    parts = ada.ask(granting.SplitGrant, parts=(("CL",), ("PL",))).grants
    assert get_kind(ada.ask(moves.MoveNamed, robot="FL", pose="zero")) == "NotHolder"
    ada.ask(granting.MergeGrants, others=(parts[1].grant,))
    assert get_kind(ada.ask(moves.MoveNamed, robot="FL", pose="zero")) == "Queued"
    held = free_cirsse.running.controller.grants.held
    assert [int(np.sum(one.mask)) for one in held.values()] == [9]
