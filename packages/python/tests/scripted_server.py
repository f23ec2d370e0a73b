"""A server on loopback that sends the replies of a test, and breaks connections."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any


@dataclass(frozen=True)
class Reply:
    status: int = 200
    body: Any = b""
    """Bytes, or a value that is sent as JSON."""
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    cut_after: int | None = None
    """Number of bytes of the body after which the connection breaks."""
    silent_after: int | None = None
    """Number of bytes of the body after which nothing more is sent."""


LOST = "lost"
"""The connection breaks instead of a response."""


@dataclass(frozen=True)
class Request:
    method: str
    path: str
    headers: Mapping[str, str]
    """Names are in lower case."""
    body: bytes
    port: int
    """Port of the client, which identifies the connection."""

    @property
    def json(self) -> Any:
        return json.loads(self.body)


def refusal(status: int, code: str, **headers: str) -> Reply:
    error = {"type": "t", "code": code, "message": f"It is {code}.", "param": None, "request_id": "req_1"}
    return Reply(status, {"error": error}, {name.replace("_", "-"): value for name, value in headers.items()})


def task(status: str, **fields: Any) -> dict[str, Any]:
    return {
        "id": "task_1",
        "object": "video",
        "created": 0,
        "model": "m",
        "status": status,
        "progress": 0,
        "amount": 1,
        "actualDuration": None,
        "error": None,
        **fields,
    }


class ScriptedServer:
    def __init__(self) -> None:
        self.replies: list[Reply | str] = []
        """Replies in the order of the requests. The last one repeats."""
        self.requests: list[Request] = []
        self._ended = threading.Event()
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_one_request(self) -> None:
                try:
                    super().handle_one_request()
                except ConnectionError:
                    self.close_connection = True

            def respond(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                headers = {name.lower(): value for name, value in self.headers.items()}
                server.requests.append(Request(self.command, self.path, headers, body, self.client_address[1]))
                reply = server.replies.pop(0) if len(server.replies) > 1 else server.replies[0]
                if isinstance(reply, str):
                    self.close_connection = True
                else:
                    server.send(self, reply)

            do_GET = do_POST = do_PATCH = do_DELETE = respond

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.origin = f"http://127.0.0.1:{self._server.server_address[1]}"
        self.base_url = f"{self.origin}/api"

    def send(self, handler: BaseHTTPRequestHandler, reply: Reply) -> None:
        body = reply.body if isinstance(reply.body, bytes) else json.dumps(reply.body).encode()
        handler.send_response(reply.status)
        headers = {"Content-Length": str(len(body)), **reply.headers}
        for name, value in headers.items():
            if value:
                handler.send_header(name, value)
        handler.end_headers()
        sent_bytes_max = reply.cut_after if reply.cut_after is not None else reply.silent_after
        handler.wfile.write(body[:sent_bytes_max])
        handler.wfile.flush()
        if reply.silent_after is not None:
            self._ended.wait(20)
        if reply.cut_after is not None or "Content-Length" not in headers or not headers["Content-Length"]:
            # Gives the client time to read the bytes, because unread ones are lost with the connection.
            time.sleep(0.05)
            handler.close_connection = True

    def __enter__(self) -> ScriptedServer:
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(
        self, error_type: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._ended.set()
        self._server.shutdown()
        self._server.server_close()
