"""The commands that talk to a running cell, against one: real processes, a real bus, the fake plant."""

import json
import os
import select
import signal

import numpy as np
import pytest

from telecell.errors import MotionStopped
from telecell.geometry import deg
from tests.cli.running_cell import TIMEOUT_S, run_cell, wait_until

pytestmark = pytest.mark.real_time

SLOWLY = ("--by", "60 0 0 0 0 0", "--speed", "0.1")


def rotation(tool):
    """The turning part of a tool's pose in a document."""
    return np.array(tool["matrix"])[:3, :3]


# Looking


def test_status_shows_the_robot_and_who_is_there(puma, telecell_json):
    document = telecell_json("status")
    assert document["cell"] == "puma"
    assert document["robots"] == [{"name": "puma", "mode": "holding", "holder": None, "stopped": [], "cleared_by": []}]
    parts = [process["part"] for process in document["processes"]]
    assert {"server", "worker", "client"} <= set(parts)
    assert parts.count("server") == 1


def test_status_for_people_says_what_stops_the_robot_and_what_clears_it(puma, telecell):
    puma.stop("bob")
    output = telecell("status").stdout
    assert "stop by anybody" in output
    assert "reset" in output


def test_where_agrees_with_the_client(puma, telecell_json):
    location = puma.manipulator("puma").where()
    document = telecell_json("where", "puma")
    assert document["joints_rad"] == list(location.joints)
    assert document["tool"]["xyz_m"] == pytest.approx(location.pose().position.tolist(), abs=1e-12)
    assert {frame["name"] for frame in document["frames"]} == set(location.frames)


def test_where_refuses_a_robot_that_is_not_there(puma, telecell):
    result = telecell("where", "pumma")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "Did you mean 'puma'?" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--cell", "nowhere"], "nowhere"),
        (["--connect", "127.0.0.1"], "Write tcp/HOST:PORT"),
        (["--connect", "tcp/127.0.0.1:9"], "tcp/127.0.0.1:9"),
        (["--site", "mars"], "telecell up"),
    ],
)
def test_cell_that_does_not_run_is_refused_in_one_line(puma, telecell, arguments, complaint):
    result = telecell("status", *arguments)
    assert (result.exit_code, result.stdout) == (1, "")
    assert complaint in result.stderr
    assert result.stderr.count("\n") == 1


# Moving


@pytest.mark.parametrize(
    ("target", "joints_deg"),
    [
        (["--joints", "5 -95 90 0 0 0"], (5, -95, 90, 0, 0, 0)),
        (["--by", "0 2 0 0 0 -3"], (0, -88, 90, 0, 0, -3)),
        (["--pose", "ready"], (0, -90, 90, 0, 0, 0)),
        (["--home"], (0, -90, 90, 0, 0, 0)),
    ],
)
def test_move_arrives_where_it_was_told_to(puma, telecell_json, target, joints_deg):
    document = telecell_json("move", "puma", *target)
    assert document["outcome"] == "arrived"
    assert document["joints_desired_rad"] == pytest.approx(deg(*joints_deg), abs=1e-4)  # the encoders' steps
    assert puma.state().grants == ()


def test_line_keeps_the_tool_turned_as_it_is_or_turns_it(puma, telecell, telecell_json):
    telecell("move", "puma", "--joints", "0 -70 130 0 20 0")
    before = telecell_json("where", "puma")["tool"]
    x, y, z = (1000 * metres for metres in before["xyz_m"])
    after = telecell_json("move", "puma", "--line", f"{x} {y + 20} {z}", "--tip-speed", "100")["tool"]
    assert after["xyz_m"] == pytest.approx([x / 1000, y / 1000 + 0.02, z / 1000], abs=1e-4)  # the encoders' steps
    assert np.allclose(rotation(after), rotation(before), atol=1e-3)
    o, a, t = np.degrees(before["oat_rad"])
    turned = telecell_json("move", "puma", "--line", f"{x} {y} {z} {o} {a + 5} {t}")["tool"]
    assert turned["oat_rad"] == pytest.approx(deg(o, a + 5, t), abs=1e-3)


