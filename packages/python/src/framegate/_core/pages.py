from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar, cast

from ..errors import APIError
from .flow import Emit, Flow
from .transport import Transport

Item = TypeVar("Item")


@dataclass(frozen=True)
class PageData(Generic[Item]):
    items: list[Item]
    has_more: bool
    next_cursor: str | None


@dataclass(frozen=True)
class Listing(Generic[Item]):
    """A list of the API. `query` selects its items and the page at which it starts."""

    transport: Transport
    path: str
    query: Mapping[str, str | int | float | None]
    read_item: Callable[[Mapping[str, Any]], Item]

    def after(self, cursor: str) -> Listing[Item]:
        return replace(self, query={**self.query, "cursor": cursor})

    def fetch(self) -> Flow[PageData[Item]]:
        body = yield from self.transport.fetch("GET", self.path, query=self.query)
        raw_items: Any = body.get("items")
        if not isinstance(raw_items, list):
            message = "The response is not a list of a Framegate server. Check the base URL."
            raise APIError(message, code="unexpected_answer", status=200)
        items = [self.read_item(raw) for raw in cast("list[dict[str, Any]]", raw_items)]
        return PageData(items, bool(body.get("has_more")), body.get("next_cursor"))

    def emit(self) -> Flow[None]:
        """Emits the items of this page and of all following pages."""
        listing = self
        while True:
            page = yield from listing.fetch()
            for item in page.items:
                yield Emit(item)
            if page.next_cursor is None:
                return
            listing = listing.after(page.next_cursor)
