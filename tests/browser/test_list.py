"""Claims about walking through the list of utterances: nothing jumps away, and what is focused or plays says so."""

from collections.abc import Callable
from pathlib import Path

import pytest

from .conftest import Page
from .made_reports import many, report

Opened = Callable[..., Page]

TOP = "return document.querySelector('#list [aria-posinset=\"%d\"]').getBoundingClientRect().top"
FOCUSED = "return document.activeElement.getBoundingClientRect().top"


@pytest.fixture(name="walked")
def fixture_walked(open_page: Opened, tmp_path: Path) -> Page:
    """A page of forty changed utterances, scrolled to its list."""
    page = open_page(report(tmp_path, {"calls": ("en", many(40))}))
    page("document.querySelector('#list').scrollIntoView()")
    page.wait("document.querySelector('#list [aria-posinset=\"4\"]')")
    return page


def _open(page: Page, place: int) -> None:
    page(f"document.querySelector('#list [aria-posinset=\"{place}\"] button.open').click()")


def test_what_is_clicked_stays_where_it_is(walked: Page) -> None:
    """A row that is opened below an open one does not jump up by what closes above it."""
    _open(walked, 1)
    walked("document.querySelector('#list [aria-posinset=\"3\"]').scrollIntoView({block: 'center'})")
    before = walked(TOP % 3)
    _open(walked, 3)
    assert walked(TOP % 3) == pytest.approx(before, abs=2)


def test_closing_brings_the_head_back(walked: Page) -> None:
    """Who has read a row to its end and closes it sees that row again, not what happens to be there now."""
    _open(walked, 2)
    walked(f"scrollBy(0, {walked(TOP % 2)} + 300)")
    _open(walked, 2)
    assert 0 <= walked(TOP % 2) < 200


def test_the_focus_is_always_in_view(walked: Page) -> None:
    """Arrow keys past a row that is taller than the window leave the focus where it can be seen."""
    from selenium.webdriver.common.keys import Keys

    _open(walked, 3)
    walked("document.querySelector('#list [aria-posinset=\"3\"] button.open').focus()")
    for key in (Keys.ARROW_DOWN, Keys.ARROW_UP, Keys.ARROW_UP, Keys.ARROW_DOWN):
        walked.driver.switch_to.active_element.send_keys(key)
        assert 0 <= walked(FOCUSED) < walked("return innerHeight")


def test_a_row_that_comes_back_says_that_it_plays(open_page: Opened, tmp_path: Path) -> None:
    """The button of a sound that plays stops it, also when its row was made anew meanwhile."""
    page = open_page(report(tmp_path, sounds=True), audio="embed")
    page("sounding.audio.loop = true; document.querySelector('#list button.play').click()")
    page.wait("!sounding.audio.paused")
    page("document.querySelector('#list button.open').click()")
    label = "document.querySelector('#list button.play').getAttribute('aria-label')"
    assert page(f"return {label}").startswith("Stop ")
    page("document.querySelector('#list button.play').click()")
    page.wait("sounding.audio.paused")
    assert page(f"return {label}").startswith("Play ")


def test_an_address_leads_to_its_row_whatever_is_chosen(open_page: Opened) -> None:
    """A search or a filter that hides the row gives way, and an address of nothing is told."""
    page = open_page()
    page.search("zzzz")
    page.wait("document.querySelectorAll('#list .row').length === 0")
    page("location.hash = '#row=q4_0/english/worse'")
    found = "document.querySelector('.row.opened .id').textContent"
    assert page.wait("document.querySelector('.row.opened')", found) == "worse"
    page("location.hash = '#row=q4_0/english/nobody'")
    said = "document.querySelector('#said').textContent"
    assert page.wait(f"{said}.includes('nobody')", said).startswith("There is no such utterance")


def test_the_address_is_that_of_the_open_row(open_page: Opened) -> None:
    """Opening a row gives the page its address, and choosing other rows takes it away again."""
    page = open_page()
    page.choose_pair("q4_0", "english")
    page("document.querySelector('#list button.open').click()")
    assert page("return location.hash") == "#row=q4_0/english/lost"
    page.click("#flags [data-value='empty']")
    assert page("return location.hash") == ""


def test_words_are_told_apart_by_ear(open_page: Opened) -> None:
    """What was expected and what was heard is in the name of each button, not in colours alone."""
    page = open_page()
    page.choose_pair("q4_0", "hindi")
    names = page(
        "return [...document.querySelectorAll('#word-list button')].map(e => e.getAttribute('aria-label'))"
    )
    assert "expected कर, heard करो: 1 times, baseline 0" in names
    assert "missing दो: 1 times, baseline 0" in names


def test_long_names_do_not_widen_the_page(open_page: Opened, tmp_path: Path) -> None:
    """A name of a hundred characters is cut in its list, not at the edge of the window."""
    page = open_page(report(tmp_path, {"d" * 100: ("en", many(3))}))
    for width in (1280, 390):
        page.resize(width)
        assert page("return document.documentElement.scrollWidth") <= width


def test_a_larger_font_of_the_reader_cuts_nothing(open_page: Opened) -> None:
    """Rows grow with the font that a reader has chosen."""
    page = open_page()
    height = "return document.querySelector('#list .row-head').getBoundingClientRect().height"
    before = page(height)
    page.driver.execute_cdp_cmd("Page.enable", {})
    page.driver.execute_cdp_cmd("Page.setFontSizes", {"fontSizes": {"standard": 32}})
    page.driver.refresh()
    after = page(height)
    page.driver.execute_cdp_cmd("Page.setFontSizes", {"fontSizes": {"standard": 16}})
    assert after >= 2 * before - 4


@pytest.mark.parametrize("width", [1280, 700, 390])
def test_no_line_of_a_row_is_cut_in_half(open_page: Opened, tmp_path: Path, width: int) -> None:
    """The texts of a row end within it, however many of their lines it shows."""
    page = open_page(report(tmp_path, {"calls": ("en", many(40))}))
    page.resize(width)
    page("document.querySelector('#list').scrollIntoView()")
    measured = (
        "const bottom = element => element.getBoundingClientRect().bottom;"
        "return [...document.querySelectorAll('#list .row .diff')]"
        ".map(e => [bottom(e.closest('.row-head')) - bottom(e), "
        "e.offsetHeight / parseFloat(getComputedStyle(e).lineHeight)])"
    )
    page.wait("document.querySelectorAll('#list .row').length > 5")
    lines = page(measured)
    assert max(count for _, count in lines) >= 2
    assert all(space >= 0 and count == pytest.approx(round(count), abs=0.05) for space, count in lines)
