"""Claims about which utterances are shown first, and about the lines of them on a terminal."""

from pytest_asrgate.records import RowStatus
from pytest_asrgate.reports.changed_lines import changed_lines
from pytest_asrgate.reports.entries import PairEntry, pair_entry
from pytest_asrgate.reports.markdown_utterances import utterance_lines
from pytest_asrgate.reports.worst import cost_text, flags_text, in_turn, worst_utterances
from pytest_asrgate.verdict import decide

from .builders import Row, entry, pair, scored

BEFORE: list[Row] = [
    ("same", "the cat sat", "the cat sat"),
    ("one", "the cat sat", "the cat sat"),
    ("two", "the cat sat", "the cat sat"),
    ("better", "the cat sat", "a hat"),
    ("lost", "the cat sat", "the cat sat"),
]
AFTER: list[Row] = [
    ("same", "the cat sat", "The cat sat."),
    ("one", "the cat sat", "the hat sat"),
    ("two", "the cat sat", "a hat sat"),
    ("better", "the cat sat", "the cat sat"),
    ("lost", "the cat sat", None),
]


def test_what_lost_most_against_the_baseline_comes_first() -> None:
    """Utterances that did not change are left out, and those that got better come last."""
    rows, what = worst_utterances(entry(AFTER, BEFORE, {"errors": 1}))
    assert [row["id"] for row in rows] == ["two", "one", "better"]
    assert what == "3 changed utterances: 2 worse, 1 better"


def test_lost_ones_come_first_where_they_are_the_reason() -> None:
    """A pair that could not be judged shows what it could not be judged for."""
    rows, what = worst_utterances(entry(AFTER, BEFORE, {"errors": 0}))
    assert rows[0]["id"] == "lost"
    assert what == "1 utterance without an output and 3 changed utterances: 2 worse, 1 better"


def test_without_a_baseline_those_with_errors_are_the_worst() -> None:
    """A baseline's own pair shows its errors."""
    rows, what = worst_utterances(entry([row for row in AFTER if row[2] is not None]))
    assert [row["id"] for row in rows] == ["two", "one"]
    assert what == "2 utterances with errors"


def test_the_cost_stands_beside_the_baselines() -> None:
    """Errors of how many words, and what the baseline had; for a lost one what went wrong."""
    made = entry(AFTER, BEFORE, {"errors": 1})
    texts = {row["id"]: cost_text(row, made) for row in made["utterances"]}
    assert texts["two"] == "2 errors in 3 words, baseline 0"
    assert texts["lost"] == "lost.wav: crashed"
    turned = entry(BEFORE, AFTER, {"errors": 1})
    assert cost_text(turned["utterances"][4], turned) == "0 errors in 3 words, the baseline has no output"


def test_lines_show_the_aligned_words_and_what_is_remarkable() -> None:
    """Each utterance has its id, its cost, its marks, and the words above each other."""
    rows: list[Row] = [("quiet", "the cat sat", ""), ("noise", "", "you")]
    lines = changed_lines(entry(rows, [("quiet", "the cat sat", "the cat sat"), ("noise", "", "")]), 80)
    assert lines[0] == "q8_0 on prompts, worst first: 2 changed utterances: 2 worse"
    assert lines[1] == "  quiet: 3 errors in 3 words, baseline 0 [empty, catastrophic]"
    assert lines[2] == "    REF: THE CAT SAT"
    assert "  noise: 1 error in 0 words, baseline 0 [hallucination]" in lines


def test_only_ten_are_shown_and_the_rest_are_counted() -> None:
    """A terminal is no place for thousands; where all of them are is said."""
    many: list[Row] = [(f"u{number}", "the cat sat", "the hat sat") for number in range(14)]
    lines = changed_lines(entry(many, [(name, text, text) for name, text, _ in many]), None)
    assert sum("errors in" in line or "error in" in line for line in lines) == 10
    assert lines[-1] == "  and 4 more (the page made with --asrgate-html has all)"


def test_nothing_changed_is_no_lines() -> None:
    """A pair that is as its baseline has nothing to show."""
    assert changed_lines(entry(BEFORE, BEFORE), 80) == []


def test_a_terminals_width_is_kept_and_its_control_codes_are_not_sent() -> None:
    """Long texts go on in further lines, and what would move the cursor is shown as an escape."""
    words = " ".join(["cat"] * 60)
    made = entry([("\x1b[2J", words, f"{words} \x1b[1A hat")], [("\x1b[2J", words, words)])
    lines = changed_lines(made, 60)
    assert max(map(len, lines)) <= 60
    assert "\x1b" not in "".join(lines)


def _ids(made: PairEntry) -> list[str]:
    return [row["id"] for row in worst_utterances(made)[0]]


