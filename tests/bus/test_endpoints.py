import ipaddress
import os
import socket
import stat
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from telecell.bus import (
    Endpoint,
    is_loopback,
    list_local,
    local_endpoint,
    open_router,
    parse_endpoint,
    prepare_endpoint,
)
from telecell.bus.endpoints import MAX_SOCKET_PATH_BYTES, find_socket
from telecell.errors import InputError, ServerError

LONG = "c" * 40


@pytest.fixture
def runtime(monkeypatch):
    """With a short name, whatever the folder of the tests is called."""
    with tempfile.TemporaryDirectory(prefix="run-") as folder:
        monkeypatch.setenv("XDG_RUNTIME_DIR", folder)
        yield Path(folder)


def fill_up(folder, spare_bytes):
    """A folder with so long a name that so many bytes are left for what is in it."""
    length = MAX_SOCKET_PATH_BYTES - len(str(folder)) - len("//telecell/local/") - spare_bytes
    filled = folder / ("x" * length)
    filled.mkdir()
    return str(filled)


def test_sockets_are_in_the_runtime_folder_of_the_user(runtime):
    assert find_socket("local", "puma") == runtime / "telecell" / "local" / "puma.sock"
    assert local_endpoint("lab", "ed1") == f"unixsock-stream/{runtime}/telecell/lab/ed1.sock"


def test_without_a_runtime_folder_they_are_in_a_private_temporary_one(monkeypatch, tmp_path):
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    path = find_socket("local", "puma")
    assert path == tmp_path / f"telecell-{os.getuid()}" / "local" / "puma.sock"
    prepare_endpoint("local", "puma")
    assert stat.S_IMODE(path.parent.parent.stat().st_mode) == 0o700


def test_the_folder_is_made_ours_alone(runtime):
    (runtime / "telecell").mkdir(mode=0o755)
    prepare_endpoint("local", "puma")
    for folder in (runtime / "telecell", runtime / "telecell" / "local"):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_folder_that_is_a_link_is_refused(runtime):
    (runtime / "elsewhere").mkdir()
    (runtime / "telecell").symlink_to(runtime / "elsewhere")
    with pytest.raises(ServerError, match=r"belongs to somebody else.*XDG_RUNTIME_DIR"):
        prepare_endpoint("local", "puma")


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give a folder away")
def test_a_folder_of_somebody_else_is_refused(runtime):
    (runtime / "telecell").mkdir()
    os.chown(runtime / "telecell", 65534, 65534)
    with pytest.raises(ServerError, match="belongs to somebody else"):
        prepare_endpoint("local", "puma")


def test_a_runtime_folder_that_does_not_exist_is_refused(runtime, monkeypatch):
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(runtime / "nowhere"))
    with pytest.raises(ServerError, match=r"cannot be made \(No such file or directory\)"):
        prepare_endpoint("local", "puma")
    assert list_local("local") == []


def test_only_cells_that_somebody_listens_for_are_listed(runtime):
    assert list_local("local") == []
    with open_router([prepare_endpoint("local", "puma")]), open_router([prepare_endpoint("local", "ed1")]):
        prepare_endpoint("local", "cirsse")
        assert list_local("local") == ["ed1", "puma"]
        assert list_local("lab") == []
    assert list_local("local") == []


def test_a_socket_that_nobody_listens_at_is_removed_and_a_live_one_is_kept(runtime):
    prepare_endpoint("local", "puma")
    path = find_socket("local", "puma")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen()
        prepare_endpoint("local", "puma")
        assert path.exists()
    assert list_local("local") == []
    assert path.exists()
    prepare_endpoint("local", "puma")
    assert not path.exists()


def test_a_busy_listener_is_there(runtime):
    prepare_endpoint("local", "puma")
    with socket.socket(socket.AF_UNIX) as listener, socket.socket(socket.AF_UNIX) as other:
        listener.bind(str(find_socket("local", "puma")))
        listener.listen(0)
        other.connect(str(find_socket("local", "puma")))
        assert list_local("local") == ["puma"]


