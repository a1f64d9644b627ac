"""Shared by all tests: what the machine can do, fixed settings for random tests, and a state folder of their own."""

import shutil
import tempfile
from collections.abc import Iterator

import pytest
from hypothesis import settings

settings.register_profile("tests", deadline=None, derandomize=True)
settings.load_profile("tests")


def find_browser() -> str | None:
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


def rendering_problem() -> str | None:
    from telecell.errors import RenderingUnavailable
    from telecell.plant.cameras import open_context

    try:
        open_context()
    except RenderingUnavailable as error:
        return str(error)
    return None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if any(item.get_closest_marker("browser") for item in items) and find_browser() is None:
        _skip(items, "browser", "no Chromium on this machine: apt-get install chromium")
    if any(item.get_closest_marker("rendering") for item in items) and (problem := rendering_problem()):
        _skip(items, "rendering", problem)


def _skip(items: list[pytest.Item], marker: str, reason: str) -> None:
    for item in items:
        if item.get_closest_marker(marker):
            item.add_marker(pytest.mark.skip(reason=reason))


@pytest.fixture(scope="session")
def browser_path() -> str:
    path = find_browser()
    assert path is not None
    return path


@pytest.fixture(scope="session", autouse=True)
def state_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Nobody's saved poses are touched and no other cell is in the way, in subprocesses neither."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        with tempfile.TemporaryDirectory(prefix="run-") as folder:  # a short name: it is part of those of sockets
            patch.setenv("XDG_RUNTIME_DIR", folder)
            yield
