"""
Generates the asynchronous client from the synchronous client, so that the two cannot differ:

    python tools/write_async.py [--check]

A function becomes a coroutine function if it contains a blocking call (`AWAITED`). Functions that return an
iterator or a list stay as they are: the caller uses `async for` or `await` on the returned object.
"""

from __future__ import annotations

import ast
import re
import sys
from functools import partial
from pathlib import Path

PACKAGE = Path(__file__).parents[1] / "src" / "framegate"
HANDWRITTEN = {"__init__.py", "page.py"}
"""Modules that are not generated."""
HEADER = "# Generated from `_sync` by `python tools/write_async.py`.\n\n"

# Applied in this order to every module. In some modules, a pattern matches nothing.
REPLACEMENTS = [
    # Names.
    (r"\bSyncRunner\b", "AsyncRunner"),
    (r"\bPage\b(?=\[)", "AsyncPager"),
    (r"\bPage\(", "AsyncPager("),
    (r"import Page\b", "import AsyncPager"),
    (r"\b(Assets|Credits|Events|Models|Resource|Tasks|Usage|Webhooks)\b(?=[\](:,)\n])", r"Async\1"),
    (r"\bTask\b(?=[\](:,)\n.]| \||$)", "AsyncTask"),
    (r"\bFramegate\b(?=[(:\]])", "AsyncFramegate"),
    (r"\bIterator\b", "AsyncIterator"),
    (r"httpx\.Client\b", "httpx.AsyncClient"),
    (r"Several threads may share it\.", "It belongs to one event loop of asyncio."),
    # Calls of a model are typed by protocols.
    (r"(CreateTask|QuoteTask|Generate)\[(\w+)", r"\1[Coroutine[Any, Any, \2]"),
    # Context managers.
    (r"\b__enter__\b", "__aenter__"),
    (r"\b__exit__\b", "__aexit__"),
    # Examples in docstrings.
    (r"`for (\w+) in", r"`async for \1 in"),
]
AWAITED = re.compile(
    r"\b(self\._run\(|self\._fetch\(|self\._get\(|self\._runner\.run\(|self\._runner\.http\.|self\.close\(|"
    r"self\._tasks\.(?:wait|_get|cancel|delete|timeline|save|save_all|read)\(|self\.(?:get|save)\()"
)
"""Calls that block in the synchronous client."""
NEVER_ASYNC = re.compile(r"-> (?:AsyncIterator|AsyncPager)\[")
ALWAYS_ASYNC = {"__aenter__", "__aexit__"}

RUNNER_REPLACEMENTS = [
    (
        r"class AsyncRunner:\n    .*\n",
        'class AsyncRunner:\n    """Performs the effects of flows in the event loop of asyncio."""\n',
    ),
    (r"^import time\n", "import asyncio\nimport inspect\n"),
    (r"    def (run|iterate|_step|_perform|_send|_open|_read)\(", r"    async def \1("),
    (r"(?<!def )\bself\.(_step|_perform|_send|_open|_read|http\.send)\(", r"await self.\1("),
    (r"time\.sleep\(", "await asyncio.sleep("),
    (r"return function\(\)", "return await asyncio.to_thread(function)"),
    (
        r"( +)function\(argument\)\n",
        r"\1returned = function(argument)\n\1if inspect.isawaitable(returned):\n\1    await returned\n",
    ),
    (r"for piece in response\.iter_raw\(\)", "async for piece in response.aiter_raw()"),
    (r"response\.iter_raw\(\)", "response.aiter_raw()"),
    (r"( +)((?:\w+\.)*)response\.close\(\)\n", r"\1await \2response.aclose()\n"),
    (r"next\(source\.pieces, None\)", "await anext(source.pieces, None)"),
    (r"^def _end\(", "async def _end("),
    (r"^( +)_end\(", r"\1await _end("),
]


def to_asynchronous(source: str, name: str) -> str:
    """Converts a module to its asynchronous form."""
    text = source
    for pattern, replacement in REPLACEMENTS:
        text = re.sub(pattern, replacement, text, flags=re.MULTILINE)
    if name == "runner.py":
        for pattern, replacement in RUNNER_REPLACEMENTS:
            text = re.sub(pattern, replacement, text, flags=re.MULTILINE)
    else:
        text = add_coroutines(text)
    return HEADER + re.sub(
        r"(?<=^from collections\.abc import ).*$", partial(imported_types, text), text, flags=re.MULTILINE
    )


def add_coroutines(text: str) -> str:
    """Makes functions with blocking calls coroutine functions, and awaits these calls."""
    lines = text.splitlines(keepends=True)
    for function in ast.walk(ast.parse(text)):
        if not isinstance(function, ast.FunctionDef):
            continue
        first, last = function.lineno - 1, function.end_lineno or function.lineno
        body_first = function.body[0].lineno - 1
        head, body = "".join(lines[first:body_first]), "".join(lines[body_first:last])
        if NEVER_ASYNC.search(head) or not (function.name in ALWAYS_ASYNC or AWAITED.search(body)):
            continue
        lines[first] = lines[first].replace("def ", "async def ", 1)
        for number in range(body_first, last):
            awaited = AWAITED.sub(r"await \1", lines[number])
            lines[number] = awaited.replace("await self._runner.http.close(", "await self._runner.http.aclose(")
    return "".join(lines)


def imported_types(text: str, match: re.Match[str]) -> str:
    """Returns the sorted names of an import, with `Coroutine` if the module uses it."""
    coroutine = {"Coroutine"} if "Coroutine[" in text else set[str]()
    return ", ".join(sorted({*match[0].split(", "), *coroutine}))


def main() -> int:
    is_check = "--check" in sys.argv[1:]
    is_stale = False
    for module in sorted((PACKAGE / "_sync").glob("*.py")):
        if module.name in HANDWRITTEN:
            continue
        target = PACKAGE / "_async" / module.name
        text = to_asynchronous(module.read_text("utf-8"), module.name)
        if is_check and (not target.exists() or target.read_text("utf-8") != text):
            print(f"{target} is not current: run python tools/write_async.py", file=sys.stderr)
            is_stale = True
        elif not is_check:
            target.write_text(text, "utf-8")
    return 1 if is_stale else 0


if __name__ == "__main__":
    sys.exit(main())
