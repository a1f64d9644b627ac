"""Compose the MuJoCo model of a cell: bodies, shapes, frames and limits, without servos.

Kinematics, plant and watch each start from this world and add what they need, so that near-miss distances never
enter the plant's model and servos never enter the watch's.
"""

from __future__ import annotations

import mujoco
import numpy as np

from telecell.geometry import Pose, quaternion_from_rotation, rotation_from_quaternion, rotation_z
from telecell.models.cell import WORLD, Camera, Cell, Mount
from telecell.models.couplings import follow
from telecell.models.source import compile_spec

VISUAL_GROUP = 2
COLLISION_GROUP = 3

FINGER_INERTIA_PER_FORCE = 0.008
"""What motor and gear add to a finger at least, kg per N or kg m² per N m. Robot files tend to leave it out, and no
servo could hold fingers of a few grams with the force of a hand."""

FLOOR = "floor"
"""Name of the floor's shape."""
FLOOR_HALF_WIDTH_M = 8.0

_HORIZON = (0.90, 0.93, 0.96)
_ZENITH = (0.70, 0.80, 0.90)

# A frame's +z looks out of it, +x to the right of the picture; MuJoCo's cameras look along -z, with +y up.
_CAMERA_LOOKING_ALONG_Z = Pose.from_xyz_rpy((0, 0, 0), (np.pi, 0, 0))


def build_world(cell: Cell) -> mujoco.MjSpec:
    """The cell as an MjSpec, every element named `<mount>/<name>`."""
    spec = mujoco.MjSpec()
    spec.modelname = cell.name
    spec.compiler.degree = False
    spec.compiler.autolimits = True
    origins: dict[str, Pose] = {}
    for mount in cell.mounts:
        _attach(spec, cell, mount, origins)
    for frame in cell.frames:
        if frame.on is not None and frame.offset is not None:
            body, pose = _find_frame(spec, cell, frame.name)
            body.add_site(name=frame.name, pos=pose.position, quat=pose.quaternion())
    for camera in cell.cameras:
        _add_camera(spec, cell, camera)
    _add_floor_and_light(spec, cell)
    for first, second in cell.file.collision.exclude:
        spec.add_exclude(bodyname1=first, bodyname2=second)
    _exclude_from_standing_parents(spec)
    return spec


def compile_world(cell: Cell) -> mujoco.MjModel:
    """The compiled world of a cell."""
    return compile_spec(build_world(cell), str(cell.path))


def build_start_posture(cell: Cell, model: mujoco.MjModel) -> np.ndarray:
    """The full qpos of a compiled cell at its start pose, tools open."""
    posture = model.qpos0.copy()
    for axis, value in zip(cell.axes, cell.start, strict=True):
        posture[model.joint(axis.name).qposadr[0]] = value
    for tool in cell.tools:
        for joint, value in zip(tool.joints, tool.open, strict=True):
            posture[model.joint(joint).qposadr[0]] = value
    follow(model, posture, cell.commanded_joints)
    return posture


def _attach(spec: mujoco.MjSpec, cell: Cell, mount: Mount, origins: dict[str, Pose]) -> None:
    child = mount.model.build_spec()
    _apply_limits(child, mount)
    _compensate_gravity(child, mount)
    for name, colour in mount.paint.items():
        child.material(name).rgba = _rgba(colour)
    for name, angle in mount.turn.items():
        _turn(child.body(name), mount.model.turnable[name], angle)
    body, pose = _locate(spec, cell, mount, origins)
    frame = body.add_frame(pos=pose.position, quat=pose.quaternion())
    spec.attach(child, prefix=f"{mount.name}/", frame=frame)


def _turn(body: mujoco.MjsBody, quaternion: np.ndarray, angle: float) -> None:
    """Turn a body about its own z axis, however its file states its orientation."""
    rotation = rotation_from_quaternion(quaternion) @ rotation_z(angle)
    body.quat = quaternion_from_rotation(rotation)
    body.alt.type = mujoco.mjtOrientation.mjORIENTATION_QUAT


def _locate(spec: mujoco.MjSpec, cell: Cell, mount: Mount, origins: dict[str, Pose]) -> tuple[mujoco.MjsBody, Pose]:
    """The body a mount hangs on, and where in it. Parts hang on the world, where their frame is at the start."""
    parent_name, _, frame_name = mount.on.partition("/")
    if mount.on == WORLD:
        origins[mount.name] = mount.offset
    else:
        frame_pose = cell.get_mount(parent_name).model.frames[frame_name].pose
        origins[mount.name] = origins[parent_name] @ frame_pose @ mount.offset
    if mount.model.description.kind == "part":
        return spec.worldbody, origins[mount.name]
    body, pose = _find_frame(spec, cell, mount.on)
    return body, pose @ mount.offset


def _find_frame(spec: mujoco.MjSpec, cell: Cell, name: str) -> tuple[mujoco.MjsBody, Pose]:
    """The body that a frame is fixed to, and its pose there."""
    if name == WORLD:
        return spec.worldbody, Pose.identity()
    for frame in cell.frames:
        if frame.name == name and frame.on is not None and frame.offset is not None:
            body, pose = _find_frame(spec, cell, frame.on)
            return body, pose @ frame.offset
    mount_name, _, frame_name = name.partition("/")
    facts = cell.get_mount(mount_name).model.frames[frame_name]
    return spec.body(f"{mount_name}/{facts.body}"), facts.in_body


