"""The decode recipe: what must be equal before two word error rates may be compared."""

import hashlib
import json
from typing import Annotated, Literal

from pydantic import BeforeValidator

from pytest_asrgate.config.fields import LARGEST_WHOLE, PositiveInteger, Table, YesOrNo
from pytest_asrgate.languages import language_problem
from pytest_asrgate.values import finite_number, shown

__all__ = ["CONTRACT_FIELDS", "Recipe"]

# What a comparison needs to be equal; the rest of the recipe is provenance and only printed (DESIGN.md).
CONTRACT_FIELDS = (
    "timestamps",
    "decoding",
    "temperatures",
    "compression_ratio",
    "logprob",
    "no_speech",
    "condition_on_previous",
)


def _finite(value: object) -> object:
    number = finite_number(value)
    if number is None:
        raise ValueError(f"must be a finite number; got {shown(value)}")
    return number


def _ladder(value: object) -> object:
    if not isinstance(value, list | tuple) or not value:
        raise ValueError(f"must be a list of temperatures such as [0.0, 0.2]; got {shown(value)}")
    steps = []
    for step in value:
        number = finite_number(step)
        if number is None or not 0 <= number <= 1:
            raise ValueError(f"every temperature lies between 0 and 1; got {shown(step)}")
        steps.append(number)
    if steps[0] != 0.0 or steps != sorted(set(steps)):
        raise ValueError(f"the ladder starts at 0.0 (greedy) and rises; got {shown(value)}")
    return tuple(steps)


def _seed(value: object) -> object:
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= LARGEST_WHOLE:
        raise ValueError(
            f"must be a whole number of 1 or more (0 asks the engine for a random seed); got {shown(value)}"
        )
    return value


def _dataset_or_language(value: object) -> object:
    if value == "dataset":
        return value
    problem = language_problem(value) if isinstance(value, str) else f"must be a text; got {shown(value)}"
    if problem:
        raise ValueError(f'{problem}; or "dataset" for the language of each utterance')
    return value


class Recipe(Table):
    """The pinned decode recipe of the methodology document, with the document's defaults.

    `seed` is 1 where the document says 0: in transcribe.cpp 0 asks a random device, which repeats nothing.
    """

    timestamps: Literal["none", "segment", "word", "token"] = "none"
    language: Annotated[str, BeforeValidator(_dataset_or_language)] = "dataset"
    decoding: Literal["greedy"] = "greedy"
    temperatures: Annotated[tuple[float, ...], BeforeValidator(_ladder)] = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
    compression_ratio: Annotated[float, BeforeValidator(_finite)] = 2.4
    logprob: Annotated[float, BeforeValidator(_finite)] = -1.0
    no_speech: Annotated[float, BeforeValidator(_finite)] = 0.6
    condition_on_previous: YesOrNo = False
    seed: Annotated[int, BeforeValidator(_seed)] = 1
    threads: PositiveInteger = 1
    batch_size: PositiveInteger = 1
    kv_type: Literal["auto", "f32", "f16"] = "auto"

    def digest(self, language: str) -> str:
        """SHA-256 over everything that shapes an engine's output for one utterance in `language`."""
        fields = self.model_dump(mode="json") | {"language": language}
        return hashlib.sha256(json.dumps(fields, sort_keys=True).encode()).hexdigest()

    def contract(self) -> dict[str, object]:
        """The part of the recipe that two compared runs must share, as plain JSON values."""
        fields = self.model_dump(mode="json")
        return {name: fields[name] for name in CONTRACT_FIELDS}
