# Generated from `_sync` by `python tools/write_async.py`.

from __future__ import annotations

from .._core.transport import path_of
from ..types import Model, ModelType
from .page import AsyncPager
from .resource import AsyncResource

MODELS = "/v2/model-center/models"


class AsyncModels(AsyncResource):
    """The catalogue."""

    async def get(self, id: str) -> Model:
        """Returns one model by its ID."""
        return await self._fetch(Model, "GET", path_of(MODELS, id))

    def list(
        self, *, object: ModelType | None = None, limit: int | None = None, cursor: str | None = None
    ) -> AsyncPager[Model]:
        """
        Lists the models of the catalogue. With `object`, lists only models with this result type. `async for model in
        client.models.list()` iterates over all pages. `limit` is the number of models per page, 1 to 100.
        """
        return self._list(MODELS, {"object": object, "limit": limit, "cursor": cursor}, Model.read)
