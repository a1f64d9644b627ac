"""What comes with Telecell loads, moves within its limits, and says where its numbers come from."""

import xml.etree.ElementTree as ET
from pathlib import Path

import mujoco
import numpy as np
import pytest

from telecell.models import build_start_posture, compile_world, list_cells, list_models, load_cell, load_model_cell
from telecell.models.catalog import CELLS, MODELS
from telecell.plant.build import build_plant

CELL_NAMES = list(list_cells())
MODEL_NAMES = list(list_models())
ROOM = 1e-9
"""Conversion between degrees and radians costs a few last digits."""


def load(name: str):
    return load_cell(name) if name in CELL_NAMES else load_model_cell(name)


def test_the_catalog_has_the_promised_entries():
    assert {"puma", "cirsse"} <= set(CELL_NAMES)
    assert "puma560" in MODEL_NAMES


@pytest.mark.parametrize("folder", sorted(path.parent for path in (*MODELS.glob("*/*.toml"), *CELLS.glob("*/*.toml"))))
def test_every_folder_says_where_its_numbers_come_from(folder: Path):
    assert (folder / "PROVENANCE.md").is_file(), f"{folder.name} has no PROVENANCE.md"


@pytest.mark.parametrize("name", [*MODEL_NAMES, *CELL_NAMES])
def test_loads_and_compiles(name: str):
    cell = load(name)
    assert compile_world(cell).nbody > 1
    assert cell.title
    assert cell.title[0] == cell.title[0].upper()


@pytest.mark.parametrize("name", [*MODEL_NAMES, *CELL_NAMES])
def test_every_axis_has_limits_and_speeds_of_its_own(name: str):
    for axis in load(name).axes:
        low, high = axis.software_limits
        assert axis.hardware_limits[0] <= low < high <= axis.hardware_limits[1]
        assert np.isfinite([axis.max_velocity, axis.max_acceleration, axis.max_jerk]).all()
        assert min(axis.max_velocity, axis.max_acceleration, axis.max_jerk) > 0


@pytest.mark.parametrize("name", MODEL_NAMES)
def test_the_catalog_leaves_no_axis_to_defaults(name: str):
    for key, entry in list_models()[name].axes.items():
        assert entry.hardware_limits_deg or entry.hardware_limits_m, key
        assert entry.speed_deg_s or entry.speed_m_s, key


@pytest.mark.parametrize("name", [*MODEL_NAMES, *CELL_NAMES])
def test_named_poses_are_inside_the_limits(name: str):
    cell = load(name)
    for robot in cell.robots:
        for values in robot.poses.values():
            assert len(values) == len(robot.axes)
            assert [axis.clamp(v) for axis, v in zip(robot.axes, values, strict=True)] == pytest.approx(
                values, abs=ROOM
            )
    assert [axis.clamp(v) for axis, v in zip(cell.axes, cell.start, strict=True)] == list(cell.start)


@pytest.mark.parametrize("name", MODEL_NAMES)
def test_no_pose_of_a_model_was_lost(name: str):
    robots = load_model_cell(name).robots
    poses = list_models()[name].poses
    if robots and robots[0].axes == load_model_cell(name).axes:
        assert set(robots[0].poses) == set(poses)


@pytest.mark.parametrize("name", MODEL_NAMES)
def test_explicit_inertia_keeps_its_centre_of_mass(name: str):
    """MuJoCo takes the body's own position for a centre of mass that nobody gave."""
    entry = list_models()[name]
    model = compile_world(load_model_cell(name))
    for body in ET.parse(MODELS / name / entry.file).iter("body"):
        inertial = body.find("inertial")
        if inertial is not None:
            assert "pos" in inertial.attrib, f"{body.get('name')} has mass without a place"
            written = np.array(inertial.get("pos", "").split(), dtype=float)
            assert model.body(f"{name}/{body.get('name')}").ipos == pytest.approx(written)


@pytest.mark.parametrize("name", [*MODEL_NAMES, *CELL_NAMES])
def test_the_plant_never_pushes_from_a_distance(name: str):
    """Near-miss distances belong to the watch; in the plant they would change the physics."""
    model = build_plant(load(name)).model
    for values in (model.geom_gap, model.geom_margin, model.pair_gap, model.pair_margin):
        assert not values.any()


def test_puma_bolted_to_the_world_turns_its_waist_without_contact():
    """MuJoCo does not leave out parent and child when the parent stands still: the waist would jam."""
    cell = load_model_cell("puma560")
    model = compile_world(cell)
    data = mujoco.MjData(model)
    ready = build_start_posture(cell, model)
    ready[:6] = np.radians([0, -90, 90, 0, 0, 0])
    for waist in np.linspace(*cell.axes[0].hardware_limits, 100):
        data.qpos[:] = ready
        data.qpos[0] = waist
        mujoco.mj_kinematics(model, data)
        mujoco.mj_collision(model, data)
        assert data.ncon == 0


@pytest.mark.parametrize("name", CELL_NAMES)
def test_no_cell_starts_in_a_collision(name: str):
    """Parts may rest on something: they sink in by a fraction of a millimetre."""
    cell = load_cell(name)
    model = compile_world(cell)
    data = mujoco.MjData(model)
    data.qpos[:] = build_start_posture(cell, model)
    mujoco.mj_kinematics(model, data)
    mujoco.mj_collision(model, data)
    for contact in data.contact:
        mounts = {model.body(int(model.geom_bodyid[geom])).name.partition("/")[0] for geom in contact.geom}
        assert contact.dist > -1e-4 or mounts & set(cell.parts), mounts
