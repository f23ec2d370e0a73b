"""Conversions between flows and httpx, which both runners use."""

from __future__ import annotations

import time
import zlib
from collections.abc import Mapping
from typing import Any

import httpx

from ..errors import APIConnectionError, APITimeoutError, FramegateError
from .flow import FormFile, HttpRequest, HttpResponse

RESPONSE_BYTES_MAX = 64 * 1024 * 1024
"""
Maximum size in bytes of a response. API responses are smaller. The results of tasks are read as streams, to which
`BYTES_MAX_DEFAULT` applies instead.
"""

TIMEOUT_MAX = 2**31 / 1000
"""Maximum timeout in seconds, about 24 days. Sockets reject much longer timeouts, such as `math.inf`."""

_COMPRESSIONS = frozenset({"gzip", "x-gzip", "deflate", "br", "zstd", "compress", "x-compress"})
"""Content encodings that compress. Some proxies send other values, such as "none" or "utf-8", which are ignored."""

LIMITS = httpx.Limits(max_connections=1000, max_keepalive_connections=20)


def request_options(request: HttpRequest) -> dict[str, Any]:
    """Arguments for `httpx.Client.build_request`."""
    options: dict[str, Any] = {
        "method": request.method,
        "url": request.url,
        # `ResponseReader` can decompress only gzip.
        "headers": {"Accept-Encoding": "gzip", **request.headers},
        # The timeout does not include the wait for a free connection.
        "timeout": httpx.Timeout(min(request.timeout, TIMEOUT_MAX), pool=None),
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


class ResponseReader:
    """
    Decompresses and collects the body of a response. Raises an error as soon as the body is larger than
    `RESPONSE_BYTES_MAX`, or the request has timed out.
    """

    def __init__(self, request: HttpRequest) -> None:
        self._request = request
        self._deadline = time.monotonic() + request.timeout
        self._content = bytearray()
        self._gzip: Any = None

    def start(self, headers: httpx.Headers) -> None:
        encodings = [name.strip() for name in headers.get("content-encoding", "").lower().split(",")]
        if encodings == ["gzip"]:
            self._gzip = zlib.decompressobj(wbits=16 + zlib.MAX_WBITS)
        elif _COMPRESSIONS.intersection(encodings):
            message = f"The response from {self._request.server} has an encoding that the request does not accept."
            raise APIConnectionError(message, code="unexpected_answer")

    def add(self, piece: bytes) -> None:
        self._content += piece if self._gzip is None else self._decompress(piece)
        if len(self._content) > RESPONSE_BYTES_MAX:
            message = f"The response from {self._request.server} is larger than {RESPONSE_BYTES_MAX} bytes."
            raise APIConnectionError(message, code="unexpected_answer")
        if time.monotonic() > self._deadline:
            server, timeout = self._request.server, self._request.timeout
            raise APITimeoutError(f"No complete response from {server} within {timeout:g} s.")

    def end(self, response: httpx.Response) -> HttpResponse:
        return HttpResponse(response.status_code, headers_of(response), bytes(self._content))

    def _decompress(self, piece: bytes) -> bytes:
        try:
            content: bytes = self._gzip.decompress(piece, RESPONSE_BYTES_MAX + 1 - len(self._content))
        except zlib.error as error:
            raise APIConnectionError(f"No response from {self._request.server} ({error}).") from error
        return content
