"""A scored pair's semantic error rate: worked examples, the judge's answers and failures, what cannot be judged."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from pytest_asrgate.errors import ScoringError
from pytest_asrgate.judge.task import Failure, FailureKind, Item, Question, Ruling
from pytest_asrgate.records import (
    Counts,
    Hypothesis,
    Label,
    RowStatus,
    Score,
    SemanticScore,
    Spending,
    Utterance,
)
from pytest_asrgate.scoring import score
from pytest_asrgate.semantic.counting import calculate_wer
from pytest_asrgate.semantic.score import questions_of, score_semantics
from tests.unit.builders import CONTRACT, dataset, hypothesis_set, loaded, utterances

Answer = Callable[[Mapping[str, Any]], "str | tuple[str, ...]"]


@dataclass
class StandIn:
    """A judge that answers by a function of one difference: a label, or the labels of several votes."""

    answer: Answer
    model: str = "stand-in"
    asked: list[Question] = field(default_factory=list)
    failing: Callable[[Question], Failure | None] = lambda _: None
    spending: Spending = field(default_factory=Spending)

    def rule(self, questions: Sequence[Question]) -> list[Ruling | Failure]:
        """Answer each question; each call costs a cent."""
        self.asked += questions
        self.spending += Spending(len(questions), 0, 100 * len(questions), 10, 0.01 * len(questions))
        return [self.failing(question) or self._ruling(question) for question in questions]

    def _ruling(self, question: Question) -> Ruling:
        items, votes = {}, {}
        for row in question.data["differences"]:  # type: ignore[attr-defined]
            said = self.answer(row)
            labels = (said,) if isinstance(said, str) else said
            most = max(sorted(set(labels)), key=labels.count)
            won = most if labels.count(most) * 2 > len(labels) else "unsure"
            items[row["id"]] = Item(won, f"Said of {row['reference']}.")
            votes[row["id"]] = labels
        return Ruling(items, votes)


def scored(*pairs: tuple[str, str], **changes: Any) -> tuple[Score, tuple[Utterance, ...]]:
    """The score of (reference, hypothesis) pairs, with the utterances that it is of."""
    spoken = utterances(*(reference for reference, _ in pairs))
    made = [Hypothesis(row.id, text) for row, (_, text) in zip(spoken, pairs, strict=True)]
    return score(hypothesis_set("q8_0", made), dataset(), loaded(spoken, **changes)), spoken


def judged(pair: tuple[str, str], judge: StandIn | None) -> SemanticScore:
    """One pair of texts, judged."""
    return score_semantics(*scored(pair), judge)


# The document's worked examples, each with what its text says of a difference; all others it calls the same.
# Their N were recomputed: the document's own for the third is one too many.
CHANGING_NAME = (
    "Can you describe the process for changing my legal name on official documents like my driver's license and "
    "social security card after getting married, including necessary forms and offices?"
)
RECIPE = (
    "I would like a recipe for a vegan lentil soup that is both hearty and easy to make on a weeknight, preferably "
    "one that uses only common inexpensive pantry staples."
)
NETWORK = (
    "I'm trying to set up parental controls on my home Wi-Fi network to restrict access to certain websites during "
    "homework hours for my kids. But the router interface is very..."
)
PACKAGE = (
    "The expensive package I ordered was marked as delivered two days ago, but I have not received it and it is "
    "not anywhere on my property. I must initiate an immediate trace."
)
EXAMPLES = [
    (
        CHANGING_NAME,
        "Can you describe the process for changing my legal name on official documents like my driver licenses and "
        "social security card after getting married including necessary forms and office",
        (0, 0, 0),
        29,
    ),
    (
        CHANGING_NAME,
        "Can you describe the process for changing my legal name on official documents like my driver licenses and "
        "social security car after getting married including necessary forms and offices",
        (1, 0, 0),
        29,
    ),
    (
        RECIPE,
        RECIPE.replace("lentil", "landon").replace("weeknight", "week night").replace("staples", "slippers"),
        (2, 0, 0),
        30,
    ),
    (
        NETWORK,
        NETWORK.replace("I'm", "When").replace("Wi-Fi", "wi fire").replace("hours", "was"),
        (3, 1, 0),
        32,
    ),
    (PACKAGE, PACKAGE.replace("trace", "trade"), (1, 0, 0), 32),
    (
        "The national weather service issued a warning for the coastal areas.",
        "The national weather service issued a warning for coastal areas",
        (0, 0, 0),
        11,
    ),
    (
        "She said three hundred dollars was too expensive for concert tickets.",
        "She said 300 dollar was too expensive for the concert ticket",
        (0, 0, 0),
        11,
    ),
    ("I think we should probably go now.", "I think we should we should probably go now", (0, 0, 2), 7),
]


def as_the_document(row: Mapping[str, Any]) -> str:
    """What the document answers of a difference that no rule settles."""
    return "error"


@pytest.mark.parametrize(("reference", "hypothesis", "expected", "words"), EXAMPLES)
def test_worked_examples(reference: str, hypothesis: str, expected: tuple[int, int, int], words: int) -> None:
    """Rules, and a judge that answers as the document does, give the document's S, D and I over the right N."""
    made = judged((reference, hypothesis), StandIn(as_the_document))
    assert made.counts == Counts(*expected, words)
    assert made.counts.rate_pct == calculate_wer(*expected, words)
    assert not made.upper_bound


