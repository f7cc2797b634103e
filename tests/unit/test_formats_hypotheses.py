"""Claims about files of hypotheses in every format: the name tells it, and all say what they can and no more."""

import json
from pathlib import Path

import pytest

from pytest_asrgate.errors import AsrGateError, DatasetError, IntegrityError
from pytest_asrgate.formats.hypotheses import StoredHypotheses, read_hypotheses
from pytest_asrgate.formats.score_file import write_score
from pytest_asrgate.metrics.rule import scoring_rule
from pytest_asrgate.records import Hypothesis, RowStatus
from pytest_asrgate.reports.hypotheses import write_hypotheses
from pytest_asrgate.scoring import score_set
from pytest_asrgate.transcribers.replay import ReplayTranscriber

from .builders import hypothesis_set, utterances, write_lines

SPOKEN = utterances("one cat", "two cats")
TEXTS = {"u2": "two cats", "u1": "one hat"}


def _file(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def _refusal(path: Path, *rows: dict[str, object], kind: type[AsrGateError] = DatasetError) -> str:
    with pytest.raises(kind) as caught:
        read_hypotheses(write_lines(path, *rows))
    return str(caught.value)


def _scored(folder: Path) -> Path:
    made = hypothesis_set("q8_0", [Hypothesis("u1", "One hat!"), Hypothesis("u2", "two cats")])
    path = folder / "q8_0.score.json"
    write_score(path, score_set(made, SPOKEN, scoring_rule(("en",), "auto", "auto")), source="q8_0.jsonl")
    return path


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("h.trn", "two cats (u2)\none hat (u1)\n"),
        ("H.TRN", "\ufefftwo cats (u2)\r\none hat (u1)"),
        ("h.json", json.dumps(TEXTS)),
        ("h.jsonl", "".join(json.dumps({"id": key, "hyp_text": text}) + "\n" for key, text in TEXTS.items())),
        ("h.txt", "".join(json.dumps({"id": key, "hyp_text": text}) + "\n" for key, text in TEXTS.items())),
    ],
)
def test_the_name_tells_the_format(tmp_path: Path, name: str, text: str) -> None:
    """Transcripts, plain JSON and JSON lines give the same rows in file order, and nothing that they do not say."""
    stored = read_hypotheses(_file(tmp_path / name, text))
    assert list(stored.rows.values()) == [Hypothesis(key, said) for key, said in TEXTS.items()]
    assert (stored.path, stored.header, stored.terms, stored.language) == (tmp_path / name, {}, {}, None)
    assert (stored.references, stored.languages) == ({}, {})


@pytest.mark.parametrize(
    ("name", "text"),
    [("h.trn", "two cats (u2)\none hat (u1)\n"), ("h.json", json.dumps(TEXTS))],
)
def test_replay_reads_every_format(tmp_path: Path, name: str, text: str) -> None:
    """Formats without a header replay in manifest order under a contract that is wholly unknown."""
    replay = ReplayTranscriber(_file(tmp_path / name, text))
    assert list(replay.transcribe(SPOKEN)) == [Hypothesis("u1", "one hat"), Hypothesis("u2", "two cats")]
    identity = replay.identity()
    assert identity.recorded_contract == {}
    assert identity.provenance == {"engine": "unknown (not stamped)", "replayed_from": name}


def test_replay_reads_a_score_file(tmp_path: Path) -> None:
    """Its rows keep the reference they were scored against, its contract names the scoring, and its stamp stays."""
    replay = ReplayTranscriber(_scored(tmp_path))
    first, _ = replay.transcribe(SPOKEN)
    assert first == Hypothesis("u1", "one hat", normalised_reference="one cat", masked=(), loop=False, drift=False)
    identity = replay.identity()
    assert identity.recorded_contract is not None
    assert identity.recorded_contract["metric"] == "wer"
    assert identity.provenance["engine"] == "a test"


def test_a_replayed_score_file_is_written_as_what_it_is(tmp_path: Path) -> None:
    """Hypotheses that were written from a score file still say that their texts are normalised, and how."""
    stored = read_hypotheses(_scored(tmp_path))
    made = hypothesis_set("q8_0", [stored.rows["u1"], stored.rows["u2"]], stored.terms)
    again = read_hypotheses(write_hypotheses(tmp_path, made, SPOKEN, "none"))
    assert again.rows["u1"] == Hypothesis(
        "u1", "one hat", normalised_reference="one cat", masked=(), loop=False, drift=False
    )
    assert {name: again.terms[name] for name in ("normaliser", "metric", "dediarize")} == {
        name: stored.terms[name] for name in ("normaliser", "metric", "dediarize")
    }


def test_how_raw_texts_were_once_scored_is_no_term_of_theirs(tmp_path: Path) -> None:
    """The stamp of a normaliser binds only texts that it normalised: raw ones may be scored under another."""
    made = hypothesis_set("q8_0", [Hypothesis("u1", "One hat!"), Hypothesis("u2", "two cats")])
    score = score_set(made, SPOKEN, scoring_rule(("en",), "auto", "auto"))
    stored = read_hypotheses(write_hypotheses(tmp_path, score.hypotheses, SPOKEN, "none"))
    assert "normaliser" in score.hypotheses.contract
    assert not {"normaliser", "metric", "dediarize"} & set(stored.terms)


