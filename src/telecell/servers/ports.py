"""Ports of this machine, on loopback only."""

from __future__ import annotations

import http.client
import socket

from telecell.bus import LOOPBACK
from telecell.errors import InputError, PortBusy

PAGE_TIMEOUT_S = 1.0


def validate_port_free(port: int) -> None:
    """Raise unless a server could listen on the port.

    Raises:
        InputError: not the number of a port.
        PortBusy: another program listens there, or it is not ours to use.
    """
    if not 1 <= port <= 65535:
        raise InputError("not a port", where="--port", value=port, limit="1 to 65535")
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((LOOPBACK, port))
        except OSError as error:
            raise PortBusy(
                f"cannot listen there ({error.strerror})",
                where=f"{LOOPBACK}:{port}",
                remedy=f"Stop the program that does, or choose another port, for example --port {suggest_port()}.",
            ) from None


def suggest_port() -> int:
    """A port that is free at the moment."""
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        return probe.getsockname()[1]


def page_answers(port: int) -> bool:
    """Whether a web page is really served on the port."""
    connection = http.client.HTTPConnection(LOOPBACK, port, timeout=PAGE_TIMEOUT_S)
    try:
        connection.request("GET", "/", headers={"Accept-Encoding": "gzip"})
        return connection.getresponse().status == http.HTTPStatus.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
