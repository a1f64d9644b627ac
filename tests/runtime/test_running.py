"""A running cell takes requests, refuses bad ones whole, and can be saved in mid-motion."""

import math

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from telecell.errors import InputError, JointOutOfRange, SnapshotMismatch, UnknownName
from telecell.messages import AnyRequest, CellState, MoveAxes, SetTool
from telecell.runtime import RunningCell, open_cell


@pytest.fixture
def fake() -> RunningCell:
    return open_cell("cirsse", plant="fake")


@pytest.fixture
def puma() -> RunningCell:
    return open_cell("puma")


def positions(cell: RunningCell) -> dict[str, float]:
    return {axis.name: axis.q_measured for axis in cell.state().axes}


def test_a_named_pose_is_reached_in_physics(puma: RunningCell):
    puma.go_to("puma", "work")
    assert puma.run_until_still(20)
    puma.run(0.5)
    assert list(positions(puma).values()) == pytest.approx(puma.cell.get_robot("puma").get_pose("work"), abs=2e-3)


def test_robots_that_share_axes_see_the_same_axes(fake: RunningCell):
    fake.move_axes({"left_cart/linear": -1.0})
    fake.run_until_still()
    assert positions(fake)["left_cart/linear"] == pytest.approx(-1.0, abs=1e-5)
    robots = {robot.name: robot for robot in fake.state().robots}
    assert robots["CL"].position_m[1] == pytest.approx(-1.0, abs=1e-5)


def test_an_axis_outside_its_limits_is_refused_and_nothing_moves(fake: RunningCell):
    with pytest.raises(JointOutOfRange, match=r"left_cart/linear.*0\.7000 m.*-1\.3720 m to 0\.6100 m"):
        fake.move_axes({"left_cart/rotate": 0.5, "left_cart/linear": 0.7})
    fake.run(1.0)
    assert positions(fake)["left_cart/rotate"] == 0.0


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, 1e308])
def test_numbers_that_are_not_positions_are_refused(fake: RunningCell, value: float):
    with pytest.raises(JointOutOfRange):
        fake.move_axes({"left_cart/linear": value})


def test_unknown_names_are_refused_with_the_known_ones(fake: RunningCell):
    with pytest.raises(UnknownName, match="left_cart/linear"):
        fake.move_axes({"left_cart/linaer": 0.0})
    with pytest.raises(UnknownName, match="ready"):
        fake.go_to("FL", "raedy")
    with pytest.raises(UnknownName, match="left_gripper"):
        fake.set_tool("left_griper/fingers", 0.0)
    with pytest.raises(UnknownName, match="physics"):
        open_cell("puma", plant="phisics")  # pyright: ignore[reportArgumentType]
    with pytest.raises(UnknownName, match="cirsse"):
        open_cell("cirse")


def test_a_request_gets_one_reply_with_its_sequence_number(fake: RunningCell):
    good = fake.handle(MoveAxes(sequence=7, targets={"left_cart/rotate": 0.1}))
    bad = fake.handle(SetTool(sequence=8, tool="left_gripper/fingers", opening=2.0))
    assert (good.sequence, good.error) == (7, None)
    assert bad.sequence == 8
    assert "0 (closed) to 1 (open)" in (bad.error or "")


def test_tools_close_on_request(puma: RunningCell):
    puma.set_tool("jaw/fingers", 0.0)
    puma.run(1.0)
    tool = puma.state().tools[0]
    assert tool.opening == pytest.approx(0.0, abs=0.02)
    assert tool.opening_desired == 0.0


def test_state_survives_json_and_is_finite(puma: RunningCell):
    puma.go_to("puma", "work")
    puma.run(0.3)
    state = puma.state()
    encoded = msgspec.json.encode(state)
    assert b"null" not in encoded
    assert msgspec.json.decode(encoded, type=CellState) == state
    assert state.robots[0].moving
    assert {frame.name for frame in state.frames} == {"puma/shoulder", "puma/flange", "jaw/grip"}


def test_tip_in_the_state_agrees_with_forward_kinematics(puma: RunningCell):
    puma.go_to("puma", "work")
    puma.run_until_still()
    state = puma.state()
    tip = puma.forward("puma", [axis.q_measured for axis in state.axes])
    assert tip.position == pytest.approx(state.robots[0].position_m, abs=1e-12)


def test_inverse_finds_the_posture_it_came_from(puma: RunningCell):
    joints = np.radians([20, -60, 150, 10, 40, -30])
    result = puma.inverse("puma", puma.forward("puma", joints), reference=joints)
    assert result.solutions[0].joints == pytest.approx(joints, abs=1e-9)


def test_a_restored_cell_goes_on_bit_for_bit(puma: RunningCell):
    puma.go_to("puma", "work")
    puma.set_tool("jaw/fingers", 0.3)
    puma.run(0.6)
    saved = puma.save()
    puma.run(1.0)
    expected = puma.state()
    other = open_cell("puma", seed=5)
    other.restore(saved)
    other.run(1.0)
    assert other.state() == expected


def test_a_foreign_snapshot_is_refused(puma: RunningCell, fake: RunningCell):
    with pytest.raises(SnapshotMismatch, match="another cell"):
        puma.restore(fake.save())
    with pytest.raises(SnapshotMismatch, match="not a snapshot"):
        puma.restore(b"nonsense")


names = st.sampled_from(["left_cart/linear", "right_puma/waist", "nobody", ""])
requests = st.one_of(
    st.builds(MoveAxes, sequence=st.integers(), targets=st.dictionaries(names, st.floats(), max_size=3)),
    st.builds(SetTool, sequence=st.integers(), tool=names, opening=st.floats()),
)


@given(st.lists(requests, max_size=20))
def test_no_request_breaks_the_cell_or_a_limit(hostile: list[AnyRequest]):
    cell = open_cell_once()
    for request in hostile:
        assert cell.handle(request).sequence == request.sequence
        cell.step()
    for axis, state in zip(cell.cell.axes, cell.state().axes, strict=True):
        assert axis.software_limits[0] - 1e-4 <= state.q_measured <= axis.software_limits[1] + 1e-4


_OPEN: list[RunningCell] = []


def open_cell_once() -> RunningCell:
    if not _OPEN:
        _OPEN.append(open_cell("cirsse", plant="fake"))
    return _OPEN[0]


@pytest.mark.rendering
@pytest.mark.parametrize("view", ["iso", "front", "side", "top", "hand"])
def test_pictures_show_the_cell(puma: RunningCell, view: str, tmp_path):
    picture = puma.render(view, width=320, height=200)
    assert picture.pixels.shape == (200, 320, 3)
    assert picture.pixels.std() > 10, "an empty picture"
    assert picture.save(tmp_path / "cell.png").read_bytes().startswith(b"\x89PNG")


def test_an_unknown_view_is_refused_with_the_known_ones(puma: RunningCell):
    with pytest.raises(UnknownName, match="iso"):
        puma.render("izo")
    with pytest.raises(InputError, match="picture size"):
        puma.render("iso", width=0)
