"""Claims about score files: what is written reads back, upstream's are read, and no wrong figure is believed."""

import copy
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_asrgate.errors import DatasetError
from pytest_asrgate.formats.score_file import read_score, score_rows
from pytest_asrgate.metrics.rule import scoring_rule
from pytest_asrgate.records import Counts, Hypothesis, Interval, RowStatus
from pytest_asrgate.scoring import score_set

from .builders import CONTRACT, hypothesis_set, utterances
from .score_files import FIRST, scored_five, set_at, upstream_document, written


def _refusal(path: Path, document: object) -> str:
    path.write_text(document if isinstance(document, str) else json.dumps(document), encoding="utf-8")
    with pytest.raises(DatasetError) as caught:
        read_score(path)
    message = str(caught.value)
    assert message.startswith(str(path))
    assert "\n" not in message
    return message


def test_the_document_has_its_keys_in_order(tmp_path: Path) -> None:
    """The figures stand first, under our names and upstream's, and the utterances last."""
    document = written(tmp_path / "new" / "q8_0.score.json", scored_five())
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
    document = written(tmp_path / "q8_0.score.json", scored_five())
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
    first, second, third, _, lost = written(tmp_path / "q8_0.score.json", scored_five())["per_utterance"]
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
    document = written(tmp_path / "q8_0.score.json", score)
    assert document["masked"] == 2
    first, second = document["masked_utterances"]
    assert (first["id"], first["ref_text"], first["hyp_text"]) == ("u2", "$5", "5 dollars")
    assert first["kinds"]
    assert (second["id"], second["ref_text"], second["hyp_text"]) == ("u1", "it is fine", "it's fine")


@pytest.mark.parametrize("speakers", [None, ("a", "b", "a", "b", "c")])
def test_what_was_written_reads_back(tmp_path: Path, speakers: tuple[str, ...] | None) -> None:
    """Utterances, counts, interval, contract, stamps and speakers survive a round trip."""
    score = scored_five(speakers)
    path = tmp_path / "q8_0.prompts.score.json"
    written(path, score)
    read = read_score(path)
    # Of the manifest a score file has only what a comparison needs: no raw reference, and not where the sound is.
    expected_row = replace(score.utterances[0], reference_text=None, language=None, audio=None)
    assert read.utterances[0] == expected_row
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
    again = written(tmp_path / "again.score.json", read)
    assert read_score(tmp_path / "again.score.json").utterances == read.utterances
    assert "latency_mean_ms" not in again


def test_speakers_have_an_interval_of_their_own(tmp_path: Path) -> None:
    """Beside the interval over utterances stands the one over speakers, under all its names."""
    document = written(tmp_path / "q8_0.score.json", scored_five(("a", "a", "b", "b", "c")))
    names = ("error_rate_ci_speaker_lo", "error_rate_ci_speaker_hi", "wer_ci_speaker_lo", "wer_ci_speaker_hi")
    assert 0 <= document[names[0]] == document[names[2]] < document[names[1]] == document[names[3]]
    assert not set(names) & set(written(tmp_path / "f32.score.json", scored_five()))


def test_unknown_terms_are_not_written(tmp_path: Path) -> None:
    """What a replayed file did not say is left out instead of being called unknown, and reads back so."""
    path = tmp_path / "q8_0.score.json"
    document = written(path, scored_five(language="unknown", timestamps="unknown"))
    assert "language" not in document
    assert "timestamps" not in document["recipe"]
    assert not {"language", "timestamps"} & set(read_score(path).hypotheses.contract)


def test_a_score_without_reference_words_has_no_rate(tmp_path: Path) -> None:
    """No rate is null: the key is left out, and the file reads back."""
    made = hypothesis_set("q8_0", [Hypothesis("u1", "thank you")])
    score = score_set(made, utterances(""), scoring_rule(("en",), "auto", "auto"))
    path = tmp_path / "q8_0.score.json"
    document = written(path, score)
    assert not [key for key in document if key.startswith(("error_rate", "wer", "latency"))]
    assert None not in document.values()
    read = read_score(path)
    assert (read.counts, read.interval) == (Counts(insertions=2), None)


def test_a_character_score_counts_characters(tmp_path: Path) -> None:
    """Under cer each row names its cer, no wer stands anywhere, and the counts are of characters."""
    made = hypothesis_set("q8_0", [Hypothesis("u1", "東 京 徒")], {**CONTRACT, "language": "ja"})
    spoken = [replace(utterances("東京都")[0], language="ja")]
    path = tmp_path / "q8_0.score.json"
    document = written(path, score_set(made, spoken, scoring_rule(("ja",), "auto", "auto")))
    assert not [key for key in document if key.startswith("wer")]
    assert document["per_utterance"][0]["cer"] == document["error_rate"] == 1 / 3
    read = read_score(path)
    assert (read.metric, read.counts) == ("cer", Counts(substitutions=1, words=3))


