# Generated from `_sync` by `python tools/write_async.py`.

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any, TypeVar

from .._core.flow import Flow
from .._core.pages import Listing
from .._core.transport import Transport
from ..types import ApiObject
from .page import AsyncPager
from .runner import AsyncRunner

T = TypeVar("T")
ObjectT = TypeVar("ObjectT", bound=ApiObject)


class AsyncResource:
    """Base class for a group of API calls, such as `client.tasks`."""

    def __init__(self, transport: Transport, runner: AsyncRunner) -> None:
        self._transport = transport
        self._runner = runner

    async def _run(self, flow: Flow[T]) -> T:
        return await self._runner.run(flow)

    def _iterate(self, flow: Flow[None]) -> AsyncIterator[Any]:
        return self._runner.iterate(flow)

    def _list(
        self,
        path: str,
        query: Mapping[str, str | int | float | None],
        read_item: Callable[[Mapping[str, Any]], T],
    ) -> AsyncPager[T]:
        return AsyncPager(self._runner, Listing(self._transport, path, query, read_item))

    async def _fetch(self, kind: type[ObjectT], method: str, path: str, **options: Any) -> ObjectT:
        return kind.read(await self._run(self._transport.fetch(method, path, **options)))
