"""`telecell new` makes a cell of any robot file, or leaves nothing behind."""

import tomllib
from pathlib import Path

import mujoco
import numpy as np
import pytest

from telecell.errors import CellFileError
from telecell.facilities.new import write_proposal
from telecell.models import Cell, build_start_posture, compile_world, load_cell
from telecell.models.drawing import build_drawing
from telecell.plant import PhysicsPlant

from ..models.robots import chain, hold, urdf, write_stl

ROBOTS = next(Path(np.__file__).parents[1].glob("cmeel.prefix/share/example-robot-data/robots"))
UR5 = ROBOTS / "ur_description" / "urdf" / "ur5_robot.urdf"
PANDA = ROBOTS / "panda_description" / "urdf" / "panda.urdf"
DRIFT_RAD = 1e-3


@pytest.fixture(scope="module")
def ur5(tmp_path_factory: pytest.TempPathFactory) -> Cell:
    return load_cell(write_proposal(UR5, tmp_path_factory.mktemp("ur5") / "cell"))


@pytest.fixture(scope="module")
def panda(tmp_path_factory: pytest.TempPathFactory) -> Cell:
    return load_cell(write_proposal(PANDA, tmp_path_factory.mktemp("panda") / "cell"))


def propose(folder: Path, text: str, name: str = "robot.urdf", **more: dict[str, Path]) -> Cell:
    source = folder / "source" / name
    source.parent.mkdir(exist_ok=True)
    source.write_text(text)
    return load_cell(write_proposal(source, folder / "cell", **more))


def list_contacts(cell: Cell) -> list[set[str]]:
    model = compile_world(cell)
    data = mujoco.MjData(model)
    data.qpos[:] = build_start_posture(cell, model)
    mujoco.mj_kinematics(model, data)
    mujoco.mj_collision(model, data)
    return [{model.body(int(model.geom_bodyid[geom])).name for geom in pair} for pair in data.contact.geom]


# Robots that nobody here drew


def test_ur5_is_one_robot_of_six_axes(ur5: Cell):
    (robot,) = ur5.robots
    assert robot.name == "ur5"
    assert [axis.name for axis in robot.axes] == [
        f"ur5/{name}_joint" for name in ("shoulder_pan", "shoulder_lift", "elbow", "wrist_1", "wrist_2", "wrist_3")
    ]
    assert (robot.base, robot.tip, robot.tool) == ("ur5/base_link", "ur5/tool0", None)
    assert [axis.max_torque for axis in robot.axes] == [150, 150, 150, 28, 28, 28]
    assert [axis.max_velocity for axis in robot.axes] == pytest.approx([3.15, 3.15, 3.15, 3.2, 3.2, 3.2])
    assert robot.axes[2].hardware_limits == pytest.approx((-np.pi, np.pi))


def test_panda_is_one_robot_of_seven_axes_with_a_hand_of_two_fingers(panda: Cell):
    (robot,) = panda.robots
    assert len(robot.axes) == 7
    assert (robot.base, robot.tip, robot.tool) == ("panda/panda_link0", "panda/panda_hand_tcp", "panda/hand")
    (hand,) = panda.tools
    assert hand.joints == ("panda/panda_finger_joint1", "panda/panda_finger_joint2")
    assert (hand.closed, hand.open) == ((0.0, 0.0), (0.04, 0.04))


@pytest.mark.parametrize("name", ["ur5", "panda"])
def test_holds_still_in_physics(name: str, request: pytest.FixtureRequest):
    cell = request.getfixturevalue(name)
    assert list_contacts(cell) == []
    plant = PhysicsPlant(cell)
    measured = hold(plant, 1.0, cell.start)
    assert np.abs(measured.q_measured - cell.start).max() < DRIFT_RAD
    assert plant.data.ncon == 0


@pytest.mark.parametrize("opening", [0.0, 0.5, 1.0])
def test_the_hand_of_the_panda_holds_any_opening(panda: Cell, opening: float):
    """Its fingers weigh 15 g and its effort limit is 100 N: without the inertia of a drive they would never settle."""
    measured = hold(PhysicsPlant(panda), 0.6, panda.start, opening)
    assert measured.openings == pytest.approx([opening], abs=0.01)


def test_drawings_in_dae_give_way_to_collision_shapes(panda: Cell):
    assert "MuJoCo cannot read 11 drawings" in (panda.path.parent / "panda" / "model.toml").read_text()
    drawn = {body.name: body.shapes for body in build_drawing(compile_world(panda))}
    assert {shape.kind for shape in drawn["panda/panda_link3"]} == {"mesh"}


