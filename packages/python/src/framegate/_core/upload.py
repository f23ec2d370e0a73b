from __future__ import annotations

import base64
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..errors import APIError, ConfigurationError, FramegateError
from ..inputs import FileInput
from ..types import Asset, ResumableUpload, UploadProgress
from .files import FileSource, open_file
from .flow import Flow, FormFile, Notify, work
from .retry import is_retryable, retrying
from .transport import Call, Transport, path_of

ASSETS = "/v2/assets"
UPLOADS = "/v2/assets/uploads"
RESUMABLE_ABOVE = 16 * 1024 * 1024
"""Default size in bytes above which a file is sent in several requests."""
PART_BYTES = 4 * 1024 * 1024
TUS_HEADERS = {"Tus-Resumable": "1.0.0"}


@dataclass(frozen=True)
class UploadOptions:
    name: str | None = None
    sha256: str | None = None
    resumable_above: int = RESUMABLE_ABOVE
    upload: str | None = None
    on_upload: Callable[[ResumableUpload], Any] | None = None
    on_progress: Callable[[UploadProgress], Any] | None = None


def create_asset(transport: Transport, file: FileInput, options: UploadOptions) -> Flow[Asset]:
    source: FileSource = yield from work(lambda: open_file(file))
    if options.upload is not None or source.size > options.resumable_above:
        return (yield from _Upload(transport, source, options).run())
    content: bytes = yield from work(lambda: source.read(0, source.size))
    fields = {} if options.name is None else {"name": options.name}
    form = FormFile(source.name or "", content, fields)
    return Asset.read((yield from transport.fetch("POST", ASSETS, body=form)))


@dataclass(frozen=True)
class _Upload:
    """
    Sends a file in parts. After a failure, queries the offset from the service and resumes there. The retry
    count restarts after each stored part.
    """

    transport: Transport
    source: FileSource
    options: UploadOptions

    def run(self) -> Flow[Asset]:
        upload_id = self.options.upload
        upload = (yield from self._create()) if upload_id is None else (yield from self._fetch(upload_id))
        size = self.source.size
        if upload.size_bytes != size:
            raise ConfigurationError(
                f"The file of the upload {upload.id} has {upload.size_bytes} bytes; this file has {size}.",
                code="invalid_option",
                param="upload",
            )
        received = self._offset_in(upload, 0)
        yield from self._report(received)
        while received < size:
            received = yield from self._send_part(upload.id, received)
            yield from self._report(received)
        asset = (yield from self._fetch(upload.id)).asset
        if asset is None:
            message = f"The upload {upload.id} is complete but has no asset."
            raise APIError(message, code="unexpected_answer", status=200)
        return asset

    def _create(self) -> Flow[ResumableUpload]:
        metadata = {"name": self.options.name or self.source.name, "sha256": self.options.sha256}
        headers = {**TUS_HEADERS, "Upload-Length": str(self.source.size), **_metadata_header(metadata)}
        upload = ResumableUpload.read((yield from self.transport.fetch("POST", UPLOADS, headers=headers)))
        if self.options.on_upload is not None:
            yield Notify(self.options.on_upload, upload)
        return upload

    def _fetch(self, upload_id: str, max_retries: int | None = None) -> Flow[ResumableUpload]:
        body = yield from self.transport.fetch("GET", path_of(UPLOADS, upload_id), max_retries=max_retries)
        upload = ResumableUpload.read(body)
        if upload.error is not None:
            error = upload.error
            raise APIError(str(error["message"]), code=str(error["code"]), status=400, param=error.get("param"))
        return upload

    def _send_part(self, upload_id: str, start: int) -> Flow[int]:
        """
        Sends the part that begins at `start`. Returns the next offset, which may be within the part after a
        failure.
        """
        content: bytes = yield from work(lambda: self.source.read(start, PART_BYTES))
        is_offset_known = True

        def attempt() -> Flow[int]:
            nonlocal is_offset_known
            if not is_offset_known:
                received = self._offset_in((yield from self._fetch(upload_id, max_retries=0)), start)
                if received != start:
                    return received
            is_offset_known = False
            headers = {**TUS_HEADERS, "Content-Type": "application/offset+octet-stream", "Upload-Offset": str(start)}
            call = Call(
                "PATCH", path_of(UPLOADS, upload_id), body=content, headers=headers, max_retries=0, may_be_empty=True
            )
            yield from self.transport.call(call)
            return start + len(content)

        return (yield from retrying(attempt, max_retries=self.transport.max_retries, should_retry=_can_continue))

    def _offset_in(self, upload: ResumableUpload, start: int) -> int:
        """
        Returns the offset at which the upload continues. Raises an error if the offset is before `start` or after the
        end of the file, because the upload might then never end.
        """
        received: Any = upload.raw.get("received_bytes")
        if type(received) is int and start <= received <= self.source.size:
            return received
        message = (
            f"The upload {upload.id} cannot continue: the server has stored {start} bytes, but now reports {received}."
        )
        raise APIError(message, code="unexpected_answer", status=200)

    def _report(self, sent: int) -> Flow[None]:
        if self.options.on_progress is not None:
            yield Notify(self.options.on_progress, UploadProgress(sent, self.source.size))


def _can_continue(error: FramegateError) -> bool:
    """
    Whether the upload can continue. A `conflict` means that the service has stored bytes of a request whose response
    was lost.
    """
    return is_retryable(error) or error.code == "conflict"


def _metadata_header(metadata: dict[str, str | None]) -> dict[str, str]:
    pairs = [
        f"{key} {base64.b64encode(value.encode()).decode()}" for key, value in metadata.items() if value is not None
    ]
    return {"Upload-Metadata": ",".join(pairs)} if pairs else {}
