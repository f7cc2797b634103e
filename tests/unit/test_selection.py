"""Claims about which runs ask for the gate."""

import os
from pathlib import Path

import pytest

from pytest_asrgate.plugin.selection import _names, _names_wer


@pytest.mark.parametrize(
    "expression",
    [
        "wer",
        " wer ",
        "(wer)",
        "wer or slow",
        "slow or wer",
        "wer and not slow",
        "wer and slow",
        "not not wer",
        "not (not wer)",
        "wer and (slow or fast)",
    ],
)
def test_an_expression_that_selects_by_the_mark_asks(expression: str) -> None:
    """`-m` asks for the gate where the mark makes the difference."""
    assert _names_wer(expression)


@pytest.mark.parametrize(
    "expression",
    [
        "",
        "slow",
        "not wer",
        "not wer and slow",
        "not (wer or slow)",
        "slow and not wer",
        "slower",
        "answer or power",
        "wer or not wer",
        "wer and not wer",
        "not slow",
    ],
)
def test_any_other_expression_does_not_ask(expression: str) -> None:
    """Leaving the mark out, excluding it, or names that hold its letters do not."""
    assert not _names_wer(expression)


@pytest.mark.parametrize("expression", ["wer and", "(wer", "wer)", "wer wer", "wer & slow", "and wer"])
def test_a_broken_expression_is_left_to_pytest(expression: str) -> None:
    """A broken expression asks for nothing here and raises nothing: pytest reports it."""
    assert not _names_wer(expression)


@pytest.mark.parametrize(
    ("argument", "answer"),
    [
        ("gate.toml", True),
        ("./gate.toml", True),
        ("gate.toml::q8_0::prompts", True),
        ("sub/../gate.toml", True),
        (".", False),
        ("..", False),
        ("other/gate.toml", False),
        ("gate.tom", False),
    ],
)
def test_an_argument_names_the_file_or_not(tmp_path: Path, argument: str, answer: bool) -> None:
    """A path or a node id names the configured file; a folder above it or another file does not."""
    assert _names(argument, tmp_path, tmp_path / "gate.toml") is answer


def test_absolute_arguments_ignore_where_pytest_was_started(tmp_path: Path) -> None:
    """An absolute path is taken as it is."""
    gate = tmp_path / "gate.toml"
    assert _names(f"{gate}::q8_0", tmp_path / "elsewhere", gate)
    assert not _names(str(tmp_path), Path("/"), gate)


def test_arguments_count_from_where_pytest_was_started(tmp_path: Path) -> None:
    """Relative arguments are taken from the folder of the call, below or beside the gate file's."""
    gate = tmp_path / "gate.toml"
    assert _names(f"..{os.sep}gate.toml", tmp_path / "sub", gate)
    assert not _names("gate.toml", tmp_path / "sub", gate)


def test_another_way_to_the_same_file_names_it(tmp_path: Path) -> None:
    """A path through a link leads to the configured file, a file of the same name elsewhere does not."""
    (tmp_path / "project").mkdir()
    (tmp_path / "other").mkdir()
    for folder in ("project", "other"):
        (tmp_path / folder / "gate.toml").write_text("")
    (tmp_path / "link").symlink_to(tmp_path / "project")
    gate = tmp_path / "project" / "gate.toml"
    assert _names(str(tmp_path / "link" / "gate.toml"), tmp_path, gate)
    assert not _names(str(tmp_path / "other" / "gate.toml"), tmp_path, gate)
