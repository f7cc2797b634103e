"""Claims about score files: what is written reads back, upstream's are read, and no wrong figure is believed."""

import copy
import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_asrgate.errors import DatasetError
from pytest_asrgate.formats.score_file import read_score, score_rows, write_score
from pytest_asrgate.metrics.rule import scoring_rule
from pytest_asrgate.records import Counts, Hypothesis, Interval, RowStatus, Score
from pytest_asrgate.scoring import score_set

from .builders import CONTRACT, hypothesis_set, utterances

REFERENCES = ("One cat.", "Two cats sat", "", "It is 5 km", "the dog")
ROWS = (
    Hypothesis("u1", "One hat!", latency_ms=10.0),
    Hypothesis("u2", "two cats", RowStatus.TRUNCATED, detail="output truncated: 448 tokens", latency_ms=20.0),
    Hypothesis("u3", "thank you", latency_ms=30.0),
    Hypothesis("u4", "it's 5 km", latency_ms=40.0),
    Hypothesis("u5", "", RowStatus.ERROR, detail="no answer within 60 s", latency_ms=60_000.0),
)


def _score(speakers: tuple[str, ...] | None = None, *, language: str = "en", **contract: object) -> Score:
    made = hypothesis_set("q8_0", ROWS, {**CONTRACT, "language": language, **contract}, not_controllable=("seed",))
    return score_set(made, utterances(*REFERENCES), scoring_rule(("en",), "auto", "auto"), speakers=speakers)


def _written(path: Path, score: Score) -> dict[str, Any]:
    write_score(path, score, source="q8_0.prompts.jsonl")
    document = json.loads(path.read_text(encoding="utf-8"))
    assert isinstance(document, dict)
    return document


def _refusal(path: Path, document: object) -> str:
    path.write_text(document if isinstance(document, str) else json.dumps(document), encoding="utf-8")
    with pytest.raises(DatasetError) as caught:
        read_score(path)
    message = str(caught.value)
    assert message.startswith(str(path))
    assert "\n" not in message
    return message


def _upstream() -> dict[str, Any]:
    """A file as the upstream script writes it: rates rounded, no schema, no status."""
    return {
        "metric": "wer",
        "language": None,
        "dediarized": False,
        "error_rate": 0.333333,
        "error_rate_pct": 33.33,
        "error_rate_ci_lo": 0.0,
        "error_rate_ci_hi": 0.666667,
        "n": 2,
        "substitutions": 1,
        "deletions": 1,
        "insertions": 0,
        "n_errors": 0,
        "latency_mean_ms": 0.0,
        "latency_p50_ms": 0.0,
        "latency_p99_ms": 0.0,
        "report_file": "reports/wer/tiny.jsonl",
        "recipe": {"timestamps": "none", "decode": "greedy", "batch_size": 1, "engine_sha": None},
        "timestamps": "none",
        "per_utterance": [
            {"id": "u1", "ref": "one cat sat", "hyp": "one hat", "wer": 0.6667},
            {"id": "u2", "ref": "two cats sat", "hyp": "two cats sat", "wer": 0.0},
        ],
        "wer": 0.333333,
        "wer_pct": 33.33,
        "wer_ci_lo": 0.0,
        "wer_ci_hi": 0.666667,
    }


def test_the_document_has_its_keys_in_order(tmp_path: Path) -> None:
    """The figures stand first, under our names and upstream's, and the utterances last."""
    document = _written(tmp_path / "new" / "q8_0.score.json", _score())
    assert list(document) == [
        "schema", "metric", "language", "normaliser", "dediarize",
        "error_rate", "error_rate_pct", "error_rate_ci_lo", "error_rate_ci_hi",
        "wer", "wer_pct", "wer_ci_lo", "wer_ci_hi",
        "n", "words", "substitutions", "deletions", "insertions",
        "n_errors", "null_references", "hallucinations", "empty", "truncated", "repetition", "loops",
        "language_drift", "catastrophic", "catastrophic_above_pct", "dropped_span",
        "masked", "masked_utterances",
        "latency_mean_ms", "latency_p50_ms", "latency_p99_ms",
        "speakers", "report_file", "recipe", "stamp", "not_controllable", "per_utterance",
    ]  # fmt: skip


