"""gate.toml as a tree of pytest nodes: file → variant → dataset, ids like `gate.toml::q8_0::prompts`."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import pytest

from pytest_asrgate.config import Gate
from pytest_asrgate.errors import GateFileError
from pytest_asrgate.plugin.outcomes import GateError, GateFailed, GateInconclusive, GateStop, GateWarning
from pytest_asrgate.plugin.report_files import REPORT_OPTIONS
from pytest_asrgate.plugin.sessions import gate_of, session_of, shared_session
from pytest_asrgate.records import Outcome
from pytest_asrgate.reports.entries import PairEntry, pair_entry
from pytest_asrgate.reports.escape import plain
from pytest_asrgate.reports.failure import failure_message
from pytest_asrgate.reports.junit import junit_properties

__all__ = ["DatasetItem", "GateFileNode", "VariantNode"]


class GateFileNode(pytest.File):
    """The gate file; reading it has no side effects and looks at nothing but the file."""

    def collect(self) -> Iterator[VariantNode]:
        """Yield one collector for each variant; GateFileError for a file that cannot be used."""
        gate = gate_of(self.config, self.path)
        for variant in gate.variants:
            yield VariantNode.from_parent(self, name=variant, gate=gate)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:  # noqa: ARG002 - pytest's signature
        """Show the problems of the file as they are, without a traceback."""
        if isinstance(excinfo.value, GateFileError):
            return "\n".join(plain(line) for line in str(excinfo.value).splitlines())
        return super().repr_failure(excinfo)


class VariantNode(pytest.Collector):
    """One variant; its items share a model process, which ends with the last of them."""

    def __init__(self, *, gate: Gate, **rest: Any) -> None:
        super().__init__(**rest)
        self.gate = gate

    def collect(self) -> Iterator[DatasetItem]:
        """Yield one item for each dataset."""
        for dataset in self.gate.datasets:
            yield DatasetItem.from_parent(self, name=dataset, variant=self.name, gate=self.gate)

    def teardown(self) -> None:
        """End the model processes that this variant's items needed."""
        session = session_of(self.config)
        if session is not None:
            session.release()


class DatasetItem(pytest.Item):
    """One pair: passes when its verdict is PASS."""

    def __init__(self, *, variant: str, gate: Gate, **rest: Any) -> None:
        super().__init__(**rest)
        self.variant = variant
        self.gate = gate
        self.entry: PairEntry | None = None
        self.add_marker("wer")
        if gate.pair(variant, self.name).expected_to_fail:
            # Strict, and satisfied by our FAIL alone: an error or a surprise pass is news.
            reason = 'expect = "fail"'
            self.add_marker(pytest.mark.xfail(reason=reason, raises=GateFailed, strict=True))

    def runtest(self) -> None:
        """Judge the pair; every check is evaluated before the one exception that lists them is raised."""
        session = shared_session(self.config, self.gate)
        before, lost = session.transcribed, session.failed
        verdict = session.verdict(self.variant, self.name)
        self.entry = pair_entry(
            verdict,
            transcribed_now=session.transcribed - before,
            failed_now=session.failed - lost,
            gate_folder=self.gate.path.parent,
            with_utterances=any(map(self.config.getoption, REPORT_OPTIONS))
            or self.config.getoption("verbose", 0) > 1,
        )
        self.user_properties += junit_properties(self.entry)
        if verdict.outcome is Outcome.PASS:
            return
        message = failure_message(verdict)
        if verdict.outcome is Outcome.FAIL:
            raise GateFailed(message)
        if verdict.outcome is Outcome.ERROR:
            raise GateError(message)
        if not self.gate.inconclusive_passes:
            raise GateInconclusive(message)
        # The gate file says that this passes; a project that turns warnings into errors does not overrule it.
        with warnings.catch_warnings():
            warnings.simplefilter("always", GateWarning)
            warnings.warn(GateWarning(f"{self.nodeid}: INCONCLUSIVE: {plain(verdict.reason)}"), stacklevel=1)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Show our own verdicts as they are; anything else with its traceback."""
        if isinstance(excinfo.value, GateStop):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Any, int | None, str]:
        """Where the item stands, for pytest's headings."""
        return self.path, None, f"{self.variant}::{self.name}"
