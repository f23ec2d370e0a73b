"""Parts of the package that need no connection, such as event streams, signatures, options and notebooks."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import pickle
import time
from pathlib import Path
from typing import Any

import pytest
from either import KINDS, Kind
from scripted_server import task

from framegate import (
    APITimeoutError,
    BadRequestError,
    ConfigurationError,
    CreditsLowEvent,
    Framegate,
    FramegateError,
    InvalidSignatureError,
    ModelId,
    OtherEvent,
    Task,
    TaskData,
    TaskEvent,
    TaskFailedError,
    WaitTimeoutError,
    unwrap_webhook,
)
from framegate._core.download import numbered_path
from framegate._core.events import EventReader, ServerSentEvent
from framegate._core.notebook import embedded, task_html
from framegate.types.task import task_fields


def test_events_are_read_from_chunks_of_any_length_with_any_line_ends() -> None:
    text = (
        'retry: 5\r\n\r\n: hello\n\nevent: task\nid: 7\ndata: {"ä":\ndata: 1}\n\n'
        "data:x\r\rid\ndata: y\n\ndata: unfinished\n"
    )
    content = text.encode()
    expected = [
        ServerSentEvent("task", "7", '{"ä":\n1}'),
        ServerSentEvent("message", "7", "x"),
        ServerSentEvent("message", "", "y"),
    ]
    assert EventReader().feed(content) == expected
    for size in (1, 2, 3, 7):
        reader = EventReader()
        pieces = [content[start : start + size] for start in range(0, len(content), size)]
        assert [event for piece in pieces for event in reader.feed(piece)] == expected


def test_an_event_whose_lines_end_with_carriage_returns_is_read_as_soon_as_its_last_byte_arrives() -> None:
    reader = EventReader()
    for data in ("a", "b"):
        assert reader.feed(f"event: task\rdata: {data}\r\r".encode()) == [ServerSentEvent("task", "", data)]


@pytest.mark.parametrize("piece", [b"x" * 100, b"data: x\n" * 100])
def test_an_event_over_the_maximum_length_raises_an_error(piece: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("framegate._core.events.CHARACTERS_MAX", 1000)
    reader = EventReader()
    with pytest.raises(FramegateError, match="too long"):
        for _ in range(11):
            reader.feed(piece)


SECRET = "whsec_" + base64.b64encode(bytes([7] * 32)).decode()
BODY = json.dumps(
    {"id": "evt_1", "type": "task.completed", "timestamp": "2026-01-15T12:00:00.000Z", "data": task("completed")}
)


def signed_headers(body: str = BODY, seconds_ago: float = 0, secret: str = SECRET) -> dict[str, str]:
    timestamp = int(time.time() - seconds_ago)
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signature = base64.b64encode(hmac.new(key, f"evt_1.{timestamp}.{body}".encode(), hashlib.sha256).digest()).decode()
    return {"webhook-id": "evt_1", "Webhook-Timestamp": str(timestamp), "WEBHOOK-SIGNATURE": f"v1a,abc v1,{signature}"}


def test_a_request_with_a_valid_signature_is_returned_as_its_event() -> None:
    event = unwrap_webhook(BODY.encode(), signed_headers(), SECRET)
    assert isinstance(event, TaskEvent)
    assert (event.id, event.type, event.data.id, type(event.data)) == ("evt_1", "task.completed", "task_1", TaskData)
    balance = BODY.replace("task.completed", "credits.low")
    assert isinstance(unwrap_webhook(balance, signed_headers(balance), SECRET), CreditsLowEvent)
    newer = BODY.replace("task.completed", "task.admired")
    other = unwrap_webhook(newer, signed_headers(newer), SECRET)
    assert isinstance(other, OtherEvent)
    assert (other.type, other.data["id"]) == ("task.admired", "task_1")


@pytest.mark.parametrize(
    ("body", "signature", "changes"),
    [
        (BODY + " ", {}, {}),
        (BODY, {"seconds_ago": 310}, {}),
        (BODY, {"seconds_ago": -310}, {}),
        (BODY, {"secret": "whsec_" + base64.b64encode(bytes(32)).decode()}, {}),
        (BODY, {}, {"webhook-id": ""}),
        (BODY, {}, {"WEBHOOK-SIGNATURE": "v1,%%%"}),
        (BODY, {}, {"WEBHOOK-SIGNATURE": "v1,"}),
        (BODY, {}, {"Webhook-Timestamp": "now"}),
        (BODY, {}, {"Webhook-Timestamp": "²"}),
    ],
)
def test_a_request_with_an_invalid_signature_is_rejected(
    body: str, signature: dict[str, Any], changes: dict[str, str]
) -> None:
    with pytest.raises(InvalidSignatureError) as refused:
        unwrap_webhook(body, {**signed_headers(**signature), **changes}, SECRET)
    assert refused.value.code == "invalid_signature"
    assert isinstance(refused.value, ValueError)


@pytest.mark.parametrize("secret", ["", "abc", "whsec_", "whsec_%"])
def test_a_wrong_secret_is_an_invalid_option(secret: str) -> None:
    with pytest.raises(ConfigurationError) as wrong:
        unwrap_webhook(BODY, signed_headers(), secret)
    assert wrong.value.param == "secret"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("options", "code", "param"),
    [
        ({"base_url": "localhost:8787", "api_key": "k"}, "invalid_option", "base_url"),
        ({"base_url": "not an address", "api_key": "k"}, "invalid_option", "base_url"),
        ({"base_url": "http://[", "api_key": "k"}, "invalid_option", "base_url"),
        ({"base_url": "http://x:99999", "api_key": "k"}, "invalid_option", "base_url"),
        ({"api_key": "secreté"}, "invalid_option", "api_key"),
        ({"api_key": "secret\nX: 1"}, "invalid_option", "api_key"),
        ({"api_key": ""}, "missing_api_key", "api_key"),
        ({}, "missing_api_key", "api_key"),
        ({"api_key": "k", "timeout": 0}, "invalid_option", "timeout"),
        ({"api_key": "k", "max_retries": -1}, "invalid_option", "max_retries"),
    ],
)
def test_a_client_rejects_invalid_options(
    kind: Kind, options: dict[str, Any], code: str, param: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("FRAMEGATE_API_KEY", raising=False)
    with pytest.raises(ConfigurationError) as refused:
        kind(**options)
    assert (refused.value.code, refused.value.param) == (code, param)
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize("value", [{1, 2}, float("nan"), "\ud800", object()])
def test_a_parameter_that_json_cannot_express_raises_an_error_with_its_name(value: Any) -> None:
    client = Framegate(api_key="k", base_url="http://127.0.0.1:9")
    with pytest.raises(ConfigurationError, match="seed cannot be sent as JSON") as refused:
        client.tasks.create(model=ModelId("m"), prompt="x", seed=value)
    assert (refused.value.code, refused.value.param) == ("invalid_option", "seed")


@pytest.mark.parametrize("call", ["generate", "wait"])
def test_an_unknown_mode_is_rejected_before_a_request(call: str) -> None:
    client = Framegate(api_key="k", base_url="http://127.0.0.1:9")
    mode: Any = "long-poll"
    with pytest.raises(ConfigurationError, match="auto, stream, long_poll or poll") as refused:
        if call == "generate":
            client.generate(model="imgA-5.0", prompt="x", mode=mode)
        else:
            client.tasks.wait("task_1", mode=mode)
    assert (refused.value.code, refused.value.param) == ("invalid_option", "mode")


@pytest.mark.parametrize("key", ["", "é", "a\nb", " a", "x" * 256])
def test_an_invalid_idempotency_key_is_rejected_before_a_request(key: str) -> None:
    client = Framegate(api_key="k", base_url="http://127.0.0.1:9")
    with pytest.raises(ConfigurationError) as refused:
        client.tasks.create(model="imgA-5.0", prompt="x", idempotency_key=key)
    assert refused.value.param == "idempotency_key"


@pytest.mark.parametrize("kind", KINDS)
def test_a_client_reads_its_options_from_the_environment(kind: Kind, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FRAMEGATE_API_KEY", " key\n")
    monkeypatch.delenv("FRAMEGATE_URL", raising=False)
    assert kind().base_url == "http://127.0.0.1:8787/api"
    monkeypatch.setenv("FRAMEGATE_URL", "https://framegate.example.com/prefix/")
    assert kind().base_url == "https://framegate.example.com/prefix"
    assert repr(kind()) == f"{kind.__name__}(https://framegate.example.com/prefix)"


def html_of(status: str, **fields: Any) -> str:
    return task_html(TaskData(**task_fields(task(status, **fields))))


def test_a_notebook_shows_the_result_or_the_status_of_a_task() -> None:
    video = html_of("completed", result_url='http://x/v?a=1&b="<', thumbnail_url="http://x/t")
    assert '<video controls loop width="480" src="http://x/v?a=1&amp;b=&quot;&lt;" poster="http://x/t"' in video
    assert html_of("completed", object="image", result_url="http://x/i").startswith('<img width="480" src="http://x/i"')
    assert html_of("completed", object="text", result_url="http://x/i", text="<b>") == "<pre>&lt;b&gt;</pre>"
    facts = {"type": "image/png", "width": 1, "height": 1, "seconds": None, "bytes": 1}
    several = [{"url": f"http://x/{number}", **facts} for number in (1, 2)]
    both = html_of("completed", object="image", result_url="http://x/1", results=several)
    assert (both.count("<img"), both.index("http://x/1") < both.index("http://x/2")) == (2, True)
    assert html_of("processing", progress=40) == "<p>m: processing, 40 %</p>"
    assert html_of("failed", error="<script>") == "<p>m: failed, 0 %: &lt;script&gt;</p>"
    assert hasattr(Task, "_repr_html_")


def test_an_embedded_result_contains_its_bytes() -> None:
    image = TaskData(**task_fields(task("completed", object="image", result_url="http://x/i")))
    assert 'src="data:image/png;base64,AAAA"' in embedded(image, bytes(3))._repr_html_()
    facts = {"width": 1, "height": 1, "seconds": None, "bytes": 1}
    results = [{"url": f"http://x/{kind}", "type": kind, **facts} for kind in ("image/png", "image/webp")]
    several = TaskData(**task_fields(task("completed", object="image", result_url="http://x/i", results=results)))
    assert 'src="data:image/webp;base64,AAAA"' in embedded(several, bytes(3), 1)._repr_html_()
    assert repr(embedded(image, bytes(3))).startswith("EmbeddedResult(")


def test_errors_and_tasks_can_be_pickled() -> None:
    client = Framegate(api_key="fg_live_key", base_url="http://framegate.test")
    bound = client.tasks._bind(task("failed", error="It was refused.", error_code="content_policy"))
    refusal = BadRequestError("It is wrong.", code="invalid_parameter", status=400, param="seconds", request_id="req_1")
    errors = [refusal, TaskFailedError(bound), WaitTimeoutError("It runs.", task_id="task_1"), APITimeoutError("x")]
    for error in errors:
        received = _pickled_and_restored(error)
        assert (type(received), str(received), received.code) == (type(error), str(error), error.code)
    received_refusal = _pickled_and_restored(refusal)
    assert (received_refusal.param, received_refusal.status) == ("seconds", 400)
    assert b"fg_live_key" not in pickle.dumps(bound)
    received_task = _pickled_and_restored(TaskFailedError(bound)).task
    assert (type(received_task), received_task.id, received_task.raw) == (TaskData, bound.id, bound.raw)


def _pickled_and_restored(item: Any) -> Any:
    return pickle.loads(pickle.dumps(item))  # noqa: S301 -- bytes of this test


def test_the_files_of_several_results_are_numbered() -> None:
    path = Path("a.b/fox.tar.png")
    assert numbered_path(path, 0, 1) == path
    assert numbered_path(path, 0, 3) == Path("a.b/fox.tar-1.png")
    assert numbered_path(Path("fox"), 4, 12) == Path("fox-05")
