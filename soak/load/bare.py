"""Bare zenoh, as its own examples use it: the peer that the bus is measured against."""

from __future__ import annotations

import json
import struct

import zenoh

ROOT = "bare"
STAMP = struct.Struct("<qd")
"""The number of a publication, and when it was made."""


def open_bare(endpoint: str) -> zenoh.Session:
    """A session with zenoh's own settings, through the router at an endpoint."""
    config = zenoh.Config()
    config.insert_json5("mode", json.dumps("client"))
    config.insert_json5("connect/endpoints", json.dumps([endpoint]))
    config.insert_json5("scouting/multicast/enabled", "false")  # not to meet strangers
    return zenoh.open(config)


def build_payload(number: int, time_s: float, size: int) -> bytes:
    """A publication of a size, stamped."""
    return STAMP.pack(number, time_s).ljust(size, b" ")


def read_stamp(payload: bytes) -> tuple[int, float]:
    """Its number, and when it was made."""
    return STAMP.unpack_from(payload)
