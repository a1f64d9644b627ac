"""A right cell means what its files say."""

from math import pi, radians
from pathlib import Path

import numpy as np
import pytest

from telecell.errors import UnknownName
from telecell.geometry import rotation_from_quaternion, rotation_z
from telecell.models import Cell, build_start_posture, compile_world, list_cells, load_cell, load_model_cell

from .cell_samples import CELL, MODEL, change, write_cell


@pytest.fixture
def cell(tmp_path: Path) -> Cell:
    return load_cell(write_cell(tmp_path))


def test_names_are_mount_and_element(cell: Cell):
    assert [mount.name for mount in cell.mounts] == ["arm", "block", "claw"], "each stands on an earlier one"
    assert [axis.name for axis in cell.axes] == ["arm/turn", "arm/bend"]
    assert [frame.name for frame in cell.frames][:3] == ["world", "arm/foot", "arm/hand"]
    assert cell.parts == ("block",)
    assert cell.get_part_body("block") == "block/block"


def test_what_is_left_out_is_chosen(cell: Cell):
    turn, bend = cell.axes
    assert turn.max_velocity == pytest.approx(radians(90))
    assert bend.max_velocity == pytest.approx(radians(60))
    assert bend.max_acceleration == pytest.approx(bend.max_velocity / 0.25)
    assert bend.max_jerk == pytest.approx(bend.max_acceleration / 0.025)
    assert turn.software_limits == turn.hardware_limits
    assert (turn.kp, turn.max_torque, turn.counts_per_unit, turn.weight) == (None, None, None, 1.0)
    assert bend.title == "bend"


def test_signals_keep_the_order_of_the_file_within_their_direction(tmp_path: Path):
    lines = (("door", "in", "true"), ("valve", "out", "false"), ("lamp", "out", "true"), ("mat", "in", "false"))
    entries = [f'[[signals]]\nname = "{n}"\ndirection = "{d}"\nnormal = {v}\n' for n, d, v in lines]
    cell = load_cell(write_cell(tmp_path, {"cell.toml": CELL + "".join(entries)}))
    assert [signal.name for signal in cell.signals] == ["door", "valve", "lamp", "mat"]
    assert [(signal.name, signal.normal) for signal in cell.inputs] == [("door", True), ("mat", False)]
    assert [(signal.name, signal.normal) for signal in cell.outputs] == [("valve", False), ("lamp", True)]
    assert (cell.get_signal("lamp").title, cell.get_signal("lamp").role) == ("lamp", None)
    with pytest.raises(UnknownName, match=r"no signal of that name, got 'lmap'.*Did you mean 'lamp'"):
        cell.get_signal("lmap")


def test_a_mount_can_differ_from_its_model(tmp_path: Path):
    override = 'model = "./arm"\naxes.bend.software_limits_deg = [10.0, 40.0]\naxes.bend.labels = ["J2"]'
    axis = load_cell(write_cell(tmp_path, change("cell.toml", 'model = "./arm"', override))).get_axis("arm/bend")
    assert axis.software_limits == pytest.approx((radians(10), radians(40)))
    assert axis.hardware_limits == pytest.approx((radians(-10), radians(90)))
    assert axis.labels == ("J2",)


def test_a_robot_has_the_poses_of_its_model_that_its_limits_allow(tmp_path: Path):
    poses = "[poses.low]\njoints_deg_m = [0.0, 5.0]\n[poses.high]\njoints_deg_m = [0.0, 35.0]\n"
    override = 'model = "./arm"\naxes.bend.software_limits_deg = [10.0, 40.0]'
    changes = change("cell.toml", 'model = "./arm"', override) | {"arm/model.toml": MODEL + poses}
    robot = load_cell(write_cell(tmp_path, changes)).get_robot("arm")
    assert robot.poses.keys() == {"home", "high"}
    assert robot.get_pose("high") == pytest.approx((0.0, radians(35)))


def test_a_value_rounded_onto_its_limit_is_inside(tmp_path: Path):
    limits = change("arm/model.toml", "[-170.0, 170.0]", "[-166.003062, 166.003062]")
    pose = change("cell.toml", "[0.0, 30.0]", "[166.00308, 30.0]")
    cell = load_cell(write_cell(tmp_path, limits | pose))
    assert cell.start[0] == cell.axes[0].software_limits[1]


