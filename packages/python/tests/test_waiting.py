"""Queries of a wait: its flow runs on a clock of the test, without connections."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import pytest
from scripted_server import task

from framegate import APIConnectionError, TaskData, TaskFailedError, WaitTimeoutError
from framegate._core import wait as waiting
from framegate._core.flow import End, HttpRequest, HttpResponse, Notify, Send, Sleep, advance
from framegate._core.settings import create_transport
from framegate._core.tasks import create_wait
from framegate.types.task import task_fields


@dataclass(frozen=True)
class Response:
    body: dict[str, Any] | None = None
    seconds: float = 0
    """Time until the response."""
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    status: int = 200


LOST = Response(status=0)
COMPLETED = Response(task("completed"))


@dataclass
class Clock:
    now: float = 0

    def monotonic(self) -> float:
        return self.now


@dataclass
class Outcome:
    result: Any
    waits: list[str]
    etags: list[str | None]
    intervals: list[float]
    """Seconds between the beginnings of requests."""
    seconds: float


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(waiting, "time", clock)
    return clock


def run(clock: Clock, responses: list[Response], mode: waiting.WaitMode = "long_poll", **options: Any) -> Outcome:
    """Runs a wait with these responses in order. The last one repeats."""
    transport = create_transport(
        api_key="k", base_url="http://framegate.test", timeout=60, max_retries=3, default_headers=None
    )
    began = clock.now
    known = TaskData(**task_fields(task("queued")))
    settings: dict[str, Any] = {"timeout": 3600, "on_update": None, "task": known, **options}
    wait = create_wait(transport, "task_1", lambda raw: TaskData(**task_fields(raw)), **settings)
    flow = waiting.wait_for_task(wait, mode)
    requests: list[tuple[float, HttpRequest]] = []
    remaining = [*responses]
    effect: Any = advance(flow)
    while not isinstance(effect, End):
        result: Any = None
        error: Exception | None = None
        if isinstance(effect, Send):
            requests.append((clock.now, effect.request))
            response = remaining.pop(0) if len(remaining) > 1 else remaining[0]
            clock.now += response.seconds
            if response is LOST:
                error = APIConnectionError("lost")
            else:
                content = json.dumps(response.body).encode() if response.body is not None else b""
                result = HttpResponse(response.status, response.headers, content)
        elif isinstance(effect, Sleep):
            clock.now += effect.seconds
        elif isinstance(effect, Notify):
            effect.function(effect.argument)
        try:
            effect = advance(flow, result, error)
        except Exception as raised:
            effect = End(raised)
    times = [at for at, _ in requests]
    return Outcome(
        effect.result,
        [request.url.partition("wait=")[2] for _, request in requests],
        [request.headers.get("If-None-Match") for _, request in requests],
        [round(after - before, 3) for before, after in pairwise(times)],
        round(clock.now - began, 3),
    )


def held(seconds: float, progress: int = 0, etag: str | None = None) -> Response:
    """A response with a processing task, which the service holds for `seconds`."""
    return Response(task("processing", progress=progress), seconds, {} if etag is None else {"etag": etag})


def test_a_wait_sends_another_long_poll_after_each_that_times_out(clock: Clock) -> None:
    outcome = run(clock, [held(30), held(30), COMPLETED])
    assert outcome.result.status == "completed"
    assert (outcome.waits, outcome.intervals, outcome.etags) == (["30", "30", "30"], [30, 30], [None] * 3)


def test_a_wait_with_updates_queries_changes_with_the_etag(clock: Clock) -> None:
    seen: list[str] = []

    def on_update(task: TaskData) -> None:
        seen.append(f"{task.status} {task.progress}")

    unchanged = Response(None, 5, {"etag": 'W/"3"'}, 304)
    responses = [held(0, 0, 'W/"1"'), held(1, 15, 'W/"2"'), held(0.9, 30, 'W/"3"'), unchanged, COMPLETED]
    outcome = run(clock, responses, on_update=on_update)
    assert outcome.etags == ['"unknown"', 'W/"1"', 'W/"2"', 'W/"3"', 'W/"3"']
    assert outcome.intervals == [0, 1, 0.9, 5]
    assert outcome.waits == ["5"] * 5
    assert seen == ["queued 0", "processing 0", "processing 15", "processing 30", "completed 0"]


def test_a_wait_pauses_if_the_service_responds_to_every_long_poll_immediately(clock: Clock) -> None:
    at_once = [Response(task("processing"), 0, {"retry-after": str(pause)}) for pause in (1, 7, 60)]
    assert run(clock, [*at_once, held(0), COMPLETED]).intervals == [5, 7, 10, 5]
    not_modified = Response(None, 0, {"etag": 'W/"1"', "retry-after": "6"}, 304)
    outcome = run(clock, [held(0, 0, 'W/"1"'), not_modified, not_modified, COMPLETED], on_update=lambda _: None)
    assert outcome.intervals == [0, 6, 6]
    anew = [held(0, 0, f'W/"{count}"') for count in range(9)]
    assert run(clock, [*anew, COMPLETED], on_update=lambda _: None).intervals == [0, 0, 0, 0, 0, 5, 5, 5, 5]


def test_a_wait_with_mode_poll_sends_only_polls(clock: Clock) -> None:
    outcome = run(clock, [held(0), held(0), COMPLETED], "poll")
    assert (outcome.waits, outcome.intervals) == (["", "", ""], [5, 5])


def test_a_wait_continues_after_failed_queries_and_fails_after_thirteen_in_a_row(clock: Clock) -> None:
    overloaded = Response({"error": {"code": "overloaded", "message": "x"}}, 0, {"retry-after": "20"}, 503)
    outcome = run(clock, [LOST, overloaded, LOST, COMPLETED])
    assert (outcome.result.status, outcome.intervals) == ("completed", [5, 20, 5])
    dead = run(clock, [LOST])
    assert isinstance(dead.result, APIConnectionError)
    assert len(dead.waits) == 13
    missing = Response({"error": {"code": "task_not_found", "message": "x"}}, 0, {}, 404)
    assert len(run(clock, [missing]).waits) == 1


def test_a_wait_continues_behind_a_proxy_that_aborts_every_long_poll(clock: Clock) -> None:
    cuts = [response for _ in range(20) for response in (LOST, held(0))]
    outcome = run(clock, [*cuts, LOST, COMPLETED])
    assert outcome.result.status == "completed"
    assert (outcome.waits[:4], outcome.intervals[:4]) == (["30", "", "30", ""], [5, 0, 5, 0])


@pytest.mark.parametrize("response", [held(0, 10), held(12, 10)])
def test_a_wait_ends_at_its_timeout(clock: Clock, response: Response) -> None:
    outcome = run(clock, [response], timeout=12)
    assert isinstance(outcome.result, WaitTimeoutError)
    assert str(outcome.result) == "The task task_1 is still processing after 12 s and continues."
    assert outcome.seconds == 12


@pytest.mark.parametrize("timeout", [math.inf, None])
def test_a_wait_may_have_no_time_limit(clock: Clock, timeout: float | None) -> None:
    outcome = run(clock, [held(30), COMPLETED], timeout=timeout)
    assert (outcome.result.status, outcome.waits) == ("completed", ["30", "30"])


def test_a_wait_raises_when_the_task_fails(clock: Clock) -> None:
    failed = task("failed", error="It was refused.", error_code="content_policy")
    outcome = run(clock, [Response(failed)])
    assert isinstance(outcome.result, TaskFailedError)
    assert (outcome.result.code, str(outcome.result)) == (
        "content_policy",
        "The task task_1 failed: It was refused.",
    )
    unknown = run(clock, [Response(task("failed"))])
    assert unknown.result.code == "task_failed"


def test_an_ended_task_is_not_queried(clock: Clock) -> None:
    assert run(clock, [COMPLETED], task=TaskData(**task_fields(task("completed")))).waits == []