def test_the_figures_are_those_of_the_score(tmp_path: Path) -> None:
    """Rates are unrounded fractions, error rows have no part, and the recipe is what remains of the contract."""
    document = _written(tmp_path / "q8_0.score.json", _score())
    assert (document["schema"], document["metric"], document["language"]) == ("asrgate.score/1", "wer", "en")
    assert document["normaliser"].startswith("whisper-english ")
    assert document["dediarize"] is False
    assert (document["n"], document["words"], document["n_errors"]) == (5, 9, 1)
    assert [document[key] for key in ("substitutions", "deletions", "insertions")] == [1, 1, 2]
    assert document["error_rate"] == document["wer"] == 4 / 9
    assert document["error_rate_pct"] == document["wer_pct"] == pytest.approx(400 / 9, abs=1e-12)
    assert [document[key] for key in ("null_references", "hallucinations", "empty")] == [1, 1, 0]
    assert [document[key] for key in ("truncated", "repetition")] == [1, 0]
    assert [document[f"latency_{name}_ms"] for name in ("mean", "p50", "p99")] == [25.0, 25.0, pytest.approx(39.7)]
    assert document["report_file"] == "q8_0.prompts.jsonl"
    assert document["recipe"] == {k: v for k, v in CONTRACT.items() if k not in {"language", "manifest"}}
    assert document["stamp"]["engine"] == "a test"
    assert document["not_controllable"] == ["seed"]


def test_each_utterance_is_there_with_its_normalised_texts(tmp_path: Path) -> None:
    """Counts and rate of each row; null where there is none, and detail only where there is one."""
    first, second, third, _, lost = _written(tmp_path / "q8_0.score.json", _score())["per_utterance"]
    assert first == {
        "id": "u1", "ref": "one cat", "hyp": "one hat", "wer": 0.5, "status": "ok",
        "substitutions": 1, "deletions": 0, "insertions": 0, "words": 2, "null_reference": False,
        "latency_ms": 10.0,
    }  # fmt: skip
    assert (second["status"], second["detail"]) == ("truncated", "output truncated: 448 tokens")
    assert (third["wer"], third["insertions"], third["words"], third["null_reference"]) == (None, 2, 0, True)
    assert [lost[key] for key in ("hyp", "wer", "status", "substitutions", "words")] == [
        "",
        None,
        "error",
        None,
        None,
    ]


def test_masked_utterances_come_with_their_raw_texts(tmp_path: Path) -> None:
    """What the normaliser hid is listed with both raw texts, digits and their like before other words."""
    rows = [Hypothesis("u1", "it's fine"), Hypothesis("u2", "5 dollars")]
    score = score_set(
        hypothesis_set("q8_0", rows), utterances("it is fine", "$5"), scoring_rule(("en",), "auto", "auto")
    )
    document = _written(tmp_path / "q8_0.score.json", score)
    assert document["masked"] == 2
    first, second = document["masked_utterances"]
    assert (first["id"], first["ref_text"], first["hyp_text"]) == ("u2", "$5", "5 dollars")
    assert first["kinds"]
    assert (second["id"], second["ref_text"], second["hyp_text"]) == ("u1", "it is fine", "it's fine")


