from __future__ import annotations

import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, TypeAlias

from ..errors import APIConnectionError, ConfigurationError, DownloadError, FramegateError, TaskFailedError
from ..types import TaskData, TaskResult
from .flow import Close, Emit, Flow, Notify, Sleep, read, work
from .open_part import Part, PartOpener, result_changed
from .retry import is_retryable, log_retry, pause_before
from .transport import Transport

BYTES_MAX_DEFAULT = 8 * 1024**3

FetchTask: TypeAlias = Callable[[], Flow[TaskData]]
OnChunk: TypeAlias = Callable[[bytes], Flow[None]]
Restart: TypeAlias = Callable[[], Flow[None]]


@dataclass(frozen=True)
class DownloadProgress:
    received_bytes: int
    total_bytes: int | None
    """Size of the complete result; None if the server does not send it."""


@dataclass(frozen=True)
class Download:
    """The download of a result. An interrupted download resumes at the same byte."""

    transport: Transport
    task: TaskData | None
    """The task, if its last known state has links to its results."""
    fetch_task: FetchTask
    result: int
    """Index of the result, counted from 0."""
    bytes_max: int
    on_progress: Callable[[DownloadProgress], Any] | None = None

    def read(self) -> Flow[bytes]:
        """Reads the whole result into memory."""
        chunks: list[bytes] = []

        def on_chunk(chunk: bytes) -> Flow[None]:
            chunks.append(chunk)
            yield from ()

        def restart() -> Flow[None]:
            chunks.clear()
            yield from ()

        opener, part = yield from self._open()
        yield from self._read_parts(opener, part, on_chunk, restart)
        return b"".join(chunks)

    def emit(self) -> Flow[None]:
        """Emits the bytes as they arrive."""

        def on_chunk(chunk: bytes) -> Flow[None]:
            yield Emit(chunk)

        opener, part = yield from self._open()
        yield from self._read_parts(opener, part, on_chunk, None)

    def save(self, path: Path, *, overwrite: bool) -> Flow[Path]:
        """Writes the result to a file, which has a temporary name in the same folder until it is complete."""
        opener, part = yield from self._open()
        if (yield from work(path.is_dir)):
            name = self.task.id if self.task else Path(opener.link.partition("?")[0]).name
            # The name has no slashes and no leading dots, so the file is in this folder and is not hidden.
            path = path / (re.sub(r"^\.+|[^\w.-]", "_", name) + _suffix(part.content_type))
        if not overwrite and (yield from work(path.exists)):
            raise FileExistsError(f"{path} exists already.")
        # The saved file would replace a device such as /dev/null.
        if (yield from work(path.exists)) and not (yield from work(path.is_file)):
            raise ConfigurationError(f"{path} is not a regular file.", code="invalid_option", param="path")
        part_path = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
        try:
            file: IO[bytes] = yield from work(lambda: part_path.open("xb"))
        except OSError as error:
            message = f"No file can be created in the folder of `path` ({error.strerror})"
            raise OSError(error.errno, message, str(path.parent)) from error

        def on_chunk(chunk: bytes) -> Flow[None]:
            yield from work(lambda: file.write(chunk))

        def restart() -> Flow[None]:
            yield from work(lambda: (file.seek(0), file.truncate()))

        try:
            try:
                yield from self._read_parts(opener, part, on_chunk, restart)
            finally:
                file.close()
            if not overwrite and (yield from work(path.exists)):
                raise FileExistsError(f"{path} exists already.")
            yield from work(lambda: part_path.replace(path))
        finally:
            part_path.unlink(missing_ok=True)
        return path

    def _open(self) -> Flow[tuple[PartOpener, Part]]:
        def find_link() -> Flow[str]:
            return require_link((yield from self.fetch_task()), self.result)

        link = (yield from find_link()) if self.task is None else require_link(self.task, self.result)
        opener = PartOpener(self.transport, link, find_link)
        part = yield from opener.open(0)
        self._check_size(part.total_bytes or 0)
        return opener, part

    def _read_parts(self, opener: PartOpener, part: Part, on_chunk: OnChunk, restart: Restart | None) -> Flow[None]:
        """
        Reads the bytes until the end. Reconnects after a broken connection, but at most `max_retries` times
        without receiving a new byte.
        """
        received = 0
        furthest = 0
        broken_connections = 0
        while True:
            try:
                while (chunk := (yield from read(part.stream))) is not None:
                    received += len(chunk)
                    self._check_size(received)
                    yield from on_chunk(chunk)
                    if self.on_progress is not None:
                        yield Notify(self.on_progress, DownloadProgress(received, part.total_bytes))
                if received >= (part.total_bytes or 0):
                    return
                raise APIConnectionError("The result ended before it was complete.")
            except FramegateError as error:
                yield Close(part.stream)
                broken_connections = 1 if received > furthest else broken_connections + 1
                furthest = max(furthest, received)
                if broken_connections > self.transport.max_retries or not is_retryable(error):
                    raise
                delay = pause_before(broken_connections, None)
                log_retry(error, delay)
            yield Sleep(delay)
            part = yield from opener.open(received)
            if part.start == received:
                continue
            if restart is None:
                raise result_changed()
            yield from restart()
            received = 0

    def _check_size(self, size: int) -> None:
        if size > self.bytes_max:
            raise DownloadError(f"The result is larger than {self.bytes_max} bytes.", code="result_too_large")


def require_results(task: TaskData) -> list[TaskResult]:
    """
    Returns the results of a task. The list is empty if the service is older than the field `results`. Raises an error
    unless the task is completed and its results still exist.
    """
    if task.result_url is not None:
        return task.results or []
    if task.status == "failed":
        raise TaskFailedError(task)
    if task.status == "completed":
        raise DownloadError(f"The result of the task {task.id} was removed.", code="result_expired")
    message = f"The task {task.id} is still {task.status}. Wait for it before you download its result."
    raise DownloadError(message, code="task_not_completed")


def require_link(task: TaskData, result: int) -> str:
    results = require_results(task)
    if result == 0 and task.result_url is not None:
        return task.result_url
    if 0 <= result < len(results):
        return results[result].url
    last_index = max(len(results), 1) - 1
    message = f"The task {task.id} has no result with the index {result}. The last index is {last_index}."
    raise DownloadError(message, code="no_such_result")


def numbered_path(path: Path, index: int, count: int) -> Path:
    """Numbers a path if there are several results: for the index 0, `fox.png` becomes `fox-1.png`."""
    number = str(index + 1).zfill(len(str(count)))
    return path if count == 1 else path.with_name(f"{path.stem}-{number}{path.suffix}")


_SUFFIXES = {
    "image/jpeg": ".jpg",
    "image/png": ".png",
    "image/webp": ".webp",
    "image/avif": ".avif",
    "image/gif": ".gif",
    "video/mp4": ".mp4",
    "video/webm": ".webm",
    "video/quicktime": ".mov",
    "text/plain": ".txt",
}


def _suffix(content_type: str) -> str:
    return _SUFFIXES.get(content_type.partition(";")[0].strip().lower(), "")
