"""The options that `telecell up` and `telecell cell` have in common, and what both do with them."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import typer

Seconds = Annotated[float | None, typer.Option(help="How long to run; until Ctrl-C by default.")]
Plant = Annotated[
    str, typer.Option(help="physics: the MuJoCo twin; fake: commands loop straight back; or another driver.")
]
Profile = Annotated[str | None, typer.Option(help="Rules of control: local, delayed or lab; the cell's by default.")]
Site = Annotated[str, typer.Option(help="The owner of the cell on the bus.")]
Listen = Annotated[
    list[str] | None, typer.Option(help="Also listen there, such as tcp/127.0.0.1:7447; this machine only.")
]

DEFAULT_SITE = "local"


def serve(
    cell: str,
    *,
    port: int | None,
    seconds: float | None,
    plant: str,
    profile: str | None,
    site: str,
    listen: list[str] | None,
    open_browser: bool = False,
) -> None:
    """Run a cell until its end; a port of None means without a page."""
    from telecell.plant.drivers import load_driver
    from telecell.servers import supervisor

    load_driver(plant)  # refuses an unknown name before anything is started
    code = supervisor.run(
        cell,
        port=port,
        seconds=seconds,
        plant=plant,
        profile=profile,
        site=site,
        listen=listen or (),
        open_browser=open_browser,
        say=partial(print, flush=True),  # seen at once also where the output is a file or a pipe
    )
    raise typer.Exit(code)
