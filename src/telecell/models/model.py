"""A catalog entry or a person's own file: description and drawing together, ready to be mounted."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Literal

import msgspec
import mujoco

from telecell.errors import CellFileError, UnknownName
from telecell.geometry import Pose
from telecell.models.axis import Axis, JointFacts, build_axis, merge, read_pose
from telecell.models.couplings import read_couplings
from telecell.models.description import (
    AxisEntry,
    BeamEntry,
    ForceSensorEntry,
    KinematicsEntry,
    ModelFile,
    ToolEntry,
)
from telecell.models.files import check_file, read_toml, resolve_inside
from telecell.models.proposal import propose_model
from telecell.models.source import Source, compile_spec, find_inside, load_source

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
        turnable: the bodies without joints, each with its quaternion in its parent.
        frames: every named frame.
    """

    def __init__(self, name: str, description: ModelFile | None, path: Path, source: Source):
        self.name = name
        self.path = path
        self._spec = source.spec
        _name_everything(self._spec)
        model = compile_spec(self._spec.copy(), str(source.path))
        self.description = description or propose_model(path, model)
        if self.description.kind != "part" and _bolt_down(self._spec):
            model = compile_spec(self._spec.copy(), str(source.path))
        self.joints = _joint_facts(model, source.speeds)
        self.bodies = tuple(body.name for body in self._spec.bodies[1:])
        self.turnable = {b.name: model.body(b.name).quat.copy() for b in self._spec.bodies[1:] if not b.joints}
        self.materials = tuple(material.name for material in self._spec.materials)
        self.frames = self._collect_frames(model)
        self._validate()

    @classmethod
    def from_folder(cls, folder: Path, root: Path) -> Model:
        """Read `model.toml` and the file it names."""
        path = folder / "model.toml"
        description = read_toml(path, ModelFile)
        source = resolve_inside(description.file, folder, root, f"{path}, file")
        check_file(source, f"{path}, file")
        return cls(folder.name, description, path, load_source(source, find_inside(root)))

    @classmethod
    def from_file(cls, path: Path, root: Path) -> Model:
        """Take a bare MJCF or URDF file, with axes and tools as proposed."""
        return cls(path.stem, None, path, load_source(path, find_inside(root)))

    def build_spec(self) -> mujoco.MjSpec:
        """A fresh MjSpec of this model, its frames all sites, without keyframes and replaced actuators."""
        spec = self._spec.copy()
        for key in list(spec.keys):
            spec.delete(key)
        kept = self.axis_names if self.description.actuators == "file" else ()
        for actuator in list(spec.actuators):
            if actuator.target not in kept:
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
        return tuple(
            name for name, facts in self.joints.items() if name not in self._finger_joints and not facts.follows
        )

    @cached_property
    def _finger_joints(self) -> frozenset[str]:
        return frozenset(joint for tool in self.description.tools.values() for joint in tool.joints)

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

    def build_axes(self, mount: str, changes: dict[str, AxisEntry], where: str) -> tuple[Axis, ...]:
        """The axes of an instance.

        Args:
            mount: the instance's name.
            changes: what it has different from the model.
            where: file and key of the changes, for errors.
        """
        own = self.description.axes
        return tuple(
            build_axis(
                f"{mount}/{name}",
                self.joints[name],
                merge(own.get(name, AxisEntry()), changes.get(name, AxisEntry())),
                f"{where}.{name}",
            )
            for name in self.axis_names
        )

    def _validate(self) -> None:
        description = self.description
        for name in description.axes:
            self._check_joint(name, f"axes.{name}")
            if name in self._finger_joints:
                raise CellFileError(
                    "a joint is either an axis or part of a tool",
                    where=f"{self.path}, axes.{name}",
                    remedy="Remove it from one of them.",
                )
        for name, tool in description.tools.items():
            self._check_tool(tool, f"tools.{name}")
        axes = self.build_axes(self.name, {}, f"{self.path}, axes")
        for name, pose in description.poses.items():
            read_pose(pose.joints_deg_m, axes, f"{self.path}, poses.{name}.joints_deg_m")
        for name, sensor in description.force_sensors.items():
            self._check_force_sensor(sensor, f"force_sensors.{name}")
        for name, beam in description.beams.items():
            self._check_beam(beam, f"beams.{name}")
        if description.kind == "part":
            self._check_part()
        if description.kinematics:
            self._check_kinematics(description.kinematics)

    def _check_tool(self, tool: ToolEntry, key: str) -> None:
        self._check_frame(tool.tip, f"{key}.tip")
        for joint in tool.joints:
            self._check_joint(joint, f"{key}.joints")
        for name in ("closed_deg_m", "open_deg_m"):
            values = getattr(tool, name)
            if len(values) != len(tool.joints):
                raise CellFileError(
                    f"one value per joint is needed: {len(tool.joints)}",
                    where=f"{self.path}, {key}.{name}",
                    value=list(values),
                )
        for joint, closed, opened in zip(tool.joints, tool.closed_deg_m, tool.open_deg_m, strict=True):
            if closed == opened:
                raise CellFileError(
                    f"joint {joint!r} is at the same place when open and when closed",
                    where=f"{self.path}, {key}.open_deg_m",
                    value=opened,
                    remedy="Leave a joint that does not move out of the tool.",
                )
        self._check_positive(tool.force_N, f"{key}.force_N")

    def _check_force_sensor(self, sensor: ForceSensorEntry, key: str) -> None:
        self._check_frame(sensor.frame, f"{key}.frame")
        body = self.frames[sensor.frame].body
        if self._spec.body(body).joints:
            raise CellFileError(
                f"a force sensor sits on a body without joints, {body!r} has some",
                where=f"{self.path}, {key}.frame",
                value=sensor.frame,
                remedy="Put the frame on a body fixed to it.",
            )
        self._check_positive(sensor.range_N, f"{key}.range_N")
        self._check_positive(sensor.range_Nm, f"{key}.range_Nm")

    def _check_beam(self, beam: BeamEntry, key: str) -> None:
        self._check_frame(beam.start, f"{key}.start")
        self._check_frame(beam.end, f"{key}.end")
        if beam.start == beam.end:
            raise CellFileError("a beam has two ends", where=f"{self.path}, {key}.end", value=beam.end)

    def _check_kinematics(self, kinematics: KinematicsEntry) -> None:
        self._check_frame(kinematics.base, "kinematics.base")
        self._check_frame(kinematics.tip, "kinematics.tip")
        for joint in kinematics.axes:
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

    def _check_positive(self, value: float, key: str) -> None:
        if value <= 0:
            raise CellFileError("must be positive", where=f"{self.path}, {key}", value=value)


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


def _bolt_down(spec: mujoco.MjSpec) -> bool:
    """Whatever is not a part is bolted to what it stands on; True when something was loose."""
    loose = [joint for joint in spec.joints if joint.type == mujoco.mjtJoint.mjJNT_FREE]
    if loose:
        for key in list(spec.keys):
            spec.delete(key)  # their postures count the joints that go
    for joint in loose:
        spec.delete(joint)
    return bool(loose)


def _joint_facts(model: mujoco.MjModel, speeds: dict[str, float]) -> dict[str, JointFacts]:
    followers = {coupling.follower for coupling in read_couplings(model)}
    facts = {}
    for index in range(model.njnt):
        kind = _AXIS_KINDS.get(mujoco.mjtJoint(model.jnt_type[index]))
        if kind is None:
            continue
        name = model.joint(index).name
        low, high = (float(value) for value in model.jnt_range[index])
        torque = float(model.jnt_actfrcrange[index][1]) if model.jnt_actfrclimited[index] else 0.0
        facts[name] = JointFacts(
            kind=kind,
            limits=(low, high) if model.jnt_limited[index] else None,
            max_velocity=speeds.get(name),
            max_torque=torque or None,
            follows=index in followers,
        )
    return facts
