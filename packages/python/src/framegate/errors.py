"""
The errors of the package. Programs should use `code`, never the message. A file that cannot be read or written
raises an OSError instead.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .types import TaskData


@dataclass(frozen=True)
class Violation:
    """One violation in the body of a request."""

    pointer: str
    """JSON Pointer (RFC 6901) into the body."""
    code: str
    message: str


class FramegateError(Exception):
    """Base class of all errors of this package."""

    code: str
    """Stable code of the error: a code of the service, the `error_code` of a failed task, or a code of the client."""
    message: str
    retry_after: float | None = None
    """Delay in seconds before the next request, as requested by the service. None: it requests none."""

    def __init__(self, message: str, *, code: str) -> None:
        super().__init__(message)
        self.message = message
        self.code = code

    def __reduce__(self) -> tuple[Any, ...]:
        """Makes errors picklable, because process pools pass them to their caller."""
        return _restore, (type(self), self.args), self.__dict__


def _restore(kind: type[FramegateError], args: tuple[Any, ...]) -> FramegateError:
    """Creates an error without attributes. Pickle sets them afterwards."""
    error = kind.__new__(kind)
    error.args = args
    return error


class ConfigurationError(FramegateError, ValueError):
    """An option, file or parameter is missing or invalid (`missing_api_key`, `invalid_option`)."""

    param: str
    """The name of the option or parameter."""

    def __init__(self, message: str, *, code: str, param: str) -> None:
        super().__init__(message, code=code)
        self.param = param


class APIConnectionError(FramegateError):
    """
    There was no usable response. `connection_failed`: the server is unreachable, or the connection broke.
    `unexpected_answer`: a response or event is too large, or a link redirects too often or to another protocol.
    """

    def __init__(self, message: str, *, code: str = "connection_failed") -> None:
        super().__init__(message, code=code)


class APITimeoutError(APIConnectionError, TimeoutError):
    """No complete response, or no further chunk of a stream, arrived within the timeout (`timed_out`)."""

    def __init__(self, message: str) -> None:
        super().__init__(message, code="timed_out")


class APIError(FramegateError):
    """
    The service responded with an error. The code `unexpected_answer` means that the response is not
    from Framegate, but for example from a proxy.
    """

    status: int
    """The HTTP status."""
    param: str | None
    """The invalid field. None: the error concerns no field."""
    errors: Sequence[Violation]
    """All violations in the body of the request. Empty if the response lists none."""
    request_id: str | None
    """Id of the request, for questions to the operator."""

    def __init__(
        self,
        message: str,
        *,
        code: str,
        status: int,
        param: str | None = None,
        errors: Sequence[Violation] = (),
        request_id: str | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message, code=code)
        self.status = status
        self.param = param
        self.errors = errors
        self.request_id = request_id
        self.retry_after = retry_after

    def __str__(self) -> str:
        request = "" if self.request_id is None else f" (request {self.request_id})"
        # The message contains only the first violation.
        others = "".join(f"\n- {violation.message}" for violation in self.errors[1:])
        return f"{self.message}{request}{others}"


class BadRequestError(APIError):
    """The request is invalid (400)."""


class AuthenticationError(APIError):
    """The API key is missing or invalid (401)."""


class InsufficientCreditsError(APIError):
    """The account has too few credits, or a spending limit is reached (402)."""


class PermissionDeniedError(APIError):
    """The key or the account may not do this (403)."""


class NotFoundError(APIError):
    """There is no such path, or no task, model or other object with this id (404)."""


class ConflictError(APIError):
    """The request contradicts the current state, such as cancelling an ended task (409)."""


class RateLimitError(APIError):
    """A rate limit is reached, or too many tasks are in flight (429)."""


class InternalServerError(APIError):
    """The service failed, or is unavailable (500 to 599)."""


class TaskFailedError(FramegateError):
    """A task failed. `code` is its `error_code`."""

    task: TaskData

    def __init__(self, task: TaskData) -> None:
        code = task.error_code or "task_failed"
        super().__init__(f"The task {task.id} failed: {task.error or code}", code=code)
        self.task = task


class WaitTimeoutError(FramegateError, TimeoutError):
    """A wait timed out. The task continues (`wait_timed_out`)."""

    task_id: str

    def __init__(self, message: str, *, task_id: str) -> None:
        super().__init__(message, code="wait_timed_out")
        self.task_id = task_id


class DownloadError(FramegateError):
    """
    A result cannot be downloaded. The codes are `task_not_completed`, `no_such_result`,
    `result_expired`, `result_changed` and `result_too_large`.
    """


class InvalidSignatureError(FramegateError, ValueError):
    """
    A request cannot be verified (`invalid_signature`): its signature is missing or wrong, or its timestamp differs from
    the local clock by more than five minutes.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(f"The webhook's signature is not valid: {reason}.", code="invalid_signature")
