"""How the processes of a cell talk: a bus of publications and questions, and bounded local links that never block."""

from telecell.bus.counts import BusCounts
from telecell.bus.endpoints import Endpoint, is_loopback, list_local, local_endpoint, parse_endpoint, prepare_endpoint
from telecell.bus.impaired_bus import ImpairedBus
from telecell.bus.impairment import Channel, ChannelCounts, Impairment
from telecell.bus.interface import Bus, Inquiry
from telecell.bus.keys import DEFAULT_SITE, KEYS, Keys, Kind, Presence, alive_pattern, parse_alive, validate_name
from telecell.bus.link import MAX_MESSAGE_BYTES, Link, LinkCounts, open_pair
from telecell.bus.loopback import LOOPBACK
from telecell.bus.memory import MemoryBroker, MemoryBus
from telecell.bus.proxy import TcpProxy
from telecell.bus.pump import Pumped, running
from telecell.bus.supervision import Alive, AnyNotice, Ended, Failed, Ready, Supervision, end_process, run_supervised
from telecell.bus.zenoh_bus import Router, ZenohBus, open_router

__all__ = [
    "DEFAULT_SITE",
    "KEYS",
    "LOOPBACK",
    "MAX_MESSAGE_BYTES",
    "Alive",
    "AnyNotice",
    "Bus",
    "BusCounts",
    "Channel",
    "ChannelCounts",
    "Ended",
    "Endpoint",
    "Failed",
    "ImpairedBus",
    "Impairment",
    "Inquiry",
    "Keys",
    "Kind",
    "Link",
    "LinkCounts",
    "MemoryBroker",
    "MemoryBus",
    "Presence",
    "Pumped",
    "Ready",
    "Router",
    "Supervision",
    "TcpProxy",
    "ZenohBus",
    "alive_pattern",
    "end_process",
    "is_loopback",
    "list_local",
    "local_endpoint",
    "open_pair",
    "open_router",
    "parse_alive",
    "parse_endpoint",
    "prepare_endpoint",
    "run_supervised",
    "running",
    "validate_name",
]
