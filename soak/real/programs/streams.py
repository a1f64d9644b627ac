"""Holds the robot, and streams set-points, 50 a second."""

from soak.real.programs.holding import Holder

TIP_SPEED_M_S = 0.1
NEAR_RAD = 0.3


def stream(holder: Holder) -> None:
    """Towards the far end, and back from there."""
    holder.arm.set_tip_speed(TIP_SPEED_M_S)
    goal = holder.choose_goal()
    print("streams", flush=True)
    stream = holder.arm.stream(rate_hz=50)  # not as a block: that would end the stream in good order
    while True:
        stream.send(goal)
        holder.suffer()
        if abs(holder.cell.state().axes[0].q_desired - goal[0]) < NEAR_RAD:
            goal = (-goal[0], *goal[1:])


if __name__ == "__main__":
    Holder().run(stream)
