"""`telecell ik`: all branches of the PUMA 560, and honest answers where there are none."""

import json
from math import degrees

import pytest

BENT = [30, -120, 60, 40, 50, -70]
BENT_TEXT = " ".join(map(str, BENT))


def get_target(telecell_json, robot=("puma560",), joints=BENT_TEXT, **frames):
    """Arguments for the pose that fk computes."""
    options = [word for name, frame in frames.items() for word in (f"--{name}", frame)]
    pose = telecell_json("fk", *robot, "--joints-deg", joints, *options)
    xyz = [repr(metres) for metres in pose["xyz_m"]]
    rpy = [repr(degrees(angle)) for angle in pose["rpy_rad"]]
    return ["--xyz", *xyz, "--rpy-deg", *rpy, *options]


def find_bent(document, key="joints_rad"):
    """The solution that has the joints which the target was made from."""
    for solution in document["solutions"]:
        # Angles have gone through text in degrees and through roll, pitch, yaw.
        if [degrees(angle) for angle in solution[key]] == pytest.approx(BENT, abs=1e-7):
            return solution
    raise AssertionError("not among the solutions")


def test_bent_arm_is_found_with_its_branch(telecell_json):
    document = telecell_json("ik", "puma560", *get_target(telecell_json))
    solution = find_bent(document)
    assert solution["branch"] == {"arm": "righty", "elbow": "above", "wrist": "noflip"}
    assert solution["inside_limits"] is True
    assert document["method"] == "closed form"


def test_all_eight_branches_are_listed_those_inside_the_limits_first(telecell_json):
    solutions = telecell_json("ik", "puma560", *get_target(telecell_json))["solutions"]
    assert len({tuple(solution["branch"].values()) for solution in solutions}) == 8
    inside = [solution["inside_limits"] for solution in solutions]
    assert inside == sorted(inside, reverse=True)
    for solution in solutions:
        assert solution["inside_limits"] == (not solution["outside"]) == (min(solution["margins_rad"]) >= 0)


def test_reference_decides_which_solution_comes_first(telecell_json):
    target = get_target(telecell_json)
    for solution in telecell_json("ik", "puma560", *target)["solutions"]:
        if solution["inside_limits"]:
            reference = " ".join(repr(degrees(angle)) for angle in solution["joints_rad"])
            nearest = telecell_json("ik", "puma560", *target, "--reference-deg", reference)["solutions"][0]
            assert nearest["joints_rad"] == pytest.approx(solution["joints_rad"], abs=1e-9)


@pytest.mark.parametrize("frames", [{"frame": "flange"}, {"base": "mount"}, {"frame": "flange", "base": "world"}])
def test_target_may_be_stated_between_other_frames(telecell_json, frames):
    find_bent(telecell_json("ik", "puma560", *get_target(telecell_json, **frames)))


def test_redundant_robot_with_slides_answers_with_metres(telecell_json):
    joints = "-1.0 10 5 0 -45 180 0 45 90"
    target = get_target(telecell_json, ("cirsse/FL",), joints)
    document = telecell_json("ik", "cirsse/FL", *target)
    solution = document["solutions"][0]
    assert solution["inside_limits"] is True
    slide, *hinges = solution["joints_rad_m"]
    again = " ".join([repr(slide), *(repr(degrees(angle)) for angle in hinges)])
    reached = telecell_json("fk", "cirsse/FL", "--joints-deg", again)
    assert reached["matrix"] == [pytest.approx(row, abs=1e-6) for row in document["target"]["matrix"]]


def test_table_lists_branches_limits_and_margins(telecell, telecell_json):
    result = telecell("ik", "puma560", *get_target(telecell_json))
    assert result.exit_code == 0
    for word in ("righty", "lefty", "above", "below", "flip", "noflip", "inside", "outside: ", "margin"):
        assert word in result.stdout


def test_table_has_one_row_for_each_branch_and_counts_its_turns(telecell, telecell_json):
    target = get_target(telecell_json)
    rows = [line.split() for line in telecell("ik", "puma560", *target).stdout.splitlines()]
    # Number, three names of the branch, six joints, turns.
    turns = [int(row[10]) for row in rows if row and row[0].isdecimal()]
    assert len(turns) == 8
    assert sum(turns) == len(telecell_json("ik", "puma560", *target)["solutions"])


def test_point_out_of_reach_is_exit_code_1_with_the_reason(telecell):
    result = telecell("ik", "puma560", "--xyz", "3", "0", "0")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("error: robot puma560: ")
    assert len(result.stderr) > len("error: robot puma560: \n"), "the reason is stated"


def test_point_out_of_reach_is_a_document_too(telecell):
    result = telecell("ik", "puma560", "--xyz", "3", "0", "0", "--json")
    document = json.loads(result.stdout)
    assert result.exit_code == 1
    assert (document["reachable"], document["solutions"]) == (False, [])
    assert document["reason"] in result.stderr


def test_pose_that_only_the_limits_forbid_shows_what_is_outside(telecell_json):
    # The upper arm would have to turn to -248 degrees; its limit is -223.
    target = ["--xyz", "-0.3", "-0.4", "-0.1", "--rpy-deg", "-10", "0", "0"]
    document = telecell_json("ik", "puma560", *target, exit_code=1)
    assert document["reachable"] is False
    assert document["reason"]
    assert document["solutions"]
    assert all(solution["outside"] for solution in document["solutions"])


def test_negative_coordinates_are_numbers_and_not_options(telecell_json):
    document = telecell_json("ik", "puma560", "--xyz", "-0.59", "-0.17", "0.57", "--rpy-deg", "-10", "0", "-5")
    assert document["target"]["xyz_m"] == [-0.59, -0.17, 0.57]


@pytest.mark.parametrize(
    "options",
    [
        ["--xyz", "nan", "0", "0"],
        ["--xyz", "0", "inf", "0"],
        ["--xyz", "a", "b", "c"],
        ["--xyz", "0", "0"],
        ["--xyz", "0", "0", "0", "--rpy-deg", "0", "nan", "0"],
        ["--xyz", "0", "0", "0", "--reference-deg", "1 2 3"],
        [],
    ],
)
def test_bad_numbers_are_bad_usage(telecell, options):
    result = telecell("ik", "puma560", *options)
    assert (result.exit_code, result.stdout) == (2, "")


def test_frame_that_the_last_axis_does_not_move_is_refused(telecell):
    result = telecell("ik", "puma560", "--xyz", "0.5", "0.1", "0.3", "--frame", "mount")
    assert result.exit_code == 1
    assert "the tip does not move with the last axis" in result.stderr
