"""Signs of life: whose thread gives them, how often, and with which numbers."""

import threading

import pytest

from telecell.client.renewals import FIRST_NUMBER, RENEWAL_S, Renewals, Renewing
from telecell.clock import ManualClock, SystemClock
from telecell.messages import Grant
from telecell.messages.granting import RenewGrant

ONE, TWO = Grant("run", 1), Grant("run", 2)
PAUSE_S = 1.1 * RENEWAL_S
PATIENCE_S = 10.0


class Bench:
    """Renewals that are kept, by grant."""

    def __init__(self, renewing: Renewing):
        self.clock = ManualClock()
        self.sent: list[RenewGrant] = []
        self.renewals = Renewals(self.sent.append, self.clock, renewing)

    def call(self, count: int, pause_s: float) -> None:
        for _ in range(count):
            self.renewals.touch()
            self.clock.advance(pause_s)

    def numbers(self, grant: Grant) -> list[int]:
        return [request.sequence for request in self.sent if request.grant == grant]


def test_calls_renew_at_most_every_100_ms_with_consecutive_numbers():
    bench = Bench("calls")
    bench.renewals.hold({ONE: False, TWO: False})
    bench.call(26, 0.02)
    for grant in (ONE, TWO):
        numbers = bench.numbers(grant)
        assert len(numbers) in (5, 6)
        assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))
        assert numbers[0] > FIRST_NUMBER
    assert all(request.attending for request in bench.sent)
    assert not set(bench.numbers(ONE)) & set(bench.numbers(TWO))


def test_with_a_thread_calls_renew_only_what_is_attended():
    bench = Bench("thread")
    bench.renewals.hold({ONE: False, TWO: True})
    bench.call(10, PAUSE_S)
    assert bench.numbers(ONE) == []
    assert len(bench.numbers(TWO)) == 10


def test_by_hand_nothing_is_renewed():
    bench = Bench("by hand")
    bench.renewals.hold({ONE: True})
    bench.call(10, PAUSE_S)
    assert bench.sent == []


def test_what_is_not_held_any_more_is_not_renewed_and_the_rest_goes_on():
    bench = Bench("calls")
    bench.renewals.hold({ONE: False, TWO: False})
    bench.call(2, PAUSE_S)
    bench.renewals.hold({TWO: False})
    bench.call(2, PAUSE_S)
    assert len(bench.numbers(ONE)) == 2
    assert len(bench.numbers(TWO)) == 4


def test_the_way_of_a_renewal_is_measured_once():
    bench = Bench("calls")
    bench.renewals.hold({ONE: False})
    bench.renewals.touch()
    bench.clock.advance(0.03)
    number = bench.sent[0].sequence
    assert bench.renewals.maybe_measure(number) == pytest.approx(0.03)
    assert bench.renewals.maybe_measure(number) is None


@pytest.mark.parametrize("attended", [False, True])
def test_the_thread_keeps_the_lease_and_attends_only_for_programs_that_need_not(attended: bool):
    sent: list[RenewGrant] = []
    enough = threading.Event()

    def send(request: RenewGrant) -> None:
        sent.append(request)
        if len(sent) == 3:
            enough.set()

    renewals = Renewals(send, SystemClock(), "thread")
    renewals.start()
    renewals.hold({ONE: attended})
    assert enough.wait(PATIENCE_S)
    renewals.close()
    assert {request.attending for request in sent} == {not attended}
    threads = [thread for thread in threading.enumerate() if thread.name == "renewals"]
    for thread in threads:
        assert thread.daemon
        thread.join(PATIENCE_S)
        assert not thread.is_alive()
