"""Scenario of an application that uses LiteLLM as a client."""

import base64
import json
import os
import time

# LiteLLM would download a list of other services' prices.
os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"

import litellm


def task_id(video_id):
    """Returns the task id in a video id of LiteLLM, which also contains provider and model."""
    return base64.b64decode(video_id.removeprefix("video_")).decode().rsplit(":", 1)[1]


def try_service(service):
    at = {"api_base": service["FRAMEGATE_URL"] + "/v1", "api_key": service["FRAMEGATE_API_KEY"]}

    images = litellm.image_generation(model="openai/imgA-5.0", prompt="x", **at)
    assert base64.b64decode(images.data[0].b64_json)[1:4] == b"PNG"

    video = litellm.video_generation(model="openai/vidDq3-turbo", prompt="x", seconds="1", size="960x540", **at)
    while video.status in ("queued", "in_progress"):
        time.sleep(0.5)
        video = litellm.video_status(video_id=video.id, **at)
    assert video.status == "completed", video
    assert litellm.video_content(video_id=video.id, **at)[4:8] == b"ftyp"

    listed = litellm.video_list(custom_llm_provider="openai", limit=100, **at)
    assert task_id(video.id) in [task_id(item["id"]) for item in listed["data"]], listed

    chat = {
        "model": "openai/" + service["FRAMEGATE_CHAT_MODEL"],
        "messages": [{"role": "user", "content": "What color is the boat?"}],
        **at,
    }
    assert litellm.completion(**chat).choices[0].message.content == "The boat is red."
    words = [chunk.choices[0].delta.content or "" for chunk in litellm.completion(**chat, stream=True)]
    assert "".join(words) == "The boat is red.", words

    embedding = litellm.embedding(model="openai/" + service["FRAMEGATE_EMBEDDING_MODEL"], input=["a boat"], **at)
    assert embedding.usage.prompt_tokens == 4, embedding


for service in json.loads(os.environ["FRAMEGATE_SERVICES"]):
    try_service(service)
