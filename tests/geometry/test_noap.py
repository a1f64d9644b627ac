import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from telecell.errors import InputError
from telecell.geometry import Pose, noap_from_pose, pose_from_noap

NORMAL, ORIENTATION, APPROACH, POSITION = (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (0.1, 0.2, 0.3)
NOAP = (*NORMAL, *ORIENTATION, *APPROACH, *POSITION)


def test_the_columns_follow_one_another():
    pose = pose_from_noap(NOAP)
    np.testing.assert_array_equal(pose.as_matrix()[:3], np.transpose([NORMAL, ORIENTATION, APPROACH, POSITION]))
    np.testing.assert_array_equal(noap_from_pose(pose), NOAP)


@given(st.from_type(Pose))
def test_every_pose_comes_back(pose):
    assert pose_from_noap(noap_from_pose(pose)).almost_equal(pose, 0.0, 1e-14)


@given(st.from_type(Pose))
def test_single_precision_on_the_wire_is_accepted(pose):
    # 24 bits of 10 m and of a rotation's entries.
    assert pose_from_noap(noap_from_pose(pose).astype(np.float32)).almost_equal(pose, 2e-6, 2e-7)


def test_twelve_numbers_are_needed():
    with pytest.raises(InputError) as caught:
        pose_from_noap(NOAP[:9])
    assert str(caught.value) == (
        "N-O-A-P transform has the wrong shape, got (9,), limit (12,). Give 12 finite numbers."
    )


def test_rows_instead_of_columns_are_refused():
    rows = np.transpose([NORMAL, ORIENTATION, APPROACH, POSITION]).ravel()
    with pytest.raises(InputError, match="rotation matrix is not orthonormal"):
        pose_from_noap(rows)
