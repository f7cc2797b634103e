"""Claims about intent and entities in the reports of a gate: entries, table, lines, messages, JUnit, `-v`."""

import copy
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from pytest_asrgate.intent.comparison import compare_intents
from pytest_asrgate.records import Check, CheckStatus, Entity, EntityStatus, IntentScore, IntentUtterance, Verdict
from pytest_asrgate.records.judged import Spending
from pytest_asrgate.reports.entries import PairEntry, pair_entry
from pytest_asrgate.reports.evidence import evidence
from pytest_asrgate.reports.failure import failure_message
from pytest_asrgate.reports.intent_entries import IntentEntry
from pytest_asrgate.reports.intent_lines import BY_RULES, MARKS
from pytest_asrgate.reports.json_report import session_report, write_json_report
from pytest_asrgate.reports.junit import junit_properties
from pytest_asrgate.reports.notes import notes
from pytest_asrgate.reports.schema import report_schema
from pytest_asrgate.reports.table import table
from pytest_asrgate.verdict import decide

from .builders import Row, judged, judged_utterance, pair, scored
from .intents import intent_score, intent_utterance

ROWS: list[Row] = [(f"u{number}", "Call Anna at 5", "call anna at 5") for number in range(8)]
# Two languages; the variant loses the intent of u0 and u1, which the baseline keeps and loses, and an entity of u4.
BASELINE = replace(
    intent_score(
        intent_utterance("u0", kept=True, found="pp"),
        intent_utterance("u1", kept=False, found="pp"),
        intent_utterance("u2", kept=True, found="pp"),
        intent_utterance("u3"),
        *(intent_utterance(f"u{number}", kept=True, found="pp", language="hi") for number in range(4, 8)),
    ),
    spending=Spending(1, 0, 200, 20, 0.002),
)
INTENT = replace(
    intent_score(
        intent_utterance("u0", kept=False, found="ps"),
        intent_utterance("u1", kept=False, found="pp"),
        intent_utterance("u2", kept=True, found="pp"),
        intent_utterance("u3"),
        intent_utterance("u4", kept=True, found="pm", language="hi"),
        *(intent_utterance(f"u{number}", kept=True, found="pp", language="hi") for number in range(5, 8)),
    ),
    spending=Spending(2, 3, 400, 60, 0.25),
    voted=2,
    unanimous=1,
    undecided=1,
)


def _verdict(intent: IntentScore | None, baseline: IntentScore | None = None, **changes: object) -> Verdict:
    made = decide(pair({"wer": 50.0}), scored("q8_0", ROWS), scored("f32", ROWS))
    compared = compare_intents(intent, baseline, "f32") if intent and baseline else ()
    judged_too = replace(made, intent=intent, intent_baseline=baseline, intent_comparisons=compared)
    return replace(judged_too, **changes)  # type: ignore[arg-type]


def _entry(intent: IntentScore | None, baseline: IntentScore | None = None, **changes: object) -> PairEntry:
    made = pair_entry(_verdict(intent, baseline), with_utterances=True)
    return {**made, **changes}  # type: ignore[typeddict-item]


def _intent(entry: PairEntry) -> IntentEntry:
    found = entry["intent"]
    assert found is not None
    assert json.loads(json.dumps(entry, allow_nan=False)) == entry
    return found


def _failing(*rows: IntentUtterance) -> IntentScore:
    return intent_score(*rows, *INTENT.utterances[len(rows) :])


def test_without_these_scores_it_is_null_and_nothing_is_told() -> None:
    """A pair whose data set buys none has null; no column, line or property is of it."""
    bare = _entry(None)
    assert bare["intent"] is None
    assert not [line for line in [*table([bare]), *notes([bare], "s"), *evidence([bare])] if "intent" in line]
    assert not [name for name, _ in junit_properties(bare) if "intent" in name or "entity" in name]


