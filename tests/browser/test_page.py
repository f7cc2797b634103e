"""Claims about the page as somebody sees it: verdicts first, then what changed, worst first."""

from collections.abc import Callable
from pathlib import Path

import pytest

from .conftest import Page
from .made_reports import report

Opened = Callable[..., Page]


def test_the_verdict_of_each_preset_stands_at_the_top(open_page: Opened) -> None:
    """The heading says how many presets pass, and each preset has its own word and its reason."""
    page = open_page()
    assert page.texts("h1") == ["1 preset could not be judged"] or "preset" in page.texts("h1")[0]
    assert any("q4_0" in text for text in page.texts(".preset h3"))
    assert page("return document.querySelector('h1').getBoundingClientRect().top") < 200
    assert page.problems() == []


def test_nothing_is_loaded_from_anywhere(open_page: Opened) -> None:
    """The only address that the browser asks for is the page itself."""
    page = open_page()
    asked = [
        line["message"]
        for line in page.driver.get_log("performance")
        if "Network.requestWillBeSent" in line["message"]
    ]
    assert asked
    assert all(page.path.as_uri() in message for message in asked)


def test_what_changed_comes_worst_first(open_page: Opened) -> None:
    """The pair that fails is shown first, and its list begins with what is lost or got worse the most."""
    page = open_page()
    page.choose_pair("q4_0", "english")
    names = page.texts("#list .row .id")
    assert names[0] == "lost"
    assert names.index("worse") < names.index("better")
    (link,) = (text for text in page.texts("a[data-pair*=english][data-pair*=q4_0]"))
    assert link.startswith(f"{len(names)} utterances")


def test_texts_of_strangers_are_only_text(open_page: Opened) -> None:
    """Markup in a transcript, an id or a note is shown as it is, runs nowhere, and turns no other text around."""
    page = open_page()
    page.choose_pair("q4_0", "english")
    page.click("#flags [data-value='']")
    assert page("return document.querySelectorAll('#list script, #list b b, .notes i').length") == 0
    page("location.hash = '#row=q4_0/english/hostile'")
    assert any("<script>alert(1)</script>" in text for text in page.texts(".details td"))
    assert any("⟨U+202E⟩" in text for text in page.texts(".details td"))


def test_a_row_opens_to_all_that_is_known_of_it(open_page: Opened) -> None:
    """The aligned words, both raw and normalised texts, and what the baseline heard are there."""
    page = open_page()
    page("location.hash = '#row=q4_0/english/worse'")
    detail = " ".join(page.texts(".details"))
    assert "substituted: the → a" in detail
    assert "substituted: 9 → 5" in detail
    assert "added: please" in detail
    assert "f32 (baseline)" in detail
    page.picture("row")


def test_a_flag_a_search_and_a_slice_choose_rows(open_page: Opened) -> None:
    """Each choice leaves the rows that fulfil it, and the line above the list counts them."""
    page = open_page()
    page.choose_pair("q4_0", "english")
    page.click("#flags [data-value='hallucination']")
    assert page.texts("#list .row .id") == ["silence"]
    page.click("#flags [data-value='empty']")
    assert page.texts("#list .row .id") == ["empty"]
    page.click("#flags [data-value='']")
    page.search("WINDOW")
    found = "[...document.querySelectorAll('#list .row .id')].map(e => e.textContent)"
    assert page.wait("document.querySelectorAll('#list .row').length === 1", found) == ["better"]


@pytest.mark.parametrize(
    ("row", "language", "direction"), [("arabic/ar-1", "ar", "rtl"), ("hindi/hi-1", "hi", "ltr")]
)
def test_each_script_is_shown_its_own_way(open_page: Opened, row: str, language: str, direction: str) -> None:
    """Arabic runs from right to left and Hindi from left to right, both named to the browser by their language."""
    page = open_page()
    page(f"location.hash = '#row=q4_0/{row}'")
    style = page(
        "const e = document.querySelector('.row.opened .diff'); return [e.lang, getComputedStyle(e).direction]"
    )
    assert style == [language, direction]
    page.picture(row.replace("/", "-"))


def test_rows_are_walked_with_the_keyboard(open_page: Opened) -> None:
    """Arrow keys go from row to row, Enter opens one and closes it again, and focus stays."""
    from selenium.webdriver.common.keys import Keys

    page = open_page()
    page.choose_pair("q4_0", "english")
    page("document.querySelector('#list button.open').focus()")
    names = page.texts("#list .row .id")
    page.driver.switch_to.active_element.send_keys(Keys.ARROW_DOWN)
    assert page("return document.activeElement.querySelector('.id').textContent") == names[1]
    page.driver.switch_to.active_element.send_keys(Keys.ENTER)
    assert page("return document.activeElement.getAttribute('aria-expanded')") == "true"
    assert page("return document.activeElement.querySelector('.id').textContent") == names[1]
    page.driver.switch_to.active_element.send_keys(Keys.ENTER)
    assert page("return document.activeElement.getAttribute('aria-expanded')") == "false"


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_it_fits_and_can_be_read_by_everybody(open_page: Opened, width: int, theme: str, tmp_path: Path) -> None:
    """At desktop and phone width, light and dark, axe-core finds no barrier and nothing runs out of the window."""
    axe = pytest.importorskip("axe_selenium_python").Axe
    page = open_page(report(tmp_path, sounds=True), audio="embed")
    page.resize(width)
    page.theme(theme)
    page("location.hash = '#row=q4_0/english/worse'")
    assert page("return document.documentElement.scrollWidth") <= width
    checker = axe(page.driver)
    checker.inject()
    found = checker.run()
    assert [(each["id"], [node["html"] for node in each["nodes"]][:3]) for each in found["violations"]] == []
    page.picture(f"page-{width}-{theme}")


def test_the_theme_can_be_chosen(open_page: Opened) -> None:
    """The button goes round auto, light and dark, whatever the system prefers."""
    page = open_page()
    page.theme("light")
    paper = "return getComputedStyle(document.body).backgroundColor"
    light = page(paper)
    page("document.querySelector('#theme').click(); document.querySelector('#theme').click()")
    assert page.texts("#theme") == ["Theme: dark"]
    assert page(paper) != light
    page("document.querySelector('#theme').click()")
    assert page(paper) == light


def test_paper_has_the_utterances_too(open_page: Opened) -> None:
    """For printing the worst utterances are put into the page and all parts opened; afterwards it is as it was."""
    page = open_page()
    page.choose_pair("q4_0", "english")
    closed = len(page.texts("details:not([open])"))
    page("window.dispatchEvent(new Event('beforeprint'))")
    assert any("worse" in text for text in page.texts("#printed li"))
    assert page.texts("details:not([open])") == []
    page("window.dispatchEvent(new Event('afterprint'))")
    assert page.texts("#printed li") == []
    assert len(page.texts("details:not([open])")) == closed
