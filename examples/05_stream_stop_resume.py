"""Stream a circle, pause and resume, stop and reset, and two futures from one moment.

Run it: python examples/05_stream_stop_resume.py
"""

import numpy as np

import telecell as tc

with tc.open_cell("puma") as cell:
    arm = cell.manipulator("puma")
    with arm.control("me"):
        arm.power(True)
        arm.set_tip_speed(0.5)
        arm.move_to("work").wait()

        centre = arm.where().pose("tool") @ tc.Pose.translation(-0.05, 0.0, 0.0)
        farthest = 0.0
        with arm.stream(rate_hz=50) as stream:
            for angle in np.linspace(0.0, 2 * np.pi, 150):
                on_circle = tc.Pose.translation(0.05 * np.cos(angle), 0.05 * np.sin(angle), 0.0)
                stream.send_pose(centre @ on_circle)
                radius = np.linalg.norm(arm.where().pose("tool").position - centre.position)
                farthest = max(farthest, abs(radius - 0.05))
        print(f"a circle of 50 mm at 50 Hz, {1000 * farthest:.1f} mm off at most")

        segment = arm.move_to("zero")
        cell.run(0.5)
        arm.pause()
        paused = arm.where().joints_desired
        cell.run(1.0)
        print("stands while paused:", arm.where().joints_desired == paused)
        arm.resume()
        print("then arrives:", segment.wait().outcome)

        segment = arm.move_to("work")
        cell.run(0.5)
        moment = cell.save()
        futures = []
        for _ in range(2):
            cell.restore(moment)
            cell.run(2.0)
            futures.append(cell.state())
        print("two futures, bit for bit the same:", futures[0] == futures[1])

        segment = arm.move_to("ready")
        cell.run(0.2)
        cell.stop(author="a watcher")  # anybody may, without control
        try:
            segment.wait()
        except tc.MotionStopped as error:
            print("caught:", error)
        cell.reset()
        arm.move_to("ready").wait()
        print("after the reset:", arm.mode)
