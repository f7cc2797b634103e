"""Claims about the hypothesis file of a pair: upstream scripts read it, and so does replay."""

import json
from dataclasses import replace
from pathlib import Path

from pytest_asrgate.records import Hypothesis, RowStatus
from pytest_asrgate.reports.hypotheses import hypotheses_name, write_hypotheses
from pytest_asrgate.transcribers.replay import ReplayTranscriber

from .builders import CONTRACT, hypothesis_set, utterances

SPOKEN = utterances("one cat", "two cats", "")
ROWS = [
    Hypothesis("u1", "One cat.", raw_text=" One cat.", mel_ms=1.0, encode_ms=2.0, decode_ms=3.5, latency_ms=7.0),
    Hypothesis("u2", "two", RowStatus.TRUNCATED, detail="output truncated: 448 tokens", audio_s=1.5),
    Hypothesis("u3", "", RowStatus.ERROR, detail="no answer within 60 s"),
]


def _lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_the_name_says_variant_dataset_and_timestamps() -> None:
    """The name is the one of the methodology, with the variant in the model's place."""
    assert hypotheses_name("q8_0", "test-clean", "word") == "q8_0.test-clean-timestamps_word.jsonl"


def test_the_first_row_describes_the_file(tmp_path: Path) -> None:
    """The header holds load time, language, the recipe in upstream's and our names, stamps and the manifest."""
    provenance = {"engine": "transcribe-cpp", "backend": "cpu", "threads": 2, "seed": 1, "kv_type": "auto"}
    made = hypothesis_set("q8_0", ROWS, provenance=provenance, not_controllable=("temperatures",))
    path = write_hypotheses(tmp_path / "reports", made, SPOKEN, "none")
    assert path == tmp_path / "reports" / "q8_0.prompts-timestamps_none.jsonl"
    header = _lines(path)[0]
    recipe = header["recipe"]
    assert isinstance(recipe, dict)
    assert (header["type"], header["load_ms"], header["language"]) == ("batch_header", 12.5, "en")
    assert header["stamp"] == provenance
    assert header["not_controllable"] == ["temperatures"]
    assert header["manifest_sha256"] == CONTRACT["manifest"]
    assert (recipe["decode"], recipe["decoding"], recipe["backend"]) == ("greedy", "greedy", "cpu")
    assert (recipe["seed"], recipe["threads"], recipe["kv_type"]) == (1, 2, "auto")
    assert recipe["temperatures"] == CONTRACT["temperatures"]


def test_each_row_has_what_upstream_reads(tmp_path: Path) -> None:
    """Id, both texts as they were given and the times are there; only error rows have `error`."""
    _, first, second, third = _lines(write_hypotheses(tmp_path, hypothesis_set("q8_0", ROWS), SPOKEN, "none"))
    assert first == {
        "id": "u1",
        "ref_text": "one cat",
        "hyp_text": "One cat.",
        "status": "ok",
        "raw_text": " One cat.",
        "mel_ms": 1.0,
        "encode_ms": 2.0,
        "decode_ms": 3.5,
        "latency_ms": 7.0,
        "language": "en",
    }
    assert (second["status"], second["detail"], "error" in second) == (
        "truncated",
        "output truncated: 448 tokens",
        False,
    )
    assert (third["status"], third["error"]) == ("error", "no answer within 60 s")


def test_a_row_says_language_and_speaker_where_known(tmp_path: Path) -> None:
    """What is known of an utterance beside its texts is stored, so that the file can be scored on its own."""
    spoken = replace(SPOKEN[0], language="es", speaker="a"), replace(SPOKEN[1], language=None)
    made = hypothesis_set("q8_0", ROWS[:2])
    _, first, second = _lines(write_hypotheses(tmp_path, made, spoken, "none"))
    assert (first["language"], first["speaker"]) == ("es", "a")
    assert not {"language", "speaker", "normalised_reference"} & set(second)


def test_an_error_row_without_reason_still_has_an_error(tmp_path: Path) -> None:
    """Upstream knows a failed row by its `error` alone, so that is never empty."""
    made = hypothesis_set("q8_0", [Hypothesis("u1", "", RowStatus.ERROR)])
    assert _lines(write_hypotheses(tmp_path, made, SPOKEN[:1], "none"))[1]["error"]


def test_replay_reads_what_was_written(tmp_path: Path) -> None:
    """A written file replays to the same rows under the same contract."""
    made = hypothesis_set("q8_0", ROWS, not_controllable=("seed",))
    replay = ReplayTranscriber(write_hypotheses(tmp_path, made, SPOKEN, "none"))
    assert list(replay.transcribe(SPOKEN)) == ROWS
    identity = replay.identity()
    assert identity.recorded_contract == CONTRACT
    assert identity.not_controllable == ("seed",)
    assert identity.load_ms == 12.5


def test_a_rewrite_replaces_the_whole_file(tmp_path: Path) -> None:
    """The file of a pair is the last run's, with nothing of the one before and nothing beside it."""
    write_hypotheses(tmp_path, hypothesis_set("q8_0", ROWS), SPOKEN, "none")
    path = write_hypotheses(tmp_path, hypothesis_set("q8_0", ROWS[:1]), SPOKEN[:1], "none")
    assert len(_lines(path)) == 2
    assert list(tmp_path.iterdir()) == [path]
