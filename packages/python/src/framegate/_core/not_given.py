from __future__ import annotations

import enum
from typing import Any, Literal, TypeAlias


class _NotGiven(enum.Enum):
    """Sentinel for an omitted argument of a parameter that also accepts None."""

    NOT_GIVEN = enum.auto()

    def __repr__(self) -> str:
        return "NOT_GIVEN"


NOT_GIVEN = _NotGiven.NOT_GIVEN
NotGiven: TypeAlias = Literal[_NotGiven.NOT_GIVEN]


def given(**arguments: Any) -> dict[str, Any]:
    """Returns only the arguments that the caller has passed."""
    return {name: value for name, value in arguments.items() if value is not NOT_GIVEN}