def test_figures_stand_beside_what_is_lost_of_them() -> None:
    """Of all: 6 of 8 kept against 7, and entities 1/3 and 1/2 in two of seven; then of each language."""
    found = _intent(_entry(INTENT, BASELINE))
    figures = found["figures"]
    assert (figures["utterances"], figures["kept"], figures["intent_pct"]) == (8, 6, 75.0)
    assert figures["entity_pct"] == pytest.approx(100.0 * (5 + 1 / 3 + 1 / 2) / 7)
    assert (figures["with_entities"], figures["without_entities"]) == (7, 1)
    assert (figures["preserved"], figures["missing"], figures["substituted"]) == (12, 1, 1)
    loss, lost = figures["intent_loss"], figures["entity_loss"]
    assert loss is not None
    assert lost is not None
    assert (loss["loss_pp"], loss["utterances"], loss["left_out"]) == (12.5, 8, 0)
    assert lost["loss_pp"] == pytest.approx(100.0 * (2 / 3 + 1 / 2) / 7)
    assert (loss["upper95_pp"] or 0) > 12.5 > (loss["lower95_pp"] or 0)
    english, hindi = found["languages"]
    assert (english["language"], hindi["language"]) == ("en", "hi")
    assert english["intent_loss"] is not None
    assert hindi["intent_loss"] is not None
    assert (english["intent_loss"]["loss_pp"], hindi["intent_loss"]["loss_pp"]) == (25.0, 0.0)
    assert (found["judge"], found["n"], found["lower_bound"]) == ("openai/judge", 8, False)
    assert (found["spending"]["calls"], found["baseline_spending"]) == (
        2,
        {"calls": 1, "replayed": 0, "prompt_tokens": 200, "completion_tokens": 20, "cost_usd": 0.002},
    )


def test_one_language_has_the_loss_of_all() -> None:
    """It is compared once, and stands with its figures too; without a baseline there is none."""
    one = intent_score(*(replace(row, language="hi") for row in INTENT.utterances))
    before = intent_score(*(replace(row, language="hi") for row in BASELINE.utterances))
    found = _intent(_entry(one, before))
    assert found["languages"][0]["intent_loss"] == found["figures"]["intent_loss"] is not None
    alone = _intent(_entry(one))
    assert (alone["figures"]["intent_loss"], alone["languages"][0]["entity_loss"]) == (None, None)
    assert alone["baseline_spending"] is None


def test_trails_leave_out_what_rules_saw_to_be_whole() -> None:
    """What a judge said is there whatever it said; a run without a JSON report carries no trail across."""
    rows = [replace(row, asked=False) if row.id in {"u2", "u4"} else row for row in INTENT.utterances]
    assert [row["id"] for row in _intent(_entry(intent_score(*rows)))["utterances"]] == [
        "u0",
        "u1",
        "u3",
        "u4",
        "u5",
        "u6",
        "u7",
    ]
    found = pair_entry(_verdict(INTENT))["intent"]
    assert found is not None
    assert (found["utterances"], found["n"]) == ([], 8)


def test_failures_and_error_rows_are_named_and_in_no_figure() -> None:
    """They are no zeros: neither score, and the sentence of the first."""
    score = _failing(
        intent_utterance("u0", None, error="no reply"), replace(intent_utterance("u1", None), decided_by="")
    )
    found = _intent(_entry(score, BASELINE))
    assert (found["judge_errors"], found["judge_failure"]) == (["u0"], "no reply")
    assert (found["figures"]["utterances"], found["figures"]["failed"]) == (6, 1)
    assert found["decided_by"]["error row"] == 1
    loss = found["figures"]["intent_loss"]
    assert loss is not None
    assert (loss["utterances"], loss["left_out"]) == (6, 2)
    trail = found["utterances"][0]
    assert (trail["intent_score"], trail["entity_score"], trail["judge_error"]) == (None, None, "no reply")


