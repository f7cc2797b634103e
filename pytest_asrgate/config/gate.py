"""The resolved gate: absolute paths, resolved thresholds, one Pair for every variant × dataset."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pytest_asrgate.config.problems import nearest
from pytest_asrgate.config.recipe import Recipe
from pytest_asrgate.config.thresholds import Thresholds
from pytest_asrgate.errors import UnknownNameError
from pytest_asrgate.values import LONGEST_AUDIO_S, shown

# A value such as "1" or "cpu" is no secret, and replacing it would garble every message.
_SHORTEST_SECRET = 6

__all__ = [
    "Dataset",
    "ExecutorSettings",
    "Gate",
    "JudgeSettings",
    "Pair",
    "TranscriberSettings",
    "Variant",
    "redacted",
]


def redacted(text: str, secrets: Mapping[str, str]) -> str:
    """Replace each value of `secrets` by its reference, the longest first, and none that is very short."""
    for value, reference in sorted(secrets.items(), key=lambda item: -len(item[0])):
        if len(value) >= _SHORTEST_SECRET:
            text = text.replace(value, reference)
    return text


@dataclass(frozen=True, slots=True)
class ExecutorSettings:
    """Where model processes run; `wait_s` is how long a cluster without workers is waited for, in seconds.

    `workers` None is one at a time, uncounted over processes; a number is never exceeded on one machine. `devices`
    are dealt to the workers in turn. `cluster` names a function that makes a Dask cluster, `address` a scheduler
    that runs. `folders` leads from an absolute path here to a folder or URL where workers find the same files.
    `pin` keeps each worker's engine on its own share of this machine's cores.
    """

    kind: str = "local"
    workers: int | None = None
    devices: tuple[str, ...] = ()
    pin: bool = False
    address: str | None = None
    cluster: str | None = None
    resources: Mapping[str, float] = field(default_factory=lambda: {"model": 1.0})
    retries: int = 2
    wait_s: float = 60.0
    folders: Mapping[Path, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class JudgeSettings:
    """Who judges meaning, and what that may cost; `model` is "rules" or a name that litellm knows.

    `cassette` is the file of replies, `folder` where what processes of one run spend is counted. 0 is no limit for
    `max_cost_usd`, in US dollars, and `max_calls`, of one run. `price_in_usd` and `price_out_usd` are of a million
    tokens, None for what litellm knows. `timeout_s` is for one call, in seconds by the clock on the wall. `unset`
    names the environment variables that key or address are in and that are not set, or empty: who only replays
    needs none of them. `min_kappa` is Cohen's kappa that the results in the file `calibration` must reach before
    the judge is asked, None for no such condition.
    """

    cassette: Path = Path("judge") / "cassette.jsonl"
    folder: Path = Path("judge")
    model: str = "rules"
    mode: str = "replay"
    api_base: str = ""
    api_key: str = field(default="", repr=False)
    votes: int = 3
    max_cost_usd: float = 0.0
    max_calls: int = 0
    concurrency: int = 8
    timeout_s: float = 60.0
    max_tokens: int = 4000
    price_in_usd: float | None = None
    price_out_usd: float | None = None
    unset: tuple[str, ...] = ()
    calibration: Path = Path("judge") / "calibration.json"
    min_kappa: float | None = None


@dataclass(frozen=True, slots=True)
class TranscriberSettings:
    """How one engine is driven; `timeout_s` per utterance in seconds, `memory_mb` of resident memory.

    A sample is decoded again `repeat` times, 1 for not at all; one that is declared `deterministic` must not flip.
    `device` is set for one worker of several, such as "cuda:1"; empty leaves the choice to the engine. So are the
    `cores` that its process is kept on, none for all. `nice` is the process's niceness, never below our own.
    """

    name: str
    kind: str
    backend: str
    timeout_s: float
    memory_mb: int
    options: Mapping[str, object]
    repeat: int = 1
    deterministic: bool = False
    device: str = ""
    nice: int = 0
    cores: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Variant:
    """One model under one engine; `baseline` is the variant it is compared with, None for nothing.

    `make_shown` is the command as the gate file has it, before environment variables were filled in.
    """

    name: str
    transcriber: TranscriberSettings
    model: Path | None
    make: tuple[str, ...] | None
    baseline: str | None
    make_shown: str = ""


@dataclass(frozen=True, slots=True)
class Dataset:
    """One manifest and how it is scored; `speakers` is a field name, "fixed", "none" or "regex:…".

    `catastrophic_rate` is the rate of one utterance, in percent, above which it counts as catastrophic. `slices`
    are the tags whose utterances are judged by themselves, each with all the limits that it has. `judged` names the
    scores of meaning that are bought. Audio longer than
    `max_audio_s`, in seconds, is an error row; `audio_outside` lets relative paths climb out of the manifest's
    folder.
    """

    name: str
    manifest: Path
    language: str | None
    metric: str
    normaliser: str
    dediarize: bool
    speakers: str
    catastrophic_rate: float = 50.0
    max_audio_s: float = LONGEST_AUDIO_S
    audio_outside: bool = False
    slices: Mapping[str, Thresholds] = field(default_factory=dict)
    judged: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Pair:
    """One item of the gate."""

    variant: Variant
    dataset: Dataset
    thresholds: Thresholds
    expected_to_fail: bool


@dataclass(frozen=True, slots=True)
class Gate:
    """A whole gate file; `pairs` run through the variants in file order, each over all datasets.

    `stop_early` lets a pair with a margin end as soon as it is decided; `early_seed` fixes the order it decodes in.
    `rehash` reads audio and models again that were hashed before and look unchanged.
    """

    path: Path
    state: Path
    inconclusive_passes: bool
    recipe: Recipe
    variants: Mapping[str, Variant]
    datasets: Mapping[str, Dataset]
    pairs: tuple[Pair, ...]
    stop_early: bool = False
    early_seed: int = 1
    rehash: bool = False
    executor: ExecutorSettings = field(default_factory=ExecutorSettings)
    judge: JudgeSettings = field(default_factory=JudgeSettings)
    notes: tuple[str, ...] = ()
    secrets: Mapping[str, str] = field(default_factory=dict)
    _by_names: Mapping[tuple[str, str], Pair] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        # Each item asks for its pair, and there may be thousands.
        found = {(pair.variant.name, pair.dataset.name): pair for pair in self.pairs}
        object.__setattr__(self, "_by_names", found)

    def redact(self, text: str) -> str:
        """Put `${NAME}` back where the value of an environment variable stands, since it may be a secret."""
        return redacted(text, self.secrets)

    def pair(self, variant: str, dataset: str) -> Pair:
        """The pair of these two names; UnknownNameError, with the nearest right word, where the gate has none."""
        for kind, name, known in (("variant", variant, self.variants), ("dataset", dataset, self.datasets)):
            if name not in known:
                raise UnknownNameError(f"{self.path}: there is no {kind} {shown(name)}{nearest(name, known)}")
        return self._by_names[variant, dataset]
