"""Claims about the page as a file: one file, nothing from elsewhere, and no text of a stranger as markup."""

import base64
import hashlib
import html
import json
import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, cast

import pytest

from pytest_asrgate.errors import DatasetError, ReportError
from pytest_asrgate.reports.entries import PairEntry, pair_entry
from pytest_asrgate.reports.json_report import Report, session_report
from pytest_asrgate.reports.page import needs, write_page
from pytest_asrgate.verdict import failed_to_run

from .builders import Row, entry, pair

EVIL = '</script><script>alert(1)</script><img src=x onerror="alert(2)">'
BEFORE: list[Row] = [("a", "the cat", "the cat"), ("b", "red dogs bark", "red dogs bark")]
AFTER: list[Row] = [("a", "the cat", EVIL), ("b", "red dogs bark", "red logs bark")]


class _Elements(HTMLParser):
    """Every start tag with its attributes, and the text inside script and style elements."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.inside: list[tuple[str, dict[str, str | None], str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        if self.tags and self.tags[-1][0] in {"script", "style"} and data.strip():
            self.inside.append((*self.tags[-1], data))


def _page(folder: Path, *entries: PairEntry, notes: list[str] | None = None) -> str:
    made = session_report(folder / "gate.toml", entries, notes or [])
    write_page(folder / "page.html", made, folder=folder, audio="none")
    return (folder / "page.html").read_text(encoding="utf-8")


def _elements(text: str) -> _Elements:
    found = _Elements()
    found.feed(text)
    return found


def _data(text: str) -> Any:
    (found,) = (data for _, names, data in _elements(text).inside if names.get("id") == "asrgate-data")
    return json.loads(found)


def test_nothing_is_loaded_from_elsewhere(tmp_path: Path) -> None:
    """No element names an address but one inside the page, and the policy forbids what is not in it."""
    found = _elements(_page(tmp_path, entry(AFTER, BEFORE)))
    addresses = [names[key] for _, names in found.tags for key in ("src", "href") if key in names]
    assert addresses
    assert all(str(address).startswith("#") for address in addresses)
    assert not {tag for tag, _ in found.tags} & {"link", "iframe", "object", "embed", "base", "form"}
    assert not [names for _, names in found.tags if any(key.startswith("on") or key == "style" for key in names)]


def test_the_policy_allows_just_this_style_and_script(tmp_path: Path) -> None:
    """Each inline text that a browser would run has its digest in the policy, and nothing else is allowed."""
    found = _elements(_page(tmp_path, entry(AFTER, BEFORE)))
    (policy,) = (
        names["content"] for tag, names in found.tags if names.get("http-equiv") == "Content-Security-Policy"
    )
    digests = {
        tag: base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        for tag, names, text in found.inside
        if "type" not in names
    }
    assert policy is not None
    assert "default-src 'none'" in policy
    assert f"script-src 'sha256-{digests['script']}'" in policy
    assert f"style-src 'sha256-{digests['style']}'" in policy
    assert "unsafe" not in policy
    assert "http" not in policy


def test_markup_in_a_transcript_stays_text(tmp_path: Path) -> None:
    """A transcript that ends a script element ends nothing, and is whole in the data."""
    text = _page(tmp_path, entry(AFTER, BEFORE, {"wer": 0.0}), notes=[EVIL])
    found = _elements(text)
    assert "img" not in {tag for tag, _ in found.tags}
    assert len([tag for tag, _ in found.tags if tag == "script"]) == 2
    rows = _data(text)["pairs"][0]["rows"]
    assert EVIL in [row["text"] for row in rows]
    assert html.escape(EVIL).replace("&quot;", "&#34;") in text


@pytest.mark.parametrize("key", ["variant", "dataset", "reason", "baseline"])
def test_markup_in_a_name_stays_text(tmp_path: Path, key: str) -> None:
    """Names of files of other tools are anybody's words, too."""
    made = cast("PairEntry", {**entry(AFTER, BEFORE, {"wer": 0.0}), key: EVIL})
    found = _elements(_page(tmp_path, made))
    assert "img" not in {tag for tag, _ in found.tags}
    assert len([tag for tag, _ in found.tags if tag == "script"]) == 2


