"""Checks the installed package: generates an image with one client, and reads it with the other."""

from __future__ import annotations

import asyncio
import platform
from importlib.metadata import requires, version
from importlib.resources import files

import framegate


def main() -> None:
    assert files(framegate).joinpath("py.typed").is_file()
    assert version("framegate") == framegate.__version__
    assert requires("framegate") == ["httpx<1,>=0.25"]
    with framegate.Framegate() as client:
        task = client.generate(model="imgA-5.0", prompt="a quiet lake")
        path = task.save("lake.png")
    assert path.read_bytes() == asyncio.run(read_again(task.id))
    print(f"Python {platform.python_version()}: the wheel works")


async def read_again(task_id: str) -> bytes:
    async with framegate.AsyncFramegate() as client:
        task = await client.tasks.get(task_id)
        statuses = [state.status async for state in task.stream()]
        assert statuses == ["completed"]
        return await task.read()


if __name__ == "__main__":
    main()
