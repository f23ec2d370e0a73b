"""
Functions that type checkers check and that never run. A type checker must report an error on each line with an
ignore comment, and none on the others. An unused ignore comment is itself an error.
"""

from __future__ import annotations

from email.message import Message
from pathlib import Path
from typing import TYPE_CHECKING

from typing_extensions import assert_type

from framegate import AsyncFramegate, AsyncTask, Framegate, ModelId, Quote, Task, TaskEvent, unwrap_webhook

if TYPE_CHECKING:
    from framegate.parameters import VidDq3TurboParameters


def accepted(client: Framegate, name: str) -> None:
    task = client.tasks.create(model="vidDq3-turbo", prompt="a fox", seconds=2, resolution="720p")
    assert_type(task, Task)
    assert_type(task.wait(), Task)
    assert_type(task.save("fox.mp4"), Path)
    assert_type(task.actualDuration, float | None)
    assert_type(
        client.generate(model="imgA-5.0", prompt="x", reference_images=[Path("a.png"), b"", "https://x/y"]), Task
    )
    assert_type(client.tasks.quote(model="text-translate", text="x", to="Spanish", max_amount=1), Quote)
    client.tasks.create(model=ModelId(name), prompt="x", shine=7)
    for model in client.models.list(object="video"):
        client.tasks.create(model=model, prompt="x")
        client.tasks.create(model=model.id, prompt="x")
    client.generate(
        model="text-prompt-enhance", prompt="x", for_="video", timeout=10, on_update=lambda each: each.wait()
    )
    parameters: VidDq3TurboParameters = {"prompt": "x", "seconds": 5}
    client.generate(model="vidDq3-turbo", **parameters)
    for each in client.tasks.list(status="completed"):
        assert_type(each, Task)
    client.usage.get(by=["day", "model"])
    unwrap_webhook(b"", Message(), "")
    event = client.webhooks.unwrap(b"", Message(), "")
    if isinstance(event, TaskEvent):
        assert_type(event.data, Task)


async def accepted_asynchronously(client: AsyncFramegate) -> None:
    task = await client.generate(model="vidDq3-turbo", prompt="a fox", simulate={"seconds": 1})
    assert_type(task, AsyncTask)
    assert_type(await task.read(), bytes)
    async for each in client.tasks.stream(task):
        assert_type(each, AsyncTask)
    page = await client.tasks.list()
    assert_type(page.items, list[AsyncTask])
    async for event in client.events.stream(types=["credits.low"]):
        assert_type(event.id, str)


def refused(client: Framegate, name: str) -> None:
    client.tasks.create(model="vidDq3-turbo", prompt="x", second=2)  # type: ignore[call-overload]  # pyright: ignore[reportArgumentType]
    client.tasks.create(model="vidDq3-turbo", prompt="x", resolution="4K")  # type: ignore[call-overload]  # pyright: ignore[reportCallIssue, reportArgumentType]
    client.tasks.create(model="vidDq3-turbo")  # type: ignore[call-overload]  # pyright: ignore[reportArgumentType]
    client.generate(model="imgA-5.0", prompt="x", seconds=2)  # type: ignore[call-overload]  # pyright: ignore[reportCallIssue, reportArgumentType]
    client.tasks.create(model=name, prompt="x")  # type: ignore[call-overload]  # pyright: ignore[reportCallIssue, reportArgumentType]
    client.tasks.quote(model="imgA-5.0", prompt="x", simulate={"outcome": "wonderful"})  # type: ignore[call-overload]  # pyright: ignore[reportCallIssue, reportArgumentType]
    client.tasks.list(status="done")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    client.tasks.list("queued")  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]


async def refused_asynchronously(client: AsyncFramegate) -> None:
    await client.generate(model="vidDq3-turbo", promt="x")  # type: ignore[call-overload]  # pyright: ignore[reportArgumentType]
