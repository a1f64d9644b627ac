"""MJCF and URDF become what their authors meant."""

from math import pi, radians
from pathlib import Path

import mujoco
import numpy as np
import pytest

from telecell.errors import CellFileError
from telecell.models import Model, compile_world, load_cell
from telecell.models.source import compile_spec, find_inside, load_source

from .cell_samples import ARM, CLAW, change, write_cell
from .robots import chain, urdf, write_stl

CUBE = '<mujoco><worldbody><body name="b">{}</body></worldbody>{}</mujoco>'


def load(path: Path, text: str) -> mujoco.MjModel:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return compile_spec(load_source(path, find_inside(path.parent)).spec, str(path))


def test_limits_of_a_file_in_degrees_stay_what_they_are(tmp_path: Path):
    """MJCF counts in degrees by default, and MuJoCo converts whatever stands in a range when it compiles."""
    model = compile_world(load_cell(write_cell(tmp_path)))
    assert model.joint("arm/turn").range == pytest.approx([radians(-170), radians(170)])
    assert model.joint("arm/bend").range == pytest.approx([radians(-10), radians(90)])


def test_limits_in_the_file_are_used_in_both_units(tmp_path: Path):
    for unit, limit in (("degree", 90), ("radian", pi / 2)):
        text = ARM.replace("<asset>", f'<compiler angle="{unit}"/><asset>')
        text = text.replace('name="turn"', f'name="turn" range="{-limit} {limit}"')
        folder = tmp_path / unit
        changes = {"arm/arm.xml": text} | change("arm/model.toml", "hardware_limits_deg = [-170.0, 170.0]\n", "")
        cell = load_cell(write_cell(folder, changes))
        assert cell.get_axis("arm/turn").hardware_limits == pytest.approx((-pi / 2, pi / 2))
        assert compile_world(cell).joint("arm/turn").range == pytest.approx([-pi / 2, pi / 2])


def test_what_the_cell_decides_is_left_out_without_a_warning(tmp_path: Path):
    sections = (
        '<option timestep="0.01" integrator="RK4"><flag contact="disable"/></option><size memory="900G"/>'
        '<visual><global offwidth="9"/></visual><statistic extent="9"/><sensor><clock nsample="999999999"/></sensor>'
    )
    cell = load_cell(write_cell(tmp_path, change("arm/arm.xml", "<asset>", sections + "<asset>")))
    model = compile_world(cell)
    assert model.opt.timestep == 0.002
    assert model.opt.disableflags == 0
    assert model.nsensor == 0


def test_includes_are_written_out_where_they_stand(tmp_path: Path):
    write_stl(tmp_path / "meshes" / "a.stl")
    write_stl(tmp_path / "parts" / "near.stl")
    (tmp_path / "parts" / "deep").mkdir()
    (tmp_path / "parts" / "body.xml").write_text(
        '<x>\n<body name="in"><geom type="mesh" mesh="a"/><include file="deep/more.xml"/></body>\n</x>'
    )
    (tmp_path / "parts" / "deep" / "more.xml").write_text('<x><body name="deeper"><geom size="0.1"/></body></x>')
    (tmp_path / "parts" / "assets.xml").write_text('<x><mesh file="a.stl"/><mesh file="near.stl"/></x>')
    model = load(
        tmp_path / "main.xml",
        '<mujoco><compiler meshdir="meshes"/><asset><include file="parts/assets.xml"/></asset>'
        '<worldbody><include file="parts/body.xml"/></worldbody></mujoco>',
    )
    assert [model.body(i).name for i in range(model.nbody)] == ["world", "in", "deeper"]
    assert model.nmesh == 2


def test_line_numbers_are_those_of_the_main_file(tmp_path: Path):
    (tmp_path / "more.xml").write_text("<x>\n\n\n<body/>\n\n</x>")
    text = '<mujoco>\n<worldbody>\n<include file="more.xml"/>\n<body pos="1 2"/>\n</worldbody>\n</mujoco>'
    with pytest.raises(
        CellFileError, match=r"main.xml, line 4: MuJoCo refuses it: attribute 'pos' does not have enough"
    ):
        load(tmp_path / "main.xml", text)


def test_strippath_and_assetdir_are_understood(tmp_path: Path):
    write_stl(tmp_path / "assets" / "a.stl")
    text = '<mujoco><compiler assetdir="assets" strippath="true"/><asset><mesh file="C/D/a.stl"/></asset></mujoco>'
    load(tmp_path / "main.xml", text)


