"""Figures that others published, found again by `asrgate` over the folder that ASRGATE_CONFORMANCE names.

It holds `refhyp/SET/SYSTEM.jsonl`, references and hypotheses of real systems, and beside them `expected.json` with
the published figures of each file. Nothing of it is part of this project.
"""

import json
import os
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from pytest_asrgate.cli import main

FOLDER = os.environ.get("ASRGATE_CONFORMANCE")
ROOT = Path(FOLDER or "") / "refhyp"
SETS = LIBRISPEECH, SCLITE, WHISPER, VOXPOPULI = (
    "librispeech_fbai",
    "sclite_demo",
    "whisper_base_en_4",
    "voxpopuli_hume_150",
)
KINDS = ("substitutions", "deletions", "insertions")

pytestmark = pytest.mark.skipif(not FOLDER, reason="ASRGATE_CONFORMANCE names no folder of published transcripts")


def _present(name: str) -> dict[Path, dict[str, Any]]:
    """What is expected of each file of a set that is really there; nothing without the variable."""
    description = ROOT / name / "expected.json"
    if not FOLDER or not description.is_file():
        return {}
    files = json.loads(description.read_text(encoding="utf-8"))["files"]
    return {path: entry for file, entry in files.items() if (path := ROOT / name / file).is_file()}


def _files(name: str) -> pytest.MarkDecorator:
    """One test for each file of the set."""
    cases = [pytest.param(path, entry, id=path.stem) for path, entry in _present(name).items()]
    return pytest.mark.parametrize(("path", "entry"), cases)


def _scored(path: Path, folder: Path, *options: str) -> dict[str, Any]:
    """What `asrgate score` writes of a file, here as `folder`/SYSTEM.score.json."""
    target = folder / f"{path.stem}.score.json"
    assert main(["score", str(path), *options, "--out", str(target)]) == 0
    document: dict[str, Any] = json.loads(target.read_text(encoding="utf-8"))
    return document


def _kinds(counts: dict[str, Any]) -> dict[str, int]:
    return {kind: counts[kind] for kind in KINDS}


def _errors(counts: dict[str, Any]) -> int:
    return sum(_kinds(counts).values())


def _known_distance(entry: dict[str, Any]) -> int:
    """0, or 1 where the published total is itself known to be off the minimum."""
    return min(1, abs(_errors(entry["published"]) - _errors(entry["recomputed"])))


@pytest.mark.parametrize("name", SETS)
def test_each_set_is_there(name: str) -> None:
    """A folder that was named and holds no file of a set is a fault: its claims would pass unseen."""
    assert _present(name), f"{ROOT / name} holds none of the files that its expected.json names"


@_files(LIBRISPEECH)
def test_librispeech_has_the_published_errors(path: Path, entry: dict[str, Any], tmp_path: Path) -> None:
    """Utterances, words and errors are the published ones; kinds are not compared, their aligner weighs them."""
    found = _scored(path, tmp_path, "--normaliser", "none")
    published = entry["published"]
    assert (found["n"], found["words"]) == (entry["utterances"], published["ref_words"])
    assert found["n_errors"] == found["null_references"] == 0
    assert abs(_errors(found) - published["total"]) <= _known_distance(entry)


@_files(SCLITE)
def test_sclite_counted_the_same(path: Path, entry: dict[str, Any], tmp_path: Path) -> None:
    """Errors, words, utterances and utterances with an error are those of NIST's tool; so is each one's total."""
    found = _scored(path, tmp_path, "--normaliser", "none")
    published = entry["published"]
    assert (_errors(found), found["words"]) == (_errors(published), published["ref_words"])
    assert found["n"] == published["sentences"] == entry["utterances"]
    errors = {row["id"]: _errors(row) for row in found["per_utterance"]}
    assert sum(count > 0 for count in errors.values()) == published["sentence_errors"]
    theirs = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert errors == {row["id"]: _errors(row) for row in theirs}


