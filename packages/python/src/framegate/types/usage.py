from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from ._api_object import ApiObject

UsageDimension: TypeAlias = Literal["day", "model", "key"]


@dataclass(frozen=True, kw_only=True)
class UsageCounts(ApiObject):
    completed: int
    """Number of completed tasks and forwarded requests."""
    failed: int
    """Number of failed or cancelled tasks and forwarded requests."""
    charged: float
    """Charged credits."""
    seconds: float
    """Seconds of generated video."""
    input_tokens: int
    """Input tokens of requests for models that are priced by tokens."""
    cached_input_tokens: int
    """Input tokens that providers read from their caches."""
    output_tokens: int
    """Output tokens of requests for models that are priced by tokens."""


@dataclass(frozen=True, kw_only=True)
class UsageRow(UsageCounts):
    day: str | None = None
    """Day on which the tasks were accepted (UTC), such as `2026-01-15`. Set only if `by` includes `day`."""
    model: str | None = None
    """Model ID. Set only if `by` includes `model`."""
    key: str | None = None
    """Id of the API key; None for tasks without a recorded key. Set only if `by` includes `key`."""


@dataclass(frozen=True, kw_only=True)
class UsageReport(ApiObject):
    """An account's usage: its ended tasks and its forwarded requests."""

    object: Literal["usage"]
    until: str
    """Last day of the report, inclusive (UTC), such as `2026-01-31`."""
    rows: list[UsageRow]
    total: UsageCounts

    @property
    def since(self) -> str:
        """First day of the report (UTC), such as `2026-01-01`. The HTTP API calls it `from`."""
        return str(self.raw["from"])
