from __future__ import annotations

import json
import logging
import platform
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar, cast
from urllib.parse import quote, urlencode, urlsplit

from .._version import __version__
from ..errors import APIError, ConfigurationError, NotFoundError
from .flow import Flow, FormFile, HttpRequest, HttpStream, open_stream, read_all, send
from .read_error import read_error, read_retry_after
from .read_object import read_object
from .retry import retrying

T = TypeVar("T")

logger = logging.getLogger("framegate")

DEFAULT_PATH = "/api"
EVENT_STREAM = "text/event-stream"
ERROR_BYTES_MAX = 1 << 20
"""Number of bytes after which reading the body of a streamed error response stops."""
USER_AGENT = f"framegate-python/{__version__} python/{platform.python_version()} {sys.platform}"


@dataclass(frozen=True)
class Call:
    """A request of the API. `path` is relative to the base URL."""

    method: str
    path: str
    query: Mapping[str, str | int | float | None] | None = None
    body: object = None
    """Request body. Sent as JSON, unless it is bytes or a form."""
    headers: Mapping[str, str] | None = None
    if_none_match: str | None = None
    """ETag of a known state. If the resource is unchanged, the result's body is None."""
    long_poll: float = 0
    """Maximum time in seconds for which the service may hold the response (long polling). Added to the timeout."""
    max_retries: int | None = None
    """Overrides the `max_retries` of the transport."""
    may_be_empty: bool = False
    """
    Whether the service may respond with 204. The result's body is then None. If False, a 204 counts as the response of
    another server.
    """


@dataclass(frozen=True)
class Result:
    """A successful response. `body` is None if the response has none."""

    body: Any
    etag: str | None
    retry_after: float | None
    """Delay in seconds before the next request, as requested by the service."""


@dataclass
class Address:
    """
    Prefix of every request URL. If the base URL has no path, the default prefix is tried first. If the service reports
    an unknown path, the request is sent without the prefix. If it then succeeds, later requests have no prefix either.
    """

    origin: str
    current: str
    is_prefix_guessed: bool

    @classmethod
    def of(cls, base_url: str) -> Address:
        url = urlsplit(base_url)
        # Without user name and password: they would replace the API key in requests, and appear in error messages.
        origin = f"{url.scheme}://{url.netloc.rpartition('@')[2]}"
        path = url.path.rstrip("/")
        return cls(origin, origin + (path or DEFAULT_PATH), is_prefix_guessed=path == "")


