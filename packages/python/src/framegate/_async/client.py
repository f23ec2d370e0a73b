# Generated from `_sync` by `python tools/write_async.py`.

from __future__ import annotations

from collections.abc import Coroutine, Mapping
from types import TracebackType
from typing import Any

import httpx

from .._core.log import set_up_logging
from .._core.settings import MAX_RETRIES_DEFAULT, TIMEOUT_DEFAULT, changed_transport, create_transport
from .._core.transport import Transport
from ..parameters import Generate
from .assets import AsyncAssets
from .credits import AsyncCredits, AsyncUsage
from .events import AsyncEvents
from .models import AsyncModels
from .runner import AsyncRunner
from .task import AsyncTask
from .tasks import AsyncTasks
from .webhooks import AsyncWebhooks


class AsyncFramegate:
    """
    Client of one Framegate service with one API key. It belongs to one event loop of asyncio.

    Use it as a context manager, or call `close`, to close its connections when you no longer need it.
    """

    tasks: AsyncTasks
    models: AsyncModels
    assets: AsyncAssets
    credits: AsyncCredits
    usage: AsyncUsage
    events: AsyncEvents
    webhooks: AsyncWebhooks

    def __init__(
        self,
        *,
        api_key: str | None = None,
        base_url: str | None = None,
        timeout: float = TIMEOUT_DEFAULT,
        max_retries: int = MAX_RETRIES_DEFAULT,
        http_client: httpx.AsyncClient | None = None,
        default_headers: Mapping[str, str] | None = None,
    ) -> None:
        """
        `api_key` defaults to the environment variable FRAMEGATE_API_KEY, and `base_url` to FRAMEGATE_URL,
        or else `http://127.0.0.1:8787/api`. If the URL has no path, the client tries the prefix `/api` first,
        and then no prefix. `timeout` is the time in seconds for one attempt. A failed request is retried up to
        `max_retries` times if a retry may succeed. If you pass an `http_client`, you must close it yourself.
        """
        transport = create_transport(
            api_key=api_key,
            base_url=base_url,
            timeout=timeout,
            max_retries=max_retries,
            default_headers=default_headers,
        )
        set_up_logging()
        self._owns_connections = http_client is None
        self._connect(transport, AsyncRunner(http_client))

    def _connect(self, transport: Transport, runner: AsyncRunner) -> None:
        self._transport = transport
        self._runner = runner
        self.tasks = AsyncTasks(transport, runner)
        self.models = AsyncModels(transport, runner)
        self.assets = AsyncAssets(transport, runner)
        self.credits = AsyncCredits(transport, runner)
        self.usage = AsyncUsage(transport, runner)
        self.events = AsyncEvents(transport, runner, self.tasks)
        self.webhooks = AsyncWebhooks(transport, runner, self.tasks)

    @property
    def generate(self) -> Generate[Coroutine[Any, Any, AsyncTask], AsyncTask]:
        """
        Submits a task, waits until it is completed, and returns it. Takes the arguments of
        `tasks.create` and of `AsyncTask.wait`. Raises TaskFailedError if the task fails, and WaitTimeoutError
        after `timeout` seconds (None: no limit); the task then continues. With `cancel_on_interrupt`,
        interrupting the wait also cancels the task.
        """
        return self.tasks._generate

    @property
    def base_url(self) -> str:
        """Prefix of every request URL."""
        return self._transport.address.current

    def with_options(self, *, timeout: float | None = None, max_retries: int | None = None) -> AsyncFramegate:
        """Returns a client with other options. It shares the connections of this client."""
        client = object.__new__(type(self))
        client._owns_connections = False
        client._connect(changed_transport(self._transport, timeout=timeout, max_retries=max_retries), self._runner)
        return client

    async def request(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, str | int | float | None] | None = None,
        body: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> dict[str, Any]:
        """
        Sends a request for which the client has no method, such as one of the operator API. Returns the JSON
        object in the response, or None if the response has no content (204). `path` is relative to the base
        URL. The request is retried like other calls; use `with_options(max_retries=0)` if it is not idempotent.
        """
        return await self._runner.run(
            self._transport.fetch(method, path, query=query, body=body, headers=headers, may_be_empty=True)
        )

    async def close(self) -> None:
        """
        Closes the connections of this client. Has no effect if you passed an `http_client`, or if `with_options`
        returned this client.
        """
        if self._owns_connections:
            await self._runner.http.aclose()

    async def __aenter__(self) -> AsyncFramegate:
        return self

    async def __aexit__(
        self, error_type: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.close()

    def __repr__(self) -> str:
        return f"AsyncFramegate({self.base_url})"
