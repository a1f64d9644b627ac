"""Poses that users name are kept in a readable file; a broken one is explained and left as it is."""

from pathlib import Path

import pytest

from telecell.errors import TelecellError
from telecell.messages import Grant, Refused, moves, queries, replies, settings
from telecell.messages.granting import Acquire
from telecell.models import load_cell
from telecell.plant import FakePlant
from telecell.runtime import RunningCell
from telecell.runtime.pose_file import find_pose_file, read_poses, write_poses

CELL = load_cell("puma")
JOINTS = (0.25, -1.5, 1.6, 0.1, -0.2, 0.3)


def start(path: Path) -> RunningCell:
    return RunningCell(CELL, FakePlant(CELL), pose_file=path)


def ask(running: RunningCell, kind: type, **fields) -> replies.Reply:
    request = kind(sequence=running.tick + 1, echo=running.tick, **fields)
    running.submit(request)
    answered, _ = running.step()
    return answered[0]


def take(running: RunningCell) -> Grant:
    reply = ask(running, Acquire, holder="tester", source="inside")
    assert isinstance(reply, replies.Granted)
    return reply.grants[0].grant


def test_a_saved_pose_is_there_after_a_restart(tmp_path: Path):
    path = tmp_path / "deep" / "poses.toml"
    running = start(path)
    grant = take(running)
    ask(running, settings.SavePose, grant=grant, robot="puma", name="corner", joints=JOINTS)
    kept = running.controller.arms["puma"].saved_poses["corner"]
    again = start(path)
    assert again.controller.arms["puma"].saved_poses == {"corner": kept}
    assert kept == pytest.approx(JOINTS, abs=1e-7)
    described = again.answer(queries.Describe(sequence=1))
    assert isinstance(described, replies.Described)
    assert "corner" in described.robots[0].poses


def test_a_saved_pose_can_be_moved_to(tmp_path: Path):
    running = start(tmp_path / "poses.toml")
    grant = take(running)
    ask(running, settings.SavePose, grant=grant, robot="puma", name="corner", joints=JOINTS)
    ask(running, settings.Power, grant=grant, robot="puma", on=True)
    for _ in range(3):
        running.step()
    queued = ask(running, moves.MoveNamed, grant=grant, robot="puma", pose="corner")
    assert isinstance(queued, replies.Queued)
    assert queued.goal == pytest.approx(JOINTS, abs=1e-7)


def test_a_deleted_pose_is_gone_after_a_restart(tmp_path: Path):
    path = tmp_path / "poses.toml"
    running = start(path)
    grant = take(running)
    for kind in (settings.SavePose, settings.DeletePose):
        assert not isinstance(ask(running, kind, grant=grant, robot="puma", name="corner"), Refused)
    assert start(path).controller.arms["puma"].saved_poses == {}


@pytest.mark.parametrize("name", ["ready", "", "a b", "1", "x" * 41, "é"])
def test_a_pose_needs_a_name_of_its_own(tmp_path: Path, name: str):
    path = tmp_path / "poses.toml"
    running = start(path)
    grant = take(running)
    assert isinstance(ask(running, settings.SavePose, grant=grant, robot="puma", name=name), Refused)
    assert not path.exists()


def test_the_poses_of_the_cell_file_cannot_be_deleted(tmp_path: Path):
    running = start(tmp_path / "poses.toml")
    grant = take(running)
    assert isinstance(ask(running, settings.DeletePose, grant=grant, robot="puma", name="ready"), Refused)


def test_the_file_is_for_people(tmp_path: Path):
    path = tmp_path / "poses.toml"
    write_poses(path, CELL, {"puma": {"corner": JOINTS}})
    text = path.read_text(encoding="utf-8")
    assert "degrees for hinges" in text
    assert "corner = [14.323945, -85.943669" in text
    assert read_poses(path, CELL)["puma"]["corner"] == pytest.approx(JOINTS, abs=1e-7)


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"[puma\ncorner = 1", "cannot be read"),
        (b"\xff\xfe", "cannot be read"),
        (b"[pumo]\ncorner = [0.0]", "puma"),
        (b"puma = 3", "table of poses"),
        (b"[puma]\ncorner = 'far'", "list of numbers"),
        (b"[puma]\ncorner = [true, 0, 0, 0, 0, 0]", "list of numbers"),
        (b"[puma]\ncorner = [0.0, 0.0]", "corner"),
        (b"[puma]\ncorner = [999.0, 0, 0, 0, 0, 0]", "corner"),
        (b"[puma]\ncorner = [nan, 0, 0, 0, 0, 0]", "corner"),
        (b"#" * 1_000_001, "too large"),
    ],
)
def test_a_broken_file_is_explained_and_left_as_it_is(tmp_path: Path, content: bytes, text: str):
    path = tmp_path / "poses.toml"
    path.write_bytes(content)
    with pytest.raises(TelecellError, match=text) as caught:
        start(path)
    assert str(path) in str(caught.value)
    assert path.read_bytes() == content


def test_poses_are_kept_in_the_users_own_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert find_pose_file(CELL) == tmp_path / "telecell" / "local" / "puma" / "poses.toml"
