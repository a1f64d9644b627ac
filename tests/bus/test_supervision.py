import select
import signal
import subprocess
import sys

import msgspec
import pytest

from telecell.bus import Alive, AnyNotice, Ended, Failed, Link, Ready, Supervision, open_pair
from telecell.clock import ManualClock
from telecell.messages import LoopState

TIMEOUT_S = 60

SCRIPT = """
import sys
import threading
from telecell.bus import Ended, Ready, Supervision, end_process, run_supervised
from telecell.errors import InputError
from telecell.messages import LoopState

def wait(supervision):
    supervision.tell(Ready())
    while not supervision.should_end:
        pass
    supervision.tell(Ended(250, 1.0, 1.25, LoopState(0.8, 3, 2)))

def fail(supervision):
    raise InputError("no such thing", where="cell.toml", value=3)

def leave_something_behind(supervision):
    threading.Thread(target=threading.Event().wait).start()

def crash(supervision):
    leave_something_behind(supervision)
    raise ZeroDivisionError("three by nothing")

work = {"wait": wait, "fail": fail, "leave": leave_something_behind, "crash": crash}[sys.argv[2]]
end_process(lambda: run_supervised(int(sys.argv[1]), work))
"""


class Child:
    def __init__(self, work: str):
        ours, theirs = open_pair()
        with theirs:
            self.process = subprocess.Popen(
                [sys.executable, "-c", SCRIPT, str(theirs.fileno()), work],
                pass_fds=[theirs.fileno()],
                stderr=subprocess.PIPE,
            )
        self.link: Link[AnyNotice] = Link(ours, msgspec.json.Decoder(AnyNotice).decode)

    def wait_for_notice(self) -> AnyNotice | None:
        """The next one that is not just a sign of life; None when no more can come."""
        while True:
            assert select.select([self.link], [], [], TIMEOUT_S)[0]
            notice = self.link.maybe_receive()
            if notice != Alive():
                return notice


@pytest.fixture
def start():
    children: list[Child] = []

    def start(work: str) -> Child:
        children.append(Child(work))
        return children[-1]

    yield start
    for child in children:
        child.process.kill()
        child.process.communicate()
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


def test_a_process_ends_at_once_whatever_its_threads_do(start):
    assert start("leave").process.wait(TIMEOUT_S) == 0


def test_a_crash_is_told_in_full_and_ends_the_process(start):
    child = start("crash")
    _, complaint = child.process.communicate(timeout=TIMEOUT_S)
    assert child.process.returncode == 1
    assert complaint.startswith(b"Traceback")
    assert complaint.endswith(b"ZeroDivisionError: three by nothing\n")


def test_looking_whether_to_end_is_a_sign_of_life_once_a_second():
    ours, theirs = open_pair()
    decode = msgspec.json.Decoder(AnyNotice).decode
    with Link(ours, decode) as supervisor, Link(theirs, decode) as own:
        clock = ManualClock()
        supervision = Supervision(own, clock)
        for _ in range(251):
            assert not supervision.should_end
            clock.advance(0.01)
        signs = iter(supervisor.maybe_receive, None)
        assert list(signs) == [Alive()] * 3
