"""Claims about the markdown report: what it says, in what order, and that it stays short."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from pytest_asrgate.early import looks
from pytest_asrgate.errors import DatasetError
from pytest_asrgate.metrics.alignment import aligned_diff
from pytest_asrgate.records import CheckStatus
from pytest_asrgate.reports.entries import PairEntry, pair_entry
from pytest_asrgate.reports.escape import plain
from pytest_asrgate.reports.json_report import Report, session_report
from pytest_asrgate.reports.layout import text_width
from pytest_asrgate.reports.markdown import BEGINNING, LONGEST, markdown_report
from pytest_asrgate.verdict import decide, failed_to_run

from .builders import Row, entry, pair, scored
from .test_judged_entries import BASELINE, SEMANTIC, verdict_of

RENDERER = MarkdownIt("commonmark").enable("table")
SPOKEN: list[Row] = [("a", "the cat sat", "the cat sat"), ("b", "red dogs bark", "red dogs bark")]
WRONG: list[Row] = [("a", "the cat sat", "the hat sat"), ("b", "red dogs bark", "dogs")]
LOST: list[Row] = [("a", "the cat sat", "the cat sat"), ("b", "red dogs bark", None)]

PASSES = entry(SPOKEN, SPOKEN, {"wer": 10.0})
FAILS = entry(WRONG, SPOKEN, {"wer_delta": 1.0, "empty": 0})
UNDECIDED = entry(SPOKEN[:1], SPOKEN[:1], {"non_inferiority": 1.0})
BROKEN = entry(LOST, SPOKEN, {"errors": 0})


def _report(*pairs: PairEntry, not_judged: Sequence[str] = ()) -> Report:
    return session_report(Path("/work/gate.toml"), pairs, ["a note"], not_judged)


def _markdown(*pairs: PairEntry, not_judged: Sequence[str] = ()) -> str:
    return markdown_report(_report(*pairs, not_judged=not_judged))


def _named(found: PairEntry, variant: str, **changes: object) -> PairEntry:
    return {**found, "variant": variant, **changes}  # type: ignore[typeddict-item]


def _heading(*pairs: PairEntry, not_judged: Sequence[str] = ()) -> str:
    return _markdown(*pairs, not_judged=not_judged).splitlines()[1]


def _blocks(markdown: str) -> list[str]:
    """The headings of the pairs that are explained."""
    return [line for line in markdown.splitlines() if line.startswith("### ")]


def test_it_begins_as_a_file_of_ours() -> None:
    """The first line is the comment by which the next run knows the file, and readers do not see it."""
    assert _markdown(PASSES).startswith(f"{BEGINNING}\n## ")
    assert BEGINNING == "<!-- asrgate.markdown/1 -->"


def test_the_heading_counts_verdicts() -> None:
    """The worst comes first and gives the sign; what was expected is told from what was not."""
    expected = _named(FAILS, "x", expected_to_fail=True)
    surprise = _named(PASSES, "y", expected_to_fail=True)
    assert _heading(PASSES, PASSES) == "## ✓ asrgate: 2 PASS"
    assert _heading(PASSES, FAILS, UNDECIDED) == "## ✗ asrgate: 1 FAIL, 1 INCONCLUSIVE, 1 PASS"
    assert _heading(PASSES, UNDECIDED) == "## ? asrgate: 1 INCONCLUSIVE, 1 PASS"
    assert _heading(FAILS, BROKEN) == "## ! asrgate: 1 ERROR, 1 FAIL"
    assert _heading(expected, PASSES) == "## ✓ asrgate: 1 expected FAIL, 1 PASS"
    assert _heading(surprise, PASSES) == "## ! asrgate: 1 unexpected PASS, 1 PASS"
    assert _heading() == "## asrgate: no pair was judged"


def test_a_run_that_was_cut_short_is_no_pass() -> None:
    """Pairs that nobody judged are counted in the heading and take the tick from it; a failure stays one."""
    assert _heading(PASSES, not_judged=["q4_0::prompts"]) == "## ? asrgate: 1 PASS, 1 not judged"
    assert _heading(FAILS, not_judged=["a::b", "c::d"]) == "## ✗ asrgate: 1 FAIL, 2 not judged"
    assert _heading(not_judged=["a::b"]) == "## ? asrgate: no pair was judged, 1 not judged"


def test_a_pass_on_a_part_is_called_so() -> None:
    """An early or incomplete pass has a word of its own and no tick, neither in the heading nor in its row."""
    (look, *_) = looks(200, seed=3)
    rows: list[Row] = [(f"u{number}", "the big red dog", "the big red dog") for number in range(60)]
    limits = {"non_inferiority": 30.0}
    early = pair_entry(decide(pair(limits), scored("q8_0", rows), scored("f32", rows), look=look))
    incomplete = entry(LOST, SPOKEN, {"errors": 1})
    known = _named(FAILS, "x", expected_to_fail=True)
    assert _heading(early, PASSES) == "## ? asrgate: 1 early PASS, 1 PASS"
    assert _heading(incomplete) == "## ? asrgate: 1 incomplete PASS"
    assert _heading(known, early) == "## ? asrgate: 1 expected FAIL, 1 early PASS"
    markdown = _markdown(early, incomplete)
    assert "| ? PASS (early) |" in markdown
    assert "| ? PASS (incomplete) |" in markdown
    said = "Early verdicts make nothing shippable, a full run does."
    assert said in markdown.splitlines()[-1]
    assert said not in _markdown(incomplete)


def test_the_table_has_a_row_for_each_pair() -> None:
    """Names are code, figures stand as in the terminal's table, and the verdict has its sign."""
    tokens = RENDERER.parse(_markdown(PASSES, FAILS))
    cells = [token.content for token in tokens if token.type == "inline"]
    start = cells.index("variant")
    assert cells[start : start + 9 : 8] == ["variant", "`q8_0`"]
    assert cells[start + 7] == "verdict"
    assert cells[start + 15] == "✓ PASS"
    assert cells[start + 16 : start + 20] == ["`q8_0`", "`prompts`", "50.00", "+50.00"]
    assert cells[start + 23] == "✗ FAIL"