def test_half_a_character_does_not_keep_the_page_from_being_written(tmp_path: Path) -> None:
    """A lone surrogate, which no file can hold, is shown as its escape."""
    made = entry([("a", "the cat", "the \ud800 hat")], [("a", "the cat", "the cat")], {"wer": 0.0})
    text = _page(tmp_path, made, notes=["half a \udc00 note"])
    assert _data(text)["pairs"][0]["rows"][0]["flags"]
    assert r"half a \udc00 note" in text


def test_a_pair_that_could_not_run_has_its_reason_on_the_page(tmp_path: Path) -> None:
    """Nothing was scored, and the page says so and why."""
    text = _page(tmp_path, pair_entry(failed_to_run(pair(), DatasetError("m.jsonl: holds no rows"))))
    assert "m.jsonl: holds no rows" in text
    assert "1 preset could not be judged" in text
    assert _data(text)["pairs"][0]["rows"] == []


def test_a_session_without_a_verdict_is_a_page_too(tmp_path: Path) -> None:
    """An interrupted run that judged nothing says that."""
    assert "Nothing was judged" in _page(tmp_path)


def test_readers_without_scripts_see_the_worst(tmp_path: Path) -> None:
    """What a script would list stands in the page as well, for those who show none."""
    text = _page(tmp_path, entry(AFTER, BEFORE))
    (fallback,) = re.findall(r"<noscript>(.*?)</noscript>", text, re.DOTALL)
    assert "<del>dogs</del>" in fallback
    assert "<ins>logs</ins>" in fallback


def test_the_first_pair_is_the_one_to_decide_on(tmp_path: Path) -> None:
    """A reader sees the failing pair's utterances, not the baseline's."""
    baseline = entry(BEFORE)
    passing = cast("PairEntry", {**entry(BEFORE, BEFORE), "variant": "f16"})
    failing = cast("PairEntry", {**entry(AFTER, BEFORE, {"wer": 0.0}), "variant": "q4_0"})
    known = cast("PairEntry", {**failing, "variant": "q2_k", "expected_to_fail": True, "delta_pp": 99.0})
    data = _data(_page(tmp_path, baseline, passing, known, failing))
    assert data["pairs"][data["first"]]["variant"] == "q4_0"


def test_the_same_report_gives_the_same_page(tmp_path: Path) -> None:
    """Of the time there is only when the report was made, so that two pages can be compared."""
    made = session_report(tmp_path / "gate.toml", [entry(AFTER, BEFORE)])
    for name in ("one.html", "two.html"):
        write_page(tmp_path / name, made, folder=tmp_path, audio="none")
    assert (tmp_path / "one.html").read_bytes() == (tmp_path / "two.html").read_bytes()
    assert made["gate"]["made"] in (tmp_path / "one.html").read_text(encoding="utf-8")


def test_a_page_begins_as_ours_do(tmp_path: Path) -> None:
    """By its first line a later run knows that it may write over this file."""
    assert _page(tmp_path, entry(AFTER, BEFORE)).startswith("<!DOCTYPE html><!-- asrgate.page/1 -->\n")


def test_no_other_file_is_left(tmp_path: Path) -> None:
    """The page is written to a temporary name and renamed, and is one file."""
    _page(tmp_path, entry(AFTER, BEFORE))
    assert [path.name for path in tmp_path.iterdir()] == ["page.html"]


def test_what_is_not_installed_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without jinja2 there is one sentence that says what to install, and no page."""
    monkeypatch.setitem(sys.modules, "jinja2", None)
    with pytest.raises(ReportError, match=r"pip install 'pytest-asrgate\[report\]'"):
        needs()
    with pytest.raises(ReportError):
        write_page(tmp_path / "page.html", cast("Report", session_report(tmp_path, [])), folder=tmp_path)
    assert not list(tmp_path.iterdir())
