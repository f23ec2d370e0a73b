from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any, cast

from ..errors import (
    APIError,
    AuthenticationError,
    BadRequestError,
    ConflictError,
    InsufficientCreditsError,
    InternalServerError,
    NotFoundError,
    PermissionDeniedError,
    RateLimitError,
    Violation,
)
from .read_object import read_object

_CLASSES: dict[int, type[APIError]] = {
    400: BadRequestError,
    401: AuthenticationError,
    402: InsufficientCreditsError,
    403: PermissionDeniedError,
    404: NotFoundError,
    409: ConflictError,
    429: RateLimitError,
}


def read_error(status: int, headers: Mapping[str, str], content: bytes) -> APIError:
    """Converts an unsuccessful response to an error. A proxy may have sent it, so fields may be missing."""
    error = _error_fields(content)
    error_class = _CLASSES.get(status, InternalServerError if status >= 500 else APIError)
    return error_class(
        _text(error.get("message")) or _describe(status, headers),
        code=_text(error.get("code")) or "unexpected_answer",
        status=status,
        param=_text(error.get("param")),
        errors=_violations(error.get("errors")),
        request_id=_text(error.get("request_id")) or headers.get("x-request-id"),
        retry_after=read_retry_after(headers),
    )


def read_retry_after(headers: Mapping[str, str]) -> float | None:
    """Returns the delay in seconds from the Retry-After header; None without the header."""
    text = headers.get("retry-after", "").strip()
    if text.isascii() and text.isdigit():
        return float(text)
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, OverflowError):
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=timezone.utc)
    return max(0.0, (moment - datetime.now(timezone.utc)).total_seconds())


def _error_fields(content: bytes) -> dict[str, Any]:
    fields: object = (read_object(content) or {}).get("error")
    return cast("dict[str, Any]", fields) if isinstance(fields, dict) else {}


def _violations(value: Any) -> list[Violation]:
    if not isinstance(value, list):
        return []
    items = cast("Sequence[Any]", value)
    violations = [cast("dict[str, Any]", item) for item in items if isinstance(item, dict)]
    return [
        Violation(*(str(violation.get(name, "")) for name in ("pointer", "code", "message")))
        for violation in violations
    ]


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None


def _describe(status: int, headers: Mapping[str, str]) -> str:
    location = headers.get("location")
    if location is not None:
        return f"The server responded with status {status} and redirects to {location}. Use that address."
    return f"The server responded with status {status} without an error message."