def test_columns_of_judged_scores_are_there_where_one_is() -> None:
    """A gate without a judge has no empty columns; one by rules alone says what its marks mean."""
    judged = pair_entry(verdict_of(SEMANTIC, BASELINE), with_utterances=True)
    assert "sem%" not in _markdown(PASSES)
    assert "| sem% | sem delta |" in _markdown(PASSES, judged)
    assert "rules alone judged" not in _markdown(PASSES, judged)
    assert judged["semantic"] is not None
    by_rules = _named(judged, "r", semantic={**judged["semantic"], "upper_bound": True})
    assert "≤ and ≥ are bounds" in _markdown(by_rules)


def test_a_pair_that_fails_has_its_failing_checks() -> None:
    """Name, figure, limit and detail of each check that decided, with the utterances behind it; no others."""
    markdown = _markdown(PASSES, FAILS)
    assert _blocks(markdown) == ["### ✗ `q8_0` on `prompts` against `f32`: FAIL"]
    [line] = [line for line in markdown.splitlines() if line.startswith("- `")]
    [check] = [check for check in FAILS["checks"] if check["status"] == CheckStatus.FAIL.value]
    assert line.startswith("- `wer_delta` fail: +50.00 pp, limit 1.00 pp; ")
    assert check["detail"] in line
    assert line.endswith("(`b`, `a`)")


def test_each_check_of_a_slice_says_which() -> None:
    """A limit of a slice fails with the slice's name, as code."""
    tags = {"a": ("room:hall",), "b": ("room:hall",)}
    settings = pair({}, slices={"room:hall": {"wer": 1.0}})
    verdict = decide(settings, scored("q8_0", WRONG, tags=tags), scored("f32", SPOKEN, tags=tags))
    assert "- slice `room:hall` `wer` fail: 50.00 %, limit 1.00 %" in _markdown(pair_entry(verdict))


