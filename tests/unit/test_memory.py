"""Claims about what is remembered of texts: a memory saves work and never changes a result."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

from pytest_asrgate.errors import ScoringError, StoreError
from pytest_asrgate.metrics import findings as findings_module
from pytest_asrgate.metrics import memory as memory_module
from pytest_asrgate.metrics import normalise
from pytest_asrgate.metrics.findings import ComparedTexts, Finding, findings
from pytest_asrgate.metrics.memory import ForgivingMemory
from pytest_asrgate.metrics.normalised import NormalisedTexts
from pytest_asrgate.metrics.rule import ScoringRule, scoring_rule
from pytest_asrgate.records import Hypothesis, RowStatus, Utterance
from pytest_asrgate.reports.entries import pair_entry
from pytest_asrgate.scoring import score_set
from pytest_asrgate.store import Store
from pytest_asrgate.verdict import decide

from .builders import hypothesis_set, pair

# Language, reference, hypothesis: all that a row can show, and texts that several rows share.
ROWS = [
    ("en", "Mr. Smith paid $20.", "mister smith paid twenty dollars"),
    ("en", "Mr. Smith paid $20.", "Mr. Smith paid $20."),
    ("en", "he said no", "he said no no no no no no no no no no no no"),
    ("en", "Uh.", "thank you for watching"),
    ("en", "the colour of it", ""),
    ("en", "please bring the big box to the second door", "bitte bring die große Kiste an die zweite Tür"),
    ("hi", "वह किताब पढ़ रही थी", "वह किताब पढ़ रहा था"),
    ("hi", "वह किताब पढ़ रही थी", "vah kitab padh rahi thi"),
    ("tr", "Işık ve ışık", "ışık ve Işık"),  # noqa: RUF001 - the very letter
    ("fa", "كتاب", "کتاب"),
    ("en", "one two", "9" * 4400 + " million"),
]
STATUSES = {4: RowStatus.TRUNCATED, 2: RowStatus.REPETITION}


class Counting:
    """A memory that counts what it was asked for and did not have."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.missed = 0

    def find_texts(self, function: str, texts: Iterable[str], version: str = "") -> Mapping[str, str]:
        """As the store's."""
        asked = list(texts)
        found = self._store.find_texts(function, asked, version)
        self.missed += len(asked) - len(found)
        return found

    def keep_texts(self, function: str, results: Mapping[str, str], version: str = "") -> None:
        """As the store's."""
        self._store.keep_texts(function, results, version)


def _entry(texts: NormalisedTexts | None, metric: str = "wer", *, dediarize: bool = False) -> str:
    """The whole JSON entry of a pair over ROWS, an error row among them."""
    spoken = [
        Utterance(f"u{number}", Path(f"{number}.wav"), reference, language, tags=("one",))
        for number, (language, reference, _) in enumerate(ROWS)
    ]
    heard = [
        Hypothesis(f"u{number}", text, STATUSES.get(number, RowStatus.OK), latency_ms=1.0)
        for number, (_, _, text) in enumerate(ROWS)
    ]
    heard[5] = Hypothesis("u5", "", RowStatus.ERROR, detail="crashed")
    rule = scoring_rule(("en", "hi", "tr", "fa"), "auto", metric, dediarize=dediarize)
    score = score_set(hypothesis_set("q8_0", heard), spoken, rule, texts=texts)
    return json.dumps(pair_entry(decide(pair(), score, None), with_utterances=True))


@pytest.mark.parametrize("metric", ["wer", "cer"])
@pytest.mark.parametrize("dediarize", [False, True])
def test_a_memory_changes_no_byte(tmp_path: Path, metric: str, *, dediarize: bool) -> None:
    """Scored without a memory, with an empty one, with a full one, and with that of other rules: the same JSON."""
    plain = _entry(None, metric, dediarize=dediarize)
    with Store(tmp_path / "store.sqlite") as store:
        memory = Counting(store)
        for other in ("wer", "cer"):
            assert _entry(NormalisedTexts(lambda: memory), other) == _entry(None, other)
        first = _entry(NormalisedTexts(lambda: memory), metric, dediarize=dediarize)
        memory.missed = 0
        second = _entry(NormalisedTexts(lambda: memory), metric, dediarize=dediarize)
    assert plain == first == second
    # What cannot be normalised is not remembered, and everything else is.
    assert memory.missed == 1