@_files(SCLITE)
def test_words_on_an_empty_reference_are_insertions(path: Path, entry: dict[str, Any], tmp_path: Path) -> None:
    """Where nothing was said there are no words, and each word that was heard is an insertion."""
    found = _scored(path, tmp_path, "--normaliser", "none")
    silent = [row for row in found["per_utterance"] if row["null_reference"]]
    assert len(silent) == found["null_references"] == entry["empty_references"]
    for row in silent:
        assert (row["ref"], row["words"], row["wer"]) == ("", 0, None)
        assert _kinds(row) == {"substitutions": 0, "deletions": 0, "insertions": len(row["hyp"].split())}


@_files(WHISPER)
def test_whisper_base_is_scored_as_published(path: Path, entry: dict[str, Any], tmp_path: Path) -> None:
    """Against a figure that was made with the same aligner each kind of error is equal, and the rate in full."""
    found = _scored(path, tmp_path, "--normaliser", "none")
    assert _kinds(found) == _kinds(entry["published"])
    assert found["words"] == entry["recomputed"]["ref_words"]
    assert found["wer"] == found["error_rate"] == entry["published"]["wer"]


@_files(VOXPOPULI)
def test_voxpopuli_has_the_recomputed_errors(path: Path, entry: dict[str, Any], tmp_path: Path) -> None:
    """Under the English normaliser each kind of error is jiwer's, over the utterances that have a reference.

    Nothing was published for these clips. The recomputed figures leave the empty references out; here they count.
    """
    found = _scored(path, tmp_path, "--language", "en")
    spoken = [row for row in found["per_utterance"] if not row["null_reference"]]
    counts = {kind: sum(row[kind] for row in spoken) for kind in KINDS}
    assert found["normaliser"].startswith("whisper-english ")
    assert (found["n"], len(spoken)) == (entry["utterances"], entry["scored"])
    assert (counts, found["words"]) == (_kinds(entry["recomputed"]), entry["recomputed"]["ref_words"])
    invented = found["insertions"] - counts["insertions"]
    assert invented == sum(len(row["hyp"].split()) for row in found["per_utterance"] if row["null_reference"]) > 0


def _compared(
    part: str, folder: Path, capsys: pytest.CaptureFixture[str], *options: str
) -> list[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """For each two systems of a part of LibriSpeech: what `asrgate compare` prints, and what is known of both."""
    present = {path: entry for path, entry in _present(LIBRISPEECH).items() if path.name.startswith(part)}
    if len(present) < 2:
        pytest.skip(f"{ROOT / LIBRISPEECH} holds fewer than two systems of {part}")
    for path in present:
        _scored(path, folder, "--normaliser", "none", *options)
    found = []
    for pair in combinations(present, 2):
        capsys.readouterr()
        files = [str(folder / f"{path.stem}.score.json") for path in pair]
        assert main(["compare", *files, "--format", "json"]) == 0
        found.append((json.loads(capsys.readouterr().out), [present[path] for path in pair]))
    return found


@pytest.mark.parametrize("part", ["test-clean", "test-other"])
def test_compared_systems_differ_as_published(
    part: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The delta is that of the published rates, and the system that is better by them is the better one."""
    for printed, entries in _compared(part, tmp_path, capsys):
        before, after = (100 * entry["published"]["wer"] for entry in entries)
        words = entries[0]["published"]["ref_words"]
        apart = 100 * sum(map(_known_distance, entries)) / words
        base, other = printed["rows"]
        assert base["delta_pp"] is None
        assert other["delta_pp"] == pytest.approx(after - before, abs=apart + 1e-9)
        assert (other["rate_pct"] < base["rate_pct"]) == (after < before)
        low, high = other["delta_ci_pp"]
        assert low < other["delta_pp"] < high
        assert (other["n"], other["left_out"]) == (entries[0]["utterances"], 0)


def test_speakers_are_taken_from_the_ids(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The 40 speakers that test-clean is known to have are found in its ids, and the note says so."""
    for printed, _ in _compared("test-clean", tmp_path, capsys, "--speaker", r"^(\d+)-"):
        assert any("; 40 speakers)" in note for note in printed["notes"]), printed["notes"]
