"""Writes the tables of docs/grants.md and docs/bus.md, and draws the diagram of grants: `make docs-tables`."""

from __future__ import annotations

from pathlib import Path

from doc_tables import Tables, fill, format_table
from grant_diagram import draw_grants

from telecell.bus.keys import KEYS
from telecell.control.changes import CHANGES
from telecell.control.profiles import PROFILES, Profile
from telecell.control.sources import SOURCES

DOCS = Path(__file__).parents[1] / "docs"


def build_changes() -> str:
    """Every way in which the right to command changes."""
    return format_table(
        ("change", "in words", "by whom", "motion under way", "who may have the axes"),
        [
            (f"`{name}`", row.title, row.by, "is stopped" if row.motion == "stop" else row.motion, row.next)
            for name, row in CHANGES.items()
        ],
    )


def build_sources() -> str:
    """Every class of source."""
    return format_table(
        ("source", "what it is", "signs of life", "silence, queued", "silence, stream"),
        [
            (f"`{name}`", row.title, row.counts, _write_time(row.silence_s), _write_time(row.stream_silence_s))
            for name, row in SOURCES.items()
        ],
    )


def build_profiles() -> str:
    """Every profile."""
    rows = {
        "for": lambda profile: profile.title,
        "lease": lambda profile: _write_time(profile.lease_s),
        "oldest echo of a command": _write_echo,
        "longest round trip to begin a motion": lambda profile: _write_time(profile.longest_round_trip_s),
        "greatest loss to begin a motion": lambda profile: f"{profile.greatest_loss:.0%}",
        "idle limit": lambda profile: _write_time(profile.idle_limit_s),
        "control limit": lambda profile: _write_time(profile.control_limit_s),
    }
    return format_table(
        ("", *(f"`{name}`" for name in PROFILES)),
        [(title, *(write(profile) for profile in PROFILES.values())) for title, write in rows.items()],
    )


def build_keys() -> str:
    """Every key of the bus."""
    return format_table(
        ("key", "how", "who sends or answers", "what it carries"),
        [(f"`{row.pattern}`", ", ".join(row.kinds), row.sender, row.payload) for row in KEYS],
    )


def _write_time(seconds: float | None) -> str:
    if seconds is None:
        return "none"
    return f"{seconds:g} s" if seconds >= 1.0 else f"{1000 * seconds:g} ms"


def _write_echo(profile: Profile) -> str:
    bound = _write_time(profile.echo_bound_s)
    return f"round trip + {bound}" if profile.follows_round_trip else bound


PAGES: dict[str, Tables] = {
    "grants.md": {"changes": build_changes, "sources": build_sources, "profiles": build_profiles},
    "bus.md": {"keys": build_keys},
}


def main() -> None:
    """Bring the pages up to date."""
    for name, tables in PAGES.items():
        page = DOCS / name
        page.write_text(fill(page.read_text(), tables))
    draw_grants().savefig(DOCS / "pictures" / "grants.png", dpi=110, metadata={"Software": None})


if __name__ == "__main__":
    main()