@pytest.mark.parametrize("found", [UNDECIDED, BROKEN])
def test_what_is_no_pass_is_explained(found: PairEntry) -> None:
    """INCONCLUSIVE and ERROR have their block with the check that decided."""
    markdown = _markdown(found)
    assert len(_blocks(markdown)) == 1
    assert f" {found['verdict'].lower()}: " in markdown


def test_a_pair_that_could_not_run_says_why() -> None:
    """Without a check there is the reason; of an unexpected pass, that the gate file must change."""
    failed = pair_entry(failed_to_run(pair(), DatasetError("m.jsonl: holds no rows")))
    assert "- why: m.jsonl: holds no rows" in _markdown(failed)
    assert '- why: it passes, and the gate file says `expect = "fail"`' in _markdown(
        _named(PASSES, "y", expected_to_fail=True)
    )


def test_expected_failures_are_explained_last() -> None:
    """What is no news does not stand before what is."""
    markdown = _markdown(_named(FAILS, "known", expected_to_fail=True), _named(FAILS, "news"))
    assert [block.split("`")[1] for block in _blocks(markdown)] == ["news", "known"]


def test_the_worst_changed_utterances_are_folded() -> None:
    """Five of seven, those first that lost most against the baseline, each with the aligned diff."""
    before: list[Row] = [(f"u{number}", "a b c d e f g", "a b c d e f g") for number in range(8)]
    kept = [max(0, 13 - 2 * number) for number in range(8)]
    after: list[Row] = [(name, text, text[:size]) for size, (name, text, _) in zip(kept, before, strict=True)]
    markdown = _markdown(entry(after, before, {"wer_delta": 1.0}))
    assert "<summary>the first 5 of 7 changed utterances: 7 worse</summary>" in markdown
    [fence] = [token for token in RENDERER.parse(markdown) if token.type == "fence"]
    lines = fence.content.splitlines()
    heads = [line for line in lines if line.startswith("@@ ")]
    assert heads[0] == "@@ u7: 7 errors in 7 words, baseline 0 [empty, catastrophic] @@"
    assert [head.split(":")[0] for head in heads] == ["@@ u7", "@@ u6", "@@ u5", "@@ u4", "@@ u3"]
    reference, hypothesis, marks = aligned_diff("a b c d e f g", "a b c d")
    place = lines.index(heads[-1])
    assert lines[place + 1 :] == [f"- {reference}", f"+ {hypothesis}", f"  {marks}"]


def test_utterances_without_a_baseline_are_those_with_errors() -> None:
    """A baseline that fails a limit of its own shows where it errs."""
    verdict = decide(pair({"wer": 1.0}, variant="f32"), scored("f32", WRONG), None, is_baseline=True)
    markdown = _markdown(pair_entry(verdict, with_utterances=True))
    assert "<summary>2 utterances with errors</summary>" in markdown
    assert "@@ b: 2 errors in 3 words [catastrophic] @@" in markdown


def test_an_utterance_without_an_output_says_why() -> None:
    """A pair that is ERROR of error rows shows their messages first; the file says nothing of a diff there."""
    markdown = _markdown(BROKEN)
    assert "<summary>1 utterance without an output</summary>" in markdown
    assert "@@ b @@\n! b.wav: crashed\n" in markdown


def test_what_stands_behind_a_word_is_escaped_before_it_is_aligned() -> None:
    """Escapes take more room than what they stand for, wide letters two cells: words stay above each other."""
    rows: list[Row] = [("a", "the cat 猫 sat", "the dog 猫 sat on")]
    odd = entry(rows, [("a", "the cat 猫 sat", "the cat 猫 sat")], {"wer": 1.0})
    odd["utterances"][0]["ref"] = "the \u202ecat 猫 sat"
    [fence] = [token for token in RENDERER.parse(_markdown(odd)) if token.type == "fence"]
    [_, reference, hypothesis, marks] = fence.content.splitlines()
    row = odd["utterances"][0]
    assert [reference[2:], hypothesis[2:], marks[2:]] == aligned_diff(
        plain(row["ref"]), plain(row["hyp"]), measure=text_width
    )


