# Generated from `_sync` by `python tools/write_async.py`.

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .._core.download import DownloadProgress
from .._core.notebook import EMBEDDED_BYTES_MAX, EmbeddedResult, embedded, task_html
from .._core.wait import TIMEOUT_DEFAULT, WaitMode
from ..types import DeletedTask, TaskData, Timeline
from ..types.task import read_task, task_fields

if TYPE_CHECKING:
    from .tasks import AsyncTasks


class AsyncTask(TaskData):
    """A task of a client. Its methods update its fields."""

    _tasks: AsyncTasks

    @classmethod
    def _of(cls, raw: Mapping[str, Any], tasks: AsyncTasks) -> AsyncTask:
        task = cls(**task_fields(raw))
        task._tasks = tasks
        return task

    def _update(self, raw: Mapping[str, Any]) -> AsyncTask:
        for name, value in task_fields(raw).items():
            setattr(self, name, value)
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles the task as a `TaskData` without a client. The methods of `client.tasks` accept it."""
        return read_task, (dict(self.raw),)

    async def wait(
        self,
        *,
        timeout: float | None = TIMEOUT_DEFAULT,
        on_update: Callable[[AsyncTask], Any] | None = None,
        mode: WaitMode = "auto",
    ) -> AsyncTask:
        """
        Waits until the task is completed, and returns it. Raises TaskFailedError if it fails, and
        WaitTimeoutError after `timeout` seconds (None: no limit); the task then continues.

        `on_update` is called first with the known state, and then with each state that differs from the last.
        `mode` selects how to wait: `stream` receives changes over an event stream, `long_poll` uses long
        polling, and `poll` queries the task every five to ten seconds. `auto` uses a stream if `on_update` is
        given, and otherwise or if the stream fails, long polling.
        """
        return await self._tasks.wait(self, timeout=timeout, on_update=on_update, mode=mode)

    async def refresh(self) -> AsyncTask:
        """Updates the task to its current state, with a new `result_url` if it is completed."""
        return self._update(await self._tasks._get(self.id))

    def stream(self) -> AsyncIterator[AsyncTask]:
        """Yields the task immediately and after each change, until it ends: `async for task in task.stream()`."""
        return self._tasks.stream(self)

    async def cancel(self) -> AsyncTask:
        """Cancels the task and releases the held credits. Raises ConflictError if it had already ended."""
        return await self._tasks.cancel(self)

    async def delete(self) -> DeletedTask:
        """Permanently deletes the task with its result, prompt and inputs. A running task is cancelled first."""
        return await self._tasks.delete(self)

    async def timeline(self) -> Timeline:
        """Returns the events of the task, such as its attempts and changes of its held credits."""
        return await self._tasks.timeline(self)

    async def save(
        self,
        path: str | os.PathLike[str],
        *,
        result: int = 0,
        overwrite: bool = True,
        bytes_max: int | None = None,
        on_progress: Callable[[DownloadProgress], Any] | None = None,
    ) -> Path:
        """
        Saves one result of the completed task, and returns the path. `result` is the index of the result,
        counted from 0. If `path` is a folder, the file is named after the task. An interrupted download
        resumes at the same byte. The file has a temporary name in the same folder until it is complete.
        """
        return await self._tasks.save(
            self, path, result=result, overwrite=overwrite, bytes_max=bytes_max, on_progress=on_progress
        )

    async def save_all(self, path: str | os.PathLike[str], *, overwrite: bool = True) -> Sequence[Path]:
        """Saves every result, and returns the paths. Several files are numbered: `fox-1.png`, `fox-2.png`."""
        return await self._tasks.save_all(self, path, overwrite=overwrite)

    async def read(self, *, result: int = 0, bytes_max: int | None = None) -> bytes:
        """Returns the bytes of the result with this index, counted from 0."""
        return await self._tasks.read(self, result=result, bytes_max=bytes_max)

    def iter_bytes(self, *, result: int = 0, bytes_max: int | None = None) -> AsyncIterator[bytes]:
        """Yields the bytes of the result with this index as they arrive."""
        return self._tasks.iter_bytes(self, result=result, bytes_max=bytes_max)

    async def embed(self, *, result: int = 0, bytes_max: int = EMBEDDED_BYTES_MAX) -> EmbeddedResult:
        """
        Returns a notebook output that contains the result. The output of a task itself only links to its
        results, and the links expire.
        """
        content = await self._tasks.read(self, result=result, bytes_max=bytes_max)
        return embedded(self, content, result)

    def _repr_html_(self) -> str:
        return task_html(self)
