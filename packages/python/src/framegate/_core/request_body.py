"""Converts the parameters of a task from Python values to a request body."""

from __future__ import annotations

import keyword
import os
from collections.abc import Mapping, Sequence
from typing import Any, cast

from ..errors import ConfigurationError
from ..inputs import FileInput
from ..types import Asset, Model
from .flow import Flow
from .transport import Transport
from .upload import UploadOptions, create_asset


def request_body(transport: Transport, model: str | Model, parameters: Mapping[str, Any]) -> Flow[dict[str, Any]]:
    """
    Builds the body of a request. Uploads each file among the parameters, and replaces it with its asset.
    Omits parameters that are None. `for_` becomes `for`, which is a reserved word in Python.
    """
    body: dict[str, Any] = {"model": model.id if isinstance(model, Model) else model}
    for name, value in parameters.items():
        if value is not None:
            body[_wire_name(name)] = yield from _wire_value(transport, name, value)
    return body


def _wire_name(name: str) -> str:
    return name[:-1] if name.endswith("_") and keyword.iskeyword(name[:-1]) else name


def _wire_value(transport: Transport, name: str, value: Any) -> Flow[Any]:
    if isinstance(value, list | tuple):
        items: list[Any] = []
        for item in cast("Sequence[Any]", value):
            items.append((yield from _wire_value(transport, name, item)))
        return items
    if isinstance(value, Asset):
        return f"asset:{value.id}"
    if isinstance(value, bytes | os.PathLike) or hasattr(value, "read"):
        try:
            asset = yield from create_asset(transport, cast("FileInput", value), UploadOptions())
        except ConfigurationError as error:
            raise ConfigurationError(error.message, code=error.code, param=name) from error
        return f"asset:{asset.id}"
    return value
