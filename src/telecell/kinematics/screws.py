"""The axes of a serial arm as lines in space, with every axis at zero: all that inverse kinematics needs to know.

The pose of the arm is the product of exponentials

    G(q) = exp(S1 q1) ... exp(Sn qn) Trans(end)

in the root frame, which stands still; at zero it is the root frame moved to the point `end`. Solvers look for
the q of a wanted G, called the *goal*, a homogeneous 4 x 4 array.
"""

from __future__ import annotations

from dataclasses import dataclass

import mujoco
import numpy as np

from telecell.geometry.arrays import FloatArray

END_SITE = "end"
"""Name of the site at the end of the model that `Screws.build_model` makes."""

MEETING_TOLERANCE_M = 1e-7
"""Axes that pass each other closer than this meet: models written with eight digits pass."""

ANGLE_TOLERANCE = 1e-6
"""Largest sine between axes that count as parallel, cosine between those that count as perpendicular."""


@dataclass(frozen=True, slots=True, eq=False)
class Screws:
    """Lines of the axes at zero, in the root frame.

    Attributes:
        directions: (n, 3) unit vectors of positive motion.
        points: (n, 3) one point of every axis, metres.
        slides: whether each axis slides; the others turn.
        end: (3,) the point that goals are stated for: the wrist centre where the last three axes meet, else a
            point of the last axis. It moves with the last axis.
    """

    directions: FloatArray
    points: FloatArray
    slides: tuple[bool, ...]
    end: FloatArray

    def __len__(self) -> int:
        return len(self.slides)

    @property
    def offsets(self) -> FloatArray:
        """(n + 1, 3) steps from the root over the points of the axes to the end."""
        return np.diff(np.vstack([np.zeros(3), self.points, self.end]), axis=0)

    def has_spherical_wrist(self) -> bool:
        """Whether the last three axes turn about one point, which then is `end`."""
        return find_wrist_centre(self.directions, self.points, self.slides) is not None

    def tail(self, count: int) -> Screws:
        """The arm made of the last `count` axes, at the same root frame and end."""
        return Screws(self.directions[-count:], self.points[-count:], self.slides[-count:], self.end)

    def compute_reach(self, limits: FloatArray) -> float:
        """A distance between the first axis' point and the end that no posture inside the limits exceeds, metres."""
        travel = np.abs(limits).max(axis=1)[list(self.slides)].sum()
        return float(np.linalg.norm(self.offsets[1:], axis=1).sum() + travel)

    def build_model(self) -> mujoco.MjModel:
        """Compile a model of this arm alone, with the root frame as its world and `END_SITE` at the end.

        Its degrees of freedom are the axes of the arm and nothing else, whatever stands in the cell.
        """
        spec = mujoco.MjSpec()
        body = spec.worldbody
        for direction, slides, step in zip(self.directions, self.slides, self.offsets[:-1], strict=True):
            body = body.add_body(pos=step, mass=1.0, ipos=[0, 0, 0], inertia=[1, 1, 1], explicitinertial=True)
            kind = mujoco.mjtJoint.mjJNT_SLIDE if slides else mujoco.mjtJoint.mjJNT_HINGE
            body.add_joint(type=kind, axis=direction)
        body.add_site(name=END_SITE, pos=self.offsets[-1])
        return spec.compile()

    def compute_motions(self, axis: int, values: FloatArray) -> FloatArray:
        """exp(S q) of one axis for many values of q, as an array (len(values), 4, 4)."""
        motions = np.tile(np.eye(4), (len(values), 1, 1))
        direction, point = self.directions[axis], self.points[axis]
        if self.slides[axis]:
            motions[:, :3, 3] = values[:, None] * direction
            return motions
        cross = np.cross(np.eye(3), direction)
        sine, cosine = np.sin(values)[:, None, None], np.cos(values)[:, None, None]
        motions[:, :3, :3] += sine * cross + (1.0 - cosine) * (cross @ cross)
        motions[:, :3, 3] = point - motions[:, :3, :3] @ point
        return motions


def find_wrist_centre(directions: FloatArray, points: FloatArray, slides: tuple[bool, ...]) -> FloatArray | None:
    """The point in which the last three axes meet at zero, or None."""
    if len(slides) < 3 or any(slides[-3:]):
        return None
    # The point nearest to three lines, in the sense of least squares: sum of (I - d dT)(x - p) = 0.
    projectors = np.eye(3) - directions[-3:, :, None] * directions[-3:, None, :]
    normal = projectors.sum(axis=0)
    if np.linalg.cond(normal) > 1.0 / ANGLE_TOLERANCE:
        return None
    centre = np.linalg.solve(normal, np.einsum("kij,kj->i", projectors, points[-3:]))
    misses = np.einsum("kij,kj->ki", projectors, centre - points[-3:])
    return centre if np.linalg.norm(misses, axis=1).max() < MEETING_TOLERANCE_M else None
