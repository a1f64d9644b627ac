from __future__ import annotations

import mujoco
import numpy as np
import pytest

from telecell.geometry import Pose
from telecell.kinematics.screws import END_SITE

from .arms import NINE_READY, PUMA_READY


def test_product_of_exponentials_is_the_forward_kinematics(nine):
    joints = NINE_READY + 0.1
    motion = np.eye(4)
    for axis, value in enumerate(joints):
        motion = motion @ nine.screws.compute_motions(axis, np.array([value]))[0]
    pose = nine.root_in_base @ Pose.from_matrix(motion) @ nine.tip_at_zero
    assert pose.almost_equal(nine.forward(joints), 1e-12, 1e-12)


def test_end_is_the_wrist_centre_of_a_spherical_wrist(puma, panda):
    assert puma.screws.has_spherical_wrist()
    assert not panda.screws.has_spherical_wrist()
    assert panda.screws.end == pytest.approx(panda.screws.points[-1])


def test_end_is_the_wrist_centre_wherever_the_flange_is(nine):
    # The tip is the flange; the wrist centre lies 55.88 mm behind it.
    assert nine.tip_at_zero.position - nine.screws.end == pytest.approx([0, 0, 0.05588])


def test_the_model_of_an_arm_has_its_axes_and_nothing_else(puma):
    model = puma.screws.build_model()
    data = mujoco.MjData(model)
    assert model.nv == 6
    data.qpos[:] = PUMA_READY
    mujoco.mj_kinematics(model, data)
    wrist = puma.root_in_base.inverse() @ puma.forward(PUMA_READY)
    assert data.site(END_SITE).xpos == pytest.approx(wrist.position)


def test_no_posture_exceeds_the_reach(nine):
    reach = nine.screws.compute_reach(nine.limits)
    root = nine.root_in_base.inverse()
    spread = np.random.default_rng(3).uniform(nine.limits[:, 0], nine.limits[:, 1], (200, 9))
    wrists = [(root @ nine.forward(joints, frame="wrist")).position for joints in spread]
    assert np.linalg.norm(wrists - nine.screws.points[0], axis=1).max() < reach
