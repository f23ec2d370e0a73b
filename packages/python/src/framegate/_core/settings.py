"""Options of a client, from its arguments and the environment."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from urllib.parse import urlsplit

from ..errors import ConfigurationError
from .transport import Address, Transport

DEFAULT_BASE_URL = "http://127.0.0.1:8787/api"
TIMEOUT_DEFAULT = 60.0
MAX_RETRIES_DEFAULT = 3


def create_transport(
    *,
    api_key: str | None,
    base_url: str | None,
    timeout: float,
    max_retries: int,
    default_headers: Mapping[str, str] | None,
) -> Transport:
    return Transport(
        Address.of(_read_base_url(base_url or os.environ.get("FRAMEGATE_URL", "").strip() or DEFAULT_BASE_URL)),
        _read_api_key(os.environ.get("FRAMEGATE_API_KEY") if api_key is None else api_key),
        _positive(timeout, "timeout"),
        _count(max_retries, "max_retries"),
        dict(default_headers or {}),
    )


def changed_transport(transport: Transport, *, timeout: float | None, max_retries: int | None) -> Transport:
    return transport.with_options(
        timeout=None if timeout is None else _positive(timeout, "timeout"),
        max_retries=None if max_retries is None else _count(max_retries, "max_retries"),
    )


def _read_base_url(text: str) -> str:
    try:
        url = urlsplit(text)
        is_valid = url.scheme in ("http", "https") and bool(url.hostname) and (url.port or 1) > 0
    except ValueError:
        is_valid = False
    if is_valid and not re.search(r"\s", text):
        return text
    raise ConfigurationError(
        f"The base URL must be an address such as {DEFAULT_BASE_URL}; got {text!r}.",
        code="invalid_option",
        param="base_url",
    )


def _read_api_key(text: str | None) -> str:
    """Rejects an API key that is not a valid header value. The error does not contain the key."""
    key = (text or "").strip()
    if not key:
        message = "No API key is set. Pass Framegate(api_key=…), or set FRAMEGATE_API_KEY in the environment."
        raise ConfigurationError(message, code="missing_api_key", param="api_key")
    if re.fullmatch(r"[\x21-\x7e]+", key):
        return key
    message = "The API key contains invalid characters, such as spaces or line breaks."
    raise ConfigurationError(message, code="invalid_option", param="api_key")


def _positive(value: float, name: str) -> float:
    if value > 0:
        return value
    raise ConfigurationError(f"{name} must be more than 0 seconds; got {value}.", code="invalid_option", param=name)


def _count(value: int, name: str) -> int:
    if value >= 0:
        return value
    raise ConfigurationError(f"{name} must be 0 or more; got {value}.", code="invalid_option", param=name)
