"""What calling a model changes in the process that does it, and puts back: the process is somebody else's."""

import os
import threading
import warnings
from contextlib import suppress
from typing import Any

__all__ = ["PROCESS", "Process"]

# Read when litellm is imported or first used: the lists that it carries do; it fetches none and reads no .env file.
_ENVIRONMENT = {
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    "LITELLM_LOCAL_ANTHROPIC_BETA_HEADERS": "True",
    "LITELLM_MODE": "PRODUCTION",
}
_ATTRIBUTES = ("suppress_debug_info", "disable_aiohttp_trust_env")
_WARNING = "Pydantic serializer warnings"


class Process:
    """Environment variables, settings of litellm and a filter of warnings, as long as anybody has taken them.

    Loggers of a litellm that was imported here stay quiet for good, since it may log at the exit of the process.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._holders = 0
        self._variables: dict[str, str | None] = {}
        self._litellm: Any = None
        self._attributes: dict[str, Any] = {}
        self._filters: list[object] = []

    def take(self) -> None:
        """Set the variables; to be called before litellm is imported, and to be given back."""
        with self._lock:
            self._holders += 1
            if self._holders == 1:
                self._variables = {name: os.environ.get(name) for name in _ENVIRONMENT}
            os.environ.update(_ENVIRONMENT)

    def quieten(self, litellm: Any) -> None:
        """Keep litellm from printing hints, and remember what else is set for a call."""
        with self._lock:
            if self._litellm is not litellm:
                self._litellm = litellm
                self._attributes = {name: getattr(litellm, name, False) for name in _ATTRIBUTES}
            litellm.suppress_debug_info = True

    def filter_warnings(self) -> None:
        """Pass over a warning of OpenAI's package about a server's odd fields; as an error it would end a call.

        To be called before each call, since tests change the filters meanwhile.
        """
        with self._lock:
            before = list(warnings.filters)
            warnings.filterwarnings("ignore", message=_WARNING, category=UserWarning)
            self._filters += [entry for entry in warnings.filters if entry not in before]

    def give_back(self) -> None:
        """Put everything back as it was, once the last holder does; what others changed meanwhile is left."""
        with self._lock:
            self._holders -= 1
            if self._holders:
                return
            for name, value in self._variables.items():
                if os.environ.get(name) != _ENVIRONMENT[name]:
                    continue
                if value is None:
                    del os.environ[name]
                else:
                    os.environ[name] = value
            for name, value in self._attributes.items():
                setattr(self._litellm, name, value)
            filters: Any = warnings.filters
            for entry in self._filters:
                with suppress(ValueError):
                    filters.remove(entry)
            self._variables, self._litellm, self._attributes, self._filters = {}, None, {}, []


PROCESS = Process()
