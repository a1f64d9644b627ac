from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from telecell.kinematics.wrist import maybe_find_wrist, rotation_about

angles = st.floats(-3.1, 3.1)
near_zero = st.sampled_from([0.0, 1e-12, -1e-10, 1e-8, -1e-6, 1e-4])


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50)
@given(q4=angles, q5=st.one_of(angles, near_zero), q6=angles)
def test_every_rotation_is_taken_exactly_however_near_the_singularity(puma, q4, q5, q6):
    wrist = maybe_find_wrist(puma.screws)
    assert wrist is not None
    z4, z5, z6 = puma.screws.directions[-3:]

    def turn(a, b, c):
        return rotation_about(z4, a) @ rotation_about(z5, b) @ rotation_about(z6, c)

    rotation = turn(q4, q5, q6)
    for solution in wrist.solve(rotation, q4_when_aligned=0.7):
        # ALIGNED leaves up to 1e-9 of the rotation.
        assert np.abs(turn(*solution) - rotation).max() < 2e-9


def test_aligned_axes_keep_the_given_angle(puma):
    wrist = maybe_find_wrist(puma.screws)
    assert wrist is not None
    rotation = rotation_about(puma.screws.directions[-1], 0.5)
    assert wrist.solve(rotation, q4_when_aligned=0.2) == [pytest.approx((0.2, 0.0, 0.3))]


def test_flips_are_told_from_other_postures(puma):
    wrist = maybe_find_wrist(puma.screws)
    assert wrist is not None
    joints = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]
    flip = [0.1, 0.2, 0.3, 0.4 - np.pi, -0.5, 0.6 - np.pi]
    assert wrist.is_flip(joints, flip)
    for k in range(6):
        changed = flip.copy()
        changed[k] += 1e-6
        assert not wrist.is_flip(joints, changed)


def test_an_arm_without_spherical_wrist_has_none(ur5):
    assert maybe_find_wrist(ur5.screws) is None
