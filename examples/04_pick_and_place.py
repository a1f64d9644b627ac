"""Pick a block from the table and put it elsewhere, in physics: friction alone holds it.

Run it: python examples/04_pick_and_place.py [picture.png]
"""

import sys

import telecell as tc

DOWN = tc.Pose.from_xyz_rpy((0.0, 0.0, 0.0), tc.deg(180, 0, 0))


def find_block(cell: tc.CellClient) -> tuple[float, float, float]:
    """Where the block is in the world, m."""
    return next(part.position_m for part in cell.state().parts if part.name == "block_a")


def go_above(arm: tc.Manipulator, x: float, y: float, z: float) -> None:
    """The fingertips over a place on the table, from wherever they are."""
    arm.move_pose(tc.Pose.translation(x, y, z + 0.12) @ DOWN, frame="world").wait()


with tc.open_cell("puma") as cell:
    arm = cell.manipulator("puma")
    with arm.control("me"):
        arm.power(True)
        arm.set_tip_speed(0.6)
        here = arm.where()
        arm.define_tool(here.pose("flange").inverse() @ here.pose("grip"))
        arm.move_to("work").wait()

        begin = find_block(cell)
        go_above(arm, *begin)
        arm.move_by((0.0, 0.0, 0.12), frame="tool", straight=True, speed=0.5).wait()
        arm.close_tool()
        print(f"between the fingers: {100 * arm.opening:.0f} mm, beam broken: {cell.signals()['jaw/crossfire']}")
        arm.set_payload(0.1, centre_m=here.pose("flange").inverse() @ here.pose("grip").position)

        arm.move_by((0.0, 0.0, -0.12), frame="tool", straight=True).wait()
        goal = (begin[0] - 0.1, begin[1] - 0.3, begin[2])
        go_above(arm, *goal)
        arm.move_by((0.0, 0.0, 0.12), frame="tool", straight=True, speed=0.5).wait()
        arm.open_tool()
        arm.set_payload(0.0)
        arm.move_by((0.0, 0.0, -0.12), frame="tool", straight=True).wait()

    end = find_block(cell)
    print(f"block_a moved by x {1000 * (end[0] - begin[0]):.0f} mm, y {1000 * (end[1] - begin[1]):.0f} mm")
    print("put where it belongs:", all(abs(a - b) < 0.005 for a, b in zip(end, goal, strict=True)))
    if len(sys.argv) > 1:
        print("picture:", cell.render("bench").save(sys.argv[1]))
