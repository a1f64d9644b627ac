"""`telecell up`: run a cell."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import typer

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
    headless: Annotated[bool, typer.Option("--headless", help="Only the cell, no page.")] = False,
    port: Annotated[int, typer.Option(help="Port of the page, on this machine only.")] = DEFAULT_PORT,
    seconds: Annotated[float | None, typer.Option(help="How long to run; until Ctrl-C by default.")] = None,
    plant: Annotated[
        str, typer.Option(help="physics: the MuJoCo twin; fake: commands loop straight back; or another driver.")
    ] = "physics",
    open_browser: Annotated[bool, typer.Option("--open", help="Open the page in the browser.")] = False,
) -> None:
    """Run a cell, with a page to watch and drive it, until Ctrl-C."""
    from telecell.plant.drivers import load_driver
    from telecell.servers import supervisor

    load_driver(plant)  # refuses an unknown name before anything is started
    code = supervisor.run(
        cell,
        headless=headless,
        port=port,
        seconds=seconds,
        plant=plant,
        open_browser=open_browser,
        say=partial(print, flush=True),  # seen at once also where the output is a file or a pipe
    )
    raise typer.Exit(code)