def _report(folder: Path, *entries: PairEntry) -> Any:
    write_json_report(folder / "report.json", session_report(folder / "gate.toml", entries))
    return json.loads((folder / "report.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    "score",
    [
        INTENT,
        _failing(intent_utterance("u0", None, error="no reply")),
        intent_score(*INTENT.utterances, judge="rules"),
    ],
    ids=["judged", "with a judge error", "by rules alone"],
)
@pytest.mark.parametrize("baseline", [BASELINE, None], ids=["compared", "alone"])
def test_a_report_is_valid(tmp_path: Path, score: IntentScore, baseline: IntentScore | None) -> None:
    """With and without a baseline, a judge and its failures."""
    before = baseline and replace(baseline, judge=score.judge)
    report = _report(tmp_path, _entry(score, before))
    assert [str(error) for error in Draft202012Validator(report_schema()).iter_errors(report)] == []


CHANGES: dict[str, Callable[[Any], object]] = {
    "a key more": lambda intent: intent.update(wer=1.0),
    "a key less": lambda intent: intent.pop("lower_bound"),
    "a judge without a name": lambda intent: intent.update(judge=""),
    "an accuracy above all": lambda intent: intent["figures"].update(intent_pct=101.0),
    "a loss without its bound": lambda intent: intent["figures"]["intent_loss"].pop("upper95_pp"),
    "a loss of no utterance": lambda intent: intent["languages"][0]["entity_loss"].update(utterances=0),
    "no figures of all": lambda intent: intent.update(figures=None),
    "half an intent": lambda intent: intent["utterances"][0].update(intent_score=0.5),
    "an unknown fate": lambda intent: intent["utterances"][0]["entities"][0].update(status="lost"),
    "an entity without a weight": lambda intent: intent["utterances"][0]["entities"][0].update(importance=0),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_changed_report_is_refused(tmp_path: Path, name: str) -> None:
    """Each small change makes a valid report invalid."""
    report = _report(tmp_path, _entry(INTENT, BASELINE))
    changed = copy.deepcopy(report)
    CHANGES[name](changed["pairs"][0]["intent"])
    validator = Draft202012Validator(report_schema())
    assert validator.is_valid(report)
    assert not validator.is_valid(changed)


def test_both_figures_stand_in_columns_with_their_changes() -> None:
    """In percent, and the change with its own sign: what is lost has a minus; before the median time."""
    heading, row, other = table([_entry(INTENT, BASELINE), _entry(None)])
    assert heading.split()[-7:] == ["intent%", "change", "entity%", "change", "ms", "p50", "verdict"]
    assert row.split()[-6:-1] == ["75.00", "-12.50", "83.33", "-16.67", "10"]
    assert other.split()[-6:-1] == ["—", "—", "—", "—", "10"]


def test_what_is_gained_or_equal_has_a_plus() -> None:
    """Also where a loss rounds to nothing from below."""
    _, row = table([_entry(BASELINE, INTENT)])
    assert row.split()[-6:-2] == ["87.50", "+12.50", "100.00", "+16.67"]
    _, same = table([_entry(INTENT, INTENT)])
    assert same.split()[-6:-2] == ["75.00", "+0.00", "83.33", "+0.00"]


def test_figures_of_rules_alone_are_marked_and_explained() -> None:
    """A lower bound of the intent, no bound of entities: a mark in the table each, and one line on what it is."""
    score, before = (intent_score(*each.utterances, judge="rules") for each in (INTENT, BASELINE))
    made = _entry(score, before)
    assert "≥ 75.00 -12.50 ~ 83.33 -16.67" in " ".join(table([made])[1].split())
    lines = notes([made], "state")
    place = lines.index(MARKS[0])
    assert tuple(lines[place : place + 2]) == MARKS
    assert (lines.count(MARKS[0]), lines.count(MARKS[1])) == (1, 1)
    assert MARKS[0].startswith("≥ is a lower bound of what a judge would say: ")
    assert MARKS[1] == (
        "~ is a figure over the digits, dates, e-mails, identifiers and names that rules find, and no bound"
    )
    assert not [line for line in lines if "entity at least" in line]
    assert (
        "judge rules, intent and entities: nobody was asked; rules leave the intent of 8 of 8 utterances open, "
        in ("\n".join(lines))
    )
    (hindi,) = [line for line in lines if "q8_0 prompts hi: intent at least 100.00 %" in line]
    assert hindi.count(" of those that rules find") == ("entity —" not in hindi)


def test_figures_of_a_failed_judge_are_dashes() -> None:
    """What it did not fail on would look like a better system."""
    check = Check("judge_errors", 1, 0, "utterances", CheckStatus.ERROR, "x")
    made = pair_entry(_verdict(INTENT, BASELINE, checks=(check,)))
    assert table([made])[1].split()[-6:-2] == ["—", "—", "—", "—"]


def _own(lines: list[str]) -> list[str]:
    words = ("intent", "judge")
    return [line for line in lines if any(word in line for word in words)]


def test_each_language_of_each_pair_has_a_line() -> None:
    """Both figures with intervals, both losses with their bounds, then what the signs mean, and who judged."""
    lines = _own(notes([_entry(INTENT, BASELINE)], "state"))
    assert lines[0].startswith("q8_0 prompts en: intent 50.00 % (95 % Wilson 15.00 – 85.00), loss +25.00 pp (upper")
    assert "entity 77.78 % (95 % CI " in lines[0]
    assert ", loss +22.22 pp (upper 95 % +" in lines[0]
    assert lines[0].endswith("), over 4 utterances")
    assert lines[1].startswith("q8_0 prompts hi: intent 100.00 % (95 % Wilson 51.01 – 100.00), ")
    assert "loss +0.00 pp" in lines[1]
    assert lines[2].startswith("change of intent% and entity%: the figure minus the baseline's")
    assert lines[3] == "prompts: intent and entities, counted apart: 1 utterance without entities"
    assert lines[4:] == [
        "judge openai/judge, intent and entities: needed for the intent of 8 of 8 utterances; 3 calls made, 3 "
        "replies replayed, cost 0.2520 USD; 2 labels voted on: 1 unanimous, 1 without a majority, which count as "
        "lost"
    ]


def test_a_baseline_that_is_an_item_tells_of_itself() -> None:
    """Its cost is counted once, and so is what is counted apart."""
    variants = [_entry(INTENT, BASELINE), _entry(INTENT, BASELINE, variant="q4_0")]
    text = "\n".join(notes(variants, "state"))
    assert "5 calls made, 6 replies replayed, cost 0.5020 USD" in text
    assert text.count("counted apart") == 1
    with_baseline = [_entry(BASELINE, variant="f32", is_baseline=True), *variants]
    assert "5 calls made, 6 replies replayed, cost 0.5020 USD" in "\n".join(notes(with_baseline, "state"))


def test_two_judged_scores_have_a_line_each_and_an_outage_is_told_once() -> None:
    """The judge's work is told for each task; the sentence of a failure that is both scores' stands once."""
    semantic = judged(
        judged_utterance("u0", "a", "b", counts=None, asked=True, judge_error="no reply"), judge="openai/judge"
    )
    score = _failing(intent_utterance("u0", None, error="no reply"))
    made = pair_entry(_verdict(score, BASELINE, semantic=semantic))
    lines = [line for line in notes([made], "state") if line.startswith("judge")]
    assert [line.split(":")[0] for line in lines] == [
        "judge openai/judge, semantic WER",
        "judge errors of q8_0 prompts",
        "judge openai/judge, intent and entities",
        "judge errors of q8_0 prompts",
    ]
    assert "\n".join(lines).count("no reply") == 1
    assert lines[3].endswith("those named above have no score of intent and entities either")
    alone = [line for line in notes([_entry(score)], "state") if line.startswith("judge errors")]
    assert alone == [
        "judge errors of q8_0 prompts: 'u0' (the first: no reply); they have no score of intent and entities"
    ]


def test_verbose_runs_tell_intervals_margins_and_who_decided() -> None:
    """One line a pair, under a heading of its own."""
    heading, line = evidence([_entry(INTENT, BASELINE)])[-2:]
    assert heading == "intent and entities, with who decided on how many:"
    assert line.startswith("q8_0 prompts: intent 75.00 % (95 % Wilson 40.93 – 92.85): kept in 6 of 8 utterances; ")
    assert "12 preserved, 1 missing, 1 substituted in 7 utterances; counted apart: 1 utterance without" in line
    assert "intent loss +12.50 pp (95 % CI " in line
    assert "over 8 utterances, resolves a margin of " in line
    assert line.endswith("; intents decided by judge openai/judge 8; entities by nobody 14")


def test_junit_has_both_figures_and_their_losses() -> None:
    """Flat figures; what is unknown is left out."""
    found = dict(junit_properties(_entry(INTENT, BASELINE)))
    assert (found["asrgate_intent_pct"], found["asrgate_entity_pct"]) == (75.0, 83.3333)
    assert (found["asrgate_intent_loss_pp"], found["asrgate_entity_loss_pp"]) == (12.5, 16.6667)
    assert (found["asrgate_intent_judge"], found["asrgate_intent_lower_bound"]) == ("openai/judge", False)
    assert (found["asrgate_intent_judge_calls"], found["asrgate_intent_judge_baseline_calls"]) == (2, 1)
    assert {f"asrgate_{name}_{bound}95_pp" for name in ("intent", "entity") for bound in ("lower", "upper")} < set(
        found
    )
    alone = dict(junit_properties(_entry(INTENT)))
    assert "asrgate_intent_loss_pp" not in alone
    assert "asrgate_intent_judge_baseline_calls" not in alone


def _section(text: str, words: str = "lost their intent") -> list[str]:
    lines = text.splitlines()
    start = next(number for number, line in enumerate(lines) if words in line)
    end = next((n for n in range(start + 1, len(lines)) if not lines[n]), len(lines))
    return lines[start:end]


def test_new_losses_come_first_with_raw_texts_and_reasons() -> None:
    """What the baseline kept before what it lost too; then the ids that failed checks name."""
    entity = Entity(
        1, "Anna", "person", 3, EntityStatus.SUBSTITUTED, "Hannah", "judge m", "another name", ("a", "b")
    )
    row = replace(
        intent_utterance("u5", kept=False, language="hi"),
        entities=(entity,),
        entity_score=0.0,
        explanation="another person",
        votes=("lost", "kept", "lost"),
    )
    rows = [row if each.id == row.id else each for each in INTENT.utterances]
    whole = replace(entity, status=EntityStatus.PRESERVED, heard="anna")
    before = [
        replace(each, entities=(whole,), entity_score=1.0) if each.id == row.id else each
        for each in BASELINE.utterances
    ]
    checks = (Check("intent_delta", 25.0, 1.0, "pp", CheckStatus.FAIL, "worse", ("u1", "u0")),)
    lines = _section(failure_message(_verdict(intent_score(*rows), intent_score(*before), checks=checks)))
    assert lines[0] == (
        "the utterances that lost their intent or entities (4 of 4; 3 lost more than the baseline, and come first):"
    )
    shown = [line.strip().split(":")[0] for line in lines if line.startswith("  u")]
    assert shown == ["u0", "u5", "u4", "u1"]
    place = lines.index("  u5: intent lost, entities 0 %; baseline intent kept, entities 100 %")
    assert lines[place + 1 : place + 5] == [
        "    REF: Call Anna at 5",
        "    HYP: call anna at 5",
        "    intent: judge openai/judge (votes lost, kept, lost): another person",
        '    person "Anna" became "Hannah"; baseline preserved: judge m (votes a, b): another name',
    ]
    assert "  u1: intent lost, entities 100 %; baseline intent lost, entities 100 %" in lines


def test_ids_of_these_checks_are_not_listed_with_the_aligned_words() -> None:
    """They have a list of their own."""
    for name in ("intent", "entity_non_inferiority"):
        checks = (Check(name, 25.0, 1.0, "pp", CheckStatus.FAIL, "worse", ("u1", "u0")),)
        assert "the utterances that cost most" not in failure_message(_verdict(INTENT, BASELINE, checks=checks))


def test_the_list_is_bounded() -> None:
    """In utterances, in entities of one, and in characters."""
    entities = tuple(
        Entity(number, "x" * 900, "thing", 1, EntityStatus.MISSING, "", "judge m", "r" * 900)
        for number in range(1, 101)
    )
    long = [replace(intent_utterance(f"u{n}", kept=False), entities=entities, entity_score=0.0) for n in range(8)]
    lines = _section(failure_message(_verdict(intent_score(*long))))
    assert "(5 of 8):" in lines[0]
    assert len(lines) == 1 + 5 * (1 + 2 + 1 + 8 + 1)
    assert "    and 92 more entities (the report made with --asrgate-json has all)" in lines
    assert max(map(len, lines)) < 1000


def test_judge_errors_stand_apart_with_their_sentence() -> None:
    """An outage is told once with its ids, under a heading that names the score."""
    rows = [intent_utterance(f"u{number}", None, error="no reply") for number in range(8)]
    text = failure_message(_verdict(intent_score(*rows)))
    assert "lost their intent" not in text
    assert _section(text, "on intent and entities for 8 utterances") == [
        "the judge gave no valid answer on intent and entities for 8 utterances:",
        "  'u0', 'u1', 'u2', 'u3', 'u4' and 3 more: no reply",
    ]


def test_rules_alone_are_labelled_in_the_message() -> None:
    """What they could not show is called that, and nobody is said to have decided."""
    rows = [
        replace(intent_utterance(f"u{n}", kept=False), decided_by="no judge", explanation="?") for n in range(8)
    ]
    lines = failure_message(_verdict(intent_score(*rows, judge="rules"))).splitlines()
    assert "    intent: no judge" in lines
    assert tuple(lines[-2:]) == BY_RULES


def test_strangers_words_cannot_move_the_cursor() -> None:
    """Texts, entities, reasons, models and languages are shown as escapes everywhere."""
    odd = "\x1b[2J\n"
    entity = Entity(1, odd, odd, 1, EntityStatus.SUBSTITUTED, odd, f"judge {odd}", odd, (odd,))
    row = replace(
        intent_utterance(f"u{odd}", kept=False, language=f"q{odd}"),
        explanation=odd,
        entities=(entity,),
        entity_score=0.0,
    )
    failed = intent_utterance("x", None, error=odd)
    score = replace(intent_score(row, failed), judge=odd)
    texts = scored("q8_0", [(f"u{odd}", odd, odd), ("x", "x", "x")])
    verdict = _verdict(score, score=texts, baseline_score=None, dataset=odd)
    made = pair_entry(verdict)
    message = failure_message(verdict)
    lines = [*table([made]), *notes([made], "state"), *evidence([made]), *message.splitlines()]
    assert all("\x1b" not in line and "\n" not in line for line in lines)
    assert message.count(r"\x1b[2J\n") >= 8
    assert dict(junit_properties(made))["asrgate_intent_judge"] == r"\x1b[2J\n"
