"""Assets, credits, usage, events and webhooks of a started service, with both clients."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import io
import struct
import threading
import zlib
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
from conftest import Service
from either import Kind, collected, settled

from framegate import (
    BadRequestError,
    ConfigurationError,
    Framegate,
    NotFoundError,
    TaskEvent,
    WebhookTestEvent,
    unwrap_webhook,
)


def png(width: int, height: int = 4, red: int = 0) -> bytes:
    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    rows = (b"\0" + bytes([red, 0, 0]) * width) * height
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def sound(size: int, seed: int) -> bytes:
    """A WAV file of noise that differs for each seed."""
    block = b"".join(hashlib.sha256(struct.pack(">II", seed, index)).digest() for index in range(2048))
    samples = (block * (size // len(block) + 1))[: size - 44]
    header = struct.pack(
        "<4sI4s4sIHHIIHH4sI", b"RIFF", size - 8, b"WAVE", b"fmt ", 16, 1, 1, 48000, 96000, 2, 16, b"data", size - 44
    )
    return header + samples


@pytest.fixture
def number(kind: Kind) -> int:
    """A number that makes the files of each client different, because identical files are one asset."""
    return 1 if kind is Framegate else 2


async def test_assets_are_created_from_paths_bytes_files_and_urls(client: Any, number: int, tmp_path: Path) -> None:
    path = tmp_path / "side.png"
    path.write_bytes(png(1, red=number))
    url = "data:image/png;base64," + base64.b64encode(png(4, red=number)).decode()
    with path.open("rb") as file:
        created = [
            await settled(client.assets.create(png(8, red=number), name="the robot")),
            await settled(client.assets.create(path)),
            await settled(client.assets.create(file)),
            await settled(client.assets.create(str(path))),
            await settled(client.assets.create(io.BytesIO(png(3, red=number)))),
            await settled(client.assets.import_url(url, name="imported")),
        ]
    assert [(asset.name, asset.width) for asset in created] == [
        ("the robot", 8),
        ("side.png", 1),
        ("side.png", 1),
        ("side.png", 1),
        ("file", 3),
        ("imported", 4),
    ]
    assert created[1].id == created[2].id == created[3].id
    listed = [asset.id for asset in await collected(client.assets.list(limit=2), 4)]
    assert listed == list(dict.fromkeys(asset.id for asset in reversed(created)))
    assert (await settled(client.assets.get(created[0].id))).sha256 == hashlib.sha256(png(8, red=number)).hexdigest()
    assert (await settled(client.assets.delete(created[0]))).deleted is True
    with pytest.raises(NotFoundError) as gone:
        await settled(client.assets.get(created[0].id))
    assert gone.value.code == "asset_not_found"


async def test_a_file_as_a_parameter_is_uploaded_first(client: Any, number: int, tmp_path: Path) -> None:
    path = tmp_path / "frame.png"
    path.write_bytes(png(300, 300, red=number))
    asset = await settled(client.assets.create(path))
    task = await settled(
        client.tasks.create(
            model="imgA-5.0",
            prompt="the same",
            reference_images=[path, path.read_bytes(), asset, io.BytesIO(path.read_bytes())],
            seed=None,
        )
    )
    parameters = (await settled(task.refresh())).parameters
    assert parameters["reference_images"] == [f"asset:{asset.id}"] * 4
    for unsuitable in (io.StringIO("x"), task):
        with pytest.raises(ConfigurationError, match="Pass its contents instead") as refused:
            await settled(client.tasks.create(model="imgA-5.0", prompt="x", reference_images=[unsuitable]))
        assert refused.value.param == "reference_images"


async def test_a_large_file_is_sent_in_parts_and_its_upload_resumes_by_its_id(
    client: Any, number: int, tmp_path: Path
) -> None:
    part = 4 * 1024 * 1024
    path = tmp_path / "tone.wav"
    path.write_bytes(sound(part + 100_000, number))
    sent: list[int] = []
    uploads: list[str] = []

    class Gone(Exception):
        pass

    def on_progress(progress: Any) -> None:
        sent.append(progress.sent_bytes)
        if progress.sent_bytes == part:
            raise Gone

    with pytest.raises(Gone):
        await settled(
            client.assets.create(
                path, resumable_above=0, on_upload=lambda upload: uploads.append(upload.id), on_progress=on_progress
            )
        )
    assert sent == [0, part]
    asset = await settled(
        client.assets.create(path, upload=uploads[0], on_progress=lambda progress: sent.append(progress.sent_bytes))
    )
    assert sent == [0, part, part, part + 100_000]
    assert (asset.sha256, asset.has_audio) == (hashlib.sha256(path.read_bytes()).hexdigest(), True)
    with pytest.raises(ConfigurationError) as other:
        await settled(client.assets.create(b"other", upload=uploads[0]))
    assert other.value.param == "upload"
    with pytest.raises(BadRequestError) as refused:
        await settled(client.assets.create(b"%PDF-1.7 " * 100, resumable_above=0))
    assert (refused.value.code, refused.value.param) == ("invalid_parameter", "file")


async def test_credits_and_usage_show_what_a_task_has_cost(client: Any) -> None:
    task = await settled(client.generate(model="imgA-5.0", prompt="a coin"))
    balance = await settled(client.credits.balance())
    assert balance.balance > 0
    assert balance.expiring == []
    entries = await collected(client.credits.entries(task=task.id))
    assert [entry.kind for entry in entries] == ["settle", "hold"]
    assert entries[1].amount == -task.amount
    report = await settled(client.usage.get(by=["day", "model"]))
    assert report.rows == (await settled(client.usage.get(by=("day", "model")))).rows
    row = next(row for row in report.rows if row.model == "imgA-5.0")
    assert row.charged >= task.amount
    assert (report.since < report.until, row.day) == (True, report.until)
    assert report.total.completed >= row.completed


async def test_the_events_of_the_account_are_streamed_and_a_stream_resumes_after_an_event(
    client: Any, service: Service
) -> None:
    other = Framegate(api_key=service.api_key, base_url=service.base_url)
    has_event = threading.Event()

    def generate_until_an_event() -> None:
        # The stream has only events that occur after it was opened, so one task may be too early.
        while not has_event.wait(0.3):
            other.generate(model="imgA-5.0", prompt="a kite")

    generating = threading.Thread(target=generate_until_an_event)
    generating.start()
    (event,) = await collected(client.events.stream(types=["task.completed"]), 1)
    has_event.set()
    await asyncio.to_thread(generating.join)
    assert isinstance(event, TaskEvent)
    data: Any = event.data
    assert (event.type, data.status, type(data).__name__.endswith("Task")) == ("task.completed", "completed", True)
    assert (await settled(data.read())).startswith(b"\x89PNG")
    second = other.generate(model="imgA-5.0", prompt="another kite")
    seen: list[str] = []
    while second.id not in seen:
        (following,) = await collected(client.events.stream(last_event_id=event.stream_id), 1)
        seen.append(following.data.id)
        event = following
    assert data.id not in seen
    other.close()


class Receiver(HTTPServer):
    """A server that stores the requests of webhooks."""

    def __init__(self) -> None:
        received: list[tuple[dict[str, str], bytes]] = []

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                received.append((dict(self.headers.items()), body))
                self.send_response(200)
                self.end_headers()
                arrived.set()

            def log_message(self, format: str, *args: Any) -> None:
                pass

        arrived = threading.Event()
        super().__init__(("127.0.0.1", 0), Handler)
        self.received = received
        self.arrived = arrived
        threading.Thread(target=self.serve_forever, args=(0.02,), daemon=True).start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/hook"

    async def next(self) -> tuple[dict[str, str], bytes]:
        await asyncio.to_thread(self.arrived.wait, 10)
        self.arrived.clear()
        return self.received.pop(0)


async def test_a_webhook_is_managed_and_its_requests_are_verified(client: Any) -> None:
    receiver = Receiver()
    webhook = await settled(client.webhooks.create(receiver.address, description="tests", rate_limit=100))
    assert webhook.secret.startswith("whsec_")
    assert webhook.secret not in repr(webhook)
    assert (await settled(client.webhooks.get(webhook))).events == ["task.completed", "task.failed"]
    assert webhook.id in [each.id for each in await collected(client.webhooks.list())]
    changed = await settled(client.webhooks.update(webhook.id, description="", rate_limit=None))
    assert (changed.description, changed.rate_limit, changed.enabled) == ("", None, True)

    delivery = await settled(client.webhooks.test(webhook))
    headers, body = await receiver.next()
    event = client.webhooks.unwrap(body, headers, webhook.secret)
    assert isinstance(event, WebhookTestEvent)
    assert (event.data.id, event.id) == (webhook.id, delivery.event)

    task = await settled(client.generate(model="imgA-5.0", prompt="a bell"))
    headers, body = await receiver.next()
    completed = client.webhooks.unwrap(body.decode(), headers, webhook.secret)
    assert isinstance(completed, TaskEvent)
    assert (completed.type, completed.data.id) == ("task.completed", task.id)
    assert (await settled(completed.data.read())).startswith(b"\x89PNG")
    assert isinstance(unwrap_webhook(body, headers, webhook.secret), TaskEvent)

    deliveries = await collected(client.webhooks.deliveries(webhook, task=task.id))
    assert [(each.type, each.task) for each in deliveries] == [("task.completed", task.id)]
    again = await settled(client.webhooks.resend(webhook, deliveries[0]))
    assert again.event == completed.id
    assert (await receiver.next())[1] == body
    assert (await settled(client.webhooks.resend_failed(webhook, since=0))).resent == 0

    rotated = await settled(client.webhooks.rotate_secret(webhook))
    assert rotated.secret != webhook.secret
    account = await settled(client.webhooks.account_secret())
    assert account.secret not in repr(account)
    assert (await settled(client.webhooks.rotate_account_secret())).secret != account.secret
    assert (await settled(client.webhooks.delete(webhook))).deleted is True
    with pytest.raises(NotFoundError):
        await settled(client.webhooks.get(webhook))
    receiver.shutdown()
    receiver.server_close()
