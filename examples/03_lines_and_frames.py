"""A tool frame, a user frame on the table from three points, straight lines in it, and VAL's O-A-T increments.

Run it: python examples/03_lines_and_frames.py
"""

import numpy as np

import telecell as tc

with tc.open_cell("puma") as cell:
    arm = cell.manipulator("puma")
    with arm.control("me"):
        arm.power(True)
        arm.set_tip_speed(0.5)
        here = arm.where()
        arm.define_tool(here.pose("flange").inverse() @ here.pose("grip"))  # poses are for the fingertips from now on
        arm.move_to("work").wait()

        # Three points of the table: a corner, one along its edge, one on its surface. z comes out upwards.
        cell.define_user_frame("bench", origin=(0.5, -0.2, 0.72), on_x=(0.9, -0.2, 0.72), towards_y=(0.5, 0.2, 0.72))
        down = tc.Pose.from_xyz_rpy((0.0, 0.0, 0.0), tc.deg(180, 0, 0))
        for x, y in [(0.0, 0.15), (0.2, 0.15), (0.2, 0.35), (0.0, 0.35)]:
            corner = tc.Pose.translation(x, y, 0.15) @ down
            arm.move_line(corner, frame="bench", blend=0.0).wait()
            print(f"15 cm above the bench at x {x:.2f} y {y:.2f}: {arm.where().pose('tool')}")

        before = arm.where().pose("tool")
        arm.move_by((0.0, 0.0, 0.05), frame="tool", straight=True).wait()  # ahead, along the fingers
        print(f"5 cm ahead: {1000 * before.distance_to(arm.where().pose('tool'))[0]:.1f} mm")
        arm.move_by(oat=tc.deg(0, 0, 30), straight=True).wait()
        print(f"T plus 30 degrees: turned by {np.degrees(before.distance_to(arm.where().pose('tool'))[1]):.1f} deg")
