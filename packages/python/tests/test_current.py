"""Checks that the two clients have the same calls, and that the package matches the HTTP API."""

from __future__ import annotations

import inspect
import json
import subprocess
import sys
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

import framegate
from framegate import types

PACKAGE = Path(__file__).parents[1]
OPENAPI = PACKAGE.parents[1] / "docs" / "openapi.json"


def test_the_asynchronous_client_is_generated_from_the_synchronous_client() -> None:
    check = subprocess.run([sys.executable, "tools/write_async.py", "--check"], cwd=PACKAGE, check=False)
    assert check.returncode == 0


@pytest.mark.parametrize("group", ["", "tasks", "models", "assets", "credits", "usage", "events", "webhooks"])
def test_both_clients_have_the_same_calls(group: str) -> None:
    def calls(client: Any) -> dict[str, list[str]]:
        found = getattr(client, group) if group else client
        public = [name for name in dir(found) if not name.startswith("_") and callable(getattr(found, name))]
        return {name: list(inspect.signature(getattr(found, name)).parameters) for name in public}

    one, other = (kind(api_key="k") for kind in (framegate.Framegate, framegate.AsyncFramegate))
    assert calls(one) == calls(other)


@pytest.mark.parametrize(
    ("schema", "kind", "renamed"),
    [
        ("Task", types.TaskData, {}),
        ("Quote", types.Quote, {}),
        ("Timeline", types.Timeline, {}),
        ("Asset", types.Asset, {}),
        ("ResumableUpload", types.ResumableUpload, {}),
        ("Credits", types.Balance, {}),
        ("CreditEntry", types.CreditEntry, {}),
        ("Usage", types.UsageReport, {"from": "since"}),
        ("Model", types.Model, {}),
        ("Webhook", types.Webhook, {}),
        ("IssuedWebhook", types.IssuedWebhook, {}),
        ("WebhookDelivery", types.WebhookDelivery, {}),
        ("WebhookSecret", types.WebhookSecret, {}),
        ("DeletedTasks", types.DeletedTasks, {}),
        ("ResentDeliveries", types.ResentDeliveries, {}),
    ],
)
def test_the_types_have_the_fields_of_the_http_api(schema: str, kind: Any, renamed: dict[str, str]) -> None:
    documented = json.loads(OPENAPI.read_text("utf-8"))["components"]["schemas"][schema]["properties"]
    known = {field.name for field in fields(kind)} - {"raw"}
    properties = {name for name in dir(kind) if isinstance(getattr(kind, name), property)}
    expected = {renamed.get(name, name) for name in documented}
    assert expected - known - properties == set()
    assert known - expected == set()


def test_the_version_equals_that_of_the_other_packages() -> None:
    manifest = json.loads((PACKAGE.parent / "sdk" / "package.json").read_text("utf-8"))
    assert framegate.__version__ == manifest["version"]


def test_every_public_name_exists_and_has_a_docstring() -> None:
    for name in framegate.__all__:
        value = getattr(framegate, name)
        if inspect.isclass(value) or inspect.isfunction(value):
            assert inspect.getdoc(value), name
