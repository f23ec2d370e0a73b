"""Receives the first event of a webhook on loopback."""

import json
import os
import threading
import urllib.request
from http.server import BaseHTTPRequestHandler, HTTPServer


def call(method: str, path: str, body: dict | None = None) -> dict:
    request = urllib.request.Request(
        os.environ["FRAMEGATE_URL"] + path,
        method=method,
        data=None if body is None else json.dumps(body).encode(),
        headers={"authorization": "Bearer " + os.environ["FRAMEGATE_API_KEY"], "content-type": "application/json"},
    )
    with urllib.request.urlopen(request) as response:
        return json.load(response)


def receive_webhook(format: str, happen) -> tuple[bytes, dict[str, str], str]:
    """Calls `happen`, and returns the body, the headers and the secret of the next event."""
    received = []
    arrived = threading.Event()

    class Receiver(BaseHTTPRequestHandler):
        def do_POST(self):
            received.append((self.rfile.read(int(self.headers["content-length"])), dict(self.headers)))
            self.send_response(200)
            self.end_headers()
            arrived.set()

        def log_message(self, *_):
            pass

    server = HTTPServer(("127.0.0.1", 0), Receiver)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    webhook = call("POST", "/v2/webhooks", {"url": f"http://127.0.0.1:{server.server_port}/", "format": format})
    happen()
    assert arrived.wait(30), "no event was received"
    call("DELETE", "/v2/webhooks/" + webhook["id"])
    server.shutdown()
    body, headers = received[0]
    return body, headers, webhook["secret"]
