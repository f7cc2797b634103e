"""The tables of gate.toml as they stand in the file, before defaults and names are resolved."""

import re
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from pytest_asrgate.config.fields import (
    AudioSeconds,
    Count,
    Device,
    Language,
    Name,
    Nice,
    Number,
    PositiveInteger,
    PositiveNumber,
    Table,
    Tag,
    Text,
    Whole,
    Workers,
    YesOrNo,
)
from pytest_asrgate.config.recipe import Recipe
from pytest_asrgate.config.thresholds import Thresholds
from pytest_asrgate.values import LONGEST_AUDIO_S, shown

__all__ = [
    "DatasetTable",
    "ExecutorTable",
    "GateFile",
    "GateTable",
    "JudgeTable",
    "PairTable",
    "SliceTable",
    "TranscriberTable",
    "VariantTable",
]


def _baseline(value: object) -> object:
    if isinstance(value, dict):
        raise ValueError("accepted baselines are not built yet; name a variant")
    return value


def _make(value: object) -> object:
    if not isinstance(value, list) or not value or not all(isinstance(word, str) and word for word in value):
        raise ValueError(
            f'must be a list of words such as ["python", "make.py", "{{model}}"] (no shell); got {shown(value)}'
        )
    return tuple(value)


def _speakers(value: object) -> object:
    if isinstance(value, dict):
        if set(value) != {"regex"} or not isinstance(value["regex"], str):
            raise ValueError(f'must be a field name, "fixed", "none" or {{ regex = "…" }}; got {shown(value)}')
        try:
            re.compile(value["regex"])
        except (re.error, OverflowError, RecursionError) as error:
            raise ValueError(f"{shown(value['regex'])} is no regular expression ({error})") from None
        return "regex:" + value["regex"]
    if not isinstance(value, str) or not value:
        raise ValueError(f'must be a field name, "fixed", "none" or {{ regex = "…" }}; got {shown(value)}')
    return value


def _factory(value: object) -> object:
    if not isinstance(value, str) or not re.fullmatch(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*", value):
        raise ValueError(f'must be "module:factory", a function that returns a Dask cluster; got {shown(value)}')
    return value


Baseline = Annotated[Name, BeforeValidator(_baseline)]


class GateTable(Table):
    """[gate]: what holds for the whole file."""

    baseline: Baseline | None = None
    state: Text = ".asrgate"
    inconclusive: Literal["fail", "warn"] = "fail"
    stop_early: YesOrNo = False
    early_seed: PositiveInteger = 1


class ExecutorTable(Table):
    """[executor]: where the native work runs; `wait_s` in seconds, `folders` from here to there."""

    kind: Literal["local", "dask"] = "local"
    workers: Workers | None = None
    devices: list[Device] = Field(default_factory=list)
    nice: Nice = 0
    pin: YesOrNo = False
    address: Text | None = None
    cluster: Annotated[str, BeforeValidator(_factory)] | None = None
    resources: dict[Text, PositiveNumber] = Field(default_factory=lambda: {"model": 1.0})
    retries: Whole = 2
    wait_s: PositiveNumber = 60.0
    folders: dict[Text, Text] = Field(default_factory=dict)


class JudgeTable(Table):
    """[judge]: who judges meaning, and what it may cost; 0 is no limit, prices are US dollars a million tokens.

    `min_kappa` is the agreement with people, beyond chance, that `calibration` must show before anything is judged.
    """

    model: Text = "rules"
    mode: Literal["replay", "record", "live", "off"] = "replay"
    cassette: Text | None = None
    api_base: str = ""
    api_key: str = ""
    votes: PositiveInteger = 3
    max_cost_usd: Number = 0.0
    max_calls: Count = 0
    concurrency: PositiveInteger = 8
    timeout_s: PositiveNumber = 60.0
    max_tokens: PositiveInteger = 4000
    price_in_usd: Number | None = None
    price_out_usd: Number | None = None
    calibration: Text | None = None
    min_kappa: Number | None = None


class TranscriberTable(Table):
    """[transcriber.NAME]: an engine and how it is driven; `timeout_s` per utterance, memory in MB.

    A sample is decoded again `repeat` times, 1 for not at all; `deterministic` says that nothing may then differ.
    """

    kind: Text
    backend: Text = "cpu"
    timeout_s: PositiveNumber = 60.0
    memory_mb: PositiveInteger = 4000
    repeat: PositiveInteger = 1
    deterministic: YesOrNo = False
    options: dict[str, object] = Field(default_factory=dict)


class PairTable(Table):
    """[variant.NAME.dataset.NAME]: what is special about one pair."""

    expect: Literal["pass", "fail"] = "pass"
    thresholds: Thresholds = Field(default_factory=Thresholds)


class VariantTable(Table):
    """[variant.NAME]: one model under one engine."""

    transcriber: Name | None = None
    model: Text | None = None
    make: Annotated[tuple[str, ...], BeforeValidator(_make)] | None = None
    baseline: Baseline | None = None
    ship: YesOrNo = False
    dataset: dict[Name, PairTable] = Field(default_factory=dict)
    thresholds: Thresholds = Field(default_factory=Thresholds)


class SliceTable(Table):
    """[dataset.NAME.slice.TAG]: the utterances of a dataset that carry one tag; nothing is inherited."""

    thresholds: Thresholds = Field(default_factory=Thresholds)


class DatasetTable(Table):
    """[dataset.NAME]: a manifest and how it is scored; `catastrophic_rate` in percent, of one utterance.

    `audio_outside` lets relative paths of the manifest climb out of its folder.
    """

    manifest: Text
    language: Language | None = None
    metric: Literal["auto", "wer", "cer"] = "auto"
    normaliser: Literal["auto", "whisper-english", "basic", "basic-marks", "indic", "none"] = "auto"
    dediarize: YesOrNo = False
    speakers: Annotated[str, BeforeValidator(_speakers)] = "speaker"
    catastrophic_rate: PositiveNumber = 50.0
    max_audio_s: AudioSeconds = LONGEST_AUDIO_S
    audio_outside: YesOrNo = False
    required: YesOrNo = True
    judged: list[Literal["semantic", "intent"]] = Field(default_factory=list)
    thresholds: Thresholds = Field(default_factory=Thresholds)
    slice: dict[Tag, SliceTable] = Field(default_factory=dict)


class GateFile(Table):
    """The whole file."""

    gate: GateTable = Field(default_factory=GateTable)
    recipe: Recipe = Field(default_factory=Recipe)
    executor: ExecutorTable = Field(default_factory=ExecutorTable)
    judge: JudgeTable = Field(default_factory=JudgeTable)
    transcriber: dict[Name, TranscriberTable] = Field(default_factory=dict)
    variant: dict[Name, VariantTable] = Field(default_factory=dict)
    dataset: dict[Name, DatasetTable] = Field(default_factory=dict)
    thresholds: Thresholds = Field(default_factory=Thresholds)
