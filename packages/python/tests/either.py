"""Functions with which one test runs with the synchronous and with the asynchronous client."""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterable
from typing import Any, TypeAlias

from framegate import AsyncFramegate, Framegate

Kind: TypeAlias = type[Framegate] | type[AsyncFramegate]
KINDS: tuple[Kind, ...] = (Framegate, AsyncFramegate)


async def settled(value: Any) -> Any:
    """Returns the result of a call of either client."""
    return await value if inspect.isawaitable(value) else value


async def collected(items: Any, count: int | None = None) -> list[Any]:
    """Returns the items that a loop with either client yields, at most `count`."""
    found: list[Any] = []
    if isinstance(items, AsyncIterable):
        async for item in items:
            found.append(item)
            if len(found) == count:
                break
    else:
        for item in items:
            found.append(item)
            if len(found) == count:
                break
    close = getattr(items, "aclose", None)
    if close is not None:
        await close()
    return found


async def close(client: Any) -> None:
    await settled(client.close())
