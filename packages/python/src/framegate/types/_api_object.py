from __future__ import annotations

import types
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from typing import Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

T = TypeVar("T", bound="ApiObject")


@dataclass(frozen=True, kw_only=True)
class ApiObject:
    """An object that the service sends. Fields have the names of the HTTP API."""

    raw: Mapping[str, Any] = field(default_factory=dict[str, Any], repr=False, compare=False)
    """The object as received, including fields that this version of the package does not know."""

    @classmethod
    def read(cls: type[T], raw: Mapping[str, Any]) -> T:
        """Reads a JSON object. Ignores unknown fields. A missing field has its default, or None."""
        return cls(**values_of(cls, raw), raw=raw)


def values_of(cls: type[Any], raw: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the values of all fields of a class except `raw`, from a JSON object."""
    values: dict[str, Any] = {}
    for name, hint, default in _fields_of(cls):
        values[name] = _convert(hint, raw[name]) if name in raw else default
    return values


_cached_fields: dict[type[Any], list[tuple[str, Any, Any]]] = {}
"""Name, type hint and default of each field except `raw`, by class."""


def _fields_of(cls: type[Any]) -> list[tuple[str, Any, Any]]:
    cached = _cached_fields.get(cls)
    if cached is None:
        hints = get_type_hints(cls)
        cached = _cached_fields[cls] = [
            (each.name, hints[each.name], None if each.default is MISSING else each.default)
            for each in fields(cls)
            if each.name != "raw"
        ]
    return cached


def _convert(hint: Any, value: Any) -> Any:
    origin = get_origin(hint)
    if origin in (Union, types.UnionType):
        for option in get_args(hint):
            if is_dataclass(option) or get_origin(option) is list:
                return _convert(option, value)
        return value
    if origin is list and isinstance(value, list):
        (item,) = get_args(hint)
        return [_convert(item, each) for each in cast("Sequence[Any]", value)]
    if isinstance(hint, type) and issubclass(hint, ApiObject) and isinstance(value, Mapping):
        return hint.read(cast("Mapping[str, Any]", value))
    return value
