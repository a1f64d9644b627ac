"""A running cell: requests wait for the next tick, queries do not; poses are kept in a file that people can read."""

import math
from pathlib import Path

import msgspec
import pytest

from telecell.client import CellClient
from telecell.client.in_process import InProcess
from telecell.errors import CellFileError, InputError, PlantLost, UnknownName
from telecell.messages import CellState, MalformedRequest, Refused, queries, replies, settings
from telecell.models import load_cell
from telecell.plant import FakePlant
from telecell.runtime import RunningCell, start_cell
from telecell.runtime.pose_file import find_pose_file, read_poses, write_poses
from telecell.runtime.running import MAX_WAITING

PUMA = load_cell("puma")


def connect(running: RunningCell) -> CellClient:
    """Somebody who has control of a running cell."""
    client = CellClient.connect(InProcess(running))
    client.take_control("desk")
    return client


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
    arm = connect(puma).manipulator("puma")
    arm.power(True)
    arm.move_to("work")
    for _ in range(75):
        puma.step()
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
    desk = connect(RunningCell(PUMA, plant))
    arm = desk.manipulator("puma")
    arm.power(True)
    segment = arm.move_to("work")
    desk.run(0.1)
    plant.lost = True
    with pytest.raises(PlantLost, match="no answer"):
        segment.wait()
    assert desk.state().robots[0].mode == "stopped"
    assert {axis.stopped for axis in desk.state().axes} == {"plant_lost"}
    plant.lost = False
    arm.reset()
    arm.power(True)
    assert arm.move_to("work").wait().outcome == "arrived"


# Named poses


def test_a_saved_pose_is_there_again_after_a_restart(tmp_path: Path):
    file = tmp_path / "cell" / "poses.toml"
    arm = connect(start_fake(file)).manipulator("puma")
    joints = (0.1, -1.2, 1.9, 0.0, 0.4, -0.2)
    arm.save_pose("over_bin", joints)
    arm.save_pose("here")
    again = connect(start_fake(file)).manipulator("puma")
    again.power(True)
    assert again.move_to("over_bin").goal == pytest.approx(joints, abs=1e-8)
    again.delete_pose("here")
    assert list(read_poses(file, PUMA)["puma"]) == ["over_bin"]


def test_the_file_can_be_read_by_people(tmp_path: Path):
    file = tmp_path / "poses.toml"
    write_poses(file, PUMA, {"puma": {"straight": tuple(math.radians(v) for v in (0, -90, 90, 0, 0, 45))}})
    assert file.read_text().splitlines()[-2:] == ["[puma]", "straight = [0.0, -90.0, 90.0, 0.0, 0.0, 45.0]"]
    assert [path.name for path in tmp_path.iterdir()] == ["poses.toml"]


def test_poses_of_the_cell_file_are_neither_overwritten_nor_deleted(tmp_path: Path):
    arm = connect(start_fake(tmp_path / "poses.toml")).manipulator("puma")
    with pytest.raises(InputError, match="has a pose of that name"):
        arm.save_pose("ready")
    with pytest.raises(UnknownName, match="no saved pose"):
        arm.delete_pose("ready")


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
