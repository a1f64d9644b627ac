"""`cells`, `robots` and `show`."""

from typing import get_args, get_type_hints

import pytest

from telecell.cli.robots import Kind
from telecell.models import ModelFile, list_cells, list_models


def test_cells_lists_the_catalog(telecell, telecell_json):
    cells = telecell_json("cells")["cells"]
    assert [cell["name"] for cell in cells] == list(list_cells())
    for cell in cells:
        assert cell["name"] in telecell("cells").stdout


def test_robots_lists_robots_before_everything_else(telecell_json):
    kinds = [model["kind"] for model in telecell_json("robots")["models"]]
    assert len(kinds) == len(list_models())
    assert kinds == sorted(kinds, key=["robot", "tool", "fixture", "part"].index)


def test_kinds_are_those_of_the_file_format():
    assert tuple(Kind) == get_args(get_type_hints(ModelFile)["kind"])


def test_robots_can_be_restricted_to_a_kind(telecell_json):
    models = telecell_json("robots", "--kind", "part")["models"]
    assert {model["kind"] for model in models} == {"part"}


def test_robots_states_the_number_of_axes(telecell_json):
    counts = {model["name"]: model["axis_count"] for model in telecell_json("robots")["models"]}
    assert (counts["puma560"], counts["aronson_cart"], counts["block"]) == (6, 3, 0)


def test_show_gives_limits_as_pairs_in_the_unit_of_the_axis(telecell_json):
    axes = {axis["name"]: axis for axis in telecell_json("show", "cirsse")["axes"]}
    assert len(axes) == 18
    assert axes["left_cart/linear"]["software_limits_m"] == [-1.372, 0.610]
    assert axes["left_puma/waist"]["software_limits_rad"] == pytest.approx([-4.38078, 1.29154], abs=1e-5)


def test_show_lists_overlapping_robots_with_their_axes(telecell_json):
    robots = {robot["name"]: robot for robot in telecell_json("show", "cirsse")["robots"]}
    assert robots["FL"]["axes"] == robots["CL"]["axes"] + robots["PL"]["axes"]
    assert robots["PL"]["tool"] == "left_gripper/fingers"


def test_show_takes_a_model_and_says_so(telecell_json):
    assert telecell_json("show", "puma560")["kind"] == "model"
    assert telecell_json("show", "puma")["kind"] == "cell"


def test_show_lists_the_cameras_of_cell_and_models(telecell_json):
    names = [camera["name"] for camera in telecell_json("show", "cirsse")["cameras"]]
    assert {"overview", "left_gripper/camera_left"} <= set(names)


def test_show_lists_the_signals_with_their_roles(telecell, telecell_json):
    signals = {signal["name"]: signal for signal in telecell_json("show", "puma")["signals"]}
    assert signals["door"] == {
        "name": "door",
        "title": "guard door closed",
        "direction": "in",
        "normal": True,
        "role": "guard_door",
    }
    assert (signals["valve"]["direction"], signals["valve"]["role"]) == ("out", None)
    assert "panic button released" in telecell("show", "puma").stdout


def test_show_prints_tables_with_everything(telecell):
    text = telecell("show", "cirsse").stdout
    for word in ("L Cart linear", "G1 L1", "-1.372 to 0.61 m", "FULL LEFT ARM", "left_gripper/fingers", "overview"):
        assert word in text


def test_show_takes_the_path_of_a_folder_or_file(telecell_json, tmp_path):
    (tmp_path / "cell.toml").write_text('format = 1\nname = "own"\nmounts = [{ name = "arm", model = "puma560" }]\n')
    assert telecell_json("show", str(tmp_path))["name"] == "own"
    assert telecell_json("show", str(tmp_path / "cell.toml"))["name"] == "own"


def test_folder_that_is_called_like_a_cell_does_not_hide_it(telecell_json, tmp_path, monkeypatch):
    (tmp_path / "puma").mkdir()
    monkeypatch.chdir(tmp_path)
    assert telecell_json("show", "puma")["title"] == "PUMA with force-sensing wrist"


def test_robot_file_is_refused_with_the_way_to_make_a_cell_of_it(telecell):
    result = telecell("show", "robot.urdf")
    assert result.exit_code == 1
    assert result.stderr == (
        "error: robot.urdf: a robot file, not a cell. Make a cell of it first: telecell new robot.urdf\n"
    )
