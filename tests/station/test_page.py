"""The page in a real browser, served by the real processes."""

import io
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Locator, Page, ViewportSize, expect, sync_playwright

from telecell.servers.ports import suggest_port

pytestmark = [pytest.mark.browser, pytest.mark.real_time]

PATIENCE_MS = 60_000
MAX_PICTURES = 20
MAX_STOPS = 20
LIFETIME_S = 300
VIEWPORT = ViewportSize(width=1440, height=900)
FLAGS = ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
WAIST = "left_puma/waist"
CART = "left_cart/rotate"

SCRIPT = """
import sys
from functools import partial
from telecell.servers.supervisor import run
sys.exit(run("cirsse", port={port}, seconds={seconds}, say=partial(print, flush=True)))
"""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A running cell. In the end it must have stopped cleanly, with no complaint from any of its processes."""
    port = suggest_port()
    code = SCRIPT.format(port=port, seconds=LIFETIME_S)
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    try:
        assert process.stdout is not None
        assert "is running at" in process.stdout.readline()
        yield f"http://127.0.0.1:{port}"
        process.send_signal(signal.SIGINT)
        rest, _ = process.communicate(timeout=30)
    finally:
        process.kill()
        process.communicate()
    assert rest.startswith("Simulated")
    assert rest.count("\n") == 1
    assert process.returncode == 0


@pytest.fixture(scope="module")
def page(address: str, quiet_browser_path: str) -> Iterator[Page]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=quiet_browser_path, args=FLAGS)
        page = browser.new_context(viewport=VIEWPORT).new_page()
        page.set_default_timeout(PATIENCE_MS)
        expect.set_options(timeout=PATIENCE_MS)
        page.goto(address)
        expect(get_row(page, "real_time_factor")).to_be_visible()
        expect(page.locator("canvas").first).to_be_visible()
        close_notes(page)
        yield page
        browser.close()


def get_row(page: Page, key: str) -> Locator:
    return page.locator(f'[data-row="{key}"]')


def get_reading(page: Page, axis: str) -> Locator:
    """Where the twin says that an axis is."""
    return get_row(page, axis).locator("td").nth(1)


def get_slider(page: Page, title: str) -> tuple[Locator, Locator]:
    """The thumb of a slider and the number box beside it."""
    label = page.locator("label", has_text=title)
    track = page.locator(f'[id="{label.get_attribute("for")}"]')
    return track.get_by_role("slider"), track.locator("xpath=..").locator("input[inputmode]")


def drive(page: Page, title: str, axis: str, shown: float) -> None:
    """Type a position into the box of a slider and wait until the axis is there.

    On a machine that is too busy the page's renewals come late and the cell stops the robot, as it should. Then do what
    a person does: reset, and ask again.
    """
    _, box = get_slider(page, title)
    stopped = get_row(page, "mode").filter(has_text="stopped")
    for _ in range(MAX_STOPS):
        box.fill(f"{shown:g}")
        expect(stopped.or_(get_arrived(page, axis, shown)).first).to_be_visible()
        expect(get_row(page, "mode")).to_contain_text(re.compile("holding|stopped"))
        if not stopped.count():
            break
        page.get_by_role("button", name="Reset").click()
        expect(get_row(page, "mode")).to_contain_text("holding")
    expect(get_arrived(page, axis, shown)).to_be_visible()


def get_arrived(page: Page, axis: str, shown: float) -> Locator:
    """The reading of an axis, once it is there."""
    return get_reading(page, axis).filter(has_text=f"{'−' if shown < 0 else ''}{abs(shown):.1f}°")


def close_notes(page: Page) -> None:
    """Close what is shown at this moment: notes go away by themselves too, so the browser has to do it in one step."""
    page.locator(".mantine-Notification-closeButton").evaluate_all("all => all.forEach(button => button.click())")


def get_ready(page: Page) -> None:
    """Bring the cell to where the page can move it, whatever the test before has left behind."""
    if "station" not in get_row(page, "holder").inner_text():
        page.get_by_role("button", name="Take control").click()
        expect(get_row(page, "holder")).to_contain_text("station")
    if "stopped" in get_row(page, "mode").inner_text():
        page.get_by_role("button", name="Reset").click()
        expect(get_row(page, "mode")).not_to_contain_text("stopped")
    if "off" in get_row(page, "mode").inner_text():
        page.get_by_role("button", name="Power on").click()
    expect(get_row(page, "mode")).to_contain_text("holding")


def take_picture(page: Page, folder: Path, name: str) -> np.ndarray:
    png = page.screenshot(path=folder / f"{name}.png")
    return np.asarray(Image.open(io.BytesIO(png)).convert("RGB"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where the pictures go; TELECELL_PICTURES names a place to keep them."""
    folder = Path(os.environ.get("TELECELL_PICTURES", tmp_path))
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def count_colours(picture: np.ndarray) -> int:
    return len(np.unique(picture.reshape(-1, 3), axis=0))


