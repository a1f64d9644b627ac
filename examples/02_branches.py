"""Solve the inverse kinematics of a PUMA 560: every branch by name, then the nine-axis arm on its cart.

Run it: python examples/02_branches.py
"""

import math

import telecell as tc

with tc.open_cell("cirsse") as cell:
    ready = cell.cell.get_robot("PL").get_pose("ready")
    pose = cell.forward("PL", ready)
    print("PUMA in ready, seen from its shoulder:", pose)
    for solution in cell.inverse("PL", pose, reference=ready).solutions:
        name = " ".join(solution.branch.values())
        joints = " ".join(f"{round(math.degrees(value), 1) + 0.0:7.1f}" for value in solution.joints)
        verdict = "inside" if solution.inside_limits else f"outside: {', '.join(solution.outside)}"
        print(f"  {name:<20} {joints}  {verdict}")

    full = cell.cell.get_robot("FL").get_pose("ready")
    far = tc.Pose.translation(0, 1.5, 0) @ cell.forward("FL", full)
    best = cell.inverse("FL", far, reference=full).best
    print(f"1.5 m along the rail: the carriage does {best.joints[0] - full[0]:.2f} m of it")
