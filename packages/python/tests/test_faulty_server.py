"""Requests, downloads, streams and uploads with a server that rejects requests, breaks connections or falls silent."""

from __future__ import annotations

import email.utils
import gzip
import json
import math
import os
import subprocess
import sys
import time
import tracemalloc
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import REPOSITORY
from either import Kind, close, collected, settled
from scripted_server import LOST, Reply, ScriptedServer, refusal, task

from framegate import (
    APIConnectionError,
    APIError,
    APITimeoutError,
    DownloadError,
    InsufficientCreditsError,
    InternalServerError,
    ModelId,
    PermissionDeniedError,
)
from framegate._core.retry import pause_before

REQUEST = {"model": ModelId("a model of tomorrow"), "prompt": "x", "whatever": 1}
ACCEPTED = Reply(202, task("queued"))
CONTENT = bytes(index % 251 for index in range(300_000))

pytestmark = pytest.mark.usefixtures("quick")


@pytest.mark.parametrize(
    "trouble", [LOST, refusal(503, "overloaded"), refusal(500, "internal_error"), refusal(429, "rate_limited")]
)
async def test_a_submit_is_retried_with_the_same_body_and_key(
    trouble: Reply | str, scripted: ScriptedServer, scripted_client: Any
) -> None:
    scripted.replies = [trouble, trouble, ACCEPTED]
    created = await settled(scripted_client.tasks.create(**REQUEST))
    assert created.raw == ACCEPTED.body
    assert [request.json for request in scripted.requests] == [REQUEST] * 3
    (key,) = {request.headers["idempotency-key"] for request in scripted.requests}
    await settled(scripted_client.tasks.create(**REQUEST))
    assert scripted.requests[-1].headers["idempotency-key"] != key
    assert scripted.requests[0].headers["authorization"] == "Bearer fg_live_key"
    assert scripted.requests[0].headers["user-agent"].startswith("framegate-python/")


@pytest.mark.parametrize(
    ("status", "code", "error_class"),
    [
        (400, "invalid_parameter", APIError),
        (402, "insufficient_credits", InsufficientCreditsError),
        (403, "brand_model_missing", PermissionDeniedError),
        (413, "body_too_large", APIError),
    ],
)
async def test_a_request_that_fails_permanently_is_not_retried(
    status: int, code: str, error_class: type[APIError], scripted: ScriptedServer, scripted_client: Any
) -> None:
    scripted.replies = [refusal(status, code), ACCEPTED]
    with pytest.raises(error_class) as refused:
        await settled(scripted_client.tasks.create(**REQUEST))
    error = refused.value
    assert (error.status, error.code, error.message, error.request_id) == (status, code, f"It is {code}.", "req_1")
    assert len(scripted.requests) == 1


async def test_a_request_fails_after_three_retries_or_max_retries(
    scripted: ScriptedServer, scripted_client: Any
) -> None:
    scripted.replies = [LOST]
    with pytest.raises(APIConnectionError) as lost:
        await settled(scripted_client.tasks.create(**REQUEST))
    assert lost.value.code == "connection_failed"
    assert scripted.base_url in str(lost.value)
    assert len(scripted.requests) == 4
    with pytest.raises(APIConnectionError):
        await settled(scripted_client.with_options(max_retries=0).tasks.create(**REQUEST))
    assert len(scripted.requests) == 5


def test_the_pause_before_a_retry_doubles_up_to_sixteen_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    monkeypatch.setattr("framegate._core.retry.FIRST_PAUSE", 1)
    retries = (1, 2, 3, 4, 5, 6, 60)
    assert [pause_before(retry, None, lambda: 1) for retry in retries] == [1, 2, 4, 8, 16, 16, 16]
    assert [pause_before(retry, None, lambda: 0) for retry in retries] == [0.5, 1, 2, 4, 8, 8, 8]
    assert [pause_before(9, 7, lambda: 0), round(pause_before(9, 7, lambda: 1), 6)] == [7, 7.7]


