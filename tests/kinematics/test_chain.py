from __future__ import annotations

import mujoco
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from telecell.errors import InputError, JointOutOfRange, UnknownName
from telecell.geometry import Pose
from telecell.geometry.rotation_vector import vector_from_rotation
from telecell.kinematics import Chain

from .arms import FLANGE_OFFSET, NINE_AXES, NINE_READY, PUMA_AXES, PUMA_LIMITS, PUMA_READY, SHOULDER_HEIGHT
from .golden import FORWARD

joint_vectors = st.lists(st.floats(-3, 3), min_size=6, max_size=6)


@pytest.mark.parametrize("name", FORWARD)
def test_forward_agrees_with_the_golden_table(puma, name):
    degrees, position, columns = FORWARD[name]
    pose = puma.forward(np.radians(degrees))
    # The table has twelve digits.
    assert np.abs(pose.position - position).max() < 1e-9
    assert np.abs(pose.rotation - np.transpose(columns)).max() < 1e-9


def test_any_frame_is_seen_from_any_other(puma):
    flange = puma.forward(PUMA_READY, frame="flange")
    assert flange.almost_equal(puma.forward(PUMA_READY) @ Pose.translation(0, 0, FLANGE_OFFSET))
    on_floor = puma.forward(PUMA_READY, base="world")
    assert on_floor.almost_equal(Pose.translation(0, 0, SHOULDER_HEIGHT) @ puma.forward(PUMA_READY))
    assert puma.forward(PUMA_READY, frame="world", base="wrist").almost_equal(on_floor.inverse())


def test_the_rest_of_the_model_stands_at_the_posture(puma, puma_model):
    assert puma.forward(PUMA_READY, frame="handle", base="world").position == pytest.approx([1, 0, 0])
    posture = puma_model.qpos0.copy()
    posture[-7:-4] = 2, 3, 4
    puma.set_posture(posture)
    assert puma.forward(PUMA_READY, frame="handle", base="world").position == pytest.approx([2, 3, 4])


def test_a_posture_is_copied(puma, puma_model):
    posture = puma_model.qpos0.copy()
    puma.set_posture(posture)
    posture[:] = 5
    assert puma.forward(PUMA_READY, frame="handle", base="world").position == pytest.approx([1, 0, 0])


def test_moving_the_cart_carries_the_arm_along(nine_model):
    arm = Chain(nine_model, axes=NINE_AXES[3:], base="world", tip="wrist")
    before = arm.forward(NINE_READY[3:])
    posture = nine_model.qpos0.copy()
    posture[0] = 0.4
    arm.set_posture(posture)
    assert arm.forward(NINE_READY[3:]).almost_equal(Pose.translation(0, 0.4, 0) @ before)


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(joints=joint_vectors)
def test_jacobian_is_the_derivative_of_forward(puma, joints):
    _assert_jacobian(puma, np.array(joints), "flange")


def test_jacobian_is_stated_in_the_axes_of_a_tilted_base(nine_model):
    posture = nine_model.qpos0.copy()
    posture[:3] = 0.2, 0.5, -0.4
    arm = Chain(nine_model, axes=NINE_AXES[3:], base="shoulder", tip="flange", posture=posture)
    _assert_jacobian(arm, NINE_READY[3:] + 0.1, "flange")


def test_jacobian_of_a_slide_is_its_direction(nine):
    column = nine.jacobian(NINE_READY)[:, 0]
    assert column == pytest.approx([0, 1, 0, 0, 0, 0], abs=1e-12)


def test_a_frame_that_stands_still_has_no_velocity(puma):
    assert not puma.jacobian(PUMA_READY, frame="world").any()
    assert not puma.jacobian(PUMA_READY, frame="handle").any()


def _assert_jacobian(chain: Chain, joints: np.ndarray, frame: str) -> None:
    step = 1e-6
    jacobian = chain.jacobian(joints, frame)
    for k in range(len(chain)):
        shift = step * np.eye(len(chain))[k]
        after, before = chain.forward(joints + shift, frame), chain.forward(joints - shift, frame)
        linear = (after.position - before.position) / (2 * step)
        angular = vector_from_rotation(after.rotation @ before.rotation.T) / (2 * step)
        # Central differences of 1e-6 rad leave about 1e-12 of curvature and 1e-9 of rounding.
        assert np.abs(jacobian[:, k] - [*linear, *angular]).max() < 1e-7


def test_manipulability_vanishes_where_the_wrist_is_straight(puma):
    assert puma.manipulability(PUMA_READY) < 1e-12
    assert puma.manipulability(np.radians([0, -45, 180, 0, 45, 0])) > 1e-3


def test_limit_margins_are_distances_to_the_nearest_limit(puma):
    joints = PUMA_LIMITS[:, 0] + [0.1, 0.2, -0.3, 0.0, 0.1, 0.1]
    assert puma.limit_margins(joints) == pytest.approx([0.1, 0.2, -0.3, 0.0, 0.1, 0.1])
    assert puma.limit_margins(PUMA_LIMITS[:, 1]) == pytest.approx(np.zeros(6))


