"""The front door: few names, all real, and quick to open."""

import subprocess
import sys

import pytest

import telecell


def test_front_door_has_exactly_these_names():
    assert sorted(telecell.__all__) == [
        "CellClient",
        "CellUnreachable",
        "DeadlineExceeded",
        "FollowingErrorExceeded",
        "InputError",
        "JointOutOfRange",
        "Manipulator",
        "ManualClock",
        "MotionHalted",
        "MotionStopped",
        "NoArmPower",
        "NoSolution",
        "NotHolder",
        "Pose",
        "RenderingUnavailable",
        "Segment",
        "SystemClock",
        "TelecellError",
        "UnknownName",
        "connect",
        "deg",
        "list_cells",
        "list_models",
        "load_cell",
        "open_cell",
    ]
    assert len(telecell.__all__) <= 25


def test_every_name_can_be_used():
    for name in telecell.__all__:
        assert getattr(telecell, name) is not None


def test_a_wrong_name_says_which_are_right():
    with pytest.raises(AttributeError, match="open_cell"):
        telecell.open_sell  # noqa: B018  # pyright: ignore[reportAttributeAccessIssue]


def test_import_is_light():
    code = (
        "import sys, telecell; print([m for m in ('mujoco', 'viser', 'zenoh', 'numpy', 'ruckig') if m in sys.modules])"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"
