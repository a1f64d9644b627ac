"""`telecell up`: run a cell with its page."""

from __future__ import annotations

from typing import Annotated

import typer

from telecell.cli.serving import DEFAULT_SITE, Listen, Plant, Profile, Seconds, Site, serve

EXAMPLES = (
    "telecell up",
    "telecell up puma --port 8090 --open",
    "telecell up ./my_cell --headless --seconds 10",
)

DEFAULT_PORT = 8080


def run(
    cell: Annotated[
        str, typer.Argument(metavar="CELL", help="A cell, or the path of a cell file or folder.")
    ] = "cirsse",
    headless: Annotated[bool, typer.Option("--headless", help="No page: the same as `telecell cell`.")] = False,
    port: Annotated[int, typer.Option(help="Port of the page, on this machine only.")] = DEFAULT_PORT,
    seconds: Seconds = None,
    plant: Plant = "physics",
    profile: Profile = None,
    site: Site = DEFAULT_SITE,
    listen: Listen = None,
    open_browser: Annotated[bool, typer.Option("--open", help="Open the page in the browser.")] = False,
) -> None:
    """Run a cell, with a page to watch and drive it, until Ctrl-C."""
    serve(
        cell,
        port=None if headless else port,
        seconds=seconds,
        plant=plant,
        profile=profile,
        site=site,
        listen=listen,
        open_browser=open_browser,
    )
