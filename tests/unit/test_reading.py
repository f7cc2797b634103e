"""Claims about reading a JSON report back: what we wrote is read, and anything else is refused in one sentence."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pytest_asrgate import __version__
from pytest_asrgate.errors import ReportError
from pytest_asrgate.reports.json_report import session_report, write_json_report
from pytest_asrgate.reports.reading import read_report

from .test_report_schema import ENTRIES

AGAIN = "write it again with --asrgate-json"


def _document(folder: Path) -> Any:
    """A report of ours as JSON values, whose first pair has utterances and checks."""
    path = folder / "good.json"
    write_json_report(path, session_report(folder / "gate.toml", [ENTRIES["PASS"]], ["a note"], ["x::y"]))
    return json.loads(path.read_text(encoding="utf-8"))


def _refused(path: Path) -> str:
    with pytest.raises(ReportError) as caught:
        read_report(path)
    sentence = str(caught.value)
    assert sentence.startswith(f"{path}")
    assert "\n" not in sentence
    return sentence.removeprefix(f"{path}")


@pytest.mark.parametrize("name", ENTRIES)
def test_what_was_written_is_read(tmp_path: Path, name: str) -> None:
    """A report of every kind of pair comes back as it was, and no count as a number with a fraction."""
    report = session_report(tmp_path / "gate.toml", [ENTRIES[name]], ["a note"], ["x::y"])
    write_json_report(tmp_path / "report.json", report)
    # As text, since 16 and 16.0 are equal numbers.
    assert json.dumps(read_report(tmp_path / "report.json"), sort_keys=True) == json.dumps(report, sort_keys=True)


def test_keys_of_a_later_version_are_left_out(tmp_path: Path) -> None:
    """What version 1 may get later keeps nobody from reading the rest, and is not passed on."""
    document = _document(tmp_path)
    later = json.loads(json.dumps(document))
    later["more"] = 1
    later["gate"]["more"] = 1
    later["pairs"][0]["more"] = {"a": [1]}
    later["pairs"][0]["utterances"][0]["more"] = None
    (tmp_path / "later.json").write_text(json.dumps(later))
    assert read_report(tmp_path / "later.json") == document


CHANGES: dict[str, tuple[Callable[[Any], Any], str]] = {
    "a missing key": (lambda it: it["pairs"][0].pop("checks"), "pairs[0]: has no key 'checks'; was it changed?"),
    "a missing key of an utterance": (
        lambda it: it["pairs"][0]["utterances"][1].pop("steps"),
        "pairs[0].utterances[1]: has no key 'steps'; was it changed?",
    ),
    "no gate": (lambda it: it.pop("gate"), "has no key 'gate'"),
    "text for a number": (lambda it: it["pairs"][0].update(n="3"), "pairs[0].n: must be a whole number; it is '3'"),
    "a fraction": (lambda it: it["pairs"][0].update(n=1.5), "pairs[0].n: must be a whole number"),
    "a number for yes or no": (
        lambda it: it["pairs"][0].update(incomplete=1),
        "pairs[0].incomplete: must be true or false; it is 1",
    ),
    "an object for a list": (lambda it: it.update(pairs={}), "pairs: must be a list; it is {}"),
    "a value of neither kind": (
        lambda it: it["pairs"][0]["checks"][0].update(value=[]),
        "pairs[0].checks[0].value: must be a number or be a string; it is []",
    ),
    "an interval of one": (
        lambda it: it["pairs"][0].update(ci_pct=[1.0]),
        "pairs[0].ci_pct: must hold two numbers",
    ),
    "an interval of three": (
        lambda it: it["pairs"][0].update(delta_ci_pp=[1.0, 2.0, 3.0]),
        "pairs[0].delta_ci_pp: must hold two numbers",
    ),
    "an unknown verdict": (
        lambda it: it["pairs"][0].update(verdict="GOOD"),
        "pairs[0].verdict: must be 'PASS', 'FAIL'",
    ),
    "an unknown metric": (lambda it: it["pairs"][0].update(metric="per"), "pairs[0].metric: must be 'wer'"),
    "an unknown status of a check": (
        lambda it: it["pairs"][0]["checks"][0].update(status="good"),
        "pairs[0].checks[0].status: must be 'pass'",
    ),
    "an unknown step": (
        lambda it: it["pairs"][0]["utterances"][0].update(steps="=X"),
        "pairs[0].utterances[0].steps: must be made of =, S, D and I; it is '=X'",
    ),
    "a pair that is none": (lambda it: it["pairs"].append(None), "pairs[1]: must be an object; it is null"),
    "true for a number": (
        lambda it: it["pairs"][0].update(n=True),
        "pairs[0].n: must be a whole number; it is true",
    ),
    "words of JSON within": (
        lambda it: it["pairs"][0].update(n={"a": None}),
        'pairs[0].n: must be a whole number; it is {"a": null}',
    ),
    "a metric that is none": (
        lambda it: it["pairs"][0].update(metric=False),
        "pairs[0].metric: must be 'wer', 'cer' or null; it is false",
    ),
    "a count below none": (lambda it: it["pairs"][0].update(n=-1), "pairs[0].n: must be 0 or more; it is -1"),
    "errors below none": (
        lambda it: it["pairs"][0]["utterances"][0].update(errors=-2),
        "pairs[0].utterances[0].errors: must be 0 or more; it is -2",
    ),
    "another version": (
        lambda it: it.update(schema="asrgate.report/2"),
        "its key 'schema' says 'asrgate.report/2'",
    ),
    "no schema": (lambda it: it.pop("schema"), "it has no key 'schema'"),
    "a schema that is no text": (lambda it: it.update(schema=[]), "its key 'schema' says []"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_changed_report_is_refused(tmp_path: Path, name: str) -> None:
    """The sentence names file and key, and what would be right."""
    change, expected = CHANGES[name]
    document = _document(tmp_path)
    change(document)
    path = tmp_path / "bad.json"
    path.write_text(json.dumps(document))
    assert expected in _refused(path)


def test_a_report_of_this_version_was_changed(tmp_path: Path) -> None:
    """Where the version is ours it is not to blame for what lacks."""
    document = _document(tmp_path)
    del document["pairs"][0]["reason"]
    (tmp_path / "cut.json").write_text(json.dumps(document))
    assert _refused(tmp_path / "cut.json") == f": pairs[0]: has no key 'reason'; was it changed? {AGAIN}"


def test_an_older_report_is_told_by_its_version(tmp_path: Path) -> None:
    """A report that lacks what this version writes says by which it was written, and the mend."""
    document = _document(tmp_path)
    document["gate"]["plugin_version"] = "0.0.1"
    del document["pairs"][0]["reason"]
    (tmp_path / "old.json").write_text(json.dumps(document))
    sentence = _refused(tmp_path / "old.json")
    assert f"its gate.plugin_version is '0.0.1', this is '{__version__}'" in sentence
    assert sentence.endswith(AGAIN)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", "no JSON object"),
        (b"{", "no JSON object"),
        (b"[]", "must hold a JSON object"),
        (b"\xff\xfe", "not UTF-8"),
        (b'{"schema": "asrgate.report/1", "schema": "asrgate.report/1"}', "the key 'schema' stands twice"),
        (b'{"schema": "asrgate.report/1", "gate": NaN}', "'gate' is NaN"),
        (b'{"schema": "asrgate.report/1", "pairs": [Infinity]}', "NaN or an infinity is no JSON value"),
        (b'{"a": ' * 100_000, "no "),
        (b"<!DOCTYPE html><!-- asrgate.page/1 -->", "no JSON object"),
    ],
)
def test_what_is_no_report_is_refused(tmp_path: Path, content: bytes, expected: str) -> None:
    """No JSON, NaN, doubled keys, huge nesting and other files end in one sentence that names the file."""
    path = tmp_path / "report.json"
    path.write_bytes(content)
    assert expected in _refused(path)


def test_no_file_is_refused(tmp_path: Path) -> None:
    """A file that is not there is named."""
    assert "cannot be read (No such file or directory)" in _refused(tmp_path / "absent.json")
