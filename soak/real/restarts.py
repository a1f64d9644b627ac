"""Row A5: the cell server is killed in mid-motion, and comes back."""

from __future__ import annotations

import os
import signal

import telecell as tc
from soak.real.cell_process import CELL_SERVER, CellProcess
from soak.real.patience import wait_for
from soak.real.witness import Witness
from telecell.messages import Grant
from telecell.messages.moves import MoveJointsBy

ROBOT = "puma"
STEP = (0.3, 0.0, 0.0, 0.0, 0.0, 0.0)
SPEED = 0.2
LOOK_S = 0.1


def restart(cell: CellProcess, client: tc.CellClient, witness: Witness) -> list[str]:
    """One restart, seen by a program that holds the robot; returns what was not kept."""
    segment = start_moving(client)
    state, runs = client.state(), len(witness.records)
    grant = Grant(state.epoch, state.grants[0].tenure)
    os.kill(cell.find_child(CELL_SERVER), signal.SIGKILL)
    wrongs = judge_awaited(segment)
    witness.wait_for(lambda: witness.records[runs:], "the next run of the cell")
    wait_until_back(client, state.epoch)
    first = next(iter(witness.record.states.values()))
    if first.grants or any(axis.powered for axis in first.axes):
        wrongs.append(f"A5: the cell came up with power, or with grants: {first.grants}")
    return [*wrongs, *_judge_old_grant(client, grant)]


def start_moving(client: tc.CellClient) -> tc.Segment:
    """Take control, and move as a program does after whatever has happened before."""
    arm = client.manipulator(ROBOT)
    client.release_control()
    client.take_control("holder", wait_s=60.0)
    arm.reset()
    arm.power(True)
    arm.home().wait()
    return arm.move_joints_by(STEP, speed=SPEED)


def judge_awaited(segment: tc.Segment) -> list[str]:
    """Whoever waits for a motion that cannot end is told so, in words."""
    try:
        segment.wait()
    except tc.TelecellError as error:
        return [] if error.remedy else [f"the error names no way out: {error}"]
    return ["the motion has ended, though the cell was killed in its midst"]


def wait_until_back(client: tc.CellClient, epoch: str) -> None:
    """Wait until a client hears from another run of the cell; it needs no new connection."""

    def look() -> bool:
        try:
            client.run(LOOK_S)
        except tc.TelecellError:  # not yet
            return False
        return client.state().epoch != epoch

    wait_for(look, "the cell")


def _judge_old_grant(client: tc.CellClient, grant: Grant) -> list[str]:
    try:
        client.send(MoveJointsBy, robot=ROBOT, increments=STEP, grant=grant).result()
    except tc.NotHolder:
        return []
    return ["A5: a command with a grant of an earlier run was accepted"]
