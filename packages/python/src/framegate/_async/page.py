from __future__ import annotations

from collections.abc import AsyncIterator, Generator
from typing import Any, Generic, TypeVar

from .._core.pages import Listing, PageData
from .runner import AsyncRunner

Item = TypeVar("Item")


class AsyncPager(Generic[Item]):
    """
    A list that is requested when it is used: `async for task in client.tasks.list()` requests all pages,
    `await client.tasks.list()` returns the first one.
    """

    def __init__(self, runner: AsyncRunner, listing: Listing[Item]) -> None:
        self._runner = runner
        self._listing = listing

    def __aiter__(self) -> AsyncIterator[Item]:
        return self._runner.iterate(self._listing.emit())

    def __await__(self) -> Generator[Any, None, AsyncPage[Item]]:
        return self._fetch().__await__()

    async def _fetch(self) -> AsyncPage[Item]:
        return AsyncPage(self._runner, self._listing, await self._runner.run(self._listing.fetch()))


class AsyncPage(Generic[Item]):
    """A page of a list. An asynchronous loop over it also requests all following pages."""

    items: list[Item]
    """The items of this page."""
    has_more: bool
    next_cursor: str | None
    """The `cursor` of the next page; None on the last page."""

    def __init__(self, runner: AsyncRunner, listing: Listing[Item], data: PageData[Item]) -> None:
        self._runner = runner
        self._listing = listing
        self.items, self.has_more, self.next_cursor = data.items, data.has_more, data.next_cursor

    def __repr__(self) -> str:
        return f"AsyncPage(items={self.items!r}, has_more={self.has_more})"

    async def __aiter__(self) -> AsyncIterator[Item]:
        for item in self.items:
            yield item
        if self.next_cursor is not None:
            async for item in self._runner.iterate(self._listing.after(self.next_cursor).emit()):
                yield item

    async def next_page(self) -> AsyncPage[Item] | None:
        """Requests the next page. None after the last one."""
        return (
            None if self.next_cursor is None else await AsyncPager(self._runner, self._listing.after(self.next_cursor))
        )
