from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from ._api_object import ApiObject

CreditEntryKind: TypeAlias = Literal["grant", "hold", "settle", "release", "adjust", "expire"]
"""
Kind of a ledger entry:

    grant     the operator gave credits
    hold      a task or forwarded request was accepted, and credits were reserved for it
    settle    a task or forwarded request was charged, and the rest of its hold was returned
    release   a task or forwarded request ended without a charge, and its whole hold was returned
    adjust    the operator corrected the balance
    expire    the unspent rest of a grant expired
"""


@dataclass(frozen=True, kw_only=True)
class ExpiringCredits(ApiObject):
    amount: float
    expires_at: int
    """Unix seconds."""


@dataclass(frozen=True, kw_only=True)
class Balance(ApiObject):
    """Spendable and held credits of an account."""

    object: Literal["credits"]
    balance: float
    """Credits that the account can spend. Held credits are not included."""
    held: float
    """Credits that unfinished tasks and forwarded requests have reserved."""
    expiring: list[ExpiringCredits] | None = None
    """The parts of the balance that expire, soonest first, at most 100. None in events."""


@dataclass(frozen=True, kw_only=True)
class CreditRequest(ApiObject):
    """A request for a token model. Token counts are 0 until the request has ended."""

    id: str
    """The `X-Request-Id` of the request."""
    model: str
    input_tokens: int
    cached_input_tokens: int
    """Input tokens that the provider read from its cache."""
    output_tokens: int
    estimated: bool
    """Whether the token counts are estimates, because the provider reported no usage."""


@dataclass(frozen=True, kw_only=True)
class CreditEntry(ApiObject):
    """An entry of the account's ledger. Entries never change."""

    id: str
    object: Literal["credit_entry"]
    kind: CreditEntryKind
    amount: float
    """Change of the balance in credits; negative if it fell."""
    held: float
    """Change of the held credits; negative if they fell."""
    balance_after: float
    task: str | None
    """The id of the task; None for entries without a task."""
    request: CreditRequest | None
    """The forwarded request that caused the entry; None for other entries."""
    note: str | None
    """The operator's note on a `grant` or `adjust` entry."""
    expires_at: int | None
    """Expiry of a grant, Unix seconds; None for never."""
    created: int
    """Unix seconds."""