def test_a_cell_with_too_long_a_name_for_a_socket_gets_a_short_one_and_is_still_listed(runtime, monkeypatch):
    monkeypatch.setenv("XDG_RUNTIME_DIR", fill_up(runtime, spare_bytes=len("~0123456789ab.sock")))
    path = find_socket("local", LONG)
    assert len(os.fsencode(path)) == MAX_SOCKET_PATH_BYTES
    assert path != find_socket("local", "d" * 40)
    with open_router([prepare_endpoint("local", LONG)]):
        assert list_local("local") == [LONG]


def test_too_long_a_folder_for_any_socket_is_an_error_with_the_limit(runtime, monkeypatch):
    monkeypatch.setenv("XDG_RUNTIME_DIR", fill_up(runtime, spare_bytes=len("~0123456789ab.sock") - 1))
    with pytest.raises(InputError, match=r"too long a path for a socket, got .*, limit 107 bytes\. Set XDG_RUNTIME"):
        find_socket("local", LONG)


@pytest.mark.parametrize(
    ("text", "host", "port"),
    [
        ("tcp/127.0.0.1:7447", "127.0.0.1", 7447),
        ("tcp/robot-lab.example.org:1", "robot-lab.example.org", 1),
        ("tcp/[::1]:65535", "::1", 65535),
    ],
)
def test_an_address_is_read_and_written_back(text, host, port):
    assert parse_endpoint(text) == Endpoint(host, port)
    assert str(parse_endpoint(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "127.0.0.1:7447",
        "tcp/",
        "tcp/host",
        "tcp/:7447",
        "tcp/host:",
        "udp/host:1",
        "tcp/host:7447#iface=x",
        "tcp/a b:1",
    ],
)
def test_what_is_not_an_address_is_refused_with_an_example(text):
    with pytest.raises(InputError, match=r"Write tcp/HOST:PORT, such as tcp/127\.0\.0\.1:7447"):
        parse_endpoint(text)


@pytest.mark.parametrize("port", [0, 65536, 99999])
def test_a_port_out_of_range_is_refused(port):
    with pytest.raises(InputError, match=f"not a port, got {port}, limit 1 to 65535"):
        parse_endpoint(f"tcp/host:{port}")


def test_a_bad_ipv6_address_is_refused():
    with pytest.raises(InputError, match="not an IPv6 address"):
        parse_endpoint("tcp/[1:2]:7447")


@pytest.mark.parametrize(
    ("endpoint", "expected"),
    [
        ("unixsock-stream//run/user/1/telecell/local/puma.sock", True),
        ("tcp/127.0.0.1:1", True),
        ("tcp/127.8.8.8:1", True),
        ("tcp/LocalHost:1", True),
        ("tcp/[::1]:1", True),
        ("tcp/0.0.0.0:1", False),
        ("tcp/[::]:1", False),
        ("tcp/192.168.1.2:1", False),
        ("tcp/example.org:1", False),
    ],
)
def test_loopback_is_told_from_the_rest(endpoint, expected):
    assert is_loopback(endpoint) is expected


@given(st.text(max_size=300) | st.from_regex(r"tcp/[a-z0-9.:\[\]-]{0,20}:[0-9]{0,6}", fullmatch=True))
def test_any_text_is_an_address_or_an_error_of_ours(text):
    try:
        endpoint = parse_endpoint(text)
    except InputError:
        return
    assert parse_endpoint(str(endpoint)) == endpoint
    assert is_loopback(text) in (True, False)


@given(st.ip_addresses(), st.integers(1, 65535))
def test_every_ip_address_survives_being_written(address, port):
    endpoint = Endpoint(str(address), port)
    assert parse_endpoint(str(endpoint)) == endpoint
    assert is_loopback(str(endpoint)) == ipaddress.ip_address(str(address)).is_loopback
