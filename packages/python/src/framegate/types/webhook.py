from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from ._api_object import ApiObject

RecordedEventType: TypeAlias = Literal["task.completed", "task.failed", "task.processing", "credits.low"]
"""Events that a webhook or a stream can receive."""
EventType: TypeAlias = Literal["task.completed", "task.failed", "task.processing", "credits.low", "webhook.test"]
WebhookFormat: TypeAlias = Literal["standard", "openai"]
WebhookDeliveryStatus: TypeAlias = Literal["pending", "delivered", "failed"]


@dataclass(frozen=True, kw_only=True)
class Webhook(ApiObject):
    """A URL to which the service sends events of the account."""

    id: str
    object: Literal["webhook"]
    url: str
    description: str
    events: list[RecordedEventType]
    enabled: bool
    disabled_reason: Literal["gone", "failing", "suspended"] | None
    """Why it is disabled. None: it is enabled, or the account has disabled it."""
    format: WebhookFormat
    rate_limit: int | None
    """Maximum number of requests per second; None if only the service's limits apply."""
    failing_since: int | None
    """Unix seconds of the first failure since the last success. None: there was none."""
    created: int
    """Unix seconds."""


@dataclass(frozen=True, kw_only=True)
class IssuedWebhook(Webhook):
    """A new webhook, or one with a new secret."""

    secret: str
    """Key that signs the events. Only this response contains it."""

    def __repr__(self) -> str:
        return f"IssuedWebhook(id={self.id!r}, url={self.url!r})"


@dataclass(frozen=True, kw_only=True)
class DeletedWebhook(ApiObject):
    id: str
    object: Literal["webhook"]
    deleted: Literal[True]


@dataclass(frozen=True, kw_only=True)
class WebhookSecret(ApiObject):
    """The account's secret, which signs events sent to a task's `webhook_url`."""

    object: Literal["webhook_secret"]
    secret: str
    previous_until: int | None
    """Time until which events are also signed with the previous secret, Unix seconds. None: there is none."""

    def __repr__(self) -> str:
        return f"WebhookSecret(previous_until={self.previous_until})"


@dataclass(frozen=True, kw_only=True)
class WebhookAttempt(ApiObject):
    at: int
    """Unix seconds."""
    trigger: Literal["schedule", "manual"]
    duration_ms: int
    status_code: int | None
    error: str | None
    response_body: str | None


@dataclass(frozen=True, kw_only=True)
class WebhookDelivery(ApiObject):
    """The delivery of an event to a webhook. Times are Unix seconds."""

    id: str
    object: Literal["webhook_delivery"]
    event: str
    """Id of the event. Every attempt sends it in the header `webhook-id`."""
    type: EventType
    task: str | None
    url: str
    status: WebhookDeliveryStatus
    attempts: int
    created: int
    next_attempt: int | None
    ended: int | None
    last_attempt: WebhookAttempt | None


@dataclass(frozen=True, kw_only=True)
class ResentDeliveries(ApiObject):
    object: Literal["resent_deliveries"]
    resent: int
    has_more: bool
