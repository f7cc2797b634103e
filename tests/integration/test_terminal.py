"""The gate's part of the summary as somebody sees it: on a terminal of any width, in a log, and with -v and -vv."""

import pty
import re
import termios
from collections.abc import Mapping

import pytest

from tests.integration.conftest import SENTENCES, GateProject
from tests.integration.test_progress import on_a_terminal

COLOUR = re.compile(r"\x1b\[[\d;]*m")
WRONG = {1600 + number: text.replace("the ", "a ") for number, text in enumerate(SENTENCES)}


def _failing(project: GateProject, texts: Mapping[int, str] = WRONG) -> None:
    """The standard gate with a preset that is expected to fail."""
    extra = '[variant.q4_0]\nmodel = "q4_0.json"\n[variant.q4_0.dataset.prompts]\nexpect = "fail"'
    project.standard("wer_delta = 5.0", extra)
    project.model("q4_0", texts)


def _section(text: str) -> list[str]:
    """The lines under the gate's own heading, up to pytest's next."""
    lines = text.replace("\r\n", "\n").splitlines()
    start = next(number for number, line in enumerate(lines) if "= asrgate =" in COLOUR.sub("", line))
    end = next(number for number, line in enumerate(lines) if number > start and "====" in line)
    return lines[start + 1 : end]


@pytest.mark.parametrize("width", [40, 50, 80, 120])
def test_nothing_is_wider_than_the_terminal(project: GateProject, width: int) -> None:
    """At any width the table and the lines under it fit, and each verdict is told."""
    _failing(project)
    lines = [COLOUR.sub("", line) for line in _section(on_a_terminal(project, "-m", "wer", COLUMNS=str(width)))]
    # One word of a line may be longer than a narrow terminal, such as a path; none is here.
    assert max(map(len, lines)) <= width
    assert [word for line in lines for word in re.findall(r"baseline$|PASS$|FAIL \(expected\)$", line)] == [
        "baseline",
        "PASS",
        "FAIL (expected)",
    ]


def _window(monkeypatch: pytest.MonkeyPatch, width: int) -> None:
    """Terminals opened from here on are a window of so many columns."""
    opened = pty.openpty

    def sized() -> tuple[int, int]:
        ours, theirs = opened()
        termios.tcsetwinsize(theirs, (24, width))
        return ours, theirs

    monkeypatch.setattr(pty, "openpty", sized)


@pytest.mark.parametrize(
    ("width", "way"),
    [(50, ()), (80, ()), (80, ("-vv",)), (80, ("-vv", "-n", "2")), (50, ("-vv",)), (50, ("-vv", "-n", "2"))],
)
def test_the_window_itself_says_how_wide_it_is(
    project: GateProject, monkeypatch: pytest.MonkeyPatch, width: int, way: tuple[str, ...]
) -> None:
    """Without COLUMNS the size of the window counts, for the checks and the changed utterances too."""
    _failing(project)
    _window(monkeypatch, width)
    lines = [COLOUR.sub("", line) for line in _section(on_a_terminal(project, "-m", "wer", *way, COLUMNS=""))]
    assert max(map(len, lines)) <= width
    assert any(line.endswith("FAIL (expected)") for line in lines)
    assert any("worst first:" in line for line in lines) == bool(way)


def test_a_log_has_the_whole_table(project: GateProject) -> None:
    """Where nobody looks through a window the table is one block, and no line is broken."""
    _failing(project)
    result = project.run_apart("-m", "wer")
    lines = _section("\n".join(result.outlines))
    assert lines[0].startswith("variant  dataset")
    assert lines[0].endswith("verdict")
    assert lines[1].endswith("baseline")
    assert not [line for line in lines if line.startswith("  ")]


