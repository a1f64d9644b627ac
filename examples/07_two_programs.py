"""Two programs and one robot: ask for control, hand it over, take it back.

Run it: python examples/07_two_programs.py

It starts a cell of its own with `telecell cell puma --site example`, and plays both programs, each in a thread with a
client of its own. In real life they are two terminals, and each says `telecell.connect()`.
"""

import subprocess
import sys
import threading
from pathlib import Path

import telecell as tc

SITE = "example"
PATIENCE_S = 60.0


def connect() -> tc.CellClient:
    """As soon as the cell runs."""
    deadline = tc.SystemClock().now() + PATIENCE_S
    while True:
        try:
            return tc.connect(cell="puma", site=SITE)
        except tc.CellUnreachable:
            if tc.SystemClock().now() > deadline:
                raise


def work_as_bob() -> None:
    """Wait for control, move, and have it taken away."""
    with connect() as cell:
        arm = cell.manipulator("puma")
        print("Bob: waits")
        with arm.control("Bob", wait_s=PATIENCE_S):
            print(f"Bob: has control, the robot is {arm.mode}")
            arm.reset()
            print("Bob:", arm.move_joints_by((0.1, 0, 0, 0, 0, 0)).wait().outcome)
            try:
                while True:
                    cell.run(0.1)
                    arm.set_speed_factor(1.0)
            except tc.NotHolder as error:
                print("Bob: lost control:", error.what.removeprefix("control was lost: "))


def work_as_ada() -> None:
    """Move, hand over to Bob when he waits, and take control back."""
    with connect() as cell:
        arm = cell.manipulator("puma")
        cell.take_control("Ada")
        arm.power(True)
        segment = arm.move_to("work", speed=0.1)
        bob = threading.Thread(target=work_as_bob)
        bob.start()
        while "Bob" not in cell.state().waiting:
            cell.run(0.1)
        print("Ada:", arm.mode)
        cell.hand_over("Bob")
        try:
            segment.wait()
        except tc.MotionStopped as error:
            print("Ada: lost control:", error.what.removeprefix("stopped: "))
        while arm.state.holder != "Bob" or arm.mode != "moving":
            cell.run(0.01)
        arm.wait_until_still()
        cell.take_back("Ada", reason="it is my turn")
        with arm.control("Ada", wait_s=PATIENCE_S):
            print("Ada: has control again")
        bob.join()


with subprocess.Popen([Path(sys.executable).with_name("telecell"), "cell", "puma", "--site", SITE]) as process:
    try:
        work_as_ada()
    finally:
        process.terminate()
