from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, NewType, TypeAlias

from ._api_object import ApiObject

ModelId = NewType("ModelId", str)
"""
The ID of a model without parameter types in this package, such as a model that your operator has defined:
`client.generate(model=ModelId("our-model"), prompt="…")`. Only the service validates its parameters.
"""

ModelType: TypeAlias = Literal["image", "video", "text", "chat", "embedding", "moderation"]


@dataclass(frozen=True, kw_only=True)
class NarrowedParameter(ApiObject):
    """A parameter that this service omits, or offers with fewer values or a different default."""

    parameter: str
    message: str


@dataclass(frozen=True, kw_only=True)
class Model(ApiObject):
    """A model of the catalogue."""

    id: ModelId
    """The Model ID, which requests must contain byte for byte."""
    object: Literal["model"]
    type: ModelType
    """The result type. Requests for `chat`, `embedding` and `moderation` models are not tasks."""
    display_name: str
    """Display name. It is not valid as the `model` of a request."""
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
    """The error code that a request for this model would get; None if the model is available."""
    endpoints: dict[str, str]
    """Paths for requests, relative to the base URL."""