def test_worked_examples_by_rules_are_upper_bounds() -> None:
    """Without a judge every example costs what the document says."""
    for reference, hypothesis, expected, words in EXAMPLES:
        made = judged((reference, hypothesis), None)
        assert made.counts == Counts(*expected, words)
        assert made.upper_bound
        assert made.judge == "rules"


def test_the_trail_holds_everything() -> None:
    """Normalised texts, alignment, each difference with its label, who decided, why, and the votes."""
    judge = StandIn(lambda _: ("error", "same", "error"))
    made = judged(("Trace the driver's wi-fi card", "trade a driver wifi card"), judge)
    (row,) = made.utterances
    assert (row.id, row.reference, row.hypothesis) == (
        "u1",
        "trace the drivers wi fi card",
        "trade a driver wifi card",
    )
    assert [step.step for step in row.alignment] == ["S", "S", "S", "J", "="]
    told = [(one.number, one.label, one.decided_by, one.votes) for one in row.differences]
    assert told == [
        (1, Label.ERROR, "judge stand-in", ("error", "same", "error")),
        (2, Label.SAME, "rule article", ()),
        (3, Label.SAME, "rule possessive", ()),
        (4, Label.SAME, "rule hyphen", ()),
    ]
    assert row.differences[0].reason == "Said of trace."
    assert row.asked
    assert row.counts == Counts(1, 0, 0, 6)
    assert (made.voted, made.unanimous, made.undecided) == (1, 0, 0)


def test_nobody_is_asked_about_settled_pairs() -> None:
    """Equal texts, texts that rules settle, and silent sides need no call: the judge is not even touched."""
    judge = StandIn(lambda _: pytest.fail("asked"))
    pairs = [("Hello there.", "hello there"), ("the cat", "cat"), ("hi there", ""), ("", "hi"), ("", "")]
    made = score_semantics(*scored(*pairs), judge)
    assert judge.asked == []
    assert [row.asked for row in made.utterances] == [False] * 5
    assert made.counts == Counts(0, 2, 1, 6)
    assert made.spending == Spending()


def test_equal_pairs_are_asked_once() -> None:
    """Utterances with equal texts share one question, and the trail of each has the answer."""
    judge = StandIn(lambda _: "error")
    made = score_semantics(*scored(("a card", "a car"), ("b", "b"), ("a card", "a car")), judge)
    assert len(judge.asked) == 1
    assert [row.counts.errors for row in made.utterances if row.counts] == [1, 0, 1]
    assert len(questions_of(*scored(("a card", "a car"), ("a card", "a car"), ("x y", "x z")))) == 2


