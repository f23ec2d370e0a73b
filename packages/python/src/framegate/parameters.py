"""
Parameters that a request to each model may have, and the calls that take them.

Generated from the catalogue by `node tools/write-python-parameter-types.ts`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, Protocol, TypedDict, TypeVar, overload

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from typing_extensions import Required, Unpack

    from ._core.wait import WaitMode
    from .inputs import MediaInput
    from .simulation import Simulation
    from .types import Model, ModelId

ResultT_co = TypeVar("ResultT_co", covariant=True)
TaskT_co = TypeVar("TaskT_co", covariant=True)


class TaskOptions(TypedDict, total=False):
    """Fields that a request to any model may have."""

    max_amount: float | None
    """Maximum price in credits. A task that costs more is rejected. Default: no limit."""
    improve_prompt: bool | None
    """Whether to improve the prompt of an image or video first, at the price of `text-prompt-enhance`. Default: false."""
    webhook_url: str | None
    """Public https URL that receives an event when the task ends. Default: none."""
    simulate: Simulation | None
    """Simulates failures, delays and broken downloads, for testing your program. Default: none."""


class ImgA50ProParameters(TaskOptions, total=False):
    """imgA_5.0Pro: Images from a prompt and up to ten reference images, in higher quality. Invocable only after an operator has enabled it for the brand."""

    prompt: Required[str]
    """Description of the result. 1 to 5000 characters."""
    reference_images: Sequence[MediaInput] | None
    """Images of subjects that must appear in the result, 0 to 10."""
    aspect_ratio: Literal["1:1", "3:4", "4:3", "16:9", "9:16", "3:2", "2:3", "21:9"] | None
    """Ratio of width to height of the result. Default: 1:1."""
    resolution: Literal["1K", "2K"] | None
    """Size of the result. Default: 1K."""
    watermark: bool | None
    """Adds a watermark of the provider or the platform if true. Default: false."""


class ImgA50Parameters(TaskOptions, total=False):
    """imgA-5.0: Images from a prompt and up to ten reference images."""

    prompt: Required[str]
    """Description of the result. 1 to 5000 characters."""
    negative_prompt: str | None
    """Description of content that must not appear. 0 to 5000 characters."""
    reference_images: Sequence[MediaInput] | None
    """Images of subjects that must appear in the result, 0 to 10."""
    aspect_ratio: Literal["1:1", "3:4", "4:3", "16:9", "9:16", "3:2", "2:3", "21:9"] | None
    """Ratio of width to height of the result. Default: 1:1."""
    resolution: Literal["1K", "2K"] | None
    """Size of the result. Default: 1K."""
    seed: int | None
    """Seed. Requests with the same seed and parameters should give the same result. Default: chosen when the task runs. 0 to 4294967295."""
    watermark: bool | None
    """Adds a watermark of the provider or the platform if true. Default: false."""


class Sd25DiscountV1Parameters(TaskOptions, total=False):
    """sd_2.5_discount_v1: The newest generation at the lowest price, with longer waits at busy hours."""

    prompt: Required[str]
    """Description of the result. 1 to 5000 characters."""
    negative_prompt: str | None
    """Description of content that must not appear. 0 to 5000 characters."""
    reference_images: Sequence[MediaInput] | None
    """Images of subjects that must appear in the result, 0 to 9."""
    first_frame: MediaInput | None
    """The image that the video starts with. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB."""
    last_frame: MediaInput | None
    """The image that the video ends with. Requires first_frame. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB."""
    aspect_ratio: Literal["1:1", "3:4", "4:3", "16:9", "9:16", "3:2", "2:3", "21:9"] | None
    """Ratio of width to height of the result. Default: 16:9."""
    resolution: Literal["480p", "720p", "1080p"] | None
    """Size of the result. Default: 720p."""
    seconds: int | None
    """Length of the video in whole seconds. 4 to 30. Default: 5."""
    audio: bool | None
    """Adds a sound track if true. Default: false."""
    seed: int | None
    """Seed. Requests with the same seed and parameters should give the same result. Default: chosen when the task runs. 0 to 4294967295."""
    watermark: bool | None
    """Adds a watermark of the provider or the platform if true. Default: false."""


class Sd25SpecialV1Parameters(TaskOptions, total=False):
    """sd_2.5_special_v1: The newest generation, with priority."""

    prompt: Required[str]
    """Description of the result. 1 to 5000 characters."""
    negative_prompt: str | None
    """Description of content that must not appear. 0 to 5000 characters."""
    reference_images: Sequence[MediaInput] | None
    """Images of subjects that must appear in the result, 0 to 9."""
    first_frame: MediaInput | None
    """The image that the video starts with. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB."""
    last_frame: MediaInput | None
    """The image that the video ends with. Requires first_frame. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB."""
    aspect_ratio: Literal["1:1", "3:4", "4:3", "16:9", "9:16", "3:2", "2:3", "21:9"] | None
    """Ratio of width to height of the result. Default: 16:9."""
    resolution: Literal["480p", "720p", "1080p"] | None
    """Size of the result. Default: 720p."""
    seconds: int | None
    """Length of the video in whole seconds. 4 to 30. Default: 5."""
    audio: bool | None
    """Adds a sound track if true. Default: false."""
    seed: int | None
    """Seed. Requests with the same seed and parameters should give the same result. Default: chosen when the task runs. 0 to 4294967295."""
    watermark: bool | None
    """Adds a watermark of the provider or the platform if true. Default: false."""


class Sd20FastSpecialParameters(TaskOptions, total=False):
    """sd_2.0_fast_special: Quick drafts up to 720p, with priority."""

    prompt: Required[str]
    """Description of the result. 1 to 5000 characters."""
    negative_prompt: str | None
    """Description of content that must not appear. 0 to 5000 characters."""
    reference_images: Sequence[MediaInput] | None
    """Images of subjects that must appear in the result, 0 to 9."""
    first_frame: MediaInput | None
    """The image that the video starts with. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB."""
    last_frame: MediaInput | None
    """The image that the video ends with. Requires first_frame. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB."""
    aspect_ratio: Literal["1:1", "3:4", "4:3", "16:9", "9:16", "3:2", "2:3", "21:9"] | None
    """Ratio of width to height of the result. Default: 16:9."""
    resolution: Literal["480p", "720p"] | None
    """Size of the result. Default: 720p."""
    seconds: int | None
    """Length of the video in whole seconds. 4 to 15. Default: 5."""
    audio: bool | None
    """Adds a sound track if true. Default: false."""
    seed: int | None
    """Seed. Requests with the same seed and parameters should give the same result. Default: chosen when the task runs. 0 to 4294967295."""
    watermark: bool | None
    """Adds a watermark of the provider or the platform if true. Default: false."""


class Sd20MiniSpecialParameters(TaskOptions, total=False):
    """sd_2.0_mini_special: The smallest model of its generation, up to 720p, with priority."""

    prompt: Required[str]
    """Description of the result. 1 to 5000 characters."""
    negative_prompt: str | None
    """Description of content that must not appear. 0 to 5000 characters."""
    reference_images: Sequence[MediaInput] | None
    """Images of subjects that must appear in the result, 0 to 9."""
    first_frame: MediaInput | None
    """The image that the video starts with. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB."""
    last_frame: MediaInput | None
    """The image that the video ends with. Requires first_frame. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB."""
    aspect_ratio: Literal["1:1", "3:4", "4:3", "16:9", "9:16", "3:2", "2:3", "21:9"] | None
    """Ratio of width to height of the result. Default: 16:9."""
    resolution: Literal["480p", "720p"] | None
    """Size of the result. Default: 720p."""
    seconds: int | None
    """Length of the video in whole seconds. 4 to 15. Default: 5."""
    audio: bool | None
    """Adds a sound track if true. Default: false."""
    seed: int | None
    """Seed. Requests with the same seed and parameters should give the same result. Default: chosen when the task runs. 0 to 4294967295."""
    watermark: bool | None
    """Adds a watermark of the provider or the platform if true. Default: false."""


class Sd20SpecialParameters(TaskOptions, total=False):
    """sd_2.0_special: The full model of its generation, with priority."""

    prompt: Required[str]
    """Description of the result. 1 to 5000 characters."""
    negative_prompt: str | None
    """Description of content that must not appear. 0 to 5000 characters."""
    reference_images: Sequence[MediaInput] | None
    """Images of subjects that must appear in the result, 0 to 9."""
    first_frame: MediaInput | None
    """The image that the video starts with. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB."""
    last_frame: MediaInput | None
    """The image that the video ends with. Requires first_frame. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB."""
    aspect_ratio: Literal["1:1", "3:4", "4:3", "16:9", "9:16", "3:2", "2:3", "21:9"] | None
    """Ratio of width to height of the result. Default: 16:9."""
    resolution: Literal["480p", "720p", "1080p"] | None
    """Size of the result. Default: 720p."""
    seconds: int | None
    """Length of the video in whole seconds. 4 to 15. Default: 5."""
    audio: bool | None
    """Adds a sound track if true. Default: false."""
    seed: int | None
    """Seed. Requests with the same seed and parameters should give the same result. Default: chosen when the task runs. 0 to 4294967295."""
    watermark: bool | None
    """Adds a watermark of the provider or the platform if true. Default: false."""


class Sd20DiscountParameters(TaskOptions, total=False):
    """sd_2.0_discount: The full model of its generation at the lowest price, with longer waits at busy hours."""

    prompt: Required[str]
    """Description of the result. 1 to 5000 characters."""
    negative_prompt: str | None
    """Description of content that must not appear. 0 to 5000 characters."""
    reference_images: Sequence[MediaInput] | None
    """Images of subjects that must appear in the result, 0 to 9."""
    first_frame: MediaInput | None
    """The image that the video starts with. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB."""
    last_frame: MediaInput | None
    """The image that the video ends with. Requires first_frame. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB."""
    aspect_ratio: Literal["1:1", "3:4", "4:3", "16:9", "9:16", "3:2", "2:3", "21:9"] | None
    """Ratio of width to height of the result. Default: 16:9."""
    resolution: Literal["480p", "720p", "1080p"] | None
    """Size of the result. Default: 720p."""
    seconds: int | None
    """Length of the video in whole seconds. 4 to 15. Default: 5."""
    audio: bool | None
    """Adds a sound track if true. Default: false."""
    seed: int | None
    """Seed. Requests with the same seed and parameters should give the same result. Default: chosen when the task runs. 0 to 4294967295."""
    watermark: bool | None
    """Adds a watermark of the provider or the platform if true. Default: false."""


class Sd20FastDiscountParameters(TaskOptions, total=False):
    """sd_2.0_fast_discount: Quick drafts up to 720p at the lowest price."""

    prompt: Required[str]
    """Description of the result. 1 to 5000 characters."""
    negative_prompt: str | None
    """Description of content that must not appear. 0 to 5000 characters."""
    reference_images: Sequence[MediaInput] | None
    """Images of subjects that must appear in the result, 0 to 9."""
    first_frame: MediaInput | None
    """The image that the video starts with. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB."""
    last_frame: MediaInput | None
    """The image that the video ends with. Requires first_frame. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB."""
    aspect_ratio: Literal["1:1", "3:4", "4:3", "16:9", "9:16", "3:2", "2:3", "21:9"] | None
    """Ratio of width to height of the result. Default: 16:9."""
    resolution: Literal["480p", "720p"] | None
    """Size of the result. Default: 720p."""
    seconds: int | None
    """Length of the video in whole seconds. 4 to 15. Default: 5."""
    audio: bool | None
    """Adds a sound track if true. Default: false."""
    seed: int | None
    """Seed. Requests with the same seed and parameters should give the same result. Default: chosen when the task runs. 0 to 4294967295."""
    watermark: bool | None
    """Adds a watermark of the provider or the platform if true. Default: false."""


class Sd20MiniDiscountParameters(TaskOptions, total=False):
    """sd_2.0_mini_discount: The smallest and cheapest model of its generation, up to 720p."""

    prompt: Required[str]
    """Description of the result. 1 to 5000 characters."""
    negative_prompt: str | None
    """Description of content that must not appear. 0 to 5000 characters."""
    reference_images: Sequence[MediaInput] | None
    """Images of subjects that must appear in the result, 0 to 9."""
    first_frame: MediaInput | None
    """The image that the video starts with. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB."""
    last_frame: MediaInput | None
    """The image that the video ends with. Requires first_frame. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB."""
    aspect_ratio: Literal["1:1", "3:4", "4:3", "16:9", "9:16", "3:2", "2:3", "21:9"] | None
    """Ratio of width to height of the result. Default: 16:9."""
    resolution: Literal["480p", "720p"] | None
    """Size of the result. Default: 720p."""
    seconds: int | None
    """Length of the video in whole seconds. 4 to 15. Default: 5."""
    audio: bool | None
    """Adds a sound track if true. Default: false."""
    seed: int | None
    """Seed. Requests with the same seed and parameters should give the same result. Default: chosen when the task runs. 0 to 4294967295."""
    watermark: bool | None
    """Adds a watermark of the provider or the platform if true. Default: false."""


class VidMH39331080pParameters(TaskOptions, total=False):
    """vidM-H3_933_1080p: Videos at 1080p from a prompt, frames or up to nine reference images."""

    prompt: Required[str]
    """Description of the result. 1 to 5000 characters."""
    reference_images: Sequence[MediaInput] | None
    """Images of subjects that must appear in the result, 0 to 9."""
    first_frame: MediaInput | None
    """The image that the video starts with. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB."""
    last_frame: MediaInput | None
    """The image that the video ends with. Requires first_frame. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB."""
    aspect_ratio: Literal["1:1", "3:4", "4:3", "16:9", "9:16", "3:2", "2:3", "21:9"] | None
    """Ratio of width to height of the result. Default: 16:9."""
    resolution: Literal["1080p"] | None
    """Always 1080p, as in the Model ID. Default: 1080p."""
    seconds: int | None
    """Length of the video in whole seconds. 4 to 15. Default: 5."""
    seed: int | None
    """Seed. Requests with the same seed and parameters should give the same result. Default: chosen when the task runs. 0 to 4294967295."""
    watermark: bool | None
    """Adds a watermark of the provider or the platform if true. Default: false."""


class VidMH32KC1Parameters(TaskOptions, total=False):
    """vidM-H3-2K-c1: Videos at 2K from a prompt or frames."""

    prompt: Required[str]
    """Description of the result. 1 to 5000 characters."""
    first_frame: MediaInput | None
    """The image that the video starts with. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB."""
    last_frame: MediaInput | None
    """The image that the video ends with. Requires first_frame. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB."""
    aspect_ratio: Literal["1:1", "3:4", "4:3", "16:9", "9:16", "3:2", "2:3", "21:9"] | None
    """Ratio of width to height of the result. Default: 16:9."""
    resolution: Literal["2K"] | None
    """Always 2K, as in the Model ID. Default: 2K."""
    seconds: int | None
    """Length of the video in whole seconds. 4 to 15. Default: 5."""
    seed: int | None
    """Seed. Requests with the same seed and parameters should give the same result. Default: chosen when the task runs. 0 to 4294967295."""
    watermark: bool | None
    """Adds a watermark of the provider or the platform if true. Default: false."""


class VidMH3768pParameters(TaskOptions, total=False):
    """vidM-H3-768p: Videos at 768p from a prompt or frames."""

    prompt: Required[str]
    """Description of the result. 1 to 5000 characters."""
    first_frame: MediaInput | None
    """The image that the video starts with. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB."""
    last_frame: MediaInput | None
    """The image that the video ends with. Requires first_frame. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB."""
    aspect_ratio: Literal["1:1", "3:4", "4:3", "16:9", "9:16", "3:2", "2:3", "21:9"] | None
    """Ratio of width to height of the result. Default: 16:9."""
    resolution: Literal["768p"] | None
    """Always 768p, as in the Model ID. Default: 768p."""
    seconds: int | None
    """Length of the video in whole seconds. 4 to 15. Default: 5."""
    seed: int | None
    """Seed. Requests with the same seed and parameters should give the same result. Default: chosen when the task runs. 0 to 4294967295."""
    watermark: bool | None
    """Adds a watermark of the provider or the platform if true. Default: false."""


class VidMH3768pC2Parameters(TaskOptions, total=False):
    """vidM-H3-768p-c2: Videos at 768p from a prompt or frames, through the second channel."""

    prompt: Required[str]
    """Description of the result. 1 to 5000 characters."""
    first_frame: MediaInput | None
    """The image that the video starts with. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB."""
    last_frame: MediaInput | None
    """The image that the video ends with. Requires first_frame. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB."""
    aspect_ratio: Literal["1:1", "3:4", "4:3", "16:9", "9:16", "3:2", "2:3", "21:9"] | None
    """Ratio of width to height of the result. Default: 16:9."""
    resolution: Literal["768p"] | None
    """Always 768p, as in the Model ID. Default: 768p."""
    seconds: int | None
    """Length of the video in whole seconds. 4 to 15. Default: 5."""
    seed: int | None
    """Seed. Requests with the same seed and parameters should give the same result. Default: chosen when the task runs. 0 to 4294967295."""
    watermark: bool | None
    """Adds a watermark of the provider or the platform if true. Default: false."""


class Videos25301010C5Parameters(TaskOptions, total=False):
    """videos_2.5_30_10_10_c5: Long videos from a prompt, frames or up to ten reference images and ten reference videos, newer generation."""

    prompt: Required[str]
    """Description of the result. 1 to 5000 characters."""
    reference_images: Sequence[MediaInput] | None
    """Images of subjects that must appear in the result, 0 to 10."""
    first_frame: MediaInput | None
    """The image that the video starts with. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB."""
    last_frame: MediaInput | None
    """The image that the video ends with. Requires first_frame. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB."""
    reference_videos: Sequence[MediaInput] | None
    """Reference videos, 0 to 10, at most 30 seconds together. In a prompt they are Video 1, Video 2 and so on."""
    aspect_ratio: Literal["1:1", "3:4", "4:3", "16:9", "9:16", "3:2", "2:3", "21:9"] | None
    """Ratio of width to height of the result. Default: 16:9."""
    resolution: Literal["480p", "720p", "1080p"] | None
    """Size of the result. Default: 720p."""
    seconds: int | None
    """Length of the video in whole seconds. 4 to 30. Default: 5."""
    audio: bool | None
    """Adds a sound track if true. Default: false."""
    seed: int | None
    """Seed. Requests with the same seed and parameters should give the same result. Default: chosen when the task runs. 0 to 4294967295."""
    watermark: bool | None
    """Adds a watermark of the provider or the platform if true. Default: false."""


class Videos301010C3Parameters(TaskOptions, total=False):
    """videos_30_10_10_c3: Long videos from a prompt, frames or up to ten reference images and ten reference videos."""

    prompt: Required[str]
    """Description of the result. 1 to 5000 characters."""
    reference_images: Sequence[MediaInput] | None
    """Images of subjects that must appear in the result, 0 to 10."""
    first_frame: MediaInput | None
    """The image that the video starts with. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB."""
    last_frame: MediaInput | None
    """The image that the video ends with. Requires first_frame. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB."""
    reference_videos: Sequence[MediaInput] | None
    """Reference videos, 0 to 10, at most 30 seconds together. In a prompt they are Video 1, Video 2 and so on."""
    aspect_ratio: Literal["1:1", "3:4", "4:3", "16:9", "9:16", "3:2", "2:3", "21:9"] | None
    """Ratio of width to height of the result. Default: 16:9."""
    resolution: Literal["480p", "720p", "1080p"] | None
    """Size of the result. Default: 720p."""
    seconds: int | None
    """Length of the video in whole seconds. 4 to 30. Default: 5."""
    audio: bool | None
    """Adds a sound track if true. Default: false."""
    seed: int | None
    """Seed. Requests with the same seed and parameters should give the same result. Default: chosen when the task runs. 0 to 4294967295."""
    watermark: bool | None
    """Adds a watermark of the provider or the platform if true. Default: false."""


class VidH11V2ImageToVideoParameters(TaskOptions, total=False):
    """vidH 1.1 v2 Image To Video: Videos from one image."""

    prompt: Required[str]
    """Description of the result. 1 to 5000 characters."""
    first_frame: Required[MediaInput]
    """The image that the video starts with. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB."""
    aspect_ratio: Literal["1:1", "3:4", "4:3", "16:9", "9:16", "3:2", "2:3", "21:9"] | None
    """Ratio of width to height of the result. Default: 16:9."""
    resolution: Literal["720p", "1080p"] | None
    """Size of the result. Default: 720p."""
    seconds: int | None
    """Length of the video in whole seconds. 3 to 15. Default: 5."""
    audio: bool | None
    """Adds a sound track if true. Default: false."""
    seed: int | None
    """Seed. Requests with the same seed and parameters should give the same result. Default: chosen when the task runs. 0 to 4294967295."""
    watermark: bool | None
    """Adds a watermark of the provider or the platform if true. Default: false."""


class VidH11V2ReferenceRawVideoParameters(TaskOptions, total=False):
    """vidH 1.1 v2 Reference Raw Video: Videos of a new scene with the people and objects of one to nine reference images and up to three reference videos."""

    prompt: Required[str]
    """Description of the result. 1 to 5000 characters."""
    reference_images: Required[Sequence[MediaInput]]
    """Images of subjects that must appear in the result, 1 to 9."""
    reference_videos: Sequence[MediaInput] | None
    """Reference videos, 0 to 3, at most 15 seconds each. In a prompt they are Video 1, Video 2 and so on."""
    aspect_ratio: Literal["1:1", "3:4", "4:3", "16:9", "9:16", "3:2", "2:3", "21:9"] | None
    """Ratio of width to height of the result. Default: 16:9."""
    resolution: Literal["720p", "1080p"] | None
    """Size of the result. Default: 720p."""
    seconds: int | None
    """Length of the video in whole seconds. 3 to 15. Default: 5."""
    audio: bool | None
    """Adds a sound track if true. Default: false."""
    seed: int | None
    """Seed. Requests with the same seed and parameters should give the same result. Default: chosen when the task runs. 0 to 4294967295."""
    watermark: bool | None
    """Adds a watermark of the provider or the platform if true. Default: false."""


class VidH11V2TextToVideoParameters(TaskOptions, total=False):
    """vidH 1.1 v2 Text To Video: Videos from a prompt alone."""

    prompt: Required[str]
    """Description of the result. 1 to 5000 characters."""
    aspect_ratio: Literal["1:1", "3:4", "4:3", "16:9", "9:16", "3:2", "2:3", "21:9"] | None
    """Ratio of width to height of the result. Default: 16:9."""
    resolution: Literal["720p", "1080p"] | None
    """Size of the result. Default: 720p."""
    seconds: int | None
    """Length of the video in whole seconds. 3 to 15. Default: 5."""
    audio: bool | None
    """Adds a sound track if true. Default: false."""
    seed: int | None
    """Seed. Requests with the same seed and parameters should give the same result. Default: chosen when the task runs. 0 to 4294967295."""
    watermark: bool | None
    """Adds a watermark of the provider or the platform if true. Default: false."""


class VidW30PrimeR2vC1Parameters(TaskOptions, total=False):
    """vidW3.0-prime-r2v-c1: Videos of a new scene with the content of one to nine reference images and up to three reference videos, in higher quality."""

    prompt: Required[str]
    """Description of the result. 1 to 5000 characters."""
    negative_prompt: str | None
    """Description of content that must not appear. 0 to 5000 characters."""
    reference_images: Required[Sequence[MediaInput]]
    """Images of subjects that must appear in the result, 1 to 9."""
    reference_videos: Sequence[MediaInput] | None
    """Reference videos, 0 to 3, at most 30 seconds each. In a prompt they are Video 1, Video 2 and so on."""
    aspect_ratio: Literal["1:1", "3:4", "4:3", "16:9", "9:16", "3:2", "2:3", "21:9"] | None
    """Ratio of width to height of the result. Default: 16:9."""
    resolution: Literal["720p", "1080p"] | None
    """Size of the result. Default: 720p."""
    seconds: int | None
    """Length of the video in whole seconds. 2 to 15. Default: 5."""
    audio: bool | None
    """Adds a sound track if true. Default: false."""
    seed: int | None
    """Seed. Requests with the same seed and parameters should give the same result. Default: chosen when the task runs. 0 to 4294967295."""
    watermark: bool | None
    """Adds a watermark of the provider or the platform if true. Default: false."""


class VidW30VideoR2vC2Parameters(TaskOptions, total=False):
    """vidW3.0-video-r2v-c2: Videos of a new scene with the content of one to nine reference images and up to three reference videos."""

    prompt: Required[str]
    """Description of the result. 1 to 5000 characters."""
    negative_prompt: str | None
    """Description of content that must not appear. 0 to 5000 characters."""
    reference_images: Required[Sequence[MediaInput]]
    """Images of subjects that must appear in the result, 1 to 9."""
    reference_videos: Sequence[MediaInput] | None
    """Reference videos, 0 to 3, at most 30 seconds each. In a prompt they are Video 1, Video 2 and so on."""
    aspect_ratio: Literal["1:1", "3:4", "4:3", "16:9", "9:16", "3:2", "2:3", "21:9"] | None
    """Ratio of width to height of the result. Default: 16:9."""
    resolution: Literal["720p", "1080p"] | None
    """Size of the result. Default: 720p."""
    seconds: int | None
    """Length of the video in whole seconds. 2 to 15. Default: 5."""
    audio: bool | None
    """Adds a sound track if true. Default: false."""
    seed: int | None
    """Seed. Requests with the same seed and parameters should give the same result. Default: chosen when the task runs. 0 to 4294967295."""
    watermark: bool | None
    """Adds a watermark of the provider or the platform if true. Default: false."""


class VidKO3VideoGenerationParameters(TaskOptions, total=False):
    """vidK O3 Video Generation: Videos from a prompt, frames or up to seven reference images."""

    prompt: Required[str]
    """Description of the result. 1 to 5000 characters."""
    negative_prompt: str | None
    """Description of content that must not appear. 0 to 5000 characters."""
    reference_images: Sequence[MediaInput] | None
    """Images of subjects that must appear in the result, 0 to 7."""
    first_frame: MediaInput | None
    """The image that the video starts with. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB."""
    last_frame: MediaInput | None
    """The image that the video ends with. Requires first_frame. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB."""
    aspect_ratio: Literal["1:1", "3:4", "4:3", "16:9", "9:16", "3:2", "2:3", "21:9"] | None
    """Ratio of width to height of the result. Default: 16:9."""
    resolution: Literal["720p", "1080p"] | None
    """Size of the result. Default: 720p."""
    seconds: int | None
    """Length of the video in whole seconds. 3 to 15. Default: 5."""
    audio: bool | None
    """Adds a sound track if true. Default: false."""
    seed: int | None
    """Seed. Requests with the same seed and parameters should give the same result. Default: chosen when the task runs. 0 to 4294967295."""
    watermark: bool | None
    """Adds a watermark of the provider or the platform if true. Default: false."""


class VidB15Pro720pParameters(TaskOptions, total=False):
    """vidB_1_5_pro_720p: Videos of 5 to 10 seconds at 720p."""

    prompt: Required[str]
    """Description of the result. 1 to 5000 characters."""
    first_frame: MediaInput | None
    """The image that the video starts with. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB."""
    last_frame: MediaInput | None
    """The image that the video ends with. Requires first_frame. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB."""
    aspect_ratio: Literal["1:1", "3:4", "4:3", "16:9", "9:16", "3:2", "2:3", "21:9"] | None
    """Ratio of width to height of the result. Default: 16:9."""
    resolution: Literal["720p"] | None
    """Always 720p, as in the Model ID. Default: 720p."""
    seconds: int | None
    """Length of the video in whole seconds. 5 to 10. Default: 5."""
    audio: bool | None
    """Adds a sound track if true. Default: false."""
    seed: int | None
    """Seed. Requests with the same seed and parameters should give the same result. Default: chosen when the task runs. 0 to 4294967295."""
    watermark: bool | None
    """Adds a watermark of the provider or the platform if true. Default: false."""


class VidB15Pro1080pParameters(TaskOptions, total=False):
    """vidB_1_5_pro_1080p: Videos of 5 to 10 seconds at 1080p."""

    prompt: Required[str]
    """Description of the result. 1 to 5000 characters."""
    first_frame: MediaInput | None
    """The image that the video starts with. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB."""
    last_frame: MediaInput | None
    """The image that the video ends with. Requires first_frame. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB."""
    aspect_ratio: Literal["1:1", "3:4", "4:3", "16:9", "9:16", "3:2", "2:3", "21:9"] | None
    """Ratio of width to height of the result. Default: 16:9."""
    resolution: Literal["1080p"] | None
    """Always 1080p, as in the Model ID. Default: 1080p."""
    seconds: int | None
    """Length of the video in whole seconds. 5 to 10. Default: 5."""
    audio: bool | None
    """Adds a sound track if true. Default: false."""
    seed: int | None
    """Seed. Requests with the same seed and parameters should give the same result. Default: chosen when the task runs. 0 to 4294967295."""
    watermark: bool | None
    """Adds a watermark of the provider or the platform if true. Default: false."""


class VidB20Parameters(TaskOptions, total=False):
    """vidB_2_0: Videos from a prompt, frames or up to nine reference images."""

    prompt: Required[str]
    """Description of the result. 1 to 5000 characters."""
    reference_images: Sequence[MediaInput] | None
    """Images of subjects that must appear in the result, 0 to 9."""
    first_frame: MediaInput | None
    """The image that the video starts with. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB."""
    last_frame: MediaInput | None
    """The image that the video ends with. Requires first_frame. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB."""
    aspect_ratio: Literal["1:1", "3:4", "4:3", "16:9", "9:16", "3:2", "2:3", "21:9"] | None
    """Ratio of width to height of the result. Default: 16:9."""
    resolution: Literal["480p", "720p", "1080p"] | None
    """Size of the result. Default: 720p."""
    seconds: int | None
    """Length of the video in whole seconds. 4 to 15. Default: 5."""
    audio: bool | None
    """Adds a sound track if true. Default: false."""
    seed: int | None
    """Seed. Requests with the same seed and parameters should give the same result. Default: chosen when the task runs. 0 to 4294967295."""
    watermark: bool | None
    """Adds a watermark of the provider or the platform if true. Default: false."""


class VidB20FastParameters(TaskOptions, total=False):
    """vidB_2_0_fast: Quick videos up to 720p from a prompt, frames or up to nine reference images."""

    prompt: Required[str]
    """Description of the result. 1 to 5000 characters."""
    reference_images: Sequence[MediaInput] | None
    """Images of subjects that must appear in the result, 0 to 9."""
    first_frame: MediaInput | None
    """The image that the video starts with. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB."""
    last_frame: MediaInput | None
    """The image that the video ends with. Requires first_frame. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB."""
    aspect_ratio: Literal["1:1", "3:4", "4:3", "16:9", "9:16", "3:2", "2:3", "21:9"] | None
    """Ratio of width to height of the result. Default: 16:9."""
    resolution: Literal["480p", "720p"] | None
    """Size of the result. Default: 720p."""
    seconds: int | None
    """Length of the video in whole seconds. 4 to 15. Default: 5."""
    audio: bool | None
    """Adds a sound track if true. Default: false."""
    seed: int | None
    """Seed. Requests with the same seed and parameters should give the same result. Default: chosen when the task runs. 0 to 4294967295."""
    watermark: bool | None
    """Adds a watermark of the provider or the platform if true. Default: false."""


class VidB20ProParameters(TaskOptions, total=False):
    """vidB_2_0_pro: Videos in higher quality from a prompt, frames or up to nine reference images."""

    prompt: Required[str]
    """Description of the result. 1 to 5000 characters."""
    reference_images: Sequence[MediaInput] | None
    """Images of subjects that must appear in the result, 0 to 9."""
    first_frame: MediaInput | None
    """The image that the video starts with. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB."""
    last_frame: MediaInput | None
    """The image that the video ends with. Requires first_frame. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB."""
    aspect_ratio: Literal["1:1", "3:4", "4:3", "16:9", "9:16", "3:2", "2:3", "21:9"] | None
    """Ratio of width to height of the result. Default: 16:9."""
    resolution: Literal["480p", "720p", "1080p"] | None
    """Size of the result. Default: 720p."""
    seconds: int | None
    """Length of the video in whole seconds. 4 to 15. Default: 5."""
    audio: bool | None
    """Adds a sound track if true. Default: false."""
    seed: int | None
    """Seed. Requests with the same seed and parameters should give the same result. Default: chosen when the task runs. 0 to 4294967295."""
    watermark: bool | None
    """Adds a watermark of the provider or the platform if true. Default: false."""


class VidB20FastProParameters(TaskOptions, total=False):
    """vidB_2_0_fast_pro: Videos in higher quality, generated faster, up to 720p."""

    prompt: Required[str]
    """Description of the result. 1 to 5000 characters."""
    reference_images: Sequence[MediaInput] | None
    """Images of subjects that must appear in the result, 0 to 9."""
    first_frame: MediaInput | None
    """The image that the video starts with. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB."""
    last_frame: MediaInput | None
    """The image that the video ends with. Requires first_frame. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB."""
    aspect_ratio: Literal["1:1", "3:4", "4:3", "16:9", "9:16", "3:2", "2:3", "21:9"] | None
    """Ratio of width to height of the result. Default: 16:9."""
    resolution: Literal["480p", "720p"] | None
    """Size of the result. Default: 720p."""
    seconds: int | None
    """Length of the video in whole seconds. 4 to 15. Default: 5."""
    audio: bool | None
    """Adds a sound track if true. Default: false."""
    seed: int | None
    """Seed. Requests with the same seed and parameters should give the same result. Default: chosen when the task runs. 0 to 4294967295."""
    watermark: bool | None
    """Adds a watermark of the provider or the platform if true. Default: false."""


class VidC2StableParameters(TaskOptions, total=False):
    """vidC2Stable: Videos of 10 or 15 seconds."""

    prompt: Required[str]
    """Description of the result. 1 to 5000 characters."""
    first_frame: MediaInput | None
    """The image that the video starts with. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB."""
    aspect_ratio: Literal["1:1", "3:4", "4:3", "16:9", "9:16", "3:2", "2:3", "21:9"] | None
    """Ratio of width to height of the result. Default: 16:9."""
    resolution: Literal["720p", "1080p"] | None
    """Size of the result. Default: 720p."""
    seconds: Literal[10, 15] | None
    """Length of the video in whole seconds. Default: 10."""
    seed: int | None
    """Seed. Requests with the same seed and parameters should give the same result. Default: chosen when the task runs. 0 to 4294967295."""
    watermark: bool | None
    """Adds a watermark of the provider or the platform if true. Default: false."""


class VendorVidC2Parameters(TaskOptions, total=False):
    """vendorVidC2: Videos of 4, 8 or 12 seconds."""

    prompt: Required[str]
    """Description of the result. 1 to 5000 characters."""
    first_frame: MediaInput | None
    """The image that the video starts with. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB."""
    aspect_ratio: Literal["1:1", "3:4", "4:3", "16:9", "9:16", "3:2", "2:3", "21:9"] | None
    """Ratio of width to height of the result. Default: 16:9."""
    resolution: Literal["720p", "1080p"] | None
    """Size of the result. Default: 720p."""
    seconds: Literal[4, 8, 12] | None
    """Length of the video in whole seconds. Default: 4."""
    seed: int | None
    """Seed. Requests with the same seed and parameters should give the same result. Default: chosen when the task runs. 0 to 4294967295."""
    watermark: bool | None
    """Adds a watermark of the provider or the platform if true. Default: false."""


class VendorVidC2StableParameters(TaskOptions, total=False):
    """vendorVidC2Stable: Videos of 4, 8 or 12 seconds, with higher reliability."""

    prompt: Required[str]
    """Description of the result. 1 to 5000 characters."""
    first_frame: MediaInput | None
    """The image that the video starts with. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB."""
    aspect_ratio: Literal["1:1", "3:4", "4:3", "16:9", "9:16", "3:2", "2:3", "21:9"] | None
    """Ratio of width to height of the result. Default: 16:9."""
    resolution: Literal["720p", "1080p"] | None
    """Size of the result. Default: 720p."""
    seconds: Literal[4, 8, 12] | None
    """Length of the video in whole seconds. Default: 4."""
    seed: int | None
    """Seed. Requests with the same seed and parameters should give the same result. Default: chosen when the task runs. 0 to 4294967295."""
    watermark: bool | None
    """Adds a watermark of the provider or the platform if true. Default: false."""


class VendorVidC2PlusParameters(TaskOptions, total=False):
    """vendorVidC2Plus: Videos of 4, 8 or 12 seconds in higher quality."""

    prompt: Required[str]
    """Description of the result. 1 to 5000 characters."""
    first_frame: MediaInput | None
    """The image that the video starts with. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB."""
    aspect_ratio: Literal["1:1", "3:4", "4:3", "16:9", "9:16", "3:2", "2:3", "21:9"] | None
    """Ratio of width to height of the result. Default: 16:9."""
    resolution: Literal["720p", "1080p"] | None
    """Size of the result. Default: 720p."""
    seconds: Literal[4, 8, 12] | None
    """Length of the video in whole seconds. Default: 4."""
    seed: int | None
    """Seed. Requests with the same seed and parameters should give the same result. Default: chosen when the task runs. 0 to 4294967295."""
    watermark: bool | None
    """Adds a watermark of the provider or the platform if true. Default: false."""


class VidDq3ProParameters(TaskOptions, total=False):
    """vidDq3-pro: Videos of 1 to 16 seconds from a prompt or frames, in higher quality."""

    prompt: Required[str]
    """Description of the result. 1 to 5000 characters."""
    first_frame: MediaInput | None
    """The image that the video starts with. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB."""
    last_frame: MediaInput | None
    """The image that the video ends with. Requires first_frame. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB."""
    aspect_ratio: Literal["1:1", "3:4", "4:3", "16:9", "9:16", "3:2", "2:3", "21:9"] | None
    """Ratio of width to height of the result. Default: 16:9."""
    resolution: Literal["540p", "720p", "1080p"] | None
    """Size of the result. Default: 720p."""
    seconds: int | None
    """Length of the video in whole seconds. 1 to 16. Default: 5."""
    seed: int | None
    """Seed. Requests with the same seed and parameters should give the same result. Default: chosen when the task runs. 0 to 4294967295."""
    watermark: bool | None
    """Adds a watermark of the provider or the platform if true. Default: false."""


class VidDq3TurboParameters(TaskOptions, total=False):
    """vidDq3-turbo: Videos of 1 to 16 seconds from a prompt or frames, generated faster."""

    prompt: Required[str]
    """Description of the result. 1 to 5000 characters."""
    first_frame: MediaInput | None
    """The image that the video starts with. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB."""
    last_frame: MediaInput | None
    """The image that the video ends with. Requires first_frame. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB."""
    aspect_ratio: Literal["1:1", "3:4", "4:3", "16:9", "9:16", "3:2", "2:3", "21:9"] | None
    """Ratio of width to height of the result. Default: 16:9."""
    resolution: Literal["540p", "720p", "1080p"] | None
    """Size of the result. Default: 720p."""
    seconds: int | None
    """Length of the video in whole seconds. 1 to 16. Default: 5."""
    seed: int | None
    """Seed. Requests with the same seed and parameters should give the same result. Default: chosen when the task runs. 0 to 4294967295."""
    watermark: bool | None
    """Adds a watermark of the provider or the platform if true. Default: false."""


class VidGVideo3Parameters(TaskOptions, total=False):
    """vidG_video3: Videos of 6 to 30 seconds from a prompt, a first frame or up to seven reference images."""

    prompt: Required[str]
    """Description of the result. 1 to 5000 characters."""
    reference_images: Sequence[MediaInput] | None
    """Images of subjects that must appear in the result, 0 to 7."""
    first_frame: MediaInput | None
    """The image that the video starts with. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB."""
    aspect_ratio: Literal["1:1", "3:4", "4:3", "16:9", "9:16", "3:2", "2:3", "21:9"] | None
    """Ratio of width to height of the result. Default: 16:9."""
    resolution: Literal["480p", "720p"] | None
    """Size of the result. Default: 720p."""
    seconds: int | None
    """Length of the video in whole seconds. 6 to 30. Default: 6."""
    seed: int | None
    """Seed. Requests with the same seed and parameters should give the same result. Default: chosen when the task runs. 0 to 4294967295."""
    watermark: bool | None
    """Adds a watermark of the provider or the platform if true. Default: false."""


class VidGVideo3ProParameters(TaskOptions, total=False):
    """vidG_video3_pro: Videos of exactly 10 seconds at 720p from a prompt, a first frame or up to seven reference images."""

    prompt: Required[str]
    """Description of the result. 1 to 5000 characters."""
    reference_images: Sequence[MediaInput] | None
    """Images of subjects that must appear in the result, 0 to 7."""
    first_frame: MediaInput | None
    """The image that the video starts with. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB."""
    aspect_ratio: Literal["1:1", "3:4", "4:3", "16:9", "9:16", "3:2", "2:3", "21:9"] | None
    """Ratio of width to height of the result. Default: 16:9."""
    seconds: Literal[10] | None
    """Always 10 seconds. Default: 10."""
    seed: int | None
    """Seed. Requests with the same seed and parameters should give the same result. Default: chosen when the task runs. 0 to 4294967295."""
    watermark: bool | None
    """Adds a watermark of the provider or the platform if true. Default: false."""


class Veo31Parameters(TaskOptions, total=False):
    """veo-3.1: Videos of 4, 6 or 8 seconds from a prompt or frames, in higher quality."""

    prompt: Required[str]
    """Description of the result. 1 to 5000 characters."""
    negative_prompt: str | None
    """Description of content that must not appear. 0 to 5000 characters."""
    first_frame: MediaInput | None
    """The image that the video starts with. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB."""
    last_frame: MediaInput | None
    """The image that the video ends with. Requires first_frame. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB."""
    aspect_ratio: Literal["1:1", "3:4", "4:3", "16:9", "9:16", "3:2", "2:3", "21:9"] | None
    """Ratio of width to height of the result. Default: 16:9."""
    resolution: Literal["720p", "1080p"] | None
    """Size of the result. Default: 720p."""
    seconds: Literal[8, 4, 6] | None
    """Length of the video in whole seconds. Default: 8."""
    audio: bool | None
    """Adds a sound track if true. Default: false."""
    seed: int | None
    """Seed. Requests with the same seed and parameters should give the same result. Default: chosen when the task runs. 0 to 4294967295."""
    watermark: bool | None
    """Adds a watermark of the provider or the platform if true. Default: false."""


class Veo31FastParameters(TaskOptions, total=False):
    """veo-3.1-fast: Videos of 4, 6 or 8 seconds from a prompt or frames, generated faster."""

    prompt: Required[str]
    """Description of the result. 1 to 5000 characters."""
    negative_prompt: str | None
    """Description of content that must not appear. 0 to 5000 characters."""
    first_frame: MediaInput | None
    """The image that the video starts with. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB."""
    last_frame: MediaInput | None
    """The image that the video ends with. Requires first_frame. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB."""
    aspect_ratio: Literal["1:1", "3:4", "4:3", "16:9", "9:16", "3:2", "2:3", "21:9"] | None
    """Ratio of width to height of the result. Default: 16:9."""
    resolution: Literal["720p", "1080p"] | None
    """Size of the result. Default: 720p."""
    seconds: Literal[8, 4, 6] | None
    """Length of the video in whole seconds. Default: 8."""
    audio: bool | None
    """Adds a sound track if true. Default: false."""
    seed: int | None
    """Seed. Requests with the same seed and parameters should give the same result. Default: chosen when the task runs. 0 to 4294967295."""
    watermark: bool | None
    """Adds a watermark of the provider or the platform if true. Default: false."""


class TextPromptEnhanceParameters(TaskOptions, total=False):
    """text-prompt-enhance: A prompt with more detail: the subject as given, with its place, light, season, camera and style."""

    prompt: Required[str]
    """The prompt to enhance. 1 to 5000 characters."""
    for_: Literal["image", "video"] | None
    """What the prompt is for. A prompt for a video also has a camera move. Default: image."""
    style: str | None
    """Style of the result, such as `watercolor` or `film noir`. Default: one that fits the prompt. 1 to 100 characters."""


class TextStoryboardParameters(TaskOptions, total=False):
    """text-storyboard: A numbered list of shots for an idea. Each shot has a duration and a prompt for a video model."""

    prompt: Required[str]
    """The idea to divide into shots. 1 to 5000 characters."""
    shots: int | None
    """Number of shots. 2 to 20. Default: 6."""


class TextTranslateParameters(TaskOptions, total=False):
    """text-translate: A translation of a text. Requires a route to a provider."""

    text: Required[str]
    """The text to translate. 1 to 10000 characters."""
    to: Required[str]
    """The language of the result: its English name or its tag, such as `Spanish` or `pt-BR`. 2 to 60 characters."""


class TextCaptionParameters(TaskOptions, total=False):
    """text-caption: A description of an image, which can be used as a prompt. Requires a route to a provider."""

    image: Required[MediaInput]
    """The image to describe. An http or https URL of at most 2048 characters, `asset:` followed by the id of an asset, or a data URI of a PNG, JPEG, WebP, AVIF or GIF image in padded base64 without line breaks. The data URIs of a request together may have at most 12 MiB."""


class CreateTask(Protocol[ResultT_co]):
    """Submits a task. Within 24 hours, a call with the same `idempotency_key` returns the same task."""

    @overload
    def __call__(self, *, model: Literal["imgA_5.0Pro"], idempotency_key: str | None = None, **parameters: Unpack[ImgA50ProParameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["imgA-5.0"], idempotency_key: str | None = None, **parameters: Unpack[ImgA50Parameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["sd_2.5_discount_v1"], idempotency_key: str | None = None, **parameters: Unpack[Sd25DiscountV1Parameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["sd_2.5_special_v1"], idempotency_key: str | None = None, **parameters: Unpack[Sd25SpecialV1Parameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["sd_2.0_fast_special"], idempotency_key: str | None = None, **parameters: Unpack[Sd20FastSpecialParameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["sd_2.0_mini_special"], idempotency_key: str | None = None, **parameters: Unpack[Sd20MiniSpecialParameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["sd_2.0_special"], idempotency_key: str | None = None, **parameters: Unpack[Sd20SpecialParameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["sd_2.0_discount"], idempotency_key: str | None = None, **parameters: Unpack[Sd20DiscountParameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["sd_2.0_fast_discount"], idempotency_key: str | None = None, **parameters: Unpack[Sd20FastDiscountParameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["sd_2.0_mini_discount"], idempotency_key: str | None = None, **parameters: Unpack[Sd20MiniDiscountParameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["vidM-H3_933_1080p"], idempotency_key: str | None = None, **parameters: Unpack[VidMH39331080pParameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["vidM-H3-2K-c1"], idempotency_key: str | None = None, **parameters: Unpack[VidMH32KC1Parameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["vidM-H3-768p"], idempotency_key: str | None = None, **parameters: Unpack[VidMH3768pParameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["vidM-H3-768p-c2"], idempotency_key: str | None = None, **parameters: Unpack[VidMH3768pC2Parameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["videos_2.5_30_10_10_c5"], idempotency_key: str | None = None, **parameters: Unpack[Videos25301010C5Parameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["videos_30_10_10_c3"], idempotency_key: str | None = None, **parameters: Unpack[Videos301010C3Parameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["vidH 1.1 v2 Image To Video"], idempotency_key: str | None = None, **parameters: Unpack[VidH11V2ImageToVideoParameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["vidH 1.1 v2 Reference Raw Video"], idempotency_key: str | None = None, **parameters: Unpack[VidH11V2ReferenceRawVideoParameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["vidH 1.1 v2 Text To Video"], idempotency_key: str | None = None, **parameters: Unpack[VidH11V2TextToVideoParameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["vidW3.0-prime-r2v-c1"], idempotency_key: str | None = None, **parameters: Unpack[VidW30PrimeR2vC1Parameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["vidW3.0-video-r2v-c2"], idempotency_key: str | None = None, **parameters: Unpack[VidW30VideoR2vC2Parameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["vidK O3 Video Generation"], idempotency_key: str | None = None, **parameters: Unpack[VidKO3VideoGenerationParameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["vidB_1_5_pro_720p"], idempotency_key: str | None = None, **parameters: Unpack[VidB15Pro720pParameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["vidB_1_5_pro_1080p"], idempotency_key: str | None = None, **parameters: Unpack[VidB15Pro1080pParameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["vidB_2_0"], idempotency_key: str | None = None, **parameters: Unpack[VidB20Parameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["vidB_2_0_fast"], idempotency_key: str | None = None, **parameters: Unpack[VidB20FastParameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["vidB_2_0_pro"], idempotency_key: str | None = None, **parameters: Unpack[VidB20ProParameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["vidB_2_0_fast_pro"], idempotency_key: str | None = None, **parameters: Unpack[VidB20FastProParameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["vidC2Stable"], idempotency_key: str | None = None, **parameters: Unpack[VidC2StableParameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["vendorVidC2"], idempotency_key: str | None = None, **parameters: Unpack[VendorVidC2Parameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["vendorVidC2Stable"], idempotency_key: str | None = None, **parameters: Unpack[VendorVidC2StableParameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["vendorVidC2Plus"], idempotency_key: str | None = None, **parameters: Unpack[VendorVidC2PlusParameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["vidDq3-pro"], idempotency_key: str | None = None, **parameters: Unpack[VidDq3ProParameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["vidDq3-turbo"], idempotency_key: str | None = None, **parameters: Unpack[VidDq3TurboParameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["vidG_video3"], idempotency_key: str | None = None, **parameters: Unpack[VidGVideo3Parameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["vidG_video3_pro"], idempotency_key: str | None = None, **parameters: Unpack[VidGVideo3ProParameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["veo-3.1"], idempotency_key: str | None = None, **parameters: Unpack[Veo31Parameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["veo-3.1-fast"], idempotency_key: str | None = None, **parameters: Unpack[Veo31FastParameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["text-prompt-enhance"], idempotency_key: str | None = None, **parameters: Unpack[TextPromptEnhanceParameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["text-storyboard"], idempotency_key: str | None = None, **parameters: Unpack[TextStoryboardParameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["text-translate"], idempotency_key: str | None = None, **parameters: Unpack[TextTranslateParameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["text-caption"], idempotency_key: str | None = None, **parameters: Unpack[TextCaptionParameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: ModelId | Model, idempotency_key: str | None = None, **parameters: Any) -> ResultT_co: ...


class QuoteTask(Protocol[ResultT_co]):
    """Returns the price of a request."""

    @overload
    def __call__(self, *, model: Literal["imgA_5.0Pro"], **parameters: Unpack[ImgA50ProParameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["imgA-5.0"], **parameters: Unpack[ImgA50Parameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["sd_2.5_discount_v1"], **parameters: Unpack[Sd25DiscountV1Parameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["sd_2.5_special_v1"], **parameters: Unpack[Sd25SpecialV1Parameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["sd_2.0_fast_special"], **parameters: Unpack[Sd20FastSpecialParameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["sd_2.0_mini_special"], **parameters: Unpack[Sd20MiniSpecialParameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["sd_2.0_special"], **parameters: Unpack[Sd20SpecialParameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["sd_2.0_discount"], **parameters: Unpack[Sd20DiscountParameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["sd_2.0_fast_discount"], **parameters: Unpack[Sd20FastDiscountParameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["sd_2.0_mini_discount"], **parameters: Unpack[Sd20MiniDiscountParameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["vidM-H3_933_1080p"], **parameters: Unpack[VidMH39331080pParameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["vidM-H3-2K-c1"], **parameters: Unpack[VidMH32KC1Parameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["vidM-H3-768p"], **parameters: Unpack[VidMH3768pParameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["vidM-H3-768p-c2"], **parameters: Unpack[VidMH3768pC2Parameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["videos_2.5_30_10_10_c5"], **parameters: Unpack[Videos25301010C5Parameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["videos_30_10_10_c3"], **parameters: Unpack[Videos301010C3Parameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["vidH 1.1 v2 Image To Video"], **parameters: Unpack[VidH11V2ImageToVideoParameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["vidH 1.1 v2 Reference Raw Video"], **parameters: Unpack[VidH11V2ReferenceRawVideoParameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["vidH 1.1 v2 Text To Video"], **parameters: Unpack[VidH11V2TextToVideoParameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["vidW3.0-prime-r2v-c1"], **parameters: Unpack[VidW30PrimeR2vC1Parameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["vidW3.0-video-r2v-c2"], **parameters: Unpack[VidW30VideoR2vC2Parameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["vidK O3 Video Generation"], **parameters: Unpack[VidKO3VideoGenerationParameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["vidB_1_5_pro_720p"], **parameters: Unpack[VidB15Pro720pParameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["vidB_1_5_pro_1080p"], **parameters: Unpack[VidB15Pro1080pParameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["vidB_2_0"], **parameters: Unpack[VidB20Parameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["vidB_2_0_fast"], **parameters: Unpack[VidB20FastParameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["vidB_2_0_pro"], **parameters: Unpack[VidB20ProParameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["vidB_2_0_fast_pro"], **parameters: Unpack[VidB20FastProParameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["vidC2Stable"], **parameters: Unpack[VidC2StableParameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["vendorVidC2"], **parameters: Unpack[VendorVidC2Parameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["vendorVidC2Stable"], **parameters: Unpack[VendorVidC2StableParameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["vendorVidC2Plus"], **parameters: Unpack[VendorVidC2PlusParameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["vidDq3-pro"], **parameters: Unpack[VidDq3ProParameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["vidDq3-turbo"], **parameters: Unpack[VidDq3TurboParameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["vidG_video3"], **parameters: Unpack[VidGVideo3Parameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["vidG_video3_pro"], **parameters: Unpack[VidGVideo3ProParameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["veo-3.1"], **parameters: Unpack[Veo31Parameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["veo-3.1-fast"], **parameters: Unpack[Veo31FastParameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["text-prompt-enhance"], **parameters: Unpack[TextPromptEnhanceParameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["text-storyboard"], **parameters: Unpack[TextStoryboardParameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["text-translate"], **parameters: Unpack[TextTranslateParameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["text-caption"], **parameters: Unpack[TextCaptionParameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: ModelId | Model, **parameters: Any) -> ResultT_co: ...


class Generate(Protocol[ResultT_co, TaskT_co]):
    """Submits a task and waits for it."""

    @overload
    def __call__(self, *, model: Literal["imgA_5.0Pro"], idempotency_key: str | None = None, timeout: float | None = ..., on_update: Callable[[TaskT_co], Any] | None = None, mode: WaitMode = "auto", cancel_on_interrupt: bool = False, **parameters: Unpack[ImgA50ProParameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["imgA-5.0"], idempotency_key: str | None = None, timeout: float | None = ..., on_update: Callable[[TaskT_co], Any] | None = None, mode: WaitMode = "auto", cancel_on_interrupt: bool = False, **parameters: Unpack[ImgA50Parameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["sd_2.5_discount_v1"], idempotency_key: str | None = None, timeout: float | None = ..., on_update: Callable[[TaskT_co], Any] | None = None, mode: WaitMode = "auto", cancel_on_interrupt: bool = False, **parameters: Unpack[Sd25DiscountV1Parameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["sd_2.5_special_v1"], idempotency_key: str | None = None, timeout: float | None = ..., on_update: Callable[[TaskT_co], Any] | None = None, mode: WaitMode = "auto", cancel_on_interrupt: bool = False, **parameters: Unpack[Sd25SpecialV1Parameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["sd_2.0_fast_special"], idempotency_key: str | None = None, timeout: float | None = ..., on_update: Callable[[TaskT_co], Any] | None = None, mode: WaitMode = "auto", cancel_on_interrupt: bool = False, **parameters: Unpack[Sd20FastSpecialParameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["sd_2.0_mini_special"], idempotency_key: str | None = None, timeout: float | None = ..., on_update: Callable[[TaskT_co], Any] | None = None, mode: WaitMode = "auto", cancel_on_interrupt: bool = False, **parameters: Unpack[Sd20MiniSpecialParameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["sd_2.0_special"], idempotency_key: str | None = None, timeout: float | None = ..., on_update: Callable[[TaskT_co], Any] | None = None, mode: WaitMode = "auto", cancel_on_interrupt: bool = False, **parameters: Unpack[Sd20SpecialParameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["sd_2.0_discount"], idempotency_key: str | None = None, timeout: float | None = ..., on_update: Callable[[TaskT_co], Any] | None = None, mode: WaitMode = "auto", cancel_on_interrupt: bool = False, **parameters: Unpack[Sd20DiscountParameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["sd_2.0_fast_discount"], idempotency_key: str | None = None, timeout: float | None = ..., on_update: Callable[[TaskT_co], Any] | None = None, mode: WaitMode = "auto", cancel_on_interrupt: bool = False, **parameters: Unpack[Sd20FastDiscountParameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["sd_2.0_mini_discount"], idempotency_key: str | None = None, timeout: float | None = ..., on_update: Callable[[TaskT_co], Any] | None = None, mode: WaitMode = "auto", cancel_on_interrupt: bool = False, **parameters: Unpack[Sd20MiniDiscountParameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["vidM-H3_933_1080p"], idempotency_key: str | None = None, timeout: float | None = ..., on_update: Callable[[TaskT_co], Any] | None = None, mode: WaitMode = "auto", cancel_on_interrupt: bool = False, **parameters: Unpack[VidMH39331080pParameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["vidM-H3-2K-c1"], idempotency_key: str | None = None, timeout: float | None = ..., on_update: Callable[[TaskT_co], Any] | None = None, mode: WaitMode = "auto", cancel_on_interrupt: bool = False, **parameters: Unpack[VidMH32KC1Parameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["vidM-H3-768p"], idempotency_key: str | None = None, timeout: float | None = ..., on_update: Callable[[TaskT_co], Any] | None = None, mode: WaitMode = "auto", cancel_on_interrupt: bool = False, **parameters: Unpack[VidMH3768pParameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["vidM-H3-768p-c2"], idempotency_key: str | None = None, timeout: float | None = ..., on_update: Callable[[TaskT_co], Any] | None = None, mode: WaitMode = "auto", cancel_on_interrupt: bool = False, **parameters: Unpack[VidMH3768pC2Parameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["videos_2.5_30_10_10_c5"], idempotency_key: str | None = None, timeout: float | None = ..., on_update: Callable[[TaskT_co], Any] | None = None, mode: WaitMode = "auto", cancel_on_interrupt: bool = False, **parameters: Unpack[Videos25301010C5Parameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["videos_30_10_10_c3"], idempotency_key: str | None = None, timeout: float | None = ..., on_update: Callable[[TaskT_co], Any] | None = None, mode: WaitMode = "auto", cancel_on_interrupt: bool = False, **parameters: Unpack[Videos301010C3Parameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["vidH 1.1 v2 Image To Video"], idempotency_key: str | None = None, timeout: float | None = ..., on_update: Callable[[TaskT_co], Any] | None = None, mode: WaitMode = "auto", cancel_on_interrupt: bool = False, **parameters: Unpack[VidH11V2ImageToVideoParameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["vidH 1.1 v2 Reference Raw Video"], idempotency_key: str | None = None, timeout: float | None = ..., on_update: Callable[[TaskT_co], Any] | None = None, mode: WaitMode = "auto", cancel_on_interrupt: bool = False, **parameters: Unpack[VidH11V2ReferenceRawVideoParameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["vidH 1.1 v2 Text To Video"], idempotency_key: str | None = None, timeout: float | None = ..., on_update: Callable[[TaskT_co], Any] | None = None, mode: WaitMode = "auto", cancel_on_interrupt: bool = False, **parameters: Unpack[VidH11V2TextToVideoParameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["vidW3.0-prime-r2v-c1"], idempotency_key: str | None = None, timeout: float | None = ..., on_update: Callable[[TaskT_co], Any] | None = None, mode: WaitMode = "auto", cancel_on_interrupt: bool = False, **parameters: Unpack[VidW30PrimeR2vC1Parameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["vidW3.0-video-r2v-c2"], idempotency_key: str | None = None, timeout: float | None = ..., on_update: Callable[[TaskT_co], Any] | None = None, mode: WaitMode = "auto", cancel_on_interrupt: bool = False, **parameters: Unpack[VidW30VideoR2vC2Parameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["vidK O3 Video Generation"], idempotency_key: str | None = None, timeout: float | None = ..., on_update: Callable[[TaskT_co], Any] | None = None, mode: WaitMode = "auto", cancel_on_interrupt: bool = False, **parameters: Unpack[VidKO3VideoGenerationParameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["vidB_1_5_pro_720p"], idempotency_key: str | None = None, timeout: float | None = ..., on_update: Callable[[TaskT_co], Any] | None = None, mode: WaitMode = "auto", cancel_on_interrupt: bool = False, **parameters: Unpack[VidB15Pro720pParameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["vidB_1_5_pro_1080p"], idempotency_key: str | None = None, timeout: float | None = ..., on_update: Callable[[TaskT_co], Any] | None = None, mode: WaitMode = "auto", cancel_on_interrupt: bool = False, **parameters: Unpack[VidB15Pro1080pParameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["vidB_2_0"], idempotency_key: str | None = None, timeout: float | None = ..., on_update: Callable[[TaskT_co], Any] | None = None, mode: WaitMode = "auto", cancel_on_interrupt: bool = False, **parameters: Unpack[VidB20Parameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["vidB_2_0_fast"], idempotency_key: str | None = None, timeout: float | None = ..., on_update: Callable[[TaskT_co], Any] | None = None, mode: WaitMode = "auto", cancel_on_interrupt: bool = False, **parameters: Unpack[VidB20FastParameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["vidB_2_0_pro"], idempotency_key: str | None = None, timeout: float | None = ..., on_update: Callable[[TaskT_co], Any] | None = None, mode: WaitMode = "auto", cancel_on_interrupt: bool = False, **parameters: Unpack[VidB20ProParameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["vidB_2_0_fast_pro"], idempotency_key: str | None = None, timeout: float | None = ..., on_update: Callable[[TaskT_co], Any] | None = None, mode: WaitMode = "auto", cancel_on_interrupt: bool = False, **parameters: Unpack[VidB20FastProParameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["vidC2Stable"], idempotency_key: str | None = None, timeout: float | None = ..., on_update: Callable[[TaskT_co], Any] | None = None, mode: WaitMode = "auto", cancel_on_interrupt: bool = False, **parameters: Unpack[VidC2StableParameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["vendorVidC2"], idempotency_key: str | None = None, timeout: float | None = ..., on_update: Callable[[TaskT_co], Any] | None = None, mode: WaitMode = "auto", cancel_on_interrupt: bool = False, **parameters: Unpack[VendorVidC2Parameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["vendorVidC2Stable"], idempotency_key: str | None = None, timeout: float | None = ..., on_update: Callable[[TaskT_co], Any] | None = None, mode: WaitMode = "auto", cancel_on_interrupt: bool = False, **parameters: Unpack[VendorVidC2StableParameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["vendorVidC2Plus"], idempotency_key: str | None = None, timeout: float | None = ..., on_update: Callable[[TaskT_co], Any] | None = None, mode: WaitMode = "auto", cancel_on_interrupt: bool = False, **parameters: Unpack[VendorVidC2PlusParameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["vidDq3-pro"], idempotency_key: str | None = None, timeout: float | None = ..., on_update: Callable[[TaskT_co], Any] | None = None, mode: WaitMode = "auto", cancel_on_interrupt: bool = False, **parameters: Unpack[VidDq3ProParameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["vidDq3-turbo"], idempotency_key: str | None = None, timeout: float | None = ..., on_update: Callable[[TaskT_co], Any] | None = None, mode: WaitMode = "auto", cancel_on_interrupt: bool = False, **parameters: Unpack[VidDq3TurboParameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["vidG_video3"], idempotency_key: str | None = None, timeout: float | None = ..., on_update: Callable[[TaskT_co], Any] | None = None, mode: WaitMode = "auto", cancel_on_interrupt: bool = False, **parameters: Unpack[VidGVideo3Parameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["vidG_video3_pro"], idempotency_key: str | None = None, timeout: float | None = ..., on_update: Callable[[TaskT_co], Any] | None = None, mode: WaitMode = "auto", cancel_on_interrupt: bool = False, **parameters: Unpack[VidGVideo3ProParameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["veo-3.1"], idempotency_key: str | None = None, timeout: float | None = ..., on_update: Callable[[TaskT_co], Any] | None = None, mode: WaitMode = "auto", cancel_on_interrupt: bool = False, **parameters: Unpack[Veo31Parameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["veo-3.1-fast"], idempotency_key: str | None = None, timeout: float | None = ..., on_update: Callable[[TaskT_co], Any] | None = None, mode: WaitMode = "auto", cancel_on_interrupt: bool = False, **parameters: Unpack[Veo31FastParameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["text-prompt-enhance"], idempotency_key: str | None = None, timeout: float | None = ..., on_update: Callable[[TaskT_co], Any] | None = None, mode: WaitMode = "auto", cancel_on_interrupt: bool = False, **parameters: Unpack[TextPromptEnhanceParameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["text-storyboard"], idempotency_key: str | None = None, timeout: float | None = ..., on_update: Callable[[TaskT_co], Any] | None = None, mode: WaitMode = "auto", cancel_on_interrupt: bool = False, **parameters: Unpack[TextStoryboardParameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["text-translate"], idempotency_key: str | None = None, timeout: float | None = ..., on_update: Callable[[TaskT_co], Any] | None = None, mode: WaitMode = "auto", cancel_on_interrupt: bool = False, **parameters: Unpack[TextTranslateParameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: Literal["text-caption"], idempotency_key: str | None = None, timeout: float | None = ..., on_update: Callable[[TaskT_co], Any] | None = None, mode: WaitMode = "auto", cancel_on_interrupt: bool = False, **parameters: Unpack[TextCaptionParameters]) -> ResultT_co: ...
    @overload
    def __call__(self, *, model: ModelId | Model, idempotency_key: str | None = None, timeout: float | None = ..., on_update: Callable[[TaskT_co], Any] | None = None, mode: WaitMode = "auto", cancel_on_interrupt: bool = False, **parameters: Any) -> ResultT_co: ...

