"""`telecell up`: that it reaches the supervisor, and that refusals reach the user."""

import socket

import pytest


def test_cell_runs_for_the_time_asked_for_and_gives_account(telecell_process):
    result = telecell_process("up", "puma", "--headless", "--seconds", "0.2", "--plant", "fake")
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
