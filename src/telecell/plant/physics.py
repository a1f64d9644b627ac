"""The physics twin: a cell stepped by MuJoCo at 1 kHz, servos and all."""

from __future__ import annotations

import hashlib

import msgspec
import mujoco
import numpy as np

from telecell.errors import PlantDiverged, SnapshotMismatch
from telecell.models import Cell
from telecell.plant.build import TIMESTEP_S, build_plant
from telecell.plant.encoders import Encoders
from telecell.plant.interface import Array, Command, Measurement
from telecell.plant.snapshots import decode_snapshot

BEAM_MARGIN_M = 0.004
"""A beam counts as interrupted when it ends this much before the opposite frame."""

_STATE = mujoco.mjtState.mjSTATE_INTEGRATION


class Snapshot(msgspec.Struct, frozen=True):
    """Everything that decides how the physics goes on."""

    signature: str
    state: bytes
    measured: bytes
    random: dict


class PhysicsPlant:
    """A cell in MuJoCo, one control period at a time.

    Args:
        cell: what to simulate.
        seed: of the sensors' noise; the same seed and commands give the same bits.
        period_s: control period, a multiple of the 1 ms physics step.
    """

    def __init__(self, cell: Cell, *, seed: int = 0, period_s: float = 0.004):
        self.cell = cell
        self._steps = round(period_s / TIMESTEP_S)
        self.period_s = self._steps * TIMESTEP_S
        _take_warnings()
        built = build_plant(cell)
        self.model = model = built.model
        self.data = mujoco.MjData(model)
        self._random_bits = np.random.PCG64(seed)
        self._random = np.random.Generator(self._random_bits)
        self._index(cell, model)
        # The set-point is held over the period: aiming at its middle leaves no mean error.
        self._lead_s = np.where(built.lead_s > 0, built.lead_s - self.period_s / 2, 0.0)
        self.data.qpos[:] = built.start
        self.data.ctrl[self._axis_ctrl] = built.start[self._qpos]
        self._command_tools(np.ones(len(cell.tools)))
        mujoco.mj_forward(model, self.data)
        self._encoders = Encoders(cell, self.data.qpos[self._qpos], self.period_s)
        self._measured = self._read_sensors(tick=0)
        self._signature = _signature(model)

    def _index(self, cell: Cell, model: mujoco.MjModel) -> None:
        """Addresses into MuJoCo's arrays, so that a period needs a handful of vector operations."""
        joints = [model.joint(axis.name).id for axis in cell.axes]
        self._qpos = model.jnt_qposadr[joints]
        self._dof = model.jnt_dofadr[joints]
        self._axis_ctrl = model.actuator_ctrladr[[model.actuator(axis.name).id for axis in cell.axes]]
        fingers = [(k, joint) for k, tool in enumerate(cell.tools) for joint in tool.joints]
        self._finger_tool = np.array([k for k, _ in fingers], dtype=int)
        self._finger_qpos = model.jnt_qposadr[[model.joint(name).id for _, name in fingers]]
        self._finger_ctrl = model.actuator_ctrladr[[model.actuator(name).id for _, name in fingers]]
        self._finger_closed = np.array([value for tool in cell.tools for value in tool.closed])
        self._finger_open = np.array([value for tool in cell.tools for value in tool.open])
        self._finger_force = np.array([tool.force for tool in cell.tools for _ in tool.joints])
        self._finger_two_state = np.array([t.drive == "pneumatic" for t in cell.tools for _ in t.joints], dtype=bool)
        self._fingers_per_tool = np.bincount(self._finger_tool, minlength=len(cell.tools))
        parts = [model.body(name).jntadr[0] for name in map(cell.get_part_body, cell.parts)]
        self._part_qpos = model.jnt_qposadr[parts][:, None] + np.arange(7)
        self._beam_sites = np.array([[model.site(b.start).id, model.site(b.end).id] for b in cell.beams]).reshape(-1, 2)
        self._wrench_count = 6 * len(cell.force_sensors)
        self._noise = np.array([[s.noise_force] * 3 + [s.noise_torque] * 3 for s in cell.force_sensors]).reshape(-1, 6)
        self._full_scale = np.array([[s.max_force] * 3 + [s.max_torque] * 3 for s in cell.force_sensors]).reshape(-1, 6)

    def step(self, command: Command) -> Measurement:
        """Advance by one control period.

        Raises:
            PlantDiverged: the numbers cannot be trusted any more.
        """
        self.data.ctrl[self._axis_ctrl] = command.q_desired + self._lead_s * command.v_desired
        self._command_tools(command.openings)
        mujoco.mj_step(self.model, self.data, nstep=self._steps)
        self._check()
        self._encoders.read(self.data.qpos[self._qpos])
        self._measured = self._read_sensors(self._measured.tick + 1)
        return self._measured

    def _command_tools(self, openings: Array) -> None:
        wanted = openings[self._finger_tool]
        direction = np.where(wanted >= 0.5, 1.0, -1.0) * np.sign(self._finger_open - self._finger_closed)
        position = self._finger_closed + wanted * (self._finger_open - self._finger_closed)
        self.data.ctrl[self._finger_ctrl] = np.where(self._finger_two_state, direction * self._finger_force, position)

    def _check(self) -> None:
        if self.data.warning.number.any():
            raise PlantDiverged(
                f"the simulation cannot be trusted any more ({_last_words[0]})",
                where=f"cell {self.cell.name}, t = {self.data.time:.3f} s",
                remedy="Restore an earlier state; stiff gains, tiny masses or deep overlaps are the usual causes.",
            )

    def measure(self) -> Measurement:
        """The last reading of the sensors."""
        return self._measured

    def _read_sensors(self, tick: int) -> Measurement:
        data = self.data
        span = self._finger_open - self._finger_closed
        fractions = (data.qpos[self._finger_qpos] - self._finger_closed) / span
        return Measurement(
            tick=tick,
            q_measured=self._encoders.q_measured,
            v_measured=self._encoders.v_measured,
            torque=data.qfrc_actuator[self._dof],
            openings=np.bincount(self._finger_tool, fractions, len(self.cell.tools)) / self._fingers_per_tool,
            beams=self._read_beams(),
            wrenches=self._read_wrenches(),
            parts=data.qpos[self._part_qpos],
        )

    def _read_beams(self) -> np.ndarray:
        if not len(self._beam_sites):
            return np.zeros(0, dtype=bool)
        ranges = self.data.sensordata[self._wrench_count :]
        ends = self.data.site_xpos[self._beam_sites]
        lengths = np.sqrt(((ends[:, 1] - ends[:, 0]) ** 2).sum(axis=1))
        return (ranges >= 0) & (ranges < lengths - BEAM_MARGIN_M)

    def _read_wrenches(self) -> Array:
        readings = self.data.sensordata[: self._wrench_count].reshape(-1, 6)
        noisy = readings + self._noise * self._random.standard_normal(readings.shape)
        return np.clip(noisy, -self._full_scale, self._full_scale)

    def save(self) -> bytes:
        """The complete state, for this model and this version of MuJoCo."""
        state = np.empty(mujoco.mj_stateSize(self.model, _STATE))
        mujoco.mj_getState(self.model, self.data, state, _STATE)
        random = _plain(self._random_bits.state)
        snapshot = Snapshot(self._signature, state.tobytes(), self._measured.to_bytes(), random)
        return msgspec.msgpack.encode(snapshot)

    def restore(self, snapshot: bytes) -> None:
        """Go back to a saved state; from there the same commands give the same bits.

        Raises:
            SnapshotMismatch: the snapshot is of another cell or damaged.
        """
        saved = decode_snapshot(snapshot, Snapshot, "a physics plant")
        if saved.signature != self._signature:
            raise SnapshotMismatch(
                "the snapshot belongs to another cell, version or MuJoCo",
                where=f"cell {self.cell.name}",
                value=saved.signature,
                limit=self._signature,
            )
        measured = Measurement.from_bytes(saved.measured, like=self._measured)
        state, random = self._read_state(saved.state), _read_random(saved.random)
        mujoco.mj_setState(self.model, self.data, state, _STATE)
        mujoco.mj_forward(self.model, self.data)
        self.data.warning.number[:] = 0
        self._measured = measured
        self._encoders.restore(measured.q_measured, measured.v_measured)
        self._random_bits.state = random  # pyright: ignore[reportAttributeAccessIssue]

    def _read_state(self, packed: bytes) -> Array:
        size = mujoco.mj_stateSize(self.model, _STATE)
        state = np.frombuffer(packed) if len(packed) == 8 * size else np.full(1, np.nan)
        if not np.isfinite(state).all():
            raise SnapshotMismatch(
                "damaged physics state", where=f"cell {self.cell.name}", value=len(packed), limit=8 * size
            )
        return state


