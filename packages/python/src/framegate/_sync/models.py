from __future__ import annotations

from .._core.transport import path_of
from ..types import Model, ModelType
from .page import Page
from .resource import Resource

MODELS = "/v2/model-center/models"


class Models(Resource):
    """The catalogue."""

    def get(self, id: str) -> Model:
        """Returns one model by its ID."""
        return self._fetch(Model, "GET", path_of(MODELS, id))

    def list(
        self, *, object: ModelType | None = None, limit: int | None = None, cursor: str | None = None
    ) -> Page[Model]:
        """
        Lists the models of the catalogue. With `object`, lists only models with this result type. `for model in
        client.models.list()` iterates over all pages. `limit` is the number of models per page, 1 to 100.
        """
        return self._list(MODELS, {"object": object, "limit": limit, "cursor": cursor}, Model.read)
