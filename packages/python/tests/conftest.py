from __future__ import annotations

import json
import os
import secrets
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
import pytest_asyncio
from either import KINDS, Kind
from scripted_server import ScriptedServer

from framegate import AsyncFramegate, Framegate

REPOSITORY = Path(__file__).parents[3]
LAUNCHER = os.environ.get("FRAMEGATE_TEST_LAUNCHER") or str(REPOSITORY / "packages/cli/bin/framegate.js")
NODE = os.environ.get("FRAMEGATE_TEST_NODE") or str(REPOSITORY / "node_modules/.bin/node")


@dataclass(frozen=True)
class Service:
    """A started Framegate that renders results with the embedded driver."""

    base_url: str
    api_key: str


def start_service(folder: Path) -> tuple[subprocess.Popen[str], Service]:
    api_key = f"fg_live_{secrets.token_urlsafe(32)}"
    settings = {
        "FRAMEGATE_DATA_DIR": str(folder),
        "FRAMEGATE_HOST": "127.0.0.1",
        "FRAMEGATE_PORT": "0",
        "FRAMEGATE_BOOTSTRAP_KEY": api_key,
        # The receivers of webhooks are on this machine.
        "FRAMEGATE_ALLOW_HOSTS": "127.0.0.1",
        "MALLOC_MMAP_THRESHOLD_": "131072",
    }
    process = subprocess.Popen(
        [NODE, LAUNCHER, "serve", "--json", "--log-level", "error"],
        env={**os.environ, **settings},
        stdout=subprocess.PIPE,
        stderr=sys.stderr,
        text=True,
    )
    assert process.stdout is not None
    return process, Service(json.loads(process.stdout.readline())["base_url"], api_key)


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    process, service = start_service(tmp_path_factory.mktemp("service"))
    yield service
    process.terminate()
    process.communicate(timeout=30)


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> Kind:
    """The class of the client under test: each test runs with the synchronous and the asynchronous one."""
    client_class: Kind = request.param
    return client_class


@pytest_asyncio.fixture(scope="session")
async def connections() -> AsyncIterator[dict[Kind, Any]]:
    """The httpx clients that all tests share, because each new one loads the certificates of the machine."""
    shared: dict[Kind, Any] = {Framegate: httpx.Client(), AsyncFramegate: httpx.AsyncClient()}
    yield shared
    shared[Framegate].close()
    await shared[AsyncFramegate].aclose()


@pytest.fixture
def client(kind: Kind, service: Service, connections: dict[Kind, Any]) -> Any:
    return kind(api_key=service.api_key, base_url=service.base_url, http_client=connections[kind])


@pytest.fixture
def scripted() -> Iterator[ScriptedServer]:
    with ScriptedServer() as server:
        yield server


@pytest.fixture
def scripted_client(kind: Kind, scripted: ScriptedServer, connections: dict[Kind, Any]) -> Any:
    """A client of the scripted server with a timeout of one second."""
    return kind(api_key="fg_live_key", base_url=scripted.base_url, timeout=1, http_client=connections[kind])


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shortens the pauses before retries, unless the service sends a Retry-After."""
    monkeypatch.setattr("framegate._core.retry.FIRST_PAUSE", 0.01)
