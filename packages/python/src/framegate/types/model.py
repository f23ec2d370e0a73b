from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, NewType, TypeAlias

from ._api_object import ApiObject

ModelId = NewType("ModelId", str)
"""
A Model ID whose parameters this package does not know, such as that of a model of your operator:
`client.generate(model=ModelId("our-model"), prompt="…")`. Only the service checks its parameters.
"""

ModelType: TypeAlias = Literal["image", "video", "text", "chat", "embedding", "moderation"]


@dataclass(frozen=True, kw_only=True)
class NarrowedParameter(ApiObject):
    """A parameter for which the service offers fewer values or another default, or that it does not offer."""

    parameter: str
    message: str


@dataclass(frozen=True, kw_only=True)
class Model(ApiObject):
    """A model of the catalogue."""

    id: ModelId
    """The Model ID for requests, byte for byte."""
    object: Literal["model"]
    type: ModelType
    """The kind of result. Requests for `chat`, `embedding` and `moderation` models are not tasks."""
    display_name: str
    """For people only. A request that uses it as `model` is refused."""
    family: str
    title: str
    description: str
    capabilities: list[str]
    parameters: dict[str, Any]
    """JSON Schema 2020-12 of the whole request."""
    narrowed: list[NarrowedParameter]
    price: dict[str, Any]
    """`unit`, and credits by resolution; `*` stands for all other resolutions."""
    limits: dict[str, Any]
    fixed_resolution: str | None
    """Resolution of the results if the model has no `resolution` parameter."""
    examples: list[dict[str, Any]]
    """Valid example requests."""
    available: bool
    """Whether this key may invoke the model."""
    reason: str | None
    """The error code with which tasks of an unavailable model are refused."""
    endpoints: dict[str, str]
    """Paths for requests, relative to the base URL."""