def test_references_stay_at_hand(tmp_path: Path) -> None:
    """A second variant needs no reference again, neither from the normaliser nor from the memory."""
    rule = scoring_rule(["en"])
    asked = [("Mr. Smith", "en"), ("Mrs. Smith", "en")]
    with Store(tmp_path / "store.sqlite") as store:
        texts = NormalisedTexts(lambda: store)
        assert texts.references(rule, asked) == ["mister smith", "missus smith"]
        texts._memory = ForgivingMemory(_no_memory)
        assert texts.references(rule, asked) == ["mister smith", "missus smith"]
        assert texts.hypotheses(rule, asked[:1]) == ["mister smith"]
        with pytest.raises(AssertionError):
            texts.hypotheses(rule, [("Dr. Smith", "en")])


def _no_memory() -> Store:
    raise AssertionError("asked for the memory")


def test_each_text_is_normalised_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Equal texts of one call are normalised together, and each result stands in its place."""
    seen: list[str] = []

    def upper(text: str) -> str:
        seen.append(text)
        if text == "bad":
            raise ValueError("no")
        return text.upper()

    rule = ScoringRule("wer", {"en": normalise.Normaliser("upper", "1", upper)})
    found = NormalisedTexts().hypotheses(rule, [("a", "en"), ("bad", "en"), ("a", "en"), ("a", "de"), ("b", "en")])
    assert seen == ["a", "bad", "b"]
    assert [found[0], found[2], found[4]] == ["A", "A", "B"]
    assert isinstance(found[1], ScoringError)
    assert "upper" in str(found[1])
    assert isinstance(found[3], ScoringError)
    assert "'de'" in str(found[3])


def test_an_unread_text_is_not_remembered(tmp_path: Path) -> None:
    """An error is found again by whoever asks again."""
    with Store(tmp_path / "store.sqlite") as store:
        for _ in range(2):
            (found,) = NormalisedTexts(lambda: store).hypotheses(scoring_rule(["en"]), [("1" * 5000, "en")])
            assert isinstance(found, ScoringError)


def test_another_version_finds_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A normaliser of another version, name, language or code has other results."""
    with Store(tmp_path / "store.sqlite") as store:

        def normalised(*, version: str = "1", name: str = "made", letters: str = "", result: str = "old") -> object:
            normaliser = normalise.Normaliser(name, version, lambda _: result, letters)
            texts = NormalisedTexts(lambda: store)
            return texts.hypotheses(ScoringRule("wer", {"en": normaliser}), [("text", "en")])[0]

        assert normalised() == "old"
        assert normalised(result="new") == "old"
        assert normalised(result="new", version="2") == "new"
        assert normalised(result="new", name="other") == "new"
        assert normalised(result="new", letters="tr") == "new"
        monkeypatch.setattr(normalise, "code_digest", lambda: "edited")
        assert normalised(result="newest") == "newest"


def test_languages_with_letters_of_their_own_share_no_result(tmp_path: Path) -> None:
    """One name and version, and yet a Turkish I is another letter than a German one."""
    with Store(tmp_path / "store.sqlite") as store:
        rule = scoring_rule(["de", "tr"])
        assert rule.normalisers["de"].version == rule.normalisers["tr"].version
        for _ in range(2):
            found = NormalisedTexts(lambda: store).hypotheses(rule, [("I", "de"), ("I", "tr")])
            assert found == ["i", "ı"]  # noqa: RUF001 - the very letter


