"""Simulated failures, for testing your program. A service in production mode rejects them."""

from __future__ import annotations

from typing import Literal, TypedDict


class Simulation(TypedDict, total=False):
    """Scripted course of a task (`simulate=`)."""

    refuse_with: Literal[
        "reference_unreachable",
        "invalid_api_key",
        "insufficient_credits",
        "brand_model_missing",
        "account_suspended",
        "idempotency_key_reused",
        "spending_limit_reached",
        "max_amount_exceeded",
        "rate_limited",
        "too_many_tasks_in_flight",
        "internal_error",
        "overloaded",
        "no_route",
    ]
    """The submit fails with this error code, and no task is created."""
    lose_answer: bool
    """The task is created, but the connection breaks before the response."""
    queued_seconds: int
    """Time in `queued` in whole seconds, 0 to 3600."""
    seconds: int
    """Minimum time in `processing` in whole seconds, 0 to 3600."""
    outcome: Literal[
        "completed", "stuck", "content_policy", "invalid_input", "upstream_failed", "upstream_timeout", "lost_upstream"
    ]
    """Outcome of the task. With `stuck`, the task runs until its deadline."""
    deadline_seconds: int
    """Deadline in whole seconds, 1 to 3600, in place of the deadline of the model."""
    result_url_seconds: int
    """Validity of each `result_url` in whole seconds, 0 to 86400."""
    retention_seconds: int
    """Retention of the result in whole seconds, 0 to 86400."""
    download_bytes_per_second: int
    """Transfer rate of the download in bytes per second."""
    download_breaks_after_bytes: int
    """Number of bytes after which each download breaks off."""