def test_the_folder_is_complete_in_itself(ur5: Cell, tmp_path: Path):
    """Moved elsewhere, it still loads: nothing in it points to where it came from."""
    moved = ur5.path.parent.rename(tmp_path / "moved")
    try:
        compile_world(load_cell(moved))
    finally:
        moved.rename(ur5.path.parent)
    files = {path.relative_to(ur5.path.parent).as_posix() for path in ur5.path.parent.rglob("*") if path.is_file()}
    assert {"cell.toml", "ur5/model.toml", "ur5/ur5_robot.urdf", "ur5/assets/forearm.stl"} <= files


def test_the_copy_differs_only_in_the_names_of_files(ur5: Cell):
    old, new = UR5.read_text().splitlines(), (ur5.path.parent / "ur5" / UR5.name).read_text().splitlines()
    assert len(old) == len(new)
    assert all(was == now or "<mesh filename=" in was for was, now in zip(old, new, strict=True))


# How files are found


def mesh_robot(first: str, second: str | None = None) -> str:
    """A robot of two links with these meshes."""
    text = urdf(chain(1), shape="MESH")
    return text.replace("MESH", f'<mesh filename="{first}"/>', 1).replace(
        "MESH", f'<mesh filename="{second or first}"/>'
    )


def test_meshes_of_the_same_name_do_not_clash(tmp_path: Path):
    write_stl(tmp_path / "source" / "visual" / "link.stl", 0.01)
    write_stl(tmp_path / "source" / "collision" / "link.stl", 0.03)
    cell = propose(tmp_path, mesh_robot("visual/link.stl", "collision/link.stl"))
    assets = cell.path.parent / "robot" / "assets"
    assert (assets / "visual" / "link.stl").read_bytes() != (assets / "collision" / "link.stl").read_bytes()
    assert compile_world(cell).nmesh == 2


@pytest.mark.parametrize("place", ["source", "source/share/parts", "parts", "share/parts"])
def test_packages_are_found_above_and_beside(tmp_path: Path, place: str):
    name = "source" if place == "source" else "parts"
    write_stl(tmp_path / place / "meshes" / "link.stl")
    propose(tmp_path, mesh_robot(f"package://{name}/meshes/link.stl", f"package://{name}/meshes/link.stl"))


def test_packages_are_found_where_one_says(tmp_path: Path):
    write_stl(tmp_path / "far" / "away" / "link.stl")
    cell = propose(tmp_path, mesh_robot("package://arm/link.stl"), packages={"arm": tmp_path / "far" / "away"})
    assert (cell.path.parent / "robot" / "assets" / "link.stl").is_file()


def test_absolute_addresses_are_copied(tmp_path: Path):
    mesh = write_stl(tmp_path / "elsewhere" / "link.stl")
    propose(tmp_path, mesh_robot(f"file://{mesh}", str(mesh)))


def test_mjcf_comes_with_its_includes_meshes_and_comments(tmp_path: Path):
    write_stl(tmp_path / "source" / "m" / "link.stl")
    (tmp_path / "source" / "parts").mkdir()
    (tmp_path / "source" / "parts" / "assets.xml").write_text('<x>\n<asset><mesh file="link.stl"/></asset>\n</x>')
    text = """<!-- Licence: be kind. -->
<mujoco model="my arm">
  <compiler meshdir="m" angle="radian"/>
  <option timestep="0.004"/>
  <include file="parts/assets.xml"/>
  <worldbody>
    <body name="base">
      <geom type="mesh" mesh="link"/>
      <body name="a" pos="0 0 0.2"><joint name="one" axis="0 1 0" range="-2 2"/><geom size="0.03"/>
        <body name="b" pos="0 0 0.2"><joint name="two" axis="0 1 0"/><geom size="0.03"/></body>
      </body>
    </body>
  </worldbody>
  <keyframe><key name="home" qpos="0.5 0.2"/></keyframe>
</mujoco>
"""
    cell = propose(tmp_path, text, "scene.xml")
    copied = (cell.path.parent / "my_arm" / "scene.xml").read_text()
    assert copied.startswith("<!-- Licence: be kind. -->")
    assert '<option timestep="0.004"/>' in copied
    assert "include" not in copied
    assert cell.robots[0].poses.keys() == {"home", "start"}
    assert cell.start == pytest.approx([0.5, 0.2], abs=1e-3), "the file's own posture comes first"
    model = tomllib.loads((cell.path.parent / "my_arm" / "model.toml").read_text())
    assert model["axes"]["two"]["hardware_limits_deg"] == [-360.0, 360.0]
    assert "guessed, the file has none" in (cell.path.parent / "my_arm" / "model.toml").read_text()


# What is proposed


def test_robots_are_named_after_their_joints(tmp_path: Path):
    arms = [*chain(1), *chain(4, "j_link1", "left_joint_"), *chain(4, "j_link1", "right_joint_")]
    cell = propose(tmp_path, urdf(arms, name="twins"))
    assert [robot.name for robot in cell.robots] == ["left", "right"]
    assert cell.robots[0].base == "twins/j_link1"
    assert cell.robots[0].axis_names == tuple(f"twins/left_joint_{i}" for i in range(1, 5))