def test_spending_is_that_of_this_score() -> None:
    """A judge that was asked before adds only what this pair cost."""
    judge = StandIn(lambda _: "same")
    judged(("a card", "a car"), judge)
    made = score_semantics(*scored(("a b", "a c"), ("d e", "d f")), judge)
    assert (made.spending.calls, made.spending.prompt_tokens) == (2, 200)
    assert made.spending.cost_usd == pytest.approx(0.02)
    unknown = StandIn(lambda _: "same", spending=Spending(1, cost_usd=None))
    assert judged(("a card", "a car"), unknown).spending.cost_usd is None
    assert judged(("a", "a"), unknown).spending == Spending()


def test_what_has_no_majority_counts_as_an_error() -> None:
    """An unsure difference is an error in the counts, and is counted as undecided."""
    made = judged(("a card", "a car"), StandIn(lambda _: ("same", "error", "unsure")))
    (row,) = made.utterances
    assert row.counts == Counts(1, 0, 0, 2)
    assert row.differences[0].label is Label.ERROR
    assert (made.voted, made.unanimous, made.undecided) == (1, 0, 1)
    sure = judged(("a card", "a car"), StandIn(lambda _: ("same", "same", "same")))
    assert (sure.voted, sure.unanimous, sure.undecided, sure.counts.errors) == (1, 1, 0, 0)


def test_a_failed_judge_scores_nothing() -> None:
    """An utterance that the judge failed on has its sentence and no counts; the others keep theirs."""
    lost = Failure(FailureKind.REFUSED, "u1: the model would not answer")
    judge = StandIn(lambda _: "error", failing=lambda question: lost if "cat" in str(question.data) else None)
    made = score_semantics(*scored(("my cat sat", "my cap sat"), ("a card", "a car")), judge)
    first, second = made.utterances
    assert (first.counts, first.judge_error, first.asked) == (None, "u1: the model would not answer", True)
    assert first.differences[0].label is Label.OPEN
    assert made.judge_errors == (first,)
    assert second.counts == made.counts == Counts(1, 0, 0, 2)
    assert made.interval is not None


def test_a_ruling_that_lacks_a_difference_is_a_failure() -> None:
    """A judge that breaks its promise is told of, and its utterance has no counts."""

    class Forgetful(StandIn):
        def rule(self, questions: Sequence[Question]) -> list[Ruling | Failure]:
            return [Ruling({}, {}) for _ in questions]

    (row,) = judged(("a card", "a car"), Forgetful(lambda _: "same")).utterances
    assert (row.counts, row.judge_error) == (None, "the judge's ruling lacks difference 1")


def test_error_rows_stay_uncounted() -> None:
    """A row without a text has no counts, asks nothing, and is no judge error."""
    spoken = utterances("a card", "hello")
    made = [Hypothesis("u1", "", RowStatus.ERROR, detail="crashed"), Hypothesis("u2", "hello")]
    rows = score(hypothesis_set("q8_0", made), dataset(), loaded(spoken))
    semantic = score_semantics(rows, spoken)
    assert semantic.utterances[0].counts is None
    assert not semantic.judge_errors
    assert semantic.counts == Counts(0, 0, 0, 1)


def test_nothing_to_count_has_no_interval() -> None:
    """Where there is no reference word there is neither a rate nor an interval, and no NaN."""
    made = score_semantics(*scored(("", "hello")))
    assert made.interval is None
    assert made.counts == Counts(0, 0, 1, 0)
    assert made.counts.rate_pct is None


def test_speakers_are_kept() -> None:
    """The speakers and their note are those of the score, and the interval is drawn over utterances."""
    pairs = [("my card is lost", "my car is lost" if number < 2 else "my card is lost") for number in range(6)]
    alone = score_semantics(*scored(*pairs))
    known = score_semantics(*scored(*pairs, speakers=("x", "x", "y") * 2))
    assert known.speakers == ("x", "x", "y") * 2
    assert known.speakers_note.startswith("2 speakers")
    assert known.interval == alone.interval
    assert known.interval is not None
    assert known.interval.low < 100 / 12 < known.interval.high


