"""Plans are plain values: they survive being written, give the same bits again, and damage is noticed."""

import math

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from telecell.errors import SnapshotMismatch
from telecell.trajectories import (
    AnyPlan,
    BrakePlan,
    JerkLimitedPlan,
    ParabolicPlan,
    QuinticPlan,
    SplinePlan,
    build,
    plan_brake,
    plan_jerk_limited,
    plan_parabolic,
    plan_quintic,
    plan_spline,
)

from .motions import NINE, PUMA, draw

A, B, C = draw(PUMA, 3, 0)
PLANS: list[AnyPlan] = [
    plan_jerk_limited(PUMA, A, B),
    plan_jerk_limited(PUMA, A, B, velocity=0.1 * PUMA.velocity, synchronised=False),
    plan_brake(PUMA, A, PUMA.velocity, PUMA.acceleration),
    plan_parabolic(PUMA, A, B),
    plan_quintic(PUMA, A, B),
    plan_spline(PUMA, A, [0.9 * A + 0.1 * C, B], via="average"),
    plan_jerk_limited(NINE, *draw(NINE, 2, 1)),
]
each_plan = pytest.mark.parametrize("plan", PLANS, ids=lambda plan: type(plan).__name__)


@each_plan
def test_a_written_plan_gives_the_same_bits(plan):
    read = msgspec.msgpack.decode(msgspec.msgpack.encode(plan), type=AnyPlan)
    assert read == plan
    first, second = build(plan), build(read)
    times = np.linspace(-0.1, first.duration_s + 0.1, 200)
    for a, b in zip(first.sample(times), second.sample(times), strict=True):
        assert np.array_equal(a, b)


@each_plan
def test_json_loses_nothing_either(plan):
    assert msgspec.json.decode(msgspec.json.encode(plan), type=AnyPlan) == plan


@each_plan
def test_the_ends_are_exact_and_hold_beyond(plan):
    trajectory = build(plan)
    for t in (trajectory.duration_s, trajectory.duration_s + 1.0, math.inf):
        end = trajectory.at(t)
        assert np.array_equal(end.position, trajectory.goal)
        assert not end.velocity.any()
        assert not end.acceleration.any()
    for t in (0.0, -1.0):
        assert np.array_equal(trajectory.at(t).position, trajectory.start)
    assert trajectory.plan is plan


@each_plan
def test_one_time_and_many_agree(plan):
    trajectory = build(plan)
    times = np.linspace(-0.1, trajectory.duration_s + 0.1, 50)
    many = trajectory.sample(times)
    for k, t in enumerate(times.tolist()):
        for one, rows in zip(trajectory.at(t), many, strict=True):
            assert one == pytest.approx(rows[k], abs=1e-12)


@each_plan
def test_no_times_give_no_samples(plan):
    assert build(plan).sample([]).position.shape == (0, len(plan.goal if hasattr(plan, "goal") else A))


def damage(value, bad):
    """A field with a bad number in it; lists may also lose a number."""
    if not isinstance(value, tuple):
        return bad
    return value[:-1] if bad is None else (*value[:-1], damage(value[-1], bad))


@each_plan
@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf, 1e308, None])
def test_every_damaged_field_is_refused(plan, bad):
    for name in plan.__struct_fields__:
        value = getattr(plan, name)
        if isinstance(value, bool) or (bad is None and not isinstance(value, tuple)):
            continue
        with pytest.raises(SnapshotMismatch, match="damaged motion plan"):
            build(msgspec.structs.replace(plan, **{name: damage(value, bad)}))


@pytest.mark.parametrize(
    "plan",
    [
        SplinePlan((), (), ()),
        SplinePlan((0.0, 1.0, 1.0), ((0.0,), (1.0,), (2.0,)), ((0.0,), (0.0,), (0.0,))),
        SplinePlan((0.0, 1.0, 0.5), ((0.0,), (1.0,), (2.0,)), ((0.0,), (0.0,), (0.0,))),
        SplinePlan((0.1, 1.0), ((0.0,), (1.0,)), ((0.0,), (0.0,))),
        SplinePlan((0.0, 1.0), ((0.0,), (1.0,)), ((0.0,), (1.0,))),
        SplinePlan((0.0, 1.0), ((0.0,), (1.0, 2.0)), ((0.0,), (0.0,))),
        SplinePlan((0.0,) * 20_000, ((0.0,),) * 20_000, ((0.0,),) * 20_000),
        ParabolicPlan((0.0,), (1.0,), 0.6, 1.0),
        ParabolicPlan((0.0,), (1.0,), 0.0, 1.0),
        QuinticPlan((0.0,), (1.0,), 0.0),
        QuinticPlan((0.0,), (1.0,), -1.0),
        QuinticPlan((0.0, 1.0), (1.0,), 1.0),
        BrakePlan((0.0,), (0.0,), (0.0,), (0.0,), (1.0,)),
        JerkLimitedPlan((0.0,), (0.0,), (0.0,), (1.0,), (1.0,), (-1.0,), (1.0,)),
    ],
)
def test_a_plan_that_makes_no_sense_is_refused(plan):
    with pytest.raises(SnapshotMismatch):
        build(plan)


number = st.floats() | st.sampled_from([0.0, 1.0, -1.0, 1e-300, 1e6, -1e6, 1e308])
row = st.lists(number, min_size=1, max_size=3).map(tuple)
anything = st.one_of(
    st.builds(JerkLimitedPlan, row, row, row, row, row, row, row, st.booleans(), number),
    st.builds(BrakePlan, row, row, row, row, row),
    st.builds(ParabolicPlan, row, row, number, number),
    st.builds(QuinticPlan, row, row, number),
    st.builds(SplinePlan, row, st.lists(row, max_size=3).map(tuple), st.lists(row, max_size=3).map(tuple)),
)


@given(anything)
def test_any_numbers_give_a_finite_motion_or_one_kind_of_error(plan):
    try:
        trajectory = build(plan)
    except SnapshotMismatch:
        return
    for values in trajectory.sample(np.linspace(0.0, trajectory.duration_s, 7)):
        assert np.isfinite(values).all()