def test_an_upstream_file_is_read(tmp_path: Path) -> None:
    """Rounded rates and missing terms are fine; its interval is taken, and a latency of 0 is none."""
    path = tmp_path / "tiny-Q8_0.test-clean.score.json"
    path.write_text(json.dumps(upstream_document()))
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
        for key, value in upstream_document().items()
        if not key.startswith(("error_rate", "metric", "dediarized", "recipe", "wer_ci"))
    }
    path = tmp_path / "old.score.json"
    path.write_text("\ufeff" + json.dumps(document, indent=2).replace("\n", "\r\n"), encoding="utf-8")
    read = read_score(path)
    assert read.metric == "wer"
    assert read.interval is not None
    assert read.hypotheses.contract == {"metric": "wer"}


def _drop(*keys: str | int) -> Callable[[Any], None]:
    def change(document: Any) -> None:
        for key in keys[:-1]:
            document = document[key]
        del document[keys[-1]]

    return change


@pytest.mark.parametrize(
    ("change", "fact"),
    [
        (
            set_at("schema", value="asrgate.score/2"),
            "the schema is 'asrgate.score/2'; what is read is asrgate.score/1",
        ),
        (set_at("schema", value=None), "the schema is None"),
        (set_at("metric", value="mer"), "metric must be wer or cer; it is 'mer'"),
        (set_at("metric", value=["wer"]), "metric must be wer or cer"),
        (set_at("metric", value="cer"), "(u1): has a wer, and the file's metric is cer"),
        (_drop("per_utterance"), "has no per_utterance"),
        (set_at("per_utterance", value=[]), "has an empty per_utterance"),
        (set_at("per_utterance", value={"u1": 1}), "has an unusable per_utterance"),
        (set_at(*FIRST, value="u1"), "row 1 must be an object"),
        (_drop(*FIRST, "id"), "row 1: id must be a text; it is missing"),
        (set_at(*FIRST, "id", value=7), "row 1: id must be a text; it is 7"),
        (set_at(*FIRST, "id", value=""), "row 1: id must not be empty"),
        (set_at(*FIRST, "id", value="u2"), "row 2 (u2): the id stands already in row 1"),
        (set_at(*FIRST, "ref", value=None), "row 1 (u1): ref must be a text; it is None"),
        (_drop(*FIRST, "hyp"), "row 1 (u1): hyp must be a text; it is missing"),
        (set_at(*FIRST, "hyp", value=5), "row 1 (u1): hyp must be a text; it is 5"),
        (set_at(*FIRST, "status", value="fine"), "row 1 (u1): status 'fine' is none of ok,"),
        (set_at(*FIRST, "status", value=False), "row 1 (u1): status False is none of ok,"),
        (set_at(*FIRST, "status", value="error"), "row 1 (u1): wer is 0.6667, and an error row has none"),
        (set_at(*FIRST, "wer", value=0.5), "row 1 (u1): wer is 0.5 and its texts give 0.666667"),
        (set_at(*FIRST, "wer", value="high"), "row 1 (u1): wer must be a number of 0 or more; it is 'high'"),
        (set_at(*FIRST, "wer", value=-1), "row 1 (u1): wer must be a number of 0 or more; it is -1"),
        (set_at(*FIRST, "words", value=2), "row 1 (u1): words is 2 and its ref has 3"),
        (set_at(*FIRST, "words", value=2.5), "row 1 (u1): words must be a whole number"),
        (set_at(*FIRST, "speaker", value=5), "row 1 (u1): speaker must be a text; it is 5"),
        (set_at(*FIRST, "detail", value=5), "row 1 (u1): detail must be a text; it is 5"),
        (set_at("n", value=3), "n is 3 and per_utterance has 2 rows"),
        (set_at("n", value=True), "n must be a whole number of 0 or more; it is True"),
        (set_at("n_errors", value=1), 'n_errors is 1 and 0 rows have the status "error"'),
        (set_at("substitutions", value=2), "are 3 together and its rows have 2"),
        (set_at("deletions", value=-1), "deletions must be a whole number of 0 or more; it is -1"),
        (_drop("insertions"), "insertions must be a whole number of 0 or more; it is missing"),
        (set_at("words", value=5), "words is 5 and its rows have 6"),
        (set_at("error_rate", value=0.3332), "error_rate is 0.3332 and its rows give 33.3333 % (2 errors over 6)"),
        (set_at("wer_pct", value=33.3), "wer_pct is 33.3 and its rows give 33.3333 %"),
        (set_at("error_rate", value=10**400), "error_rate must be a number of 0 or more; it is a huge number"),
        (set_at("error_rate_ci_lo", value=0.9), "error_rate_ci_lo and wer_ci_lo differ"),
        (set_at("error_rate_ci_hi", value="high"), "error_rate_ci_hi must be a number"),
        (set_at("latency_p50_ms", value=-1), "latency_p50_ms must be a number of 0 or more; it is -1"),
        (set_at("language", value=["en"]), "language must be a text"),
        (set_at("normaliser", value=5), "normaliser must be a text"),
        (set_at("dediarized", value="no"), "dediarized must be true or false"),
        (set_at("dediarize", value=True), "dediarize and dediarized differ"),
        (set_at("recipe", value=[]), "recipe must be an object"),
        (set_at("recipe", "timestamps", value="sometimes"), "recipe.timestamps"),
        (set_at("masked_utterances", value={}), "masked_utterances must be a list"),
        (set_at("masked_utterances", value=[{"id": "u2", "kinds": [5]}]), "(u2): kinds must be a list of texts"),
        (set_at("masked_utterances", value=[{"id": "u1", "kinds": ["sign"]}]), "masked_utterances (u1) is no row"),
        (set_at("masked_utterances", value=[{"id": "u2", "kinds": ["sign"]}] * 2), "(u2): the id stands twice"),
    ],
)
def test_an_odd_file_is_refused_by_what_is_wrong(tmp_path: Path, change: Callable[[Any], None], fact: str) -> None:
    """Another schema, unusable rows and figures that are not those of the rows are each told in one sentence."""
    document = copy.deepcopy(upstream_document())
    change(document)
    assert fact in _refusal(tmp_path / "x.score.json", document)


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("[]", "must hold a JSON object"),
        ('{"metric": "wer", "metric": "cer"}', "'metric' stands twice"),
        ('{"error_rate": NaN}', "NaN"),
        (json.dumps(upstream_document())[:200], "cut short"),
        ("{}", "names no metric"),
        ('{"metric": "wer"}', "score the hypotheses again"),
    ],
)
def test_what_is_no_score_file_is_refused(tmp_path: Path, text: str, fact: str) -> None:
    """Other JSON, doubled keys, NaN and a file cut short are refused."""
    assert fact in _refusal(tmp_path / "x.score.json", text)


