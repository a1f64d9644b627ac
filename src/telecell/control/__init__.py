"""The controller core: from requests to set-points. Pure: never waits, never sends, never reads a clock."""

from telecell.control.follower import Follower, FollowerState

__all__ = ["Follower", "FollowerState"]
