from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from ._api_object import ApiObject

CreditEntryKind: TypeAlias = Literal["grant", "hold", "settle", "release", "adjust", "expire"]
"""
Kind of a ledger entry. `hold`: a task was accepted. `settle`: a task completed and was charged.
`release`: a task failed or was cancelled, and all held credits were returned. `grant`: the operator
gave credits. `adjust`: the operator corrected the balance. `expire`: the rest of a grant was removed.
"""


@dataclass(frozen=True, kw_only=True)
class ExpiringCredits(ApiObject):
    amount: float
    expires_at: int
    """Unix seconds."""


@dataclass(frozen=True, kw_only=True)
class Balance(ApiObject):
    """Credits that an account can spend."""

    object: Literal["credits"]
    balance: float
    """Credits that the account can spend. Held credits are not included."""
    held: float
    """Credits that queued and processing tasks have reserved."""
    expiring: list[ExpiringCredits] | None = None
    """At most 100 parts of the balance that expire, soonest first. None in events."""


@dataclass(frozen=True, kw_only=True)
class CreditRequest(ApiObject):
    """A request for a model with a price for tokens. The numbers of tokens are 0 until it has ended."""

    id: str
    """The `X-Request-Id` of the request."""
    model: str
    input_tokens: int
    cached_input_tokens: int
    """The part of the input tokens that the provider had in its cache."""
    output_tokens: int
    estimated: bool
    """Whether the provider reported no usage, so that the tokens are an estimate."""


@dataclass(frozen=True, kw_only=True)
class CreditEntry(ApiObject):
    """An entry of the account's ledger. Entries never change."""

    id: str
    object: Literal["credit_entry"]
    kind: CreditEntryKind
    amount: float
    """Change of the balance in credits; negative if credits were removed."""
    held: float
    """Change of the credits that tasks hold; negative if credits were removed."""
    balance_after: float
    task: str | None
    """The id of the task; None for entries without a task."""
    request: CreditRequest | None
    """The request to which the entry belongs, if its model has a price for tokens."""
    note: str | None
    """The operator's note on a grant or a correction."""
    expires_at: int | None
    """Expiry of a grant, Unix seconds; None for never."""
    created: int
    """Unix seconds."""
