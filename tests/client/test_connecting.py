"""Programs and a cell server in processes of their own, over the real bus."""

import contextlib
import functools
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import telecell as tc
from telecell.bus import open_router, prepare_endpoint
from telecell.errors import RequestError, RequestLate

from .real_cell import PATIENCE_S, RealCell, connect_soon, find_free_endpoint, run_cell

pytestmark = pytest.mark.real_time

FAR = tc.deg(90, -90, 90, 0, 0, 0)
ATTEMPTS = 4
STEP = (0.02, 0.0, 0.0, 0.0, 0.0, 0.0)


@pytest.fixture(scope="module", autouse=True)
def own_folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for name in ("XDG_RUNTIME_DIR", "XDG_STATE_HOME"):
            patch.setenv(name, str(tmp_path_factory.mktemp("own")))
        yield


class TestFinding:
    def test_without_a_cell_the_remedy_is_to_start_one(self):
        with pytest.raises(tc.CellUnreachable, match=r"no cell runs on this machine\. Start one: telecell up"):
            tc.connect()
        with pytest.raises(tc.CellUnreachable, match="Start it: telecell up puma"):
            tc.connect(cell="puma")

    def test_among_several_cells_one_must_be_named(self):
        endpoints = [prepare_endpoint("local", name) for name in ("one", "two")]
        with open_router(endpoints), pytest.raises(tc.InputError, match=r"several cells.*one, two\. Say which"):
            tc.connect()

    @pytest.mark.parametrize("endpoint", ["localhost", "udp/127.0.0.1:1", "tcp/127.0.0.1:0", ""])
    def test_what_is_no_endpoint_is_refused(self, endpoint: str):
        with pytest.raises(tc.InputError):
            tc.connect(endpoint)

    def test_an_endpoint_without_anybody_is_unreachable(self):
        endpoint = find_free_endpoint()
        with pytest.raises(tc.CellUnreachable, match="nobody answers"):
            tc.connect(endpoint)
        with open_router([endpoint]), pytest.raises(tc.CellUnreachable, match="no cell is there"):
            tc.connect(endpoint)

    def test_a_cell_is_found_behind_an_endpoint(self):
        endpoint = find_free_endpoint()
        with run_cell(endpoint), tc.connect(endpoint) as cell:
            assert list(cell.manipulators) == ["puma"]
            with pytest.raises(tc.CellUnreachable, match="the cell is not there, got 'cirsse'"):
                tc.connect(endpoint, cell="cirsse")


@pytest.fixture(scope="class")
def real_cell() -> Iterator[RealCell]:
    with run_cell() as running:
        yield running


@pytest.fixture
def ada(real_cell: RealCell) -> Iterator[tc.CellClient]:
    with connect_soon() as cell:
        yield cell


@pytest.fixture
def bob(real_cell: RealCell) -> Iterator[tc.CellClient]:
    with connect_soon() as cell:
        yield cell


def get_ready(cell: tc.CellClient) -> tc.Manipulator:
    arm = cell.manipulator("puma")
    cell.reset()
    arm.power(True)
    arm.set_tip_speed(5.0)
    return arm


def despite_load(test: Callable[..., None]) -> Callable[..., None]:
    """Again, if the machine stood still for longer than a program may be silent: then the cell is right to stop it."""

    @functools.wraps(test)
    def run(self, ada: tc.CellClient, **others: tc.CellClient) -> None:
        for _ in range(ATTEMPTS):
            with contextlib.suppress(RequestLate, tc.MotionStopped, tc.NotHolder):
                test(self, ada, **others)
                return
            for cell in (ada, *others.values()):
                cell.release_control()
        test(self, ada, **others)

    return run


