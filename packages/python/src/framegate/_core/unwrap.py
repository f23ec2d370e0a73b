from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from ..errors import ConfigurationError, InvalidSignatureError
from ..inputs import HeaderFields
from ..types import Balance, CreditsLowEvent, Event, OtherEvent, TaskData, TaskEvent, Webhook, WebhookTestEvent

TaskT = TypeVar("TaskT", bound=TaskData)

SECRET_PREFIX = "whsec_"  # noqa: S105 -- the beginning of every secret
VERSION_PREFIX = "v1,"
TOLERANCE = 5 * 60
"""
Maximum difference in seconds between the timestamp of a request and the local clock, so that a recorded request
cannot be replayed later.
"""


def unwrap_event(
    body: str | bytes, headers: HeaderFields, secret: str, view: Callable[[Mapping[str, Any]], TaskT]
) -> Event[TaskT]:
    """
    Verifies the signature of a webhook request (Standard Webhooks 1.0), and returns the event. `body` is
    the body exactly as received.
    """
    content = body.encode() if isinstance(body, str) else body
    values = {name.lower(): value for name, value in headers.items()}
    for name in ("webhook-id", "webhook-timestamp", "webhook-signature"):
        if not values.get(name):
            raise InvalidSignatureError(f"the header {name} is missing")
    timestamp = values["webhook-timestamp"]
    is_number = timestamp.isascii() and timestamp.isdigit() and len(timestamp) <= 12
    if not is_number or abs(time.time() - int(timestamp)) > TOLERANCE:
        raise InvalidSignatureError("the timestamp differs from the current time by more than five minutes")
    signed_content = f"{values['webhook-id']}.{timestamp}.".encode() + content
    expected = hmac.new(_read_key(secret), signed_content, hashlib.sha256).digest()
    signatures = values["webhook-signature"].split(" ")
    if not any([_is_signature(text, expected) for text in signatures]):  # noqa: C419 -- in constant time
        raise InvalidSignatureError("no signature matches this secret and body")
    return read_event(json.loads(content), view)


def read_event(
    raw: Mapping[str, Any], view: Callable[[Mapping[str, Any]], TaskT], stream_id: str | None = None
) -> Event[TaskT]:
    fields: dict[str, Any] = {"id": raw["id"], "timestamp": raw["timestamp"], "stream_id": stream_id}
    data: dict[str, Any] = raw["data"]
    match raw["type"]:
        case "task.completed" | "task.failed" | "task.processing" as event_type:
            return TaskEvent(**fields, type=event_type, data=view(data))
        case "credits.low":
            return CreditsLowEvent(**fields, type="credits.low", data=Balance.read(data))
        case "webhook.test":
            return WebhookTestEvent(**fields, type="webhook.test", data=Webhook.read(data))
        case other:
            return OtherEvent(**fields, type=str(other), data=data)


def _is_signature(text: str, expected: bytes) -> bool:
    signature = _bytes_of(text[len(VERSION_PREFIX) :]) if text.startswith(VERSION_PREFIX) else None
    return signature is not None and hmac.compare_digest(signature, expected)


def _read_key(secret: str) -> bytes:
    key = _bytes_of(secret[len(SECRET_PREFIX) :]) if secret.startswith(SECRET_PREFIX) else None
    if key:
        return key
    message = "The secret must be that of the webhook: whsec_ and 32 bytes in base64."
    raise ConfigurationError(message, code="invalid_option", param="secret")


def _bytes_of(text: str) -> bytes | None:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None