def _with_checks(made: PairEntry, *named: tuple[str, str, list[str]]) -> PairEntry:
    """The pair with these checks of (name, status, utterances) alone."""
    check = made["checks"][0]
    checks = [{**check, "name": name, "status": status, "utterances": ids} for name, status, ids in named]
    return {**made, "checks": checks}  # type: ignore[typeddict-item] # of one check


def test_one_of_each_check_in_turn() -> None:
    """No check hides another, and nothing is named twice."""
    assert in_turn([["a", "b", "c"], [], ["b", "d"]]) == ("a", "b", "d", "c")


def test_what_decided_comes_first() -> None:
    """Utterances that failing checks name lead, one of each in turn, changed or not; the changed ones follow."""
    made = entry(AFTER, BEFORE, {"errors": 1})
    decided = _with_checks(
        made,
        ("masked", "fail", ["same", "better"]),
        ("empty", "pass", ["lost"]),
        ("semantic_delta", "inconclusive", ["one", "same"]),
    )
    assert _ids(decided) == ["same", "one", "better", "two"]
    what = worst_utterances(decided)[1]
    assert what == "1 utterance that only checks name and 3 changed utterances: 2 worse, 1 better"
    assert _ids(_with_checks(made, ("errors", "error", ["lost", "gone"]))) == ["lost", "two", "one", "better"]


def test_what_a_check_of_a_slice_names_comes_first() -> None:
    """A limit of a slice that fails leads to its utterances, too."""
    tags = {"same": ("room:hall",)}
    rows: list[Row] = [*AFTER[1:3], ("same", "the cat sat", "the big cat sat")]
    before: list[Row] = [*BEFORE[1:3], ("same", "the cat sat", "the big cat sat")]
    settings = pair({}, slices={"room:hall": {"wer": 1.0}})
    verdict = decide(settings, scored("q8_0", rows, tags=tags), scored("f32", before, tags=tags))
    assert _ids(pair_entry(verdict, with_utterances=True)) == ["same", "two", "one"]


def test_what_the_baseline_lost_is_listed() -> None:
    """An utterance whose baseline has no output is no change that is known, and still has something to show."""
    made = entry(BEFORE, AFTER, {"errors": 1})
    assert "lost" in _ids(made)
    what = worst_utterances(made)[1]
    assert what == "1 utterance that the baseline has no output of and 3 changed utterances: 1 worse, 2 better"


def test_the_order_is_one() -> None:
    """More errors lost come first, then more errors, then the manifest; what cannot be compared lost none."""
    text = "a b c d"
    before = [("n", None), ("z", "w x y d"), ("s", text), ("m", "w b c d"), ("a", text), ("e", "w b c d")]
    after = [
        ("n", "w x y z"),
        ("z", "w x y z"),
        ("s", "a b c z"),
        ("m", "w x y d"),
        ("a", "a b c x"),
        ("e", "q b c d"),
    ]
    rows = [[(name, text, heard) for name, heard in side] for side in (after, before)]
    assert _ids(entry(*rows, {"errors": 1})) == ["m", "z", "s", "a", "n", "e"]


def _shown(made: PairEntry) -> tuple[str, str]:
    """What terminal and markdown say of a pair's utterances, without their margins."""
    terminal = "\n".join(line.strip() for line in changed_lines(made, None))
    return terminal, "\n".join(line.removeprefix("- ").removeprefix("+ ").strip() for line in utterance_lines(made))


def test_what_the_normaliser_hides_is_shown_raw() -> None:
    """Texts that are equal when normalised have nothing to align: both raw ones stand there, and what differs."""
    hidden: list[Row] = [("u", "Call at -5.", "call at 5")]
    made = entry(hidden, hidden, {"masked": 0})
    row = made["utterances"][0]
    assert row["ref"] == row["hyp"]
    assert row["masked"]
    for text in _shown(made):
        assert f"differs in {', '.join(row['masked'])}, which the normaliser hides" in text
        assert "REF: Call at -5.\nHYP: call at 5" in text


def test_a_loop_is_shown_raw_as_well() -> None:
    """What repeats may be gone from the normalised text."""
    looped = "the cat " + "the dog " * 30
    made = entry([("u", "the cat", looped)], [("u", "the cat", "the cat")], {"wer": 1.0})
    assert made["utterances"][0]["loop"]
    for text in _shown(made):
        assert "\nRAW: the cat the dog the dog" in text


def test_flags_are_the_same_in_both() -> None:
    """Status, inventions, loops, silence, other languages and catastrophes are marked in terminal and markdown."""
    score = scored("q8_0", AFTER[1:3], statuses={"two": RowStatus.TRUNCATED})
    made = pair_entry(decide(pair({"wer": 1.0}), score, scored("f32", BEFORE[1:3])), with_utterances=True)
    two = made["utterances"][1]
    assert flags_text({**two, "language_drift": True}) == " [truncated, other language, catastrophic]"
    for text in _shown(made):
        assert "two: 2 errors in 3 words, baseline 0 [truncated, catastrophic]" in text
