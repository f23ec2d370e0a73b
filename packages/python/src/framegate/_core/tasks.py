from __future__ import annotations

import asyncio
import math
import re
import uuid
from collections.abc import Callable, Mapping
from typing import Any

from ..errors import ConfigurationError, FramegateError
from ..types import Model, Quote, TaskData
from .flow import Flow
from .request_body import request_body
from .retry import retrying
from .transport import Call, Transport, path_of
from .wait import Raw, Wait, WaitMode, require_mode, wait_for_task

TASKS = "/v2/model-center/tasks"
CANCEL_TIMEOUT = 10
"""Timeout in seconds for cancelling the task of an interrupted call."""


def create_task(
    transport: Transport, model: str | Model, idempotency_key: str | None, parameters: Mapping[str, Any]
) -> Flow[Raw]:
    """Submits a task. All retries use the same idempotency key, so that only one task is created and charged."""
    headers = {"Idempotency-Key": uuid.uuid4().hex if idempotency_key is None else _valid_key(idempotency_key)}
    body = yield from request_body(transport, model, parameters)
    task: Raw = yield from transport.fetch("POST", TASKS, body=body, headers=headers)
    return task


def quote_task(transport: Transport, model: str | Model, parameters: Mapping[str, Any]) -> Flow[Quote]:
    body = yield from request_body(transport, model, parameters)
    return Quote.read((yield from transport.fetch("POST", f"{TASKS}/quote", body=body)))


def cancel_task(transport: Transport, task_id: str) -> Flow[Raw]:
    """Cancels a task. Also succeeds if an earlier attempt has cancelled it and the response was lost."""
    path = path_of(TASKS, task_id)
    attempts = 0

    def attempt() -> Flow[Raw]:
        nonlocal attempts
        attempts += 1
        task: Raw = yield from transport.fetch("POST", f"{path}/cancel", max_retries=0)
        return task

    try:
        return (yield from retrying(attempt, max_retries=transport.max_retries))
    except FramegateError as error:
        if attempts < 2 or error.code != "task_already_ended":
            raise
        task: Raw = yield from transport.fetch("GET", path)
        if task.get("error_code") == "cancelled":
            return task
        raise


def generate(
    transport: Transport,
    create: Flow[Raw],
    view: Callable[[Raw], TaskData],
    *,
    timeout: float | None,
    on_update: Callable[[Any], Any] | None,
    mode: WaitMode,
    cancel_on_interrupt: bool,
) -> Flow[TaskData]:
    """Submits a task and waits for it."""
    require_mode(mode)
    task = view((yield from create))
    wait = create_wait(transport, task.id, view, timeout=timeout, on_update=on_update, task=task)
    try:
        return (yield from wait_for_task(wait, mode))
    except (KeyboardInterrupt, asyncio.CancelledError):
        if cancel_on_interrupt:
            call = Call("POST", f"{wait.path}/cancel", max_retries=0)
            yield from _ignoring_errors(transport.with_options(timeout=CANCEL_TIMEOUT).call(call))
        raise


def create_wait(
    transport: Transport,
    task_id: str,
    view: Callable[[Raw], TaskData],
    *,
    timeout: float | None,
    on_update: Callable[[Any], Any] | None,
    task: TaskData | None,
) -> Wait:
    timeout_seconds = math.inf if timeout is None else timeout
    return Wait(transport, task_id, path_of(TASKS, task_id), view, on_update, timeout_seconds, task)


def _valid_key(key: str) -> str:
    if re.fullmatch(r"[\x20-\x7e]{1,255}", key) and key == key.strip():
        return key
    message = "The idempotency key must have 1 to 255 printable ASCII characters, without spaces at its ends."
    raise ConfigurationError(message, code="invalid_option", param="idempotency_key")


def _ignoring_errors(flow: Flow[Any]) -> Flow[None]:
    try:
        yield from flow
    except FramegateError:
        return
