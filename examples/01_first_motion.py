"""Bring up a cell, take control, switch the power on, move the arm, and say where its flange is.

Run it: python examples/01_first_motion.py [picture.png]
"""

import sys

import telecell as tc

with tc.open_cell("puma") as cell:  # real physics in this process, as fast as the machine allows
    arm = cell.manipulator("puma")
    with arm.control("me"):
        arm.power(True)
        segment = arm.move_joints(tc.deg(30, -60, 150, 0, 45, 0), speed=0.5)
        print(f"{segment.duration_s:.2f} s from here to there")
        segment.wait()
        print(f"{segment.outcome} after {cell.time_s:.2f} s, flange at {arm.where().pose('flange')}")
    if len(sys.argv) > 1:
        print("picture:", cell.render("overview").save(sys.argv[1]))
