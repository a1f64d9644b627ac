"""Holds the robot, and queues long moves."""

from soak.real.programs.holding import Holder

SPEED = 0.1
LOOK_S = 0.02
ROUNDS = 3


def move(holder: Holder) -> None:
    """To the far end and back, several times, with everything queued at once."""
    first, *others = holder.choose_goal()
    goals = [(first if n % 2 == 0 else -first, *others) for n in range(2 * ROUNDS)]
    segments = [holder.arm.move_joints(goal, speed=SPEED) for goal in goals]
    print("moves", flush=True)
    for segment in segments:
        while not segment.done:
            holder.cell.run(LOOK_S)
            holder.suffer()
        segment.wait()


if __name__ == "__main__":
    Holder().run(move)
