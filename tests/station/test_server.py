import socket

import pytest

from telecell.errors import PortBusy
from telecell.station.server import open_server


def test_the_page_is_on_loopback_only(free_port: int):
    with open_server(free_port, "test") as server:
        assert server.get_host() == "127.0.0.1"
        assert server.get_port() == free_port
        socket.create_connection(("127.0.0.1", free_port)).close()
        for family, _, _, _, address in socket.getaddrinfo(socket.gethostname(), free_port, type=socket.SOCK_STREAM):
            if not str(address[0]).startswith(("127.", "::1")):
                with socket.socket(family) as outside:
                    assert outside.connect_ex(address) != 0


def test_the_page_never_moves_to_another_port(free_port: int):
    with socket.socket() as other:
        other.bind(("127.0.0.1", free_port))
        other.listen()
        with pytest.raises(PortBusy, match=rf"127\.0\.0\.1:{free_port}.*--port"), open_server(free_port, "test"):
            pass


def test_the_page_cannot_be_published(free_port: int):
    with open_server(free_port, "test") as server:
        assert server.request_share_url() is None
