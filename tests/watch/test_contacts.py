"""Overlaps are found, by name and depth, and nothing is invented."""

import numpy as np

from telecell.kinematics.posture import Posture
from telecell.models import load_cell, load_model_cell
from telecell.watch import find_contacts


def test_the_named_poses_of_the_cells_are_free():
    for name in ("puma", "cirsse"):
        cell = load_cell(name)
        posture = Posture(cell)
        for pose in cell.poses.values():
            posture.set([pose.get(axis.name, start) for axis, start in zip(cell.axes, cell.start, strict=True)])
            assert find_contacts(posture, deeper_than_m=1e-4) == ()


def test_an_arm_in_the_table_is_found_deepest_first():
    cell = load_cell("puma")
    posture = Posture(cell)
    posture.set(np.radians([0, 20, 90, 0, 0, 0]))
    contacts = find_contacts(posture)
    assert "table/table" in {name for contact in contacts for name in (contact.first, contact.second)}
    depths = [contact.depth_m for contact in contacts]
    assert depths == sorted(depths, reverse=True)
    assert all(depth > 0 for depth in depths)


def test_shallow_overlaps_can_be_left_out():
    posture = Posture(load_cell("puma"))
    posture.set(np.radians([0, 20, 90, 0, 0, 0]))
    deepest = find_contacts(posture)[0].depth_m
    assert find_contacts(posture, deeper_than_m=deepest) == ()


def test_the_two_carts_cannot_share_the_rail():
    cell = load_cell("cirsse")
    posture = Posture(cell)
    q = np.array(cell.start)
    names = [axis.name for axis in cell.axes]
    q[names.index("left_cart/linear")] = 0.0
    q[names.index("right_cart/linear")] = 0.1
    posture.set(q)
    pairs = {(contact.first, contact.second) for contact in find_contacts(posture)}
    assert ("left_cart/carriage", "right_cart/carriage") in pairs


def test_the_floor_is_called_the_floor():
    posture = Posture(load_model_cell("puma560"))
    posture.set(np.radians([0, 40, 140, 0, 0, 0]))  # straight down from the elbow, 0.04 m too long
    assert ("floor", "puma560/link4") in {(contact.first, contact.second) for contact in find_contacts(posture)}


def test_a_model_on_its_own_stands_on_the_floor_and_not_in_it():
    for name in ("aronson_rail", "strut", "puma560"):
        assert find_contacts(Posture(load_model_cell(name)), deeper_than_m=1e-6) == ()
