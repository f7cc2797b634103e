"""A server on 127.0.0.1 that speaks OpenAI's chat completions, and misbehaves by a script.

::

    with JudgeServer(broken(503), ruling({"1": "same"})) as server:
        ...  # api_base = server.url; the first call meets a 503, every further one the ruling
    server.seen[0].body["messages"]

Each call takes the next answer of the script, and the last one for ever. An answer is a function that writes to the
connection; those below are the ways in which real servers went wrong.
"""

import json
import os
import socket
import struct
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

__all__ = [
    "JudgeServer",
    "Seen",
    "broken",
    "closed_port",
    "completion",
    "dripping",
    "refused",
    "reply",
    "reset",
    "ruling",
    "said",
    "slow",
]

# No answer may keep a test longer than this, whatever went wrong.
_LONGEST_S = 30.0


@dataclass(frozen=True)
class Seen:
    """One request as it came: headers in lower case and the JSON body."""

    path: str
    headers: Mapping[str, str]
    body: Mapping[str, Any]


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    # Many questions are asked at once.
    request_queue_size = 128

    def __init__(self, owner: "JudgeServer") -> None:
        self.owner = owner
        super().__init__(("127.0.0.1", 0), _Handler)

    def handle_error(self, request: object, client_address: object) -> None:
        """Clients that hang up are what is tested; nothing is printed."""


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        """Note the request and give the next answer of the script."""
        length = int(self.headers.get("content-length") or 0)
        body = json.loads(self.rfile.read(length))
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.server.owner.take(Seen(self.path, headers, body))(self)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as http.server names it
        """Print nothing."""

    @property
    def stop(self) -> threading.Event:
        """Set when the test is over."""
        return self.server.owner.stop

    @property
    def hung_up(self) -> threading.Event:
        """Set when a client went away in the middle of an answer."""
        return self.server.owner.hung_up

    def send(self, status: int, body: bytes, kind: str = "application/json", **headers: str) -> None:
        """Write a whole answer; `headers` with _ for -."""
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)


Answer = Callable[[_Handler], None]


@dataclass
class JudgeServer:
    """The server, running while its `with` block is; `hung_up` is set once a client left before the end."""

    script: list[Answer]
    seen: list[Seen] = field(default_factory=list)
    stop: threading.Event = field(default_factory=threading.Event)
    hung_up: threading.Event = field(default_factory=threading.Event)

    def __init__(self, *script: Answer) -> None:
        self.script = list(script)
        self.seen = []
        self.stop = threading.Event()
        self.hung_up = threading.Event()
        self._lock = threading.Lock()

    def __enter__(self) -> Self:
        self._server = _Server(self)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self.stop.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def url(self) -> str:
        """What to give as api_base."""
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    def take(self, seen: Seen) -> Answer:
        """Note a request; its answer."""
        with self._lock:
            self.seen.append(seen)
            return self.script.pop(0) if len(self.script) > 1 else self.script[0]


def completion(
    content: str | None,
    *,
    finish: str = "stop",
    refusal: str | None = None,
    usage: object = "usual",
) -> dict[str, Any]:
    """The body of a chat completion of 100 and 20 tokens, with one choice."""
    message = {"role": "assistant", "content": content, "refusal": refusal}
    body = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1_700_000_000,
        "model": "stand-in",
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
        "usage": usage,
    }
    if usage == "usual":
        body["usage"] = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}
    if usage is None:
        del body["usage"]
    return body


def reply(body: object, status: int = 200, **headers: str) -> Answer:
    """Answer with this body: bytes as they are, text as HTML, anything else as JSON."""
    if isinstance(body, bytes):
        return lambda handler: handler.send(status, body, **headers)
    if isinstance(body, str):
        return lambda handler: handler.send(status, body.encode(), "text/html", **headers)
    return lambda handler: handler.send(status, json.dumps(body).encode(), **headers)


def said(content: str | None, **changes: Any) -> Answer:
    """Answer with a completion that says this."""
    return reply(completion(content, **changes))


def ruling(labels: Mapping[str, str] | list[tuple[str, str]]) -> Answer:
    """Answer with a label and a reason for each id, as JSON in the content; a list may hold an id twice."""
    pairs = labels if isinstance(labels, list) else list(labels.items())
    rows = [{"id": name, "reason": f"because of {name}", "label": label} for name, label in pairs]
    return said(json.dumps({"differences": rows}))


def refused(text: str = "I cannot help with that.") -> Answer:
    """Answer with a refusal as OpenAI gives it: no content."""
    return said(None, refusal=text)


def broken(status: int, text: str = "out of order", code: str | None = None, **headers: str) -> Answer:
    """Answer with an error in OpenAI's form."""
    return reply({"error": {"message": text, "type": "error", "param": None, "code": code}}, status, **headers)


def dripping(handler: _Handler) -> None:
    """Promise a long body and send a byte of it every 100 ms, for as long as the client stays."""
    handler.send_response(200)
    handler.send_header("content-type", "application/json")
    handler.send_header("content-length", "1000000")
    handler.end_headers()
    try:
        for _ in range(int(_LONGEST_S * 10)):
            handler.wfile.write(b" ")
            if handler.stop.wait(0.1):
                break
    except OSError:
        handler.hung_up.set()
    handler.close_connection = True


def reset(handler: _Handler) -> None:
    """Send half a body, then reset the connection."""
    body = json.dumps(completion("{}")).encode()
    handler.send_response(200)
    handler.send_header("content-type", "application/json")
    handler.send_header("content-length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body[: len(body) // 2])
    handler.wfile.flush()
    # Closed with a linger of 0 s, a connection is reset; closed politely by the server, it would end instead.
    handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    handler.close_connection = True
    os.close(handler.connection.detach())


def slow(seconds: float, then: Answer) -> Answer:
    """Answer after a pause."""

    def answer(handler: _Handler) -> None:
        if not handler.stop.wait(seconds):
            then(handler)

    return answer


def closed_port() -> tuple[socket.socket, str]:
    """An address that refuses connections for as long as the socket is kept: its port is taken, nobody listens."""
    taken = socket.socket()
    taken.bind(("127.0.0.1", 0))
    return taken, f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
