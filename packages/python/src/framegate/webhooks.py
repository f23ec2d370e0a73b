"""Verification of webhook requests, for programs without a client."""

from __future__ import annotations

from ._core.unwrap import unwrap_event
from .inputs import HeaderFields
from .types import Event, TaskData
from .types.task import read_task


def unwrap_webhook(body: str | bytes, headers: HeaderFields, secret: str) -> Event[TaskData]:
    """
    Verifies a webhook request and returns its event, like `client.webhooks.unwrap`, but without an API key.
    The task in an event has no methods. Raises InvalidSignatureError, or ConfigurationError if the secret is malformed.
    """
    return unwrap_event(body, headers, secret, read_task)
