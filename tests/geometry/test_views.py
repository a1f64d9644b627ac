import numpy as np
import pytest

from telecell.geometry import VIEWS_DEG, View, fit_view

FIELD_OF_VIEW_RAD = float(np.radians(40))

CORNERS = np.array([[x, y, z] for x in (-2, 1) for y in (0, 4) for z in (0, 2)], dtype=float)


def fit(name: str, aspect: float) -> View:
    return fit_view(name, CORNERS, fov_rad=FIELD_OF_VIEW_RAD, aspect=aspect)


def project(view: View, points: np.ndarray, aspect: float) -> np.ndarray:
    """Where points appear, 1 being the edge of the picture."""
    forward = (view.look_at - view.position) / np.linalg.norm(view.look_at - view.position)
    right = np.cross(forward, (0, 0, 1))
    right /= np.linalg.norm(right)
    up = np.cross(right, forward)
    rays = points - view.position
    tangent = np.tan(FIELD_OF_VIEW_RAD / 2)
    return np.stack([rays @ right / aspect, rays @ up], axis=1) / (tangent * (rays @ forward))[:, None]


@pytest.mark.parametrize("name", VIEWS_DEG)
@pytest.mark.parametrize("aspect", [0.5, 1.0, 2.0])
def test_the_whole_cell_is_in_the_picture_and_fills_it(name: str, aspect: float):
    reach = np.abs(project(fit(name, aspect), CORNERS, aspect)).max()
    assert 0.85 < reach < 1.0


def test_an_empty_cell_is_looked_at_around_the_middle():
    view = fit_view("iso", np.zeros((0, 3)), fov_rad=FIELD_OF_VIEW_RAD, aspect=1.0)
    assert np.linalg.norm(view.look_at) < 0.3
    assert 1 < view.distance_m < 4


def test_the_views_are_the_named_ones():
    directions = {name: fit(name, 1.0) for name in VIEWS_DEG}
    top = directions["top"].position - directions["top"].look_at
    front = directions["front"].position - directions["front"].look_at
    side = directions["side"].position - directions["side"].look_at
    assert top[2] > 100 * np.abs(top[:2]).max()
    assert front[0] > 5 * np.abs(front[1:]).max()
    assert -side[1] > 5 * np.abs(side[[0, 2]]).max()