@pytest.mark.parametrize("speakers", [None, ("a", "b", "a", "b", "c")])
def test_what_was_written_reads_back(tmp_path: Path, speakers: tuple[str, ...] | None) -> None:
    """Utterances, counts, interval, contract, stamps and speakers survive a round trip."""
    score = _score(speakers)
    path = tmp_path / "q8_0.prompts.score.json"
    _written(path, score)
    read = read_score(path)
    assert read.utterances[0] == replace(score.utterances[0], reference_text=None)
    assert [(row.id, row.status, row.counts, row.detail, row.masked) for row in read.utterances] == [
        (row.id, row.status, row.counts, row.detail, row.masked) for row in score.utterances
    ]
    assert [row.empty for row in read.utterances] == [row.empty for row in score.utterances]
    assert (read.counts, read.metric, read.latency_p50_ms) == (score.counts, "wer", score.latency_p50_ms)
    assert read.interval is not None
    assert score.interval is not None
    assert read.interval.low == pytest.approx(score.interval.low)
    assert read.interval.high == pytest.approx(score.interval.high)
    expected = {name: value for name, value in score.hypotheses.contract.items() if name != "manifest"}
    assert read.hypotheses.contract == expected
    assert read.hypotheses.provenance == score.hypotheses.provenance
    assert read.hypotheses.not_controllable == ("seed",)
    assert (read.hypotheses.variant, read.hypotheses.hypotheses) == ("q8_0.prompts", ())
    assert read.speakers == speakers
    assert (read.speaker_interval is None) is (speakers is None)
    assert read.speaker_interval == score.speaker_interval
    again = _written(tmp_path / "again.score.json", read)
    assert read_score(tmp_path / "again.score.json").utterances == read.utterances
    assert "latency_mean_ms" not in again


def test_speakers_have_an_interval_of_their_own(tmp_path: Path) -> None:
    """Beside the interval over utterances stands the one over speakers, under all its names."""
    document = _written(tmp_path / "q8_0.score.json", _score(("a", "a", "b", "b", "c")))
    names = ("error_rate_ci_speaker_lo", "error_rate_ci_speaker_hi", "wer_ci_speaker_lo", "wer_ci_speaker_hi")
    assert 0 <= document[names[0]] == document[names[2]] < document[names[1]] == document[names[3]]
    assert not set(names) & set(_written(tmp_path / "f32.score.json", _score()))


def test_unknown_terms_are_not_written(tmp_path: Path) -> None:
    """What a replayed file did not say is left out instead of being called unknown, and reads back so."""
    path = tmp_path / "q8_0.score.json"
    document = _written(path, _score(language="unknown", timestamps="unknown"))
    assert "language" not in document
    assert "timestamps" not in document["recipe"]
    assert not {"language", "timestamps"} & set(read_score(path).hypotheses.contract)


def test_a_score_without_reference_words_has_no_rate(tmp_path: Path) -> None:
    """No rate is null: the key is left out, and the file reads back."""
    made = hypothesis_set("q8_0", [Hypothesis("u1", "thank you")])
    score = score_set(made, utterances(""), scoring_rule(("en",), "auto", "auto"))
    path = tmp_path / "q8_0.score.json"
    document = _written(path, score)
    assert not [key for key in document if key.startswith(("error_rate", "wer", "latency"))]
    assert None not in document.values()
    read = read_score(path)
    assert (read.counts, read.interval) == (Counts(insertions=2), None)


def test_a_character_score_counts_characters(tmp_path: Path) -> None:
    """Under cer each row names its cer, no wer stands anywhere, and the counts are of characters."""
    made = hypothesis_set("q8_0", [Hypothesis("u1", "東 京 徒")], {**CONTRACT, "language": "ja"})
    spoken = [replace(utterances("東京都")[0], language="ja")]
    path = tmp_path / "q8_0.score.json"
    document = _written(path, score_set(made, spoken, scoring_rule(("ja",), "auto", "auto")))
    assert not [key for key in document if key.startswith("wer")]
    assert document["per_utterance"][0]["cer"] == document["error_rate"] == 1 / 3
    read = read_score(path)
    assert (read.metric, read.counts) == ("cer", Counts(substitutions=1, words=3))


