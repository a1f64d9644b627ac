"""Each flaw of a cell is found, named and measured; a cell without flaws has none."""

from math import pi, radians

import pytest

from telecell.facilities import check_cell, list_postures
from telecell.models import list_cells, list_models, load_cell, load_model_cell

CHECKS = ["inertia", "limits", "collision", "reach", "servo"]


def find_flaws(cell):
    return [finding for finding in check_cell(cell) if finding.severity != "ok"]


def pose(name, shoulder, elbow):
    return f"[poses.{name}]\njoints_deg_m = {{ arm = [{shoulder}, {elbow}] }}\n"


@pytest.mark.parametrize("name", list_cells())
def test_catalog_cell_has_no_flaw(name):
    assert find_flaws(load_cell(name)) == []


@pytest.mark.parametrize("name", [name for name, file in list_models().items() if file.kind == "robot"])
def test_catalog_robot_has_no_flaw(name):
    assert find_flaws(load_model_cell(name)) == []


def test_sound_cell_has_one_ok_for_every_check(build):
    findings = check_cell(build(more=pose("folded", -60.0, 120.0)))
    assert [(finding.check, finding.severity) for finding in findings] == [(check, "ok") for check in CHECKS]


def test_findings_are_the_same_every_time(build):
    assert check_cell(build()) == check_cell(build())


def test_reach_is_stated_from_base_to_tip(build):
    reach = next(finding for finding in check_cell(build()) if finding.check == "reach")
    # The stretched arm, straight up: 0.7 m to the shoulder and 0.55 m of arm; samples come within 5 cm of it.
    assert reach.value == pytest.approx(1.25, abs=0.05)
    assert reach.unit == "m"


def test_link_heavier_than_tungsten_is_doubted(build):
    (flaw, *_) = find_flaws(build(upper='<geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.04" mass="300"/>'))
    assert (flaw.check, flaw.severity, flaw.where) == ("inertia", "warning", "body arm/upper")
    # A cylinder of 0.3 m and two half balls, 40 mm thick, of 300 kg.
    assert flaw.value == pytest.approx(300 / 1.776e-3, rel=1e-3)
    assert flaw.limit == 20_000
    assert flaw.unit == "kg/m3"


def test_inertia_in_wrong_units_is_doubted(build):
    upper = """
      <inertial pos="0.15 0 0" mass="3" diaginertia="30 30 30"/>
      <geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.04"/>
    """
    flaws = find_flaws(build(upper=upper))
    assert "radius of gyration over size out of range" in [flaw.what for flaw in flaws]


def test_pose_of_a_model_that_the_cell_leaves_out_is_a_warning(tmp_path):
    (tmp_path / "cell.toml").write_text(
        """
        format = 1
        name = "narrow"
        mounts = [{ name = "arm", model = "puma560", axes = { elbow = { software_limits_deg = [-43.0, 120.0] } } }]
        robots = [{ name = "arm", axes = ["arm/*"], base = "arm/shoulder", tip = "arm/flange" }]
        """
    )
    (flaw,) = find_flaws(load_cell(tmp_path))
    assert (flaw.check, flaw.severity) == ("limits", "warning")
    assert flaw.where == "pose 'work' of model puma560, axis arm/elbow"
    assert flaw.what == "elbow would be 60.00 deg outside its software limits"
    assert (flaw.value, flaw.limit, flaw.unit) == (pytest.approx(pi), radians(120), "rad")


def test_pose_in_collision_is_an_error_that_names_both_bodies(build):
    (flaw,) = [f for f in find_flaws(build(more=pose("crash", 60.0, 150.0))) if f.check == "collision"]
    assert (flaw.severity, flaw.where) == ("error", "pose 'crash'")
    assert flaw.what == "arm/base and arm/fore overlap"
    assert flaw.value is not None
    assert flaw.value > 0.01


@pytest.mark.parametrize(("depth_mm", "severities"), [(1.0, []), (5.0, ["error"])])
def test_part_may_rest_up_to_two_millimetres_deep(build, depth_mm, severities):
    height = 0.03 - depth_mm / 1000
    part = f'[[mounts]]\nname = "block"\nmodel = "./block"\nxyz_m = [0.5, 0.0, {height}]\n'
    flaws = find_flaws(build(more=part))
    assert [flaw.severity for flaw in flaws if flaw.check == "collision"] == severities


def test_drive_too_weak_for_its_arm_is_found(build):
    flaws = find_flaws(build(axes="[mounts.axes.shoulder]\ntorque_Nm = 5.0"))
    held = [flaw for flaw in flaws if flaw.severity == "error"]
    assert held[0].where == "start, axis arm/shoulder"
    assert "does not hold" in held[0].what


def test_drive_too_weak_for_its_acceleration_is_a_warning(build):
    flaws = find_flaws(build(axes="[mounts.axes.shoulder]\ntorque_Nm = 20.0\nacceleration_deg_s2 = 5000.0"))
    assert [(flaw.severity, flaw.where) for flaw in flaws] == [("warning", "axis arm/shoulder")]
    assert flaws[0].unit == "Nm"


@pytest.mark.parametrize(
    ("gains", "what"),
    [
        ("kp = 0.1\nkv = 1.0", "servo frequency out of range"),
        ("kp = 1.0e6\nkv = 1.0e4", "servo frequency out of range"),
        ("kp = 2000.0\nkv = 1.0", "servo damping ratio out of range"),
    ],
)
def test_servo_gains_that_cannot_work_are_doubted(build, gains, what):
    flaws = find_flaws(build(axes=f"[mounts.axes.elbow]\n{gains}"))
    assert ("axis arm/elbow", what) in [(flaw.where, flaw.what) for flaw in flaws]


def test_robot_whose_axes_are_no_arm_is_an_error(build):
    robot = '[[robots]]\nname = "half"\naxes = ["arm/elbow", "arm/shoulder"]\ntip = "arm/tip"\n'
    (flaw,) = find_flaws(build(more=robot))
    assert (flaw.check, flaw.severity, flaw.where) == ("reach", "error", "robot half")


def test_named_posture_is_taken_by_every_robot_that_has_it():
    cell = load_cell("cirsse")
    values = dict(zip((axis.name for axis in cell.axes), list_postures(cell)["stretch"], strict=True))
    stretch = cell.get_robot("PL").get_pose("stretch")
    for side in ("left", "right"):
        assert tuple(value for name, value in values.items() if name.startswith(f"{side}_puma/")) == stretch
    assert values["left_cart/linear"] == -1.3, "axes that the name says nothing about are where the cell starts"
