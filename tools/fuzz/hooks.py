"""Hooks of Schemathesis: the keys of the requests, and the objects that no request may change."""

import itertools
import json
import os

import schemathesis

KEYS = itertools.cycle(json.loads(os.environ["FUZZ_KEYS"]) or [None])
# Ids of the keys, the account and the brand that the requests use. If a request changed one of
# them, every later response would have the status 401.
PROTECTED_IDS = set(json.loads(os.environ["FUZZ_PROTECTED_IDS"]))


@schemathesis.auth(refresh_interval=None)
class Keys:
    """Uses the keys in turn, so that the rate limit of one key does not limit the run."""

    def get(self, case, context):
        return next(KEYS)

    def set(self, case, data, context):
        if data is not None:
            case.headers = {**(case.headers or {}), "Authorization": f"Bearer {data}"}


@schemathesis.serializer("application/offset+octet-stream")
def serialize_bytes(context, value):
    """Converts a generated value to the bytes of a part of an upload."""
    return value if isinstance(value, bytes) else str(value).encode()


@schemathesis.hook
def before_call(context, case, kwargs):
    shorten_wait(case)
    if case.method not in ("POST", "PUT", "PATCH", "DELETE"):
        return
    for name, value in (case.path_parameters or {}).items():
        if str(value) in PROTECTED_IDS:
            case.path_parameters[name] = "protected"


def shorten_wait(case):
    """Shortens long polls to one second, because Schemathesis waits for each response."""
    wait = str((case.query or {}).get("wait", ""))
    if wait.isdigit() and 1 < int(wait) <= 60:
        case.query["wait"] = 1
    for name, value in (case.headers or {}).items():
        if name.lower() == "prefer" and "wait" in str(value):
            case.headers[name] = "wait=1"


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """Ignores failures of requests with the id `protected`, which no object has."""
    return "protected" not in (case.path_parameters or {}).values()