def test_an_upstream_file_is_read(tmp_path: Path) -> None:
    """Rounded rates and missing terms are fine; its interval is taken, and a latency of 0 is none."""
    path = tmp_path / "tiny-Q8_0.test-clean.score.json"
    path.write_text(json.dumps(_upstream()))
    read = read_score(path)
    assert (read.hypotheses.variant, read.metric, read.latency_p50_ms) == ("tiny-Q8_0.test-clean", "wer", None)
    assert read.counts == Counts(substitutions=1, deletions=1, words=6)
    assert read.interval == Interval(0.0, pytest.approx(66.6667))
    assert read.hypotheses.contract == {
        "timestamps": "none", "decoding": "greedy", "dediarize": False, "metric": "wer",
    }  # fmt: skip
    assert read.utterances[0].masked is None
    assert read.speakers is None


def test_an_older_upstream_file_is_read(tmp_path: Path) -> None:
    """Files from before the metric had a name have only the wer keys; an interval they lack is computed."""
    document = {
        key: value
        for key, value in _upstream().items()
        if not key.startswith(("error_rate", "metric", "dediarized", "recipe", "wer_ci"))
    }
    path = tmp_path / "old.score.json"
    path.write_text("\ufeff" + json.dumps(document, indent=2).replace("\n", "\r\n"), encoding="utf-8")
    read = read_score(path)
    assert read.metric == "wer"
    assert read.interval is not None
    assert read.hypotheses.contract == {"metric": "wer"}


def _set(*keys: str | int, value: object) -> Callable[[Any], None]:
    def change(document: Any) -> None:
        for key in keys[:-1]:
            document = document[key]
        document[keys[-1]] = value

    return change


def _drop(*keys: str | int) -> Callable[[Any], None]:
    def change(document: Any) -> None:
        for key in keys[:-1]:
            document = document[key]
        del document[keys[-1]]

    return change


FIRST = ("per_utterance", 0)


