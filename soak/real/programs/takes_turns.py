"""One of several programs that want the same robot: asks, waits, moves, gives it back, hands it over, takes it back."""

from __future__ import annotations

import random
import sys

import telecell as tc

ROBOT = "puma"
WAIT_S = 600.0
SPEED = 0.5
APART_RAD = 0.2
IMPATIENT = 0.2
GENEROUS = 0.4


def take_turn(cell: tc.CellClient, name: str, chance: random.Random) -> None:
    """One turn, from asking to not having it any more."""
    arm = cell.manipulator(ROBOT)
    if chance.random() < IMPATIENT:
        cell.take_back(name, reason="it is my turn")
    with cell.control(name, wait_s=WAIT_S):
        arm.reset()
        arm.power(True)
        waist, *others = arm.where().joints
        segment = arm.move_joints((-APART_RAD if waist > 0.0 else APART_RAD, *others), speed=SPEED)
        waiting = cell.state().waiting
        if waiting and chance.random() < GENEROUS:
            cell.hand_over(chance.choice(waiting))
        else:
            segment.wait()


def main() -> None:
    """Take turns until killed: `NAME SEED`."""
    name, seed = sys.argv[1:]
    chance = random.Random(seed)
    with tc.connect() as cell:
        while True:
            try:
                take_turn(cell, name, chance)
            except tc.TelecellError as error:  # so goes the game
                print(f"again {type(error).__name__}: {error}", flush=True)


if __name__ == "__main__":
    main()