def test_verdicts_have_colours_on_a_terminal(project: GateProject) -> None:
    """What passes is green and what was expected to fail is yellow, with its reason."""
    _failing(project)
    lines = _section(on_a_terminal(project, "-m", "wer", PY_COLORS=""))
    assert any(line.endswith("\x1b[32mPASS\x1b[0m") for line in lines)
    assert any(line.endswith("\x1b[33mFAIL (expected)\x1b[0m") for line in lines)
    assert any(re.match(r"\x1b\[33mq4_0 prompts: wer_delta fail", line) for line in lines)


def test_colours_change_no_alignment(project: GateProject) -> None:
    """Without its colour codes the coloured table is the plain one."""
    _failing(project)
    coloured = _section(on_a_terminal(project, "-m", "wer", PY_COLORS=""))
    plain = _section(on_a_terminal(project, "-m", "wer", "--color=no", PY_COLORS=""))
    assert [COLOUR.sub("", line) for line in coloured[:4]] == plain[:4]


def test_a_pass_that_nobody_expected_is_red(project: GateProject) -> None:
    """It makes the run fail, as pytest says below it."""
    project.standard("wer_delta = 50.0", '[variant.q8_0.dataset.prompts]\nexpect = "fail"')
    result = project.run_apart("-m", "wer", "--color=yes")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert any(line.endswith("\x1b[31mPASS (expected FAIL)\x1b[0m") for line in result.outlines)


@pytest.mark.parametrize("way", ["a pipe", "--color=no", "NO_COLOR"])
def test_no_colours_where_nobody_wants_them(project: GateProject, way: str) -> None:
    """A pipe, the option and the variable each keep every colour code out."""
    _failing(project)
    if way == "a pipe":
        lines = project.run_apart("-m", "wer").outlines
    elif way == "NO_COLOR":
        lines = _section(on_a_terminal(project, "-m", "wer", NO_COLOR="1", PY_COLORS=""))
    else:
        lines = _section(on_a_terminal(project, "-m", "wer", way, PY_COLORS=""))
    assert lines
    assert "\x1b" not in "\n".join(lines)


@pytest.mark.parametrize("way", [(), ("-n", "2")])
def test_v_adds_every_check(project: GateProject, way: tuple[str, ...]) -> None:
    """With -v each pair has its checks with figure and limit, also one that passed, with xdist and without."""
    _failing(project)
    result = project.run_apart("-m", "wer", "-v", *way)
    result.stdout.fnmatch_lines(
        [
            "q8_0 on prompts: PASS",
            "  status    check *figure *limit *detail",
            "  REPORTED  wer *%*",
            "  PASS *wer_delta *pp *5.00 pp*",
            "q4_0 on prompts: FAIL (expected)",
            "  FAIL *wer_delta *pp *5.00 pp*",
        ]
    )
    result.stdout.no_fnmatch_line("*changed utterance*")


@pytest.mark.parametrize("way", [(), ("-n", "2")])
def test_vv_adds_what_changed(project: GateProject, way: tuple[str, ...]) -> None:
    """With -vv each pair has its changed utterances with their aligned words, worst first."""
    _failing(project, {**WRONG, 1600: "please shut down a kitchen light"})
    result = project.run_apart("-m", "wer", "-vv", *way)
    result.stdout.fnmatch_lines(
        [
            "q4_0 on prompts, worst first: * changed utterances: * worse*",
            "  *: 3 errors in 6 words, baseline 0*",
            "    REF: *",
            "    HYP: *SHUT*",
        ]
    )


@pytest.mark.parametrize("way", [(), ("-q",)])
def test_a_plain_run_has_neither(project: GateProject, way: tuple[str, ...]) -> None:
    """Without -v there are the table and its lines, as before; -q adds nothing."""
    _failing(project)
    result = project.run("-m", "wer", *way)
    result.stdout.fnmatch_lines(["q4_0 *FAIL (expected)"])
    result.stdout.no_fnmatch_line("  status    check*")
    result.stdout.no_fnmatch_line("*worst first:*")
