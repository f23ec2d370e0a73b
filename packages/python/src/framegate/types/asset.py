from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from ._api_object import ApiObject


@dataclass(frozen=True, kw_only=True)
class Asset(ApiObject):
    """An image, video or audio file that the account has uploaded. Parameters that take a file accept it directly."""

    id: str
    object: Literal["asset"]
    created: int
    """Time of the first upload, Unix seconds."""
    name: str | None
    content_type: str
    """Media type, detected from the contents of the file."""
    size_bytes: int
    sha256: str
    width: int | None
    """Display width in pixels; None for audio."""
    height: int | None
    seconds: float | None
    """Length of a video or audio file in seconds; None for images."""
    fps: float | None
    """Average frame rate of a video; None for images and audio."""
    has_audio: bool
    """True for audio files, and for videos with an audio track."""
    url: str
    """Signed, expiring URL of the file. Every response has a new URL."""
    expires_at: int
    """Expiry of `url`, Unix seconds."""


@dataclass(frozen=True, kw_only=True)
class DeletedAsset(ApiObject):
    id: str
    object: Literal["asset"]
    deleted: Literal[True]


@dataclass(frozen=True, kw_only=True)
class ResumableUpload(ApiObject):
    """An asset that is uploaded in several requests."""

    id: str
    object: Literal["asset_upload"]
    created: int
    """Unix seconds."""
    name: str | None
    size_bytes: int
    """Size of the complete file."""
    received_bytes: int
    """Number of stored bytes. The upload continues at this offset."""
    sha256: str | None
    """SHA-256 of the complete file as declared by the client. None: it declared none."""
    expires_at: int
    """Time at which the upload is removed, Unix seconds."""
    asset: Asset | None
    """The asset; None until all bytes have arrived."""
    error: dict[str, Any] | None
    """Why the file was rejected: `code`, `message` and `param`. None: it was not rejected."""


@dataclass(frozen=True)
class UploadProgress:
    sent_bytes: int
    total_bytes: int
