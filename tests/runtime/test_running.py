"""A running cell: requests wait for the next tick, queries do not; poses are kept in a file that people can read."""

import math
from pathlib import Path
from typing import Any

import msgspec
import pytest

from telecell.errors import CellFileError, InputError, PlantLost, UnknownName
from telecell.messages import CellState, MalformedRequest, Refused, queries, replies, settings
from telecell.messages.moves import MoveNamed
from telecell.messages.stopping import Reset
from telecell.models import load_cell
from telecell.plant import FakePlant
from telecell.runtime import RunningCell, start_cell
from telecell.runtime.pose_file import find_pose_file, read_poses, write_poses
from telecell.runtime.running import MAX_WAITING

PUMA = load_cell("puma")


class Desk:
    """Somebody who holds the grant and asks one thing after the other."""

    def __init__(self, running: RunningCell):
        self.running = running
        self._sequence = 0
        self._grant = None
        self._grant = self.ask(settings.TakeControl, holder="desk").grant

    def ask(self, kind: type, **fields: Any) -> Any:
        self._sequence += 1
        self.running.submit(kind(sequence=self._sequence, grant=self._grant, echo=self.running.tick, **fields))
        return self.running.step()[0][-1]

    def power(self, robot: str = "puma") -> None:
        self.ask(settings.Power, robot=robot, on=True)
        self.run(3)

    def run(self, ticks: int) -> None:
        for _ in range(ticks):
            self.running.step()


@pytest.fixture
def puma() -> RunningCell:
    return start_cell("puma", keep_poses=False)


def start_fake(pose_file: Path | None = None) -> RunningCell:
    return RunningCell(PUMA, FakePlant(PUMA), pose_file=pose_file)


def test_a_cell_comes_up_standing_without_power_and_without_a_holder(puma: RunningCell):
    for _ in range(250):
        puma.step()
    state = puma.state()
    assert state.robots[0].mode == "off"
    assert state.holder is None
    assert not any(axis.powered for axis in state.axes)
    joints = [axis.q_measured for axis in state.axes]
    assert joints == pytest.approx(PUMA.get_robot("puma").get_pose("ready"), abs=2e-3)


def test_a_query_is_answered_at_once_and_a_command_by_the_next_tick(puma: RunningCell):
    assert isinstance(puma.answer(queries.Where(sequence=1, robot="puma")), replies.Located)
    assert puma.tick == 0
    puma.submit(settings.TakeControl(sequence=2, holder="me"))
    answers, _ = puma.step()
    assert [(type(reply), reply.sequence) for reply in answers] == [(replies.Controlled, 2)]
    assert puma.tick == 1


def test_more_requests_than_a_tick_can_take_are_refused_and_all_are_answered():
    running = start_fake()
    for sequence in range(MAX_WAITING + 20):
        running.submit(MalformedRequest(sequence, "noise"))
    answers, _ = running.step()
    assert sorted(reply.sequence for reply in answers) == list(range(MAX_WAITING + 20))
    full = [reply for reply in answers if isinstance(reply, Refused) and reply.error.kind == "QueueFull"]
    assert len(full) == 20


def test_the_state_survives_json_and_is_finite(puma: RunningCell):
    desk = Desk(puma)
    desk.power()
    desk.ask(MoveNamed, robot="puma", pose="work")
    desk.run(75)
    state = puma.state()
    assert b"null" not in msgspec.json.encode(state.robots)
    assert msgspec.json.decode(msgspec.json.encode(state), type=CellState) == state
    assert state.robots[0].moving
    assert state.robots[0].segment == 1
    assert {frame.name for frame in state.frames} == {"puma/shoulder", "puma/flange", "jaw/grip"}
    assert state.signals == {"door": True, "panic": True, "valve": False, "jaw/crossfire": False}


def test_a_lost_plant_stops_the_cell_which_goes_on_and_recovers_after_reset():
    class Flaky(FakePlant):
        lost = False

        def step(self, command):
            if self.lost:
                raise PlantLost("no answer", where="line 1")
            return super().step(command)

    plant = Flaky(PUMA)
    desk = Desk(RunningCell(PUMA, plant))
    desk.power()
    desk.ask(MoveNamed, robot="puma", pose="work")
    desk.run(20)
    plant.lost = True
    desk.run(3)
    assert desk.running.state().robots[0].mode == "stopped"
    assert {axis.stopped for axis in desk.running.state().axes} == {"plant_lost"}
    plant.lost = False
    assert isinstance(desk.ask(Reset), replies.Done)
    desk.power()
    assert isinstance(desk.ask(MoveNamed, robot="puma", pose="work"), replies.Queued)
    before = desk.running.tick
    desk.run(5)
    assert desk.running.tick == before + 5


