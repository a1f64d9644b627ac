"""A refusal in a real browser; the page runs in the test's own process, so that it can be made to ask for nonsense."""

import pytest
from playwright.sync_api import expect, sync_playwright

from telecell.messages.moves import MoveNamed

from .page_bench import Bench

FLAGS = ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]


@pytest.mark.browser
def test_a_refusal_is_shown_to_who_asked_with_the_reason(browser_bench: Bench, free_port: int, quiet_browser_path: str):
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=quiet_browser_path, args=FLAGS)
        page = browser.new_page(viewport={"width": 800, "height": 600})
        page.goto(f"http://127.0.0.1:{free_port}")
        expect(page.get_by_role("tab", name="Drive")).to_be_visible(timeout=60_000)
        expect(page.locator("canvas").first).to_be_visible(timeout=60_000)
        client = browser_bench.wait_for_client()
        browser_bench.run(0.2)
        browser_bench.page.sharing.take((), client)
        browser_bench.run(0.2)
        browser_bench.page.commander.ask(MoveNamed, client, robot="HAL", pose="ready")
        browser_bench.run(0.2)
        expect(page.get_by_text("no robot of that name, got 'HAL'")).to_be_visible(timeout=60_000)
        browser_bench.close_browser(browser.close)