@pytest.mark.parametrize(
    ("change", "fact"),
    [
        (
            _set("schema", value="asrgate.score/2"),
            "the schema is 'asrgate.score/2'; what is read is asrgate.score/1",
        ),
        (_set("schema", value=None), "the schema is None"),
        (_set("metric", value="mer"), "metric must be wer or cer; it is 'mer'"),
        (_set("metric", value=["wer"]), "metric must be wer or cer"),
        (_set("metric", value="cer"), "(u1): has a wer, and the file's metric is cer"),
        (_drop("per_utterance"), "has no per_utterance"),
        (_set("per_utterance", value=[]), "has an empty per_utterance"),
        (_set("per_utterance", value={"u1": 1}), "has an unusable per_utterance"),
        (_set(*FIRST, value="u1"), "row 1 must be an object"),
        (_drop(*FIRST, "id"), "row 1: id must be a text; it is missing"),
        (_set(*FIRST, "id", value=7), "row 1: id must be a text; it is 7"),
        (_set(*FIRST, "id", value=""), "row 1: id must not be empty"),
        (_set(*FIRST, "id", value="u2"), "row 2 (u2): the id stands already in row 1"),
        (_set(*FIRST, "ref", value=None), "row 1 (u1): ref must be a text; it is None"),
        (_drop(*FIRST, "hyp"), "row 1 (u1): hyp must be a text; it is missing"),
        (_set(*FIRST, "hyp", value=5), "row 1 (u1): hyp must be a text; it is 5"),
        (_set(*FIRST, "status", value="fine"), "row 1 (u1): status 'fine' is none of ok,"),
        (_set(*FIRST, "status", value=False), "row 1 (u1): status False is none of ok,"),
        (_set(*FIRST, "status", value="error"), "row 1 (u1): wer is 0.6667, and an error row has none"),
        (_set(*FIRST, "wer", value=0.5), "row 1 (u1): wer is 0.5 and its texts give 0.666667"),
        (_set(*FIRST, "wer", value="high"), "row 1 (u1): wer must be a number of 0 or more; it is 'high'"),
        (_set(*FIRST, "wer", value=-1), "row 1 (u1): wer must be a number of 0 or more; it is -1"),
        (_set(*FIRST, "words", value=2), "row 1 (u1): words is 2 and its ref has 3"),
        (_set(*FIRST, "words", value=2.5), "row 1 (u1): words must be a whole number"),
        (_set(*FIRST, "speaker", value=5), "row 1 (u1): speaker must be a text; it is 5"),
        (_set(*FIRST, "detail", value=5), "row 1 (u1): detail must be a text; it is 5"),
        (_set("n", value=3), "n is 3 and per_utterance has 2 rows"),
        (_set("n", value=True), "n must be a whole number of 0 or more; it is True"),
        (_set("n_errors", value=1), 'n_errors is 1 and 0 rows have the status "error"'),
        (_set("substitutions", value=2), "are 3 together and its rows have 2"),
        (_set("deletions", value=-1), "deletions must be a whole number of 0 or more; it is -1"),
        (_drop("insertions"), "insertions must be a whole number of 0 or more; it is missing"),
        (_set("words", value=5), "words is 5 and its rows have 6"),
        (_set("error_rate", value=0.3332), "error_rate is 0.3332 and its rows give 33.3333 % (2 errors over 6)"),
        (_set("wer_pct", value=33.3), "wer_pct is 33.3 and its rows give 33.3333 %"),
        (_set("error_rate", value=10**400), "error_rate must be a number of 0 or more; it is a huge number"),
        (_set("error_rate_ci_lo", value=0.9), "error_rate_ci_lo and wer_ci_lo differ"),
        (_set("error_rate_ci_hi", value="high"), "error_rate_ci_hi must be a number"),
        (_set("latency_p50_ms", value=-1), "latency_p50_ms must be a number of 0 or more; it is -1"),
        (_set("language", value=["en"]), "language must be a text"),
        (_set("normaliser", value=5), "normaliser must be a text"),
        (_set("dediarized", value="no"), "dediarized must be true or false"),
        (_set("dediarize", value=True), "dediarize and dediarized differ"),
        (_set("recipe", value=[]), "recipe must be an object"),
        (_set("recipe", "timestamps", value="sometimes"), "recipe.timestamps"),
        (_set("masked_utterances", value={}), "masked_utterances must be a list"),
        (_set("masked_utterances", value=[{"id": "u2", "kinds": [5]}]), "(u2): kinds must be a list of texts"),
        (_set("masked_utterances", value=[{"id": "u1", "kinds": ["sign"]}]), "masked_utterances (u1) is no row"),
        (_set("masked_utterances", value=[{"id": "u2", "kinds": ["sign"]}] * 2), "(u2): the id stands twice"),
    ],
)
def test_an_odd_file_is_refused_by_what_is_wrong(tmp_path: Path, change: Callable[[Any], None], fact: str) -> None:
    """Another schema, unusable rows and figures that are not those of the rows are each told in one sentence."""
    document = copy.deepcopy(_upstream())
    change(document)
    assert fact in _refusal(tmp_path / "x.score.json", document)


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("[]", "must hold a JSON object"),
        ('{"metric": "wer", "metric": "cer"}', "'metric' stands twice"),
        ('{"error_rate": NaN}', "NaN"),
        (json.dumps(_upstream())[:200], "cut short"),
        ("{}", "names no metric"),
        ('{"metric": "wer"}', "score the hypotheses again"),
    ],
)
def test_what_is_no_score_file_is_refused(tmp_path: Path, text: str, fact: str) -> None:
    """Other JSON, doubled keys, NaN and a file cut short are refused."""
    assert fact in _refusal(tmp_path / "x.score.json", text)


