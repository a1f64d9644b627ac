"""Names of a cell, in full or by their last part."""

from __future__ import annotations

from collections.abc import Sequence

from telecell.errors import UnknownName


def find_name(kind: str, name: str, known: Sequence[str], where: str) -> str:
    """The full name: `puma/flange` is also found as `flange`, if nothing else is called that.

    Raises:
        UnknownName: there is none, or more than one.
    """
    if name in known:
        return name
    found = [full for full in known if full.rpartition("/")[2] == name]
    if len(found) == 1:
        return found[0]
    if found:
        raise UnknownName(f"single {kind}", name, found, where=where)
    raise UnknownName(kind, name, known, where=where)
