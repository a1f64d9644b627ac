"""The `telecell` program. One file per command; what a command needs is imported when it runs, so help is quick."""

from telecell.cli.app import app, main

__all__ = ["app", "main"]
