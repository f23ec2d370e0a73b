from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from .._core.not_given import NOT_GIVEN, NotGiven, given
from .._core.transport import Transport, path_of
from .._core.unwrap import unwrap_event
from ..inputs import HeaderFields
from ..types import (
    DeletedWebhook,
    Event,
    EventType,
    IssuedWebhook,
    RecordedEventType,
    ResentDeliveries,
    Webhook,
    WebhookDelivery,
    WebhookDeliveryStatus,
    WebhookFormat,
    WebhookSecret,
)
from .page import Page
from .resource import Resource
from .runner import SyncRunner
from .task import Task
from .tasks import Tasks

WEBHOOKS = "/v2/webhooks"
NO_RETRIES = 0
"""
`max_retries` of calls that must not be retried after a lost response, because a retry would create a second
secret or event.
"""


class Webhooks(Resource):
    """
    The account's webhooks. A parameter `webhook` is an id or a webhook; for deliveries, `"tasks"` stands
    for events sent to a task's `webhook_url`.
    """

    def __init__(self, transport: Transport, runner: SyncRunner, tasks: Tasks) -> None:
        super().__init__(transport, runner)
        self._tasks = tasks

    def unwrap(self, body: str | bytes, headers: HeaderFields, secret: str) -> Event[Task]:
        """
        Verifies a received request and returns its event, without sending a request. `body` is the body exactly
        as received. Raises InvalidSignatureError, or ConfigurationError if the secret is malformed.
        """
        return unwrap_event(body, headers, secret, self._tasks._bind)

    def create(
        self,
        url: str,
        *,
        description: str | None = None,
        events: Sequence[RecordedEventType] | None = None,
        format: WebhookFormat | None = None,
        rate_limit: int | None = None,
    ) -> IssuedWebhook:
        """
        Creates a webhook for a public https URL. Only this response contains its secret, so the call is not
        retried. The default `events` are `task.completed` and `task.failed`. `rate_limit` is the maximum
        number of requests per second.
        """
        options = {"description": description, "events": events, "format": format, "rate_limit": rate_limit}
        body = {"url": url, **{name: value for name, value in options.items() if value is not None}}
        return self._fetch(IssuedWebhook, "POST", WEBHOOKS, body=body, max_retries=NO_RETRIES)

    def get(self, webhook: str | Webhook) -> Webhook:
        return self._fetch(Webhook, "GET", _path(webhook))

    def list(self, *, limit: int | None = None, cursor: str | None = None) -> Page[Webhook]:
        """Lists the webhooks of the account, oldest first."""
        return self._list(WEBHOOKS, {"limit": limit, "cursor": cursor}, Webhook.read)

    def update(
        self,
        webhook: str | Webhook,
        *,
        url: str | NotGiven = NOT_GIVEN,
        description: str | NotGiven = NOT_GIVEN,
        events: Sequence[RecordedEventType] | NotGiven = NOT_GIVEN,
        rate_limit: int | NotGiven | None = NOT_GIVEN,
        enabled: bool | NotGiven = NOT_GIVEN,
    ) -> Webhook:
        """Changes the given fields. `rate_limit=None` removes the limit."""
        body = given(url=url, description=description, events=events, rate_limit=rate_limit, enabled=enabled)
        return self._fetch(Webhook, "PATCH", _path(webhook), body=body)

    def delete(self, webhook: str | Webhook) -> DeletedWebhook:
        return self._fetch(DeletedWebhook, "DELETE", _path(webhook))

    def rotate_secret(self, webhook: str | Webhook) -> IssuedWebhook:
        """Replaces the secret. For 24 hours, events are signed with both secrets. The call is not retried."""
        return self._fetch(IssuedWebhook, "POST", f"{_path(webhook)}/rotate-secret", max_retries=NO_RETRIES)

    def test(self, webhook: str | Webhook) -> WebhookDelivery:
        """Sends an event of the type `webhook.test`."""
        return self._fetch(WebhookDelivery, "POST", f"{_path(webhook)}/test", max_retries=NO_RETRIES)

    def deliveries(
        self,
        webhook: str | Webhook | Literal["tasks"],
        *,
        status: WebhookDeliveryStatus | None = None,
        type: EventType | None = None,
        task: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Page[WebhookDelivery]:
        """Lists the deliveries to a webhook, newest first, each with its last attempt."""
        query = {"status": status, "type": type, "task": task, "limit": limit, "cursor": cursor}
        return self._list(f"{_path(webhook)}/deliveries", query, WebhookDelivery.read)

    def resend(self, webhook: str | Webhook | Literal["tasks"], delivery: str | WebhookDelivery) -> WebhookDelivery:
        """Sends one event again."""
        delivery_id = delivery if isinstance(delivery, str) else delivery.id
        return self._fetch(WebhookDelivery, "POST", f"{path_of(f'{_path(webhook)}/deliveries', delivery_id)}/resend")

    def resend_failed(self, webhook: str | Webhook, *, since: int) -> ResentDeliveries:
        """
        Resends events that occurred at or after `since` (Unix seconds) and whose delivery failed, at most 1,000
        per call. Repeat the call while `has_more` is true.
        """
        return self._fetch(ResentDeliveries, "POST", f"{_path(webhook)}/resend-failed", body={"since": since})

    def account_secret(self) -> WebhookSecret:
        """Returns the secret that signs events sent to a task's `webhook_url`."""
        return self._fetch(WebhookSecret, "GET", f"{WEBHOOKS}/secret")

    def rotate_account_secret(self) -> WebhookSecret:
        """Replaces the secret that signs events sent to a task's `webhook_url`. The call is not retried."""
        return self._fetch(WebhookSecret, "POST", f"{WEBHOOKS}/secret/rotate", max_retries=NO_RETRIES)


def _path(webhook: str | Webhook) -> str:
    return path_of(WEBHOOKS, webhook if isinstance(webhook, str) else webhook.id)
