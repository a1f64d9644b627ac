import copy
import pickle
from dataclasses import FrozenInstanceError
from math import pi, radians

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from telecell.errors import InputError
from telecell.geometry import Pose, rotation_x, rotation_z

poses = st.from_type(Pose)
points = hnp.arrays(np.float64, 3, elements=st.floats(-10, 10))

TURNED = Pose.from_xyz_rpy((0.1, 0.2, 0.3), (radians(10), radians(20), radians(30)))


def test_a_point_is_turned_and_then_moved():
    T_wt = Pose(rotation_z(pi / 2), (1.0, 0.0, 0.5))
    np.testing.assert_allclose(T_wt @ (2.0, 0.0, 0.0), (1.0, 2.0, 0.5), atol=1e-14)


def test_poses_chain_from_the_world_to_the_part():
    T_wt = Pose(rotation_z(pi / 2), (1.0, 0.0, 0.5))
    T_tp = Pose.translation(0.2, 0.0, 0.1)
    assert (T_wt @ T_tp).almost_equal(Pose.from_xyz_rpy((1.0, 0.2, 0.6), (0, 0, pi / 2)), 1e-14, 1e-14)


@given(poses)
def test_identity_is_neutral(pose):
    assert (Pose.identity() @ pose) == pose == (pose @ Pose.identity())


# Products of matrices with entries up to 10 are off by some 1e-15 of them: 1e-13 m, 1e-14 rad leave a margin.
@given(poses)
def test_inverse_undoes_a_pose_from_both_sides(pose):
    assert (pose @ pose.inverse()).almost_equal(Pose.identity(), 1e-13, 1e-14)
    assert (pose.inverse() @ pose).almost_equal(Pose.identity(), 1e-13, 1e-14)


@given(poses, poses, poses)
def test_chaining_does_not_depend_on_brackets(a, b, c):
    assert ((a @ b) @ c).almost_equal(a @ (b @ c), 1e-13, 1e-14)


@given(poses, poses, points)
def test_a_chain_moves_a_point_like_its_parts_in_turn(a, b, point):
    np.testing.assert_allclose((a @ b) @ point, a @ (b @ point), rtol=0, atol=1e-13)


@given(poses, hnp.arrays(np.float64, (4, 3), elements=st.floats(-10, 10)))
def test_rows_of_points_move_like_single_points(pose, rows):
    np.testing.assert_allclose(pose @ rows, [pose @ row for row in rows], rtol=0, atol=1e-13)


@given(poses)
def test_every_form_leads_back_to_the_pose(pose):
    assert Pose.from_matrix(pose.as_matrix()).almost_equal(pose, 0.0, 1e-14)
    assert Pose.from_quaternion(pose.position, pose.quaternion()).almost_equal(pose, 0.0, 1e-14)
    # Where the roll counts as undefined, up to 1e-10 of the rotation is given up for it.
    assert Pose.from_xyz_rpy(pose.position, pose.rpy()).almost_equal(pose, 0.0, 5e-10)


def test_distance_is_in_metres_and_radians():
    far = TURNED @ Pose(rotation_x(0.25), (0.3, 0.0, 0.4))
    assert TURNED.distance_to(far) == pytest.approx((0.5, 0.25), abs=1e-14)


@pytest.mark.parametrize("angle", [0.0, 1e-12, 1e-8, 1e-3, pi - 1e-3, pi - 1e-8, pi])
def test_angle_of_a_distance_is_accurate_near_zero_and_half_a_turn(angle):
    turned = TURNED @ Pose(rotation_x(angle), np.zeros(3))
    # The acos of the trace would be wrong by 1e-8 at both ends.
    assert TURNED.distance_to(turned)[1] == pytest.approx(angle, rel=0, abs=1e-14)


@given(poses, poses, poses)
def test_distance_does_not_depend_on_direction_or_on_the_frame_of_view(a, b, view):
    assert a.distance_to(b) == pytest.approx(b.distance_to(a), abs=1e-12)
    assert (view @ a).distance_to(view @ b) == pytest.approx(a.distance_to(b), abs=1e-12)


def test_almost_equal_needs_both_the_position_and_the_angle():
    moved, turned = TURNED @ Pose.translation(1e-6, 0, 0), TURNED @ Pose(rotation_x(1e-6), np.zeros(3))
    assert not TURNED.almost_equal(moved)
    assert not TURNED.almost_equal(turned)
    assert TURNED.almost_equal(moved, position_m=2e-6)
    assert TURNED.almost_equal(turned, angle_rad=2e-6)


