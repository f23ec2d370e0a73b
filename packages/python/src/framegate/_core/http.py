"""Conversions between flows and httpx, which both runners use."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import httpx

from ..errors import APIConnectionError, APITimeoutError, FramegateError
from .flow import FormFile, HttpRequest

RESPONSE_BYTES_MAX = 64 * 1024 * 1024
"""
Maximum size of a response. Responses of the service are smaller. Results of tasks are read as streams, which have
another limit (`BYTES_MAX_DEFAULT`).
"""

LIMITS = httpx.Limits(max_connections=1000, max_keepalive_connections=20)


def request_options(request: HttpRequest) -> dict[str, Any]:
    """Arguments for `httpx.Client.build_request`."""
    options: dict[str, Any] = {
        "method": request.method,
        "url": request.url,
        "headers": dict(request.headers),
        # The timeout does not include the wait for a free connection.
        "timeout": httpx.Timeout(request.timeout, pool=None),
    }
    if isinstance(request.content, FormFile):
        form = request.content
        options["files"] = {"file": (form.name or "file", form.content)}
        options["data"] = dict(form.fields)
    elif request.content is not None:
        options["content"] = request.content
    return options


def headers_of(response: httpx.Response) -> Mapping[str, str]:
    return {name.lower(): value for name, value in response.headers.items()}


def failure_of(error: httpx.RequestError, request: HttpRequest) -> FramegateError:
    server = request.server
    if isinstance(error, httpx.TimeoutException):
        return APITimeoutError(f"No response from {server} within {request.timeout:g} s.")
    return APIConnectionError(f"No response from {server} ({str(error) or type(error).__name__}).")


def overdue(request: HttpRequest) -> APITimeoutError:
    return APITimeoutError(f"No complete response from {request.server} within {request.timeout:g} s.")


def too_large(request: HttpRequest) -> APIConnectionError:
    message = f"The response from {request.server} is larger than {RESPONSE_BYTES_MAX} bytes."
    return APIConnectionError(message, code="unexpected_answer")
