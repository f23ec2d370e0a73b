from __future__ import annotations

from collections.abc import Sequence

from ..types import Balance, CreditEntry, CreditEntryKind, UsageDimension, UsageReport
from .page import Page
from .resource import Resource

CREDITS = "/v2/credits"


class Credits(Resource):
    """The credits of the account, and its ledger."""

    def balance(self) -> Balance:
        """Returns the spendable and held credits of the account."""
        return self._fetch(Balance, "GET", CREDITS)

    def entries(
        self,
        *,
        kind: CreditEntryKind | None = None,
        task: str | None = None,
        created_after: int | None = None,
        created_before: int | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Page[CreditEntry]:
        """
        Lists the ledger of the account, newest first. `for entry in client.credits.entries()` iterates
        over all pages. Times are Unix seconds. `limit` is the number of entries per page, 1 to 100.
        """
        query = {
            "kind": kind,
            "task": task,
            "created_after": created_after,
            "created_before": created_before,
            "limit": limit,
            "cursor": cursor,
        }
        return self._list(f"{CREDITS}/entries", query, CreditEntry.read)


class Usage(Resource):
    """Reports of ended tasks and forwarded requests."""

    def get(
        self,
        *,
        since: str | None = None,
        until: str | None = None,
        by: UsageDimension | Sequence[UsageDimension] | None = None,
    ) -> UsageReport:
        """
        Returns the counts and credits of the ended tasks and forwarded requests of the account. `since` is the
        first day (default: 29 days before the last day), and `until` is the last day (default: today). Days are
        in UTC, such as `2026-01-15`. `by` groups the rows by one dimension, or by a combination of several; the
        default is `day`.
        """
        dimensions = by if by is None or isinstance(by, str) else ",".join(by)
        query = {"from": since, "until": until, "by": dimensions}
        return self._fetch(UsageReport, "GET", "/v2/usage", query=query)
