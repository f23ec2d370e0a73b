"""What an application does with LiteLLM as a client."""

import base64
import os
import time

import litellm

at = {"api_base": os.environ["FRAMEGATE_URL"] + "/v1", "api_key": os.environ["FRAMEGATE_API_KEY"]}

images = litellm.image_generation(model="openai/imgA-5.0", prompt="a lake", **at)
assert base64.b64decode(images.data[0].b64_json)[1:4] == b"PNG"

video = litellm.video_generation(model="openai/vidC2Stable", prompt="a red fox in the snow", seconds="10", **at)
while video.status in ("queued", "in_progress"):
    time.sleep(0.5)
    video = litellm.video_status(video_id=video.id, **at)
assert video.status == "completed", video
assert litellm.video_content(video_id=video.id, **at)[4:8] == b"ftyp"
