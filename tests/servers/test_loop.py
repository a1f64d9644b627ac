import pytest

from telecell.clock import ManualClock
from telecell.messages import LoopState
from telecell.servers.loop import MAX_LATE_PERIODS, Pacer, run_loop

PERIOD = 0.004
START = 100.0


@pytest.fixture
def pacer() -> Pacer:
    return Pacer(PERIOD, START)


def run_periods(pacer: Pacer, clock: ManualClock, count: int, work_s: float) -> None:
    for _ in range(count):
        clock.advance(work_s)
        clock.sleep_until(pacer.finish_period(clock.now()))


def test_periods_begin_at_multiples_of_the_period_whatever_the_work_takes(pacer: Pacer):
    clock = ManualClock(START)
    for index, work_s in enumerate([0.001, 0.0039, 0.0, 0.002], start=1):
        clock.advance(work_s)
        deadline = pacer.finish_period(clock.now())
        assert deadline == pytest.approx(START + index * PERIOD, abs=1e-12)
        clock.sleep_until(deadline)
    assert pacer.state.real_time_factor == pytest.approx(1.0)
    assert (pacer.overruns, pacer.dropped) == (0, 0)


def test_rounding_does_not_add_up():
    pacer = Pacer(0.1, START)
    for _ in range(10_000):
        pacer.finish_period(START)
    assert pacer.deadline_s == START + 10_001 * 0.1


def test_a_little_late_is_counted_and_made_up_for(pacer: Pacer):
    clock = ManualClock(START)
    run_periods(pacer, clock, 1, 3.5 * PERIOD)
    assert (pacer.overruns, pacer.dropped) == (1, 0)
    run_periods(pacer, clock, 9, 0.0)
    assert clock.now() == pytest.approx(START + 10 * PERIOD)
    assert pacer.dropped == 0


def test_very_late_leaves_periods_out_and_never_bursts(pacer: Pacer):
    clock = ManualClock(START)
    run_periods(pacer, clock, 1, 101.5 * PERIOD)
    assert (pacer.overruns, pacer.dropped) == (1, 100)
    begins = []
    for _ in range(3):
        clock.sleep_until(pacer.finish_period(clock.now()))
        begins.append(clock.now())
    assert begins == pytest.approx([START + (102 + k) * PERIOD for k in range(3)])


@pytest.mark.parametrize(("late_periods", "dropped"), [(MAX_LATE_PERIODS, 0), (MAX_LATE_PERIODS + 0.5, 5)])
def test_five_periods_are_the_limit(pacer: Pacer, late_periods: float, dropped: int):
    pacer.finish_period(START + PERIOD + late_periods * PERIOD - 1e-9)
    assert pacer.dropped == dropped


def test_a_loop_that_always_needs_two_periods_runs_at_half_of_real_time(pacer: Pacer):
    clock = ManualClock(START)
    run_periods(pacer, clock, 1000, 2 * PERIOD)
    state = pacer.state
    assert state.real_time_factor == pytest.approx(0.5, abs=0.01)
    assert state.overruns == 1000
    assert state.dropped == pytest.approx(1000, abs=MAX_LATE_PERIODS + 1)


def test_the_factor_forgets_what_is_more_than_a_second_ago(pacer: Pacer):
    clock = ManualClock(START)
    run_periods(pacer, clock, 1, 3.0)
    assert pacer.state.real_time_factor < 0.01
    run_periods(pacer, clock, 300, 0.001)
    assert pacer.state.real_time_factor == pytest.approx(1.0, abs=0.01)


def test_elapsed_time_is_real_time(pacer: Pacer):
    clock = ManualClock(START)
    run_periods(pacer, clock, 5, 0.001)
    assert pacer.elapsed_s == pytest.approx(5 * PERIOD)


def test_the_loop_works_once_per_period_until_the_work_says_no():
    clock = ManualClock(START)
    begins: list[float] = []

    def work(loop: LoopState) -> bool:
        begins.append(clock.now())
        assert loop.overruns == 0
        clock.advance(0.001)
        return len(begins) < 4

    pacer = run_loop(work, PERIOD, clock)
    assert begins == pytest.approx([START + k * PERIOD for k in range(4)])
    assert pacer.elapsed_s == pytest.approx(4 * PERIOD)
