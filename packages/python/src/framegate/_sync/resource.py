from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

from .._core.flow import Flow
from .._core.pages import Listing
from .._core.transport import Transport
from ..types import ApiObject
from .page import Page
from .runner import SyncRunner

T = TypeVar("T")
ObjectT = TypeVar("ObjectT", bound=ApiObject)


class Resource:
    """Base class for a group of API calls, such as `client.tasks`."""

    def __init__(self, transport: Transport, runner: SyncRunner) -> None:
        self._transport = transport
        self._runner = runner

    def _run(self, flow: Flow[T]) -> T:
        return self._runner.run(flow)

    def _iterate(self, flow: Flow[None]) -> Iterator[Any]:
        return self._runner.iterate(flow)

    def _list(
        self,
        path: str,
        query: Mapping[str, str | int | float | None],
        read_item: Callable[[Mapping[str, Any]], T],
    ) -> Page[T]:
        return Page(self._runner, Listing(self._transport, path, query, read_item))

    def _fetch(self, kind: type[ObjectT], method: str, path: str, **options: Any) -> ObjectT:
        return kind.read(self._run(self._transport.fetch(method, path, **options)))