def test_without_a_start_pose_axes_are_as_near_to_zero_as_they_may(tmp_path: Path):
    changes = change("cell.toml", 'start = "home"\n', "") | change("arm/model.toml", "[0.0, 80.0]", "[20.0, 80.0]")
    assert load_cell(write_cell(tmp_path, changes)).start == pytest.approx((0.0, radians(20)))


def test_a_mount_stands_where_it_is_put(tmp_path: Path):
    moved = 'model = "./arm"\nxyz_m = [1.0, 2.0, 3.0]\nrpy_deg = [0.0, 0.0, 90.0]'
    model = compile_world(load_cell(write_cell(tmp_path, change("cell.toml", 'model = "./arm"', moved))))
    base = model.body("arm/base")
    assert base.pos == pytest.approx([1, 2, 3])
    assert base.quat == pytest.approx([np.sqrt(0.5), 0, 0, np.sqrt(0.5)])
    assert model.body("claw/palm").pos == pytest.approx([0, 0, 0.02]), "on the hand of the arm"


def test_frames_and_cameras_of_the_cell_are_in_the_world(tmp_path: Path):
    added = '[[frames]]\nname = "pallet"\non = "arm/foot"\nxyz_m = [0.4, 0.0, 0.0]\n'
    cell = load_cell(write_cell(tmp_path, {"cell.toml": CELL + added}))
    model = compile_world(cell)
    assert model.site("pallet").pos == pytest.approx([0.4, 0, 0])
    assert model.camera("view").pos == pytest.approx([2, 0, 1])
    assert [camera.name for camera in cell.cameras] == ["view"]


def test_paint_changes_the_colour_of_one_instance(tmp_path: Path):
    model = compile_world(
        load_cell(
            write_cell(
                tmp_path, change("cell.toml", 'model = "./arm"', 'model = "./arm"\npaint = { paint = "#ff000080" }')
            )
        )
    )
    assert model.material("arm/paint").rgba == pytest.approx([1, 0, 0, 128 / 255])


def test_the_start_has_tools_open(cell: Cell):
    model = compile_world(cell)
    posture = build_start_posture(cell, model)
    assert posture[model.joint("claw/open_left").qposadr] == pytest.approx([0.04])
    assert posture[model.joint("arm/bend").qposadr] == pytest.approx([radians(30)])


def test_a_link_does_not_collide_with_the_base_it_turns_on(cell: Cell):
    model = compile_world(cell)
    pairs = {tuple(sorted((int(s) >> 16, int(s) & 0xFFFF))) for s in model.exclude_signature}
    assert tuple(sorted((model.body("arm/base").id, model.body("arm/column").id))) in pairs


@pytest.mark.parametrize("spelling", ["folder", "file", "text"])
def test_a_cell_is_found_by_folder_file_or_text(tmp_path: Path, spelling: str):
    file = write_cell(tmp_path)
    assert load_cell({"folder": tmp_path, "file": file, "text": str(tmp_path)}[spelling]).name == "bench"


def test_a_folder_without_a_cell_does_not_hide_the_catalog(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "puma").mkdir()
    monkeypatch.chdir(tmp_path)
    assert load_cell("puma").title == list_cells()["puma"].title


def test_a_model_alone_is_a_cell_with_its_own_frames():
    robot = load_model_cell("puma560").get_robot("puma560")
    assert (robot.base, robot.tip) == ("puma560/shoulder", "puma560/wrist")
    assert len(robot.axes) == 6
    assert robot.poses.keys() >= {"zero", "ready"}


@pytest.mark.parametrize("orientation", ["", 'euler="0 0 20"', 'quat="1 0 0 1"', 'axisangle="0 1 0 30"'])
def test_a_body_without_joints_can_be_turned_about_its_own_axis(tmp_path: Path, orientation: str):
    (tmp_path / "stand.xml").write_text(
        f'<mujoco><worldbody><body name="foot" {orientation}><geom size="0.1"/></body></worldbody></mujoco>'
    )
    mount = 'format = 1\nname = "turned"\n[[mounts]]\nname = "m"\nfile = "stand.xml"\n'
    poses = []
    for turn in ("", "turn_deg = { foot = 90.0 }\n"):
        (tmp_path / "cell.toml").write_text(mount + turn)
        poses.append(rotation_from_quaternion(compile_world(load_cell(tmp_path)).body("m/foot").quat))
    assert poses[0].T @ poses[1] == pytest.approx(rotation_z(pi / 2), abs=1e-9)