def test_rates_are_required_only_where_there_are_words(tmp_path: Path) -> None:
    """A file with words but no rate is refused, and so is a rate over no words."""
    document = {key: value for key, value in _upstream().items() if not key.startswith(("error_rate", "wer"))}
    assert "names no error_rate" in _refusal(tmp_path / "x.score.json", document)
    row = {"id": "u1", "ref": "", "hyp": ""}
    empty = {"metric": "wer", "n": 1, "substitutions": 0, "deletions": 0, "insertions": 0, "per_utterance": [row]}
    assert "no utterance has reference words" in _refusal(tmp_path / "x.score.json", empty | {"wer": 0.0})
    assert "no utterance has reference words" in _refusal(tmp_path / "x.score.json", empty | {"wer_ci_lo": 0.0})


def test_half_an_interval_is_refused(tmp_path: Path) -> None:
    """Two bounds in their order, or none."""
    document = _upstream()
    del document["error_rate_ci_hi"], document["wer_ci_hi"]
    assert "two numbers, the lower first" in _refusal(tmp_path / "x.score.json", document)
    document |= {"error_rate_ci_lo": 0.5, "wer_ci_lo": 0.5, "error_rate_ci_hi": 0.4}
    assert "two numbers, the lower first" in _refusal(tmp_path / "x.score.json", document)


def test_score_rows_are_normalised_already(tmp_path: Path) -> None:
    """As hypotheses each row keeps its scored reference, so that nothing normalises it twice."""
    path = tmp_path / "q8_0.score.json"
    _written(path, _score(("a", "b", "a", "b", "c")))
    stored = score_rows(path)
    assert list(stored.rows) == ["u1", "u2", "u3", "u4", "u5"]
    assert stored.rows["u1"] == Hypothesis(
        "u1", "one hat", normalised_reference="one cat", latency_ms=10.0, masked=(), loop=False, drift=False
    )
    assert stored.rows["u4"].masked == ("words",)
    assert (stored.rows["u5"].status, stored.rows["u5"].detail) == (RowStatus.ERROR, "no answer within 60 s")
    assert stored.references == {}
    assert (stored.language, stored.terms["metric"], stored.terms["dediarize"]) == ("en", "wer", False)
    assert str(stored.terms["normaliser"]).startswith("whisper-english ")
    assert stored.terms["timestamps"] == "none"
    assert stored.fields["u5"]["speaker"] == "c"
    assert stored.header["not_controllable"] == ["seed"]


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 3)
    | st.sampled_from(
        [10**400, -(10**20), 0.5, 1e300, "wer", "cer", "ok", "error", "u1", "u2", "", "a b", "\x1c", "\n"]
    )
    | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=2), inner, max_size=2),
    max_leaves=4,
)


