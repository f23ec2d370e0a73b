from __future__ import annotations

import io
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from ..errors import ConfigurationError
from ..inputs import FileInput


@dataclass(frozen=True)
class FileSource:
    """A file that is read in parts."""

    name: str | None
    size: int
    """Size in bytes."""
    _read: Callable[[int, int], bytes]
    """Takes an offset and a maximum number of bytes, and returns the bytes from that offset."""

    def read(self, start: int, length: int) -> bytes:
        content = self._read(start, length)
        if len(content) != min(length, self.size - start):
            message = "The file was truncated during the upload."
            raise ConfigurationError(message, code="invalid_option", param="file")
        return content


def open_file(file: FileInput) -> FileSource:
    """Determines the name and size of a file. Blocks, because it accesses the file system."""
    if isinstance(file, bytes):
        return FileSource(None, len(file), lambda start, length: file[start : start + length])
    if isinstance(file, str | os.PathLike):
        path = Path(file)
        return FileSource(path.name, path.stat().st_size, lambda start, length: _read_path(path, start, length))
    return _open_file_object(file)


def _read_path(path: Path, start: int, length: int) -> bytes:
    with path.open("rb") as file:
        file.seek(start)
        return file.read(length)


def _open_file_object(file: IO[bytes]) -> FileSource:
    seekable = getattr(file, "seekable", None)
    if isinstance(file, io.TextIOBase) or seekable is None or not seekable():
        kind = type(file).__name__
        message = f"A file object must be seekable and open for reading bytes; got {kind}. Pass its contents instead."
        raise ConfigurationError(message, code="invalid_option", param="file")

    def read(start: int, length: int) -> bytes:
        file.seek(start)
        return file.read(length)

    name = getattr(file, "name", None)
    return FileSource(Path(name).name if isinstance(name, str) else None, file.seek(0, os.SEEK_END), read)
