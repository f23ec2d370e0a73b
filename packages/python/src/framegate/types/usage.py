from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from ._api_object import ApiObject

UsageDimension: TypeAlias = Literal["day", "model", "key"]


@dataclass(frozen=True, kw_only=True)
class UsageCounts(ApiObject):
    completed: int
    """Number of completed tasks."""
    failed: int
    """Number of failed or cancelled tasks."""
    charged: float
    """Charged credits."""
    seconds: float
    """Seconds of generated video."""
    input_tokens: int
    """Input tokens of requests for token models."""
    cached_input_tokens: int
    """Input tokens that providers had in their caches."""
    output_tokens: int
    """Output tokens of these requests."""


@dataclass(frozen=True, kw_only=True)
class UsageRow(UsageCounts):
    day: str | None = None
    """Day on which the tasks were accepted (UTC), such as `2026-01-15`. Set only if `by` includes `day`."""
    model: str | None = None
    """Model ID. Set only if `by` includes `model`."""
    key: str | None = None
    """Id of the API key; None also for tasks without a recorded key. Set only if `by` includes `key`."""


@dataclass(frozen=True, kw_only=True)
class UsageReport(ApiObject):
    """Usage report of the ended tasks of an account."""

    object: Literal["usage"]
    until: str
    """The last day."""
    rows: list[UsageRow]
    total: UsageCounts

    @property
    def since(self) -> str:
        """The first day (`from` in the HTTP API)."""
        return str(self.raw["from"])