def test_a_pose_cannot_be_changed():
    with pytest.raises(FrozenInstanceError):
        TURNED.position = np.zeros(3)  # pyright: ignore[reportAttributeAccessIssue]
    with pytest.raises(ValueError, match="read-only"):
        TURNED.position[0] = 1.0
    with pytest.raises(ValueError, match="read-only"):
        TURNED.inverse().rotation[0, 0] = 1.0


def test_a_pose_keeps_nothing_of_the_arrays_it_was_built_from():
    rotation, position = np.eye(3), np.zeros(3)
    pose = Pose(rotation, position)
    rotation[0, 0] = position[0] = 7.0
    assert pose == Pose.identity()


def test_trusted_neither_copies_nor_checks():
    rotation, position = 2 * np.eye(3), np.zeros(3)
    pose = Pose.trusted(rotation, position)
    assert pose.rotation is rotation
    assert pose.position is position
    assert not rotation.flags.writeable


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, lambda pose: pickle.loads(pickle.dumps(pose))])
def test_a_copy_is_equal_and_still_read_only(duplicate):
    other = duplicate(TURNED)
    assert other == TURNED
    assert hash(other) == hash(TURNED)
    assert not other.rotation.flags.writeable


def test_equality_is_exact_and_by_value():
    assert Pose.translation(0, 0, 1) == Pose.from_xyz_rpy((0, 0, 1), (0, 0, 0))
    assert Pose.translation(0, 0, 1) != Pose.translation(0, 0, 1 + 1e-15)
    assert Pose.identity() != "identity"


def test_repr_is_short_and_names_its_units():
    assert repr(TURNED) == "Pose(xyz_m=(0.1000, 0.2000, 0.3000), rpy_deg=(10.00, 20.00, 30.00))"
    assert repr(Pose.translation(-1e-9, 0, 0)) == "Pose(xyz_m=(0.0000, 0.0000, 0.0000), rpy_deg=(0.00, 0.00, 0.00))"


def test_single_precision_is_accepted_and_cleaned_up():
    pose = Pose.from_matrix(TURNED.as_matrix().astype(np.float32))
    np.testing.assert_allclose(pose.rotation.T @ pose.rotation, np.eye(3), rtol=0, atol=1e-13)
    assert pose.almost_equal(TURNED, 1e-7, 1e-7)


@pytest.mark.parametrize(
    ("build", "text"),
    [
        (
            lambda: Pose(2 * np.eye(3), (0, 0, 0)),
            "rotation matrix is not orthonormal, got 3.0, limit 1e-06. "
            "Its columns must be perpendicular unit vectors; give more digits, or a quaternion.",
        ),
        (
            lambda: Pose(np.diag([1, 1, -1]), (0, 0, 0)),
            "rotation matrix is a reflection, got [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, -1.0]]. "
            "Its columns must be right-handed: swap two of them or turn one round.",
        ),
        (
            lambda: Pose(np.eye(3), (0, 0)),
            "position has the wrong shape, got (2,), limit (3,). Give 3 finite numbers.",
        ),
        (
            lambda: Pose.translation(0, float("nan"), 0),
            "position is not finite, got [0.0, nan, 0.0]. Give 3 finite numbers.",
        ),
        (
            lambda: Pose.from_xyz_rpy(("left", 0, 0), (0, 0, 0)),
            "position is not made of numbers, got ('left', 0, 0). Give 3 finite numbers.",
        ),
        (
            lambda: Pose.from_xyz_rpy((0, 0, 0), (0, 0, float("inf"))),
            "roll, pitch, yaw is not finite, got [0.0, 0.0, inf]. Give 3 finite numbers.",
        ),
        (
            lambda: Pose.from_matrix(np.eye(3)),
            "transform has the wrong shape, got (3, 3), limit (4, 4). Give 4 x 4 finite numbers.",
        ),
        (
            lambda: Pose.from_matrix(Pose.translation(1, 2, 3).as_matrix().T),
            "transform has a wrong last row, got [1.0, 2.0, 3.0, 1.0]. "
            "It must be 0, 0, 0, 1; a transform for row vectors has to be transposed.",
        ),
        (
            lambda: Pose.identity() @ np.zeros((3, 2)),
            "points have the wrong shape, got (3, 2), limit (3,) or (n, 3). Give one point, or one point per row.",
        ),
    ],
)
def test_bad_input_is_refused_with_value_and_remedy(build, text):
    with pytest.raises(InputError) as caught:
        build()
    assert str(caught.value) == text
