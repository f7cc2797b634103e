"""Claims about which runs ask for the gate."""

import os
from pathlib import Path

import pytest

from pytest_asrgate.plugin.selection import _covers, _names_wer


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
        ("gate.toml", (True, False)),
        ("./gate.toml", (True, False)),
        ("sub/../gate.toml", (True, False)),
        ("gate.toml::q8_0", (True, False)),
        ("gate.toml::q8_0::prompts", (True, False)),
        (".", (False, True)),
        ("", (False, True)),
        ("..", (False, True)),
        ("/", (False, True)),
        ("sub", (False, False)),
        ("sub/gate.toml", (False, False)),
        ("gate.toml2", (False, False)),
        ("test_x.py::test_gate", (False, False)),
    ],
)
def test_arguments_name_the_file_or_stand_above_it(
    tmp_path: Path, argument: str, answer: tuple[bool, bool]
) -> None:
    """An argument names the configured file, is a folder above it, or has nothing to do with it."""
    assert _covers(argument, tmp_path, tmp_path / "gate.toml") == answer


def test_absolute_arguments_ignore_where_pytest_was_started(tmp_path: Path) -> None:
    """An absolute path is taken as it is."""
    gate = tmp_path / "gate.toml"
    assert _covers(f"{gate}::q8_0", tmp_path / "elsewhere", gate) == (True, False)
    assert _covers(str(tmp_path), Path("/"), gate) == (False, True)


def test_arguments_count_from_where_pytest_was_started(tmp_path: Path) -> None:
    """Relative arguments are taken from the folder of the call, below or beside the gate file's."""
    gate = tmp_path / "gate.toml"
    assert _covers(f"..{os.sep}gate.toml", tmp_path / "sub", gate) == (True, False)
    assert _covers("gate.toml", tmp_path / "sub", gate) == (False, False)
