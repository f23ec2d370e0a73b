"""Server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html)."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..errors import APIConnectionError, APIError, FramegateError
from ..types import TaskData
from .flow import Close, Emit, Flow, Sleep, read
from .read_object import read_object
from .retry import is_retryable, log_retry, pause_before
from .transport import Call, Transport
from .unwrap import read_event

CHARACTERS_MAX = 16 * 1024 * 1024
"""Maximum length of an event. Events of the service are never longer."""
FAILURES_MAX = 12
"""
Default maximum number of consecutive connections that fail without an event. The error of the next one is raised. The
pauses add up to at least a minute, which is long enough for a restart of the service.
"""
SILENCE_MAX = 45
"""
Idle timeout in seconds. The service sends an event or a heartbeat at least every 15 seconds. A connection that
receives nothing for three times as long is considered dead.
"""

_LINE_END = re.compile(r"\r\n|\n|\r")


@dataclass(frozen=True)
class ServerSentEvent:
    event: str
    id: str
    """Last event id that the stream has sent; empty before the first."""
    data: str


def read_data(event: ServerSentEvent) -> dict[str, Any]:
    """Parses the data of an event. Raises an error if it is not a JSON object."""
    value = read_object(event.data)
    if value is not None:
        return value
    message = "The stream has sent an event that is not a JSON object."
    raise APIError(message, code="unexpected_answer", status=200)


@dataclass
class EventReader:
    """Reads events from the chunks of a stream. Skips comments and unknown fields."""

    _decoder: codecs.IncrementalDecoder = field(
        default_factory=lambda: codecs.getincrementaldecoder("utf-8")(errors="replace")
    )
    _incomplete_line: str = ""
    _ended_with_return: bool = False
    _event: str = ""
    _id: str = ""
    _data: list[str] = field(default_factory=list[str])
    _data_characters: int = 0
    last_id: str = ""
    """Id of the last complete event, including events that only have an id."""

    def feed(self, chunk: bytes) -> list[ServerSentEvent]:
        """Returns the events that end in this chunk."""
        decoded = self._decoder.decode(chunk)
        # A CR ends a line at once. If an LF follows in the next chunk, it belongs to the same line end.
        text = decoded.removeprefix("\n") if self._ended_with_return else decoded
        if decoded:
            self._ended_with_return = decoded.endswith("\r")
        *lines, self._incomplete_line = _LINE_END.split(self._incomplete_line + text)
        events: list[ServerSentEvent] = []
        for line in lines:
            if line == "":
                if self._data:
                    events.append(ServerSentEvent(self._event or "message", self._id, "\n".join(self._data)))
                self.last_id = self._id
                self._event, self._data, self._data_characters = "", [], 0
            else:
                self._read_line(line)
        if len(self._incomplete_line) + self._data_characters > CHARACTERS_MAX:
            raise APIConnectionError("The stream has sent an event that is too long.", code="unexpected_answer")
        return events

    def _read_line(self, line: str) -> None:
        name, _, text = line.partition(":")
        text = text.removeprefix(" ")
        if name == "event":
            self._event = text
        elif name == "id" and "\0" not in text:
            self._id = text
        elif name == "data":
            self._data.append(text)
            self._data_characters += len(text)


OnEvent = Callable[[ServerSentEvent], Flow[bool]]
"""Receives each event. Returns whether it is the last event of the stream."""


def follow(
    transport: Transport,
    call: Call,
    on_event: OnEvent,
    *,
    last_event_id: str | None = None,
    should_stop: Callable[[], bool] = lambda: False,
    failures_max: int = FAILURES_MAX,
) -> Flow[None]:
    """
    Follows an event stream to its end. Reconnects after a broken or ended connection, and resumes after the
    last event. `should_stop` is called after each chunk, even if no event ends in the chunk. If more than
    `failures_max` consecutive connections fail without an event, raises the last error.
    """
    failures = 0
    while True:
        try:
            stream = yield from transport.open_events(call, last_event_id=last_event_id, silence_max=SILENCE_MAX)
            # The service has nothing more to send.
            if stream is None:
                return
            reader = EventReader()
            while (chunk := (yield from read(stream))) is not None:
                for event in reader.feed(chunk):
                    failures = 0
                    last_event_id = event.id or last_event_id
                    if (yield from on_event(event)):
                        yield Close(stream)
                        return
                last_event_id = reader.last_id or last_event_id
                if should_stop():
                    yield Close(stream)
                    return
            yield Close(stream)
            # The stream ended without an error. The service ends all streams when it shuts down, and account streams
            # every ten minutes.
            delay = pause_before(1, None)
        except FramegateError as error:
            failures += 1
            if failures > failures_max or not is_retryable(error):
                raise
            delay = pause_before(failures, error.retry_after)
            log_retry(error, delay)
        if should_stop():
            return
        yield Sleep(delay)


def follow_task(transport: Transport, path: str, view: Callable[[Mapping[str, Any]], TaskData]) -> Flow[None]:
    """Emits a task immediately and after each change, until it ends."""

    def on_event(event: ServerSentEvent) -> Flow[bool]:
        task = view(read_data(event))
        yield Emit(task)
        return task.has_ended

    return (yield from follow(transport, Call("GET", path), on_event))


def follow_account(
    transport: Transport,
    types: Sequence[str] | None,
    last_event_id: str | None,
    view: Callable[[Mapping[str, Any]], TaskData],
) -> Flow[None]:
    """Emits the events of an account, and never ends by itself."""

    def on_event(event: ServerSentEvent) -> Flow[bool]:
        yield Emit(read_event(read_data(event), view, event.id))
        return False

    call = Call("GET", "/v2/events", query={"types": None if types is None else ",".join(types)})
    return (yield from follow(transport, call, on_event, last_event_id=last_event_id))
