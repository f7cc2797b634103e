# ruff: noqa: RUF001, SIM905 - letters that look like others are what this is about; words in one text
"""Claims about the semantic error rate's normalisation: what says the same reads the same, word by word."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pytest_asrgate.semantic.normalise import SEMANTIC_VERSION, read_plain, read_text
from pytest_asrgate.semantic.words import Text, Word
from tests.unit.properties import STEADY, texts


def _read(raw: str) -> str:
    return read_text(raw).normalised


def _word(raw: str, text: str) -> Word:
    return next(word for word in read_text(raw).words if word.text == text)


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        ("Hello, World!", "hello world"),
        ("“Quoted” – ‘so’ — she said…", "quoted so she said"),
        ("It’s", "it is"),
        ("ÉCOLE café naïve", "ecole cafe naive"),
        ("ﬁne ｗｉｄｅ １２", "fine wide twelve"),
        ("co\u00adoperate zero\u200bwidth", "cooperate zerowidth"),
        ("one😀two", "one two"),
        ("_a_ b_\tc\x00d\r\ne", "a b c d e"),
        ("\ufeffhello", "hello"),
        ("", ""),
        (" \n ", ""),
        ("... ?! — “”", ""),
        ("🙂🙂", ""),
        ("łódź straße", "łodz straße"),
        ("किताब", "किताब"),
    ],
)
def test_case_and_punctuation_are_dropped(raw: str, words: str) -> None:
    """Only words are left, in lower case, whatever quotes, dashes and widths they were written with."""
    assert _read(raw) == words


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        ("I'm", "i am"),
        ("don't", "do not"),
        ("won't", "will not"),
        ("can't cannot", "can not can not"),
        ("shan't", "shall not"),
        ("ain't", "is not"),
        ("wouldn't've", "would not have"),
        ("we're they've you'll", "we are they have you will"),
        ("let's", "let us"),
        (
            "that's what's who's where's there's here's how's",
            "that is what is who is where is there is here is how is",
        ),
        ("he's been", "he has been"),
        ("she's already got it", "she has already got it"),
        ("he's here", "he is here"),
        ("it's. Been there", "it is been there"),
        ("I'd go", "i would go"),
        ("I'd better go", "i had better go"),
        ("you'd never seen", "you had never seen"),
        ("mother'll", "mother will"),
        ("y'all", "you all"),
        ("dont didnt isnt couldnt", "do not did not is not could not"),
        ("im ive youre theyve thats whos", "i am i have you are they have that is who is"),
        ("hes been", "he has been"),
        ("cant wont", "can not will not"),
        ("as was his wont", "as was his wont"),
        ("DON'T", "do not"),
        ("do n't", "do not"),
        ("poison'd", "poisoned"),
    ],
)
def test_contractions_are_written_in_full(raw: str, words: str) -> None:
    """With their apostrophe, and without it where nothing else is meant."""
    assert _read(raw) == words


@pytest.mark.parametrize("raw", ["well were ill its hell shell lets id wed shed", "yours hers", "thing aim"])
def test_words_that_look_like_contractions_stay(raw: str) -> None:
    """What is a word without its apostrophe is that word."""
    assert _read(raw) == raw


def test_what_a_contraction_could_also_be_is_a_variant() -> None:
    """`he's` is `he is` or `he has`, `I'd` is `I would` or `I had`."""
    assert _word("he's done", "is").variants == ("has",)
    assert _word("he's been", "has").variants == ("is",)
    assert _word("I'd go", "would").variants == ("had",)
    assert _word("I'm", "am").variants == ()


@pytest.mark.parametrize(
    ("raw", "text", "piece"),
    [
        ("my driver's license", "drivers", "driver's"),
        ("the drivers' room", "drivers", "drivers'"),
        ("Mary’s", "marys", "Mary’s"),
        ("the U.S.'s", "usa", "U.S.'s"),
        ("the drivers came", "drivers", "drivers"),
    ],
)
def test_a_possessive_stays_one_word(raw: str, text: str, piece: str) -> None:
    """The raw piece keeps its apostrophe, by which a rule can tell it from a plural."""
    assert _word(raw, text).raw == piece
    assert "is" not in _read(raw).split()


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        ("Dr. Smith", "doctor smith"),
        ("dr smith", "doctor smith"),
        ("Mr. and Mrs. Brown", "mister and missus brown"),
        ("Prof. Gray vs. Sgt. Green, Jr.", "professor gray versus sergeant green junior"),
        ("St. Louis", "saint louis"),
        ("5 Elm St.", "five elm street"),
        ("5 Oak Dr.", "five oak drive"),
        ("10 Park Ave., Long Rd. and Ocean Blvd.", "ten park avenue long road and ocean boulevard"),
        ("Ave Maria", "ave maria"),
        ("the Dept. of Labor", "the department of labor"),
        ("e.g. this, i.e. that, etc.", "for example this that is that et cetera"),
        ("etcetera", "et cetera"),
        ("No. 5", "number five"),
        ("No. Five is enough", "no five is enough"),
        ("Jan. 5 and Dec 3", "january five and december three"),
        ("a jan", "a jan"),
        ("Gen. Lee met Gov. Hill", "general lee met governor hill"),
        ("my rep. We met", "my rep we met"),
        ("Apt. 5", "apartment five"),
        ("an apt. reply", "an apt reply"),
        ("They at Acme Co. paid", "they at acme company paid"),
        ("the F.B.I. and FBI", "the fbi and fbi"),
        ("the U.S. U.S.A. US USA", "the usa usa usa usa"),
        ("u s a", "usa"),
        ("the u s a man knows", "the usa a man knows"),
        ("u s a.", "usa"),
        ("tell us", "tell us"),
        ("TELL US NOW", "tell us now"),
        ("the U.K.", "the uk"),
        ("5 a.m.", "five am"),
    ],
)
def test_abbreviations_are_written_in_full(raw: str, words: str) -> None:
    """By their full stop and their neighbours where they could be something else."""
    assert _read(raw) == words


def test_abbreviations_that_stand_for_two_words_have_both() -> None:
    """`St.` is saint or street, `Dr.` doctor or drive, `the us` may be the country."""
    assert _word("St. Louis", "saint").variants == ("street",)
    assert _word("5 Elm St.", "street").variants == ("saint",)
    assert _word("Dr. Smith", "doctor").variants == ("drive",)
    assert _word("5 Oak Dr.", "drive").variants == ("doctor",)
    assert _word("in the us", "us").variants == ("usa",)
    assert _word("ten us dollars", "us").variants == ("usa",)
    assert _word("give us", "us").variants == ()
    assert _word("wait till five", "till").variants == ("until",)


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        ("gonna wanna gotta kinda sorta", "going to want to got to kind of sort of"),
        ("lemme gimme dunno outta", "let me give me do not know out of"),
        ("yeah yep yup yea", "yes yes yes yes"),
        ("nope nah", "no no"),
        ("OK okay O.K. ok", "okay okay okay okay"),
        ("'cause it's cuz", "because it is because"),
        ("the ‘cause’ of it", "the cause of it"),
        ("get 'em", "get them"),
        ("them em dash", "them em dash"),
        ("'til thru", "until through"),
        ("alright all right", "all right all right"),
        ("mm-hmm uh-huh mhm", "yes yes yes"),
        ("uh-uh nuh-uh", "no no"),
        ("uh uh", "uh uh"),
        ("um umm uhm ummm", "um um um um"),
        ("uh uhh uhhh", "uh uh uh"),
        # The ER is a place: the rule for fillers tells which it is.
        ("er the ER", "er the er"),
        ("hm hmm hmmm mmm", "hmm hmm hmm hmm"),
        ("oh ohh ah ahh", "oh oh ah ah"),
        ("e-mail email e mail", "email email email"),
        ("goin' nothin'", "going nothing"),
        ("rock 'n' roll", "rock and roll"),
        ("c'mon", "come on"),
        ("fifty per cent", "fifty percent"),
        ("hummer human moon", "hummer human moon"),
    ],
)
def test_informal_speech_is_written_in_full(raw: str, words: str) -> None:
    """Fillers stay, in one spelling each."""
    assert _read(raw) == words


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        ("salt & pepper", "salt and pepper"),
        ("AT&T", "at and t"),
        ("5 @ 3", "five at three"),
        ("5%", "five percent"),
        ("2 + 2 = 4", "two plus two equals four"),
        ("3 × 4 ÷ 2", "three times four divided by two"),
        ("#1", "number one"),
        ("#blessed", "hashtag blessed"),
        ("a # b", "a b"),
        ("and/or", "and or"),
        ("he/she", "he she"),
        ("C++", "c plus plus"),
        ("=====", "equals"),
        ("john@example.com", "john at example dot com"),
        ("Write to jo.d_x@mail.example.org.", "write to jo dot d underscore x at mail dot example dot org"),
        ("www.example.com", "www dot example dot com"),
        ("https://example.com/help?", "example dot com slash help"),
        ("example.com, then", "example dot com then"),
        ("the end.Come on", "the end come on"),
        ("5.Then", "five then"),
    ],
)
def test_signs_are_words(raw: str, words: str) -> None:
    """Signs and addresses are read as they are spoken."""
    assert _read(raw) == words


@pytest.mark.parametrize(
    ("raw", "compounds"),
    [
        ("a long-term plan", [None, 0, 0, None]),
        ("re-send the Wi‑Fi", [0, 0, None, 1, 1]),
        ("mother-in-law", [0, 0, 0]),
        ("twenty-five", [0, 0]),
        ("mp3", [None, None]),
        ("COVID-19", [0, 0]),
        ("wait - no", [None, None]),
        ("word—word", [None, None]),
        ("5-10", [None, None, None]),
        ("5kg", [None, None]),
        ("pre- and post-war", [None, None, 0, 0]),
        ("and/or", [None, None]),
    ],
)
def test_the_words_of_a_hyphenated_piece_share_a_compound(raw: str, compounds: list[int | None]) -> None:
    """Compounds are counted from 0; dashes, ranges and units make none."""
    assert [word.compound for word in read_text(raw).words] == compounds


@pytest.mark.parametrize(
    ("raw", "names"),
    [
        ("Yesterday Mary met John", ["mary", "john"]),
        ("I think I'm OK", []),
        ("Stop. He left! They won? So", []),
        ("She met Dr. Smith at 5 PM", ["smith"]),
        ("MARY MET JOHN", []),
        ('she said: "Yes" and “Well”', []),
        ("We saw NASA and the U.S.", ["nasa", "usa"]),
        ("mary met john", []),
        ("J. Smith", ["smith"]),
    ],
)
def test_names_are_capitals_within_a_sentence(raw: str, names: list[str]) -> None:
    """Not the first word of a sentence or a quotation, not `I`, and none in a text of capitals."""
    assert [word.text for word in read_text(raw).words if word.name] == names


@pytest.mark.parametrize(
    ("raw", "cut", "ended"),
    [
        ("I think.", False, True),
        ("“Is it?” ", False, True),
        ("(Stop!)", False, True),
        ("I think", False, False),
        ("I think...", True, False),
        ("I think…”", True, False),
        ("I thi-", True, False),
        ("I think —", True, False),
        ("I think,", False, False),
        ("", False, False),
    ],
)
def test_the_end_of_a_text_is_told(raw: str, cut: bool, ended: bool) -> None:
    """Closing quotes, brackets and blanks are looked through."""
    text = read_text(raw)
    assert (text.cut, text.ended) == (cut, ended)


def test_words_say_where_they_were() -> None:
    """Each has its raw piece and its place; words of one piece share both."""
    words = read_text("  Don't send $5.50, Zoë!").words
    assert [(word.text, word.raw, word.start) for word in words] == [
        ("do", "Don't", 2),
        ("not", "Don't", 2),
        ("send", "send", 8),
        ("five", "$5.50", 13),
        ("dollars", "$5.50", 13),
        ("fifty", "$5.50", 13),
        ("cents", "$5.50", 13),
        ("zoe", "Zoë", 20),
    ]


def test_other_languages_are_split_only() -> None:
    """Their own normaliser did the rest; the raw text tells how it ends."""
    assert read_plain("ça va 5", "Ça va, 5…") == Text(
        "Ça va, 5…", (Word("ça", "ça", 0), Word("va", "va", 3), Word("5", "5", 6)), cut=True
    )
    assert read_plain("", "。") == Text("。", (), ended=True)


def test_the_version_is_a_number() -> None:
    """What is stored of normalised texts can be told from that of another version."""
    assert SEMANTIC_VERSION >= 1


PIECES = """
don't I'm he's been driver's Mary’s Dr. St. U.S. US us 5 $5.50 1,250 1995 3.5 -5 1st 5:30 5pm p.m. 50%
1/2 ½ 555-1234 twenty five hundred and one a million oh point half the first second per cent e-mail Wi-Fi
mm-hmm uh uh-uh um gonna yeah ok 'cause 'em colour realised & @ # / + john@example.com www.example.com km
kg o'clock . , — … ? ( ) “ ” ' - é
""".split()


@STEADY
@given(st.one_of(texts(surrogates=True), st.lists(st.sampled_from(PIECES), max_size=12).map(" ".join)))
@example("İ ŉ ﷺ ª ² ½ ① ℡")
@example("\ud800")
@example("'''s 's n't 'n'")
@example("$ £ % ° ¢ # / -")
def test_any_text_is_read(raw: str) -> None:
    """Nothing raises; places grow and lie inside the text; words are words; runs are counted in order."""
    text = read_text(raw)
    starts = [word.start for word in text.words]
    assert starts == sorted(starts)
    for word in text.words:
        assert 0 <= word.start < len(raw)
        assert word.raw
        assert raw.startswith(word.raw, word.start)
        assert word.text.split() == [word.text]
        assert word.text == word.text.lower()
    runs = [word.number.run for word in text.words if word.number is not None]
    assert runs == sorted(runs)
    assert set(runs) == set(range(len(set(runs))))
    assert text.normalised == read_text.__wrapped__(raw).normalised


@STEADY
@given(
    st.lists(
        st.sampled_from([piece for piece in PIECES if piece not in {"km", "kg", "o'clock", "5", "us", "p.m."}]),
        max_size=10,
    ).map(" ".join)
)
def test_reading_twice_is_reading_once(raw: str) -> None:
    """What was normalised stays as it is."""
    once = read_text(raw).normalised
    assert read_text(once).normalised == once


@pytest.mark.parametrize(
    "piece",
    [
        "a", "a.", "a-", "1", "123,", "1.", "1-", "1/", "one hundred and five ", "five five, ", "'", "a'", "x.y@",
        "www.", "$5", "-", " ", "1:00:", "+1 ", "é", "u s ", "five oh ", "one thousand and ", "double five ", "=",
        "😀", "(1)", "mm",
    ],
)  # fmt: skip
def test_long_texts_are_read_in_time(piece: str) -> None:
    """50 kB of anything take a second: were it quadratic, this test would not end."""
    raw = piece * (50_000 // len(piece))
    words = read_text.__wrapped__(raw).words
    assert len(words) <= len(raw) * 4
