"""`telecell check`: tables for people, findings for programs, an exit code for scripts."""

import json

import pytest


@pytest.fixture
def own_cell(tmp_path):
    """A folder with a PUMA cell and the text that is put into its file."""

    def write(more: str) -> str:
        (tmp_path / "cell.toml").write_text(
            'format = 1\nname = "own"\nmounts = [{ name = "arm", model = "puma560" }]\n' + more
        )
        return str(tmp_path)

    return write


def test_cell_of_the_catalog_is_fit(telecell_json):
    document = telecell_json("check", "puma")
    assert document["fit"] is True
    assert {finding["severity"] for finding in document["findings"]} == {"ok"}
    assert [finding["check"] for finding in document["findings"]][:2] == ["format", "inertia"]


def test_bare_model_can_be_checked(telecell_json):
    assert telecell_json("check", "puma560")["fit"] is True


def test_pose_outside_the_limits_is_exit_code_1_with_value_and_limit(telecell, telecell_json, own_cell):
    folder = own_cell("[poses.far]\njoints_deg_m = { arm = [170.0, -90.0, 90.0, 0.0, 0.0, 0.0] }\n")
    result = telecell("check", folder)
    assert result.exit_code == 1
    assert "errors: 1, warnings: 0" in result.stderr
    (finding,) = telecell_json("check", folder, exit_code=1)["findings"]
    assert finding["what"] == (
        "the pose leaves the software limits of axis arm/waist, got 170.0, limit [-158.0, 158.0]"
    )


def test_file_with_a_mistake_is_a_finding_too(telecell, own_cell):
    folder = own_cell("robbots = []\n")
    result = telecell("check", folder, "--json")
    document = json.loads(result.stdout)
    assert (result.exit_code, document["fit"]) == (1, False)
    (finding,) = document["findings"]
    assert (finding["check"], finding["severity"]) == ("format", "error")
    assert finding["where"].endswith("cell.toml, robbots")


def test_unknown_name_is_a_finding_with_the_nearest_known_one(telecell):
    result = telecell("check", "pumma")
    assert result.exit_code == 1
    assert "Did you mean 'puma'?" in " ".join(result.stdout.split())