def test_context_and_raw_texts_reach_the_judge() -> None:
    """The question holds the manifest's context and both texts as they were written."""
    rows, spoken = scored(("A card, please?", "a car please"))
    judge = StandIn(lambda _: "same")
    score_semantics(rows, [replace(spoken[0], context="Agent: what is lost?")], judge)
    data = judge.asked[0].data
    assert data["reference"] == "A card, please?"
    assert data["hypothesis"] == "a car please"
    assert data["context"] == "Agent: what is lost?"
    assert data["language"] == "en"


def test_speaker_labels_are_left_out_where_the_recipe_leaves_them_out() -> None:
    """A data set that is dediarized is judged without labels, as it is scored."""
    spoken = utterances("Hello there.")
    made = hypothesis_set("q8_0", [Hypothesis("u1", "Speaker 1: Hello there.")])
    plain = score_semantics(score(made, dataset(), loaded(spoken)), spoken)
    clean = score_semantics(score(made, dataset(dediarize=True), loaded(spoken)), spoken)
    assert plain.counts.errors > 0
    assert clean.counts.errors == 0


def test_other_languages_use_the_texts_of_the_recipe() -> None:
    """In another language only joins are settled, and the rest goes to the judge with its language."""
    spoken = [replace(row, language="de_DE") for row in utterances("Der Hund läuft weg.")]
    made = hypothesis_set("q8_0", [Hypothesis("u1", "die Hund läuftweg")])
    rows = score(made, dataset(language="de"), loaded(spoken, languages=("de",)))
    judge = StandIn(lambda _: "error")
    semantic = score_semantics(rows, spoken, judge)
    told = [(one.reference, one.hypothesis, one.decided_by) for one in semantic.utterances[0].differences]
    assert told == [("der", "die", "judge stand-in"), ("läuft weg", "läuftweg", "rule hyphen")]
    assert semantic.counts == Counts(1, 0, 0, 4)
    assert judge.asked[0].data["language"] == "de"


@pytest.mark.parametrize(("language", "metric"), [("zh", "auto"), ("ja", "wer"), ("en", "cer"), ("th", "cer")])
def test_languages_without_words_are_refused(language: str, metric: str) -> None:
    """Where there are no words to count, one sentence says so, and no rate is made up."""
    spoken = [replace(row, language=language) for row in utterances("x y")]
    made = hypothesis_set("q8_0", [Hypothesis("u1", "x y")])
    rows = score(made, dataset(metric=metric, language=language), loaded(spoken, languages=(language,)))
    with pytest.raises(ScoringError, match="counts words") as caught:
        score_semantics(rows, spoken)
    assert (f"language {language} has" in str(caught.value)) == (language != "en")


def test_texts_that_were_stored_normalised_are_refused() -> None:
    """A score file has no raw texts: the sentence names the variant, the rows and the mend."""
    spoken = utterances("hello", "a b")
    made = [Hypothesis(row.id, "x", normalised_reference=row.reference) for row in spoken]
    contract = {**CONTRACT, "normaliser": "unknown"}
    rows = score(hypothesis_set("q8_0", made, contract), dataset(), loaded(spoken))
    with pytest.raises(ScoringError) as caught:
        score_semantics(rows, spoken)
    assert str(caught.value) == (
        "variant.q8_0: only normalised texts were stored of 'u1', 'u2', and meaning is judged on the raw ones; "
        "replay the file of hypotheses instead of its score file"
    )


def test_other_utterances_are_refused() -> None:
    """Utterances that are not parallel to the rows would be judged against the wrong texts."""
    rows, spoken = scored(("a", "a"), ("b", "b"))
    with pytest.raises(ScoringError, match="one utterance for each scored row"):
        score_semantics(rows, spoken[:1])


def test_the_order_of_utterances_changes_no_count() -> None:
    """Counts are of the texts, whatever came before."""
    pairs = [("my card", "my car"), ("two cats", "2 cats"), ("go now", "go"), ("um yes", "yes")]
    there, back = score_semantics(*scored(*pairs)), score_semantics(*scored(*pairs[::-1]))
    assert there.counts == back.counts
    assert [row.differences for row in there.utterances] == [row.differences for row in back.utterances[::-1]]
