"""How the processes of a cell talk: bounded local links that never block; routers between sites come on top."""

from telecell.bus.link import MAX_MESSAGE_BYTES, Link, LinkCounts, open_pair
from telecell.bus.loopback import LOOPBACK
from telecell.bus.report import Report
from telecell.bus.supervision import AnyNotice, Ended, Failed, Ready, Supervision, run_supervised

__all__ = [
    "LOOPBACK",
    "MAX_MESSAGE_BYTES",
    "AnyNotice",
    "Ended",
    "Failed",
    "Link",
    "LinkCounts",
    "Ready",
    "Report",
    "Supervision",
    "open_pair",
    "run_supervised",
]
