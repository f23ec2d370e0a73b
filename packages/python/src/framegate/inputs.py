"""Files that a program passes to the client."""

from __future__ import annotations

import os
from typing import IO, TypeAlias

from .types import Asset

FileInput: TypeAlias = str | os.PathLike[str] | bytes | IO[bytes]
"""A file: its path, its contents, or a file object that is open for reading bytes."""

MediaInput: TypeAlias = str | Asset | os.PathLike[str] | bytes | IO[bytes]
"""
An image, video or sound as a parameter. A text is a URL, `asset:ID` or a data URI. A `pathlib.Path`, bytes
or a file object is uploaded as an asset first.
"""
