"""
A flow is a generator that performs no input or output itself. It yields effects, such as "send this
request" or "sleep", and receives their results. A runner performs the effects: `SyncRunner` blocks,
`AsyncRunner` awaits. The logic is therefore written once, and both clients behave alike.

A runner raises the error of an effect at the `yield`. When a flow ends, even with an error, the
runner closes all streams that the flow has opened.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias, TypeVar

T = TypeVar("T")

Flow: TypeAlias = Generator["Effect", Any, T]


@dataclass(frozen=True)
class FormFile:
    """A form with one file (`multipart/form-data`)."""

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
    """Time limit in seconds. For a stream, the limit of each pause between two pieces."""
    server: str = ""
    """The server, for error messages."""


@dataclass(frozen=True)
class HttpResponse:
    status: int
    headers: Mapping[str, str]
    """Names are in lower case."""
    content: bytes


@dataclass(frozen=True)
class HttpStream:
    """A response whose body is read in pieces. `source` belongs to the runner."""

    status: int
    headers: Mapping[str, str]
    source: Any = field(repr=False)


@dataclass(frozen=True)
class Send:
    """Sends a request, and reads the response to its end."""

    request: HttpRequest


@dataclass(frozen=True)
class Open:
    """Sends a request, and reads the status and headers of the response."""

    request: HttpRequest


@dataclass(frozen=True)
class Read:
    """Reads the next piece of a stream; None at its end."""

    stream: HttpStream


@dataclass(frozen=True)
class Close:
    """Closes a stream, and discards bytes that were not read."""

    stream: HttpStream


@dataclass(frozen=True)
class Sleep:
    seconds: float


@dataclass(frozen=True)
class Work:
    """Calls a function that blocks, such as a write to a file."""

    function: Callable[[], Any]


@dataclass(frozen=True)
class Notify:
    """Calls a function of the user. With the asynchronous client, it may be a coroutine function."""

    function: Callable[[Any], Any]
    argument: Any


@dataclass(frozen=True)
class Emit:
    """Passes an item to the loop of the user."""

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
    """Reads a stream to its end, or up to `bytes_max`."""
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
    """Continues a flow with the result of its last effect, or with its error. Returns the next effect."""
    try:
        return flow.send(result) if error is None else flow.throw(error)
    except StopIteration as stop:
        return End(stop.value)
