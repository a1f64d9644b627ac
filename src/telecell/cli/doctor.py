"""`telecell doctor`: what this machine has and lacks."""

from __future__ import annotations

import os
import platform
import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import asdict, astuple, dataclass
from importlib import metadata
from pathlib import Path
from typing import Literal

import typer

from telecell import __version__
from telecell.cli.output import JsonFlag, print_json, print_table, tell
from telecell.cli.up import DEFAULT_PORT
from telecell.errors import PortBusy, RenderingUnavailable, TelecellError

EXAMPLES = ("telecell doctor", "telecell doctor --json")

TRIAL_CELL = "puma"
TRIAL_S = 0.5
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")


@dataclass(frozen=True)
class Diagnosis:
    """One thing about this machine; only an `error` keeps `telecell up` from working."""

    name: str
    status: Literal["ok", "warning", "error"]
    value: str
    remedy: str = ""


def run(as_json: JsonFlag = False) -> None:
    """Look at this machine: what it has and lacks, with remedies.

    Versions, speed, rendering, browser, port and folders.
    The exit code is 1 when something that `telecell up` needs is missing.
    """
    found = [diagnosis for check in CHECKS for diagnosis in check()]
    ready = all(diagnosis.status != "error" for diagnosis in found)
    if as_json:
        print_json({"ready": ready, "checks": [asdict(diagnosis) for diagnosis in found]})
    else:
        print_table("This machine", ("what", "status", "found", "remedy"), map(astuple, found))
        tell("ready for `telecell up`" if ready else "not ready for `telecell up`")
    if not ready:
        raise typer.Exit(1)


def _check_versions() -> Iterator[Diagnosis]:
    yield Diagnosis("telecell", "ok", __version__)
    yield Diagnosis("python", "ok", platform.python_version())
    yield Diagnosis("system", "ok", platform.platform())


def _check_dependencies() -> Iterator[Diagnosis]:
    for requirement in metadata.requires("telecell") or []:
        if "extra ==" in requirement:
            continue
        name = re.split(r"[^A-Za-z0-9._-]", requirement)[0]
        try:
            yield Diagnosis(name, "ok", metadata.version(name))
        except metadata.PackageNotFoundError:
            yield Diagnosis(name, "error", "missing", f"pip install '{requirement}'")


def _check_cores() -> Iterator[Diagnosis]:
    count = len(os.sched_getaffinity(0))
    remedy = "" if count > 1 else "Cell and page share one core: expect a real-time factor below 1."
    yield Diagnosis("cores", "ok" if count > 1 else "warning", str(count), remedy)


def _check_speed() -> Iterator[Diagnosis]:
    """A cell on its physics for a moment: does it run, and faster than real time?"""
    from telecell.client import open_cell
    from telecell.clock import SystemClock

    clock = SystemClock()
    try:
        with open_cell(TRIAL_CELL) as cell:
            start_s = clock.now()
            cell.run(TRIAL_S)
    except TelecellError as error:
        yield Diagnosis(
            "physics", "error", str(error), "Install Telecell again: pip install --force-reinstall telecell"
        )
        return
    factor = TRIAL_S / (clock.now() - start_s)
    remedy = "" if factor > 1 else "The cell will run slower than real time; close other programs."
    yield Diagnosis("physics", "ok" if factor > 1 else "warning", f"real-time factor {factor:.1f}", remedy)


def _check_rendering() -> Iterator[Diagnosis]:
    from telecell.kinematics.posture import Posture
    from telecell.models import load_cell
    from telecell.plant.cameras import render

    posture = Posture(load_cell(TRIAL_CELL))
    try:
        render(posture.model, posture.data, width=64, height=64)
    except RenderingUnavailable as error:
        yield Diagnosis("offscreen rendering", "warning", error.what, error.remedy or "")
    else:
        yield Diagnosis("offscreen rendering", "ok", "works")


def _check_browser() -> Iterator[Diagnosis]:
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path:
        yield Diagnosis("chromium", "ok", path)
    else:
        yield Diagnosis("chromium", "warning", "not found", "Any recent browser shows the page; tests need Chromium.")


def _check_port() -> Iterator[Diagnosis]:
    from telecell.servers.ports import validate_port_free

    try:
        validate_port_free(DEFAULT_PORT)
    except PortBusy as error:
        yield Diagnosis(f"port {DEFAULT_PORT}", "warning", error.what, error.remedy or "")
    else:
        yield Diagnosis(f"port {DEFAULT_PORT}", "ok", "free")


def _check_folders() -> Iterator[Diagnosis]:
    for name, variable, default in (
        ("state folder", "XDG_STATE_HOME", "~/.local/state"),
        ("config folder", "XDG_CONFIG_HOME", "~/.config"),
    ):
        folder = Path(os.environ.get(variable) or default).expanduser() / "telecell"
        existing = next(path for path in (folder, *folder.parents) if path.exists())
        writable = existing.is_dir() and os.access(existing, os.W_OK)
        remedy = "" if writable else f"Make {existing} writable, or set {variable} to a folder that is."
        yield Diagnosis(name, "ok" if writable else "warning", str(folder), remedy)


CHECKS: tuple[Callable[[], Iterator[Diagnosis]], ...] = (
    _check_versions,
    _check_dependencies,
    _check_cores,
    _check_speed,
    _check_rendering,
    _check_browser,
    _check_port,
    _check_folders,
)
