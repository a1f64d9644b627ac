"""Inverse kinematics of a PUMA 560: every branch by name, a move by branch, and the nine-axis arm on its cart.

Run it: python examples/02_branches.py
"""

import math

import telecell as tc

with tc.open_cell("cirsse", plant="fake") as cell:
    puma, whole = cell.manipulator("PL"), cell.manipulator("FL")
    ready = puma.poses["ready"]
    pose = puma.forward(ready)
    print("PUMA in ready, seen from its shoulder:", pose)
    for solution in puma.inverse(pose, reference=ready):
        joints = " ".join(f"{round(math.degrees(value), 1) + 0.0:7.1f}" for value in solution.joints)
        print(f"  {' '.join(solution.branch.values()):<20} {joints}  inside limits: {solution.inside_limits}")

    with cell.control("me"):
        whole.power(True)
        whole.set_tip_speed(1.0)
        puma.move_pose(pose, branch={"arm": "righty"}).wait()
        apart_m, apart_rad = puma.where().pose("tool").distance_to(pose)
        print(f"the same pose as a righty: {1000 * apart_m:.3f} mm, {math.degrees(apart_rad):.3f} deg apart")

        before = whole.where().joints[0]
        whole.move_by((0.0, 0.8, 0.0), frame="world").wait()
        print(f"0.8 m along the rail: the carriage does {whole.where().joints[0] - before:.2f} m of it")
