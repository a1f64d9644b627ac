"""The line goes straight and turns evenly, whatever frame is led along it."""

import numpy as np
import pytest

from telecell.geometry import Pose, rotation_from_vector, vector_from_rotation
from telecell.trajectories.tip_line import TipLine

START = Pose.from_xyz_rpy((0.1, 0.2, 0.3), (0.4, 0.5, 0.6))
TURN = np.array([0.9, -1.2, 0.3])
TARGET = Pose(START.rotation @ rotation_from_vector(TURN), START.position + (0.3, 0.0, -0.4))  # noqa: RUF005
OFFSET = Pose.from_xyz_rpy((0.0, 0.1, 0.2), (0.3, 0.0, -0.5))


def test_length_and_angle_are_those_of_the_way():
    line = TipLine(START, TARGET, OFFSET)
    assert line.length_m == pytest.approx(0.5)
    assert line.angle_rad == pytest.approx(np.linalg.norm(TURN))


def test_both_ends_are_met():
    line = TipLine(START, TARGET, OFFSET)
    assert (line.compute_pose(0.0) @ OFFSET).almost_equal(START)
    assert (line.compute_pose(1.0) @ OFFSET).almost_equal(TARGET)


@pytest.mark.parametrize("part", [0.1, 0.5, 0.77])
def test_part_of_the_way_is_part_of_the_turn_about_the_same_axis(part):
    here = TipLine(START, TARGET, OFFSET).compute_pose(part) @ OFFSET
    assert here.position == pytest.approx(START.position + part * (TARGET.position - START.position))
    assert vector_from_rotation(START.rotation.T @ here.rotation) == pytest.approx(part * TURN)


def test_a_line_without_a_turn_keeps_the_rotation():
    line = TipLine(START, Pose(START.rotation, TARGET.position), Pose.identity())
    assert line.angle_rad == pytest.approx(0.0, abs=1e-12)
    assert line.compute_pose(0.3).rotation == pytest.approx(START.rotation)
