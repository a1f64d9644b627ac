"""Shared by the tests of processes: locks and sockets in folders of their own, where no other cell is in the way."""

from collections.abc import Iterator

import pytest


@pytest.fixture(scope="package", autouse=True)
def own_folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_RUNTIME_DIR", str(tmp_path_factory.mktemp("run")))
        patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        yield
