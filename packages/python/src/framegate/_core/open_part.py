"""Requests the bytes of a result from an offset. The link authorizes the request, so the API key is not sent."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from urllib.parse import urljoin, urlsplit

from ..errors import APIConnectionError, APIError, DownloadError
from .flow import Close, Flow, HttpRequest, HttpStream, open_stream, read_all
from .read_error import read_error
from .retry import retrying
from .transport import ERROR_BYTES_MAX, USER_AGENT, Transport

EXPIRED_LINK_STATUSES = (403, 410)
"""Statuses of an expired link: 410 from the service, 403 from an object store."""
REDIRECT_STATUSES = (301, 302, 303, 307, 308)
REDIRECTS_MAX = 5


@dataclass(frozen=True)
class Part:
    start: int
    """Offset of the first byte. 0 if the server cannot resume; the part is then the whole result."""
    total_bytes: int | None
    content_type: str
    stream: HttpStream


@dataclass
class PartOpener:
    transport: Transport
    link: str
    find_link: Callable[[], Flow[str]]
    """Requests a new link to the same result."""
    _etag: str | None = field(default=None, init=False)
    """A download resumes only if the result still has this ETag."""
    _total_bytes: int | None = field(default=None, init=False)

    def open(self, position: int) -> Flow[Part]:
        return (yield from retrying(lambda: self._with_live_link(position), max_retries=self.transport.max_retries))

    def _with_live_link(self, position: int) -> Flow[Part]:
        try:
            return (yield from self._request(position))
        except APIError as error:
            if error.status not in EXPIRED_LINK_STATUSES:
                raise
        self.link = yield from self.find_link()
        return (yield from self._request(position))

    def _request(self, position: int) -> Flow[Part]:
        is_resumed = position > 0 and self._etag is not None
        range_headers = {"Range": f"bytes={position}-", "If-Range": self._etag or ""} if is_resumed else {}
        stream = yield from self._open_redirected(range_headers)
        headers = stream.headers
        # A response such as 204 comes from another server.
        if stream.status not in (200, 206):
            raise read_error(stream.status, headers, (yield from read_all(stream, ERROR_BYTES_MAX)))
        is_partial = stream.status == 206
        etag = _strong_etag(headers)
        range_start, range_total = _content_range(headers)
        start = position if range_start is None else range_start
        if is_partial and ((is_resumed and etag != self._etag) or start not in (0, position)):
            yield Close(stream)
            raise result_changed()
        self._etag = etag
        total = range_total if is_partial else _number(headers.get("content-length", ""))
        self._total_bytes = self._total_bytes if is_partial and total is None else total
        content_type = headers.get("content-type", "application/octet-stream")
        return Part(start if is_partial else 0, self._total_bytes, content_type, stream)

    def _open_redirected(self, range_headers: Mapping[str, str]) -> Flow[HttpStream]:
        link = self.link
        headers = {"User-Agent": USER_AGENT, "Accept": "*/*", "Accept-Encoding": "identity", **range_headers}
        for _ in range(REDIRECTS_MAX + 1):
            request = HttpRequest(
                "GET", link, headers, timeout=self.transport.timeout, server="the server of the result"
            )
            stream = yield from open_stream(request)
            location = stream.headers.get("location")
            if stream.status not in REDIRECT_STATUSES or location is None:
                return stream
            yield Close(stream)
            link = urljoin(link, location)
            if urlsplit(link).scheme not in ("http", "https"):
                break
        message = "The link to the result redirects too often, or to another protocol."
        raise APIConnectionError(message, code="unexpected_answer")


def result_changed() -> DownloadError:
    message = "The download broke off and cannot be resumed. Start it again."
    return DownloadError(message, code="result_changed")


def _strong_etag(headers: Mapping[str, str]) -> str | None:
    """Returns the ETag unless it is weak. The bytes of results with the same weak ETag may differ."""
    etag = headers.get("etag", "")
    return etag if etag.startswith('"') else None


CONTENT_RANGE = re.compile(r"bytes ([0-9]{1,15})-[0-9]{1,15}/([0-9]{1,15}|\*)")


def _content_range(headers: Mapping[str, str]) -> tuple[int | None, int | None]:
    """Returns the offset of the first byte of a partial response, and the size of the complete result."""
    match = CONTENT_RANGE.fullmatch(headers.get("content-range", ""))
    return (None, None) if match is None else (_number(match[1]), _number(match[2]))


def _number(text: str) -> int | None:
    """Parses a size of at most 15 digits. `int` would raise an error for thousands of digits."""
    return int(text) if re.fullmatch("[0-9]{1,15}", text) else None