def _places(value: object, at: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """Where in a document something can be changed."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [place for key, item in inner for place in [(*at, key), *_places(item, (*at, key))]]


@given(st.data())
@settings(max_examples=200, deadline=None)
def test_a_changed_file_is_a_score_or_a_sentence(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    """Whatever is changed in a file, it is a score whose totals are those of its rows, or one sentence."""
    folder = tmp_path_factory.mktemp("score")
    ours = _written(folder / "ours.score.json", _score(("a", "b", "a", "b", "c")))
    document = copy.deepcopy(data.draw(st.sampled_from([ours, _upstream()])))
    for _ in range(data.draw(st.integers(1, 3))):
        places = _places(document)
        if not places:
            break
        change = data.draw(st.sampled_from(places))
        (_drop(*change) if data.draw(st.booleans()) else _set(*change, value=data.draw(JSON)))(document)
    path = folder / "x.score.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    told = str(path)
    try:
        read = read_score(path)
    except DatasetError as error:
        told = str(error)
    else:
        assert list(score_rows(path).rows) == [row.id for row in read.utterances]
        assert read.counts == sum((row.counts for row in read.utterances if row.counts), Counts())
    assert told.startswith(str(path))
    assert "\n" not in told


def _flagged() -> Score:
    """A loop that the normaliser drops and an output in another script, which only raw texts show."""
    rows = [Hypothesis("u1", "[Music] " * 9), Hypothesis("u2", "поезд уходит в восемь"), Hypothesis("u3", "go")]
    spoken = utterances("one cat", "the train leaves at eight", "go")
    return score_set(hypothesis_set("q8_0", rows), spoken, scoring_rule(("en",), "auto", "auto"))


def test_flags_of_raw_texts_come_back(tmp_path: Path) -> None:
    """A score file holds no raw texts, so it holds what was found in them, for reading and for replaying."""
    path = tmp_path / "q8_0.score.json"
    document = _written(path, _flagged())
    figures = ("loops", "language_drift", "catastrophic", "catastrophic_above_pct", "dropped_span")
    assert [document[key] for key in figures] == [1, 1, 2, 50.0, 2]
    looped, drifted, fine = document["per_utterance"]
    assert looped["loop"] is drifted["language_drift"] is True
    assert not {"loop", "language_drift"} & set(fine)
    read = read_score(path)
    assert [(row.loop, row.drift) for row in read.utterances] == [(True, False), (False, True), (False, False)]
    replayed = tuple(score_rows(path).rows.values())
    spoken = utterances("one cat", "the train leaves at eight", "go")
    again = score_set(hypothesis_set("q8_0", replayed), spoken, scoring_rule(("en",), "auto", "auto"))
    assert [(row.loop, row.drift) for row in again.utterances] == [(True, False), (False, True), (False, False)]


def test_the_limit_of_the_catastrophic_is_kept(tmp_path: Path) -> None:
    """What a dataset calls catastrophic is read back with its file."""
    path = tmp_path / "q8_0.score.json"
    _written(path, replace(_flagged(), catastrophic_rate=120.0))
    assert read_score(path).catastrophic_rate == 120.0


def test_files_without_flags_are_judged_by_their_normalised_texts(tmp_path: Path) -> None:
    """In an upstream file a repeated phrase is a loop and another script drift, by its own language."""
    document = _upstream()
    document["language"] = "en"
    document["per_utterance"] = [
        {"id": "u1", "ref": "one cat sat", "hyp": "one cat " * 9},
        {"id": "u2", "ref": "the train leaves", "hyp": "поезд уходит в восемь"},
    ]
    for key in list(document):
        if key.startswith(("error_rate", "wer")):
            del document[key]
    document |= {"substitutions": 4, "deletions": 0, "insertions": 16, "error_rate": 20 / 6}
    path = tmp_path / "x.score.json"
    path.write_text(json.dumps(document))
    assert [(row.loop, row.drift) for row in read_score(path).utterances] == [(True, False), (False, True)]


@pytest.mark.parametrize(
    ("change", "fact"),
    [
        (_set(*FIRST, "loop", value="yes"), "row 1 (u1): loop must be true or false; it is 'yes'"),
        (_set(*FIRST, "language_drift", value=None), "(u1): language_drift must be true or false; it is None"),
        (_set("loops", value=2), "loops is 2 and 1 rows say loop"),
        (_set("language_drift", value=0), "language_drift is 0 and 1 rows say language_drift"),
        (_set("language_drift", value=1.5), "language_drift must be a whole number of 0 or more; it is 1.5"),
        (_set("catastrophic_above_pct", value="half"), "catastrophic_above_pct must be a number of 0 or more"),
    ],
)
def test_flags_that_do_not_add_up_are_refused(tmp_path: Path, change: Callable[[Any], None], fact: str) -> None:
    """A flag is a truth value, and there are as many as the file counts."""
    path = tmp_path / "q8_0.score.json"
    document = _written(path, _flagged())
    change(document)
    path.write_text(json.dumps(document))
    with pytest.raises(DatasetError, match=re.escape(fact)):
        read_score(path)
