"""
The logger `framegate` writes one line for each response of the API and one for each retry, without keys, bodies or
links. With the environment variable FRAMEGATE_LOG (`debug` or `info`), this module adds a handler that writes these
lines to stderr, unless the program has already added a handler to the logger.
"""

from __future__ import annotations

import logging
import os

import httpx

logger = logging.getLogger("framegate")


class _SignatureFilter(logging.Filter):
    """
    Hides the query of each signed URL in the lines that httpx logs for its requests. The query contains the signature,
    which grants access to a file.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        if isinstance(record.args, tuple):
            record.args = tuple(_without_signature(argument) for argument in record.args)
        return True


_signature_filter = _SignatureFilter()


def set_up_logging() -> None:
    """Hides signatures in the log of httpx, and applies FRAMEGATE_LOG. Repeated calls have no effect."""
    httpx_logger = logging.getLogger("httpx")
    if _signature_filter not in httpx_logger.filters:
        httpx_logger.addFilter(_signature_filter)
    level = {"debug": logging.DEBUG, "info": logging.INFO}.get(os.environ.get("FRAMEGATE_LOG", "").strip().lower())
    if level is not None and not logger.handlers:
        handler = logging.StreamHandler()
        handler.setFormatter(logging.Formatter("%(asctime)s %(name)s %(levelname)s %(message)s"))
        logger.addHandler(handler)
        logger.setLevel(level)


def _without_signature(argument: object) -> object:
    is_signed = isinstance(argument, httpx.URL) and "signature=" in argument.query.decode("ascii", "replace").lower()
    return argument.copy_with(query=b"...") if is_signed and isinstance(argument, httpx.URL) else argument
