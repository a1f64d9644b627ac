"""A client that knows nothing but zenoh and JSON: it moves a joint of the PUMA of a running cell.

telecell cell puma --listen tcp/127.0.0.1:7447
python examples/06_foreign_client.py tcp/127.0.0.1:7447
"""

import json
import sys
import threading
import time

import zenoh

CELL = "telecell/local/puma"
SENDER = "foreign-example"


class Client:
    """Numbers requests, echoes the newest tick, and renews its grant."""

    def __init__(self, endpoint: str):
        config = zenoh.Config()
        for key, value in {
            "mode": "client",
            "connect/endpoints": [endpoint],
            "scouting/multicast/enabled": False,
            "transport/link/tx/lease": 1000,
        }.items():
            config.insert_json5(key, json.dumps(value))
        self.session = zenoh.open(config)
        self.state: dict = {}
        self.grant: dict | None = None
        self.sequence = 0
        self.session.declare_subscriber(f"{CELL}/state", self.take_state)
        while not self.state:
            time.sleep(0.01)

    def take_state(self, sample: zenoh.Sample) -> None:
        """What the cell publishes every period."""
        self.state = json.loads(sample.payload.to_bytes())

    def ask(self, request: str, **fields: object) -> dict:
        """Send a request, and wait for its one reply."""
        self.sequence += 1
        envelope = {"request": request, "sequence": self.sequence, "sender": SENDER, "echo": self.state["tick"]}
        payload = json.dumps(envelope | {"grant": self.grant} | fields)
        for answer in self.session.get(f"{CELL}/request", payload=payload, timeout=2.0):
            if answer.ok is None:
                continue
            reply = json.loads(answer.ok.payload.to_bytes())
            if reply["reply"] == "refused":
                raise SystemExit(reply["error"]["text"])
            return reply
        raise SystemExit("nobody answers for the cell")

    def renew(self) -> None:
        """Go on giving signs of life, as long as there is a grant."""
        number = 0
        while self.grant is not None:
            number += 1
            renewal = {"request": "renew_grant", "sequence": number, "sender": SENDER, "grant": self.grant}
            self.session.put(f"{CELL}/stream", json.dumps(renewal | {"echo": self.state["tick"]}))
            time.sleep(0.1)

    def get_robot(self) -> dict:
        """What the robot does."""
        return next(robot for robot in self.state["robots"] if robot["name"] == "puma")


def main(endpoint: str) -> None:
    """Take control, switch on, move, and give control back."""
    client = Client(endpoint)
    print("version", client.ask("hello", version="3.0")["version"])
    client.grant = client.ask("acquire", holder="a foreign program", axes=["puma"])["grants"][0]["grant"]
    renewals = threading.Thread(target=client.renew)
    renewals.start()
    try:
        client.ask("power", robot="puma", on=True)
        while client.get_robot()["mode"] == "off":
            time.sleep(0.01)
        queued = client.ask("move_joints_by", robot="puma", increments=[0.2, 0, 0, 0, 0, 0])
        print(f"moving for {queued['duration_s']:.2f} s")
        while client.get_robot()["queued"] or client.get_robot()["mode"] != "holding":
            time.sleep(0.01)
        print(f"waist at {client.state['axes'][0]['q_measured']:.3f} rad")
        client.ask("release_grant")
    finally:
        client.grant = None
        renewals.join()
        client.session.close()


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "tcp/127.0.0.1:7447")
