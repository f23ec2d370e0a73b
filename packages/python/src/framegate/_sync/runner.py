from __future__ import annotations

import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

import httpx

from .._core.flow import (
    CallbackFailed,
    Close,
    Effect,
    Emit,
    End,
    Flow,
    HttpRequest,
    HttpResponse,
    HttpStream,
    Notify,
    Open,
    Read,
    Send,
    Sleep,
    Work,
    advance,
)
from .._core.http import LIMITS, ResponseReader, failure_of, headers_of, request_options
from ..errors import FramegateError

T = TypeVar("T")


@dataclass
class _Source:
    request: HttpRequest
    response: httpx.Response
    pieces: Iterator[bytes]


class SyncRunner:
    """Performs the effects of flows. It may be used by several threads."""

    def __init__(self, http: httpx.Client | None) -> None:
        """If `http` is None, the runner creates a client."""
        self._creates_http = http is None
        self._http = http or httpx.Client(limits=LIMITS)
        self._process_id = os.getpid()

    @property
    def http(self) -> httpx.Client:
        """
        Returns the client that sends the requests. If the process was forked, the child process creates its own client,
        because two processes on the same connections would receive each other's responses.
        """
        if self._creates_http and self._process_id != os.getpid():
            self._http = httpx.Client(limits=LIMITS)
            # Set last: as soon as the process id matches, other threads use the client.
            self._process_id = os.getpid()
        return self._http

    def run(self, flow: Flow[T]) -> T:
        """Runs a flow to its end, and returns its result."""
        opened: list[_Source] = []
        try:
            effect = advance(flow)
            while not isinstance(effect, End):
                effect = self._step(flow, effect, opened)
            result: T = effect.result
            return result
        except CallbackFailed as failure:
            raise failure.error from failure.error.__cause__
        finally:
            _end(flow, opened)

    def iterate(self, flow: Flow[None]) -> Iterator[Any]:
        """Runs a flow, and yields the items that it emits."""
        opened: list[_Source] = []
        try:
            effect = advance(flow)
            while not isinstance(effect, End):
                if isinstance(effect, Emit):
                    yield effect.item
                    effect = advance(flow)
                else:
                    effect = self._step(flow, effect, opened)
        except CallbackFailed as failure:
            raise failure.error from failure.error.__cause__
        finally:
            _end(flow, opened)

    def _step(self, flow: Flow[Any], effect: Effect, opened: list[_Source]) -> Effect | End:
        try:
            result = self._perform(effect, opened)
        except BaseException as error:
            return advance(flow, error=error)
        return advance(flow, result)

    def _perform(self, effect: Effect, opened: list[_Source]) -> Any:
        match effect:
            case Send(request):
                return self._send(request)
            case Open(request):
                return self._open(request, opened)
            case Read(stream):
                return self._read(stream.source)
            case Close(stream):
                stream.source.response.close()
            case Sleep(seconds):
                time.sleep(seconds)
            case Work(function):
                return function()
            case Notify(function, argument):
                try:
                    function(argument)
                except FramegateError as error:
                    raise CallbackFailed(error) from error
            case Emit():
                raise TypeError("a flow without a loop has emitted an item")
        return None

    def _send(self, request: HttpRequest) -> HttpResponse:
        reader = ResponseReader(request)
        try:
            response = self.http.send(
                self.http.build_request(**request_options(request)), stream=True, follow_redirects=False
            )
            try:
                reader.start(response.headers)
                for piece in response.iter_raw():
                    reader.add(piece)
            finally:
                response.close()
        except httpx.RequestError as error:
            raise failure_of(error, request) from error
        return reader.end(response)

    def _open(self, request: HttpRequest, opened: list[_Source]) -> HttpStream:
        try:
            response = self.http.send(
                self.http.build_request(**request_options(request)), stream=True, follow_redirects=False
            )
        except httpx.RequestError as error:
            raise failure_of(error, request) from error
        source = _Source(request, response, response.iter_raw())
        opened.append(source)
        return HttpStream(response.status_code, headers_of(response), source)

    def _read(self, source: _Source) -> bytes | None:
        try:
            return next(source.pieces, None)
        except httpx.RequestError as error:
            raise failure_of(error, source.request) from error


def _end(flow: Flow[Any], opened: list[_Source]) -> None:
    flow.close()
    for source in opened:
        source.response.close()
