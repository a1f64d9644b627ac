"""From what a program says to a request: numpy arrays and poses become plain numbers, and types are checked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec
import numpy as np

from telecell.errors import MalformedRequestError
from telecell.geometry import Pose
from telecell.kinematics.placements import to_placement
from telecell.messages import Request

AnyKind = TypeVar("AnyKind", bound=Request)


def build_request(kind: type[AnyKind], fields: Mapping[str, Any]) -> AnyKind:
    """A request whose fields have the right types, so that a mistake fails here and not in the cell.

    Raises:
        MalformedRequestError: which field is wrong, and how.
    """
    try:
        plain = {name: to_placement(value) if isinstance(value, Pose) else value for name, value in fields.items()}
        return msgspec.convert(msgspec.to_builtins(plain, enc_hook=_to_plain), kind)
    except (msgspec.ValidationError, NotImplementedError, TypeError) as error:
        raise MalformedRequestError(
            f"this cannot be sent: {error}",
            where=f"request {kind.__struct_config__.tag}",
            remedy=f"Its fields are: {', '.join(kind.__struct_fields__)}.",
        ) from None


def _to_plain(value: object) -> object:
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    raise NotImplementedError(f"no numbers, names or poses: {value!r}")