def test_arrival_is_told_in_degrees_and_millimetres(puma, telecell):
    result = telecell("move", "puma", "--joints", "5 -90 90 0 0 0")
    first, second = result.stdout.splitlines()
    assert first == "puma arrived at 5.00 -90.00 90.00 0.00 0.00 0.00 (deg)"
    assert second.startswith("tool at -33.")


def test_long_motion_is_told_of_every_second_beside_the_result(puma, telecell):
    result = telecell("move", "puma", "--by", "20 0 0 0 0 0", "--speed", "0.1")
    assert result.stderr.startswith("puma: 1 of ")
    assert "puma arrived" in result.stdout


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--home", "--pose", "ready"],
        ["--joints", "1 2 3"],
        ["--joints", "0 0 0 0 0 nan"],
        ["--by", "a b c d e f"],
        ["--line", "1 2"],
    ],
)
def test_bad_targets_have_exit_code_2_and_take_no_control(puma, telecell, arguments):
    newest = puma.grants().history[-1]
    assert telecell("move", "puma", *arguments).exit_code == 2
    assert puma.grants().history[-1] == newest


def test_move_without_power_is_refused_with_the_option_that_helps(puma, telecell):
    with puma.control("test bench"):
        puma.manipulator("puma").power(False)
    result = telecell("move", "puma", "--home")
    assert result.exit_code == 1
    assert result.stderr == "error: robot puma: the drives are off. Add --power to switch them on.\n"
    assert telecell("move", "puma", "--home", "--power").exit_code == 0


def test_move_after_a_stop_needs_an_explicit_reset(puma, telecell):
    telecell("stop")
    refused = telecell("move", "puma", "--home", "--power")
    assert refused.exit_code == 1
    assert "add --reset" in refused.stderr
    assert telecell("move", "puma", "--home", "--reset").exit_code == 0


def test_move_of_a_robot_that_somebody_holds_is_refused(puma, telecell):
    with puma.control("alice"):
        result = telecell("move", "puma", "--home", "--as", "bob")
    assert result.exit_code == 1
    assert "alice" in result.stderr
    assert "--wait" in result.stderr


def test_move_waits_for_control(puma, start):
    with puma.control("alice"):
        process = start("move", "puma", "--by", "1 0 0 0 0 0", "--as", "bob", "--wait", "20")
        wait_until(puma, lambda: "bob" in puma.state().waiting)
    assert process.wait(TIMEOUT_S) == 0


def test_ctrl_c_halts_on_the_path_and_says_where_the_robot_stands(puma, start):
    process = start("move", "puma", *SLOWLY)
    wait_until(puma, lambda: puma.manipulator("puma").mode == "moving")
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=TIMEOUT_S)
    assert process.returncode == 130
    assert output.startswith("puma halted at ")
    wait_until(puma, lambda: puma.manipulator("puma").mode == "holding")


def test_move_that_is_stopped_fails_with_the_reason(puma, start, telecell):
    process = start("move", "puma", *SLOWLY)
    wait_until(puma, lambda: puma.manipulator("puma").mode == "moving")
    telecell("stop", "puma", "--as", "bob")
    output, complaint = process.communicate(timeout=TIMEOUT_S)
    assert (process.returncode, output) == (1, "")
    assert "pressed by bob" in complaint


# Stopping


@pytest.mark.parametrize("robot", [[], ["puma"]])
def test_stop_needs_no_control_and_says_what_was_stopped(puma, telecell_json, robot):
    with puma.control("alice"):
        segment = puma.manipulator("puma").move_joints_by(deg(60, 0, 0, 0, 0, 0), speed=0.1)
        document = telecell_json("stop", *robot, "--as", "bob")
        with pytest.raises(MotionStopped, match="pressed by bob"):
            segment.wait()
    assert document["author"] == "bob"
    assert [(robot["mode"], robot["stopped"]) for robot in document["robots"]] == [("stopped", ["stop"])]


