import pytest

from telecell.clock import Clock, ManualClock, SystemClock


@pytest.mark.parametrize("clock", [SystemClock(), ManualClock()])
def test_sleeping_ends_at_or_after_the_deadline(clock: Clock):
    deadline = clock.now() + 1e-4
    clock.sleep_until(deadline)
    assert clock.now() >= deadline


@pytest.mark.parametrize("clock", [SystemClock(), ManualClock(start=100.0)])
def test_sleeping_until_a_moment_that_has_passed_never_sets_time_back(clock: Clock):
    before = clock.now()
    clock.sleep_until(before - 50.0)
    assert clock.now() >= before


def test_manual_time_starts_where_told_and_stands_still():
    assert ManualClock().now() == 0.0
    clock = ManualClock(start=12.5)
    assert [clock.now(), clock.now()] == [12.5, 12.5]


def test_manual_time_moves_by_what_it_is_advanced():
    clock = ManualClock(start=1.0)
    clock.advance(0.25)
    clock.advance(0.0)
    assert clock.now() == 1.25


def test_manual_sleep_jumps_exactly_to_the_deadline():
    clock = ManualClock()
    clock.sleep_until(3600.0)
    assert clock.now() == 3600.0


def test_manual_time_cannot_go_back():
    clock = ManualClock(start=5.0)
    with pytest.raises(ValueError, match=r"time cannot go back: advance\(-0.004\)"):
        clock.advance(-0.004)
    assert clock.now() == 5.0
