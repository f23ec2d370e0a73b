from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeAlias, TypeVar

from .credits import Balance
from .task import TaskData
from .webhook import Webhook

TaskT = TypeVar("TaskT", bound=TaskData)


@dataclass(frozen=True, kw_only=True)
class _EventFields:
    id: str
    """Id of the event, the same for every delivery attempt. Process each id once."""
    timestamp: str
    """Time of the event, ISO 8601."""
    stream_id: str | None = None
    """Position in the stream of the account; None for events of webhooks."""


@dataclass(frozen=True, kw_only=True)
class TaskEvent(_EventFields, Generic[TaskT]):
    """A task has started, completed or failed."""

    type: Literal["task.completed", "task.failed", "task.processing"]
    data: TaskT


@dataclass(frozen=True, kw_only=True)
class CreditsLowEvent(_EventFields):
    """The balance has fallen below the threshold of the account."""

    type: Literal["credits.low"]
    data: Balance


@dataclass(frozen=True, kw_only=True)
class WebhookTestEvent(_EventFields):
    """You requested a test of a webhook."""

    type: Literal["webhook.test"]
    data: Webhook


@dataclass(frozen=True, kw_only=True)
class OtherEvent(_EventFields):
    """An event of a type that this version of the package does not know."""

    type: str
    data: dict[str, Any]


Event: TypeAlias = TaskEvent[TaskT] | CreditsLowEvent | WebhookTestEvent | OtherEvent
"""An event as received by a webhook or an event stream."""