async def test_a_retry_waits_for_retry_after_and_a_long_retry_after_fails_the_request(
    scripted: ScriptedServer, scripted_client: Any
) -> None:
    for is_date in (False, True):
        text = email.utils.formatdate(time.time() + 1.9, usegmt=True) if is_date else "1"
        scripted.replies = [refusal(503, "overloaded", retry_after=text), ACCEPTED]
        started = time.monotonic()
        await settled(scripted_client.tasks.create(**REQUEST))
        assert time.monotonic() - started > 0.8
    scripted.replies = [refusal(503, "no_route", retry_after="3600"), ACCEPTED]
    with pytest.raises(InternalServerError) as unavailable:
        await settled(scripted_client.tasks.create(**REQUEST))
    assert (unavailable.value.code, unavailable.value.retry_after) == ("no_route", 3600)


async def test_a_request_to_a_silent_server_times_out_and_is_retried(
    scripted: ScriptedServer, scripted_client: Any
) -> None:
    scripted.replies = [Reply(202, task("queued"), silent_after=10), ACCEPTED]
    assert (await settled(scripted_client.tasks.create(**REQUEST))).status == "queued"
    scripted.replies = [Reply(202, task("queued"), silent_after=10)]
    with pytest.raises(TimeoutError) as silent:
        await settled(scripted_client.with_options(max_retries=0, timeout=0.1).tasks.create(**REQUEST))
    assert isinstance(silent.value, APITimeoutError)
    assert silent.value.code == "timed_out"


async def test_a_response_that_is_not_from_framegate_raises_unexpected_answer(
    scripted: ScriptedServer, scripted_client: Any
) -> None:
    page = b"<html>Bad gateway</html>"
    client = scripted_client.with_options(max_retries=0)
    scripted.replies = [Reply(502, page, {"X-Request-Id": "req_p"})]
    with pytest.raises(InternalServerError) as gateway:
        await settled(client.tasks.create(**REQUEST))
    assert (gateway.value.code, gateway.value.request_id) == ("unexpected_answer", "req_p")
    for body in (page, b"[1]", b"", b"[" * 100_000):
        scripted.replies = [Reply(200, body)]
        with pytest.raises(APIError, match="base URL") as other:
            await settled(client.tasks.create(**REQUEST))
        assert (other.value.code, other.value.status) == ("unexpected_answer", 200)
    scripted.replies = [Reply(200, b'{"error": []}'), Reply(404, b'{"error": {"message": 7, "errors": [1]}}')]
    await settled(client.tasks.create(**REQUEST))
    with pytest.raises(APIError) as strange:
        await settled(client.tasks.create(**REQUEST))
    assert (strange.value.code, list(strange.value.errors)) == ("unexpected_answer", [])


async def test_a_success_without_a_body_and_a_list_without_items_raise_unexpected_answer(
    scripted: ScriptedServer, scripted_client: Any, tmp_path: Path
) -> None:
    async def code_of(call: Callable[[], Any]) -> tuple[str, int | None]:
        with pytest.raises(APIError) as failed:
            await settled(call())
        return failed.value.code, failed.value.status

    scripted.replies = [Reply(204)]
    assert await code_of(lambda: scripted_client.tasks.create(**REQUEST)) == ("unexpected_answer", 204)
    scripted.replies = [Reply(202, task("completed", result_url=f"{scripted.origin}/result")), scripted.replies[0]]
    completed = await settled(scripted_client.tasks.create(**REQUEST))
    assert await code_of(lambda: completed.save(tmp_path / "result")) == ("unexpected_answer", 204)
    for body in ({}, {"items": None}):
        scripted.replies = [Reply(200, body)]
        assert await code_of(scripted_client.models.list) == ("unexpected_answer", 200)


async def test_an_event_that_is_not_a_json_object_raises_unexpected_answer(
    scripted: ScriptedServer, scripted_client: Any
) -> None:
    for data in (b'{"id":', b"null", b"\xff"):
        scripted.replies = [Reply(200, b"data: " + data + b"\n\n", {"Content-Type": "text/event-stream"})]
        for events in (scripted_client.tasks.stream("task_1"), scripted_client.events.stream()):
            with pytest.raises(APIError) as failed:
                await collected(events)
            assert failed.value.code == "unexpected_answer"


