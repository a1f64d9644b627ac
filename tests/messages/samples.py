"""One sample of every message, made from the types themselves."""

import types
import typing
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec

from telecell.messages import AnyEvent, AnyReply, AnyRequest

SIMPLE = {int: 3, float: 0.25, str: "puma", bool: True, type(None): None}


def make(kind: Any) -> Any:
    """A value of a type."""
    origin, arguments = get_origin(kind), get_args(kind)
    if kind in SIMPLE:
        return SIMPLE[kind]
    if origin in (typing.Union, types.UnionType):
        return make(arguments[0])
    if origin is Literal:
        return arguments[0]
    if origin is dict:
        return {make(arguments[0]): make(arguments[1])}
    if origin is tuple:
        return (make(arguments[0]),) * 2 if arguments[-1] is Ellipsis else tuple(make(part) for part in arguments)
    return make_struct(kind)


def make_struct(kind: type[msgspec.Struct]) -> Any:
    """A struct with a value in every field."""
    hints = get_type_hints(kind)
    return kind(**{name: make(hints[name]) for name in kind.__struct_fields__})


REQUESTS = [make_struct(kind) for kind in get_args(AnyRequest)]
REPLIES = [make_struct(kind) for kind in get_args(AnyReply)]
EVENTS = [make_struct(kind) for kind in get_args(AnyEvent)]