def test_reset_takes_control_and_gives_it_back(puma, telecell_json):
    puma.stop("bob")
    document = telecell_json("reset", "puma", "--as", "carol")
    assert (document["holder"], document["robots"][0]["mode"]) == ("carol", "holding")
    assert [change.holder for change in puma.grants().history[-2:]] == ["carol", "carol"]
    assert puma.grants().grants == ()


def test_reset_of_what_somebody_holds_is_refused(puma, telecell):
    with puma.control("alice"):
        result = telecell("reset")
    assert result.exit_code == 1
    assert "somebody else has control" in result.stderr


# Watching


def test_watch_prints_a_line_per_robot_and_every_event(puma, start):
    process = start("watch", "--lines", "--seconds", "2")
    first = process.stdout.readline()
    assert "puma holding, held by nobody, 0.00 -90.00 90.00" in first
    with puma.control("alice"):
        pass
    rest = process.communicate(timeout=TIMEOUT_S)[0]
    assert "alice has control" in rest


def test_watch_of_events_prints_nothing_else(puma, start):
    process = start("watch", "--events", "--json")
    while not select.select([process.stdout], [], [], 0)[0]:  # nothing says when it has begun to watch
        with puma.control("alice"):
            pass
    event = json.loads(process.stdout.readline())
    assert event["event"] == "grant_changed"
    assert "alice" in event["text"]
    process.send_signal(signal.SIGINT)
    assert process.wait(TIMEOUT_S) == 130


def test_watch_goes_on_after_the_cell_was_restarted(runtime_folder, start, telecell_json):
    with run_cell("puma", "--plant", "fake", "--site", "spare"):
        processes = telecell_json("status", "--site", "spare")["processes"]
        server = next(one["identity"] for one in processes if one["part"] == "server")
        watch = start("watch", "--json", "--site", "spare")
        epoch = json.loads(watch.stdout.readline())["epoch"]
        os.kill(int(server), signal.SIGKILL)
        documents = (json.loads(line) for line in watch.stdout)
        assert any("restarted" in document.get("notice", "") for document in documents)
        after = next(document for document in documents if "epoch" in document)
    assert after["epoch"] != epoch
    assert after["robots"][0]["mode"] == "off"


# Grants


def test_grants_are_listed_with_holder_waiter_and_history(puma, start, telecell_json):
    with puma.control("alice", "puma"):
        process = start("move", "puma", "--by", "1 0 0 0 0 0", "--as", "bob", "--wait", "20")
        wait_until(puma, lambda: "bob" in puma.state().waiting)
        document = telecell_json("grants")
    assert [grant["holder"] for grant in document["grants"]] == ["alice"]
    assert [waiter["holder"] for waiter in document["waiting"]] == ["bob"]
    assert document["history"][-1]["change"] == "queued"
    assert process.wait(TIMEOUT_S) == 0


def test_what_is_taken_back_is_stopped_and_kept_by_nobody(puma, telecell_json):
    puma.take_control("alice")
    document = telecell_json("grants", "--take-back", "--reason", "lunch", "--as", "boss", "puma")
    assert document["grants"] == []
    assert any(change["reason"] == "taken back by boss: lunch" for change in document["history"])
    wait_until(puma, lambda: puma.manipulator("puma").mode == "stopped")


@pytest.mark.parametrize("arguments", [["--take-back"], ["--reason", "lunch"], ["puma"]])
def test_taking_back_needs_a_reason(puma, telecell, arguments):
    assert telecell("grants", *arguments).exit_code == 2


def test_taking_back_what_nobody_has_changes_nothing(puma, telecell):
    newest = puma.grants().history[-1]
    result = telecell("grants", "--take-back", "--reason", "lunch")
    assert (result.exit_code, result.stderr) == (0, "nobody has control of that: nothing to take back\n")
    assert puma.grants().history[-1] == newest