def test_a_start_on_the_floor_is_avoided(ur5: Cell):
    """At zero the UR5 lies on the floor."""
    assert np.degrees(ur5.start) == pytest.approx([0, -90, 0, 0, 0, 0])


def test_a_robot_that_always_reaches_below_the_floor_is_raised(tmp_path: Path):
    legs = urdf([*chain(2, "base", "l"), *chain(2, "base", "r")]).replace('xyz="0 0 0.2"', 'xyz="0 0 -0.2"')
    cell = propose(tmp_path, legs)
    assert cell.mounts[0].offset.position[2] > 0.3
    assert list_contacts(cell) == []


def test_bodies_that_always_overlap_are_excluded_with_a_comment(tmp_path: Path):
    """Links longer than the distance of their joints: the neighbours of neighbours are inside each other."""
    cell = propose(tmp_path, urdf(chain(3), shape='<sphere radius="0.35"/>').replace('xyz="0 0 0.2"', 'xyz="0 0 0.3"'))
    text = (cell.path.parent / "cell.toml").read_text()
    assert "overlap" in text
    assert ("robot/j_link1", "robot/j_link3") in cell.file.collision.exclude
    assert list_contacts(cell) == []


def test_a_robot_without_axes_is_a_fixture_and_has_no_pose(tmp_path: Path):
    cell = propose(tmp_path, urdf(["base weld top fixed"]))
    assert cell.mounts[0].model.description.kind == "fixture"
    assert cell.poses == {}


def test_names_that_no_name_may_have_are_kept_for_joints_and_mended_for_the_cell(tmp_path: Path):
    text = urdf(chain(2), name="My robot, v1.0").replace('"j1"', '"joint one"').replace('"j_link1"', '"link/1 é"')
    cell = propose(tmp_path, text)
    assert cell.name == "My_robot_v1_0"
    assert cell.title == "My robot, v1.0"
    assert cell.axes[0].name == "My_robot_v1_0/joint one"


@pytest.mark.parametrize("name", ["world", "", "..."])
def test_a_robot_whose_name_cannot_be_used_gets_another(tmp_path: Path, name: str):
    assert propose(tmp_path, urdf(chain(2), name=name)).mounts[0].name == "robot"


# What goes wrong leaves nothing


def test_an_existing_folder_is_never_touched(tmp_path: Path):
    (tmp_path / "cell").mkdir()
    with pytest.raises(CellFileError) as caught:
        propose(tmp_path, urdf(chain(2)))
    assert str(caught.value) == (
        f"{tmp_path}/cell: the folder exists already. Choose another one with --out, or remove it."
    )
    assert list((tmp_path / "cell").iterdir()) == []


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (urdf(chain(2)).replace('<mass value="1"/>', ""), "line 6, <joint>: a moving link has no inertia: 'j_link1'"),
        (mesh_robot("gone.stl"), "line 3, <mesh filename>: file not found, got 'gone.stl'. Check the name"),
        (
            mesh_robot("package://gone/a.stl"),
            "file not found, got 'package://gone/a.stl'. Say where the package is: `telecell new --package gone=DIR`.",
        ),
        (mesh_robot("http://example.org/a.stl"), "not a kind of address that is known, got 'http://example.org/a.stl'"),
        ("<robot name='r'>", "not valid XML: no element found: line 1"),
        (urdf(chain(2)).replace("<axis", "<axis xyz='1 2'/><axis"), "MuJoCo refuses it"),
    ],
)
def test_a_failure_names_the_original_and_leaves_nothing_behind(tmp_path: Path, text: str, problem: str):
    with pytest.raises(CellFileError) as caught:
        propose(tmp_path, text)
    assert problem in str(caught.value)
    assert str(caught.value).startswith(f"{tmp_path}/source/robot.urdf")
    assert [path.name for path in tmp_path.iterdir()] == ["source"]


def test_a_missing_file_is_missing(tmp_path: Path):
    with pytest.raises(CellFileError, match=r"gone.urdf: file not found"):
        write_proposal(tmp_path / "gone.urdf", tmp_path / "cell")


def test_folders_above_are_made(tmp_path: Path):
    (tmp_path / "robot.urdf").write_text(urdf(chain(2)))
    path = write_proposal(tmp_path / "robot.urdf", tmp_path / "a" / "b" / "cell")
    assert path == tmp_path / "a" / "b" / "cell" / "cell.toml"
    assert sorted(entry.name for entry in (tmp_path / "a" / "b").iterdir()) == ["cell"]


def test_a_place_where_nobody_may_write(tmp_path: Path):
    (tmp_path / "robot.urdf").write_text(urdf(chain(2)))
    with pytest.raises(CellFileError, match=r"cannot be written: (Not a directory|File exists)"):
        write_proposal(tmp_path / "robot.urdf", tmp_path / "robot.urdf" / "cell")
