"""Tables of the documentation that are written from the code, each between a pair of markers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

Tables = Mapping[str, Callable[[], str]]


def format_table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table in Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)


def fill(page: str, tables: Tables) -> str:
    """The page with every table up to date, between `<!-- name -->` and `<!-- /name -->`."""
    for name, build in tables.items():
        before, after = f"<!-- {name} -->\n", f"<!-- /{name} -->"
        head, tail = page.split(before)
        page = f"{head}{before}{build()}\n{after}{tail.split(after)[1]}"
    return page