def test_a_very_long_utterance_is_cut() -> None:
    """An hour of speech is not a comment: a few lines, and where the rest is."""
    words = " ".join(f"word{number}" for number in range(5000))
    found = entry([("a", words, words.replace("word1", "bird1"))], [("a", words, words)], {"wer_delta": 0.1})
    markdown = _markdown(found)
    assert "… (the whole of it is in the JSON report)" in markdown
    assert len(markdown) < 4000


def test_a_very_long_word_is_cut() -> None:
    """A text without blanks, as of a loop, is one line of a few hundred letters, and says that there is more."""
    found = entry([("a", "the cat", "la" * 5000)], [("a", "the cat", "the cat")], {"wer_delta": 0.1})
    markdown = _markdown(found)
    assert "… (the whole of it is in the JSON report)" in markdown
    assert max(map(len, markdown.splitlines())) < 400


def test_many_failing_checks_are_cut() -> None:
    """A gate with a limit for each of many slices lists twenty, and how many more there are."""
    names = [f"room:{number:02d}" for number in range(30)]
    tags = {"a": tuple(names), "b": tuple(names)}
    settings = pair({}, slices={name: {"wer": 1.0} for name in names})
    verdict = decide(settings, scored("q8_0", WRONG, tags=tags), scored("f32", SPOKEN, tags=tags))
    markdown = _markdown(pair_entry(verdict))
    assert markdown.count("- slice `room:") == 20
    assert "- and 10 more checks" in markdown


def test_the_last_line_says_where_it_comes_from() -> None:
    """What was not judged, which engines, which gate file, and which version of ours."""
    last = _markdown(PASSES, not_judged=[f"v{number}::d" for number in range(7)]).splitlines()[-1]
    assert last.startswith("Not judged: `v0::d`, `v1::d`, `v2::d`, `v3::d`, `v4::d` and 2 more. Engines: `a test`")
    assert "From `gate.toml` by pytest-asrgate `" in last
    assert "Not judged" not in _markdown(PASSES)


def test_strangers_do_nothing_anywhere() -> None:
    """Texts, ids, names, details and stamps with markup, mentions and fences change nothing around them."""
    evil = "@octocat #1 </details> ``` | <script> [x](http://y) \u202e\n# heading"
    found = entry([(evil, "the cat", f"{evil} cat")], [(evil, "the cat", "the cat")], {"wer_delta": 1.0})
    found = _named(found, evil, dataset=evil, baseline=evil, stamp={"engine": evil, "backend": evil})
    found["checks"] = [{**check, "detail": evil} for check in found["checks"]]
    markdown = markdown_report(session_report(Path(evil), [found], [], [evil]))
    tokens = RENDERER.parse(markdown)
    outside = [child for token in tokens for child in token.children or [] if child.type != "code_inline"]
    assert {child.type for child in outside} <= {"text", "softbreak"}
    assert not any(sign in child.content for child in outside for sign in ("@", "#", "<scr", "http", "\u202e"))
    assert [token.content.split("\n")[0] for token in tokens if token.type == "html_block"] == [
        BEGINNING,
        "<details>",
        "</details>",
    ]
    assert [token.tag for token in tokens if token.type == "heading_open"] == ["h2", "h3"]
    assert sum(token.type == "fence" for token in tokens) == 1
    assert sum(token.type == "tr_open" for token in tokens) == 2


def _many(count: int, found: PairEntry) -> list[PairEntry]:
    return [_named(found, f"variant-{number:04d}") for number in range(count)]


def test_what_does_not_fit_is_left_out_in_whole_parts() -> None:
    """Utterances go before checks, from the end, and one sentence says how many; each that stays is whole."""
    words = " ".join(f"word{number}" for number in range(40))
    rows: list[Row] = [(f"u{number}", words, words.replace("word", "bird")) for number in range(6)]
    long = entry(rows, [(name, text, text) for name, text, _ in rows], {"wer_delta": 1.0})
    markdown = _markdown(*_many(60, long))
    assert LONGEST // 2 < len(markdown) < LONGEST
    assert len(_blocks(markdown)) == 60
    quoted = markdown.count("<details>")
    assert 0 < quoted < 60
    assert markdown.count("</details>") == quoted
    assert f"Left out, since a comment must be short: the utterances of {60 - quoted} pairs; " in markdown
    # Those of the first pairs are kept.
    assert markdown.rindex("<details>") < markdown.index(f"`variant-{quoted:04d}` on")
    assert markdown.splitlines()[-1].startswith("Engines: ")