def test_the_page_shows_the_cell_and_drives_it(page: Page, folder: Path):
    expect(page.get_by_text("Telecell - cirsse")).to_be_visible()
    expect(get_reading(page, WAIST)).to_have_text("0.0°")
    expect(get_row(page, "mode")).to_contain_text("off")
    get_ready(page)

    thumb, box = get_slider(page, "4 shoulder")
    thumb.press("ArrowLeft")
    expect(box).to_have_value("-0.1")
    drive(page, "4 shoulder", WAIST, -40.0)

    page.get_by_role("button", name="Close").first.click()
    expect(get_row(page, "left_gripper/fingers")).to_contain_text("0 % open")

    picture = take_picture(page, folder, "station")
    assert count_colours(picture[:, : VIEWPORT["width"] // 2]) > 1000, "the scene is drawn"

    page.get_by_role("button", name="ready").click()
    expect(get_reading(page, WAIST)).to_have_text("0.0°")
    expect(box).to_have_value("0")
    expect(get_row(page, "mode")).to_contain_text("holding")


def test_a_dragged_slider_takes_the_twin_along(page: Page):
    get_ready(page)
    thumb, box = get_slider(page, "2 rotate")
    place = thumb.bounding_box()
    assert place is not None
    x, y = place["x"] + place["width"] / 2, place["y"] + place["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 40, y, steps=10)
    page.mouse.up()
    wanted = float(box.input_value())
    assert wanted < -5.0
    drive(page, "2 rotate", CART, wanted)
    expect(box).to_have_value(f"{wanted:g}")


def test_stop_works_for_somebody_who_only_watches(page: Page, folder: Path):
    get_ready(page)
    page.get_by_role("button", name="Release").click()
    expect(get_row(page, "holder")).to_contain_text("nobody")
    page.get_by_role("button", name="STOP").click()
    expect(get_row(page, "mode")).to_contain_text("stopped")
    expect(get_row(page, "stop")).to_contain_text("stop by anybody")
    expect(get_row(page, "events")).to_contain_text("pressed by station")
    take_picture(page, folder, "station-stopped")

    page.get_by_role("button", name="Home").click()
    expect(page.locator(".mantine-Notification-root").get_by_text("Take control first")).to_be_visible()
    take_picture(page, folder, "station-refused")
    close_notes(page)
    get_ready(page)
    expect(get_row(page, "stop")).to_have_count(0)


def test_a_closed_tab_stops_what_it_was_moving(page: Page, address: str):
    get_ready(page)
    other = page.context.new_page()
    other.goto(address)
    expect(get_row(other, "mode")).to_contain_text("holding")
    expect(other.locator("canvas").first).to_be_visible()
    _, box = get_slider(other, "1 linear, mm")
    box.fill("600")
    expect(get_row(page, "mode")).to_contain_text(re.compile("tracking|stopped"))
    other.close()
    expect(get_row(page, "mode")).to_contain_text("stopped")
    expect(get_row(page, "stop")).to_contain_text("went quiet")
    page.get_by_role("button", name="Reset").click()
    expect(get_row(page, "mode")).to_contain_text("holding")


def wait_for_another_picture(page: Page, before: np.ndarray, folder: Path, name: str) -> np.ndarray:
    """A slow machine draws a new picture some time after the click."""
    for _ in range(MAX_PICTURES):
        picture = take_picture(page, folder, name)
        if np.abs(picture.astype(int) - before).mean() > 1:
            return picture
    raise AssertionError(f"{name}: the picture stays the same")


def test_views_and_drawing_styles_change_the_picture(page: Page, folder: Path):
    iso = take_picture(page, folder, "station-iso")
    page.get_by_role("button", name="Top", exact=True).click()
    top = wait_for_another_picture(page, iso, folder, "station-top")
    page.get_by_role("button", name="Iso", exact=True).click()
    page.get_by_role("tab", name="Scene").click()
    solid = wait_for_another_picture(page, top, folder, "station-solid")
    for switch in ("Wire frame", "Frames"):
        page.get_by_role("checkbox", name=switch, exact=True).check()
    wire = wait_for_another_picture(page, solid, folder, "station-wire")
    for mount in ("left cart", "right cart", "rail", "rack"):
        page.get_by_role("checkbox", name=mount, exact=True).uncheck()
    wait_for_another_picture(page, wire, folder, "station-hidden")
