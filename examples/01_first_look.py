"""Bring up the dual-arm cell, move one arm, and take a picture.

Run it: python examples/01_first_look.py [picture.png]
"""

import sys

import telecell as tc

with tc.open_cell("cirsse") as cell:
    print(f"{cell.cell.title}: {len(cell.cell.axes)} axes, robots {', '.join(r.name for r in cell.cell.robots)}")
    cell.move_axes({"left_cart/linear": -0.8, "left_cart/rotate": tc.deg(30)[0]})
    cell.go_to("PR", "zero")
    cell.set_tool("left_gripper/fingers", 0.0)
    cell.run_until_still()

    state = cell.state()
    for robot in state.robots:
        x, y, z = robot.position_m
        print(f"{robot.name}: tip at {x:.3f} {y:.3f} {z:.3f} m in its base frame")
    print(f"simulated {state.time_s:.1f} s")
    if len(sys.argv) > 1:
        print("picture:", cell.render("iso").save(sys.argv[1]))
