"""What Schemathesis is told about each run: the keys that it asks with, and what it has to leave alone."""

import itertools
import json
import os

import schemathesis

KEYS = itertools.cycle(json.loads(os.environ["FUZZ_KEYS"]) or [None])
# The keys, the account and the brand that ask: without them every further response would be a 401.
KEPT = set(json.loads(os.environ["FUZZ_KEPT"]))


@schemathesis.auth(refresh_interval=None)
class Keys:
    """In turns, so that the limit of requests that each key has is no limit of the run."""

    def get(self, case, context):
        return next(KEYS)

    def set(self, case, data, context):
        if data is not None:
            case.headers = {**(case.headers or {}), "Authorization": f"Bearer {data}"}


@schemathesis.hook
def before_call(context, case, kwargs):
    shorten_wait(case)
    if case.method not in ("POST", "PUT", "PATCH", "DELETE"):
        return
    for name, value in (case.path_parameters or {}).items():
        if str(value) in KEPT:
            case.path_parameters[name] = "kept"


def shorten_wait(case):
    """A query that is held for a minute is a minute in which nothing else is tried."""
    wait = str((case.query or {}).get("wait", ""))
    if wait.isdigit() and 1 < int(wait) <= 60:
        case.query["wait"] = 1
    for name, value in (case.headers or {}).items():
        if name.lower() == "prefer" and "wait" in str(value):
            case.headers[name] = "wait=1"


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """Resources that this run did not create are not found."""
    return "kept" not in (case.path_parameters or {}).values()