def test_rows_that_do_not_pass_stay_longest() -> None:
    """Where not even the table fits, what fails is still in it, in the order of the gate file."""
    markdown = _markdown(*_many(2000, PASSES), _named(FAILS, "the-last"))
    assert len(markdown) < LONGEST
    rows = [line for line in markdown.splitlines() if line.startswith("| `")]
    assert rows[-1].startswith("| `the-last`")
    assert rows[0].startswith("| `variant-0000`")
    assert f"{2001 - len(rows)} rows of the table; " in markdown
    assert "### ✗ `the-last` on" in markdown


def test_what_is_news_stays_where_room_is_short() -> None:
    """One failure behind hundreds of known ones keeps its row, its reason and its utterances."""
    found = _named(FAILS, "the-last")
    found["checks"] = [{**check, "detail": "a reason " * 40} for check in found["checks"]]
    known = _named(found, "known", expected_to_fail=True)
    markdown = _markdown(*_many(600, known), found)
    assert len(markdown) < LONGEST
    assert [line for line in markdown.splitlines() if line.startswith("| `the-last`")]
    assert _blocks(markdown)[0] == "### ✗ `the-last` on `prompts` against `f32`: FAIL"
    assert markdown.index("<details>") < markdown.index(_blocks(markdown)[1])
    table = [line for line in markdown.splitlines() if line.startswith("| ")]
    assert LONGEST // 3 < sum(map(len, table)) < LONGEST // 2
    assert "the utterances of 600 pairs; " in markdown


def test_pairs_are_explained_by_weight() -> None:
    """What could not be judged, fails or passes against expectation, is undecided, and only then what is known."""
    known = _named(FAILS, "known", expected_to_fail=True)
    surprise = _named(PASSES, "surprise", expected_to_fail=True)
    markdown = _markdown(known, UNDECIDED, surprise, _named(FAILS, "fails"), _named(BROKEN, "broken"))
    assert [block.split("`")[1] for block in _blocks(markdown)] == ["broken", "fails", "surprise", "q8_0", "known"]


def test_the_gate_file_has_its_short_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A public comment has no path of a runner: only what lies below the current folder has its folders told."""
    monkeypatch.chdir(tmp_path)
    for path, told in ((tmp_path / "a" / "gate.toml", "a/gate.toml"), (tmp_path.parent / "gate.toml", "gate.toml")):
        markdown = markdown_report(session_report(path, [PASSES]))
        assert f"From `{told}` by pytest-asrgate" in markdown
        assert str(tmp_path.parent) not in markdown


def test_warnings_and_notes_are_counted() -> None:
    """Whoever reads only the comment learns that there is more to know, and where."""
    warned = _named(PASSES, "x", warnings=["one", "two"])
    assert "3 warnings and notes are in the JSON report." in _markdown(warned)
    assert "1 warning or note is in the JSON report." in _markdown(PASSES)
    assert "warning" not in markdown_report(session_report(Path("gate.toml"), [PASSES]))


@pytest.mark.parametrize("sign", ["x", "\U0001f642", "`", "|"])
def test_it_is_short_whatever_it_holds(sign: str) -> None:
    """No names, details or texts make it longer than a comment may be, in UTF-16 code units too."""
    rows: list[Row] = [(sign * 900 + str(number), "the cat", "a hat") for number in range(30)]
    found = entry(rows, [(name, text, text) for name, text, _ in rows], {"wer_delta": 1.0})
    found["checks"] = [{**check, "detail": sign * 9000} for check in found["checks"]] * 50
    many = [_named(found, sign * 3000, dataset=sign * 3000, baseline=sign * 3000)] * 300
    markdown = markdown_report(session_report(Path(sign * 9000), many, [], [sign * 9000] * 50))
    assert len(markdown.encode("utf-16-le")) // 2 < LONGEST
    assert "Left out" in markdown
