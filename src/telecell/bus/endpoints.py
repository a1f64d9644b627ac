"""Where buses meet: the local sockets of cells, and addresses on the network."""

from __future__ import annotations

import contextlib
import hashlib
import ipaddress
import os
import re
import socket
import stat
import tempfile
from pathlib import Path
from typing import NamedTuple

from telecell.bus.keys import validate_name
from telecell.errors import InputError, ServerError

UNIX = "unixsock-stream/"
TCP = "tcp/"
MAX_SOCKET_PATH_BYTES = 107
"""What Linux takes as the path of a socket, without the closing zero."""

_ADDRESS = re.compile(r"(?P<host>[A-Za-z0-9_.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\]):(?P<port>[0-9]{1,5})")


class Endpoint(NamedTuple):
    """A TCP address to listen at or to connect to."""

    host: str
    port: int

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{TCP}{host}:{self.port}"


def local_endpoint(site: str, cell: str) -> str:
    """Where the router of a cell on this machine listens."""
    return f"{UNIX}{find_socket(site, cell)}"


def prepare_endpoint(site: str, cell: str) -> str:
    """Make ready for a router to listen for a cell: a folder that is ours alone, and nothing stale in the way.

    Raises:
        ServerError: the folder cannot be made, or somebody else could reach into it.
    """
    path = find_socket(site, cell)
    for folder in (_find_root(), path.parent):
        _make_private(folder)
    if path.stem != cell:
        _name_file(path).write_text(cell, encoding="ascii")
    if path.exists() and not is_listening(path):
        path.unlink(missing_ok=True)
    return local_endpoint(site, cell)


def list_local(site: str) -> list[str]:
    """The cells of a site that somebody listens for on this machine."""
    sockets = (_find_root() / validate_name("site", site)).glob("*.sock")
    cells = (_read_cell(path) for path in sockets if is_listening(path))
    return sorted(cell for cell in cells if cell is not None)


def find_socket(site: str, cell: str) -> Path:
    """The path of the socket of a cell; under a hash if its name would make it too long for a socket.

    Raises:
        InputError: site or cell cannot be part of a key, or the folder has too long a name for any socket.
    """
    folder = _find_root() / validate_name("site", site)
    path = folder / f"{validate_name('cell', cell)}.sock"
    if _is_short(path):
        return path
    path = folder / f"~{hashlib.sha256(cell.encode()).hexdigest()[:12]}.sock"
    if not _is_short(path):
        raise InputError(
            "too long a path for a socket",
            value=str(path),
            limit=f"{MAX_SOCKET_PATH_BYTES} bytes",
            remedy="Set XDG_RUNTIME_DIR to a folder with a shorter name.",
        )
    return path


def is_listening(path: Path) -> bool:
    """Whether somebody listens at a Unix socket."""
    with socket.socket(socket.AF_UNIX) as probe:
        probe.setblocking(False)
        try:
            probe.connect(str(path))
        except BlockingIOError:  # somebody does, and is busy
            return True
        except OSError:
            return False
    return True


def parse_endpoint(text: str) -> Endpoint:
    """A TCP address as a person writes it: `tcp/HOST:PORT`.

    Raises:
        InputError: it is not one.
    """
    match = _ADDRESS.fullmatch(text.removeprefix(TCP)) if text.startswith(TCP) else None
    if match is None:
        raise InputError(
            "not an address on the network", value=text[:200], remedy="Write tcp/HOST:PORT, such as tcp/127.0.0.1:7447."
        )
    return Endpoint(_read_host(match["host"], text), _read_port(match["port"], text))


def is_loopback(endpoint: str) -> bool:
    """Whether only this machine can reach an endpoint.

    Raises:
        InputError: it is neither a local socket nor an address on the network.
    """
    if endpoint.startswith(UNIX):
        return True
    host = parse_endpoint(endpoint).host
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def _find_root() -> Path:
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    return Path(runtime) / "telecell" if runtime else Path(tempfile.gettempdir()) / f"telecell-{os.getuid()}"


def _make_private(folder: Path) -> None:
    """Make a folder that only this user can enter, or see that it is one: whoever can enter can drive the cell."""
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        status = folder.lstat()
    except OSError as error:
        raise ServerError(
            f"the folder for sockets cannot be made ({error.strerror})",
            where=str(folder),
            remedy="Set XDG_RUNTIME_DIR to a folder of yours.",
        ) from None
    if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.getuid():
        raise ServerError(
            "the folder for sockets belongs to somebody else",
            where=str(folder),
            remedy="Set XDG_RUNTIME_DIR to a folder of yours.",
        )
    folder.chmod(0o700)


def _is_short(path: Path) -> bool:
    return len(os.fsencode(path)) <= MAX_SOCKET_PATH_BYTES


def _name_file(path: Path) -> Path:
    """Where the name of a cell is kept whose socket could not bear it."""
    return path.with_suffix(".name")


def _read_cell(path: Path) -> str | None:
    if not path.stem.startswith("~"):
        return path.stem
    with contextlib.suppress(OSError, UnicodeDecodeError, InputError):
        return validate_name("cell", _name_file(path).read_text(encoding="ascii"))
    return None


def _read_host(host: str, text: str) -> str:
    if not host.startswith("["):
        return host
    try:
        return str(ipaddress.IPv6Address(host[1:-1]))
    except ValueError:
        raise InputError("not an IPv6 address", where=text[:200], value=host[:60]) from None


def _read_port(digits: str, text: str) -> int:
    port = int(digits)
    if not 1 <= port <= 65535:
        raise InputError("not a port", where=text[:200], value=port, limit="1 to 65535")
    return port
