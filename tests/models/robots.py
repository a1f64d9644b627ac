"""Small robot files, put together from pieces, and a way to try a cell in physics."""

import struct
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from telecell.contract import Command, Measurement
from telecell.plant import PhysicsPlant

INERTIA = '<inertial><mass value="1"/><inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial>'


def urdf(joints: Iterable[str], name: str = "robot", shape: str = '<box size="0.02 0.02 0.05"/>') -> str:
    """A URDF of joints such as `"base swing arm"`: parent, joint, child, then a type and more text if wanted."""
    links, elements = [], []
    for text in joints:
        parent, joint, child, *rest = text.split(maxsplit=4)
        kind = rest[0] if rest else "revolute"
        limit = '<limit lower="-1" upper="1" effort="20" velocity="2"/>' if kind in ("revolute", "prismatic") else ""
        more = rest[1] if len(rest) > 1 else limit
        elements.append(
            f'<joint name="{joint}" type="{kind}"><origin xyz="0 0 0.2"/><parent link="{parent}"/>'
            f'<child link="{child}"/><axis xyz="0 1 0"/>{more}</joint>'
        )
        links += [link for link in (parent, child) if link not in links]
    bodies = "\n".join(
        f'<link name="{link}">{INERTIA}<collision><geometry>{shape}</geometry></collision></link>' for link in links
    )
    return f'<?xml version="1.0"?>\n<robot name="{name}">\n{bodies}\n' + "\n".join(elements) + "\n</robot>\n"


def chain(count: int, start: str = "base", prefix: str = "j") -> list[str]:
    """Joints in a row, for `urdf`."""
    bodies = [start, *(f"{prefix}_link{i}" for i in range(1, count + 1))]
    return [f"{bodies[i]} {prefix}{i + 1} {bodies[i + 1]}" for i in range(count)]


def write_stl(path: Path, size: float = 0.05) -> Path:
    """A binary STL of a tetrahedron."""
    o, x, y, z = (0, 0, 0), (size, 0, 0), (0, size, 0), (0, 0, size)
    faces = ((o, y, x), (o, x, z), (o, z, y), (x, y, z))
    content = b"\0" * 80 + struct.pack("<I", len(faces))
    for face in faces:
        content += struct.pack("<12f", 0, 0, 0, *(value for corner in face for value in corner)) + b"\0\0"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def hold(plant: PhysicsPlant, seconds: float, joints: Iterable[float], opening: float = 1.0) -> Measurement:
    """Command the same joint values for a while."""
    values = np.array(list(joints))
    command = Command(values, np.zeros_like(values), np.full(len(plant.cell.tools), opening))
    for _ in range(round(seconds / plant.period_s)):
        plant.step(command)
    return plant.measure()