async def test_a_password_in_the_base_url_replaces_no_key_and_is_not_shown(
    scripted: ScriptedServer, kind: Kind
) -> None:
    base_url = scripted.base_url.replace("://", "://user:hush@")
    client: Any = kind(api_key="fg_live_key", base_url=base_url)
    try:
        assert "hush" not in repr(client)
        scripted.replies = [ACCEPTED]
        await settled(client.tasks.create(**REQUEST))
        assert scripted.requests[0].headers["authorization"] == "Bearer fg_live_key"
        scripted.replies = [LOST]
        with pytest.raises(APIConnectionError) as lost:
            await settled(client.with_options(max_retries=0).tasks.create(**REQUEST))
        assert "hush" not in str(lost.value)
    finally:
        await close(client)


async def test_an_impossible_date_in_retry_after_is_ignored(scripted: ScriptedServer, scripted_client: Any) -> None:
    refused = refusal(503, "overloaded", Retry_After="Mon, 01 Jan 99999999999 00:00:00 GMT")
    scripted.replies = [refused, ACCEPTED]
    assert (await settled(scripted_client.tasks.create(**REQUEST))).id == "task_1"


async def test_no_redirect_is_followed_with_the_key(scripted: ScriptedServer, scripted_client: Any) -> None:
    with ScriptedServer() as other:
        scripted.replies = [Reply(307, headers={"Location": other.base_url})]
        with pytest.raises(APIError, match=other.base_url) as redirected:
            await settled(scripted_client.tasks.create(**REQUEST))
        assert redirected.value.status == 307
        assert other.requests == []


async def test_a_cancel_whose_first_response_was_lost_succeeds_if_the_task_is_cancelled(
    scripted: ScriptedServer, scripted_client: Any
) -> None:
    ended = refusal(409, "task_already_ended")
    scripted.replies = [LOST, ended, Reply(200, task("failed", error_code="cancelled"))]
    assert (await settled(scripted_client.tasks.cancel("task_1"))).error_code == "cancelled"
    for replies in ([LOST, ended, Reply(200, task("completed"))], [ended]):
        scripted.replies = [*replies]
        with pytest.raises(APIError) as already:
            await settled(scripted_client.tasks.cancel("task_1"))
        assert already.value.code == "task_already_ended"


def completed_task(server: ScriptedServer) -> Any:
    return task("completed", result_url=f"{server.origin}/result?signature=1")


async def fetch_completed_task(client: Any, server: ScriptedServer) -> Any:
    server.replies = [Reply(200, completed_task(server))]
    fetched = await settled(client.tasks.get("task_1"))
    server.requests.clear()
    return fetched


