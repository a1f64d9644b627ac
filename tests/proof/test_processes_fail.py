"""Row D: whatever becomes of the processes of a cell, nobody moves it who must not, and it is back without a person."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import telecell as tc
from soak.real.cell_process import CELL_SERVER, TELECELL, WORKER, CellProcess
from soak.real.garbage import send_garbage
from soak.real.program import Program
from soak.real.restarts import judge_awaited, start_moving, wait_until_back
from soak.real.witness import Witness
from telecell.messages.events import Stopped

pytestmark = pytest.mark.real_time

FROZEN_TICKS = 500

SLOW_PLANT = """
import time
from telecell.plant import FakePlant

class SlowPlant(FakePlant):
    def step(self, command):
        time.sleep(10 * self.period_s)
        return super().step(command)
"""


@pytest.fixture
def client(cell: CellProcess) -> Iterator[tc.CellClient]:
    with tc.connect(cell.endpoint) as client:
        yield client


def test_questions_are_answered_while_the_worker_is_dead_or_frozen(cell: CellProcess, client: tc.CellClient):
    os.kill(cell.find_child(WORKER), signal.SIGKILL)
    assert client.describe().cell == "puma"
    assert cell.read_line().startswith("worker: the process ended by itself (SIGKILL)")
    assert cell.read_line() == "worker: running again"
    worker = cell.find_child(WORKER)
    os.kill(worker, signal.SIGSTOP)
    assert client.describe().cell == "puma"
    os.kill(worker, signal.SIGCONT)
    assert client.describe().cell == "puma"


def test_a_cell_server_that_was_frozen_stops_what_it_moved(cell: CellProcess, client: tc.CellClient, witness: Witness):
    with Program("moves", "holder") as holder:
        witness.wait_for(witness.find_steady_holder, "a holder that moves the robot")
        begin = witness.record.newest.tick
        server = cell.find_child(CELL_SERVER)
        os.kill(server, signal.SIGSTOP)
        with pytest.raises(tc.CellUnreachable, match=r"the cell has been silent for .* s, limit 2 s"):
            client.run(60.0)
        os.kill(server, signal.SIGCONT)
        stop = witness.wait_for_stop(begin)
        assert stop.cause in ("grant_lost", "silence", "plant_slow")
        holder.wait_for_line("refused NotHolder")
    assert start_moving(client).wait().outcome == "arrived"


def test_a_robot_stops_while_the_supervisor_with_its_router_is_frozen(
    cell: CellProcess, client: tc.CellClient, witness: Witness
):
    with Program("moves", "holder") as holder:
        witness.wait_for(witness.find_steady_holder, "a holder that moves the robot")
        begin = witness.record.newest.tick
        os.kill(cell.pid, signal.SIGSTOP)
        with pytest.raises(tc.CellUnreachable):
            client.run(60.0)
        os.kill(cell.pid, signal.SIGCONT)
        stop = witness.wait_for_stop(begin)
        assert (stop.cause, "holder" in stop.reason) == ("silence", True)
        holder.wait_for_line("refused NotHolder")
    assert start_moving(client).wait().outcome == "arrived"


def test_a_second_server_changes_nothing_for_the_first(client: tc.CellClient, witness: Witness):
    segment = start_moving(client)
    second = subprocess.run(
        [sys.executable, "-c", TELECELL, "cell", "puma"], capture_output=True, text=True, check=False
    )
    assert second.returncode != 0
    assert "another server runs the cell, process" in second.stderr
    assert segment.wait().outcome == "arrived"


def test_garbage_in_mid_drive_changes_nothing(cell: CellProcess, client: tc.CellClient, witness: Witness):
    segment = start_moving(client)
    begin = witness.look().newest.tick
    assert send_garbage(cell.endpoint, cell.keys, seed=1, count=300) == []
    assert segment.wait().outcome == "arrived"
    assert witness.look().list_events(Stopped, begin) == []


def test_a_program_finds_the_cell_again_that_was_killed_as_a_whole_and_started_again(
    cell: CellProcess, client: tc.CellClient
):
    segment = start_moving(client)
    epoch = client.state().epoch
    os.kill(cell.pid, signal.SIGKILL)
    assert judge_awaited(segment) == []
    cell.end()
    cell.start()
    wait_until_back(client, epoch)
    assert start_moving(client).wait().outcome == "arrived"


def test_a_plant_ten_times_slower_than_real_time_is_stopped(tmp_path: Path):
    (tmp_path / "slow_plant.py").write_text(SLOW_PLANT)
    facts = tmp_path / "slow_plant-1.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: slow-plant\nVersion: 1\n")
    (facts / "entry_points.txt").write_text("[telecell.plants]\nslow = slow_plant:SlowPlant\n")
    slow = CellProcess("cirsse", plant="slow", paths=(tmp_path,))
    with slow, Witness(slow.endpoint, slow.keys) as witness, tc.connect(slow.endpoint) as client:
        arm = client.manipulator("PL")
        with client.control("holder"):
            arm.power(True)
            segment = arm.move_joints_by((1.0, 0, 0, 0, 0, 0), speed=0.05)
            with pytest.raises(tc.MotionStopped, match=r"of real time, limit 0\.5"):
                segment.wait()
        assert witness.look().newest.loop.real_time_factor < 0.5