_last_words = ["MuJoCo did not say why"]


def _take_warnings() -> None:
    """Keep MuJoCo's warnings for our own error: else they go to the screen and into a file in the working folder."""

    def keep(text: str) -> None:
        _last_words[0] = " ".join(text.split())

    mujoco.set_mju_user_warning(keep)


def _signature(model: mujoco.MjModel) -> str:
    buffer = np.empty(mujoco.mj_sizeModel(model), np.uint8)
    mujoco.mj_saveModel(model, None, buffer)
    return f"mujoco {mujoco.__version__} {hashlib.sha256(buffer.tobytes()).hexdigest()[:16]}"


def _plain(value):
    """Random generators keep 128-bit numbers, which msgpack does not."""
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return str(value) if isinstance(value, int) else value


def _read_random(saved: dict) -> dict:
    """The inverse of `_plain`, tried on a generator of its own."""
    try:
        state = {
            "bit_generator": saved["bit_generator"],
            "state": {key: int(saved["state"][key]) for key in ("state", "inc")},
            "has_uint32": int(saved["has_uint32"]),
            "uinteger": int(saved["uinteger"]),
        }
        np.random.PCG64().state = state  # pyright: ignore[reportAttributeAccessIssue]
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise SnapshotMismatch(f"damaged random state: {error}") from None
    return state
