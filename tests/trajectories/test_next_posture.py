"""The posture next to another: in the turn and on the branch where the arm is."""

import numpy as np
import pytest

from telecell.geometry import Pose
from telecell.trajectories.next_posture import NextPosture

from .motions import NINE, PUMA, draw
from .test_line import nine, puma


def test_closed_form_stays_beside_the_posture_even_outside_the_limits():
    find = NextPosture(puma(), PUMA.position).maybe_find
    for joints in draw(PUMA, 200, 1):
        joints[5] = PUMA.position[5, 1] + 0.3
        found = find(puma().chain.forward(joints), joints + 1e-3)
        assert found == pytest.approx(joints, abs=0.05)


def test_nine_axes_reach_the_pose_inside_the_limits():
    find = NextPosture(nine(), NINE.position).maybe_find
    reached = 0
    for joints in draw(NINE, 200, 2):
        here = nine().chain.forward(joints)
        target = Pose(here.rotation, here.position + np.array([0.01, -0.01, 0.01]))
        found = find(target, joints)
        if found is None:
            continue
        reached += 1
        assert nine().chain.forward(found).almost_equal(target, 1e-8, 1e-8)
        assert (found >= NINE.position[:, 0]).all()
        assert (found <= NINE.position[:, 1]).all()
    assert reached > 180


def test_nothing_is_found_out_of_reach():
    far = Pose.translation(5.0, 0.0, 0.0)
    assert NextPosture(puma(), PUMA.position).maybe_find(far, np.zeros(6)) is None
    assert NextPosture(nine(), NINE.position).maybe_find(far, NINE.position.mean(axis=1)) is None
