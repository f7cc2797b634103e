"""Claims about the table and the lines under it."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pytest_asrgate.errors import DatasetError
from pytest_asrgate.intent.comparison import compare_intents
from pytest_asrgate.reports.entries import PairEntry, pair_entry
from pytest_asrgate.reports.notes import notes
from pytest_asrgate.reports.table import outcome, table, table_lines, verdict_word
from pytest_asrgate.verdict import decide, failed_to_run

from .builders import Row, entry, pair, scored
from .intents import intent_score, intent_utterance

CLEAN: list[Row] = [(f"u{number}", "the big red dog", "the big red dog") for number in range(25)]
FAR: list[Row] = [(name, text, "the big red cat") for name, text, _ in CLEAN]


def _changed(base: PairEntry, **changes: Any) -> PairEntry:
    return {**base, **changes}  # type: ignore[typeddict-item]


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({}, "PASS"),
        ({"verdict": "FAIL"}, "FAIL"),
        ({"is_baseline": True}, "baseline"),
        ({"is_baseline": True, "verdict": "FAIL"}, "FAIL (baseline)"),
        ({"expected_to_fail": True, "verdict": "FAIL"}, "FAIL (expected)"),
        ({"expected_to_fail": True}, "PASS (expected FAIL)"),
        ({"expected_to_fail": True, "verdict": "ERROR"}, "ERROR (expected FAIL)"),
        ({"incomplete": True}, "PASS (incomplete)"),
        ({"incomplete": True, "verdict": "ERROR"}, "ERROR"),
        ({"incomplete": True, "is_baseline": True}, "baseline (incomplete)"),
        ({"verdict": "INCONCLUSIVE"}, "INCONCLUSIVE"),
    ],
)
def test_the_verdict_column(changes: dict[str, object], word: str) -> None:
    """The last column has the verdict, what was expected of it, and whether evidence is missing."""
    assert verdict_word(_changed(entry(CLEAN, CLEAN), **changes)) == word


@pytest.mark.parametrize(
    ("changes", "seen_as"),
    [
        ({}, "PASS"),
        ({"is_baseline": True}, ""),
        ({"is_baseline": True, "verdict": "FAIL"}, "FAIL"),
        ({"expected_to_fail": True, "verdict": "FAIL"}, "EXPECTED"),
        ({"expected_to_fail": True, "verdict": "PASS"}, "FAIL"),
        ({"expected_to_fail": True, "verdict": "ERROR"}, "ERROR"),
        ({"expected_to_fail": True, "verdict": "INCONCLUSIVE"}, "INCONCLUSIVE"),
    ],
)
def test_a_verdict_is_seen_as_what_the_run_makes_of_it(changes: dict[str, object], seen_as: str) -> None:
    """A pair that passed though its gate file says it fails makes the run fail, so it is no good news."""
    assert outcome(_changed(entry(CLEAN, CLEAN), **changes)) == seen_as


def test_a_row_has_the_figures_of_its_pair() -> None:
    """Rate, difference, deciding bound, interval and median stand under their headings, rounded to two places."""
    made = _changed(
        entry(FAR, CLEAN),
        rate_pct=25.004,
        delta_pp=25.0,
        upper95_pp=31.236,
        ci_pct=[25.0, 26.5],
        latency_p50_ms=49.6,
    )
    heading, row = table([made])
    for word in ("variant", "dataset", "WER%", "delta", "bound of delta", "WER 95% CI", "ms p50", "verdict"):
        assert word in heading
    assert row.split() == ["q8_0", "prompts", "25.00", "+25.00", "<", "+31.24", "25.00", "–", "26.50", "50", "PASS"]


def test_columns_are_aligned() -> None:
    """Every line has its verdict in the same place, whatever the lengths of names."""
    short, long = entry(CLEAN), _changed(entry(CLEAN), variant="a-much-longer-variant-name", rate_pct=123.456)
    lines = table([short, long])
    assert lines[1].rindex("PASS") == lines[2].rindex("PASS") == lines[0].rindex("verdict")


def test_what_there_is_not_is_a_dash() -> None:
    """A pair that could not run has dashes and its verdict, not zeros."""
    _, row = table([pair_entry(failed_to_run(pair(), DatasetError("m.jsonl: holds no rows")))])
    assert row.split() == ["q8_0", "prompts", "—", "—", "—", "—", "—", "ERROR"]


def test_infinite_bounds_are_dashes() -> None:
    """One utterance has no bound to print."""
    _, row = table([entry(CLEAN[:1], CLEAN[:1])])
    assert row.split()[3:5] == ["+0.00", "—"]


def test_names_cannot_move_the_cursor() -> None:
    """Control characters in what strangers wrote are shown as escapes, in the table and under it."""
    odd = "\x1b[2J"
    bad = _changed(
        entry(FAR, CLEAN, {"wer": 1.0}),
        variant=f"v{odd}",
        dataset=f"d{odd}",
        speakers=f"s{odd}",
        truncated=[f"t{odd}"],
        repetition=[f"r{odd}"],
        not_controllable=[f"n{odd}"],
        stamp={"engine": f"e{odd}", "architecture": f"a{odd}"},
        warnings=[f"w{odd}"],
    )
    text = "\n".join([*table([bad]), *notes([bad], "state", [f"g{odd}"])])
    assert "\x1b" not in text
    assert text.count(r"\x1b[2J") >= 10


def test_each_deciding_check_has_a_line() -> None:
    """Why a pair is no plain pass is told with pair, check, status, limit with unit, and figure."""
    lines = notes([entry(FAR, CLEAN, {"wer": 10.0, "wer_delta": 1.0, "empty": 0})], "state")
    assert any(line.startswith("q8_0 prompts: wer fail, limit 10.0 %: 25 substitutions") for line in lines)
    assert any(line.startswith("q8_0 prompts: wer_delta fail, limit 1.0 pp: two-sided 95%") for line in lines)
    assert not any("empty" in line for line in lines)


def test_a_pair_that_could_not_run_has_its_reason() -> None:
    """An ERROR without checks tells its reason."""
    lines = notes([pair_entry(failed_to_run(pair(), DatasetError("m.jsonl: holds no rows")))], "state")
    assert lines[0] == "q8_0 prompts: m.jsonl: holds no rows"


def test_partial_rows_are_named() -> None:
    """Truncated and repetition-stopped rows are counted, the first five are named."""
    made = _changed(entry(CLEAN), truncated=["u1"], repetition=[f"u{number}" for number in range(7)])
    lines = notes([made], "state")
    assert "q8_0 prompts: 1 truncated, scored on their partial text: u1" in lines
    assert any(
        "7 stopped for repetition" in line and line.endswith("u0, u1, u2, u3, u4 and 2 more") for line in lines
    )


def test_the_resolution_of_a_set_is_told_once() -> None:
    """What margin a set resolves stands on one line for all variants, with how speakers were taken."""
    first, second = entry(CLEAN, CLEAN), _changed(entry(CLEAN, CLEAN), variant="q4_0", resolvable_pp=4.5)
    (line,) = [line for line in notes([first, second], "state") if line.startswith("margin that")]
    assert "prompts (independence assumed" in line
    assert line.endswith("q8_0 3.12, q4_0 4.50")


def test_what_an_engine_cannot_set_is_told_once() -> None:
    """Recipe keys that an engine cannot set are warned of once for all its variants."""
    shared: dict[str, object] = {
        "not_controllable": ["seed", "temperatures"],
        "stamp": {"engine": "transcribe-cpp", "architecture": "moonshine"},
    }
    made = [_changed(entry(CLEAN), **shared), _changed(entry(CLEAN), variant="q4_0", **shared)]
    (line,) = [line for line in notes([*made, made[0]], "state") if "not controllable" in line]
    assert line == "not controllable by transcribe-cpp (moonshine): seed, temperatures (variants q8_0, q4_0)"


def test_warnings_and_notes_are_told() -> None:
    """Warnings of a pair and notes on the gate file have a line each."""
    lines = notes([_changed(entry(CLEAN), warnings=["assumed equal"])], "state", ["[judge] has no effect yet"])
    assert "warning: q8_0 prompts: assumed equal" in lines
    assert "note: [judge] has no effect yet" in lines


def test_the_last_line_tells_the_work() -> None:
    """How many utterances an engine was asked for is told, or that all were there already."""
    made = entry(CLEAN)
    assert notes([made, _changed(made, transcribed_now=7)], "here")[-1] == (
        "transcribed 7 utterances now; finished ones are kept in here"
    )
    assert notes([made, made], "here")[-1] == "transcribed nothing: all 50 hypotheses were there already (here)"


def test_a_session_that_could_run_nothing_does_not_boast() -> None:
    """Where no pair could be run, the last line does not say that all hypotheses were there already."""
    lost = pair_entry(failed_to_run(pair(), DatasetError("m.jsonl: holds no rows")))
    assert "there already" not in notes([lost], "here")[-1]


def test_error_rows_were_not_there_already() -> None:
    """Rows whose audio could not be read are no hypotheses that were found."""
    lost: list[Row] = [("u0", "the big red dog", None), *CLEAN[1:]]
    made = pair_entry(decide(pair({"errors": 1}), scored("q8_0", lost), None))
    assert "all 25 hypotheses were there already" not in notes([made], str(Path("here")))[-1]


def test_words_on_silence_are_told_for_each_dataset() -> None:
    """Where a dataset has null references, one line says on how many of them each variant heard words."""
    silent: list[Row] = [("s1", "", "you"), ("s2", "Uh.", ""), *CLEAN]
    first, second = entry(silent), _changed(entry([("s1", "", ""), ("s2", "", ""), *CLEAN]), variant="q4_0")
    lines = notes([first, second], "here")
    assert "prompts: words heard where nobody speaks: q8_0 1 of 2, q4_0 0 of 2" in lines
    assert not any("nobody speaks" in line for line in notes([entry(CLEAN)], "here"))


@pytest.mark.parametrize("width", range(20, 201, 4))
def test_a_change_stands_beside_the_figure_that_changed(width: int) -> None:
    """Two columns are called `change`; in whatever blocks a table is, each follows its own figure."""
    intent = intent_score(*(intent_utterance(name, kept=True, found="pm") for name, _, _ in CLEAN))
    verdict = decide(pair(), scored("q8_0", CLEAN), scored("f32", CLEAN))
    compared = compare_intents(intent, intent, "f32")
    made = pair_entry(replace(verdict, intent=intent, intent_baseline=intent, intent_comparisons=compared))
    lines = ["".join(piece.text for piece in line) for line in table_lines([made], width)]
    headings = [line.split() for line in lines if "change" in line]
    for found in headings:
        for number, name in enumerate(found):
            assert name != "change" or found[number - 1] in {"intent%", "entity%"}
    assert sum(found.count("change") for found in headings) == 2
