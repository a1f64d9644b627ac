"""Draws the pictures of docs/motion.md from the real controller, and writes its tables: `make docs-pictures`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
from doc_tables import fill
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from motion_diagram import draw_modes
from motion_recording import READY, Recording
from motion_tables import TABLES

from telecell.messages import moves, settings, stopping

ROOT = Path(__file__).parents[1]
PICTURES, PAGE = ROOT / "docs" / "pictures", ROOT / "docs" / "motion.md"

BLUE, ORANGE, GREEN, PURPLE, RED, BROWN, GREY = (
    "#1f5fa8",
    "#d9730d",
    "#2e8b57",
    "#7b4ea3",
    "#b3261e",
    "#8c6d46",
    "#8a8f98",
)
COLOURS = (BLUE, ORANGE, GREEN, PURPLE, RED, BROWN)
AXES = ("waist", "shoulder", "elbow", "wrist rotation", "wrist bend", "flange rotation")
WAIST, ELBOW = 0, 2

FAST_TIP_M_S = 3.0
"""Fast enough to let the limits of the axes decide."""

STYLE: dict[Any, Any] = {
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "axes.titlesize": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#e4e7eb",
    "lines.linewidth": 1.6,
    "legend.frameon": False,
    "legend.fontsize": 8,
    "figure.facecolor": "white",
    "savefig.dpi": 110,
}


def shift(waist: float = 0.0, shoulder: float = 0.0, elbow: float = 0.0) -> tuple[float, ...]:
    """Joint values (rad) at a distance in degrees from the pose `ready`."""
    return tuple(np.radians(np.add(READY, (waist, shoulder, elbow, 0.0, 0.0, 0.0))).tolist())


def draw_limit(ax: Axes, value: float, colour: str = GREY, *, both: bool = True) -> None:
    """A limit as dashed lines."""
    for height in (value, -value) if both else (value,):
        ax.axhline(height, color=colour, linestyle="--", linewidth=1.0, zorder=1.5)


def make_row(titles: Sequence[str], height: float = 2.7) -> tuple[Figure, list[Axes]]:
    """Panels side by side, over time."""
    figure, panels = plt.subplots(1, len(titles), figsize=(9.0, height), layout="constrained")
    for panel, title in zip(panels, titles, strict=True):
        panel.set_title(title, loc="left")
        panel.set_xlabel("s")
    return figure, panels.tolist()


def draw_state(panels: Sequence[Axes], record: Recording, axis: int, colour: str, label: str) -> None:
    """Position, velocity and acceleration of one axis."""
    curves = record.positions_deg, record.speeds_deg_s, record.accelerations_deg_s2
    for panel, values in zip(panels, curves, strict=True):
        panel.plot(record.times_s, values[:, axis], color=colour, label=label)


def draw_state_limits(panels: Sequence[Axes], record: Recording, axis: int, colour: str = GREY) -> None:
    """Limits of velocity and acceleration of one axis."""
    limits = record.arm.limits
    draw_limit(panels[1], np.degrees(limits.velocity[axis]), colour)
    draw_limit(panels[2], np.degrees(limits.acceleration[axis]), colour)


STATE = ("position, deg", "velocity, deg/s", "acceleration, deg/s²")


def draw_joint_scheme(scheme: str) -> Figure:
    """One move of two axes by a scheme."""
    record = Recording(FAST_TIP_M_S)
    record.run(0.1)
    record.ask(moves.MoveJoints, joints=shift(90.0, 0.0, -60.0), scheme=scheme)
    record.run_to_rest(0.15)
    figure, panels = make_row(STATE)
    for axis, colour in ((WAIST, BLUE), (ELBOW, ORANGE)):
        draw_state(panels, record, axis, colour, AXES[axis])
        draw_state_limits(panels, record, axis, colour)
    panels[0].legend()
    return figure


def draw_spline() -> Figure:
    """Through the same points by each of the three choices."""
    points = tuple(shift(*point) for point in ((40.0, 0.0, -20.0), (55.0, 10.0, 10.0), (10.0, 20.0, 20.0)))
    given = tuple(tuple(np.radians(row).tolist()) for row in ((50.0, 0, 0, 0, 0, 0), (-30.0, 0, 0, 0, 0, 0)))
    figure, panels = make_row(STATE)
    for via, colour in (("smooth", BLUE), ("average", ORANGE), ("given", GREEN)):
        record = Recording(FAST_TIP_M_S)
        record.run(0.1)
        record.ask(moves.MoveVia, points=points, via=via, velocities=given if via == "given" else ())
        plan: Any = record.arm.motion.timeline.segments[0].trajectory.plan
        record.run_to_rest(0.15)
        draw_state(panels, record, WAIST, colour, via)
        knots = np.degrees(np.array(plan.positions)[:, WAIST])
        panels[0].plot(0.1 + np.array(plan.times_s), knots, "o", color=colour, markersize=4)
    draw_state_limits(panels, record, WAIST)
    panels[0].legend()
    return figure


def record_line(bend_deg: float) -> Recording:
    """A straight line of 400 mm, in whose middle the wrist is bent by an angle."""
    record = Recording(FAST_TIP_M_S, (0.0, -60.0, 150.0, 0.0, bend_deg, 0.0))
    record.ask(moves.MovePoseBy, translation_m=(0.0, -0.2, 0.0), straight=True)
    record.run_to_rest()
    record.begin(0.25)
    record.run(0.1)
    record.ask(moves.MovePoseBy, translation_m=(0.0, 0.4, 0.0), straight=True)
    record.run_to_rest(0.15)
    return record


def draw_line() -> Figure:
    """A straight line of the tip, and what the axes do for it."""
    record = record_line(40.0)
    figure, panels = make_row(("tip speed, mm/s", "axis speeds / limit", "axis accelerations / limit"))
    draw_shares(panels, record)
    panels[0].plot(record.times_s, record.tip_speeds_mm_s, color="black")
    draw_limit(panels[0], 250.0, both=False)
    panels[1].legend(ncols=2)
    return figure


def draw_shares(panels: Sequence[Axes], record: Recording) -> None:
    """Speeds and accelerations of all axes, as shares of their limits, into the last two panels."""
    limits = record.arm.limits
    curves = (
        record.speeds_deg_s / np.degrees(limits.velocity),
        record.accelerations_deg_s2 / np.degrees(limits.acceleration),
    )
    for panel, values in zip(panels[-2:], curves, strict=True):
        for axis, colour in enumerate(COLOURS):
            panel.plot(record.times_s, values[:, axis], color=colour, label=AXES[axis], linewidth=1.3)
        draw_limit(panel, 1.0)


def draw_singularity() -> Figure:
    """The same line past the wrist singularity, farther from it and nearer."""
    figure, rows = plt.subplots(2, 3, figsize=(9.0, 4.4), layout="constrained", sharey="row")
    for column, bend in zip(rows.T, (20.0, 5.0, 1.0), strict=True):
        record = record_line(bend)
        nearest = np.abs(record.positions_deg[:, 4]).min()
        column[0].plot(record.times_s, record.tip_speeds_mm_s, color="black")
        column[0].set_title(f"wrist bend at least {nearest:.1f} deg", loc="left")
        draw_limit(column[0], 250.0, both=False)
        shares = record.speeds_deg_s / np.degrees(record.arm.limits.velocity)
        for axis, colour in enumerate(COLOURS):
            column[1].plot(record.times_s, shares[:, axis], color=colour, label=AXES[axis], linewidth=1.3)
        draw_limit(column[1], 1.0)
        column[1].set_xlabel("s")
    rows[0, 0].set_ylabel("tip speed, mm/s")
    rows[1, 0].set_ylabel("axis speeds / limit")
    rows[1, 0].legend(ncols=2, fontsize=7)
    return figure


def draw_blend() -> Figure:
    """Two moves around a corner, with three shares of blending."""
    figure, panels = make_row(("around the corner, deg", "waist, deg/s", "elbow, deg/s"), 3.0)
    for blend, colour in ((0.0, BLUE), (0.5, ORANGE), (1.0, GREEN)):
        record = Recording(FAST_TIP_M_S)
        record.run(0.1)
        record.tell(moves.MoveJoints, joints=shift(60.0), scheme="parabolic", blend=blend)
        record.ask(moves.MoveJoints, joints=shift(60.0, 0.0, 60.0), scheme="parabolic")
        record.run_to_rest(0.15)
        path, speeds = record.positions_deg, record.speeds_deg_s
        panels[0].plot(path[:, WAIST], path[:, ELBOW], color=colour, label=f"blend {blend:g}")
        for panel, axis in ((panels[1], WAIST), (panels[2], ELBOW)):
            panel.plot(record.times_s, speeds[:, axis], color=colour)
    for panel, axis in ((panels[1], WAIST), (panels[2], ELBOW)):
        draw_limit(panel, np.degrees(record.arm.limits.velocity[axis]), both=False)
    panels[0].set_xlabel("waist")
    panels[0].set_ylabel("elbow")
    panels[0].set(xlim=(35.0, 63.0), ylim=(88.0, 116.0), aspect="equal")
    panels[0].legend(loc="upper left")
    return figure


def draw_rate() -> Figure:
    """Speed factor, pause and stop in the middle of one motion."""
    record = Recording(FAST_TIP_M_S, (-120.0, *READY[1:]))
    record.run(0.1)
    record.ask(moves.MoveJoints, joints=shift(120.0))
    marks = []
    for wait_s, kind, fields, label in (
        (0.9, settings.SetSpeedFactor, {"factor": 0.4}, "factor 0.4"),
        (1.0, stopping.Pause, {}, "pause"),
        (0.9, stopping.Resume, {}, "resume"),
        (0.9, settings.SetSpeedFactor, {"factor": 1.0}, "factor 1"),
        (1.0, stopping.Stop, {"author": "anybody"}, "stop"),
    ):
        record.run(wait_s)
        marks.append((record.time_s, label))
        record.ask(kind, **fields)
    record.run_to_rest(0.4)
    figure, panels = plt.subplots(4, 1, figsize=(9.0, 6.6), layout="constrained", sharex=True)
    curves = record.rates, record.positions_deg, record.speeds_deg_s, record.accelerations_deg_s2
    for panel, values, label in zip(panels, curves, ("path rate", *STATE), strict=True):
        panel.plot(record.times_s, values if values.ndim == 1 else values[:, WAIST], color=BLUE)
        panel.set_ylabel(label)
        for moment, _ in marks:
            panel.axvline(moment, color=RED, linewidth=0.9, linestyle=":")
    for moment, label in marks:
        panels[0].annotate(label, (moment, 1.08), xycoords=("data", "axes fraction"), ha="center", color=RED)
    draw_state_limits(panels[1:], record, WAIST)
    panels[-1].set_xlabel("s")
    return figure


def record_stream(rate_hz: float, duration_s: float) -> tuple[Recording, list[tuple[float, float]]]:
    """A stream of set-points for the waist, each up to 30 % early or late, and the set-points."""
    record, random, sent = Recording(FAST_TIP_M_S), np.random.default_rng(3), []
    due_s, heard_s = 0.0, 0.0
    while record.time_s < duration_s:
        now = record.time_s
        if now >= due_s:
            sent.append((now, 20.0 * np.sin(0.5 * np.pi * now)))
            record.tell(moves.StreamJoints, joints=shift(sent[-1][1]))
            due_s, heard_s = due_s + (1.0 + 0.3 * random.uniform(-1.0, 1.0)) / rate_hz, now
        elif now - heard_s > 0.04:
            record.tell(moves.Renew)
            heard_s = now
        record.step()
    record.ask(moves.EndStream)
    record.run_to_rest()
    return record, sent


def draw_stream() -> Figure:
    """The motion that follows set-points of three frequencies."""
    figure, rows = plt.subplots(2, 3, figsize=(9.0, 4.2), layout="constrained", sharex=True, sharey="row")
    for column, rate_hz in zip(rows.T, (5.0, 20.0, 100.0), strict=True):
        record, sent = record_stream(rate_hz, 4.0)
        column[0].plot(*np.array(sent).T, ".", color=ORANGE, markersize=4 if rate_hz < 50 else 2, label="set-points")
        column[0].plot(record.times_s, record.positions_deg[:, WAIST], color=BLUE, label="motion")
        column[0].set_title(f"{rate_hz:g} Hz", loc="left")
        column[1].plot(record.times_s, record.speeds_deg_s[:, WAIST], color=BLUE)
        column[1].set_xlabel("s")
    rows[0, 0].set_ylabel("waist, deg")
    rows[1, 0].set_ylabel("velocity, deg/s")
    rows[0, 0].legend(loc="upper right")
    return figure


def draw_tip_speed() -> Figure:
    """The same goal as a segment and as a set-point, with the tip speed that everybody starts with, and with more."""
    figure, panels = make_row(("segment: tip speed, mm/s", "set-point: tip speed, mm/s", "set-point: path rate"))
    for tip_speed, colour in ((0.25, BLUE), (0.6, ORANGE)):
        label = f"{1000 * tip_speed:g} mm/s"
        segment = Recording(tip_speed)
        segment.ask(moves.MoveJoints, joints=shift(60.0, 50.0))
        segment.run_to_rest(0.1)
        stream = Recording(tip_speed)
        stream.ask(moves.StreamJoints, joints=shift(60.0, 50.0))
        stream.ask(moves.EndStream)
        stream.run_to_rest(0.1)
        panels[0].plot(segment.times_s, segment.tip_speeds_mm_s, color=colour, label=label)
        panels[1].plot(stream.times_s, stream.tip_speeds_mm_s, color=colour)
        panels[2].plot(stream.times_s, stream.rates, color=colour)
        for panel in panels[:2]:
            draw_limit(panel, 1000.0 * tip_speed, colour, both=False)
    panels[0].legend()
    return figure


DRAWINGS: dict[str, Callable[[], Figure]] = {
    "jerk_limited": lambda: draw_joint_scheme("jerk_limited"),
    "parabolic": lambda: draw_joint_scheme("parabolic"),
    "quintic": lambda: draw_joint_scheme("quintic"),
    "spline": draw_spline,
    "line": draw_line,
    "blend": draw_blend,
    "rate": draw_rate,
    "singularity": draw_singularity,
    "stream": draw_stream,
    "tip_speed": draw_tip_speed,
    "modes": draw_modes,
}


def main() -> None:
    """Draw every picture, and bring the tables of the page up to date."""
    with plt.rc_context(STYLE):
        for name, draw in DRAWINGS.items():
            figure = draw()
            figure.savefig(PICTURES / f"motion_{name}.png", metadata={"Software": None})
            plt.close(figure)
    PAGE.write_text(fill(PAGE.read_text(), TABLES))


if __name__ == "__main__":
    main()
