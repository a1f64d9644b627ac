"""Densities of shapes whose volume is known, and numbers that have no meaning left out."""

from math import pi

import pytest

from telecell.facilities.bulk import measure_bulk
from telecell.kinematics.posture import Posture

LINK = """
  <inertial pos="0 0 0" mass="3" diaginertia="0.01 0.01 0.01"/>
  <geom type="{kind}" {size}/>
"""


def measure(cell):
    return next(bulk for bulk in measure_bulk(Posture(cell)) if bulk.body == "arm/upper")


@pytest.mark.parametrize(
    ("kind", "size", "volume_m3"),
    [
        ("sphere", 'size="0.1"', 4 / 3 * pi * 1e-3),
        ("capsule", 'size="0.1 0.2"', pi * 0.01 * 0.4 + 4 / 3 * pi * 1e-3),
        ("ellipsoid", 'size="0.1 0.2 0.3"', 4 / 3 * pi * 6e-3),
        ("cylinder", 'size="0.1 0.2"', pi * 0.01 * 0.4),
        ("box", 'size="0.1 0.2 0.3"', 8 * 6e-3),
    ],
)
def test_density_is_mass_over_the_volume_of_the_shape(build, kind, size, volume_m3):
    bulk = measure(build(LINK.format(kind=kind, size=size)))
    assert bulk.density_kg_m3 == pytest.approx(3 / volume_m3)


def test_radius_of_gyration_of_a_ball_is_sixty_three_percent_of_its_size(build):
    bulk = measure(build('<geom type="sphere" size="0.1" mass="3"/>'))
    assert bulk.gyration == pytest.approx((2 / 5) ** 0.5)


def test_carried_mass_is_that_beyond_the_next_joint(build):
    bulk = measure(build('<geom type="sphere" size="0.1" mass="3"/>'))
    assert bulk.carried == pytest.approx(1.5 / 3)


def test_body_without_shapes_has_no_density(build):
    bulk = measure(build('<inertial pos="0 0 0" mass="3" diaginertia="0.01 0.01 0.01"/>'))
    assert (bulk.density_kg_m3, bulk.gyration) == (None, None)


def test_bodies_that_stand_still_are_left_out(build):
    names = [bulk.body for bulk in measure_bulk(Posture(build()))]
    assert names == ["arm/upper", "arm/fore"]


def test_volume_of_a_mesh_is_that_inside_its_faces(build, tmp_path):
    corners = [(x, y, z) for z in (0, 0.2) for x, y in ((-0.05, -0.05), (0.05, -0.05), (0.05, 0.05), (-0.05, 0.05))]
    faces = ["4 3 2 1", "5 6 7 8", "1 2 6 5", "2 3 7 6", "3 4 8 7", "4 1 5 8"]
    lines = [f"v {x} {y} {z}" for x, y, z in corners] + [f"f {face}" for face in faces]
    (tmp_path / "bar.obj").write_text("\n".join(lines) + "\n")
    cell = build(upper='<geom type="mesh" mesh="bar" mass="3"/>', assets='<mesh name="bar" file="bar.obj"/>')
    bulk = measure(cell)
    assert bulk.density_kg_m3 == pytest.approx(3 / 2e-3, rel=1e-5)
