from __future__ import annotations

from collections.abc import Iterator
from typing import Generic, TypeVar

from .._core.pages import Listing
from .runner import SyncRunner

Item = TypeVar("Item")


class Page(Generic[Item]):
    """A page of a list. Iterating over it (`for task in client.tasks.list()`) also requests all following pages."""

    items: list[Item]
    """The items of this page."""
    has_more: bool
    next_cursor: str | None
    """The `cursor` of the next page; None on the last page."""

    def __init__(self, runner: SyncRunner, listing: Listing[Item]) -> None:
        self._runner = runner
        self._listing = listing
        data = runner.run(listing.fetch())
        self.items, self.has_more, self.next_cursor = data.items, data.has_more, data.next_cursor

    def __repr__(self) -> str:
        return f"Page(items={self.items!r}, has_more={self.has_more})"

    def __iter__(self) -> Iterator[Item]:
        yield from self.items
        if self.next_cursor is not None:
            yield from self._runner.iterate(self._listing.after(self.next_cursor).emit())

    def next_page(self) -> Page[Item] | None:
        """Requests the next page. Returns None if this is the last page."""
        return None if self.next_cursor is None else Page(self._runner, self._listing.after(self.next_cursor))
