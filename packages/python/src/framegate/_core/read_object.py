from __future__ import annotations

import json
from typing import Any, cast


def read_object(text: str | bytes) -> dict[str, Any] | None:
    """Parses a JSON object. Returns None if the text is not one, or is too deeply nested to be parsed."""
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return cast("dict[str, Any]", value) if isinstance(value, dict) else None
