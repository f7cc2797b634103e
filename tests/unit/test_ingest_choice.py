"""Claims about which utterances are kept: nothing without speech or sound is taken or left in silence."""

from pathlib import Path

import pytest

from pytest_asrgate.corpora.corpus import Corpus, Orphan
from pytest_asrgate.errors import DatasetError
from pytest_asrgate.ingest.choice import Policies, Speech, choose, speech_in

from .ingests import clip


@pytest.mark.parametrize("text", ["", "  ", "...", "?!", "-", "[ ]", "[@]", "\u0902", "♪"])
def test_no_letter_and_no_digit_is_empty(text: str) -> None:
    """Marks alone are no transcript."""
    assert speech_in(text) is Speech.EMPTY


@pytest.mark.parametrize(
    "text",
    [
        "[this is a simple beep tone]",
        "<beep ascending>",
        "(10 seconds of silence)",
        "{laughter}",
        "<unk>",
        "<NOISE> [noise].",
        "[a (nested) note]",
        "[a [doubly] nested]",
        "SIL",
        "!SIL SPN",
        "NSN",
        " sil ",
        "ignore_time_segment_in_scoring",
        "IGNORE_TIME_SEGMENT_IN_SCORING",
        "++breath++",
    ],
)
def test_annotations_alone_are_no_speech(text: str) -> None:
    """Nothing is said where only what is heard stands there."""
    assert speech_in(text) is Speech.NONE


@pytest.mark.parametrize(
    "text",
    [
        "(hello) there",
        "at [@]",
        "SILver",
        "a SIL",
        "sil music",
        "yes [noise]",
        "7",
        "[unclosed note",
        "नमस्ते",
        "a < b > c",
    ],
)
def test_a_word_beside_an_annotation_is_speech(text: str) -> None:
    """Only what is in brackets is left out of account."""
    assert speech_in(text) is Speech.SPOKEN


SEVEN = ("b", "a", "c", "d", "e", "f", "g")
CORPUS = Corpus(
    (
        clip("spoken"),
        *(clip(name, text="") for name in SEVEN),
        clip("beep", text="[beep]"),
        clip("music", text="<music>"),
    ),
    (
        Orphan("no-sound", "text:4", has_sound=False),
        Orphan("x/lone.wav", "x/lone.wav", has_sound=True),
        Orphan("x/also.wav", "x/also.wav", has_sound=True),
    ),
)


def test_what_nobody_decided_is_refused_with_count_names_and_option() -> None:
    """One sentence has every open question."""
    with pytest.raises(DatasetError) as caught:
        choose(CORPUS, Policies())
    assert str(caught.value).split("; ") == [
        "7 utterances have an empty transcript ('a', 'b', 'c', 'd', 'e' and 2 more): say --empty keep or "
        "--empty drop",
        "2 utterances have a transcript of no speech ('beep', 'music'): say --non-speech keep or --non-speech drop",
        "1 transcript without sound ('no-sound', at text:4): mend the corpus or say --unpaired skip",
        "2 sounds without transcript ('x/also.wav', 'x/lone.wav', the first at x/also.wav): mend the corpus or say "
        "--unpaired skip",
    ]


@pytest.mark.parametrize("empty", ["keep", "drop"])
@pytest.mark.parametrize("non_speech", ["keep", "drop"])
def test_policies_keep_or_drop_and_count_both(empty: str, non_speech: str) -> None:
    """What is dropped is counted as what is kept is, and orphans that are skipped too."""
    choice = choose(CORPUS, Policies(empty, non_speech, "skip"))
    kept = {"spoken"}
    kept |= set(SEVEN) if empty == "keep" else set()
    kept |= {"beep", "music"} if non_speech == "keep" else set()
    assert [each.id for each in choice.clips] == sorted(kept)
    assert choice.empty == ("a", "b", "c", "d", "e", "f", "g")
    assert choice.non_speech == ("beep", "music")
    assert choice.without_sound == ("no-sound",)
    assert choice.without_transcript == ("x/also.wav", "x/lone.wav")


def test_nothing_left_is_refused() -> None:
    """An empty manifest is no manifest."""
    with pytest.raises(DatasetError, match="no utterance is left"):
        choose(Corpus((clip("a", Path("a.wav"), ""),)), Policies(empty="drop"))


def test_a_sound_corpus_needs_no_option() -> None:
    """Where every transcript is speech with a sound, nothing has to be said."""
    assert [each.id for each in choose(Corpus((clip("b"), clip("a"))), Policies()).clips] == ["a", "b"]
