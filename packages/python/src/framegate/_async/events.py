# Generated from `_sync` by `python tools/write_async.py`.

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence

from .._core.events import follow_account
from .._core.transport import Transport
from ..types import Event, RecordedEventType
from .resource import AsyncResource
from .runner import AsyncRunner
from .task import AsyncTask
from .tasks import AsyncTasks


class AsyncEvents(AsyncResource):
    """The events of the account."""

    def __init__(self, transport: Transport, runner: AsyncRunner, tasks: AsyncTasks) -> None:
        super().__init__(transport, runner)
        self._tasks = tasks

    def stream(
        self, *, types: Sequence[RecordedEventType] | None = None, last_event_id: str | None = None
    ) -> AsyncIterator[Event[AsyncTask]]:
        """
        Yields the account's events until you leave the loop: `async for event in client.events.stream()`. Resumes
        after a lost connection. The default `types` are `task.completed` and `task.failed`. `last_event_id` is
        the `stream_id` of the last event that your program has received. The stream then begins with the events
        after it. The service keeps events for 24 hours.
        """
        return self._iterate(follow_account(self._transport, types, last_event_id, self._tasks._bind))