def test_bodies_that_frames_are_named_after_are_kept(tmp_path: Path):
    fused = CUBE.format('<geom size="1"/>', '<compiler fusestatic="true"/>')
    assert load(tmp_path / "main.xml", fused).body("b").id == 1
    fixed = load(tmp_path / "main.urdf", urdf(["base weld plate fixed"]))
    assert [fixed.body(i).name for i in range(fixed.nbody)] == ["world", "base", "plate"]


def test_joints_that_do_the_same_are_refused_with_a_remedy(tmp_path: Path):
    text = CUBE.format('<joint axis="0 0 1"/><joint axis="0 0 1"/><geom size="0.1"/>', "")
    with pytest.raises(
        CellFileError, match=r"singular.* Give moving bodies enough mass, and no two joints the same axis"
    ):
        load(tmp_path / "main.xml", text)


def test_warnings_of_mujoco_are_kept_as_remarks(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "r.urdf"
    path.write_text(urdf(['base swing arm revolute <limit lower="0" upper="0" effort="1" velocity="1"/>']))
    source = load_source(path, find_inside(tmp_path))
    assert source.remarks == ("joint 'swing' has equal lower and upper limits, limit ignored",)
    assert capfd.readouterr() == ("", "")
    assert not Path("MUJOCO_LOG.TXT").exists()


def test_urdf_speeds_and_efforts_are_used(tmp_path: Path):
    path = tmp_path / "r.urdf"
    path.write_text(urdf(chain(2)))
    axes = Model.from_file(path, tmp_path).build_axes("r", {}, "")
    assert [axis.max_velocity for axis in axes] == [2.0, 2.0]
    assert [axis.max_torque for axis in axes] == [20.0, 20.0]


def test_joints_without_limits_get_a_full_turn_each_way(tmp_path: Path):
    path = tmp_path / "r.urdf"
    path.write_text(urdf(["base spin a continuous", "a push b prismatic <limit effort='1' velocity='1'/>"]))
    spin, push = Model.from_file(path, tmp_path).build_axes("r", {}, "")
    assert spin.hardware_limits == pytest.approx((-2 * pi, 2 * pi))
    assert push.hardware_limits == (-1.0, 1.0)


def test_urdf_meshes_of_one_name_do_not_clash(tmp_path: Path):
    write_stl(tmp_path / "big" / "link.stl", 0.5)
    write_stl(tmp_path / "small" / "link.stl", 0.1)
    text = urdf(["base swing arm"]).replace('<box size="0.02 0.02 0.05"/>', '<mesh filename="big/link.stl"/>', 1)
    text = text.replace('<box size="0.02 0.02 0.05"/>', '<mesh filename="small/link.stl"/>')
    model = load(tmp_path / "r.urdf", text)
    sizes = [np.ptp(model.mesh_vert[model.mesh_vertadr[i] :][: model.mesh_vertnum[i]], axis=0).max() for i in (0, 1)]
    assert sizes[0] > 3 * sizes[1]


def test_drawings_that_cannot_be_read_leave_the_collision_shapes(tmp_path: Path):
    model = load(tmp_path / "claw.urdf", CLAW)
    assert model.body("palm").geomnum == 1


def test_mimic_joints_follow(tmp_path: Path):
    model = load(tmp_path / "claw.urdf", CLAW)
    assert model.neq == 1
    assert model.eq_data[0, :2] == pytest.approx([0.0, -1.0])


@pytest.mark.parametrize("kind", ["fixture", "robot"])
def test_what_is_no_part_is_bolted_down(tmp_path: Path, kind: str):
    joint = (
        '<body name="arm" pos="0 0 1"><joint name="j" range="-90 90"/><geom size="0.1"/></body>'
        if kind == "robot"
        else ""
    )
    lid = '<body name="lid"><freejoint/><geom size="0.1"/></body>'
    (tmp_path / "b.xml").write_text(
        CUBE.format(f'<freejoint/><geom size="0.1"/>{joint}', "").replace("<body", lid + "<body", 1)
    )
    model = Model.from_file(tmp_path / "b.xml", tmp_path)
    assert model.description.kind == kind
    assert model.frames["b"].stands_still
    assert model.build_spec().compile().nq == (kind == "robot")


def test_a_lone_loose_body_is_a_part(tmp_path: Path):
    (tmp_path / "b.xml").write_text(CUBE.format('<freejoint/><geom size="0.1"/>', ""))
    assert Model.from_file(tmp_path / "b.xml", tmp_path).description.kind == "part"
