"""How old a tick is, and whether the plant keeps up."""

import math

from telecell.control.ticks import KEPT_S, SLOW_WINDOW, Ticks


def run(ticks: Ticks, count: int, period_s: float = 0.004) -> None:
    begin, newest = ticks.now_s, ticks.newest
    for number in range(1, count + 1):
        ticks.note(newest + number, begin + number * period_s)


def test_the_age_of_a_tick_counts_on_the_cells_clock_from_the_end_of_the_period_before():
    ticks = Ticks(0.004)
    run(ticks, 10, period_s=0.010)
    assert math.isclose(ticks.compute_age_s(10), 0.01)
    assert math.isclose(ticks.compute_age_s(5), 0.06)


def test_a_loop_that_stood_still_makes_what_was_seen_old():
    ticks = Ticks(0.004)
    run(ticks, 10)
    run(ticks, 1, period_s=3.0)
    assert math.isclose(ticks.compute_age_s(ticks.newest), 3.0)


def test_ticks_to_come_and_forgotten_ones_have_no_age():
    ticks = Ticks(0.004)
    run(ticks, round(KEPT_S / 0.004) + 10)
    assert ticks.compute_age_s(ticks.newest + 1) < 0
    assert ticks.compute_age_s(5) == math.inf


def test_a_plant_in_time_has_speed_one_and_a_late_one_less():
    ticks = Ticks(0.004)
    run(ticks, SLOW_WINDOW + 5)
    assert math.isclose(ticks.speed, 1.0)
    run(ticks, SLOW_WINDOW, period_s=0.012)
    assert math.isclose(ticks.speed, 1 / 3)


def test_a_hiccup_shorter_than_the_window_is_not_slow_yet():
    ticks = Ticks(0.004)
    run(ticks, 20, period_s=0.1)
    assert ticks.speed == 1.0


def test_a_restored_cell_goes_on_at_the_moment_it_was_saved():
    ticks = Ticks(0.004)
    ticks.resume(50.0)
    ticks.note(1000, 3.0)
    assert math.isclose(ticks.now_s, 50.004)
    ticks.note(1001, 3.004)
    assert math.isclose(ticks.now_s, 50.008)
    assert ticks.compute_age_s(999) == math.inf
