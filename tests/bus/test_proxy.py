"""A bad network for TCP, with real sockets on loopback and with real zenoh sessions."""

import contextlib
import socket
import threading

import pytest

from telecell.bus import LOOPBACK, Impairment, TcpProxy, ZenohBus, open_router, parse_endpoint
from telecell.errors import InputError, PortBusy

PATIENCE_S = 20.0


@pytest.fixture
def listener():
    with socket.create_server((LOOPBACK, 0)) as listener:
        listener.settimeout(PATIENCE_S)
        yield listener


@pytest.fixture
def proxy(listener):
    with TcpProxy(*listener.getsockname()) as proxy:
        yield proxy


@contextlib.contextmanager
def connect_through(proxy, listener):
    """Both ends of one connection through the proxy: the client's, the server's."""
    with socket.create_connection((LOOPBACK, proxy.port), PATIENCE_S) as client, listener.accept()[0] as server:
        server.settimeout(PATIENCE_S)
        yield client, server


@pytest.fixture
def ends(listener, proxy):
    with connect_through(proxy, listener) as ends:
        yield ends


def receive(end, size):
    received = b""
    while len(received) < size:
        chunk = end.recv(65536)
        assert chunk, "ended too early"
        received += chunk
    return received


def is_silent(end):
    """Nothing has come for a while that is long for a proxy on loopback."""
    end.settimeout(0.1)
    try:
        with contextlib.suppress(TimeoutError):
            end.recv(1)
            return False
        return True
    finally:
        end.settimeout(PATIENCE_S)


def test_bytes_pass_both_ways(ends):
    client, server = ends
    client.sendall(b"ping")
    assert receive(server, 4) == b"ping"
    server.sendall(b"pong")
    assert receive(client, 4) == b"pong"


def test_a_lot_of_bytes_pass_unchanged(ends, proxy):
    client, server = ends
    proxy.set(up=Impairment(jitter_s=0.005))
    sent = bytes(range(256)) * 40000
    thread = threading.Thread(target=client.sendall, args=(sent,))
    thread.start()
    assert receive(server, len(sent)) == sent
    thread.join()


@pytest.mark.parametrize("first", ["client", "server"])
def test_an_end_that_is_closed_is_closed_at_the_other_end_after_its_bytes(ends, first):
    here, there = ends if first == "client" else ends[::-1]
    here.sendall(b"last words")
    here.shutdown(socket.SHUT_WR)
    assert receive(there, 10) == b"last words"
    assert there.recv(1) == b""
    there.sendall(b"answer")  # the other direction is still open
    assert receive(here, 6) == b"answer"
    there.close()
    assert here.recv(1) == b""


@pytest.mark.parametrize("direction", ["up", "down"])
def test_a_cut_direction_is_silent_and_open_and_delivers_when_mended(ends, proxy, direction):
    client, server = ends
    source, sink = (client, server) if direction == "up" else (server, client)
    proxy.cut(up=direction == "up", down=direction == "down")
    source.sendall(b"held")
    sink.sendall(b"passes")
    assert receive(source, 6) == b"passes"
    assert is_silent(sink)
    proxy.mend()
    assert receive(sink, 4) == b"held"


def test_in_a_cut_the_end_of_a_connection_is_not_heard_either(ends, proxy):
    client, server = ends
    proxy.cut()
    client.close()
    assert is_silent(server)
    proxy.mend()
    assert server.recv(1) == b""


def test_delay_holds_bytes_back_and_can_be_taken_away(ends, proxy):
    client, server = ends
    proxy.set(up=Impairment(delay_s=0.5))
    client.sendall(b"late")
    assert is_silent(server)
    assert receive(server, 4) == b"late"
    proxy.set(up=Impairment())
    client.sendall(b"now")
    assert receive(server, 3) == b"now"


def test_a_slow_link_takes_its_time(ends, proxy):
    client, server = ends
    proxy.set(down=Impairment(bandwidth_bytes_s=20000.0))
    server.sendall(bytes(10000))
    assert is_silent(client)  # it leaves as one piece, which takes half a second
    assert receive(client, 10000) == bytes(10000)


def test_an_outage_by_the_clock_holds_bytes_back(listener):
    out = Impairment(outages=((0.0, 1.0),))
    with TcpProxy(*listener.getsockname(), up=out, down=out) as proxy, connect_through(proxy, listener) as ends:
        client, server = ends
        client.sendall(b"held")
        assert is_silent(server)
        assert receive(server, 4) == b"held"


def test_what_is_under_way_is_bounded_and_then_the_sender_waits(ends, proxy):
    client, _ = ends
    proxy.cut()
    client.settimeout(0.5)
    with pytest.raises(TimeoutError):
        client.sendall(bytes(1 << 26))


def test_without_a_target_a_connection_ends(proxy, listener):
    listener.close()
    with socket.create_connection((LOOPBACK, proxy.port), PATIENCE_S) as client:
        assert client.recv(1) == b""


def test_closing_ends_all_connections_and_may_be_repeated(ends, proxy):
    client, server = ends
    proxy.close()
    proxy.close()
    assert client.recv(1) == b""
    assert server.recv(1) == b""


def test_a_busy_port_is_refused(listener):
    port = listener.getsockname()[1]
    with pytest.raises(PortBusy, match=f"tcp/127.0.0.1:{port}: cannot listen there"):
        TcpProxy(LOOPBACK, port, listen_port=port).start()


@pytest.mark.parametrize(
    ("impossible", "name"),
    [
        (Impairment(loss=0.1), "loss"),
        (Impairment(duplication=0.1), "duplication"),
        (Impairment(reordering=0.1), "reordering"),
    ],
)
def test_what_cannot_happen_on_tcp_is_refused(impossible, name, proxy):
    with pytest.raises(InputError, match=f"proxy: TCP has no {name}, got 0.1, limit 0. Use delay"):
        proxy.set(up=impossible)
    with pytest.raises(InputError):
        TcpProxy(LOOPBACK, 1, down=impossible)


@pytest.mark.parametrize("direction", ["up", "both"])
def test_after_a_blackhole_of_3_s_no_old_publication_is_delivered(direction, listener, wait_until):
    """With zenoh's own lease of 10 s all of them would be."""
    port = listener.getsockname()[1]
    listener.close()  # its port is free now
    with open_router([f"tcp/{LOOPBACK}:{port}"]), TcpProxy(LOOPBACK, port) as proxy:
        assert parse_endpoint(proxy.endpoint).port == proxy.port
        near, far = ZenohBus(proxy.endpoint), ZenohBus(f"tcp/{LOOPBACK}:{port}")
        near.start()
        far.start()
        heard, seen = [], []
        far.subscribe("a", lambda key, payload: heard.append(payload))
        far.watch("alive/*", lambda key, here: seen.append(here))
        near.announce("alive/near")
        wait_until(lambda: heard and seen == [True], lambda: near.publish("a", b"before"))

        proxy.cut(down=direction == "both")
        blackhole = threading.Event()
        for number in range(300):
            near.publish("a", b"old %d" % number)
            blackhole.wait(0.01)
        assert seen == [True, False]
        heard.clear()
        proxy.mend()
        wait_until(lambda: b"new" in heard, lambda: near.publish("a", b"new"))
        assert set(heard) == {b"new"}
        wait_until(lambda: seen[-1] is True)
        near.close()
        far.close()
