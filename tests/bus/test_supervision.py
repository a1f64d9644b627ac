import select
import signal
import subprocess
import sys

import msgspec
import pytest

from telecell.bus import AnyNotice, Ended, Failed, Link, Ready, open_pair
from telecell.messages import LoopState

TIMEOUT_S = 60

SCRIPT = """
import sys
from telecell.bus import Ended, Ready, Supervision, run_supervised
from telecell.errors import InputError
from telecell.messages import LoopState

def wait(supervision):
    supervision.tell(Ready())
    while not supervision.should_end:
        pass
    supervision.tell(Ended(250, 1.0, 1.25, LoopState(0.8, 3, 2)))

def fail(supervision):
    raise InputError("no such thing", where="cell.toml", value=3)

sys.exit(run_supervised(int(sys.argv[1]), {"wait": wait, "fail": fail}[sys.argv[2]]))
"""


class Child:
    def __init__(self, work: str):
        ours, theirs = open_pair()
        with theirs:
            self.process = subprocess.Popen(
                [sys.executable, "-c", SCRIPT, str(theirs.fileno()), work], pass_fds=[theirs.fileno()]
            )
        self.link: Link[AnyNotice] = Link(ours, msgspec.json.Decoder(AnyNotice).decode)

    def wait_for_notice(self) -> AnyNotice | None:
        assert select.select([self.link], [], [], TIMEOUT_S)[0]
        return self.link.maybe_receive()


@pytest.fixture
def start():
    children: list[Child] = []

    def start(work: str) -> Child:
        children.append(Child(work))
        return children[-1]

    yield start
    for child in children:
        child.process.kill()
        child.process.wait()
        child.link.close()


def test_a_process_says_how_it_goes_and_ends_when_told(start):
    child = start("wait")
    assert child.wait_for_notice() == Ready()
    child.process.send_signal(signal.SIGTERM)
    assert child.process.wait(TIMEOUT_S) == 0
    assert child.wait_for_notice() == Ended(250, 1.0, 1.25, LoopState(0.8, 3, 2))
    assert child.wait_for_notice() is None


def test_a_process_ends_when_its_supervisor_has_closed_the_link(start):
    child = start("wait")
    assert child.wait_for_notice() == Ready()
    child.link.close()
    assert child.process.wait(TIMEOUT_S) == 0


def test_an_error_of_ours_reaches_the_supervisor_as_one_line(start):
    child = start("fail")
    assert child.wait_for_notice() == Failed("cell.toml: no such thing, got 3")
    assert child.process.wait(TIMEOUT_S) == 1
