"""The physics twin: a cell stepped by MuJoCo at 1 kHz, servos and all."""

from __future__ import annotations

import hashlib

import msgspec
import mujoco
import numpy as np

from telecell.contract.interface import Array, Command, Measurement, unpack_array
from telecell.contract.snapshots import decode_snapshot
from telecell.errors import PlantDiverged, SnapshotMismatch
from telecell.models import Cell
from telecell.plant.axis_drives import AxisDrives
from telecell.plant.build import TIMESTEP_S, build_plant
from telecell.plant.encoders import Encoders
from telecell.plant.fingers import Fingers
from telecell.plant.stand_in import PanelState, StandIn

BEAM_MARGIN_M = 0.004
"""A beam counts as interrupted when it ends this much before the opposite frame."""

_STATE = mujoco.mjtState.mjSTATE_INTEGRATION


class Snapshot(msgspec.Struct, frozen=True):
    """Everything that decides how the physics goes on."""

    signature: str
    state: bytes
    measured: bytes
    random: dict
    panel: PanelState
    grip_forces: bytes


class PhysicsPlant(StandIn):
    """A cell in MuJoCo, one control period at a time.

    Args:
        cell: what to simulate.
        seed: of the sensors' noise; the same seed and commands give the same bits.
        period_s: control period, a multiple of the 1 ms physics step.
    """

    def __init__(self, cell: Cell, *, seed: int = 0, period_s: float = 0.004):
        self._steps = round(period_s / TIMESTEP_S)
        super().__init__(cell, self._steps * TIMESTEP_S)
        _take_warnings()
        built = build_plant(cell)
        self.model = model = built.model
        self.data = mujoco.MjData(model)
        self._signature = _signature(model)
        self._random_bits = np.random.PCG64(seed)
        self._random = np.random.Generator(self._random_bits)
        self._axes = AxisDrives(built, cell, self.period_s)
        self._fingers = Fingers(model, cell)
        self._index_sensors(cell, model)
        self._come_up(built.start)

    def _index_sensors(self, cell: Cell, model: mujoco.MjModel) -> None:
        """Addresses into MuJoCo's arrays, so that a period needs a handful of vector operations."""
        parts = [model.body(name).jntadr[0] for name in map(cell.get_part_body, cell.parts)]
        self._part_qpos = model.jnt_qposadr[parts][:, None] + np.arange(7)
        self._beam_sites = np.array([[model.site(b.start).id, model.site(b.end).id] for b in cell.beams]).reshape(-1, 2)
        self._wrench_count = 6 * len(cell.force_sensors)
        self._noise = np.array([[s.noise_force] * 3 + [s.noise_torque] * 3 for s in cell.force_sensors]).reshape(-1, 6)
        self._full_scale = np.array([[s.max_force] * 3 + [s.max_torque] * 3 for s in cell.force_sensors]).reshape(-1, 6)

    def _come_up(self, start: Array) -> None:
        """Stand in the start pose with the tools open; the first command decides about the drives."""
        self.data.qpos[:] = start
        rest = Command.holding(self.cell)
        self._axes.command(self.data, rest, rest.drives)
        self._fingers.command(self.data, rest)
        mujoco.mj_forward(self.model, self.data)
        self._encoders = Encoders(self.cell, self.data.qpos[self._axes.qpos], self.period_s)
        self._measured = self._read_sensors(tick=0)

    def step(self, command: Command) -> Measurement:
        """Advance by one control period.

        Raises:
            JointOutOfRange: a number per axis that is not finite, or of the wrong count; nothing moves.
            InputError: the same of tools and outputs.
            PlantDiverged: the numbers cannot be trusted any more.
        """
        command, drives = self._accept(command)
        self._set_drives(drives)
        self._axes.command(self.data, command, drives)
        self._fingers.command(self.data, command)
        mujoco.mj_step(self.model, self.data, nstep=self._steps)
        self._check()
        self._encoders.read(self.data.qpos[self._axes.qpos])
        self._measured = self._read_sensors(self._measured.tick + 1)
        return self._measured

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
        return Measurement(
            tick=tick,
            q_measured=self._encoders.q_measured,
            v_measured=self._encoders.v_measured,
            torque=data.qfrc_actuator[self._axes.dof] * self._powered,
            openings=self._fingers.read(data),
            beams=self._read_beams(),
            wrenches=self._read_wrenches(),
            parts=data.qpos[self._part_qpos],
            powered=self._powered,
            inputs=self._inputs,
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
        return msgspec.msgpack.encode(
            Snapshot(
                self._signature,
                state.tobytes(),
                self._measured.to_bytes(),
                _plain(self._random_bits.state),
                self._save_panel(),
                self._fingers.grip_forces.tobytes(),
            )
        )

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
        grip_forces = unpack_array(saved.grip_forces, self._fingers.grip_forces, "grip forces")
        self._restore_panel(saved.panel)
        self._axes.switch(self._drives)
        self._fingers.set_grip_forces(grip_forces)
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
