"""A cell as its user starts it, in processes of its own that can be killed and frozen."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from soak.real.patience import wait_for
from telecell.bus import LOOPBACK, Endpoint, Keys, local_endpoint
from telecell.servers.ports import suggest_port

CELL_SERVER = "telecell.servers.cell_server"
WORKER = "telecell.servers.worker"
TELECELL = "from telecell.cli import main; main()"
LIFETIME_S = "1200"
"""If nobody ends it: a test may be killed as well."""

END_PATIENCE_S = 20.0


@contextlib.contextmanager
def own_folders() -> Iterator[None]:
    """Sockets and locks of this process and its children in a folder of their own."""
    names = ("XDG_RUNTIME_DIR", "XDG_STATE_HOME")
    before = {name: os.environ.get(name) for name in names}
    with tempfile.TemporaryDirectory(prefix="cell-") as folder:
        os.environ.update(dict.fromkeys(names, folder))
        try:
            yield
        finally:
            for name, value in before.items():
                os.environ.pop(name, None)
                if value is not None:
                    os.environ[name] = value


class CellProcess:
    """`telecell cell` in a process of its own; use it as a context.

    Args:
        cell: its name.
        plant: name of the plant driver.
        paths: folders with more packages for it, such as one with a driver.

    Attributes:
        endpoint: its local socket.
        address: of its port on loopback, for those who come through a proxy.
        keys: on the bus.
    """

    def __init__(self, cell: str = "puma", *, plant: str = "fake", paths: tuple[Path, ...] = ()):
        self.address = Endpoint(LOOPBACK, suggest_port())
        self.endpoint = local_endpoint("local", cell)
        self.keys = Keys("local", cell)
        self._command = [sys.executable, "-c", TELECELL, "cell", cell, "--plant", plant, "--seconds", LIFETIME_S]
        self._paths = paths
        self._process: subprocess.Popen[str] | None = None

    def __enter__(self) -> CellProcess:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def start(self) -> None:
        """Start it, and wait until it runs."""
        self._process = subprocess.Popen(
            [*self._command, "--listen", str(self.address)],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
            env=os.environ | ({"PYTHONPATH": os.pathsep.join(map(str, self._paths))} if self._paths else {}),
        )
        line = self.read_line()
        if "is running" not in line:
            self.end()
            raise RuntimeError(f"the cell does not come up: {line}")
        self.read_line()  # about the port

    def end(self) -> None:
        """Have it end, whatever state it is in."""
        if self._process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            self._process.send_signal(signal.SIGCONT)
            self._process.terminate()
        try:
            self._process.communicate(timeout=END_PATIENCE_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.communicate()
        self._process = None

    @property
    def pid(self) -> int:
        """Of the supervisor."""
        assert self._process is not None
        return self._process.pid

    def read_line(self) -> str:
        """The next thing that the user is told."""
        assert self._process is not None
        assert self._process.stdout is not None
        return self._process.stdout.readline().rstrip("\n")

    def find_child(self, module: str) -> int:
        """The number of the process that runs one of our modules, as soon as there is one."""
        return wait_for(lambda: find_children(self.pid).get(module), f"a process of {module}")


def find_children(parent: int) -> dict[str, int]:
    """The processes that another has started with `python -m`: their numbers by module."""
    children = {}
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            its_parent = status.read_text().rpartition(")")[2].split()[1]
            command = (status.parent / "cmdline").read_text().split("\0")
        except OSError:
            continue  # it has just ended
        if int(its_parent) == parent and "-m" in command:
            children[command[command.index("-m") + 1]] = int(status.parent.name)
    return children