@dataclass(frozen=True)
class Transport:
    """Sends a client's requests with its API key, and retries failed ones if a retry may succeed."""

    address: Address
    api_key: str
    timeout: float
    max_retries: int
    default_headers: Mapping[str, str]

    def __repr__(self) -> str:
        return f"Transport({self.address.current})"

    def with_options(self, *, timeout: float | None = None, max_retries: int | None = None) -> Transport:
        return replace(
            self,
            timeout=self.timeout if timeout is None else timeout,
            max_retries=self.max_retries if max_retries is None else max_retries,
        )

    def call(self, call: Call) -> Flow[Result]:
        max_retries = self.max_retries if call.max_retries is None else call.max_retries

        def run(prefix: str) -> Flow[Result]:
            return retrying(lambda: self._attempt(prefix, call), max_retries=max_retries)

        return (yield from self._with_default_path(run))

    def fetch(self, method: str, path: str, **options: Any) -> Flow[Any]:
        """Sends a request, and returns the body of its response."""
        result = yield from self.call(Call(method, path, **options))
        return result.body

    def open_events(self, call: Call, *, last_event_id: str | None, silence_max: float) -> Flow[HttpStream | None]:
        """Opens an event stream. Returns None if it has no more events."""

        def run(prefix: str) -> Flow[HttpStream | None]:
            return self._open_events(prefix, call, last_event_id, silence_max)

        return (yield from self._with_default_path(run))

    def _attempt(self, prefix: str, call: Call) -> Flow[Result]:
        request = self._request(prefix, call)
        started = time.monotonic()
        response = yield from send(request)
        headers = response.headers
        self._log(call, response.status, headers, time.monotonic() - started)
        is_unchanged = response.status == 304 and call.if_none_match is not None
        if not is_unchanged and not 200 <= response.status < 300:
            raise read_error(response.status, headers, response.content)
        is_empty = is_unchanged or (call.may_be_empty and response.status == 204)
        body = None if is_empty else _read_json(response.status, headers, response.content)
        return Result(body, headers.get("etag"), read_retry_after(headers))

    def _open_events(
        self, prefix: str, call: Call, last_event_id: str | None, silence_max: float
    ) -> Flow[HttpStream | None]:
        request = self._request(prefix, call)
        resume_headers = {} if last_event_id is None else {"Last-Event-ID": last_event_id}
        headers = {**request.headers, "Accept": EVENT_STREAM, "Accept-Encoding": "identity", **resume_headers}
        started = time.monotonic()
        stream = yield from open_stream(replace(request, headers=headers, timeout=silence_max))
        self._log(call, stream.status, stream.headers, time.monotonic() - started)
        if stream.status == 204:
            return None
        if stream.status != 200:
            raise read_error(stream.status, stream.headers, (yield from read_all(stream, ERROR_BYTES_MAX)))
        if stream.headers.get("content-type", "").startswith(EVENT_STREAM):
            return stream
        raise APIError(
            "The response is not an event stream. Check the base URL, and whether a proxy changes responses.",
            code="unexpected_answer",
            status=stream.status,
        )

    def _with_default_path(self, run: Callable[[str], Flow[T]]) -> Flow[T]:
        address = self.address
        tried = address.current  # Another thread may change it.
        try:
            return (yield from run(tried))
        except NotFoundError as error:
            may_have_no_prefix = address.is_prefix_guessed and tried != address.origin
            if not may_have_no_prefix or error.code != "route_not_found":
                raise
        result = yield from run(address.origin)
        address.current = address.origin
        return result

    def _request(self, prefix: str, call: Call) -> HttpRequest:
        is_json = call.body is not None and not isinstance(call.body, bytes | FormFile)
        headers = {
            "Accept": "application/json",
            "User-Agent": USER_AGENT,
            **self.default_headers,
            "Authorization": f"Bearer {self.api_key}",
            **({"Content-Type": "application/json"} if is_json else {}),
            **({} if call.if_none_match is None else {"If-None-Match": call.if_none_match}),
            **(call.headers or {}),
        }
        return HttpRequest(
            call.method,
            prefix + call.path + _query_text(call.query or {}),
            headers,
            _content(call.body),
            self.timeout + call.long_poll,
            prefix,
        )

    def _log(self, call: Call, status: int, headers: Mapping[str, str], seconds: float) -> None:
        request_id = headers.get("x-request-id", "-")
        logger.debug("%s %s -> %d in %.0f ms (%s)", call.method, call.path, status, seconds * 1000, request_id)


def path_of(collection: str, item: str) -> str:
    return f"{collection}/{quote(item, safe='')}"


def _content(body: object) -> bytes | FormFile | None:
    if body is None or isinstance(body, bytes | FormFile):
        return body
    try:
        return _encode(body)
    except (TypeError, ValueError) as error:
        name = _unsendable(body)
        message = f"{name} cannot be sent as JSON: {error}."
        raise ConfigurationError(message, code="invalid_option", param=name) from error


def _encode(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, allow_nan=False).encode()


def _unsendable(body: object) -> str:
    """Returns the name of the first parameter that JSON cannot represent, such as a set."""
    if isinstance(body, Mapping):
        for name, value in cast("Mapping[str, object]", body).items():
            try:
                _encode(value)
            except (TypeError, ValueError):
                return name
    return "body"


def _query_text(query: Mapping[str, str | int | float | None]) -> str:
    given = {name: value for name, value in query.items() if value is not None}
    return f"?{urlencode(given)}" if given else ""


def _read_json(status: int, headers: Mapping[str, str], content: bytes) -> dict[str, Any]:
    """Parses the body. A body that is not a JSON object comes from another server, such as a proxy."""
    body = read_object(content)
    if body is not None:
        return body
    raise APIError(
        f"The response with status {status} is not from a Framegate server. Check the base URL.",
        code="unexpected_answer",
        status=status,
        request_id=headers.get("x-request-id"),
    )