COMPARED = ComparedTexts("en", ("A b.", "A c."), ("a b", "a c"))


def test_findings_are_remembered_under_their_rule(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A forged finding shows what is taken from the memory: the same texts under the same rule and code alone."""
    wer, cer = scoring_rule(["en"]), scoring_rule(["en"], metric="cer")
    apart = ComparedTexts("en", ("A b.A", " c."), ("a b a", "c"))
    with Store(tmp_path / "store.sqlite") as store:
        (right,) = findings(wer, [COMPARED], store)
        assert right.steps == "=S"
        forged = json.dumps(["===", ["digits"], True, True])
        store.keep_texts(findings_module._function(wer, "en"), {findings_module._key(COMPARED): forged})
        (found,) = findings(wer, [COMPARED], store)
        assert (found.steps, found.masked, found.loop, found.drift) == ("===", ("digits",), True, True)
        assert findings(cer, [COMPARED], store) == findings(cer, [COMPARED])
        assert findings(wer, [apart], store) == findings(wer, [apart])
        # Made elsewhere from texts that nobody has kept.
        given = ComparedTexts("en", COMPARED.raw, COMPARED.normalised, is_raw=False)
        assert findings(wer, [given], store)[0].steps == "=S"
        monkeypatch.setattr(findings_module, "code_digest", lambda: "edited")
        assert findings(wer, [COMPARED], store) == [right]


LABELLED = ("[SPEAKER_00] Hello there.", "Hello there.")
GERMAN, FRENCH = "bitte bring die große Kiste an die zweite Tür", "apportez la grande boîte à la deuxième porte"
# Language, reference, hypothesis: the same texts in several languages, most of which have one normaliser.
SHARED = [
    (language, *texts)
    for language in ("de", "fr", "es", "tr", "en", "hi")
    for texts in (LABELLED, (GERMAN, FRENCH), (FRENCH, GERMAN), ("Speaker 1: one two", "Speaker 2: one two"))
]
RULES = [
    scoring_rule(("de", "fr", "es", "tr", "en", "hi"), normaliser, metric, dediarize=dediarize)
    for normaliser in ("auto", "none")
    for metric in ("wer", "cer")
    for dediarize in (False, True)
]


def _shared_findings(rule: ScoringRule, store: Store | None) -> list[Finding]:
    """Of SHARED, asked for language by language, and then of all at once."""
    rows = [
        ComparedTexts(language, (said, heard), (rule.apply(said, language), rule.apply(heard, language)))
        for language, said, heard in SHARED
    ]
    return [found for row in rows for found in findings(rule, [row], store)] + findings(rule, rows, store)


@pytest.mark.parametrize("order", [1, -1])
def test_one_store_serves_all_rules_and_languages(tmp_path: Path, order: int) -> None:
    """Rules with and without dediarize, of two metrics and normalisers, over six languages, share no finding."""
    plain = [_shared_findings(rule, None) for rule in RULES]
    with Store(tmp_path / "store.sqlite") as store:
        for _ in range(2):
            for rule, expected in [*zip(RULES, plain, strict=True)][::order]:
                assert _shared_findings(rule, store) == expected
    # Otherwise sharing would not show: dediarize changes what is hidden, a language what is drift.
    by_row = dict(zip(SHARED, plain[0], strict=False))
    labelled = plain[0][0], plain[1][0]
    assert [finding.masked == () for finding in labelled] == [False, True]
    assert by_row["de", GERMAN, FRENCH].drift
    assert not by_row["fr", GERMAN, FRENCH].drift


def test_one_store_serves_texts_with_and_without_speakers(tmp_path: Path) -> None:
    """Scored in turn with one store, with dediarize and without, labels in several languages: the same JSON."""
    spoken = [
        Utterance(f"u{number}", Path(f"{number}.wav"), said, language)
        for number, (language, said, _) in enumerate(SHARED)
    ]
    heard = hypothesis_set("q8_0", [Hypothesis(f"u{n}", text) for n, (_, _, text) in enumerate(SHARED)])
    with Store(tmp_path / "store.sqlite") as store:
        for rule in [*RULES, *RULES[::-1]]:
            texts = NormalisedTexts(lambda: store)
            assert score_set(heard, spoken, rule, texts=texts) == score_set(heard, spoken, rule)


@pytest.mark.parametrize("text", ["", "no JSON", "[]", '["=S", [], false]', "7", '["=S", 7, false, false]'])
def test_a_damaged_finding_is_found_anew(tmp_path: Path, text: str) -> None:
    """What is no finding is not taken for one."""
    rule = scoring_rule(["en"])
    with Store(tmp_path / "store.sqlite") as store:
        store.keep_texts(findings_module._function(rule, "en"), {findings_module._key(COMPARED): text})
        assert findings(rule, [COMPARED], store) == findings(rule, [COMPARED])


class Failing:
    """A memory that fails at one of its steps, and counts how often it was called."""

    def __init__(self, error: Exception, step: str) -> None:
        self._error, self._step, self.calls = error, step, 0

    def _called(self, step: str) -> None:
        self.calls += 1
        if step == self._step:
            raise self._error

    def opened(self) -> "Failing":
        """What a session asks for when it first needs a memory."""
        if self._step == "opened":
            self._called("opened")
        return self

    def find_texts(self, function: str, texts: Iterable[str], version: str = "") -> Mapping[str, str]:
        """Nothing, or the error."""
        self._called("find_texts")
        return {}

    def keep_texts(self, function: str, results: Mapping[str, str], version: str = "") -> None:
        """Nothing, or the error."""
        self._called("keep_texts")


@pytest.mark.parametrize("error", [StoreError("store.sqlite: cannot be used (disk is full)"), OSError("no disk")])
@pytest.mark.parametrize("step", ["opened", "find_texts", "keep_texts"])
def test_a_memory_that_fails_is_left_alone(error: Exception, step: str) -> None:
    """Whatever step fails, the results are those without a memory, and it is not asked again."""
    failing = Failing(error, step)
    texts = NormalisedTexts(failing.opened)
    assert _entry(texts) == _entry(None)
    asked = failing.calls
    assert _entry(texts) == _entry(None)
    assert asked == failing.calls == (2 if step == "keep_texts" else 1)


def test_a_full_disk_changes_no_byte(tmp_path: Path) -> None:
    """A store that finds what it has and has no room for more: the same JSON as without one."""
    with Store(tmp_path / "store.sqlite") as store:
        (pages,) = store._connection.execute("PRAGMA page_count").fetchone()
        store._connection.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(StoreError, match="make room"):
            store.keep_texts("function", {str(number): "text" * 50 for number in range(1000)})
        assert _entry(NormalisedTexts(lambda: store)) == _entry(None)


def test_another_fault_of_a_memory_is_seen() -> None:
    """Only what a store or a disk refuses is passed over; a fault of the code is none of them."""
    with pytest.raises(KeyError):
        _entry(NormalisedTexts(Failing(KeyError("fault"), "find_texts").opened))


def test_upgrades_leave_no_heap_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After twenty versions of the code the store holds what three of them remember, and each found its own."""
    counts = []
    with Store(tmp_path / "store.sqlite") as store:
        for number in range(20):
            for module in (memory_module, normalise, findings_module):
                monkeypatch.setattr(module, "code_digest", lambda number=number: f"code {number}")
            memory = Counting(store)
            for _ in range(2):
                memory.missed = 0
                _entry(NormalisedTexts(lambda: memory))  # noqa: B023 - called at once
            assert memory.missed == 1
            counts.append(store._connection.execute("SELECT count(*) FROM texts").fetchone()[0])
    assert counts[0] > 10
    assert counts[1:3] == [2 * counts[0], 3 * counts[0]]
    assert set(counts[3:]) == {3 * counts[0]}
