"""
A flow is a generator that performs no I/O itself. It yields effects, such as "send this request" or
"sleep", and receives their results. A runner performs the effects: `SyncRunner` blocks, `AsyncRunner`
awaits. The logic is therefore written once for both clients.

A runner raises the error of an effect at the `yield`. When a flow ends, even with an error, the runner
closes all streams that the flow opened.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias, TypeVar

from ..errors import FramegateError

T = TypeVar("T")

Flow: TypeAlias = Generator["Effect", Any, T]


@dataclass(frozen=True)
class FormFile:
    """A form with one file (`multipart/form-data`) and text fields. `name` is the file name."""

    name: str
    content: bytes
    fields: Mapping[str, str]


@dataclass(frozen=True)
class HttpRequest:
    method: str
    url: str
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    content: bytes | FormFile | None = None
    timeout: float = 60
    """Timeout in seconds. For a stream, the maximum time between two chunks."""
    server: str = ""
    """The server, for error messages."""


@dataclass(frozen=True)
class HttpResponse:
    status: int
    headers: Mapping[str, str]
    """Header names are in lower case."""
    content: bytes


@dataclass(frozen=True)
class HttpStream:
    """A response whose body is read in chunks. `source` belongs to the runner."""

    status: int
    headers: Mapping[str, str]
    source: Any = field(repr=False)


@dataclass(frozen=True)
class Send:
    """Sends a request, and reads the whole response."""

    request: HttpRequest


@dataclass(frozen=True)
class Open:
    """Sends a request, and reads the status and headers of the response."""

    request: HttpRequest


@dataclass(frozen=True)
class Read:
    """Reads the next chunk of a stream; None at the end."""

    stream: HttpStream


@dataclass(frozen=True)
class Close:
    """Closes a stream, and discards unread bytes."""

    stream: HttpStream


@dataclass(frozen=True)
class Sleep:
    seconds: float


@dataclass(frozen=True)
class Work:
    """Calls a blocking function, such as a file write."""

    function: Callable[[], Any]


@dataclass(frozen=True)
class Notify:
    """Calls the user's callback. With the asynchronous client, it may be a coroutine function."""

    function: Callable[[Any], Any]
    argument: Any


class CallbackFailed(Exception):
    """
    Raised by a `Notify` whose callback has raised an error of this package. Without this wrapper, a flow would retry
    its own request because of the callback's error. After the end of the flow, the runner raises `error`.
    """

    def __init__(self, error: FramegateError) -> None:
        super().__init__(error)
        self.error = error


@dataclass(frozen=True)
class Emit:
    """Passes an item to the user's loop."""

    item: Any


Effect: TypeAlias = Send | Open | Read | Close | Sleep | Work | Notify | Emit


def send(request: HttpRequest) -> Flow[HttpResponse]:
    response: HttpResponse = yield Send(request)
    return response


def open_stream(request: HttpRequest) -> Flow[HttpStream]:
    stream: HttpStream = yield Open(request)
    return stream


def read(stream: HttpStream) -> Flow[bytes | None]:
    piece: bytes | None = yield Read(stream)
    return piece


def read_all(stream: HttpStream, bytes_max: int) -> Flow[bytes]:
    """Reads a stream to its end, or until at least `bytes_max` bytes have arrived."""
    content = bytearray()
    while len(content) < bytes_max:
        piece = yield from read(stream)
        if piece is None:
            break
        content += piece
    return bytes(content)


def work(function: Callable[[], T]) -> Flow[T]:
    result: T = yield Work(function)
    return result


@dataclass(frozen=True)
class End:
    """The end of a flow, with its result."""

    result: Any


def advance(flow: Flow[Any], result: Any = None, error: BaseException | None = None) -> Effect | End:
    """Resumes a flow with the result or the error of its last effect. Returns the next effect, or the end."""
    try:
        return flow.send(result) if error is None else flow.throw(error)
    except StopIteration as stop:
        return End(stop.value)
