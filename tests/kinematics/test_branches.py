from __future__ import annotations

import numpy as np
import pytest

from telecell.kinematics import Chain
from telecell.kinematics.branches import maybe_name
from telecell.kinematics.reasons import describe_branch

from .arms import PUMA_AXES, PUMA_READY, build_rx90
from .golden import FORWARD, INVERSE


@pytest.mark.parametrize("pose", INVERSE)
def test_the_puma_has_the_names_of_its_controller(puma, pose):
    names = maybe_name(puma.screws)
    assert names is not None
    for branch, degrees, _ in INVERSE[pose]:
        assert describe_branch(names.name(np.radians(degrees).tolist())) == branch


def test_names_agree_with_the_puma_formulas_over_the_whole_range(puma):
    names = maybe_name(puma.screws)
    assert names is not None
    for joints in np.random.default_rng(5).uniform(-np.pi, np.pi, (500, 6)):
        x, y, z = puma.forward(joints).position
        u = x * np.cos(joints[0]) + y * np.sin(joints[0])
        elbow_u, elbow_v = 0.4318 * np.cos(joints[1]), -0.4318 * np.sin(joints[1])
        assert names.name(joints.tolist()) == {
            "arm": "lefty" if u > 0 else "righty",
            "elbow": "above" if (u * elbow_v - z * elbow_u) * np.sign(u) > 0 else "below",
            "wrist": "noflip" if np.sin(joints[4]) > 0 else "flip",
        }


def test_the_cirsse_ready_pose_is_lefty_above_noflip(puma):
    names = maybe_name(puma.screws)
    assert names is not None
    joints = np.radians(FORWARD["cirsse ready"][0]).tolist()
    assert describe_branch(names.name(joints)) == "lefty above noflip"


def test_rounding_does_not_rename_a_straight_wrist(puma):
    names = maybe_name(puma.screws)
    assert names is not None
    for bend in (0.0, 1e-12, -1e-12):
        assert names.name([*PUMA_READY[:4], bend, 0.0])["wrist"] == "noflip"


def test_names_follow_the_build_of_the_arm_and_not_the_robot():
    arm = Chain(build_rx90(), axes=PUMA_AXES, base="world", tip="tip")
    names = maybe_name(arm.screws)
    assert names is not None
    # From the row table: upper arm along x at zero, forearm up, so the hand is in front and the elbow below the line.
    assert describe_branch(names.name([0.0, 0.0, 0.0, 0.0, 0.5, 0.0])) == "lefty below noflip"
    assert describe_branch(names.name([0.0, -np.pi / 2, np.pi, 0.0, -0.5, 0.0])) == "lefty above flip"


def test_arms_of_another_build_have_no_names(ur5, panda, nine):
    assert maybe_name(ur5.screws) is None
    assert maybe_name(panda.screws) is None
    assert maybe_name(panda.screws.tail(6)) is None
    assert maybe_name(nine.screws) is None
    assert maybe_name(nine.screws.tail(6)) is not None
