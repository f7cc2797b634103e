"""Claims about a page of thousands of changed utterances: only what is in view is there."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pytest_asrgate.reports.page import write_page

from .conftest import Page
from .made_reports import many, report

Opened = Callable[..., Page]
MANY = 5_000

ROWS = "return document.querySelectorAll('#list .row').length"
IN_VIEW = """
const seen = [...document.querySelectorAll('#list .row')].filter(row => {
  const box = row.getBoundingClientRect();
  return box.bottom > 0 && box.top < innerHeight;
});
return seen.map(row => row.getAttribute('aria-posinset')).map(Number).sort((a, b) => a - b);
"""
# Two frames: one that draws, one that shows it.
SCROLLED = """
const [to, done] = arguments;
scrollTo(0, to);
requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(() => done())));
"""


@pytest.fixture(scope="module", name="page")
def fixture_page(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Page:
    """A page of five thousand changed utterances."""
    folder = tmp_path_factory.mktemp("many")
    path = folder / "page.html"
    write_page(path, report(folder, {"calls": ("en", many(MANY))}), folder=folder, audio="none")
    return Page(browser, path)


def _scroll(page: Page, to: int) -> None:
    page.driver.execute_async_script(SCROLLED, to)


def test_only_what_is_in_view_is_in_the_document(page: Page) -> None:
    """Of all rows no more than some dozens are elements, wherever one scrolls to."""
    assert page.texts("#said")[0].startswith(f"{MANY:,} utterances shown")
    for share in (0.0, 0.3, 0.999):
        _scroll(page, int(page("return document.documentElement.scrollHeight") * share))
        assert 0 < page(ROWS) < 60


def test_scrolling_leaves_no_gap(page: Page) -> None:
    """Wherever one stops within the list, the rows in view follow one another and fill the window."""
    top = page("return document.querySelector('#list').getBoundingClientRect().top + scrollY")
    height = page("return document.querySelector('#list').offsetHeight")
    for share in (0.01, 0.25, 0.5, 0.75, 0.98):
        _scroll(page, int(top + height * share))
        seen = page(IN_VIEW)
        assert seen == list(range(seen[0], seen[0] + len(seen)))
        assert seen[0] == pytest.approx(MANY * share, abs=20)
        assert len(seen) >= page("return innerHeight") / 130


def test_the_last_row_is_the_last_utterance(page: Page) -> None:
    """The end of the list is reached, and nothing is left out after it."""
    page("document.querySelector('#list button.open').focus()")
    page.driver.switch_to.active_element.send_keys("\ue010")
    assert page("return Number(document.activeElement.closest('.row').getAttribute('aria-posinset'))") == MANY
    assert page(ROWS) < 60


def test_an_opened_row_moves_those_below_it(page: Page) -> None:
    """What is opened takes its room, rows below start where it ends, and closing it gives the room back."""
    first, second = (f"document.querySelector('#list [aria-posinset=\"{place}\"]')" for place in (1, 2))
    page("document.activeElement.blur(); document.querySelector('#list').scrollIntoView()")
    page.wait(f"{first} && {second}")
    before = page("return document.querySelector('#list').offsetHeight")
    gap = f"({second}.getBoundingClientRect().top - {first}.getBoundingClientRect().bottom)"
    page(f"{first}.querySelector('button.open').click()")
    opened = f"{first}.offsetHeight > 200 && Math.abs({gap}) < 1"
    assert page.wait(opened, "document.querySelector('#list').offsetHeight") > before + 100
    page(f"{first}.querySelector('button.open').click()")
    assert page.wait(f"Math.abs({gap}) < 1", "document.querySelector('#list').offsetHeight") == before


def test_a_search_looks_through_all_of_them(page: Page) -> None:
    """An utterance far below the window is found by its id."""
    page.search("made-04321")
    found = "document.querySelector('#list .row .id').textContent"
    assert page.wait("document.querySelectorAll('#list .row').length === 1", found) == "made-04321"
    page.search("")


def test_a_sound_is_heard(open_page: Opened, tmp_path: Path) -> None:
    """An embedded sound plays from the page alone, a linked one from the file beside it."""
    for audio in ("embed", "link"):
        page = open_page(report(tmp_path, sounds=True), audio=audio)
        played = page.driver.execute_async_script(
            "const done = arguments[0]; const button = document.querySelector('#list button.play');"
            "sounding.audio.addEventListener('ended', () => done(sounding.audio.duration));"
            "sounding.audio.addEventListener('error', () => done('error ' + sounding.audio.error.message));"
            "button.click();"
        )
        assert played == pytest.approx(0.4, abs=0.15), audio
        assert page.problems() == []


def test_a_sound_that_is_gone_says_so(open_page: Opened, tmp_path: Path) -> None:
    """A linked file that was removed gives a sentence, not silence."""
    page = open_page(report(tmp_path, sounds=True), audio="link")
    for sound in (tmp_path / "sounds").rglob("*.wav"):
        sound.unlink()
    page.click("#list button.play")
    said = "document.querySelector('#said').textContent"
    assert "cannot be played" in page.wait(f"{said}.includes('played')", said)
