"""An event loop in a thread of its own, so that whoever asks may have one that runs, and may be interrupted."""

import asyncio
import threading
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

__all__ = ["LoopThread"]

_Result = TypeVar("_Result")

# How long an interrupted caller waits for calls to be given up, in seconds.
_PATIENCE_S = 5.0


class LoopThread:
    """Runs coroutines of any thread in one loop, until it is closed."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._serve, name="asrgate-judge", daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_forever()
        finally:
            self._loop.close()

    def run(self, make: Callable[[], Coroutine[Any, Any, _Result]]) -> _Result:
        """Run a coroutine and return what it returns, or raise what it raises.

        Where the caller is interrupted, the coroutine is cancelled, and given some seconds to end.
        """
        ended = threading.Event()

        async def whole() -> _Result:
            try:
                return await make()
            finally:
                ended.set()

        future = asyncio.run_coroutine_threadsafe(whole(), self._loop)
        try:
            return future.result()
        except BaseException:
            if not future.done():
                future.cancel()
                ended.wait(_PATIENCE_S)
            raise

    def close(self) -> None:
        """Stop the loop and end its thread."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join(_PATIENCE_S)
