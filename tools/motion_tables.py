"""The generated tables of docs/motion.md, each between a pair of markers."""

from __future__ import annotations

from collections.abc import Iterable
from math import degrees

from doc_tables import Tables, format_table

from telecell.control.axes import POWER_UP_S
from telecell.control.modes import MODES, MOVES, TRANSITIONS
from telecell.control.monitors import COUNTS, LIMIT_MARGIN, SPEED_SHARE, TORQUE_SHARE
from telecell.control.profiles import PROFILES
from telecell.control.stops import STOPS, StopRow
from telecell.control.ticks import SLOWEST
from telecell.control.tip_guard import MEASURED_NOISE_M_S, MEASURED_SHARE
from telecell.models import load_cell
from telecell.trajectories import SCHEMES


def _code(words: Iterable[str]) -> str:
    return ", ".join(f"`{word}`" for word in words)


def build_schemes() -> str:
    """Every scheme in words."""
    return format_table(("scheme", "motion"), [(f"`{name}`", text) for name, text in SCHEMES.items()])


def build_limits() -> str:
    """The limits of the axes in the pictures."""
    rows = [
        (axis.title, *(f"{degrees(value):g}" for value in (axis.max_velocity, axis.max_acceleration, axis.max_jerk)))
        for axis in load_cell("puma").axes
    ]
    return format_table(("axis of the PUMA", "velocity, deg/s", "acceleration, deg/s²", "jerk, deg/s³"), rows)


def build_modes() -> str:
    """Every mode: when, what it takes, and the ways out of it."""
    everywhere = frozenset.intersection(*(row.takes for row in MODES.values()))
    return format_table(
        ("mode", "when", f"takes, besides {_code(sorted(everywhere))}", "ways out"),
        [
            (
                f"`{mode.value}`",
                row.when,
                _describe_commands(row.takes - everywhere),
                "; ".join(f"{way.by} → `{way.end.value}`" for way in TRANSITIONS if way.start is mode),
            )
            for mode, row in MODES.items()
        ],
    )


def _describe_commands(tags: frozenset[str]) -> str:
    """The commands by name, all moves in one word."""
    return ", ".join(["every move"] * (tags >= MOVES) + [f"`{tag}`" for tag in sorted(tags - MOVES)])


def build_stops() -> str:
    """Every cause that ends motion."""
    return format_table(
        ("cause", "what happened", "category", "what stops, and how", "afterwards", "cleared by"),
        [
            (f"`{cause}`", row.title, row.category, _describe_ramp(row), _describe_end(row), row.cleared_by)
            for cause, row in STOPS.items()
        ],
    )


def _describe_ramp(row: StopRow) -> str:
    if row.category == 0:
        return f"the {row.scope}, at once by its brakes"
    return f"the {row.scope}, {'on the path' if row.ramp == 'path' else 'from the measured state'}"


def _describe_end(row: StopRow) -> str:
    if not row.latched:
        return "paused" if row.cleared_by == "resume" else "holding"
    return "stopped" if row.category == 2 else "stopped, off"


def build_checks() -> str:
    """What is compared in every tick, with its tolerance and the stop that follows."""
    following = {f"{degrees(axis.following_error):.2f} deg" for axis in load_cell("puma").axes}
    margin = f"{degrees(LIMIT_MARGIN['hinge']):g} deg or {1000 * LIMIT_MARGIN['slide']:g} mm"
    return format_table(
        ("what is compared", "tolerance", "stop"),
        [
            ("guard inputs with their normal value", "none", "`guard_door`, `emergency_stop`"),
            ("drives report power", f"{POWER_UP_S:g} s after switching on, then none", "`power_lost`"),
            (
                "measured position with the set-point",
                f"`following_error` of the axis; PUMA: {', '.join(sorted(following))}",
                "`following_error`",
            ),
            ("measured position with the software limits", f"{margin}, while it moves outwards", "`position_limit`"),
            (
                "measured speed of an axis with its limit",
                f"{100 * (SPEED_SHARE - 1):.0f} %, and {COUNTS:g} encoder counts per tick",
                "`speed_limit`",
            ),
            (
                "measured speed of a tip with its limit",
                f"{100 * (MEASURED_SHARE - 1):.0f} %, and {1000 * MEASURED_NOISE_M_S:g} mm/s",
                "`speed_limit`",
            ),
            ("torque or force of a drive with its limit", f"{100 * (TORQUE_SHARE - 1):.0f} %", "`torque_limit`"),
            ("time since whoever moves the robot gave a sign of life", "see grants.md, by source", "`silence`"),
            ("simulated or driven time with the clock", f"{SLOWEST:g} of real time over half a second", "`plant_slow`"),
            (
                "age of the tick that a command echoes",
                f"{1000 * PROFILES['local'].echo_bound_s:g} ms",
                "none: the command is refused",
            ),
        ],
    )


TABLES: Tables = {
    "schemes": build_schemes,
    "limits": build_limits,
    "modes": build_modes,
    "stops": build_stops,
    "checks": build_checks,
}