def _apply_limits(child: mujoco.MjSpec, mount: Mount) -> None:
    for axis in mount.axes:
        joint = child.joint(axis.name.partition("/")[2])
        _set_range(joint, axis.hardware_limits, child)
        if axis.max_torque is not None:
            joint.actfrcrange = (-axis.max_torque, axis.max_torque)
            joint.actfrclimited = mujoco.mjtLimited.mjLIMITED_TRUE
            joint.actgravcomp = True
    for tool in mount.model.description.tools.values():
        for name, closed, opened in zip(tool.joints, tool.closed_deg_m, tool.open_deg_m, strict=True):
            joint = child.joint(name)
            joint.armature = max(joint.armature, FINGER_INERTIA_PER_FORCE * tool.force_N)
            if mount.model.joints[name].limits is None:
                hinge = joint.type == mujoco.mjtJoint.mjJNT_HINGE
                low, high = sorted(np.radians((closed, opened)) if hinge else (closed, opened))
                _set_range(joint, (low, high), child)


def _set_range(joint: mujoco.MjsJoint, limits: tuple[float, float], child: mujoco.MjSpec) -> None:
    """Limit a joint; a file that counts in degrees is compiled in degrees, whoever wrote the number."""
    in_degrees = child.compiler.degree and joint.type == mujoco.mjtJoint.mjJNT_HINGE
    joint.range = np.degrees(limits) if in_degrees else limits
    joint.limited = mujoco.mjtLimited.mjLIMITED_TRUE


def _compensate_gravity(child: mujoco.MjSpec, mount: Mount) -> None:
    """Arms and what is bolted to them are balanced by the controller; parts are not."""
    if mount.model.description.kind != "part":
        for body in child.bodies[1:]:
            if not any(joint.type == mujoco.mjtJoint.mjJNT_FREE for joint in body.joints):
                body.gravcomp = 1.0


def _rgba(colour: str) -> list[float]:
    digits = colour.removeprefix("#").ljust(8, "f")
    return [int(digits[i : i + 2], 16) / 255 for i in range(0, 8, 2)]


def _add_camera(spec: mujoco.MjSpec, cell: Cell, camera: Camera) -> None:
    body, pose = _find_frame(spec, cell, camera.on)
    pose = pose @ camera.offset @ _CAMERA_LOOKING_ALONG_Z
    body.add_camera(name=camera.name, pos=pose.position, quat=pose.quaternion(), fovy=camera.fovy_deg)


def _add_floor_and_light(spec: mujoco.MjSpec, cell: Cell) -> None:
    spec.worldbody.add_light(
        name="sun", pos=[1.5, -2.0, 7.0], dir=[-0.2, 0.25, -1.0], diffuse=[0.5] * 3, specular=[0.1] * 3, cutoff=80
    )
    spec.visual.headlight.ambient = [0.45, 0.45, 0.47]
    spec.visual.headlight.diffuse = [0.28, 0.28, 0.28]
    spec.visual.headlight.specular = [0.05, 0.05, 0.05]
    spec.visual.quality.shadowsize = 4096
    spec.visual.rgba.fog = spec.visual.rgba.haze = [*_HORIZON, 1.0]
    spec.add_texture(
        name="sky",
        type=mujoco.mjtTexture.mjTEXTURE_SKYBOX,
        builtin=mujoco.mjtBuiltin.mjBUILTIN_GRADIENT,
        rgb1=_ZENITH,
        rgb2=_HORIZON,
        width=128,
        height=768,
    )
    floor = cell.file.floor
    if floor is None:
        return
    spec.add_material(name="floor", rgba=_rgba(floor.colour), reflectance=0.05)
    spec.worldbody.add_geom(
        name=FLOOR,
        type=mujoco.mjtGeom.mjGEOM_PLANE,
        size=[FLOOR_HALF_WIDTH_M, FLOOR_HALF_WIDTH_M, 0.1],
        pos=[0, 0, floor.height_m],
        material="floor",
        group=VISUAL_GROUP,
    )


def _exclude_from_standing_parents(spec: mujoco.MjSpec) -> None:
    """A link touches what it turns on; MuJoCo ignores that on moving bodies, but not on one that stands still."""
    known = {frozenset((exclude.bodyname1, exclude.bodyname2)) for exclude in spec.excludes}
    for body in spec.bodies[1:]:
        parent = body.parent
        if not body.joints or any(joint.type == mujoco.mjtJoint.mjJNT_FREE for joint in body.joints):
            continue
        while parent.name != spec.worldbody.name and _stands_still(parent, spec):
            pair = frozenset((parent.name, body.name))
            if pair not in known:
                spec.add_exclude(bodyname1=parent.name, bodyname2=body.name)
                known.add(pair)
            parent = parent.parent


def _stands_still(body: mujoco.MjsBody, spec: mujoco.MjSpec) -> bool:
    while body.name != spec.worldbody.name:
        if body.joints:
            return False
        body = body.parent
    return True
