"""
Waits for the end of a task in one of three ways:

- over a stream, on which the service sends each change
- with long polls: the service holds the response until the task ends or, for a wait that reports updates, changes
- with a query every five to ten seconds, according to the Retry-After of the response; also used if the service
  or a proxy does not hold responses
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias, get_args

from ..errors import ConfigurationError, FramegateError, TaskFailedError, WaitTimeoutError
from ..types import TaskData
from .events import FAILURES_MAX, ServerSentEvent, follow, read_data
from .flow import Flow, Notify, Sleep
from .retry import is_retryable, log_retry
from .transport import Call, Result, Transport

WaitMode: TypeAlias = Literal["auto", "stream", "long_poll", "poll"]
Raw: TypeAlias = Mapping[str, Any]

TIMEOUT_DEFAULT = 3600.0
LONG_POLL_MAX = 30
"""Maximum time of a long poll in seconds. Many proxies time out after a minute."""
LONG_POLL_MAX_WITH_UPDATES = 5
"""
Maximum time of a long poll in seconds, for a wait that reports updates. It limits the delay of an update if the
service or a proxy does not respond to a change.
"""
FULL_POLL_SHARE = 0.8
"""
Fraction of the requested time after which the service is considered to have held the response. It is below 1 because
clocks may differ slightly.
"""
UNKNOWN_ETAG = '"unknown"'
"""An ETag that no task has, so that the first response of a wait that reports updates is immediate."""
QUICK_CHANGES_MAX = 5
"""
Maximum number of consecutive responses with a new ETag within `QUICK_SECONDS`. After more of them, the client assumes
that every response has a new ETag, and polls at intervals instead.
"""
QUICK_SECONDS = 0.25
POLL_MIN = 5
POLL_MAX = 10
FAILED_QUERIES_MAX = 12
"""
Maximum number of consecutive failed queries. The pauses after them add up to at least a minute, which is long enough
for a restart of the service.
"""
STREAM_MIN = 20
"""
Minimum remaining time of a wait, in seconds, for which a stream is used. The client notices the end of that time only
when bytes arrive, and a stream may be silent for 15 seconds.
"""


@dataclass
class Wait:
    """The state of one wait."""

    transport: Transport
    task_id: str
    path: str
    view: Callable[[Raw], TaskData]
    """Converts a response to the user's task object."""
    on_update: Callable[[Any], Any] | None
    timeout: float
    task: TaskData | None = None
    _last_reported: Raw | None = None
    deadline: float = field(init=False)
    """End of the wait on the monotonic clock."""

    def __post_init__(self) -> None:
        self.deadline = time.monotonic() + self.timeout

    @property
    def remaining_seconds(self) -> float:
        return self.deadline - time.monotonic()

    def has_ended(self) -> bool:
        return self.task is not None and self.task.has_ended

    def observe(self, raw: Raw) -> Flow[None]:
        """Stores a response, and reports it to the user if it differs from the last reported one."""
        self.task = self.view(raw)
        if self.on_update is not None and raw != self._last_reported:
            self._last_reported = dict(raw)
            yield Notify(self.on_update, self.task)

    def timed_out(self) -> WaitTimeoutError:
        status = "running" if self.task is None else self.task.status
        message = f"The task {self.task_id} is still {status} after {self.timeout:g} s and continues."
        return WaitTimeoutError(message, task_id=self.task_id)


def require_mode(mode: WaitMode) -> None:
    """Raises ConfigurationError if the mode is unknown."""
    if mode not in get_args(WaitMode):
        message = f"mode must be auto, stream, long_poll or poll; got {mode!r}."
        raise ConfigurationError(message, code="invalid_option", param="mode")


def wait_for_task(wait: Wait, mode: WaitMode) -> Flow[TaskData]:
    """Waits until a task is completed. Raises TaskFailedError when it fails."""
    require_mode(mode)
    if wait.task is not None:
        yield from wait.observe(wait.task.raw)
    if not wait.has_ended() and (mode == "stream" or (mode == "auto" and wait.on_update is not None)):
        yield from _wait_by_stream(wait, may_fall_back=mode == "auto")
    if not wait.has_ended():
        yield from _wait_by_queries(wait, uses_long_polls=mode != "poll")
    task = wait.task
    if task is None or task.status == "failed":
        raise wait.timed_out() if task is None else TaskFailedError(task)
    return task


def _wait_by_stream(wait: Wait, *, may_fall_back: bool) -> Flow[None]:
    """
    Follows the stream of the task while at least `STREAM_MIN` seconds remain. With `may_fall_back`, returns at the
    first failure of the stream without an error, because queries then replace the stream.
    """

    def is_nearly_over() -> bool:
        return wait.remaining_seconds < STREAM_MIN

    def on_event(event: ServerSentEvent) -> Flow[bool]:
        yield from wait.observe(read_data(event))
        return wait.has_ended()

    if is_nearly_over():
        return
    call = Call("GET", f"{wait.path}/events")
    failures_max = 0 if may_fall_back else FAILURES_MAX
    try:
        yield from follow(wait.transport, call, on_event, should_stop=is_nearly_over, failures_max=failures_max)
    except FramegateError as error:
        # The service may be older, limit its streams, or be behind a proxy that cuts or buffers them. If the error
        # persists, the queries report it.
        if not may_fall_back or error.code == "task_not_found":
            raise


def _wait_by_queries(wait: Wait, *, uses_long_polls: bool) -> Flow[None]:
    has_updates = wait.on_update is not None
    known_etag = UNKNOWN_ETAG if has_updates and uses_long_polls else None
    quick_changes = 0
    failed_queries = 0
    while not wait.has_ended():
        remaining_seconds = wait.remaining_seconds
        if remaining_seconds <= 0:
            raise wait.timed_out()
        long_poll_max = LONG_POLL_MAX_WITH_UPDATES if has_updates else LONG_POLL_MAX
        # The query after a failed one is no long poll, because a proxy may abort long requests.
        long_poll = math.ceil(min(long_poll_max, remaining_seconds)) if uses_long_polls and failed_queries == 0 else 0
        started = time.monotonic()
        try:
            result = yield from _query(wait, long_poll, known_etag)
            failed_queries = 0
            if result.body is not None:
                yield from wait.observe(result.body)
        except FramegateError as error:
            failed_queries += 1
            if failed_queries > FAILED_QUERIES_MAX or not is_retryable(error):
                raise
            pause = max(error.retry_after or 0, POLL_MIN)
            log_retry(error, pause)
        else:
            seconds = time.monotonic() - started
            is_changed = known_etag is not None and result.etag is not None and result.etag != known_etag
            if is_changed:
                known_etag = result.etag
            quick_changes = quick_changes + 1 if is_changed and seconds < QUICK_SECONDS else 0
            is_next_due = uses_long_polls and seconds >= long_poll * FULL_POLL_SHARE
            if wait.has_ended() or is_next_due or (is_changed and quick_changes <= QUICK_CHANGES_MAX):
                continue
            pause = min(max(result.retry_after or POLL_MIN, POLL_MIN), POLL_MAX)
        yield Sleep(min(pause, max(0.0, wait.remaining_seconds)))


def _query(wait: Wait, long_poll: int, known_etag: str | None) -> Flow[Result]:
    """Queries the task once. The caller counts failed queries. The body is None if the task is unchanged."""
    query = {"wait": long_poll or None}
    return wait.transport.call(
        Call("GET", wait.path, query=query, long_poll=long_poll, if_none_match=known_etag, max_retries=0)
    )
