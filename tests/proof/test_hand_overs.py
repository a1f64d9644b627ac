"""Row A1: however control passes among programs, only its holder moves the robot."""

import pytest

from soak.real.turns import PASSED_ON, pass_around
from soak.real.witness import Witness

pytestmark = pytest.mark.real_time


def test_only_the_holder_moves_the_robot_in_twenty_hand_overs(witness: Witness):
    changes = pass_around(witness, turns=20, seed=1)
    assert changes["acquired"] >= 20
    assert all(changes[kind] for kind in PASSED_ON), changes
