import numpy as np
import pytest
import trimesh

from telecell.kinematics.posture import Posture
from telecell.models import Cell
from telecell.models.drawing import Shape, build_drawing
from telecell.station.scene.surfaces import build_surfaces

GREY = (0.5, 0.5, 0.5, 1.0)
IDENTITY = np.array([1.0, 0.0, 0.0, 0.0])
TETRAHEDRON = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], dtype=np.float32)
FACES = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]], dtype=np.int32)


def build_shape(kind, size=(0.1, 0.2, 0.3), position=(0, 0, 0), quaternion=IDENTITY, rgba=GREY, **mesh) -> Shape:
    return Shape(kind, np.array(size), np.array(position, float), np.array(quaternion), rgba, **mesh)


@pytest.mark.parametrize(
    ("kind", "half"),
    [
        ("box", (0.1, 0.2, 0.3)),
        ("sphere", (0.1, 0.1, 0.1)),
        ("ellipsoid", (0.1, 0.2, 0.3)),
        ("cylinder", (0.1, 0.1, 0.2)),
        ("capsule", (0.1, 0.1, 0.3)),
    ],
)
def test_a_shape_is_as_large_as_it_should_be(kind: str, half):
    (surface,) = build_surfaces([build_shape(kind)])
    # 48 sides: the corners lie on the circle, the flats at most 0.2 % inside
    np.testing.assert_allclose(surface.vertices.max(axis=0), half, rtol=0.01)
    np.testing.assert_allclose(surface.vertices.min(axis=0), np.negative(half), rtol=0.01)
    assert surface.faces.max() < len(surface.vertices)


def test_a_mesh_is_drawn_as_it_is():
    (surface,) = build_surfaces([build_shape("mesh", vertices=TETRAHEDRON, faces=FACES)])
    assert {tuple(v) for v in surface.vertices.tolist()} == {tuple(v) for v in TETRAHEDRON.tolist()}
    assert len(surface.faces) == 4


def test_a_shape_stands_where_its_body_has_it():
    quarter_turn = np.array([np.sqrt(0.5), 0.0, 0.0, np.sqrt(0.5)])
    (surface,) = build_surfaces([build_shape("box", position=(1, 2, 3), quaternion=quarter_turn)])
    np.testing.assert_allclose(surface.vertices.max(axis=0), (1.2, 2.1, 3.3), rtol=1e-6)


def test_shapes_of_one_colour_are_one_surface():
    red = (1.0, 0.0, 0.0, 1.0)
    surfaces = build_surfaces([build_shape("box"), build_shape("box", rgba=red), build_shape("sphere")])
    assert [surface.rgba for surface in surfaces] == [GREY, red]


def test_planes_are_left_out():
    assert build_surfaces([build_shape("plane")]) == ()


def test_the_wire_frame_of_a_box_is_its_twelve_edges():
    (surface,) = build_surfaces([build_shape("box")])
    assert surface.edges.shape == (12, 2, 3)
    lengths = np.linalg.norm(surface.edges[:, 0] - surface.edges[:, 1], axis=1)
    np.testing.assert_allclose(np.sort(lengths), np.repeat([0.2, 0.4, 0.6], 4), rtol=1e-6)


def test_an_open_surface_ends_in_the_wire_frame_too():
    (surface,) = build_surfaces([build_shape("mesh", vertices=TETRAHEDRON, faces=FACES[:1])])
    assert len(surface.edges) == 3


def test_a_mesh_without_sharp_edges_shows_all_of_them():
    ball = trimesh.creation.icosphere(subdivisions=3)
    (surface,) = build_surfaces(
        [build_shape("mesh", vertices=ball.vertices.astype(np.float32), faces=ball.faces.astype(np.int32))]
    )
    assert len(surface.edges) == len(ball.edges_unique)


def test_edges_are_sharp_and_round_sides_are_smooth():
    (surface,) = build_surfaces([build_shape("cylinder")])
    rims = np.abs(surface.vertices[:, 2]) > 0.199
    assert np.count_nonzero(rims) >= 4 * 48, "each rim twice: once for the side, once for the cap"
    corners = {tuple(vertex) for vertex in surface.vertices.round(6).tolist()}
    assert len(surface.vertices) < 3 * len(corners), "neighbouring faces of the side share their corners"


def test_every_body_of_the_cell_can_be_drawn(cirsse: Cell):
    for body in build_drawing(Posture(cirsse).model):
        for surface in build_surfaces(body.shapes):
            assert np.isfinite(surface.vertices).all()
            assert len(surface.edges) > 0
