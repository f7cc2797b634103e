"""An xdist worker whose controller was killed must not go on decoding for hours."""

from __future__ import annotations

import os
import threading
import time

__all__ = ["end_with_controller"]

_LOOK_S = 1.0


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_LOOK_S)
    # Nobody is left to report to; finished utterances are stored, and the engines' own lifelines close with us.
    os._exit(1)


def end_with_controller() -> None:
    """End this process, and with it its engines, when the process that started it is gone."""
    threading.Thread(target=_watch, args=(os.getppid(),), name="asrgate-orphan-watch", daemon=True).start()
