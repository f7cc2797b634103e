"""Decide, as a pytest run, whether a speech recogniser may ship.

The names below are imported when they are first used: pytest imports this package in every run.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pytest_asrgate.config import Gate
    from pytest_asrgate.errors import AsrGateError
    from pytest_asrgate.records import Counts, HypothesisSet, Outcome, Score, Verdict
    from pytest_asrgate.reports.schema import report_schema
    from pytest_asrgate.semantic.counting import calculate_wer
    from pytest_asrgate.session import GateSession, open_gate

__all__ = [
    "AsrGateError",
    "Counts",
    "Gate",
    "GateSession",
    "HypothesisSet",
    "Outcome",
    "Score",
    "Verdict",
    "__version__",
    "calculate_wer",
    "open_gate",
    "report_schema",
]

__version__ = "0.1.0"

_HOMES = {
    "AsrGateError": "errors",
    "Counts": "records",
    "Gate": "config",
    "GateSession": "session",
    "HypothesisSet": "records",
    "Outcome": "records",
    "Score": "records",
    "Verdict": "records",
    "calculate_wer": "semantic.counting",
    "open_gate": "session",
    "report_schema": "reports.schema",
}

# Hidden from type checkers, which would otherwise take any misspelt name for a right one.
if not TYPE_CHECKING:

    def __getattr__(name):
        """Import a public name from its room; AttributeError for any other."""
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module  # noqa: PLC0415 - costs nothing where no name is used

        value = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
        globals()[name] = value
        return value

    def __dir__():
        """All public names, imported or not, beside what is here already."""
        return sorted({*globals(), *__all__})