def test_rates_are_required_only_where_there_are_words(tmp_path: Path) -> None:
    """A file with words but no rate is refused, and so is a rate over no words."""
    document = {
        key: value for key, value in upstream_document().items() if not key.startswith(("error_rate", "wer"))
    }
    assert "names no error_rate" in _refusal(tmp_path / "x.score.json", document)
    row = {"id": "u1", "ref": "", "hyp": ""}
    empty = {"metric": "wer", "n": 1, "substitutions": 0, "deletions": 0, "insertions": 0, "per_utterance": [row]}
    assert "no utterance has reference words" in _refusal(tmp_path / "x.score.json", empty | {"wer": 0.0})
    assert "no utterance has reference words" in _refusal(tmp_path / "x.score.json", empty | {"wer_ci_lo": 0.0})


def test_half_an_interval_is_refused(tmp_path: Path) -> None:
    """Two bounds in their order, or none."""
    document = upstream_document()
    del document["error_rate_ci_hi"], document["wer_ci_hi"]
    assert "two numbers, the lower first" in _refusal(tmp_path / "x.score.json", document)
    document |= {"error_rate_ci_lo": 0.5, "wer_ci_lo": 0.5, "error_rate_ci_hi": 0.4}
    assert "two numbers, the lower first" in _refusal(tmp_path / "x.score.json", document)


def test_score_rows_are_normalised_already(tmp_path: Path) -> None:
    """As hypotheses each row keeps its scored reference, so that nothing normalises it twice."""
    path = tmp_path / "q8_0.score.json"
    written(path, scored_five(("a", "b", "a", "b", "c")))
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
    ours = written(folder / "ours.score.json", scored_five(("a", "b", "a", "b", "c")))
    document = copy.deepcopy(data.draw(st.sampled_from([ours, upstream_document()])))
    for _ in range(data.draw(st.integers(1, 3))):
        places = _places(document)
        if not places:
            break
        change = data.draw(st.sampled_from(places))
        (_drop(*change) if data.draw(st.booleans()) else set_at(*change, value=data.draw(JSON)))(document)
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
