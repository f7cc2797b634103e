"""Claims about de-diarizing: what nobody said goes, what somebody said stays."""

import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pytest_asrgate.metrics.dediarize import DEDIARIZE_VERSION, dediarize

# Pieces that the rules look at, so that random texts meet the rules.
_CHARACTERS = "[]<>(){}【］ \n\r:：|/.-a5*"  # noqa: RUF001
_PIECES = st.sampled_from(
    [*_CHARACTERS, "S1", " S2: ", ">> ", "Speaker 1", "spk2:", "00:12", "0.5", "v ", "b and", "unk", "\x1c"]
)
_TEXTS = st.one_of(st.text(max_size=60), st.lists(_PIECES, max_size=20).map("".join))


@pytest.mark.parametrize(
    ("text", "spoken"),
    [
        ("[0.00][S01]Hello there.[2.10][2.10][S02]Hi.[3.00]", "Hello there. Hi."),
        ("[00:01.23 --> 00:04.56] Hello", "Hello"),
        ("[SPEAKER_00]: Hello", "Hello"),
        ("one[laughter]two", "one two"),
        ("well [a [b] c] then", "well then"),
        ("【笑】你好［音楽］", "你好"),  # noqa: RUF001
        ("(00:12) Hello (1:02:03.5)", "Hello"),
        ("(00:12 - 00:15) Hello", "Hello"),
        ("(0.00 --> 1.50) Hello", "Hello"),
        ("(Speaker 1): Hello", "Hello"),
        ("one{noise}two {background noise}", "one two"),
        ("<|0.00|>Hello<|speaker1|>there<|2.00|>", "Hello there"),
        ("one<unk>two <laughter> <b>three</b>", "one two three"),
        ("<v Roger Bingham>We are in New York", "We are in New York"),
        ("<v.loud Mary>Hi", "Hi"),
        ("<00:00:01.000>never <00:00:01.500><c>drink</c>", "never drink"),
        ("so <background noise> yes", "so yes"),
        ("<laughter><background noise> yes", "yes"),
        ("SPEAKER_00: Hello", "Hello"),
        ("Speaker 1: Hello. Speaker 2: Hi!\nspk2: Yes\nS1:No", "Hello. Hi! Yes No"),
        ("Speaker A: Hello", "Hello"),
        ("SPEAKER_00：你好。S1：好", "你好。 好"),  # noqa: RUF001
        ("S1: S2: Hello", "Hello"),
        ("one [x] S2: two", "one two"),
        ("if a < b [then] c > d", "if a < b c > d"),
        ("SPEAKER_1000: Hello", "Hello"),
        ("[", "["),
        ("[]", ""),
    ],
)
def test_what_nobody_said_is_removed(text: str, spoken: str) -> None:
    """Timestamps, labels and annotations go, and the words beside them do not grow together."""
    assert dediarize(text) == spoken


@pytest.mark.parametrize(
    "text",
    [
        "a < b and c > d",
        "a<b and c>d",
        "a <b and c>d",
        "a<b and c> d",
        "a < b> c",
        "a <b > c",
        "x <= 3 and y > 2",
        "1<2>0",
        "I <3 you -> yes",
        "<john@example.com>",
        "he said (laughs) yes",
        "f(x) is (3.5)",
        "{1, 2, 3}",
        "{one two three four}",
        "{a < b}",
        "Chapter 1: The Start",
        "John: Hello",
        "at 10:30 or 10:30:15",
        "ratio 3:2",
        "I say S1: no",
        "S3://bucket",
        "[a [b",
        "a] b)",
        "<unk",
        "unk>",
        "(00:12",
        "<>(){}",
    ],
)
def test_what_may_have_been_said_stays(text: str) -> None:
    """Arithmetic, speech in parentheses, names, clock times and brackets without their fellow are left alone."""
    assert dediarize(text) == text


@pytest.mark.parametrize(
    ("text", "spoken"),
    [
        ("Speaker 1 (00:01): hello", "hello"),
        ("Speaker 1 [00:01]: hello", "hello"),
        ("SPEAKER_00 [0.5 - 1.2]: hello", "hello"),
        ("Yes.\nSpeaker 2 (00:01 - 00:03) : hello", "Yes. hello"),
        ("**Speaker 1:** hi", "hi"),
        ("**Speaker 1**: hi", "hi"),
        ("Yes. *S1:*hi", "Yes. hi"),
        ("**Speaker 1 (00:01):** hi", "hi"),
        ("00:00:01 Speaker 1: hi", "hi"),
        ("00:01.5 --> 00:02.5 Speaker 1: hi", "hi"),
        ("Yes\n00:00:01 **Speaker 1** [x]: hi", "Yes hi"),
        ("[x] 00:00:01 Speaker 1: hi", "hi"),
    ],
)
def test_a_label_goes_with_the_time_and_the_asterisks_about_it(text: str, spoken: str) -> None:
    """A bracket between label and colon, bold print and a time stamp that opens the line do not save a label."""
    assert dediarize(text) == spoken


@pytest.mark.parametrize(
    ("text", "spoken"),
    [
        ("10:30 is the time", "10:30 is the time"),
        ("at 10:30 Speaker 1: hi", "at 10:30 Speaker 1: hi"),
        ("10:30 Speaker 1 spoke", "10:30 Speaker 1 spoke"),
        ("I saw Speaker 1 (00:01): hello", "I saw Speaker 1 hello"),
        ("Speaker 1 (00:01) spoke", "Speaker 1 spoke"),
        ("Speaker 1 (laughs): hello", "Speaker 1 (laughs): hello"),
        ("**Speaker 1: hi**", "**Speaker 1: hi**"),
        ("**Speaker 1:* hi", "**Speaker 1:* hi"),
        ("I say **S1:** no", "I say **S1:** no"),
        ("****S1:**** no", "****S1:**** no"),
        ("a ** b: c", "a ** b: c"),
    ],
)
def test_a_time_an_asterisk_or_a_label_within_speech_stays(text: str, spoken: str) -> None:
    """Without a label that opens and a colon that ends it, only a bracket with a time goes."""
    assert dediarize(text) == spoken


