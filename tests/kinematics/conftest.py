from __future__ import annotations

import pytest

from telecell.kinematics import Chain, InverseSolver

from .arms import (
    NINE_AXES,
    NINE_LIMITS,
    PUMA_AXES,
    PUMA_LIMITS,
    build_nine,
    build_puma,
    load_packaged_chain,
)


@pytest.fixture(scope="session")
def puma_model():
    return build_puma()


@pytest.fixture
def puma(puma_model) -> Chain:
    return Chain(puma_model, axes=PUMA_AXES, base="shoulder", tip="wrist", limits=PUMA_LIMITS, name="puma560")


@pytest.fixture
def puma_solver(puma) -> InverseSolver:
    return InverseSolver(puma)


@pytest.fixture(scope="session")
def nine_model():
    return build_nine()


@pytest.fixture
def nine(nine_model) -> Chain:
    return Chain(nine_model, axes=NINE_AXES, base="world", tip="flange", limits=NINE_LIMITS, name="FL")


@pytest.fixture
def nine_solver(nine) -> InverseSolver:
    return InverseSolver(nine)


@pytest.fixture(scope="session")
def ur5() -> Chain:
    return load_packaged_chain("ur_description/urdf/ur5_robot.urdf", "tool0", 6)


@pytest.fixture(scope="session")
def panda() -> Chain:
    return load_packaged_chain("panda_description/urdf/panda.urdf", "panda_link8", 7)
