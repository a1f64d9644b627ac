"""Holds a robot, and goes on sending small moves and set-points through every outage, with what it last knew."""

from __future__ import annotations

import argparse

from telecell.bus import ZenohBus
from telecell.client.connecting import find_present
from telecell.client.over_bus import BusTransport
from telecell.client.session import Session
from telecell.clock import SystemClock
from telecell.errors import TelecellError
from telecell.messages import Grant
from telecell.messages.moves import MoveJointsBy, StreamJoints
from telecell.messages.settings import Power
from telecell.messages.stopping import Reset

ROBOT = "puma"
WAIT_S = 600.0
STEP_RAD = 0.002
BEATS_S = {"moves": 0.2, "set_points": 0.02}


class Insisting:
    """Sends on and on, and believes in its grant until it is told otherwise.

    Args:
        session: started.
        what: `moves` or `set_points`.
    """

    def __init__(self, session: Session, what: str):
        self._session = session
        self._what = what
        self._grant: Grant | None = None
        self._sent = 0

    def run(self) -> None:
        """Until killed."""
        clock = SystemClock()
        while True:
            beat_s = clock.now() + BEATS_S[self._what]
            try:
                self._beat()
            except TelecellError as error:
                print(f"again {type(error).__name__}: {error}", flush=True)
            clock.sleep_until(beat_s)

    def _beat(self) -> None:
        session = self._session
        session.poll()
        if self._grant is None:
            session.control.take("insists", (), wait_s=WAIT_S, attended=False, priority=0)
            self._grant = session.control.grants[0].grant
            session.ask(Power, robot=ROBOT, on=True)
            print("holds", flush=True)
        elif session.transport.state().robots[0].mode == "stopped":
            self._send(Reset)
        elif self._what == "moves":
            self._send(MoveJointsBy, robot=ROBOT, increments=(self._choose_step(), 0, 0, 0, 0, 0))
        else:
            waist, *others = [axis.q_desired for axis in session.transport.state().axes]
            self._send(StreamJoints, robot=ROBOT, joints=(waist + self._choose_step(), *others))

    def _choose_step(self) -> float:
        self._sent += 1
        return STEP_RAD if self._sent % 2 else -STEP_RAD

    def _send(self, kind: type, **fields: object) -> None:
        pending = self._session.send(kind, grant=self._grant, **fields)
        request = pending.request
        print(f"sent {request.__struct_config__.tag} {request.sequence} {request.echo}", flush=True)
        pending.then(self._take_answer)

    def _take_answer(self, _reply: object, error: TelecellError | None) -> None:
        print(f"answered {type(error).__name__}", flush=True)
        if type(error).__name__ == "NotHolder":
            self._grant = None


def main() -> None:
    """Connect through an endpoint, and insist."""
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=sorted(BEATS_S))
    parser.add_argument("endpoint")
    options = parser.parse_args()
    keys = find_present(ZenohBus(options.endpoint), None, None, options.endpoint)
    session = Session(BusTransport(ZenohBus(options.endpoint), keys))
    session.start()
    Insisting(session, options.what).run()


if __name__ == "__main__":
    main()
