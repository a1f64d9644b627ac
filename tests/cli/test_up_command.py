"""`telecell up` and `telecell cell`: that they reach the supervisor, and that refusals reach the user."""

import socket
from pathlib import Path

import pytest


@pytest.mark.parametrize("command", [("up", "--headless"), ("cell",)], ids=" ".join)
def test_cell_runs_for_the_time_asked_for_and_gives_account(telecell_process, command: tuple[str, ...], tmp_path: Path):
    folders = {"XDG_RUNTIME_DIR": str(tmp_path), "XDG_STATE_HOME": str(tmp_path)}
    result = telecell_process(*command, "puma", "--seconds", "0.2", "--plant", "fake", **folders)
    assert (result.returncode, result.stderr) == (0, "")
    first, last = result.stdout.splitlines()
    assert first == "PUMA with force-sensing wrist is running without a page. Ctrl-C stops it."
    assert last.startswith("Simulated ")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["pumma", "--headless"], "no cell of that name, got 'pumma'"),
        (["--headless", "--seconds", "-1"], "--seconds: must be a positive number of seconds, got -1.0"),
        (["--headless", "--seconds", "nan"], "--seconds: must be a positive number of seconds, got nan"),
        (["--port", "99999"], "--port: not a port, got 99999"),
        (["--headless", "--profile", "wild"], "no profile of that name, got 'wild'; choose from: delayed, lab, local"),
        (["--headless", "--site", "a/b"], "not a name for a site on the bus, got 'a/b'"),
        (["--headless", "--listen", "tcp/0.0.0.0:7447"], "--listen: other machines could drive the cell"),
        (["--headless", "--listen", "7447"], "not an address on the network, got '7447'"),
        (["--plant", "magic"], "no plant driver of that name, got 'magic'; choose from: fake, physics"),
    ],
)
def test_what_cannot_run_is_refused(telecell, arguments, complaint):
    result = telecell("up", *arguments)
    assert (result.exit_code, result.stdout) == (1, "")
    assert complaint in result.stderr


def test_busy_port_is_refused_with_a_free_one_to_take(telecell):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        result = telecell("up", "--port", str(other.getsockname()[1]))
    assert result.exit_code == 1
    assert "choose another port, for example --port " in result.stderr
