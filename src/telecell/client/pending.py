"""What a program waits for: blocking, or with `await`."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from typing import Any, Generic, TypeVar

from telecell.errors import TelecellError

REPLY_TIMEOUT_S = 5.0
"""How long a reply is waited for, in the cell's time."""

Value = TypeVar("Value")
Callback = Callable[[Any, TelecellError | None], object]
"""Called with the value, or with None and the error."""

LetPass = Callable[[Callable[[], bool], float, str], Iterator[None]]
"""Lets time pass until a condition holds, at most so many seconds of the cell's time, step by step."""


class Awaited(Generic[Value]):
    """Something that comes later: a value or an error.

    Several may be waited for at once, with `asyncio.gather`. Time passes only while somebody waits.

    Args:
        let_pass: lets time pass.
        what: what is awaited, for the error of one who waited in vain.
        timeout_s: how long it is waited for by default, in the cell's time.

    Attributes:
        done: whether it has come, as a value or as an error.
    """

    def __init__(self, let_pass: LetPass, what: str, timeout_s: float):
        self._let_pass = let_pass
        self._what = what
        self._timeout_s = timeout_s
        self._value: Any = None
        self._error: TelecellError | None = None
        self._callbacks: list[Callback] = []
        self.done = False

    def settle(self, value: Value) -> None:
        """It has come."""
        self._value = value
        self._finish()

    def fail(self, error: TelecellError) -> None:
        """It will not come, and why."""
        self._error = error
        self._finish()

    def _finish(self) -> None:
        self.done = True
        callbacks, self._callbacks = self._callbacks, []
        for callback in callbacks:
            callback(self._value, self._error)

    def then(self, callback: Callback) -> None:
        """Have a function called once it has come, or will not come; at once if that is known.

        The call that lets time pass calls it, and raises what it raises. For programs that never wait.
        """
        if self.done:
            callback(self._value, self._error)
        else:
            self._callbacks.append(callback)

    def wait(self, timeout_s: float | None = None) -> Value:
        """Let time pass until it has come.

        Raises:
            DeadlineExceeded: it has not come in time; it may be waited for again.
        """
        for _ in self._pass_time(timeout_s):
            pass
        return self._get()

    def __await__(self) -> Generator[None, None, Value]:
        yield from self._pass_time(None)
        return self._get()

    def _pass_time(self, timeout_s: float | None) -> Iterator[None]:
        return self._let_pass(lambda: self.done, self._timeout_s if timeout_s is None else timeout_s, self._what)

    def _get(self) -> Value:
        if self._error is not None:
            raise self._error
        return self._value


class Pending(Awaited[Any]):
    """A request under way. Many may be; each gets its own reply, whatever the order.

    Attributes:
        request: as it was sent.
    """

    def __init__(self, request: Any, let_pass: LetPass):
        super().__init__(let_pass, f"the reply to {request.__struct_config__.tag}", REPLY_TIMEOUT_S)
        self.request = request

    def result(self, timeout_s: float | None = None) -> Any:
        """The reply; of a request to move, its `Segment`.

        Args:
            timeout_s: in the cell's time; 5 s without.

        Raises:
            TelecellError: the cell refused, and why.
            DeadlineExceeded: no reply in time.
        """
        return self.wait(timeout_s)
