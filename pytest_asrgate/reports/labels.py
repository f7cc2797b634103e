"""Short names for compared runs: the quantization in a model's name, as `q8_0` or `f32`."""

import re
from collections.abc import Callable, Sequence
from pathlib import Path

__all__ = ["variant_labels"]

_ENDS = (".score.json", ".jsonl", ".json")
_EDGE = r"(?:^|(?<=[-_. ]))"
_GAP = r"[-_. ]?"
# The weight types of GGUF files and the compute types of other engines; separators and case are written freely.
_KINDS = re.compile(
    _EDGE
    + r"(?:(?P<plain>b?f16|fp16|f32|fp32|f64|fp8|int8|int4|mxfp4|nvfp4)"
    + rf"|(?P<family>i?q\d|tq\d){_GAP}(?P<rest>k{_GAP}(?:xs|s|m|l|xl)|k|0|1|nl|xxs|xs|s|m))"
    + r"(?=[-_. ]|$)",
    re.IGNORECASE,
)


def _stem(path: Path) -> str:
    name = path.name
    for end in _ENDS:
        name = name.removesuffix(end)
    return re.sub(r"-timestamps_[a-z]+$", "", name)


def _quantization(path: Path) -> str:
    """The weight type in the model's part of the name, in lower case with underscores, or the name without one.

    A model's name ends with it, before a dot; the data set's name follows.
    """
    stem = _stem(path)
    found = list(_KINDS.finditer(stem))
    if not found:
        return stem
    last = next((match for match in found if stem[match.end() : match.end() + 1] in {"", "."}), found[-1])
    if last["plain"]:
        return str(last["plain"]).lower()
    rest = re.sub(r"[-_. ]", "", last["rest"]).lower()
    parts = [str(last["family"]).lower(), *(["k", rest[1:]] if rest.startswith("k") and len(rest) > 1 else [rest])]
    return "_".join(parts)


def _with_folder(path: Path) -> str:
    return f"{path.parent.name}/{_stem(path)}" if path.parent.name else _stem(path)


# Each says more than the one before it.
_WAYS: tuple[Callable[[Path], str], ...] = (_quantization, _stem, _with_folder, str)


def variant_labels(paths: Sequence[Path]) -> list[str]:
    """A label for each score file, all different: the quantization; where that is not enough, name or path.

    One file given twice is numbered.
    """
    labels = [_quantization(path) for path in paths]
    for way in _WAYS[1:]:
        labels = [
            way(path) if labels.count(label) > 1 else label for path, label in zip(paths, labels, strict=True)
        ]
    return [
        f"{label} #{labels[: number + 1].count(label)}" if labels.count(label) > 1 else label
        for number, label in enumerate(labels)
    ]