class TestPrograms:
    @despite_load
    def test_a_program_moves_streams_and_stops_a_cell_of_another_process(self, ada: tc.CellClient):
        with ada.control("Ada"):
            arm = get_ready(ada)
            assert arm.move_joints_by(STEP).wait().outcome == "arrived"
            begin = arm.where().joints_desired
            with arm.stream(rate_hz=50) as stream:
                accepted = [stream.send([begin[0] - 0.001 * k, *begin[1:]]) for k in range(25)]
            assert accepted[-1].goal[0] <= begin[0]
            segment = arm.move_joints(FAR)
            ada.run(0.1)
            ada.stop()
            with pytest.raises(tc.MotionStopped):
                segment.wait()

    @despite_load
    def test_a_segment_is_under_way_from_its_reply_on(self, ada: tc.CellClient):
        with ada.control("Ada"):
            arm = get_ready(ada)
            for _ in range(5):
                segment = arm.move_joints_by(STEP)
                arm.wait_until_still()
                assert segment.done
                arm.move_joints_by([-value for value in STEP]).wait()

    @despite_load
    def test_two_programs_hand_over_and_take_back(self, ada: tc.CellClient, bob: tc.CellClient):
        ada.take_control("Ada")
        segment = get_ready(ada).move_joints(FAR, speed=0.2)

        def hand_over_when_asked() -> None:
            while "Bob" not in ada.state().waiting:
                ada.run(0.01)
            ada.hand_over("Bob")

        thread = threading.Thread(target=hand_over_when_asked)
        thread.start()
        bob.take_control("Bob", wait_s=PATIENCE_S)
        thread.join()
        with pytest.raises(tc.MotionStopped, match="handed over by Ada to Bob"):
            segment.wait()
        get_ready(bob).move_joints_by(STEP).wait()
        ada.take_back("Ada", reason="it is my turn")
        with ada.control("Ada", wait_s=PATIENCE_S):
            get_ready(ada)
        bob.run(0.1)
        with pytest.raises(tc.NotHolder, match="control was lost: taken back by Ada: it is my turn"):
            bob.manipulator("puma").power(True)

    @despite_load
    def test_a_busy_program_keeps_control_and_its_motion(self, ada: tc.CellClient, bob: tc.CellClient):
        with ada.control("Ada"):
            segment = get_ready(ada).move_joints_by((0.5, 0, 0, 0, 0, 0), speed=0.1)
            bob.run(1.5)
            assert bob.manipulator("puma").mode == "moving"
            assert segment.wait().outcome == "arrived"

    @despite_load
    def test_a_busy_program_that_is_attended_keeps_control_but_not_its_motion(self, ada, bob: tc.CellClient):
        with ada.control("Ada", attended=True):
            segment = get_ready(ada).move_joints_by((-0.5, 0, 0, 0, 0, 0), speed=0.1)
            bob.run(1.5)
            assert bob.manipulator("puma").mode == "stopped"
            assert [grant.holder for grant in bob.state().grants] == ["Ada"]
            with pytest.raises(tc.MotionStopped, match="no sign of life of Ada"):
                segment.wait()
            ada.reset()

    @despite_load
    def test_events_come_without_gaps(self, ada: tc.CellClient):
        numbers: list[int] = []
        with ada.control("Ada"):
            ada.on_event(lambda event: numbers.append(event.number))
            for k in range(100):
                ada.set_signal("valve", k % 2 == 0)
        assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))
        assert len(numbers) >= 100

    def test_a_program_that_ends_without_closing_ends_quietly(self, real_cell: RealCell, tmp_path: Path):
        code = "import telecell as tc; cell = tc.connect(); cell.take_control('Eve'); cell.run(0.1)"
        result = subprocess.run(
            [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, timeout=PATIENCE_S, check=False
        )
        assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


def wait_until_back(cell: tc.CellClient) -> None:
    deadline_s = tc.SystemClock().now() + PATIENCE_S
    while True:
        try:
            cell.grants()
        except tc.CellUnreachable:
            assert tc.SystemClock().now() < deadline_s
        else:
            return


class TestFaults:
    def test_a_frozen_cell_is_unreachable_and_then_goes_on(self, real_cell: RealCell, ada: tc.CellClient):
        real_cell.send_signal(signal.SIGSTOP)
        try:
            with pytest.raises(tc.CellUnreachable, match="silent"):
                ada.run(PATIENCE_S)
        finally:
            real_cell.send_signal(signal.SIGCONT)
        wait_until_back(ada)
        assert ada.link().age_s < 1.0
        assert ada.manipulator("puma").where().robot == "puma"

    def test_after_a_restart_what_was_awaited_fails_and_the_session_goes_on(self, real_cell: RealCell, ada):
        ada.take_control("Ada")
        segment = get_ready(ada).move_joints(FAR, speed=0.1)
        real_cell.kill()
        with pytest.raises(tc.CellUnreachable):
            ada.manipulator("puma").halt()
        real_cell.start()
        with pytest.raises(RequestError, match="the cell was restarted"):
            segment.wait()
        assert ada.manipulator("puma").mode == "off"
        with pytest.raises(tc.NotHolder, match="the cell was restarted"):
            ada.manipulator("puma").power(True)
        ada.release_control()
        with ada.control("Ada"):
            get_ready(ada).move_joints_by(STEP).wait()