def test_rows_say_their_language_speaker_and_reference(tmp_path: Path) -> None:
    """What a row names beside its text is kept by id; languages are canonical, and a header's `auto` is none."""
    header = {"type": "batch_header", "language": "auto", "load_ms": 3.0}
    rows = [
        {"id": "u1", "ref_text": "One cat.", "hyp_text": "x", "language": "en_US", "speaker": "a"},
        {"id": "u2", "hyp_text": "y", "language": None},
    ]
    stored = read_hypotheses(write_lines(tmp_path / "h.jsonl", header, *rows))
    assert stored.references == {"u1": "One cat."}
    assert stored.languages == {"u1": "en"}
    assert stored.fields["u1"]["speaker"] == "a"
    assert stored.language is None
    assert stored.header["load_ms"] == 3.0


def test_a_header_names_the_language(tmp_path: Path) -> None:
    """The header's language is canonical, and so is the one of its recipe."""
    row = {"id": "u1", "hyp_text": "x"}
    for header in ({"language": "English"}, {"recipe": {"language": "en-GB"}}):
        stored = read_hypotheses(write_lines(tmp_path / "h.jsonl", {"type": "batch_header"} | header, row))
        assert (stored.language, stored.terms) == ("en", {"language": "en"})


def test_what_a_header_calls_unknown_is_unknown(tmp_path: Path) -> None:
    """A file that was written from one without recipe names nothing, instead of being refused."""
    recipe = {"timestamps": "unknown", "decoding": "unknown", "decode": "unknown", "no_speech": "unknown"}
    header = {"type": "batch_header", "language": "unknown", "recipe": recipe}
    stored = read_hypotheses(write_lines(tmp_path / "h.jsonl", header, {"id": "u1", "hyp_text": "x"}))
    assert (stored.terms, stored.language) == ({}, None)


@pytest.mark.parametrize(
    ("row", "fact"),
    [
        ({"ref_text": None}, "ref_text must be a text; it is None"),
        ({"ref_text": 5}, "ref_text must be a text; it is 5"),
        ({"language": 5}, "language must be a text that is not empty, such as en; it is 5"),
        ({"language": " "}, "language must be a text that is not empty, such as en; it is ' '"),
        ({"normalised_reference": 5}, "normalised_reference must be a text; it is 5"),
        ({"normalised_reference": "a", "loop": 1}, "loop must be true or false; it is 1"),
        ({"normalised_reference": "a", "language_drift": "no"}, "language_drift must be true or false; it is 'no'"),
    ],
)
def test_an_odd_row_is_named_by_file_line_and_id(tmp_path: Path, row: dict[str, object], fact: str) -> None:
    """Keys of a wrong kind beside the text are refused, too."""
    path = tmp_path / "h.jsonl"
    assert _refusal(path, {"id": "u1", "hyp_text": "x"} | row) == f"{path}:1 (u1): {fact}"


def test_doubled_ids_are_named(tmp_path: Path) -> None:
    """An id that stands twice never overwrites its sibling."""
    path = tmp_path / "h.jsonl"
    row: dict[str, object] = {"id": "u1", "hyp_text": "x"}
    assert (
        _refusal(path, row, row, kind=IntegrityError)
        == f"{path}: ids that stand more than once: 'u1' (lines 1 and 2); every id is one row"
    )


@pytest.mark.parametrize("name", ["h.trn", "h.json", "h.score.json", "h.jsonl"])
def test_an_absent_file_is_refused_by_name(tmp_path: Path, name: str) -> None:
    """A file that is not there gives one sentence with its path, whatever its format."""
    with pytest.raises(DatasetError) as caught:
        read_hypotheses(tmp_path / name)
    assert str(caught.value) == f"{tmp_path / name}: cannot be read (No such file or directory)"


def test_upstream_errors_are_told_apart(tmp_path: Path) -> None:
    """An `error` that tells of partial output keeps the text, any other makes an error row."""
    rows = [
        {"id": "u1", "hyp_text": "x", "error": "output truncated: 448 tokens"},
        {"id": "u2", "hyp_text": "", "error": "backend error"},
    ]
    stored = read_hypotheses(write_lines(tmp_path / "h.jsonl", *rows))
    assert [row.status for row in stored.rows.values()] == [RowStatus.TRUNCATED, RowStatus.ERROR]


def test_an_empty_file_has_no_rows(tmp_path: Path) -> None:
    """No row is no error here: who needs rows names those that are missing."""
    path = _file(tmp_path / "h.jsonl", "")
    assert read_hypotheses(path) == StoredHypotheses(path)


def test_a_score_file_without_language_names_none(tmp_path: Path) -> None:
    """What an upstream score file does not say is no term of it, so that a gate warns instead of refusing."""
    path = _scored(tmp_path)
    document = json.loads(path.read_text(encoding="utf-8"))
    del document["language"]
    document["recipe"].pop("language", None)
    path.write_text(json.dumps(document), encoding="utf-8")
    assert "language" not in read_hypotheses(path).terms
