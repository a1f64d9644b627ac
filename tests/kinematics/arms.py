"""Models of the arms that the kinematics tests use, without shapes or true masses."""

from __future__ import annotations

import sysconfig
import xml.etree.ElementTree as ET
from pathlib import Path

import mujoco
import numpy as np
import pytest

from telecell.kinematics import Chain

PUMA_AXES = ("waist", "shoulder", "elbow", "wrist_rotation", "wrist_bend", "flange")
PUMA_LIMITS = np.radians([(-160, 160), (-225, 45), (-45, 225), (-110, 170), (-100, 100), (-266, 266)])
PUMA_READY = np.radians([0, -90, 90, 0, 0, 0])

# Modified Denavit-Hartenberg rows alpha (deg), a, d of the PUMA 560 as published by Armstrong, Khatib and Burdick
# (1986), with the distances of Corke's toolbox; the base is the crossing of waist and shoulder.
PUMA_ROWS = (
    (0, 0.0, 0.0),
    (-90, 0.0, 0.2435),
    (0, 0.4318, -0.09345),
    (90, -0.0203, 0.4318),
    (-90, 0.0, 0.0),
    (90, 0.0, 0.0),
)
SHOULDER_HEIGHT = 0.67183
FLANGE_OFFSET = 0.05588

NINE_AXES = ("linear", "rotate", "tilt", *PUMA_AXES)
NINE_LIMITS = np.vstack(
    [
        [(-1.372, 0.610)],
        np.radians([(-150, 150), (-45, 45), (-251, 74), (-215, 34), (-55, 241), (-121, 144), (-95, 95)]),
        np.radians([(-284, 284)]),
    ]
)
NINE_READY = np.array([-1.3, 0.0, 0.0, *np.radians([0, -45, 180, 0, 45, 90])])

# A cart on a rail along world y, its turntable and tilting table, and a PUMA on it.
NINE_ROWS = (
    (-90, 0.0, 0.0),
    (90, 0.30, 0.45),
    (-90, 0.0, 0.0),
    (90, 0.0, 0.10 + SHOULDER_HEIGHT),
    *PUMA_ROWS[1:],
)

# Stäubli RX90: like the PUMA, but its wrist centre can reach the waist axis.
RX90_ROWS = ((0, 0.0, 0.42), (-90, 0.0, 0.0), (0, 0.45, 0.0), (90, 0.0, 0.45), (-90, 0.0, 0.0), (90, 0.0, 0.085))


def add_arm(parent, rows, axes, slides=()):
    """Add a serial arm by its modified Denavit-Hartenberg rows; answers its last body."""
    body = parent
    for (alpha_deg, a, d), axis in zip(rows, axes, strict=True):
        alpha = np.radians(alpha_deg)
        body = body.add_body(
            pos=[a, -np.sin(alpha) * d, np.cos(alpha) * d],
            quat=[np.cos(alpha / 2), np.sin(alpha / 2), 0, 0],
            mass=1.0,
            ipos=[0, 0, 0],
            inertia=[1, 1, 1],
            explicitinertial=True,
        )
        kind = mujoco.mjtJoint.mjJNT_SLIDE if axis in slides else mujoco.mjtJoint.mjJNT_HINGE
        body.add_joint(name=axis, type=kind, axis=[0, 0, 1])
    return body


def build_puma() -> mujoco.MjModel:
    """The PUMA 560 on the floor, beside a part that lies loose."""
    spec = mujoco.MjSpec()
    base = spec.worldbody.add_body(pos=[0, 0, SHOULDER_HEIGHT])
    base.add_site(name="shoulder")
    hand = add_arm(base, PUMA_ROWS, PUMA_AXES)
    hand.add_site(name="wrist")
    hand.add_site(name="flange", pos=[0, 0, FLANGE_OFFSET])
    part = spec.worldbody.add_body(name="part", pos=[1, 0, 0])
    part.add_freejoint(name="loose")
    part.add_geom(type=mujoco.mjtGeom.mjGEOM_SPHERE, size=[0.05, 0, 0])
    part.add_site(name="handle")
    return spec.compile()


def build_nine() -> mujoco.MjModel:
    """A PUMA 560 on a cart with three axes."""
    spec = mujoco.MjSpec()
    table = add_arm(spec.worldbody, NINE_ROWS[:3], NINE_AXES[:3], slides=("linear",))
    table.add_site(name="shoulder", pos=[0, -NINE_ROWS[3][2], 0], quat=[np.sqrt(0.5), np.sqrt(0.5), 0, 0])
    hand = add_arm(table, NINE_ROWS[3:], NINE_AXES[3:])
    hand.add_site(name="wrist")
    hand.add_site(name="flange", pos=[0, 0, FLANGE_OFFSET])
    return spec.compile()


def build_rx90() -> mujoco.MjModel:
    """A Stäubli RX90."""
    spec = mujoco.MjSpec()
    hand = add_arm(spec.worldbody, RX90_ROWS, PUMA_AXES)
    hand.add_site(name="tip")
    return spec.compile()


def load_packaged_chain(description: str, tip_body: str, axes_count: int) -> Chain:
    """An arm of the package example-robot-data, whose files lie beside the installed packages."""
    share = Path(sysconfig.get_path("purelib"), "cmeel.prefix", "share", "example-robot-data", "robots")
    path = share / description
    if not path.is_file():
        pytest.skip("example-robot-data is not installed")
    tree = ET.parse(path).getroot()
    for link in tree.iter("link"):
        for shape in [*link.findall("visual"), *link.findall("collision")]:
            link.remove(shape)
    compiler = ET.SubElement(ET.SubElement(tree, "mujoco"), "compiler")
    compiler.attrib.update(balanceinertia="true", fusestatic="false")
    spec = mujoco.MjSpec.from_string(ET.tostring(tree, encoding="unicode"))
    spec.body(tip_body).add_site(name="tip")
    model = spec.compile()
    axes = [model.joint(i).name for i in range(axes_count)]
    return Chain(model, axes=axes, base="world", tip="tip", name=path.stem)
