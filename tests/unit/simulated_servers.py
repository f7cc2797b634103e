"""Servers that are no Dask scheduler."""

import contextlib
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

__all__ = ["http_port"]


class _Quiet(BaseHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


@contextlib.contextmanager
def http_port() -> Iterator[int]:
    """The port of a web server of this machine."""
    with HTTPServer(("127.0.0.1", 0), _Quiet) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield server.server_address[1]
        finally:
            server.shutdown()
