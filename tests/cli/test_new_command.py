"""`telecell new`: from a robot file to a cell that the other commands take."""

import pytest

ARM = """
<robot name="pointer">
  <link name="base"/>
  <link name="upper">
    <inertial>
      <mass value="2"/><origin xyz="0 0 0.15"/>
      <inertia ixx="0.02" iyy="0.02" izz="0.002" ixy="0" ixz="0" iyz="0"/>
    </inertial>
    <collision>
      <origin xyz="0 0 0.05"/>
      <geometry><mesh filename="package://pointer_parts/link.obj"/></geometry>
    </collision>
  </link>
  <link name="fore">
    <inertial>
      <mass value="1"/><origin xyz="0 0 0.15"/>
      <inertia ixx="0.01" iyy="0.01" izz="0.001" ixy="0" ixz="0" iyz="0"/>
    </inertial>
    <collision>
      <origin xyz="0 0 0.05"/>
      <geometry><mesh filename="package://pointer_parts/link.obj"/></geometry>
    </collision>
  </link>
  <joint name="shoulder" type="revolute">
    <parent link="base"/><child link="upper"/><origin xyz="0 0 0.2"/><axis xyz="0 1 0"/>
    <limit lower="-1.5" upper="1.5" effort="60" velocity="2"/>
  </joint>
  <joint name="elbow" type="revolute">
    <parent link="upper"/><child link="fore"/><origin xyz="0 0 0.3"/><axis xyz="0 1 0"/>
    <limit lower="-1.0" upper="1.0" effort="30" velocity="2"/>
  </joint>
</robot>
"""

LINK = """
v -0.03 -0.03 0
v 0.03 -0.03 0
v 0.03 0.03 0
v -0.03 0.03 0
v -0.03 -0.03 0.2
v 0.03 -0.03 0.2
v 0.03 0.03 0.2
v -0.03 0.03 0.2
f 4 3 2 1
f 5 6 7 8
f 1 2 6 5
f 2 3 7 6
f 3 4 8 7
f 4 1 5 8
"""


@pytest.fixture
def robot_file(tmp_path, monkeypatch):
    """A robot file in one folder, its mesh in a ROS package elsewhere, and the working folder beside them."""
    (tmp_path / "robots").mkdir()
    (tmp_path / "robots" / "pointer.urdf").write_text(ARM)
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "link.obj").write_text(LINK)
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    return "../robots/pointer.urdf"


PACKAGE = ("--package", "pointer_parts=../elsewhere")


def test_proposal_is_shown_with_the_commands_to_try_next(telecell, robot_file):
    result = telecell("new", robot_file, *PACKAGE)
    assert result.exit_code == 0
    assert "Wrote pointer/cell.toml" in result.stdout
    assert "Axes: pointer/shoulder, pointer/elbow" in result.stdout
    for command in ("check", "show", "picture", "up"):
        assert f"  telecell {command} ./pointer\n" in result.stdout


@pytest.mark.parametrize("folder", ["pointer", "deep/er"])
def test_commands_that_are_proposed_take_the_new_cell(telecell, robot_file, folder):
    proposal = telecell("new", robot_file, *PACKAGE, "--out", folder).stdout
    commands = [line.split()[1:] for line in proposal.splitlines() if line.startswith("  telecell ")]
    for command, argument in commands:
        if command in ("check", "show"):
            assert telecell(command, argument).exit_code == 0


def test_robot_of_the_new_cell_has_kinematics(telecell_json, telecell, robot_file):
    telecell("new", robot_file, *PACKAGE)
    document = telecell_json("fk", "./pointer:pointer", "--joints-deg", "90 0", "--base", "base")
    assert document["xyz_m"] == pytest.approx([0.3, 0, 0.2], abs=1e-12)


def test_existing_folder_is_never_touched(telecell, robot_file, tmp_path):
    keep = tmp_path / "work" / "pointer"
    keep.mkdir()
    result = telecell("new", robot_file, *PACKAGE)
    assert result.exit_code == 1
    assert result.stderr == (
        "error: pointer: the folder exists already. Choose another one with --out, or remove it.\n"
    )
    assert list(keep.iterdir()) == []


def test_missing_package_is_refused_and_nothing_is_left(telecell, robot_file, tmp_path):
    result = telecell("new", robot_file)
    assert result.exit_code == 1
    assert "package://pointer_parts/link.obj" in result.stderr
    assert list((tmp_path / "work").iterdir()) == []


def test_missing_file_is_refused(telecell, robot_file):
    result = telecell("new", "nothing.urdf")
    assert result.exit_code == 1
    assert result.stderr.startswith("error: nothing.urdf: ")


@pytest.mark.parametrize("package", ["pointer_parts", "=../elsewhere", "pointer_parts="])
def test_package_without_name_or_folder_is_bad_usage(telecell, robot_file, package):
    result = telecell("new", robot_file, "--package", package)
    assert result.exit_code == 2
    assert "NAME=DIR" in result.stderr
