"""The rules of control as numbers, for different distances between people and robot."""

from __future__ import annotations

import msgspec

from telecell.errors import UnknownName


class Profile(msgspec.Struct, frozen=True, kw_only=True):
    """One set of rules.

    Attributes:
        title: for whom.
        lease_s: a grant is lost after so long without a renewal.
        echo_bound_s: how old the newest tick that a sender has seen may be.
        follows_round_trip: for commands and renewals, though never for streams, the bound is added to the shortest
            round trip of the grant so far, up to the longest.
        longest_round_trip_s: a holder who is farther away may only watch.
        greatest_loss: a holder who loses a greater share of renewals may only watch.
        idle_limit_s: a holder who commands nothing for so long loses the grant; None for never.
        control_limit_s: nobody has a grant for longer; None for no limit.
    """

    title: str
    lease_s: float = 1.0
    echo_bound_s: float = 0.25
    follows_round_trip: bool = False
    longest_round_trip_s: float = 0.25
    greatest_loss: float = 0.2
    idle_limit_s: float | None = None
    control_limit_s: float | None = None


PROFILES = {
    "local": Profile(title="people near the robot, or on a fast network"),
    "delayed": Profile(title="a long way between people and robot", follows_round_trip=True, longest_round_trip_s=10.0),
    "lab": Profile(title="a class that takes turns", idle_limit_s=30.0, control_limit_s=600.0),
}


def get_profile(name: str) -> Profile:
    """The profile of that name.

    Raises:
        UnknownName: with the known ones.
    """
    if name not in PROFILES:
        raise UnknownName("profile", name, tuple(PROFILES))
    return PROFILES[name]
