"""The fixture `asrgate` in somebody's own tests."""

import pytest

from pytest_asrgate.session import GateSession
from tests.integration.conftest import SENTENCES, SUPPORT, GateProject

EXAMPLE = (SUPPORT / "examples" / "polite.py").read_text()


def _clips(project: GateProject, variant: str) -> int:
    return sum("clip" in line for line in project.log(variant))


def test_the_readmes_test_fails_on_the_word_that_was_lost(project: GateProject) -> None:
    """A bare `pytest` runs the test over the configured gate, without the gate's own items."""
    project.standard()
    project.pytester.makepyfile(test_polite=EXAMPLE)
    result = project.run()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*AssertionError: please turn on the chicken light*"])
    assert "U95 of delta" not in result.stdout.str()


def test_the_readmes_test_passes_where_nothing_was_lost(project: GateProject) -> None:
    """The same test passes for a variant that hears every word; a rerun transcribes nothing."""
    project.standard()
    right = {1600 + number: sentence for number, sentence in enumerate(SENTENCES)}
    project.model("q8_0", right, log=str(project.root / "q8_0.log"))
    project.pytester.makepyfile(test_polite=EXAMPLE)
    project.run().assert_outcomes(passed=1)
    project.run().assert_outcomes(passed=1)
    assert _clips(project, "q8_0") == _clips(project, "f32") == len(SENTENCES)


def test_items_and_tests_of_a_run_share_their_engines(project: GateProject) -> None:
    """Beside the gate's items nothing is loaded or transcribed twice, and the summary counts all work."""
    project.standard()
    project.pytester.makepyfile(test_polite=EXAMPLE)
    result = project.run("--asrgate")
    result.assert_outcomes(passed=2, failed=1)
    for variant in ("f32", "q8_0"):
        assert _clips(project, variant) == len(SENTENCES)
        assert project.log(variant).count(f"{variant} load") == 1
    result.stdout.fnmatch_lines(["transcribed 16 utterances now*"])


def test_workers_of_xdist_share_the_store(project: GateProject) -> None:
    """Under `-n 2` items and tests in different processes transcribe each utterance once between them."""
    pytest.importorskip("xdist")
    project.standard()
    project.pytester.makepyfile(test_polite=EXAMPLE)
    result = project.run_apart("--asrgate", "-n", "2", "--dist", "load")
    result.assert_outcomes(passed=2, failed=1)
    assert _clips(project, "f32") == _clips(project, "q8_0") == len(SENTENCES)
    result.stdout.fnmatch_lines(["transcribed 16 utterances now*"])


def test_without_a_gate_file_only_the_test_that_asks_fails(project: GateProject) -> None:
    """The test gets one sentence that names the file; other tests run."""
    project.pytester.makepyfile("def test_mine(asrgate): pass\n\ndef test_other(): pass\n")
    result = project.run()
    result.assert_outcomes(passed=1, errors=1)
    result.stdout.fnmatch_lines(["asrgate: there is no gate file */gate.toml; name one with --asrgate-config*"])
    assert "Traceback" not in result.stdout.str()


def test_a_broken_gate_file_fails_the_test_that_asks(project: GateProject) -> None:
    """The test gets the problems of the file."""
    project.standard()
    project.gate((project.root / "gate.toml").read_text().replace("timeout_s", "timeout"))
    project.pytester.makepyfile("def test_mine(asrgate): pass\n\ndef test_other(): pass\n")
    result = project.run()
    result.assert_outcomes(passed=1, errors=1)
    result.stdout.fnmatch_lines(["asrgate: *: 1 problem", "*unknown key; did you mean 'timeout_s'?"])


def test_the_file_may_be_named_by_option(project: GateProject) -> None:
    """The fixture reads the file of --asrgate-config."""
    project.standard()
    (project.root / "gate.toml").rename(project.root / "other.toml")
    project.pytester.makepyfile("def test_mine(asrgate): assert asrgate.gate.path.name == 'other.toml'\n")
    project.run("--asrgate-config", "other.toml").assert_outcomes(passed=1)


def test_the_session_is_closed_at_the_end(project: GateProject, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without any item of the gate the fixture itself ends engines and store, once all tests are done."""
    project.standard()
    closed: list[GateSession] = []
    close = GateSession.close

    def noted(self: GateSession) -> None:
        closed.append(self)
        close(self)

    monkeypatch.setattr(GateSession, "close", noted)
    project.pytester.makepyfile("def test_mine(asrgate): asrgate.score('f32', 'prompts')\n")
    project.run().assert_outcomes(passed=1)
    assert len(closed) == 1
