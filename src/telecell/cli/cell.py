"""`telecell cell`: run a cell without a page."""

from __future__ import annotations

from typing import Annotated

import typer

from telecell.cli.serving import DEFAULT_SITE, Listen, Plant, Profile, Seconds, Site, serve

EXAMPLES = (
    "telecell cell puma",
    "telecell cell puma --listen tcp/127.0.0.1:7447",
)


def run(
    cell: Annotated[str, typer.Argument(metavar="CELL", help="A cell, or the path of a cell file or folder.")],
    seconds: Seconds = None,
    plant: Plant = "physics",
    profile: Profile = None,
    site: Site = DEFAULT_SITE,
    listen: Listen = None,
) -> None:
    """Run a cell for programs to connect to, without a page, until Ctrl-C."""
    serve(cell, port=None, seconds=seconds, plant=plant, profile=profile, site=site, listen=listen)
