from __future__ import annotations

from collections.abc import Mapping
from types import TracebackType
from typing import Any

import httpx

from .._core.log import set_up_logging
from .._core.settings import MAX_RETRIES_DEFAULT, TIMEOUT_DEFAULT, changed_transport, create_transport
from .._core.transport import Transport
from ..parameters import Generate
from .assets import Assets
from .credits import Credits, Usage
from .events import Events
from .models import Models
from .runner import SyncRunner
from .task import Task
from .tasks import Tasks
from .webhooks import Webhooks


class Framegate:
    """
    Client of one Framegate service with one API key. Several threads may share it.

    Use it as a context manager, or call `close`, to close its connections when you no longer need it.
    """

    tasks: Tasks
    models: Models
    assets: Assets
    credits: Credits
    usage: Usage
    events: Events
    webhooks: Webhooks

    def __init__(
        self,
        *,
        api_key: str | None = None,
        base_url: str | None = None,
        timeout: float = TIMEOUT_DEFAULT,
        max_retries: int = MAX_RETRIES_DEFAULT,
        http_client: httpx.Client | None = None,
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
        self._connect(transport, SyncRunner(http_client))

    def _connect(self, transport: Transport, runner: SyncRunner) -> None:
        self._transport = transport
        self._runner = runner
        self.tasks = Tasks(transport, runner)
        self.models = Models(transport, runner)
        self.assets = Assets(transport, runner)
        self.credits = Credits(transport, runner)
        self.usage = Usage(transport, runner)
        self.events = Events(transport, runner, self.tasks)
        self.webhooks = Webhooks(transport, runner, self.tasks)

    @property
    def generate(self) -> Generate[Task, Task]:
        """
        Submits a task, waits until it is completed, and returns it. Takes the arguments of
        `tasks.create` and of `Task.wait`. Raises TaskFailedError if the task fails, and WaitTimeoutError
        after `timeout` seconds (None: no limit); the task then continues. With `cancel_on_interrupt`,
        interrupting the wait also cancels the task.
        """
        return self.tasks._generate

    @property
    def base_url(self) -> str:
        """Prefix of every request URL."""
        return self._transport.address.current

    def with_options(self, *, timeout: float | None = None, max_retries: int | None = None) -> Framegate:
        """Returns a client with other options. It shares the connections of this client."""
        client = object.__new__(type(self))
        client._owns_connections = False
        client._connect(changed_transport(self._transport, timeout=timeout, max_retries=max_retries), self._runner)
        return client

    def request(
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
        return self._runner.run(
            self._transport.fetch(method, path, query=query, body=body, headers=headers, may_be_empty=True)
        )

    def close(self) -> None:
        """
        Closes the connections of this client. Has no effect if you passed an `http_client`, or if `with_options`
        returned this client.
        """
        if self._owns_connections:
            self._runner.http.close()

    def __enter__(self) -> Framegate:
        return self

    def __exit__(
        self, error_type: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Framegate({self.base_url})"
