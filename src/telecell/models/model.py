"""A catalog entry or a person's own file: description and drawing together, ready to be mounted."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Literal

import msgspec
import mujoco

from telecell.errors import CellFileError, UnknownName
from telecell.geometry import Pose
from telecell.models.axis import JointFacts
from telecell.models.description import ModelFile
from telecell.models.files import read_toml, resolve_inside
from telecell.models.proposal import propose_model
from telecell.models.source import compile_spec, load_spec

_AXIS_KINDS: dict[object, Literal["hinge", "slide"]] = {
    mujoco.mjtJoint.mjJNT_HINGE: "hinge",
    mujoco.mjtJoint.mjJNT_SLIDE: "slide",
}


class FrameFacts(msgspec.Struct, frozen=True):
    """Where a frame of a model is while all its joints are at zero.

    Attributes:
        body: the body it is fixed to.
        in_body: its pose in that body.
        pose: its pose in the model's origin frame.
        stands_still: no joint lies between the origin and the frame.
    """

    body: str
    in_body: Pose
    pose: Pose
    stands_still: bool


class Model:
    """A robot, tool, fixture or part: what its files say, checked.

    Attributes:
        name: catalog name or file stem.
        description: the content of `model.toml`, or what was proposed for a bare file.
        path: the file that errors should name.
        joints: every hinge and slide with what the file says of it, in tree order.
        frames: every named frame.
    """

    def __init__(self, name: str, description: ModelFile | None, path: Path, spec: mujoco.MjSpec):
        self.name = name
        self.path = path
        self._spec = spec
        _name_everything(spec)
        model = compile_spec(spec.copy(), str(path))
        self.joints = _joint_facts(model)
        self.description = description or propose_model(path, model)
        self.bodies = tuple(body.name for body in spec.bodies[1:])
        self.turnable = tuple(body.name for body in spec.bodies[1:] if not body.joints and not body.bodies)
        self.materials = tuple(material.name for material in spec.materials)
        self.frames = self._collect_frames(model)
        self._validate()

    @classmethod
    def from_folder(cls, folder: Path, root: Path) -> Model:
        """Read `model.toml` and the file it names."""
        path = folder / "model.toml"
        description = read_toml(path, ModelFile)
        source = resolve_inside(description.file, folder, root, f"{path}, file")
        return cls(folder.name, description, path, load_spec(source, root))

    @classmethod
    def from_file(cls, path: Path, root: Path) -> Model:
        """Take a bare MJCF or URDF file, with axes and tools as proposed."""
        return cls(path.stem, None, path, load_spec(path, root))

    def build_spec(self) -> mujoco.MjSpec:
        """A fresh MjSpec of this model, its frames all sites, without keyframes, sensors and replaced actuators."""
        spec = self._spec.copy()
        for key in list(spec.keys):
            spec.delete(key)
        for sensor in list(spec.sensors):
            spec.delete(sensor)
        if self.description.actuators == "ours":
            for actuator in list(spec.actuators):
                spec.delete(actuator)
        sites = {site.name for site in spec.sites}
        for name, frame in self.frames.items():
            if name not in sites:
                spec.body(frame.body).add_site(name=name)
        return spec

    @property
    def axis_names(self) -> tuple[str, ...]:
        """The actuated joints in tree order."""
        if self.description.axes:
            return tuple(name for name in self.joints if name in self.description.axes)
        if self.description.kind != "robot":
            return ()
        fingers = {joint for tool in self.description.tools.values() for joint in tool.joints}
        return tuple(name for name in self.joints if name not in fingers)

    @cached_property
    def root_bodies(self) -> tuple[str, ...]:
        """The bodies directly under the model's origin."""
        return tuple(body.name for body in self._spec.worldbody.bodies)

    def _collect_frames(self, model: mujoco.MjModel) -> dict[str, FrameFacts]:
        data = mujoco.MjData(model)
        mujoco.mj_kinematics(model, data)
        found: dict[str, FrameFacts] = {}
        for index in range(1, model.nbody):
            found[model.body(index).name] = FrameFacts(
                model.body(index).name,
                Pose.identity(),
                Pose(data.xmat[index].reshape(3, 3), data.xpos[index]),
                model.body_weldid[index] == 0,
            )
        for index in range(model.nsite):
            body = int(model.site_bodyid[index])
            found[model.site(index).name] = FrameFacts(
                model.body(body).name,
                Pose.from_quaternion(model.site_pos[index], model.site_quat[index]),
                Pose(data.site_xmat[index].reshape(3, 3), data.site_xpos[index]),
                model.body_weldid[body] == 0,
            )
        if not self.description.frames:
            return found
        for name in self.description.frames:
            if name not in found:
                raise UnknownName("site or body", name, tuple(found), where=f"{self.path}, frames")
        return {name: found[name] for name in self.description.frames}

    def _validate(self) -> None:
        description = self.description
        for name in description.axes:
            self._check_joint(name, f"axes.{name}")
        for name, tool in description.tools.items():
            self._check_frame(tool.tip, f"tools.{name}.tip")
            for joint in tool.joints:
                self._check_joint(joint, f"tools.{name}.joints")
            for key in ("closed_deg_m", "open_deg_m"):
                self._check_count(getattr(tool, key), len(tool.joints), f"tools.{name}.{key}")
            if tool.force_N <= 0:
                raise CellFileError("must be positive", where=f"{self.path}, tools.{name}.force_N", value=tool.force_N)
        for name, pose in description.poses.items():
            self._check_count(pose.joints_deg_m, len(self.axis_names), f"poses.{name}.joints_deg_m")
        for name, sensor in description.force_sensors.items():
            self._check_frame(sensor.frame, f"force_sensors.{name}.frame")
        for name, beam in description.beams.items():
            self._check_frame(beam.start, f"beams.{name}.start")
            self._check_frame(beam.end, f"beams.{name}.end")
        if description.kind == "part":
            self._check_part()
        if description.kinematics:
            self._check_frame(description.kinematics.base, "kinematics.base")
            self._check_frame(description.kinematics.tip, "kinematics.tip")
            for joint in description.kinematics.axes:
                if joint not in self.axis_names:
                    raise UnknownName("axis", joint, self.axis_names, where=f"{self.path}, kinematics.axes")

    def _check_part(self) -> None:
        roots = self._spec.worldbody.bodies
        free = [j for body in roots for j in body.joints if j.type == mujoco.mjtJoint.mjJNT_FREE]
        if len(roots) != 1 or len(free) != 1:
            raise CellFileError(
                "a part is one body with a free joint",
                where=f"{self.path}, kind",
                value=f"{len(roots)} bodies at the top, {len(free)} free joints",
                remedy='Add <freejoint/> to its body, or use kind = "fixture".',
            )

    def _check_joint(self, name: str, key: str) -> None:
        if name not in self.joints:
            raise UnknownName("hinge or slide", name, tuple(self.joints), where=f"{self.path}, {key}")

    def _check_frame(self, name: str, key: str) -> None:
        if name not in self.frames:
            raise UnknownName("frame", name, tuple(self.frames), where=f"{self.path}, {key}")

    def _check_count(self, values: tuple[float, ...], count: int, key: str) -> None:
        if len(values) != count:
            raise CellFileError(
                f"one value per axis is needed: {count}", where=f"{self.path}, {key}", value=list(values)
            )


def _name_everything(spec: mujoco.MjSpec) -> None:
    """Bodies and joints without a name get one, so that axes and frames can be told apart."""
    for kind, items in (("body", spec.bodies[1:]), ("joint", spec.joints), ("site", spec.sites)):
        taken = {item.name for item in items}
        for index, item in enumerate(items, start=1):
            if not item.name:
                name = f"{kind}{index}"
                while name in taken:
                    name += "_"
                taken.add(name)
                item.name = name


def _joint_facts(model: mujoco.MjModel) -> dict[str, JointFacts]:
    facts = {}
    for index in range(model.njnt):
        kind = _AXIS_KINDS.get(mujoco.mjtJoint(model.jnt_type[index]))
        if kind is None:
            continue
        low, high = (float(value) for value in model.jnt_range[index])
        torque = float(model.jnt_actfrcrange[index][1]) if model.jnt_actfrclimited[index] else None
        facts[model.joint(index).name] = JointFacts(
            kind, (low, high) if model.jnt_limited[index] else None, torque or None
        )
    return facts
