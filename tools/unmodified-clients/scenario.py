"""Scenario of an application that uses OpenAI's client for Python. Both major versions run it."""

import base64
import os

import openai

from receive_webhook import receive_webhook

base_url = os.environ["FRAMEGATE_URL"] + "/v1"
key = os.environ["FRAMEGATE_API_KEY"]
client = openai.OpenAI(base_url=base_url, api_key=key)
# The smallest video, to save CPU time.
shortest = {"model": "vidDq3-turbo", "seconds": "1", "size": "960x540"}


def is_png(image) -> bool:
    return base64.b64decode(image.b64_json)[1:4] == b"PNG"


def count_videos() -> int:
    return len(client.videos.list(limit=100).data)


assert len(client.models.list().data) > 30
assert client.models.retrieve("vidK O3 Video Generation").object == "model"

with open(os.environ["FRAMEGATE_IMAGE"], "rb") as frame:
    video = client.videos.create_and_poll(
        **shortest,
        prompt="a red fox in the snow",
        input_reference=frame,
        poll_interval_ms=500,
    )
assert (video.status, video.seconds, video.size) == ("completed", "1", "960x540"), video
assert client.videos.download_content(video.id).content[4:8] == b"ftyp"
assert client.videos.download_content(video.id, variant="thumbnail").content[8:12] == b"WEBP"

second_video = client.videos.create(**shortest, prompt="a train")
listed = [item.id for item in client.videos.list(limit=1)]
assert listed[:2] == [second_video.id, video.id], listed
assert client.videos.delete(second_video.id).deleted
try:
    client.videos.retrieve(second_video.id)
    raise AssertionError("a deleted video was returned")
except openai.NotFoundError as error:
    assert error.code == "task_not_found", error
try:
    client.videos.create(**{**shortest, "size": "1x1"}, prompt="x")
    raise AssertionError("a wrong size was accepted")
except openai.BadRequestError as error:
    assert error.param == "size", error

images = client.images.generate(model="imgA-5.0", prompt="a lake", n=2)
assert [is_png(image) for image in images.data] == [True, True]
events = list(client.images.generate(model="imgA-5.0", prompt="a lake", stream=True))
assert [(event.type, is_png(event)) for event in events] == [("image_generation.completed", True)]
with open(os.environ["FRAMEGATE_IMAGE"], "rb") as frame:
    edited = client.images.edit(model="imgA-5.0", prompt="make it red", image=frame)
assert is_png(edited.data[0])

# The first response is cut. The client retries automatically and gets the first task.
videos_before = count_videos()
client_behind_cutter = openai.OpenAI(base_url=os.environ["FRAMEGATE_CUT_URL"] + "/v1", api_key=key)
assert client_behind_cutter.videos.create(**shortest, prompt="a response that is lost").object == "video"
assert count_videos() == videos_before + 1

# A webhook event for a video in the format of OpenAI's API.
body, headers, secret = receive_webhook("openai", lambda: client.videos.create(**shortest, prompt="a train"))
event = client.webhooks.unwrap(body, headers, secret=secret)
assert event.type == "video.completed", event
assert client.videos.retrieve(event.data.id).status == "completed"
try:
    client.webhooks.unwrap(body + b" ", headers, secret=secret)
    raise AssertionError("a wrong signature was accepted")
except openai.InvalidWebhookSignatureError:
    pass

# Chats: a complete response, a stream with and without usage, and a rejected request.
chat = {
    "model": os.environ["FRAMEGATE_CHAT_MODEL"],
    "messages": [{"role": "user", "content": "What color is the boat?"}],
}
assert client.chat.completions.create(**chat).choices[0].message.content == "The boat is red."
chunks = list(client.chat.completions.create(**chat, stream=True))
assert "".join(chunk.choices[0].delta.content or "" for chunk in chunks) == "The boat is red."
chunks = list(client.chat.completions.create(**chat, stream=True, stream_options={"include_usage": True}))
assert chunks[-1].usage.completion_tokens == 5, chunks[-1]
try:
    client.chat.completions.create(**chat, n=99)
    raise AssertionError("99 choices were accepted")
except openai.BadRequestError as error:
    assert error.param == "n", error

embedding = client.embeddings.create(model=os.environ["FRAMEGATE_EMBEDDING_MODEL"], input="a boat")
assert embedding.usage.prompt_tokens == 4, embedding
