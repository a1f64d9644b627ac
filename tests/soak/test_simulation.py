"""Nobody moves a robot without its grant, in a world where everything goes wrong (rows A1, A4, A5).

`make soak ROW=A1` asks this for longer.
"""

from itertools import pairwise
from pathlib import Path

import pytest

from soak.a1_grants import try_seed
from soak.a5_restarts import try_restarts
from soak.simulation import judge, simulate
from soak.simulation.naive import NAIVE, Variant
from soak.simulation.record import Delivery, Record, Tick
from telecell.messages import Grant, events, replies
from telecell.messages.granting import Acquire
from telecell.messages.moves import MoveJoints
from telecell.messages.settings import Power

SEEDS = 300
CHUNK = 15
FEW = 30
KNOWN = [int(line.split()[0]) for line in (Path(__file__).parent / "seeds.txt").read_text().splitlines()[1:]]


@pytest.mark.parametrize("first", range(0, SEEDS, CHUNK))
def test_nobody_moves_the_axis_without_its_grant(first: int):
    assert [wrong for seed in range(first, first + CHUNK) for wrong in try_seed(seed).wrongs] == []


@pytest.mark.parametrize("seed", KNOWN)
def test_a_fault_that_was_found_once_does_not_come_back(seed: int):
    assert judge(simulate(seed)) == []


def test_a_restarted_cell_honours_no_old_grant():
    reports = [try_restarts(seed) for seed in range(5)]
    assert [wrong for report in reports for wrong in report.wrongs] == []
    assert sum(report.done["restarts"] for report in reports) >= 20


# The simulator is able to fail


@pytest.mark.parametrize("variant", NAIVE.values(), ids=NAIVE)
def test_a_naive_judge_of_commands_is_found_out(variant: Variant):
    assert any(judge(simulate(seed, variant)) for seed in range(FEW))


def test_everything_happens_in_the_simulated_worlds():
    ticks = [tick for seed in range(12) for tick in simulate(seed).ticks]
    happened = [event for tick in ticks for event in tick.events]
    changes = {event.change for event in happened if isinstance(event, events.GrantChanged)}
    assert changes >= {"acquired", "queued", "left", "released", "handed_over", "taken_back", "expired"}
    assert {event.cause for event in happened if isinstance(event, events.Stopped)} >= {"stop", "silence", "grant_lost"}
    answers = [delivery.reply for tick in ticks for delivery in tick.deliveries]
    refusals = {reply.error.kind for reply in answers if isinstance(reply, replies.Refused)}
    assert refusals >= {"NotHolder", "RequestOutOfOrder", "RequestLate", "MotionStopped"}
    assert sum(before.q_desired != tick.q_desired for before, tick in pairwise(ticks)) > len(ticks) / 5


def test_the_same_seed_gives_the_same_run():
    assert simulate(3).ticks == simulate(3).ticks


# The judge is not blind

GRANT = Grant("run", 1)
GIVEN = events.GrantChanged(
    number=1, tick=0, request=1, sender="me", change="acquired", holder="me", axes=("turn",), reason="asked", tenure=1
)
STOP = events.Stopped(number=2, tick=3, cause="stop", category=2, axes=("turn",), reason="pressed")


def drive(*places: float, grant: Grant = GRANT, made_s: float = 0.04) -> list[Tick]:
    """Somebody takes control, switches the drive on and sends the axis to 1 rad; from then on it is at these places."""
    asked = Acquire(sequence=1, sender="me", holder="me")
    power = Power(sequence=2, sender="me", grant=GRANT, robot="table", on=True)
    move = MoveJoints(sequence=3, sender="me", grant=grant, robot="table", joints=(1.0,))
    ticks = [Tick(0.02 * number, "run", place, True, [], ()) for number, place in enumerate((0.0, 0.0, *places))]
    ticks[0] = ticks[0]._replace(
        powered=False, deliveries=[Delivery(asked, 0.0, replies.Granted(1, ()))], events=(GIVEN,)
    )
    ticks[1] = ticks[1]._replace(deliveries=[Delivery(power, 0.02, replies.Done(2))])
    ticks[2] = ticks[2]._replace(deliveries=[Delivery(move, made_s, replies.Queued(3, 1, 1.0, 1.0, (1.0,)))])
    return ticks


def test_a_good_motion_is_not_blamed():
    assert judge(Record(0.02, drive(0.3, 0.7, 1.0, 1.0, 1.0, 1.0))) == []


def stop(ticks: list[Tick], number: int) -> list[Tick]:
    return [*ticks[:number], ticks[number]._replace(events=(STOP,)), *ticks[number + 1 :]]


@pytest.mark.parametrize(
    ("ticks", "blame"),
    [
        (drive(0.3, 1.2), "A1 at 0.06 s: at 1.200 rad"),
        (drive(0.3, 0.5, 0.5, 0.5, 0.5), "A1 at 0.12 s: rests at 0.500 rad"),
        (drive(0.0, 0.0, 0.0, 0.3), "A1 at 0.10 s: begins to move without"),
        (drive(0.3, made_s=-0.5), "it was made 0.54 s ago"),
        (drive(0.3, grant=Grant("run", 0)), "its grant is not the present one"),
        (drive(0.3, grant=Grant("earlier", 1)), "its grant is of another run"),
        (stop(drive(0.3, 0.4, 0.4, 0.5), 3), "A4 at 0.10 s: moves after a stop"),
        (stop(drive(*(0.02 * n for n in range(1, 30))), 3), "A4 at 0.54 s: still moves 25 ticks"),
        ([tick._replace(powered=True) for tick in drive(0.0)], "A5 at 0.00 s: the drive is on"),
        (drive(*(0.02 * n for n in range(1, 30))), "B1 at 0.56 s: still moves after 0.52 s"),
        (drive(*[0.0] * 60), "B3 at 1.06 s: me has the grant 1.02 s"),
    ],
)
def test_a_broken_promise_is_seen(ticks: list[Tick], blame: str):
    assert blame in "\n".join(judge(Record(0.02, ticks)))
