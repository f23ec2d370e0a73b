from __future__ import annotations

import logging
import random
from collections.abc import Callable
from typing import TypeVar

from ..errors import APIConnectionError, APIError, FramegateError
from .flow import Flow, Sleep

T = TypeVar("T")

logger = logging.getLogger("framegate")

RETRY_AFTER_MAX = 60
"""Maximum Retry-After, in seconds, that the client waits for. If the service requests more, the call fails."""
FIRST_PAUSE = 1
PAUSE_MAX = 16


def is_retryable(error: FramegateError) -> bool:
    """Whether the same request may succeed later."""
    if (error.retry_after or 0) > RETRY_AFTER_MAX:
        return False
    if isinstance(error, APIError):
        return error.status in (408, 429) or error.status >= 500
    return isinstance(error, APIConnectionError) and error.code in ("connection_failed", "timed_out")


def retrying(
    attempt: Callable[[], Flow[T]],
    *,
    max_retries: int,
    should_retry: Callable[[FramegateError], bool] = is_retryable,
) -> Flow[T]:
    """Runs `attempt` until it succeeds, fails permanently, or `max_retries` is reached."""
    retries = 0
    while True:
        try:
            return (yield from attempt())
        except FramegateError as error:
            retries += 1
            if retries > max_retries or not should_retry(error):
                raise
            delay = pause_before(retries, error.retry_after)
            log_retry(error, delay)
        yield Sleep(delay)


def pause_before(retry: int, retry_after: float | None, jitter: Callable[[], float] = random.random) -> float:
    """
    Returns the delay before a retry in seconds: exponential back-off with random jitter, so that clients do
    not retry at the same time. The service's Retry-After takes precedence, also with jitter.
    """
    if retry_after is not None:
        return retry_after * (1 + jitter() / 10)
    return min(FIRST_PAUSE * 2.0 ** min(retry - 1, 16), PAUSE_MAX) * (0.5 + jitter() / 2)


def log_retry(error: FramegateError, delay: float) -> None:
    logger.info("retrying in %.1f s: %s", delay, error)
