"""The program itself: its commands, `--version`, and how errors reach a person."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from telecell import __version__
from telecell.cli import (
    cell,
    cells,
    check,
    doctor,
    fk,
    grants,
    ik,
    move,
    new,
    picture,
    reset,
    robots,
    show,
    status,
    stop,
    up,
    watch,
    where,
)
from telecell.errors import TelecellError

FAILED = 1
INTERRUPTED = 130


class Commands(TyperGroup):
    """Makes one message of an error, without a traceback, and nothing of Ctrl-C."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command that was asked for."""
        try:
            return super().invoke(ctx)
        except TelecellError as error:
            print(f"error: {error}", file=sys.stderr)
            raise typer.Exit(FAILED) from None
        except KeyboardInterrupt:
            raise typer.Exit(INTERRUPTED) from None


app = typer.Typer(
    cls=Commands,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

for _name, _command in {
    "up": up,
    "cell": cell,
    "status": status,
    "where": where,
    "move": move,
    "stop": stop,
    "reset": reset,
    "watch": watch,
    "grants": grants,
    "cells": cells,
    "robots": robots,
    "show": show,
    "check": check,
    "new": new,
    "fk": fk,
    "ik": ik,
    "picture": picture,
    "doctor": doctor,
}.items():
    app.command(_name, epilog="\n\n".join(["Examples:", *_command.EXAMPLES]))(_command.run)


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"telecell {__version__}")
        raise typer.Exit


@app.callback()
def telecell(
    _version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Model, watch and drive a robot workcell on a live physics twin."""


def main() -> None:
    """Entry point of the `telecell` program."""
    app()
