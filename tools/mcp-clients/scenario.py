"""The official client for Python, in both revisions of the protocol."""

import asyncio
import os
from uuid import uuid4

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

URL = os.environ["FRAMEGATE_URL"] + "/mcp"
HEADERS = {"Authorization": "Bearer " + os.environ["FRAMEGATE_API_KEY"]}
PIXEL = "data:image/png;base64," + os.environ["FRAMEGATE_IMAGE_BASE64"]


async def call_every_tool(mode: str) -> None:
    async with httpx2.AsyncClient(headers=HEADERS, timeout=60) as http:
        async with Client(streamable_http_client(URL, http_client=http), mode=mode) as client:
            tools = (await client.list_tools()).tools
            assert len(tools) == 10, tools

            async def structured(name: str, arguments: dict | None = None) -> dict:
                result = await client.call_tool(name, arguments or {})
                assert not result.is_error, result
                return result.structured_content

            models = await structured("list_models", {"kind": "video", "limit": 5})
            assert len(models["items"]) == 5
            assert (await structured("get_model", {"model": "imgA-5.0"}))["available"]
            assert (await structured("quote", {"model": "imgA-5.0", "prompt": "x"}))["amount"] > 0
            asset = await structured("upload_asset", {"url": PIXEL})
            reports = []

            async def on_progress(progress: float, total: float | None, message: str | None) -> None:
                reports.append(message)

            references = {"reference_images": ["asset:" + asset["id"]], "simulate": {"queued_seconds": 1}}
            made = await client.call_tool(
                "generate_image",
                {"model": "imgA-5.0", "prompt": f"a boat {uuid4()}", "parameters": references},
                progress_callback=on_progress,
            )
            assert [part.type for part in made.content] == ["text", "resource_link", "image"], made
            assert reports, "no progress was reported"
            # The task stays queued until it is cancelled.
            queued = {"simulate": {"queued_seconds": 60}}
            video = {"model": "vidC2Stable", "prompt": "a train", "parameters": queued, "wait_seconds": 0}
            task_id = (await structured("generate_video", video))["id"]
            assert (await structured("get_task", {"id": task_id}))["id"] == task_id
            assert (await structured("list_tasks", {"limit": 1}))["items"][0]["id"] == task_id
            assert (await structured("cancel_task", {"id": task_id}))["error_code"] == "cancelled"
            assert (await structured("get_balance"))["balance"] > 0
            wrong = await client.call_tool("get_task", {"id": "task_0"})
            assert wrong.is_error and "id must be the id of a task" in wrong.content[0].text, wrong


for mode in ("legacy", "auto"):
    asyncio.run(call_every_tool(mode))
