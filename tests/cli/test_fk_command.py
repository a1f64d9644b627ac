"""`telecell fk` against published and hand-computed poses of the PUMA 560."""

import pytest

READY = "0 -90 90 0 0 0"
BENT = "30 -120 60 40 50 -70"


def test_ready_puts_the_wrist_straight_above_the_shoulder(telecell_json):
    document = telecell_json("fk", "puma560", "--joints-deg", READY)
    assert document["xyz_m"] == pytest.approx([-0.0203, 0.15005, 0.8636], abs=1e-12)
    assert document["quaternion_wxyz"] == pytest.approx([1, 0, 0, 0], abs=1e-12)
    assert (document["frame"], document["base"]) == ("puma560/wrist", "puma560/shoulder")


def test_bent_arm_has_the_golden_position(telecell_json):
    document = telecell_json("fk", "puma560", "--joints-deg", BENT)
    assert document["xyz_m"] == pytest.approx([-0.594640042525, -0.170052772839, 0.572269453657], abs=1e-11)


def test_named_pose_and_its_joints_are_the_same(telecell_json):
    assert telecell_json("fk", "puma560", "--pose", "ready") == telecell_json("fk", "puma560", "--joints-deg", READY)


def test_joints_may_be_separated_by_commas(telecell_json):
    assert telecell_json("fk", "puma560", "--joints-deg", READY.replace(" ", ","))["xyz_m"][2] == pytest.approx(0.8636)


def test_first_joint_may_be_negative(telecell_json):
    document = telecell_json("fk", "puma560", "--joints-deg", "-30 0 0 0 0 0")
    assert document["joints_rad"][0] == pytest.approx(-0.5235987755982988)


def test_frame_and_base_can_be_chosen_by_their_short_names(telecell_json):
    document = telecell_json("fk", "puma560", "--pose", "ready", "--frame", "flange", "--base", "mount")
    # 55.88 mm from wrist to flange, 671.83 mm from mount to shoulder.
    assert document["xyz_m"] == pytest.approx([-0.0203, 0.15005, 0.8636 + 0.05588 + 0.67183], abs=1e-12)
    assert document["frame"] == "puma560/flange"


def test_robot_of_a_cell_takes_slides_in_metres(telecell_json):
    near, far = (
        telecell_json("fk", "cirsse/FL", "--joints-deg", f"{metres} 0 0 0 -45 180 0 45 90") for metres in (-1.3, -1.0)
    )
    assert far["xyz_m"][1] - near["xyz_m"][1] == pytest.approx(0.3)
    assert near["joints_rad_m"][0] == -1.3


def test_robot_of_an_own_cell_is_named_by_path_and_colon(telecell_json, tmp_path):
    (tmp_path / "cell.toml").write_text(
        """
        format = 1
        name = "own"
        mounts = [{ name = "arm", model = "puma560" }]
        robots = [{ name = "left", axes = ["arm/*"], base = "arm/shoulder", tip = "arm/wrist" }]
        """
    )
    named = telecell_json("fk", f"{tmp_path}:left", "--joints-deg", READY)
    assert named == telecell_json("fk", str(tmp_path), "--joints-deg", READY)
    assert named["xyz_m"] == pytest.approx([-0.0203, 0.15005, 0.8636], abs=1e-12)


def test_table_has_millimetres_degrees_and_val_angles(telecell):
    lines = telecell("fk", "puma560", "--pose", "ready").stdout.splitlines()
    rows = {line.strip().split("  ")[0]: line.split() for line in lines}
    assert rows["x y z, mm"][-3:] == ["-20.300", "150.050", "863.600"]
    assert rows["O A T (VAL), deg"][-3:] == ["90.000", "-90.000", "0.000"]


def test_joints_outside_the_limits_are_computed_with_a_note(telecell, telecell_json):
    joints = "0 50 0 0 0 0"
    assert "note: outside the software limits: shoulder at 50 by 7 deg" in (
        telecell("fk", "puma560", "--joints-deg", joints).stderr
    )
    document = telecell_json("fk", "puma560", "--joints-deg", joints)
    assert (document["inside_limits"], document["outside"]) == (False, ["puma560/shoulder"])


@pytest.mark.parametrize(
    ("joints", "complaint"),
    [
        ("a b", "'a' is not a number"),
        ("0 0 nan 0 0 0", "finite numbers are needed, got 'nan'"),
        ("0 0 0 0 0 -inf", "finite numbers are needed, got '-inf'"),
        ("0 0", "puma560 needs 6 values in one quoted argument, got 2"),
        ("", "puma560 needs 6 values in one quoted argument, got 0"),
    ],
)
def test_bad_joint_values_are_bad_usage(telecell, joints, complaint):
    result = telecell("fk", "puma560", "--joints-deg", joints)
    assert result.exit_code == 2
    text = " ".join(result.stderr.replace("│", " ").split())
    assert complaint in text
    assert "--joints-deg" in text


@pytest.mark.parametrize("options", [[], ["--pose", "ready", "--joints-deg", READY]])
def test_joints_or_pose_must_be_given_and_not_both(telecell, options):
    assert telecell("fk", "puma560", *options).exit_code == 2


@pytest.mark.parametrize(
    ("model", "complaint"),
    [
        ("cirsse", "cirsse: more than one robot; choose from: cirsse/CL, cirsse/CR, cirsse/PL"),
        ("cirsse/XX", "cell cirsse: no robot of that name, got 'XX'"),
        ("block", "block: no robot with kinematics"),
        ("pumba560", "Did you mean 'puma560'?"),
    ],
)
def test_robot_that_cannot_be_meant_is_refused(telecell, model, complaint):
    result = telecell("fk", model, "--pose", "ready")
    assert result.exit_code == 1
    assert complaint in result.stderr


@pytest.mark.parametrize(
    ("option", "complaint"),
    [
        (["--pose", "redy"], "no pose of that name, got 'redy'"),
        (["--pose", "ready", "--frame", "nose"], "no frame of that name, got 'nose'"),
    ],
)
def test_unknown_pose_or_frame_is_refused_with_the_known_ones(telecell, option, complaint):
    result = telecell("fk", "puma560", *option)
    assert result.exit_code == 1
    assert complaint in result.stderr
    assert "choose from" in result.stderr


def test_short_frame_name_that_two_mounts_have_is_refused(telecell):
    result = telecell("fk", "cirsse/FL", "--pose", "ready", "--frame", "grip")
    assert result.exit_code == 1
    assert "more than one frame of that name, got 'grip'; choose from: left_gripper/grip, right_gripper/grip" in (
        result.stderr
    )
