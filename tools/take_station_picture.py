"""Takes docs/pictures/station.png: the page of `cirsse` in a real browser, under control, with a robot that was moved.

    python tools/take_station_picture.py [--out docs/pictures/station.png]

Needs Chromium. The browser runs at the lowest priority: without a graphics card it would take the twin's time.
"""

from __future__ import annotations

import argparse
import io
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, expect, sync_playwright

from telecell.servers.ports import suggest_port

PATIENCE_MS = 120_000
MAX_STOPS = 20
"""On a busy machine the page may be too late to renew, and the cell stops the robot."""

WIDTH, HEIGHT = 1440, 900
FLAGS = ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
POSITIONS = {"1 linear": "-1000", "4 shoulder": "12", "5 upper-arm": "-35", "8 flange tilt": "35"}


@contextmanager
def run_cell(folder: Path) -> Iterator[str]:
    """The address of a running cell with its page."""
    port = suggest_port()
    program = "from telecell.cli import main; main()"
    command = [sys.executable, "-c", program, "up", "cirsse", "--port", str(port)]
    environment = {**os.environ, "XDG_STATE_HOME": str(folder), "XDG_RUNTIME_DIR": str(folder)}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
    assert process.stdout is not None
    try:
        process.stdout.readline()
        yield f"http://127.0.0.1:{port}"
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate()


def write_quiet_browser(folder: Path) -> str:
    """A program that starts Chromium at the lowest priority."""
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
    script = folder / "browser"
    quietly = Path(__file__).with_name("quiet-browser.sh")
    script.write_text(f'#!/bin/sh\nexec sh {quietly} {chromium} "$@"\n')
    script.chmod(0o755)
    return str(script)


def drive(page: Page) -> None:
    """Take control, switch the power on, and move the sliders."""
    mode = page.locator('[data-row="mode"]')
    page.get_by_role("button", name="Take control").click()
    expect(page.locator('[data-row="holder"]')).to_contain_text("station")
    page.get_by_role("button", name="Power on").click()
    expect(mode).to_contain_text("holding")
    for title, shown in POSITIONS.items():
        for _ in range(MAX_STOPS):
            put(page, title, shown)
            page.wait_for_timeout(3000)
            expect(mode).not_to_contain_text("tracking")
            if "stopped" not in mode.inner_text():
                break
            page.get_by_role("button", name="Reset").click()
            expect(mode).to_contain_text("holding")


def put(page: Page, title: str, shown: str) -> None:
    """Type a position into the box of a slider."""
    label = page.locator("label", has_text=title)
    track = page.locator(f'[id="{label.get_attribute("for")}"]')
    track.locator("xpath=..").locator("input[inputmode]").fill(shown)


def close_notes(page: Page) -> None:
    """What viser remarks about the graphics card."""
    page.locator(".mantine-Notification-closeButton").evaluate_all("all => all.forEach(button => button.click())")


def main() -> None:
    """Take the picture."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--out", type=Path, default=Path("docs/pictures/station.png"))
    options = parser.parse_args()
    expect.set_options(timeout=PATIENCE_MS)
    with tempfile.TemporaryDirectory() as name, run_cell(Path(name)) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=write_quiet_browser(Path(name)), args=FLAGS)
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        page.set_default_timeout(PATIENCE_MS)
        page.goto(address)
        expect(page.locator("canvas").first).to_be_visible()
        close_notes(page)
        drive(page)
        page.mouse.move(WIDTH / 3, HEIGHT / 2)
        page.evaluate("document.querySelectorAll('*').forEach(part => { part.scrollTop = 0 })")
        picture = Image.open(io.BytesIO(page.screenshot()))
        browser.close()
    picture.convert("RGB").save(options.out, optimize=True)


if __name__ == "__main__":
    main()