# Named poses


def test_a_saved_pose_is_there_again_after_a_restart(tmp_path: Path):
    file = tmp_path / "cell" / "poses.toml"
    desk = Desk(start_fake(file))
    joints = (0.1, -1.2, 1.9, 0.0, 0.4, -0.2)
    desk.ask(settings.SavePose, robot="puma", name="over_bin", joints=joints)
    desk.ask(settings.SavePose, robot="puma", name="here")
    again = Desk(start_fake(file))
    again.power()
    reply = again.ask(MoveNamed, robot="puma", pose="over_bin")
    assert reply.goal == pytest.approx(joints, abs=1e-8)
    again.ask(settings.DeletePose, robot="puma", name="here")
    assert list(read_poses(file, PUMA)["puma"]) == ["over_bin"]


def test_the_file_can_be_read_by_people(tmp_path: Path):
    file = tmp_path / "poses.toml"
    write_poses(file, PUMA, {"puma": {"straight": tuple(math.radians(v) for v in (0, -90, 90, 0, 0, 45))}})
    assert file.read_text().splitlines()[-2:] == ["[puma]", "straight = [0.0, -90.0, 90.0, 0.0, 0.0, 45.0]"]
    assert [path.name for path in tmp_path.iterdir()] == ["poses.toml"]


def test_poses_of_the_cell_file_are_neither_overwritten_nor_deleted(tmp_path: Path):
    desk = Desk(start_fake(tmp_path / "poses.toml"))
    assert "has a pose of that name" in desk.ask(settings.SavePose, robot="puma", name="ready").error.text
    assert "no saved pose" in desk.ask(settings.DeletePose, robot="puma", name="ready").error.text


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("[puma]\nhigh = [0, 0", "cannot be read"),
        ("[pumma]\nhigh = [0, 0, 0, 0, 0, 0]", "no robot of that name, got 'pumma'"),
        ("puma = 3", "a table of poses is needed"),
        ("[puma]\nhigh = [0, 0, 0]", "one value per axis is needed: 6"),
        ('[puma]\nhigh = ["a", 0, 0, 0, 0, 0]', "a list of numbers is needed"),
        ("[puma]\nhigh = [999, 0, 0, 0, 0, 0]", "leaves the software limits of axis puma/waist"),
        ("[puma]\nhigh = [nan, 0, 0, 0, 0, 0]", "leaves the software limits of axis puma/waist"),
    ],
)
def test_a_broken_pose_file_is_refused_by_name_and_left_as_it_is(tmp_path: Path, content: str, complaint: str):
    file = tmp_path / "poses.toml"
    file.write_text(content)
    with pytest.raises((CellFileError, UnknownName)) as caught:
        start_fake(file)
    assert complaint in str(caught.value)
    assert str(file) in str(caught.value)
    assert file.read_text() == content


def test_poses_are_kept_in_the_users_own_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert find_pose_file(PUMA) == tmp_path / "telecell" / "local" / "puma" / "poses.toml"


# Opening, pictures


def test_unknown_plants_and_cells_are_refused_with_the_known_ones():
    with pytest.raises(UnknownName, match="physics"):
        start_cell("puma", plant="phisics")
    with pytest.raises(UnknownName, match="cirsse"):
        start_cell("cirse")


@pytest.mark.rendering
@pytest.mark.parametrize("view", ["iso", "front", "side", "top", "hand"])
def test_pictures_show_the_cell(puma: RunningCell, view: str, tmp_path: Path):
    picture = puma.render(view, width=320, height=200)
    assert picture.pixels.shape == (200, 320, 3)
    assert picture.pixels.std() > 10, "an empty picture"
    assert picture.save(tmp_path / "cell.png").read_bytes().startswith(b"\x89PNG")


def test_an_unknown_view_is_refused_with_the_known_ones(puma: RunningCell):
    with pytest.raises(UnknownName, match="iso"):
        puma.render("izo")
    with pytest.raises(InputError, match="picture size"):
        puma.render("iso", width=0)