@pytest.mark.parametrize(
    "joints",
    [
        [0.0] * 5,
        [0.0] * 7,
        [0, 0, 0, 0, 0, np.nan],
        [0, 0, np.inf, 0, 0, 0],
        [-np.inf, 0, 0, 0, 0, 0],
        ["a"] * 6,
        [[0.0] * 6],
        3.0,
    ],
)
def test_bad_joint_vectors_are_refused_by_name(puma, joints):
    for ask in (puma.forward, puma.jacobian, puma.manipulability, puma.limit_margins):
        with pytest.raises(JointOutOfRange, match="puma560: joint vector must be 6 finite numbers"):
            ask(joints)


def test_a_posture_of_the_wrong_length_is_refused(puma):
    with pytest.raises(JointOutOfRange, match="posture must be 13 finite numbers"):
        puma.set_posture([0.0] * 6)


def test_unknown_names_list_the_known_ones(puma, puma_model):
    with pytest.raises(UnknownName, match=r"no frame of that name, got 'wirst'.*Did you mean 'wrist'"):
        puma.forward(PUMA_READY, frame="wirst")
    with pytest.raises(UnknownName, match="no joint of that name"):
        Chain(puma_model, axes=("waist", "sholder"), base="world", tip="wrist")


def test_bodies_are_not_frames(puma):
    with pytest.raises(UnknownName, match="no frame of that name, got 'part'"):
        puma.forward(PUMA_READY, frame="part")


@pytest.mark.parametrize(
    ("axes", "base", "tip", "text"),
    [
        ((), "world", "wrist", "not all the joints of one serial arm"),
        ((*PUMA_AXES[:3], *PUMA_AXES[4:]), "world", "wrist", "not all the joints of one serial arm"),
        (PUMA_AXES[::-1], "world", "wrist", "not all the joints of one serial arm"),
        (("waist", "waist"), "world", "wrist", "not all the joints of one serial arm"),
        (("loose",), "world", "handle", "not a hinge or slide"),
        (PUMA_AXES, "world", "handle", "the tip does not move with the last axis 'flange'"),
        (PUMA_AXES, "world", "world", "the tip does not move with the last axis 'flange'"),
        (PUMA_AXES, "flange", "wrist", "the base moves with the first axis 'waist'"),
    ],
)
def test_axes_that_are_no_arm_from_base_to_tip_are_refused(puma_model, axes, base, tip, text):
    with pytest.raises(InputError, match=text):
        Chain(puma_model, axes=axes, base=base, tip=tip)


@pytest.mark.parametrize(
    "limits", [PUMA_LIMITS[:5], PUMA_LIMITS[:, ::-1], np.full((6, 2), np.nan), [(-1, np.inf)] * 6, [(0, 0)] * 6]
)
def test_limits_that_are_no_ranges_are_refused(puma_model, limits):
    with pytest.raises(InputError, match="limits are not finite pairs"):
        Chain(puma_model, axes=PUMA_AXES, base="world", tip="wrist", limits=limits)


@pytest.mark.parametrize("weights", [[1.0] * 5, [0.0] * 6, [-1.0] * 6, [np.nan] * 6])
def test_weights_that_are_not_positive_are_refused(puma_model, weights):
    with pytest.raises(InputError, match="weights are not positive numbers"):
        Chain(puma_model, axes=PUMA_AXES, base="world", tip="wrist", weights=weights)


def test_limits_default_to_those_of_the_model(puma_model, nine_model):
    chain = Chain(puma_model, axes=PUMA_AXES, base="world", tip="wrist")
    assert chain.limits == pytest.approx(np.tile([-np.pi, np.pi], (6, 1)))
    with pytest.raises(InputError, match="a slide without a range"):
        Chain(nine_model, axes=NINE_AXES, base="world", tip="wrist")


def test_ranges_of_the_model_become_limits():
    spec = mujoco.MjSpec()
    body = spec.worldbody.add_body(mass=1, ipos=[0, 0, 0], inertia=[1, 1, 1], explicitinertial=True)
    body.add_joint(name="turn", axis=[0, 0, 1], range=[-30, 60], limited=True)
    body.add_site(name="tip")
    chain = Chain(spec.compile(), axes=("turn",), base="world", tip="tip")
    assert chain.limits == pytest.approx(np.radians([[-30, 60]]))
    assert not chain.limits.flags.writeable


def test_joints_that_do_not_stand_at_zero_in_the_model_keep_their_meaning():
    spec = mujoco.MjSpec()
    spec.compiler.degree = False
    body = spec.worldbody.add_body(mass=1, ipos=[0, 0, 0], inertia=[1, 1, 1], explicitinertial=True)
    body.add_joint(name="turn", axis=[0, 0, 1], ref=0.5)
    body.add_site(name="tip", pos=[1, 0, 0])
    chain = Chain(spec.compile(), axes=("turn",), base="world", tip="tip")
    assert chain.forward([0.5]).position == pytest.approx([1, 0, 0])
    assert chain.forward([0.0]).position == pytest.approx([np.cos(0.5), -np.sin(0.5), 0])
    assert chain.tip_at_zero.almost_equal(chain.forward([0.0]))
