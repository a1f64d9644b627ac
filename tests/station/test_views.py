import numpy as np
import pytest

from telecell.station.scene.views import FIELD_OF_VIEW_RAD, VIEW_NAMES, View, fit_view

CORNERS = np.array([[x, y, z] for x in (-2, 1) for y in (0, 4) for z in (0, 2)], dtype=float)


def project(view: View, points: np.ndarray, aspect: float) -> np.ndarray:
    """Where points appear, 1 being the edge of the picture."""
    forward = (view.look_at - view.position) / np.linalg.norm(view.look_at - view.position)
    right = np.cross(forward, (0, 0, 1))
    right /= np.linalg.norm(right)
    up = np.cross(right, forward)
    rays = points - view.position
    tangent = np.tan(FIELD_OF_VIEW_RAD / 2)
    return np.stack([rays @ right / aspect, rays @ up], axis=1) / (tangent * (rays @ forward))[:, None]


@pytest.mark.parametrize("name", VIEW_NAMES)
@pytest.mark.parametrize("aspect", [0.5, 1.0, 2.0])
def test_the_whole_cell_is_in_the_picture_and_fills_it(name: str, aspect: float):
    reach = np.abs(project(fit_view(name, CORNERS, aspect), CORNERS, aspect)).max()
    assert 0.85 < reach < 1.0


def test_an_empty_cell_is_looked_at_in_the_middle():
    np.testing.assert_array_equal(fit_view("iso", np.zeros((0, 3)), 1.0).look_at, 0.0)


def test_the_views_are_the_named_ones():
    directions = {name: fit_view(name, CORNERS, 1.0) for name in VIEW_NAMES}
    top = directions["top"].position - directions["top"].look_at
    front = directions["front"].position - directions["front"].look_at
    side = directions["side"].position - directions["side"].look_at
    assert top[2] > 100 * np.abs(top[:2]).max()
    assert front[0] > 5 * np.abs(front[1:]).max()
    assert -side[1] > 5 * np.abs(side[[0, 2]]).max()
