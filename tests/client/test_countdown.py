"""Patience in the cell's time."""

from telecell.client.countdown import Countdown


class Cell:
    time_s = 100.0


def test_patience_ends_with_the_cells_time():
    cell = Cell()
    countdown = Countdown(cell, 5.0)
    cell.time_s = 103.0
    assert countdown.left_s == 2.0
    cell.time_s = 105.0
    assert countdown.left_s == 0.0


def test_a_cell_that_comes_up_anew_takes_no_patience_away_and_gives_none():
    cell = Cell()
    countdown = Countdown(cell, 5.0)
    cell.time_s = 101.0
    assert countdown.left_s == 4.0
    cell.time_s = 0.5
    assert countdown.left_s == 4.0
    cell.time_s = 4.5
    assert countdown.left_s == 0.0
