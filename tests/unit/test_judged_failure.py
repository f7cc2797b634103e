"""Claims about what the message of an item that did not pass says of meaning."""

from dataclasses import replace

from pytest_asrgate.records import Check, CheckStatus, Verdict
from pytest_asrgate.records.judged import Label, SemanticScore
from pytest_asrgate.reports.failure import failure_message
from pytest_asrgate.verdict import decide

from .builders import Row, difference, judged, judged_utterance, pair, scored

ROWS: list[Row] = [(f"u{number}", "call at five", "call at nine") for number in range(8)]
CHANGED = [judged_utterance(name, text, heard or "", difference("five", "nine")) for name, text, heard in ROWS]


def _message(semantic: SemanticScore, baseline: SemanticScore | None = None, *checks: Check) -> str:
    verdict: Verdict = decide(pair({"wer": 1.0}), scored("q8_0", ROWS), scored("f32", ROWS))
    made = replace(verdict, semantic=semantic, semantic_baseline=baseline, checks=(*verdict.checks, *checks))
    return failure_message(made)


def _section(text: str) -> list[str]:
    lines = text.splitlines()
    start = next(number for number, line in enumerate(lines) if "whose meaning changed" in line)
    end = next((n for n in range(start + 1, len(lines)) if not lines[n]), len(lines))
    return lines[start:end]


def test_errors_of_meaning_are_listed_costliest_first_with_who_and_why() -> None:
    """Each difference that matters has both texts, who decided, votes and the reason; others are left out."""
    votes = ("error", "same", "error")
    costly = judged_utterance(
        "u9",
        "do not call them at five",
        "call him at nine",
        difference("do not", "", number=1, substitutions=0, deletions=2, decided_by="rule negation", reason="lost"),
        difference("them", "him", Label.SAME, number=2, decided_by="judge m", reason="alike"),
        difference("five", "nine", number=3, decided_by="judge m", reason="another time", votes=votes),
    )
    before = judged(CHANGED[0], replace(CHANGED[0], id="u9"))
    lines = _section(_message(judged(CHANGED[0], costly), before))
    assert lines == [
        "the utterances whose meaning changed (2 of 2):",
        "  u9: 3 semantic errors in 6 words, baseline 1",
        '    1. "do not" → "": rule negation: lost',
        '    3. "five" → "nine": judge m (votes error, same, error): another time',
        "  u0: 1 semantic error in 3 words, baseline 1",
        '    1. "five" → "nine": rule number: the numbers differ',
    ]


def test_five_are_shown_and_the_rest_is_counted() -> None:
    """The list is bounded, in utterances, differences and characters."""
    text = _message(judged(*CHANGED))
    assert len([line for line in _section(text) if ": 1 semantic error" in line]) == 5
    assert "(5 of 8):" in text
    long = [difference("a" * 900, "b" * 900, number=number, reason="r" * 900) for number in range(1, 41)]
    many = judged_utterance("u1", "a " * 40, "b " * 40, *long)
    lines = _section(_message(judged(many)))
    assert len(lines) < 15
    assert "    and 32 more differences (the report made with --asrgate-json has all)" in lines
    assert max(map(len, lines)) < 1000


def test_differences_that_nobody_decided_are_listed_and_called_that() -> None:
    """Rules alone leave an upper bound, and the message says so."""
    undecided = difference("dog", "dock", Label.OPEN, decided_by="no judge", reason="")
    row = judged_utterance("u1", "a dog", "a dock", undecided)
    text = _message(judged(row, judge="rules"))
    assert '    1. "dog" → "dock": no judge' in text.splitlines()
    assert "by rules alone: open differences count as errors, so this is an upper bound" in text


def test_judge_errors_are_listed_with_their_sentences() -> None:
    """They have no score, so they stand apart from what changed; an outage is told once with its ids."""
    failed = [
        judged_utterance(
            f"u{number}", "a b", "a c", counts=None, asked=True, judge_error=f"no reply ({number % 6})"
        )
        for number in range(20)
    ]
    text = _message(judged(*failed))
    assert "whose meaning changed" not in text
    lines = text.splitlines()
    place = lines.index("the judge gave no valid answer for 20 utterances:")
    assert lines[place + 1 :] == [
        "  'u0', 'u6', 'u12', 'u18': no reply (0)",
        "  'u1', 'u7', 'u13', 'u19': no reply (1)",
        *(f"  'u{number}', 'u{number + 6}', 'u{number + 12}': no reply ({number})" for number in range(2, 5)),
        "  and 1 other reason",
    ]


def test_utterances_of_a_failed_judged_check_come_first_and_stand_in_one_list_only() -> None:
    """What a check names leads its own list; the aligned words of the error rate are for other checks."""
    failed = Check("semantic_wer_delta", 3.0, 1.0, "pp", CheckStatus.FAIL, "worse", ("u7", "u6"))
    passed = Check("judge_errors", 0, 0, "utterances", CheckStatus.PASS)
    verdict = decide(pair({}), scored("q8_0", ROWS), scored("f32", ROWS))
    made = replace(verdict, semantic=judged(*CHANGED), checks=(failed, passed))
    text = failure_message(made)
    assert "the utterances that cost most" not in text
    shown = [line.split(":")[0].strip() for line in _section(text) if "semantic error" in line]
    assert shown == ["u7", "u6", "u0", "u1", "u2"]


def test_no_section_where_nothing_changed() -> None:
    """A pair that failed for other reasons shows no empty list."""
    same = judged_utterance("u1", "the dog", "a dog", difference("the", "a", Label.SAME))
    text = _message(judged(same))
    assert "meaning" not in text
    assert "judge gave" not in text


def test_transcripts_and_reasons_cannot_move_the_cursor() -> None:
    """They are strangers' words, a model's among them."""
    odd = "\x1b[2J\r\n"
    told = replace(
        difference(f"b{odd}", f"c{odd}"), decided_by=f"judge m{odd}", reason=f"because{odd}", votes=(odd,)
    )
    row = judged_utterance(f"u{odd}", "a b", "a c", told)
    lost = judged_utterance("u2", "a b", "a c", counts=None, judge_error=f"refused{odd}")
    text = _message(judged(row, lost))
    assert "\x1b" not in text
    assert "\r" not in text
    assert text.count(r"\x1b[2J\r\n") == 7
