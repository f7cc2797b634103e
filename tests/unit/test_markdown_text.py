"""Claims about strangers' text in markdown: it is shown, and does nothing."""

import re
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from pytest_asrgate.reports.markdown_text import cell, code, fenced, prose, visible

RENDERER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
# What GitHub makes a mention, a reference or a link of outside of code.
ACTIVE = re.compile(r"[@#<>&\\`*~\[\]|_]|www\.|//|:\w+:|[0-9a-f]{7}|\b[A-Z]+-\d", re.IGNORECASE)

HOSTILE = [
    "@octocat and @org/team",
    "see #123, GH-12, owner/repo#1 and JIRA-77",
    "deadbeefcafe1234567890deadbeefcafe12345678",
    "https://example.test www.example.test someone@example.test",
    "<script>alert(1)</script> <!-- --> </details> &copy; &#64;octocat",
    "![x](http://y) [a]: b [^1] **bold** _it_ ~~gone~~ :tada: $x$",
    "a | b \\| c \\",
    "``` `` ` ```` ``",
    "one\ntwo\r\nthree\u2028four\x1b[31m",
    "\u202egnp.exe\u2066",
    "  spaces  ",
    "`",
    " ",
]
ANY = st.text(st.characters(exclude_categories=["Cs"]), max_size=60) | st.text("`|\\ @#a<>-:*_\n", max_size=30)


def _inline(markdown: str) -> list[Token]:
    """What a paragraph that begins with a word is made of."""
    tokens = RENDERER.parse(f"It says {markdown}")
    assert [token.type for token in tokens] == ["paragraph_open", "inline", "paragraph_close"]
    return tokens[1].children or []


def _is_shown(text: str, markdown: str) -> None:
    """The text stands there in words and code, and nothing outside of code is more than a word."""
    found = _inline(markdown)
    assert {token.type for token in found} <= {"text", "code_inline"}
    plain_words = " ".join(token.content for token in found if token.type == "text")
    assert ACTIVE.search(plain_words) is None, plain_words
    shown = "".join(token.content for token in found)
    # Rows of blanks are shown as one by whoever renders it.
    assert shown.split() == ["It", "says", *visible(text, 500).split()]


@given(ANY)
@example("a www.b")
@example("1. a")
@example("x_ _y_")
@example("`a` `b`")
def test_prose_is_shown_and_does_nothing(text: str) -> None:
    """Any text in a sentence renders as words and code that read as the text does."""
    _is_shown(text, prose(text))


@pytest.mark.parametrize("text", HOSTILE)
def test_what_is_known_to_act_is_shown(text: str) -> None:
    """Mentions, references, links, markup, fences and control characters are text, in sentences and as names."""
    _is_shown(text, prose(text))
    assert [token.type for token in _inline(code(text))] == ["text", "code_inline"]


@given(ANY.filter(bool))
def test_a_name_is_shown_whole(text: str) -> None:
    """A name as code renders as one piece of code with that very text, however many backticks it has."""
    found = _inline(code(text))
    assert [token.type for token in found] == ["text", "code_inline"]
    assert found[1].content == visible(text, 200)


@given(ANY.filter(bool), ANY.filter(bool))
def test_a_cell_is_one_cell(name: str, detail: str) -> None:
    """Whatever two cells hold, the row has two cells, and bars stay in them."""
    rows = f"| a | b |\n| --- | --- |\n| {cell(code(name))} | {cell('x ' + prose(detail))} |"
    cells = [token for token in RENDERER.parse(rows) if token.type == "inline"][2:]
    assert len(cells) == 2
    [shown] = cells[0].children or []
    assert (shown.type, shown.content) == ("code_inline", visible(name, 200))
    assert {token.type for token in cells[1].children or []} <= {"text", "code_inline"}


@given(st.lists(ANY, min_size=1, max_size=4))
@example(["```", "````"])
@example(["~~~"])
def test_a_fence_stays_closed_until_its_end(lines: list[str]) -> None:
    """A block of code holds exactly its lines, whatever fences they hold."""
    shown = [f"+ {visible(line, 100)}" for line in lines]
    tokens = RENDERER.parse("\n".join(["before", "", *fenced(shown, "diff"), "", "after"]))
    blocks = [token for token in tokens if token.type == "fence"]
    assert [(block.info, block.content.splitlines()) for block in blocks] == [("diff", shown)]
    assert tokens[-2].content == "after"


@given(ANY)
def test_nothing_moves_the_cursor(text: str) -> None:
    """Control and format characters are escapes, but for the two that join letters."""
    kept = visible(text, 100).replace("\u200c", "").replace("\u200d", "")
    assert not {unicodedata.category(sign) for sign in kept} & {"Cc", "Cf", "Cs", "Zl", "Zp"}


def test_words_that_join_letters_are_whole() -> None:
    """Zero-width joiners, which Indic scripts and Persian need, stay; marks of direction do not."""
    joined = "क्\u200dष\u200c"
    assert visible(joined, 100) == joined
    assert visible("\u202ea", 100) == "\\u202ea"


def test_long_text_is_cut() -> None:
    """A transcript of an hour is not quoted in a sentence, nor is an endless name."""
    assert len(prose("word " * 1000)) < 520
    assert code("n" * 1000) == f"`{'n' * 200}…`"


def test_a_plain_sentence_stays_plain() -> None:
    """A sentence of ours is no row of code: figures, percent, brackets and quotes do nothing."""
    sentence = "lower one-sided 95% bound +3.28 pp is above the margin; 414 substitutions, and -0.5 (10 %)"
    assert prose(sentence) == sentence
