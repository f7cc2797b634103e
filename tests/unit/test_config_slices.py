"""Claims about [dataset] of gate.toml: its slices, each with limits of its own, and what is catastrophic in it."""

from pathlib import Path

import pytest

from .gate_texts import BARE, BASE, gate_of, problems_of

SLICE = '[dataset.prompts.slice."accent:in".thresholds]\n'


def test_a_slice_has_its_own_limits(tmp_path: Path) -> None:
    """A tag may be any text; only what stands in its table is a limit of it, whatever the levels above say."""
    text = BASE + f'{SLICE}wer_delta = 2.0\nerrors = "off"\n[dataset.prompts.slice."रव"]\n[thresholds]\nwer = 5.0\n'
    slices = gate_of(tmp_path, text).datasets["prompts"].slices
    assert {tag: limits.limits() for tag, limits in slices.items()} == {"accent:in": {"wer_delta": 2.0}, "रव": {}}


@pytest.mark.parametrize(
    ("text", "key", "fact"),
    [
        (f"{SLICE}latency_ratio = 1.1\n", "accent:in.thresholds.latency_ratio", "by a probe of the whole set"),
        (f"{SLICE}rtf = 1.1\n", "accent:in.thresholds.rtf", "by a probe of the whole set"),
        (f"{SLICE}semantic_wer = 1.1\n", "accent:in.thresholds.semantic_wer", "not built for slices; remove it"),
        (f"{SLICE}judge_errors_delta = 1\n", "accent:in.thresholds.judge_errors_delta", "not built for slices"),
        (f"{SLICE}wer_dleta = 1.1\n", "accent:in.thresholds.wer_dleta", "did you mean 'wer_delta'?"),
        ('[dataset.prompts.slice."in "]\n', "in ", "the tag of a slice must not be empty, nor begin or end with"),
        ('[dataset.prompts.slice."a\\nb"]\n', r"'a\nb'", "the tag of a slice must not hold control characters"),
        (f"[dataset.prompts.slice.{'a' * 101}]\n", "a" * 101, "must have at most 100 characters"),
        ("[dataset.prompts.slice]\nx = 1\n", "x", "must be a table; got 1"),
        ("[dataset.prompts.slices.x]\n", "dataset.prompts.slices", "did you mean 'slice'?"),
    ],
)
def test_what_a_slice_cannot_have_is_told(tmp_path: Path, text: str, key: str, fact: str) -> None:
    """Limits of the whole set, misspelt ones and names that can be no tag are refused with their place."""
    found = problems_of(tmp_path, BASE + text)
    place = key if key.startswith("dataset") else f"dataset.prompts.slice.{key}"
    assert list(found) == [place]
    assert fact in found[place]


def test_a_slice_needs_a_baseline_as_a_pair_does(tmp_path: Path) -> None:
    """A limit on a difference names the variants that have nothing to differ from; an absolute one needs none."""
    text = BARE + f"{SLICE}wer = 5.0\nnon_inferiority = 2.0\nchanged = 3.0\n"
    found = problems_of(tmp_path, text)
    place = "dataset.prompts.slice.accent:in.thresholds"
    assert set(found) == {f"{place}.non_inferiority", f"{place}.changed"}
    assert "needs a baseline, and f32, q8_0 have none" in found[f"{place}.changed"]
    assert (
        gate_of(tmp_path, text.replace("= 2.0", '= "off"').replace("= 3.0", '= "off"')).datasets["prompts"].slices
    )


@pytest.mark.parametrize(("text", "rate"), [("", 50.0), ("catastrophic_rate = 120\n", 120.0)])
def test_a_dataset_says_what_is_catastrophic(tmp_path: Path, text: str, rate: float) -> None:
    """The rate of one utterance above which it is catastrophic is 50 % unless the dataset says otherwise."""
    assert gate_of(tmp_path, BASE + text).pair("f32", "prompts").dataset.catastrophic_rate == rate


@pytest.mark.parametrize("value", ["0", "-5", "nan", "inf", "'half'", "true"])
def test_a_catastrophic_rate_is_a_positive_number(tmp_path: Path, value: str) -> None:
    """Anything else is told under its key."""
    found = problems_of(tmp_path, BASE + f"catastrophic_rate = {value}\n")
    assert list(found) == ["dataset.prompts.catastrophic_rate"]
