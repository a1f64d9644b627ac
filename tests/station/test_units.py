import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from telecell.models import Cell, load_cell
from telecell.station.units import compute_slider_limits, from_shown, to_shown, to_slider, write, write_number

CELL = load_cell("cirsse")
HINGE = CELL.get_axis("left_puma/waist")
SLIDE = CELL.get_axis("left_cart/linear")


def test_hinges_are_in_degrees_and_slides_in_millimetres():
    assert to_shown(HINGE, math.radians(-12.34)) == -12.3
    assert to_shown(SLIDE, -0.7504) == -750.0
    assert from_shown(HINGE, -12.3) == math.radians(-12.3)
    assert from_shown(SLIDE, -750.0) == -0.75


def test_values_have_units_and_a_real_minus_sign():
    assert write(HINGE, math.radians(-45)) == "−45.0°"
    assert write(SLIDE, -0.75) == "−750 mm"


@pytest.mark.parametrize(("value", "text"), [(-0.2, "0"), (-0.6, "−1"), (1234.4, "1234")])
def test_zero_has_no_sign(value: float, text: str):
    assert write_number(value) == text


def test_limits_survive_the_way_through_radians():
    assert compute_slider_limits(CELL.get_axis("left_cart/rotate")) == (-150.0, 150.0)
    assert compute_slider_limits(SLIDE) == (-1372.0, 610.0)


@given(axis=st.sampled_from(CELL.axes), value=st.floats(-100, 100))
def test_a_slider_never_leaves_the_software_limits(axis, value: float):
    target = from_shown(axis, to_slider(axis, value))
    low, high = axis.software_limits
    assert low <= target <= high


@given(axis=st.sampled_from(CELL.axes), share=st.floats(0, 1))
def test_what_a_slider_shows_comes_back_as_the_same_number(axis, share: float):
    low, high = compute_slider_limits(axis)
    shown = to_slider(axis, axis.software_limits[0] + share * (axis.software_limits[1] - axis.software_limits[0]))
    assert low <= shown <= high
    assert to_slider(axis, from_shown(axis, shown)) == shown


def test_every_start_is_inside_its_slider(cirsse: Cell):
    for axis, start in zip(cirsse.axes, cirsse.start, strict=True):
        low, high = compute_slider_limits(axis)
        assert low <= to_slider(axis, start) <= high
