"""Claims about the short names of compared runs."""

from pathlib import Path

import pytest

from pytest_asrgate.reports.labels import variant_labels


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("parakeet-tdt-0.6b-v2-F32.test-clean.score.json", "f32"),
        ("parakeet-tdt-0.6b-v2-Q8_0.test-clean.score.json", "q8_0"),
        ("parakeet-tdt-0.6b-v2-Q4_K_M.test-clean.score.json", "q4_k_m"),
        ("parakeet-tdt-0.6b-v2-q4-k-m.test-clean.score.json", "q4_k_m"),
        ("parakeet.Q4KM.score.json", "q4_k_m"),
        ("tiny_Q80.score.json", "q8_0"),
        ("whisper-tiny.en-Q5_K_M.librispeech-timestamps_none.score.json", "q5_k_m"),
        ("q8_0.prompts-timestamps_none.score.json", "q8_0"),
        ("m-IQ4_NL.s.score.json", "iq4_nl"),
        ("m-iq2-xxs.score.json", "iq2_xxs"),
        ("m-Q6_K.score.json", "q6_k"),
        ("m-BF16.score.json", "bf16"),
        ("m-int8.score.json", "int8"),
        ("parakeet-Q5_K_M.f32-corpus.score.json", "q5_k_m"),
        ("converted-from-f16-Q8_0.score.json", "q8_0"),
        ("whisper-large-v3.score.json", "whisper-large-v3"),
        ("faq1.score.json", "faq1"),
        ("my-kernel.prompts-timestamps_none.score.json", "my-kernel.prompts"),
    ],
)
def test_the_label_is_the_quantization_in_the_name(name: str, label: str) -> None:
    """Whatever case and separators a model's name has, its weight type is read; a name without one stays whole."""
    assert variant_labels([Path(name)]) == [label]


def test_equal_labels_become_names() -> None:
    """Two models of one quantization are told apart by their names, and others keep their short label."""
    paths = [Path("a-q8_0.t.score.json"), Path("b-Q8_0.t.score.json"), Path("c-f32.t.score.json")]
    assert variant_labels(paths) == ["a-q8_0.t", "b-Q8_0.t", "f32"]


def test_equal_names_become_paths_and_one_file_twice_is_numbered() -> None:
    """Labels are unique, whatever is compared."""
    paths = [Path("x/r1/a-q8_0.score.json"), Path("x/r2/a-q8_0.score.json"), Path("y/r2/a-q8_0.score.json")]
    assert variant_labels(paths) == ["r1/a-q8_0", "x/r2/a-q8_0.score.json", "y/r2/a-q8_0.score.json"]
    twice = variant_labels([Path("a.score.json")] * 2)
    assert twice == ["a.score.json #1", "a.score.json #2"]