@pytest.mark.parametrize(
    ("text", "spoken"),
    [
        ("S1: yes S2: no S1: maybe", "yes no maybe"),
        ("Speaker 1: Yes, Speaker 2: no", "Yes, no"),
        ("Speaker A: yes Speaker B: no", "yes no"),
        ("**S1:** yes **S2:** no", "yes no"),
        ("SPEAKER_00: yes SPEAKER_01 [0.5]: no", "yes no"),
    ],
)
def test_a_removed_label_tells_the_form_of_those_within_the_line(text: str, spoken: str) -> None:
    """Whoever labels one speaker labels the next, without a new line or the end of a sentence as well."""
    assert dediarize(text) == spoken


@pytest.mark.parametrize(
    ("text", "spoken"),
    [
        ("see section S2: methods", "see section S2: methods"),
        ("see section S2: a. S1: yes S3: no", "see section S2: a. yes no"),
        ("Speaker 1: see section S2: methods", "see section S2: methods"),
        ("S1: (S2: no", "(S2: no"),
        ("S1: the MS2: no", "the MS2: no"),
        ("S1: yes S2:30", "yes S2:30"),
    ],
)
def test_a_label_in_running_text_stays_before_one_of_its_form(text: str, spoken: str) -> None:
    """Without a removed label of the same form before it, or without a blank, it may have been said."""
    assert dediarize(text) == spoken


@pytest.mark.parametrize(
    ("text", "spoken"),
    [
        (">> SPEAKER 1: hi", "hi"),
        (">>SPEAKER 1: hi >> SPEAKER 2: yes", "hi yes"),
        ("Hi. >>> **S1:** yes", "Hi. yes"),
        ("00:12 >> S1: yes", "yes"),
        (">> hi", ">> hi"),
        ("a >> S1: b", "a >> S1: b"),
        ("> S1: b", "> S1: b"),
        ("S1: a <c >> S1: b>", "a <c >> b>"),
    ],
)
def test_the_chevrons_of_captions_go_with_their_label(text: str, spoken: str) -> None:
    """Two or three before a label that goes, unless one of them closes a bracket; alone they stay."""
    assert dediarize(text) == spoken


def test_an_unmatched_bracket_does_not_hide_a_matched_one() -> None:
    """Only the pair goes."""
    assert dediarize("[a [b] c") == "[a c"
    assert dediarize("a < b <unk> c") == "a < b c"
    assert dediarize("(a [b) c] d") == "(a d"
    assert dediarize("[<] hi unk>") == "hi unk>"


@given(_TEXTS)
@example("<a [ > ] b>")
@example("Speaker\n1: a")
@example("S1:<foo bar>")
@example("[a] 00:12 S1: a")
@example("**S1:[a]** S1:")
@example("S1 [a]::**S1:**")
@example("S1: a <c >> S1: b>")
@example("S1: >> >> S1: S2: a")
def test_removing_twice_is_removing_once(text: str) -> None:
    """It never raises, leaves no double or outer blank, and a second pass finds nothing more."""
    once = dediarize(text)
    assert once == " ".join(once.split())
    assert dediarize(once) == once


@given(st.text(alphabet=st.characters(exclude_characters="<>()[]{}＜＞（）｛｝【】［］:：﹕"), max_size=60))  # noqa: RUF001
def test_a_text_without_bracket_and_colon_stays(text: str) -> None:
    """Where there is neither bracket nor colon, only white space is collapsed."""
    assert dediarize(text) == " ".join(text.split())


@given(st.lists(st.from_regex(r"[a-z]{1,8}", fullmatch=True), min_size=1, max_size=8), st.data())
def test_words_around_a_tag_stay(words: list[str], data: st.DataObject) -> None:
    """Whatever tag is put between words, just the words come back."""
    tags = st.sampled_from(
        ["[0.00]", "[S01]", "(00:12)", "{noise}", "<|0.00|>", "<unk>", "<00:00:01.000>", "【a b】"]
    )
    assert dediarize("".join(word + data.draw(tags) for word in words)) == " ".join(words)


@pytest.mark.parametrize(
    "piece",
    [
        "00:12 S1:",
        "S1[]:",
        "[",
        "<",
        "(",
        "{",
        "<[(",
        "<a ",
        "[]",
        "(]",
        "[)",
        "<a[",
        "S1:",
        "S1: ",
        ":",
        "{(<>)}",
        "Speaker 1",
        " \n",
        "**S1:**",
        "*",
        "a S1: ",
        ">> S1: ",
        ">>",
    ],
)
def test_a_hostile_text_takes_linear_time(piece: str) -> None:
    """100,000 characters of brackets are done at once, inside a pair of brackets too."""
    text = (piece * 100_000)[:100_000]
    started = time.perf_counter()
    for hostile in (text, f"[{text}]", f"<{text}>"):
        dediarize(hostile)
    assert time.perf_counter() - started < 5


@pytest.mark.parametrize("pair", ["<>", "()", "{}", "[]"])
def test_deep_nesting_takes_linear_time(pair: str) -> None:
    """50,000 brackets within each other are neither a recursion nor a square."""
    started = time.perf_counter()
    dediarize(pair[0] * 50_000 + "00:12" + pair[1] * 50_000)
    assert time.perf_counter() - started < 5


def test_the_version_is_stamped() -> None:
    """Scores of another version of the rules can be told apart."""
    assert DEDIARIZE_VERSION == 2
