"""The way to a holder is measured by what the holder had seen, and by the gaps between renewals."""

import pytest

from telecell.control.round_trips import RoundTrips


def test_the_longest_round_trip_of_the_last_second_counts_and_the_shortest_of_all():
    trips = RoundTrips(0.0, 0.3)
    for number, (moment, age) in enumerate([(0.5, 0.1), (1.2, 0.2)]):
        trips.note(moment, age, number)
    assert trips.measure(1.0) == (0.3, 0.0)
    assert trips.measure(1.3) == (0.2, 0.0)
    assert trips.measure(9.0) == (0.0, 0.0)
    assert trips.shortest_s == 0.1


def test_gaps_between_the_numbers_of_renewals_are_losses():
    trips = RoundTrips(0.0, 0.0)
    for moment, number in ((0.1, 40), (0.2, 41), (0.5, 44)):
        trips.note(moment, 0.0, number)
    assert trips.measure(0.6)[1] == pytest.approx(0.4)
    assert trips.measure(1.15)[1] == pytest.approx(0.5)
    assert trips.measure(1.3)[1] == 0.0
