"""Files that a program passes to the client."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import IO, Protocol, TypeAlias

from .types import Asset

FileInput: TypeAlias = str | os.PathLike[str] | bytes | IO[bytes]
"""A file: its path, its contents, or a file object that is open for reading bytes."""

MediaInput: TypeAlias = str | Asset | os.PathLike[str] | bytes | IO[bytes]
"""
Value of a parameter for an image, video or audio file. A string is a URL, `asset:ID` or a data URI. A
`pathlib.Path`, bytes or a file object is first uploaded as an asset.
"""


class HeaderFields(Protocol):
    """Headers of a request: a dictionary, or the headers object of a web framework."""

    def items(self) -> Iterable[tuple[str, str]]:
        """Returns the names and values of the headers."""
        ...
