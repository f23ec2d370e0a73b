from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TypeAlias

from .._core.download import BYTES_MAX_DEFAULT, Download, DownloadProgress, numbered_path, require_results
from .._core.events import follow_task
from .._core.flow import Flow
from .._core.tasks import TASKS, cancel_task, create_task, create_wait, generate, quote_task
from .._core.transport import path_of
from .._core.wait import TIMEOUT_DEFAULT, WaitMode, wait_for_task
from ..parameters import CreateTask, QuoteTask
from ..types import (
    DeletedTask,
    DeletedTasks,
    Model,
    Quote,
    TaskData,
    TaskObject,
    TaskStatus,
    Timeline,
)
from .page import Page
from .resource import Resource
from .task import Task

TaskOrId: TypeAlias = str | TaskData


class Tasks(Resource):
    """Methods for tasks. A parameter `task` is an id or a task object."""

    @property
    def create(self) -> CreateTask[Task]:
        """
        Submits a task, given a Model ID and that model's parameters. Only one task is created and charged,
        even if the request is retried.
        """
        return self._create

    @property
    def quote(self) -> QuoteTask[Quote]:
        """Returns the price of a request without creating a task."""
        return self._quote

    def _create(self, *, model: str | Model, idempotency_key: str | None = None, **parameters: Any) -> Task:
        """Submits a task, given a Model ID and that model's parameters."""
        return self._bind(self._run(create_task(self._transport, model, idempotency_key, parameters)))

    def _quote(self, *, model: str | Model, **parameters: Any) -> Quote:
        """Returns the price of a request without creating a task."""
        return self._run(quote_task(self._transport, model, parameters))

    def _generate(
        self,
        *,
        model: str | Model,
        idempotency_key: str | None = None,
        timeout: float | None = TIMEOUT_DEFAULT,
        on_update: Callable[[Task], Any] | None = None,
        mode: WaitMode = "auto",
        cancel_on_interrupt: bool = False,
        **parameters: Any,
    ) -> Task:
        """Submits a task and waits until it is completed."""
        flow = generate(
            self._transport,
            create_task(self._transport, model, idempotency_key, parameters),
            self._viewer(None),
            timeout=timeout,
            on_update=on_update,
            mode=mode,
            cancel_on_interrupt=cancel_on_interrupt,
        )
        return self._as_task(self._run(flow))

    def get(self, task: TaskOrId, *, wait: int | None = None) -> Task:
        """
        Returns the current state of a task, with a new `result_url` if it is completed. With `wait`, the
        service holds the response for up to this many whole seconds (at most 60) until the task ends.
        """
        return self._bind(self._get(_id_of(task), wait))

    def list(
        self,
        *,
        status: TaskStatus | None = None,
        model: str | None = None,
        object: TaskObject | None = None,
        created_after: int | None = None,
        created_before: int | None = None,
        q: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        view: Literal["full"] | None = None,
    ) -> Page[Task]:
        """
        Lists the tasks of the account, newest first. `for task in client.tasks.list()` iterates over all
        pages. Times are Unix seconds. `q` selects tasks whose prompt contains all of these words. `limit` is
        the number of tasks per page, 1 to 100. With `view="full"`, each task has its `parameters`.
        """
        query = {
            **_filters(status, model, object, created_after, created_before),
            "q": q,
            "limit": limit,
            "cursor": cursor,
            "view": view,
        }
        return self._list(TASKS, query, self._bind)

    def wait(
        self,
        task: TaskOrId,
        *,
        timeout: float | None = TIMEOUT_DEFAULT,
        on_update: Callable[[Task], Any] | None = None,
        mode: WaitMode = "auto",
    ) -> Task:
        """Waits until a task is completed, and returns it (`Task.wait`)."""
        known = task if isinstance(task, Task) else None
        wait = create_wait(
            self._transport,
            _id_of(task),
            self._viewer(known),
            timeout=timeout,
            on_update=on_update,
            task=known,
        )
        return self._as_task(self._run(wait_for_task(wait, mode)))

    def stream(self, task: TaskOrId) -> Iterator[Task]:
        """
        Yields a task immediately and after each change, until it ends: `for task in
        client.tasks.stream(id)`. Resumes after a lost connection.
        """
        path = f"{path_of(TASKS, _id_of(task))}/events"
        return self._iterate(follow_task(self._transport, path, self._bind))

    def cancel(self, task: TaskOrId) -> Task:
        """Cancels a task and releases the held credits. Raises ConflictError if it had already ended."""
        return self._view(task, self._run(cancel_task(self._transport, _id_of(task))))

    def delete(self, task: TaskOrId) -> DeletedTask:
        """
        Permanently deletes a task with its result, prompt and inputs. A running task is cancelled first.
        The call may be repeated.
        """
        return self._fetch(DeletedTask, "DELETE", path_of(TASKS, _id_of(task)))

    def delete_many(
        self,
        *,
        all: bool = False,
        status: TaskStatus | None = None,
        model: str | None = None,
        object: TaskObject | None = None,
        created_after: int | None = None,
        created_before: int | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> DeletedTasks:
        """
        Deletes up to `limit` tasks (1 to 100) that match the filters, newest first. Repeat the call with
        `next_cursor` while `has_more` is true. At least one filter, or `all`, is required.
        """
        query = {
            **_filters(status, model, object, created_after, created_before),
            "all": "true" if all else None,
            "limit": limit,
            "cursor": cursor,
        }
        return self._fetch(DeletedTasks, "DELETE", TASKS, query=query)

    def timeline(self, task: TaskOrId) -> Timeline:
        """Returns the events of a task, such as its attempts and changes of its held credits."""
        return self._fetch(Timeline, "GET", f"{path_of(TASKS, _id_of(task))}/timeline")

    def save(
        self,
        task: TaskOrId,
        path: str | os.PathLike[str],
        *,
        result: int = 0,
        overwrite: bool = True,
        bytes_max: int | None = None,
        on_progress: Callable[[DownloadProgress], Any] | None = None,
    ) -> Path:
        """Saves a result of a completed task, and returns the path (`Task.save`)."""
        return self._run(self._download(task, result, bytes_max, on_progress).save(Path(path), overwrite=overwrite))

    def save_all(self, task: TaskOrId, path: str | os.PathLike[str], *, overwrite: bool = True) -> Sequence[Path]:
        """Saves every result of a completed task, and returns the paths (`Task.save_all`)."""
        completed = self.get(task) if isinstance(task, str) or not task.results else task
        count = len(require_results(completed)) or 1
        paths: list[Path] = []
        for index in range(count):
            target = numbered_path(Path(path), index, count)
            paths.append(self.save(completed, target, result=index, overwrite=overwrite))
        return paths

    def read(self, task: TaskOrId, *, result: int = 0, bytes_max: int | None = None) -> bytes:
        """Returns the bytes of a result."""
        return self._run(self._download(task, result, bytes_max, None).read())

    def iter_bytes(self, task: TaskOrId, *, result: int = 0, bytes_max: int | None = None) -> Iterator[bytes]:
        """Yields the bytes of a result as they arrive."""
        return self._iterate(self._download(task, result, bytes_max, None).emit())

    def _get(self, task_id: str, wait: int | None = None) -> Mapping[str, Any]:
        return self._run(
            self._transport.fetch("GET", path_of(TASKS, task_id), query={"wait": wait}, long_poll=wait or 0)
        )

    def _download(
        self,
        task: TaskOrId,
        result: int,
        bytes_max: int | None,
        on_progress: Callable[[DownloadProgress], Any] | None,
    ) -> Download:
        known = task if isinstance(task, TaskData) else None
        view = self._viewer(task if isinstance(task, Task) else None)

        def fetch_task() -> Flow[TaskData]:
            return view((yield from self._transport.fetch("GET", path_of(TASKS, _id_of(task)))))

        return Download(
            self._transport,
            known if known is not None and known.result_url is not None else None,
            fetch_task,
            result,
            BYTES_MAX_DEFAULT if bytes_max is None else bytes_max,
            on_progress,
        )

    def _bind(self, raw: Mapping[str, Any]) -> Task:
        return Task._of(raw, self)

    def _view(self, task: TaskOrId, raw: Mapping[str, Any]) -> Task:
        return self._viewer(task if isinstance(task, Task) else None)(raw)

    def _viewer(self, known: Task | None) -> Callable[[Mapping[str, Any]], Task]:
        """
        Returns a function that converts the first response to a task object, and updates that object with
        later responses.
        """

        def view(raw: Mapping[str, Any]) -> Task:
            nonlocal known
            known = self._bind(raw) if known is None else known._update(raw)
            return known

        return view

    def _as_task(self, task: TaskData) -> Task:
        return task if isinstance(task, Task) else self._bind(task.raw)


def _id_of(task: TaskOrId) -> str:
    return task if isinstance(task, str) else task.id


def _filters(
    status: TaskStatus | None,
    model: str | None,
    object: TaskObject | None,
    created_after: int | None,
    created_before: int | None,
) -> dict[str, str | int | float | None]:
    return {
        "status": status,
        "model": model,
        "object": object,
        "created_after": created_after,
        "created_before": created_before,
    }
