"""What only zenoh can do wrong: routers that vanish, are not there, or cannot listen."""

import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import contextmanager

import pytest

from telecell.bus import LOOPBACK, ZenohBus, open_router
from telecell.errors import CellUnreachable, PortBusy, ServerError

ROUTER = """
import sys, signal
from telecell.bus import open_router
with open_router(sys.argv[1:]):
    print("open", flush=True)
    signal.pause()
"""


@contextmanager
def router_process(endpoint):
    """A router that can be killed, from when it is open."""
    with subprocess.Popen([sys.executable, "-c", ROUTER, endpoint], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "open\n"
        try:
            yield process
        finally:
            process.send_signal(signal.SIGCONT)
            process.kill()


@pytest.fixture
def endpoint(tmp_path):
    return f"unixsock-stream/{tmp_path}/r"


@pytest.fixture
def router(endpoint):
    with open_router([endpoint]):
        yield


@pytest.fixture
def start(request):
    def start(endpoint, **options):
        bus = ZenohBus(endpoint, **options)
        bus.start()
        request.addfinalizer(bus.close)
        return bus

    return start


def test_no_router_is_cell_unreachable_with_endpoint_and_remedy(endpoint):
    bus = ZenohBus(endpoint, timeout_s=0.1)
    with pytest.raises(CellUnreachable) as caught:
        bus.start()
    assert str(caught.value) == (
        f"{endpoint}: nobody answers within 0.1 s. Start the cell with `telecell up`, or look at the way to it."
    )
    bus.close()


def test_a_listener_that_says_nothing_is_cell_unreachable():
    with socket.create_server((LOOPBACK, 0)) as listener, pytest.raises(CellUnreachable):
        ZenohBus(f"tcp/{LOOPBACK}:{listener.getsockname()[1]}", timeout_s=0.2).start()


def test_a_second_router_on_a_socket_is_refused(endpoint):
    with open_router([endpoint]), pytest.raises(PortBusy, match="another program listens there"):
        open_router([endpoint])


def test_a_router_on_a_busy_port_is_refused():
    with socket.create_server((LOOPBACK, 0)) as listener, pytest.raises(PortBusy):
        open_router([f"tcp/{LOOPBACK}:{listener.getsockname()[1]}"])


def test_a_router_that_cannot_listen_says_why(tmp_path):
    with pytest.raises(ServerError, match="No such file or directory") as caught:
        open_router([f"unixsock-stream/{tmp_path}/nowhere/r"])
    assert "cargo" not in str(caught.value)


@pytest.mark.usefixtures("router")
def test_a_key_that_cannot_be_is_an_error_of_ours(endpoint, start):
    bus = start(endpoint)
    with pytest.raises(ServerError, match="empty chunks are forbidden"):
        bus.subscribe("a//b", print)
    bus.publish("a//b", b"")
    assert bus.counts.dropped == 1


def test_a_closed_router_leaves_no_socket_behind(endpoint, tmp_path):
    open_router([endpoint]).close()
    assert list(tmp_path.iterdir()) == []


def test_two_routers_that_are_connected_are_one_bus(tmp_path, start, connect, wait_until):
    one, two = (f"unixsock-stream/{tmp_path}/{name}" for name in ("1", "2"))
    with open_router([one]), open_router([two], connect=[one]):
        near, far = start(one), start(two)
        seen = []
        connect(near, far)
        near.announce("alive/near")
        far.watch("alive/*", lambda key, here: seen.append((key, here)))
        wait_until(lambda: seen == [("alive/near", True)])


def test_after_a_router_was_killed_the_buses_find_the_next_one(endpoint, start, wait_until, capfd):
    heard, seen, answers = [], [], []
    with router_process(endpoint) as router:
        near, far = start(endpoint), start(endpoint)
        far.subscribe("a", lambda key, payload: heard.append(payload))
        far.watch("alive/*", lambda key, here: seen.append((key, here)))
        far.serve("q", lambda inquiry: inquiry.reply(b"!"))
        near.announce("alive/near")
        wait_until(lambda: heard, lambda: near.publish("a", b"before"))
        wait_until(lambda: seen == [("alive/near", True)])
        router.kill()
        router.wait()
        wait_until(lambda: seen[-1] == ("alive/near", False))
        wait_until(lambda: answers[-1:] == [None], lambda: near.ask("q", b"", answers.append, 600.0))
        near.publish("a", b"lost")
    heard.clear()
    with router_process(endpoint):
        wait_until(lambda: heard, lambda: near.publish("a", b"after"))
        wait_until(lambda: seen[-1] == ("alive/near", True))
        wait_until(lambda: b"!" in answers, lambda: near.ask("q", b"", answers.append, 600.0))
    assert b"lost" not in heard
    near.close()
    far.close()
    assert capfd.readouterr() == ("", "")


def test_a_frozen_router_holds_up_nobody_and_delivers_nothing_old(endpoint, start, wait_until):
    heard, seen = [], []
    with router_process(endpoint) as router:
        near, far = start(endpoint), start(endpoint)
        far.subscribe("a", lambda key, payload: heard.append(payload))
        far.watch("alive/*", lambda key, here: seen.append(here))
        near.announce("alive/near")
        wait_until(lambda: heard and seen == [True], lambda: near.publish("a", b"before"))
        router.send_signal(signal.SIGSTOP)
        wait_until(lambda: seen[-1] is False, lambda: near.publish("a", bytes(8000)))  # until the lease is over
        router.send_signal(signal.SIGCONT)
        heard.clear()
        wait_until(lambda: b"after" in heard, lambda: near.publish("a", b"after"))
    assert set(heard) == {b"after"}


@pytest.mark.usefixtures("router")
def test_a_subscriber_that_never_returns_does_not_hold_up_the_others(endpoint, start, connect, wait_until):
    near, stuck, witness = start(endpoint), start(endpoint), start(endpoint)
    release, is_stuck, witnessed = threading.Event(), threading.Event(), []

    def never_return(key, payload):
        is_stuck.set()
        release.wait()

    witness.subscribe("a", lambda key, payload: witnessed.append(payload))
    stuck.subscribe("a", never_return)
    stuck.announce("alive/stuck")
    connect(near, witness)
    try:
        wait_until(is_stuck.is_set, lambda: near.publish("a", bytes(8000)))
        witnessed.clear()
        for number in range(500):  # far more than the buffers on the way to the stuck one can hold
            near.publish("a", bytes(8000))
            wait_until(lambda number=number: len(witnessed) > number)
        began = time.monotonic()
        stuck.close()
        assert time.monotonic() - began < 10.0  # it is bounded by 2 s; never would be the other way
    finally:
        release.set()
