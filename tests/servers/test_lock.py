import os
import subprocess
import sys

import pytest

from telecell.errors import CellBusy, ServerError
from telecell.models import load_cell
from telecell.servers.lock import hold_cell, validate_free

PUMA = load_cell("puma")

HOLDER = """
import sys
from telecell.models import load_cell
from telecell.servers.lock import hold_cell
with hold_cell(load_cell("puma"), "local"):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_second_server_is_refused_with_the_first_one_named():
    with hold_cell(PUMA, "local"):
        text = (
            f"cell puma: another server runs the cell, process {os.getpid()}. "
            "Connect to it, or end the program that started it."
        )
        with pytest.raises(CellBusy) as caught, hold_cell(PUMA, "local"):
            pass
        assert str(caught.value) == text
        with pytest.raises(CellBusy):
            validate_free(PUMA, "local")


def test_cells_of_other_sites_and_other_names_are_free():
    with hold_cell(PUMA, "local"), hold_cell(PUMA, "other"), hold_cell(load_cell("cirsse"), "local"):
        pass


def test_a_cell_is_free_again_afterwards():
    with hold_cell(PUMA, "local"):
        pass
    validate_free(PUMA, "local")
    with hold_cell(PUMA, "local"):
        pass


def test_the_lock_goes_with_a_killed_process():
    with subprocess.Popen([sys.executable, "-c", HOLDER], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(CellBusy, match=f"process {holder.pid}"):
            validate_free(PUMA, "local")
        holder.kill()
        holder.wait()
    validate_free(PUMA, "local")


def test_a_state_folder_that_cannot_be_written_is_a_clear_error(monkeypatch: pytest.MonkeyPatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    with pytest.raises(ServerError, match=r"server\.lock: cannot be written: Not a directory.*XDG_STATE_HOME"):
        validate_free(PUMA, "local")