FORKING_PROGRAM = """
import os, sys
from framegate import Framegate

client = Framegate(api_key="fg_live_key", base_url=sys.argv[1])
client.tasks.get("task_1")
process_id = os.fork()
(client if process_id else client.with_options(timeout=10)).tasks.get("task_1")
if process_id:
    os.waitpid(process_id, 0)
    client.tasks.get("task_1")
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
def test_a_forked_process_does_not_share_connections_with_its_parent(scripted: ScriptedServer) -> None:
    scripted.replies = [Reply(200, task("queued"))]
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY / "packages/python/src")}
    command = [sys.executable, "-c", FORKING_PROGRAM, scripted.base_url]
    subprocess.run(command, env=environment, check=True, timeout=60)
    ports = Counter(request.port for request in scripted.requests)
    assert sorted(ports.values()) == [1, 3]


async def test_an_interrupted_download_resumes_at_the_same_byte(
    scripted: ScriptedServer, scripted_client: Any, tmp_path: Path
) -> None:
    found = await fetch_completed_task(scripted_client, scripted)
    start = 100_000
    rest = Reply(
        206,
        CONTENT[start:],
        {"ETag": '"one"', "Content-Range": f"bytes {start}-{len(CONTENT) - 1}/{len(CONTENT)}"},
    )
    for sink in ("save", "read", "iterate"):
        scripted.replies = [Reply(200, CONTENT, {"ETag": '"one"'}, cut_after=start), rest]
        scripted.requests.clear()
        received: list[int] = []
        if sink == "save":
            path = tmp_path / "result.mp4"
            await settled(
                found.save(path, on_progress=lambda progress, to=received: to.append(progress.received_bytes))
            )
            content = path.read_bytes()
            assert received == sorted(received)
            assert received[-1] == len(CONTENT)
        elif sink == "read":
            content = await settled(found.read())
        else:
            content = b"".join(await collected(found.iter_bytes()))
        assert content == CONTENT
        first, second = scripted.requests
        assert (second.headers["range"], second.headers["if-range"]) == (f"bytes={start}-", '"one"')
        assert "authorization" not in first.headers
    assert [entry.name for entry in tmp_path.iterdir()] == ["result.mp4"]


@pytest.mark.parametrize("etags", [("", ""), ('W/"alike"', 'W/"alike"'), ('"1"', '"2"')])
async def test_a_download_that_cannot_resume_restarts_and_iter_bytes_raises_an_error(
    etags: tuple[str, str], scripted: ScriptedServer, scripted_client: Any, tmp_path: Path
) -> None:
    found = await fetch_completed_task(scripted_client, scripted)
    first, second = (Reply(200, CONTENT, {"ETag": etag}) for etag in etags)
    broken = Reply(200, CONTENT, first.headers, cut_after=1000)
    scripted.replies = [broken, second]
    assert (await settled(found.save(tmp_path / "x"))).read_bytes() == CONTENT
    scripted.replies = [broken, second]
    assert await settled(found.read()) == CONTENT
    scripted.replies = [broken, second]
    with pytest.raises(DownloadError) as changed:
        await collected(found.iter_bytes())
    assert changed.value.code == "result_changed"


async def test_a_download_never_joins_parts_of_two_results(scripted: ScriptedServer, scripted_client: Any) -> None:
    found = await fetch_completed_task(scripted_client, scripted)
    other = Reply(206, b"other", {"ETag": '"two"', "Content-Range": f"bytes 5-9/{len(CONTENT)}"})
    scripted.replies = [Reply(200, CONTENT, {"ETag": '"one"'}, cut_after=1000), other]
    with pytest.raises(DownloadError) as changed:
        await settled(found.read())
    assert changed.value.code == "result_changed"


async def test_a_download_that_breaks_at_the_same_byte_or_is_too_large_fails_and_leaves_no_file(
    scripted: ScriptedServer, scripted_client: Any, tmp_path: Path
) -> None:
    found = await fetch_completed_task(scripted_client, scripted)
    scripted.replies = [Reply(200, CONTENT, cut_after=1000)]
    with pytest.raises(APIConnectionError):
        await settled(scripted_client.with_options(max_retries=2).tasks.save(found, tmp_path / "x"))
    assert len(scripted.requests) == 3
    scripted.replies = [Reply(200, CONTENT, {"Content-Length": ""}, cut_after=len(CONTENT))]
    with pytest.raises(DownloadError) as too_large:
        await settled(found.save(tmp_path / "x", bytes_max=1000))
    assert too_large.value.code == "result_too_large"
    assert len(await settled(found.read())) == len(CONTENT)
    assert list(tmp_path.iterdir()) == []


async def test_a_task_id_with_slashes_or_leading_dots_does_not_change_the_folder_of_the_result(
    scripted: ScriptedServer, scripted_client: Any, tmp_path: Path
) -> None:
    folder = tmp_path / "results"
    folder.mkdir()
    for hostile_id in ("../escaped", "/etc/../escaped", "..", ".bashrc"):
        scripted.replies = [Reply(200, completed_task(scripted) | {"id": hostile_id}), Reply(200, CONTENT)]
        found = await settled(scripted_client.tasks.get("task_1"))
        assert (await settled(found.save(folder))).parent == folder
    assert list(tmp_path.iterdir()) == [folder]
    assert not any(path.name.startswith(".") for path in folder.iterdir())


@pytest.mark.parametrize(
    ("status", "content_range", "size"),
    [
        (206, "bytes 0-9/10", 10),
        (206, "bytes 0-9/*", None),
        (206, "bytes 0-9/10/20", None),
        (206, "bytes 0-9/", None),
        (206, "bytes 0-9/1e3", None),
        (206, f"bytes 0-9/{'9' * 5000}", None),
        (206, "10", None),
        (200, "bytes 0-9/20", 10),
    ],
)
async def test_the_size_of_a_download_is_that_of_a_valid_content_range(
    status: int,
    content_range: str,
    size: int | None,
    scripted: ScriptedServer,
    scripted_client: Any,
    tmp_path: Path,
) -> None:
    found = await fetch_completed_task(scripted_client, scripted)
    scripted.replies = [Reply(status, CONTENT[:10], {"Content-Range": content_range})]
    sizes: list[int | None] = []
    saved = found.save(tmp_path / "x", on_progress=lambda progress: sizes.append(progress.total_bytes))
    assert ((await settled(saved)).read_bytes(), sizes) == (CONTENT[:10], [size])


async def test_a_download_never_joins_bytes_of_another_range(scripted: ScriptedServer, scripted_client: Any) -> None:
    found = await fetch_completed_task(scripted_client, scripted)
    other = Reply(206, b"other", {"ETag": '"one"', "Content-Range": f"bytes 5-9/{len(CONTENT)}"})
    scripted.replies = [Reply(200, CONTENT, {"ETag": '"one"'}, cut_after=1000), other]
    with pytest.raises(DownloadError) as changed:
        await settled(found.read())
    assert changed.value.code == "result_changed"


async def test_a_gzip_response_is_decompressed_up_to_the_maximum_size_and_other_encodings_are_rejected(
    scripted: ScriptedServer, scripted_client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("framegate._core.http.RESPONSE_BYTES_MAX", 1_000_000)
    encoded = gzip.compress(json.dumps(task("queued")).encode())
    scripted.replies = [Reply(200, encoded, {"Content-Encoding": "gzip"})]
    assert (await settled(scripted_client.tasks.get("task_1"))).status == "queued"
    assert scripted.requests[0].headers["accept-encoding"] == "gzip"
    for name in ("", "none", "UTF-8"):
        scripted.replies = [Reply(200, gzip.decompress(encoded), {"Content-Encoding": name})]
        assert (await settled(scripted_client.tasks.get("task_1"))).status == "queued"
    client = scripted_client.with_options(max_retries=0)
    bomb = gzip.compress(b" " * 50_000_000)
    for encoding, body in (("gzip", bomb), ("gzip, gzip", gzip.compress(bomb)), ("br", b"x")):
        scripted.replies = [Reply(200, body, {"Content-Encoding": encoding})]
        tracemalloc.start()
        with pytest.raises(APIConnectionError) as refused:
            await settled(client.tasks.get("task_1"))
        assert (refused.value.code, tracemalloc.get_traced_memory()[1] < 10_000_000) == ("unexpected_answer", True)
        tracemalloc.stop()
    scripted.replies = [Reply(200, b"not gzip", {"Content-Encoding": "gzip"})]
    with pytest.raises(APIConnectionError) as damaged:
        await settled(client.tasks.get("task_1"))
    assert damaged.value.code == "connection_failed"


async def test_a_timeout_may_be_infinite(scripted: ScriptedServer, scripted_client: Any) -> None:
    client = scripted_client.with_options(timeout=math.inf)
    scripted.replies = [Reply(200, completed_task(scripted)), Reply(200, CONTENT)]
    found = await settled(client.tasks.get("task_1"))
    assert await settled(found.read()) == CONTENT


async def test_a_download_that_receives_no_bytes_times_out_and_resumes(
    scripted: ScriptedServer, scripted_client: Any
) -> None:
    found = await fetch_completed_task(scripted_client, scripted)
    scripted.replies = [Reply(200, CONTENT, silent_after=10), Reply(200, CONTENT)]
    assert await settled(scripted_client.with_options(timeout=0.2).tasks.read(found)) == CONTENT


async def test_an_expired_link_is_replaced_and_redirects_of_links_are_followed(
    scripted: ScriptedServer, scripted_client: Any
) -> None:
    found = await fetch_completed_task(scripted_client, scripted)
    with ScriptedServer() as store:
        store.replies = [Reply(200, CONTENT)]
        moved = Reply(302, headers={"Location": f"{store.origin}/object?X-Amz-Signature=2"})
        scripted.replies = [refusal(410, "result_expired"), Reply(200, completed_task(scripted)), moved]
        assert await settled(found.read()) == CONTENT
        assert [request.path for request in scripted.requests] == [
            "/result?signature=1",
            "/api/v2/model-center/tasks/task_1",
            "/result?signature=1",
        ]
        assert "authorization" not in store.requests[0].headers
    scripted.replies = [Reply(302, headers={"Location": "/result"})]
    with pytest.raises(APIConnectionError, match="redirects too often"):
        await settled(scripted_client.with_options(max_retries=0).tasks.read(found))
    scripted.replies = [Reply(302, headers={"Location": "file:///etc/passwd"})]
    with pytest.raises(APIConnectionError, match="another protocol"):
        await settled(scripted_client.with_options(max_retries=0).tasks.read(found))


def events(*frames: str, cut: bool = False) -> Reply:
    body = "".join(frames).encode()
    headers = {"Content-Type": "text/event-stream", "Content-Length": ""}
    return Reply(200, body, headers, cut_after=len(body) if cut else None)


def event(identifier: int, status: str) -> str:
    return f"id: {identifier}\nevent: task\ndata: {json.dumps(task(status))}\n\n"


async def test_a_stream_that_is_cut_resumes_after_its_last_event(
    scripted: ScriptedServer, scripted_client: Any
) -> None:
    scripted.replies = [
        events("retry: 5000\n\n: hello\n\n", event(1, "queued"), event(2, "processing"), cut=True),
        LOST,
        refusal(429, "rate_limited"),
        events(event(3, "completed")),
    ]
    statuses = [each.status for each in await collected(scripted_client.tasks.stream("task_1"))]
    assert statuses == ["queued", "processing", "completed"]
    assert [request.headers.get("last-event-id") for request in scripted.requests] == [None, "2", "2", "2"]


async def test_a_stream_that_is_cut_before_its_first_event_resumes_at_its_position(
    scripted: ScriptedServer, scripted_client: Any
) -> None:
    position = "retry: 5000\n\nid: 41\n\n"
    scripted.replies = [
        events(position, cut=True),
        events(position),
        events(position, 'id: 42\ndata: {"id": "evt_1", "type": "new", "timestamp": "", "data": {}}\n\n'),
    ]
    stream = scripted_client.events.stream()
    first = next(stream) if hasattr(stream, "__next__") else await anext(stream)
    assert (first.id, first.stream_id) == ("evt_1", "42")
    assert [request.headers.get("last-event-id") for request in scripted.requests] == [None, "41", "41"]


async def test_a_stream_ends_after_204_and_raises_permanent_errors(
    scripted: ScriptedServer, scripted_client: Any
) -> None:
    scripted.replies = [Reply(204)]
    assert await collected(scripted_client.tasks.stream("task_1")) == []
    scripted.replies = [Reply(200, b"<html>", {"Content-Type": "text/html"})]
    with pytest.raises(APIError) as page:
        await collected(scripted_client.tasks.stream("task_1"))
    assert page.value.code == "unexpected_answer"
    scripted.replies = [refusal(404, "task_not_found")]
    with pytest.raises(APIError) as missing:
        await collected(scripted_client.tasks.stream("task_1"))
    assert missing.value.code == "task_not_found"


async def test_a_wait_falls_back_from_streams_to_long_polls(scripted: ScriptedServer, scripted_client: Any) -> None:
    scripted.replies = [refusal(404, "route_not_found"), Reply(200, task("completed"))]
    seen: list[str] = []
    waited = await settled(scripted_client.tasks.wait("task_1", on_update=lambda each: seen.append(each.status)))
    assert (waited.status, seen) == ("completed", ["completed"])
    assert [request.path.rpartition("/")[2] for request in scripted.requests] == ["events", "task_1?wait=5"]
    scripted.replies = [refusal(404, "route_not_found")]
    with pytest.raises(APIError):
        await settled(scripted_client.tasks.wait("task_1", mode="stream"))


@pytest.mark.parametrize(
    "trouble",
    [
        LOST,
        Reply(504, b"<html>", {"Content-Type": "text/html"}),
        Reply(200, b"", {"Content-Type": "text/event-stream"}, silent_after=0),
    ],
    ids=["lost", "gateway timeout", "silent"],
)
async def test_a_wait_falls_back_to_long_polls_after_the_first_failure_of_a_stream(
    scripted: ScriptedServer, scripted_client: Any, monkeypatch: pytest.MonkeyPatch, trouble: Reply | str
) -> None:
    monkeypatch.setattr("framegate._core.events.SILENCE_MAX", 0.3)
    scripted.replies = [trouble, Reply(200, task("completed"))]
    waited = await settled(scripted_client.tasks.wait("task_1", on_update=lambda _: None))
    assert waited.status == "completed"
    assert [request.path.rpartition("/")[2] for request in scripted.requests] == ["events", "task_1?wait=5"]


@pytest.mark.parametrize("mode", ["auto", "long_poll"])
async def test_an_error_of_a_callback_ends_the_call_and_is_not_retried(
    scripted: ScriptedServer, scripted_client: Any, mode: str
) -> None:
    scripted.replies = [events(event(1, "queued")) if mode == "auto" else Reply(200, task("queued"))]
    lost = APIConnectionError("another call of the program has failed")
    cause = OSError("the connection was lost")

    def fail(_: Any) -> None:
        raise lost from cause

    with pytest.raises(APIConnectionError) as raised:
        await settled(scripted_client.tasks.wait("task_1", on_update=fail, mode=mode))
    assert (raised.value, raised.value.__cause__, len(scripted.requests)) == (lost, cause, 1)


async def test_an_upload_continues_at_the_byte_that_the_service_has(
    scripted: ScriptedServer, scripted_client: Any, tmp_path: Path
) -> None:
    part = 4 * 1024 * 1024
    path = tmp_path / "tone.wav"
    path.write_bytes(bytes(part + 10))

    def upload(received: int, **fields: Any) -> Reply:
        return Reply(
            200,
            {
                "id": "upload_1",
                "size_bytes": part + 10,
                "received_bytes": received,
                "asset": None,
                "error": None,
                **fields,
            },
        )

    asset = {"id": "asset_1", "object": "asset", "size_bytes": part + 10}
    done = Reply(204)
    scripted.replies = [
        upload(0),
        LOST,
        upload(1000),
        refusal(409, "conflict"),
        upload(part),
        done,
        upload(part + 10, asset=asset),
    ]
    progress: list[int] = []
    created = await settled(
        scripted_client.assets.create(path, resumable_above=0, on_progress=lambda now: progress.append(now.sent_bytes))
    )
    assert created.id == "asset_1"
    assert progress == [0, 1000, part, part + 10]
    sent = [
        (request.headers["upload-offset"], len(request.body))
        for request in scripted.requests
        if request.method == "PATCH"
    ]
    assert sent == [("0", part), ("1000", part - 990), (str(part), 10)]
    assert scripted.requests[0].headers["upload-metadata"] == "name dG9uZS53YXY="


async def test_an_upload_whose_stored_bytes_the_server_reports_wrongly_raises_unexpected_answer(
    scripted: ScriptedServer, scripted_client: Any
) -> None:
    def upload(received: Any) -> Reply:
        fields = {"id": "upload_1", "size_bytes": 3, "received_bytes": received, "asset": None, "error": None}
        return Reply(200, fields)

    async def fails() -> None:
        with pytest.raises(APIError) as failed:
            await settled(scripted_client.assets.create(bytes(3), resumable_above=1))
        assert failed.value.code == "unexpected_answer"

    for received in (None, "1", True, -1, 0.5, 4):
        scripted.replies = [upload(received)]
        await fails()
    scripted.requests.clear()
    scripted.replies = [upload(1), refusal(503, "overloaded"), upload(0)]
    await fails()
    assert [request.method for request in scripted.requests] == ["POST", "PATCH", "GET"]


async def test_a_response_with_added_or_omitted_fields_is_accepted(
    scripted: ScriptedServer, scripted_client: Any
) -> None:
    scripted.replies = [Reply(200, {"id": "task_1", "status": "completed", "shine": {"level": 7}})]
    found = await settled(scripted_client.tasks.get("task_1"))
    assert (found.id, found.progress, found.raw["shine"]) == ("task_1", None, {"level": 7})
    scripted.replies = [
        Reply(200, {"object": "usage", "from": "2026-01-01", "rows": [{"completed": 1}], "total": None})
    ]
    report: Any = await settled(scripted_client.usage.get(by=("day", "model")))
    assert (report.since, report.rows[0].completed, report.rows[0].failed, report.total) == (
        "2026-01-01",
        1,
        None,
        None,
    )
    assert scripted.requests[-1].path.endswith("/v2/usage?by=day%2Cmodel")


async def test_the_error_for_an_unreachable_server_contains_its_address(kind: Kind) -> None:
    with ScriptedServer() as gone:
        address = gone.base_url
    client = kind(api_key="k", base_url=address, max_retries=0)
    with pytest.raises(APIConnectionError, match=address):
        await settled(client.credits.balance())
    await close(client)
