# Generated from `_sync` by `python tools/write_async.py`.

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .._core.transport import path_of
from .._core.upload import ASSETS, RESUMABLE_ABOVE, UploadOptions, create_asset
from ..inputs import FileInput
from ..types import Asset, DeletedAsset, ResumableUpload, UploadProgress
from .page import AsyncPager
from .resource import AsyncResource


class AsyncAssets(AsyncResource):
    """Uploaded images, videos and audio files. Parameters that take a file also accept an asset."""

    async def create(
        self,
        file: FileInput,
        *,
        name: str | None = None,
        sha256: str | None = None,
        resumable_above: int = RESUMABLE_ABOVE,
        upload: str | None = None,
        on_upload: Callable[[ResumableUpload], Any] | None = None,
        on_progress: Callable[[UploadProgress], Any] | None = None,
    ) -> Asset:
        """
        Uploads an image, video or audio file. Uploading the same bytes again returns the same asset, so
        calls can be repeated.

        A file of more than `resumable_above` bytes is sent in several requests, and the upload resumes
        after a lost connection. The following arguments apply only to such uploads. `on_progress` is called
        before the first and after each request. `on_upload` receives the upload. Store its id, and pass it as
        `upload` to resume the upload in another run of your program. With `sha256` (hexadecimal digits), the
        service rejects a file with a different hash.
        """
        options = UploadOptions(name, sha256, resumable_above, upload, on_upload, on_progress)
        return await self._run(create_asset(self._transport, file, options))

    async def import_url(self, url: str, *, name: str | None = None) -> Asset:
        """Creates an asset from a public URL or a data URI. The service reads the file."""
        body = {"url": url} if name is None else {"url": url, "name": name}
        return await self._fetch(Asset, "POST", f"{ASSETS}/import", body=body)

    async def get(self, id: str) -> Asset:
        """Returns an asset with a new `url`."""
        return await self._fetch(Asset, "GET", path_of(ASSETS, id))

    def list(self, *, limit: int | None = None, cursor: str | None = None) -> AsyncPager[Asset]:
        """
        Lists the assets of the account, newest first. `async for asset in client.assets.list()` iterates over
        all pages. `limit` is the number of assets per page, 1 to 100.
        """
        return self._list(ASSETS, {"limit": limit, "cursor": cursor}, Asset.read)

    async def delete(self, asset: str | Asset) -> DeletedAsset:
        """Deletes an asset. Tasks that were accepted before the deletion can still use the file."""
        asset_id = asset if isinstance(asset, str) else asset.id
        return await self._fetch(DeletedAsset, "DELETE", path_of(ASSETS, asset_id))
