"""`telecell doctor` on the machine that runs the tests."""

import json
import socket

import telecell as package


def get_check(document, name):
    return next(check for check in document["checks"] if check["name"] == name)


def test_machine_that_runs_the_tests_is_ready(telecell_json):
    document = telecell_json("doctor")
    assert document["ready"] is True
    assert get_check(document, "telecell")["value"] == package.__version__
    for dependency in ("mujoco", "numpy", "viser", "typer"):
        assert get_check(document, dependency)["status"] == "ok"


def test_busy_port_is_a_warning_with_another_one_to_take(telecell_json):
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            other.bind(("127.0.0.1", 8080))
            other.listen()
        except OSError:
            pass  # somebody else has it: the better for this test
        check = get_check(telecell_json("doctor"), "port 8080")
    assert check["status"] == "warning"
    assert "--port" in check["remedy"]


def test_folder_that_cannot_be_written_names_the_variable_to_set(telecell_json, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    check = get_check(telecell_json("doctor"), "state folder")
    assert check["status"] == "warning"
    assert "XDG_STATE_HOME" in check["remedy"]


def test_table_says_the_same_as_the_document(telecell):
    result = telecell("doctor")
    names = [check["name"] for check in json.loads(telecell("doctor", "--json").stdout)["checks"]]
    assert all(name in result.stdout for name in names)
    assert result.stderr == "ready for `telecell up`\n"
