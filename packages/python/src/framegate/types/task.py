from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from ._api_object import ApiObject, values_of

TaskStatus: TypeAlias = Literal["queued", "processing", "completed", "failed"]
"""Status of a task. A task that is `completed` or `failed` never changes."""
TaskObject: TypeAlias = Literal["image", "video", "text"]
FailureCode: TypeAlias = Literal[
    "content_policy", "invalid_input", "upstream_failed", "upstream_timeout", "cancelled", "lost_upstream"
]


@dataclass(frozen=True, kw_only=True)
class TaskResult(ApiObject):
    """One file of a completed task."""

    url: str
    """Signed link to this file. It expires."""
    thumbnail_url: str | None = None
    """Signed, expiring URL of a small WebP image. None if no thumbnail can be generated."""
    type: str
    """Media type, such as `image/png`."""
    width: int
    """Width in pixels; 0 for a text."""
    height: int
    """Height in pixels; 0 for a text."""
    seconds: float | None
    """Length of a video in seconds, measured in the file. None for an image or a text."""
    bytes: int
    """Size of the file in bytes."""
    seed: int | None = None
    """The seed of this result. None if the provider does not report it."""


@dataclass(kw_only=True, eq=False, repr=False)
class TaskData:
    """A task, with the fields of the HTTP API. Times are Unix seconds, amounts are credits."""

    id: str
    """`task_` and 32 hexadecimal digits, sortable by time."""
    object: TaskObject
    """The kind of result."""
    created: int
    """Time at which the task was accepted."""
    model: str
    """The Model ID of the request."""
    status: TaskStatus
    progress: int
    """Progress in percent. It never decreases, and is 100 only when the task is completed."""
    result_url: str | None = None
    """Signed, expiring link to the first result. Set only while the task is completed and its results exist."""
    image_url: str | None = None
    """Same as `result_url`, for images."""
    video_url: str | None = None
    """Same as `result_url`, for videos."""
    text_url: str | None = None
    """Same as `result_url`, for texts."""
    thumbnail_url: str | None = None
    """Signed, expiring URL of a small WebP image. None if no thumbnail can be generated."""
    expires_at: int | None = None
    """Expiry of `result_url`. `refresh` returns a new link."""
    results: list[TaskResult] | None = None
    """All results. Set together with `result_url`, which links to the first one."""
    text: str | None = None
    """The result of a text task. In lists only with `view="full"`."""
    engine: str | None = None
    """`embedded` if the service wrote the text itself, without a language model."""
    improved_prompt: str | None = None
    """
    The improved prompt, if the request has `improve_prompt` and the prompt could be improved. In lists only
    with `view="full"`.
    """
    result_expired: bool = False
    """Whether the files of the results were removed."""
    amount: float
    """Credits held for the task; after the task has ended, the charged credits. 0 if it failed."""
    actualDuration: float | None  # noqa: N815 -- the name in the HTTP API
    """
    Total duration of the generated videos in seconds, measured in the files. None for images and texts, and
    for tasks that are not completed.
    """
    error: str | None
    """Human-readable reason for the failure; None if the task has not failed."""
    error_code: FailureCode | None = None
    """Machine-readable reason for the failure."""
    seed: int | None = None
    """The seed of the request. If the request had none, the seed that was used; None until the task is completed."""
    started: int | None = None
    completed: int | None = None
    """Time at which the task completed or failed."""
    prompt: str | None = None
    """Only in lists: the first 100 characters of the prompt, followed by `…` if the prompt is longer."""
    parameters: dict[str, Any] | None = None
    """
    The request without `model`, including defaults. None in the response to `create`, and in lists
    without `view="full"`.
    """
    raw: Mapping[str, Any]
    """The task as received, including fields that this version of the package does not know."""

    @property
    def has_ended(self) -> bool:
        """Whether the task is completed or failed."""
        return self.status in ("completed", "failed")

    def __repr__(self) -> str:
        kind = type(self).__name__
        return f"{kind}(id={self.id!r}, model={self.model!r}, status={self.status!r}, progress={self.progress})"


@dataclass(frozen=True, kw_only=True)
class DeletedTask(ApiObject):
    id: str
    object: Literal["task"]
    deleted: Literal[True]


@dataclass(frozen=True, kw_only=True)
class DeletedTasks(ApiObject):
    """Result of a request that deletes many tasks."""

    object: Literal["deleted_tasks"]
    deleted: int
    """Number of deleted tasks."""
    has_more: bool
    """Whether more tasks match the filters."""
    next_cursor: str | None
    """Cursor for the next request; None if no more tasks match."""


@dataclass(frozen=True, kw_only=True)
class Quote(ApiObject):
    """Price of a task."""

    object: Literal["quote"]
    model: str
    amount: float
    """Credits that the task would hold."""
    available: bool
    """Whether the task would be accepted now."""
    reason: str | None
    """The error code that the task would get; None if it would be accepted."""
    parameters: dict[str, Any]
    """The parameters of the request, including defaults."""


@dataclass(frozen=True, kw_only=True)
class WaitingRoute(ApiObject):
    """A route that can serve a waiting task."""

    route: str
    upstream: str
    condition: Literal["open", "throttled", "unavailable", "out_of_order"]
    until: int | None
    """End of the pause of the route, Unix seconds; None if there is no pause."""


@dataclass(frozen=True, kw_only=True)
class TimelineEvent(ApiObject):
    event: Literal[
        "accepted",
        "held",
        "attempt_started",
        "attempt_ended",
        "completed",
        "failed",
        "charged",
        "released",
        "waiting",
    ]
    """`waiting` is always the last event: the task is waiting at the time of the response."""
    at: float
    """Time in Unix seconds, with milliseconds as decimals."""
    amount: float | None = None
    """Held, charged or released credits."""
    attempt: int | None = None
    """Number of the attempt, counted from 1."""
    route: str | None = None
    """The name of the route of the attempt."""
    outcome: Literal["succeeded", "failed", "not_accepted"] | None = None
    """Outcome of an ended attempt. `not_accepted`: no job was started at the upstream."""
    error_code: FailureCode | None = None
    reason: str | None = None
    """Human-readable reason why the task failed or credits were released."""
    next_try: int | None = None
    """Time of the next attempt to start a waiting task, Unix seconds. None while it is unknown."""
    routes: list[WaitingRoute] | None = None
    """The routes that can serve a waiting task. Set only for operator keys."""

    @property
    def waits_for(self) -> str | None:
        """What a waiting task is waiting for, such as `free_slot` (`for` in the HTTP API)."""
        reason = self.raw.get("for")
        return reason if isinstance(reason, str) else None


@dataclass(frozen=True, kw_only=True)
class Timeline(ApiObject):
    """The events of a task and of the credits held for it, in chronological order."""

    object: Literal["timeline"]
    task: str
    events: list[TimelineEvent]


def read_task(raw: Mapping[str, Any]) -> TaskData:
    """Creates a task without a client from a JSON object."""
    return TaskData(**task_fields(raw))


def task_fields(raw: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the constructor arguments of a task, from a JSON object."""
    return {**values_of(TaskData, raw), "raw": raw}
