"""Tasks of a started service, with both clients."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from conftest import Service
from either import Kind, close, collected, settled

import framegate
from framegate import (
    APIError,
    AuthenticationError,
    BadRequestError,
    ConfigurationError,
    ConflictError,
    DownloadError,
    ModelId,
    NotFoundError,
    RateLimitError,
    TaskFailedError,
    WaitTimeoutError,
)

# Without words that the renderer knows, an image takes half of the CPU time.
IMAGE = {"model": "imgA-5.0", "prompt": "x"}
STUCK = {**IMAGE, "simulate": {"outcome": "stuck"}}


async def test_a_task_is_created_waited_for_and_saved(client: Any, tmp_path: Path) -> None:
    task = await settled(client.tasks.create(**IMAGE, aspect_ratio="3:2"))
    assert (task.object, task.status, task.error, task.has_ended) == ("image", "queued", None, False)
    waited = await settled(task.wait())
    assert waited is task
    assert (task.status, task.progress, task.image_url) == ("completed", 100, task.result_url)
    path = await settled(task.save(tmp_path / "lake.png"))
    assert path.read_bytes() == await settled(task.read())
    assert path.read_bytes().startswith(b"\x89PNG")
    assert [entry.name for entry in tmp_path.iterdir()] == ["lake.png"]
    assert b"".join(await collected(task.iter_bytes())) == path.read_bytes()
    again = await settled(client.tasks.get(task.id))
    assert (again.id, again.status, again.amount) == (task.id, "completed", task.amount)
    assert again.parameters["aspect_ratio"] == "3:2"


async def test_generate_creates_and_waits_in_every_mode(client: Any) -> None:
    for mode in ("auto", "stream", "long_poll"):
        seen: list[str] = []

        def on_update(task: Any, seen: list[str] = seen) -> None:
            seen.append(task.status)

        task = await settled(client.generate(**IMAGE, simulate={"seconds": 1}, on_update=on_update, mode=mode))
        assert task.status == "completed"
        assert (seen[0], seen[-1]) == ("queued", "completed")
        assert len(seen) > 2, mode
    assert (await settled(client.generate(**IMAGE))).status == "completed"


async def test_a_coroutine_function_may_receive_updates(service: Service) -> None:
    seen: list[str] = []

    async def on_update(task: framegate.AsyncTask) -> None:
        seen.append(task.status)

    async with framegate.AsyncFramegate(api_key=service.api_key, base_url=service.base_url) as client:
        await client.generate(model="imgA-5.0", prompt="a quiet lake", on_update=on_update)
    assert seen[-1] == "completed"


async def test_save_names_a_file_in_a_folder_after_the_task_and_rejects_unsuitable_paths_and_results(
    client: Any, tmp_path: Path
) -> None:
    task = await settled(client.generate(**IMAGE))
    assert await settled(task.save(tmp_path)) == tmp_path / f"{task.id}.png"
    assert await settled(client.tasks.save(task.id, tmp_path / "copy.png")) == tmp_path / "copy.png"
    assert list(await settled(task.save_all(tmp_path / "all.png"))) == [tmp_path / "all.png"]
    with pytest.raises(FileExistsError):
        await settled(task.save(tmp_path / "copy.png", overwrite=False))
    with pytest.raises(FileNotFoundError, match="No file can be created in the folder of `path`") as absent:
        await settled(task.save(tmp_path / "absent" / "x.png"))
    assert absent.value.filename == str(tmp_path / "absent")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ConfigurationError, match="is not a regular file"):
        await settled(task.save(tmp_path / "pipe"))
    assert (tmp_path / "pipe").is_fifo()
    (tmp_path / "pipe").unlink()
    with pytest.raises(DownloadError) as too_large:
        await settled(task.save(tmp_path / "large.png", bytes_max=1000))
    assert too_large.value.code == "result_too_large"
    with pytest.raises(DownloadError) as none:
        await settled(task.save(tmp_path / "second.png", result=1))
    assert (none.value.code, str(none.value)) == (
        "no_such_result",
        f"The task {task.id} has no result with the index 1. The last index is 0.",
    )
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["all.png", "copy.png", f"{task.id}.png"]


async def test_the_same_idempotency_key_creates_one_task(client: Any, kind: Kind) -> None:
    key = f"order-{kind.__name__}"
    first = await settled(client.tasks.create(**IMAGE, idempotency_key=key))
    second = await settled(client.tasks.create(**IMAGE, idempotency_key=key))
    other = await settled(client.tasks.create(**IMAGE))
    assert first.id == second.id != other.id
    with pytest.raises(ConflictError) as reused:
        await settled(client.tasks.create(**IMAGE, seed=1, idempotency_key=key))
    assert (reused.value.status, reused.value.code) == (409, "idempotency_key_reused")


async def test_a_submit_whose_response_is_lost_creates_one_task(
    client: Any, quick: None, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "framegate")
    model = "vidDq3-pro"
    before = {task.id for task in await collected(client.tasks.list(model=model))}
    task = await settled(
        client.tasks.create(model=model, prompt="x", simulate={"lose_answer": True, "outcome": "stuck"})
    )
    assert {each.id for each in await collected(client.tasks.list(model=model))} == {*before, task.id}
    assert "retrying in" in caplog.text
    await settled(task.cancel())


async def test_a_failed_task_raises_its_code_and_itself(client: Any) -> None:
    with pytest.raises(TaskFailedError) as failure:
        await settled(client.generate(**IMAGE, simulate={"outcome": "content_policy"}))
    task = failure.value.task
    assert (failure.value.code, task.status, task.amount) == ("content_policy", "failed", 0)
    assert str(failure.value) == f"The task {task.id} failed: {task.error}"
    with pytest.raises(TaskFailedError):
        await settled(client.tasks.wait(task.id))
    with pytest.raises(TaskFailedError):
        await settled(client.tasks.read(task))


async def test_a_wait_that_times_out_raises_and_the_task_continues(client: Any) -> None:
    task = await settled(client.tasks.create(**STUCK))
    for mode in ("long_poll", "stream", "poll"):
        started = time.monotonic()
        with pytest.raises(TimeoutError) as overdue:
            await settled(task.wait(timeout=0.5, mode=mode))
        assert isinstance(overdue.value, WaitTimeoutError)
        assert (overdue.value.code, overdue.value.task_id) == ("wait_timed_out", task.id)
        assert time.monotonic() - started < 2
    with pytest.raises(DownloadError) as early:
        await settled(task.read())
    assert early.value.code == "task_not_completed"
    await settled(task.cancel())


async def test_a_task_is_cancelled_once_and_deleted_repeatedly(client: Any) -> None:
    task = await settled(client.tasks.create(**STUCK))
    assert await settled(client.tasks.cancel(task)) is task
    assert (task.status, task.error_code, task.amount) == ("failed", "cancelled", 0)
    with pytest.raises(ConflictError) as ended:
        await settled(task.cancel())
    assert ended.value.code == "task_already_ended"
    for deleted in (await settled(task.delete()), await settled(client.tasks.delete(task.id))):
        assert (deleted.id, deleted.deleted) == (task.id, True)
    with pytest.raises(NotFoundError) as gone:
        await settled(task.refresh())
    assert gone.value.code == "task_not_found"
    with pytest.raises(NotFoundError):
        await collected(client.tasks.stream(task.id))
    with pytest.raises(NotFoundError):
        await settled(client.tasks.wait(task.id, mode="stream"))


async def test_tasks_are_listed_in_pages_and_deleted_by_filters(client: Any) -> None:
    model = "vidG_video3"
    ids: list[str] = []
    for _ in range(5):
        created = await settled(client.tasks.create(model=model, prompt="x", simulate={"outcome": "stuck"}))
        ids.insert(0, created.id)
    page = await settled(client.tasks.list(model=model, limit=2))
    assert ([task.id for task in page.items], page.has_more) == (ids[:2], True)
    assert [task.id for task in await collected(page)] == ids
    following = await settled(page.next_page())
    assert [task.id for task in following.items] == ids[2:4]
    assert [task.id for task in await collected(client.tasks.list(model=model, limit=2))] == ids
    assert await collected(client.tasks.list(model=model, status="completed")) == []
    full = await settled(client.tasks.list(model=model, limit=1, view="full"))
    assert full.items[0].parameters["prompt"] == "x"
    first = await settled(client.tasks.delete_many(model=model, limit=3))
    assert (first.deleted, first.has_more) == (3, True)
    rest = await settled(client.tasks.delete_many(model=model, cursor=first.next_cursor))
    assert (rest.deleted, rest.has_more, rest.next_cursor) == (2, False, None)
    with pytest.raises(BadRequestError) as unfiltered:
        await settled(client.tasks.delete_many())
    assert unfiltered.value.param == "all"


async def test_a_quote_has_every_default_and_creates_no_task(client: Any) -> None:
    quote = await settled(client.tasks.quote(model="vidDq3-turbo", prompt="x", seconds=2))
    assert (quote.amount, quote.available, quote.reason) == (0.12, True, None)
    assert quote.parameters["resolution"] == "720p"
    unavailable = await settled(client.tasks.quote(model="imgA_5.0Pro", prompt="x"))
    assert unavailable.reason == "brand_model_missing"


async def test_a_text_task_returns_its_text_and_takes_the_parameter_for(client: Any) -> None:
    task = await settled(client.generate(model="text-prompt-enhance", prompt="a fox", for_="video"))
    assert (task.object, task.engine) == ("text", "embedded")
    assert task.text.encode() == await settled(task.read())
    assert (await settled(task.refresh())).parameters["for"] == "video"


async def test_a_stream_yields_a_task_until_its_end(client: Any) -> None:
    task = await settled(client.tasks.create(**IMAGE, simulate={"seconds": 1}))
    statuses = [each.status for each in await collected(task.stream())]
    assert statuses[-1] == "completed"
    assert len(statuses) > 1
    assert [each.status for each in await collected(client.tasks.stream(task.id))] == ["completed"]


async def test_a_timeline_shows_the_attempts(client: Any) -> None:
    task = await settled(client.generate(**IMAGE))
    timeline = await settled(task.timeline())
    events = [each.event for each in timeline.events]
    assert (timeline.task, events[0], events[-1]) == (task.id, "accepted", "charged")
    assert next(each for each in timeline.events if each.event == "charged").amount == task.amount
    stuck = await settled(client.tasks.create(**IMAGE, simulate={"queued_seconds": 60}))
    waiting = (await settled(stuck.timeline())).events[-1]
    assert (waiting.event, waiting.waits_for) == ("waiting", "delay")
    await settled(stuck.cancel())


async def test_models_are_found_by_ids_with_spaces_and_listed_in_pages(client: Any) -> None:
    ids = [model.id for model in await collected(client.models.list(limit=7))]
    assert len(ids) == len(set(ids)) > 30
    images = [model.id for model in await collected(client.models.list(object="image"))]
    assert images == ["imgA_5.0Pro", "imgA-5.0"]
    model = await settled(client.models.get("vidK O3 Video Generation"))
    assert (model.family, model.available, model.parameters["type"]) == ("vidK", True, "object")
    quote = await settled(client.tasks.quote(model=model, prompt="x"))
    assert quote.model == model.id
    with pytest.raises(NotFoundError) as unknown:
        await settled(client.tasks.create(model=ModelId("vidX"), prompt="x"))
    assert unknown.value.code == "model_not_found"


async def test_the_error_of_a_rejected_request_has_code_parameter_request_id_and_every_violation(client: Any) -> None:
    with pytest.raises(BadRequestError) as refused:
        await settled(client.tasks.create(model="vidDq3-turbo", prompt="x", second=5, seconds=99))
    error = refused.value
    assert (error.status, error.code, error.param) == (400, "invalid_parameter", "seconds")
    assert [violation.pointer for violation in error.errors] == ["/seconds", "/second"]
    assert "'seconds'" in error.errors[1].message
    assert str(error) == f"{error.message} (request {error.request_id})\n- {error.errors[1].message}"
    with pytest.raises(RateLimitError) as limited:
        await settled(
            client.with_options(max_retries=0).tasks.create(**IMAGE, simulate={"refuse_with": "rate_limited"})
        )
    assert (limited.value.code, limited.value.retry_after) == ("rate_limited", 1)


async def test_neither_errors_nor_logs_contain_the_key(
    kind: Kind, service: Service, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    caplog.set_level(logging.DEBUG)
    stranger = kind(api_key="fg_live_nobody", base_url=service.base_url)
    with pytest.raises(AuthenticationError) as refused:
        await settled(stranger.tasks.list())
    assert refused.value.code == "invalid_api_key"
    client = kind(api_key=service.api_key, base_url=service.base_url)
    task: Any = await settled(client.generate(model="imgA-5.0", prompt="a secret prompt"))
    await settled(task.save(tmp_path / "x.png"))
    output = "".join([caplog.text, repr(refused.value), str(refused.value), repr(stranger), repr(client), repr(task)])
    assert "GET /v2/model-center/tasks -> 401" in output
    signature = task.result_url.rpartition("signature=")[2]
    for secret in ("fg_live_nobody", service.api_key, "a secret prompt", signature):
        assert secret not in output
    await close(stranger)
    await close(client)


async def test_a_client_adds_the_default_path_to_its_base_url_and_keeps_it_after_an_unknown_path(
    kind: Kind, service: Service
) -> None:
    async def resolved_base_url(base_url: str) -> str:
        client = kind(api_key=f" {service.api_key}\n", base_url=base_url)
        with pytest.raises(APIError) as unknown_path:
            await settled(client.request("GET", "/v2/nothing"))
        assert unknown_path.value.code == "route_not_found"
        model: Any = await settled(client.models.get("imgA-5.0"))
        assert model.id == "imgA-5.0"
        balance: Any = await settled(client.request("GET", "/v2/credits"))
        assert balance["object"] == "credits"
        resolved = client.base_url
        await close(client)
        return resolved

    assert await resolved_base_url(service.base_url.removesuffix("/api")) == service.base_url
    assert await resolved_base_url(f"{service.base_url}/") == service.base_url
    nowhere = kind(api_key=service.api_key, base_url=f"{service.base_url}/nowhere")
    with pytest.raises(APIError) as missing:
        await settled(nowhere.models.get("imgA-5.0"))
    assert missing.value.code == "route_not_found"
    await close(nowhere)


def test_an_interrupt_of_generate_cancels_the_task_only_with_cancel_on_interrupt(service: Service) -> None:
    main_thread = threading.get_ident()
    with framegate.Framegate(api_key=service.api_key, base_url=service.base_url) as client:
        for cancel, status in ((True, "failed"), (False, "processing")):
            ids: list[str] = []

            def on_update(task: framegate.Task, ids: list[str] = ids) -> None:
                if task.status == "processing" and not ids:
                    ids.append(task.id)
                    threading.Timer(0.1, signal.pthread_kill, [main_thread, signal.SIGINT]).start()

            with pytest.raises(KeyboardInterrupt):
                client.generate(
                    model="imgA-5.0",
                    prompt="x",
                    simulate={"outcome": "stuck"},
                    on_update=on_update,
                    cancel_on_interrupt=cancel,
                )
            assert client.tasks.get(ids[0]).status == status
            client.tasks.delete(ids[0])


async def test_a_cancelled_coroutine_cancels_the_task_with_cancel_on_interrupt(service: Service) -> None:
    async with framegate.AsyncFramegate(api_key=service.api_key, base_url=service.base_url) as client:
        started: asyncio.Queue[framegate.AsyncTask] = asyncio.Queue()
        call = asyncio.ensure_future(
            client.generate(
                model="imgA-5.0",
                prompt="x",
                simulate={"outcome": "stuck"},
                on_update=started.put,
                cancel_on_interrupt=True,
            )
        )
        task = await started.get()
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        assert (await task.refresh()).error_code == "cancelled"
