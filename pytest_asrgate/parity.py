"""The same utterances under the gate's recipe and under one other setting: do the texts stay the same?"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pytest_asrgate.config import Gate, Pair
from pytest_asrgate.determinism import output_of
from pytest_asrgate.errors import TranscriberError
from pytest_asrgate.records import Comparison, RowStatus, Score
from pytest_asrgate.runs import Runs
from pytest_asrgate.sampling import sample_places
from pytest_asrgate.scoring import chosen_rule, compare, score
from pytest_asrgate.transcribers.registry import KINDS

__all__ = ["SETTINGS", "Parity", "Usual", "decode_under", "decode_usual", "other_values"]

SETTINGS = ("threads", "batch_size")


@dataclass(frozen=True, slots=True)
class Usual:
    """A sample of a pair, decoded under the gate's own recipe; `places` are those of its `total` utterances."""

    pair: Pair
    places: tuple[int, ...]
    total: int
    score: Score


@dataclass(frozen=True, slots=True)
class Parity:
    """What became of the sample under one other setting.

    `compared` utterances were decoded on both sides; `differing` are those of them whose text or status differs,
    `lost` and `usual_lost` the error rows under this setting and under the gate's recipe. `comparison` is None
    where no reference words are left. `unused` says why nothing was decoded, `doubt` what equal texts do not show.
    """

    setting: str
    value: int
    unused: str = ""
    doubt: str = ""
    compared: int = 0
    differing: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    usual_lost: tuple[str, ...] = ()
    comparison: Comparison | None = None

    @property
    def equal(self) -> bool:
        """Whether nothing differs: no text, no status, and the same utterances ended in an error."""
        return not self.differing and self.lost == self.usual_lost


def other_values(gate: Gate, *, batch: int) -> list[tuple[str, int]]:
    """The settings to try beside the gate's own: 1 and 2 threads, and batches of 1 and of `batch` utterances."""
    recipe = gate.recipe
    wanted = [("threads", 1), ("threads", 2), ("batch_size", 1), ("batch_size", batch)]
    return [(name, value) for name, value in wanted if getattr(recipe, name) != value]


def _scored(gate: Gate, pair: Pair, places: Sequence[int]) -> Score:
    runs = Runs(gate)
    try:
        part = runs.dataset(pair.dataset).part(places)
        return score(runs.hypotheses(pair.variant, pair.dataset, places), pair.dataset, part)
    finally:
        runs.close()


def decode_usual(gate: Gate, variant: str, dataset: str, *, clips: int | None) -> Usual:
    """Decode a sample of `clips` utterances, all for None, drawn by the recipe's seed, under the gate's recipe.

    Raises AsrGateError where that cannot be done, as for stored hypotheses.
    """
    pair = gate.pair(variant, dataset)
    if KINDS[pair.variant.transcriber.kind].stored:
        raise TranscriberError(
            f"variant.{variant} replays stored hypotheses, so no setting changes anything; name one with an engine"
        )
    runs = Runs(gate)
    try:
        data = runs.dataset(pair.dataset)
        # What cannot be scored need not be decoded.
        chosen_rule(pair.dataset, data)
    finally:
        runs.close()
    total = len(data.utterances)
    places = tuple(sample_places(total, gate.recipe.seed, total if clips is None else clips))
    return Usual(pair, places, total, _scored(gate, pair, places))


def _unused(usual: Usual, setting: str) -> str:
    """Why a setting changes nothing for this engine; empty where it may."""
    kind = usual.pair.variant.transcriber.kind
    if setting == "batch_size" and not KINDS[kind].sends_batches:
        return f"{kind} is asked for one utterance at a time"
    if setting in usual.score.hypotheses.not_controllable:
        return f"{kind} cannot be told"
    return ""


def _doubt(usual: Usual, setting: str) -> str:
    kind = usual.pair.variant.transcriber.kind
    if setting == "batch_size":
        return f"{kind} was given groups; it does not say whether this model computes a group at once"
    if "not stated" in usual.score.hypotheses.not_controllable:
        return f"{kind} does not say whether it uses {setting}"
    return ""


def decode_under(gate: Gate, usual: Usual, setting: str, value: int) -> Parity:
    """Decode the sample with one setting of the recipe changed and compare it with the usual one, row by row.

    Raises AsrGateError where the engine cannot be used.
    """
    unused = _unused(usual, setting)
    if unused:
        return Parity(setting, value, unused)
    changed = replace(gate, recipe=gate.recipe.model_copy(update={setting: value}))
    found = _scored(changed, usual.pair, usual.places)
    pairs = list(zip(usual.score.hypotheses.hypotheses, found.hypotheses.hypotheses, strict=True))
    both = [(a, b) for a, b in pairs if RowStatus.ERROR not in {a.status, b.status}]
    return Parity(
        setting,
        value,
        doubt=_doubt(usual, setting),
        compared=len(both),
        differing=tuple(a.id for a, b in both if output_of(a) != output_of(b)),
        lost=tuple(b.id for _, b in pairs if b.status is RowStatus.ERROR),
        usual_lost=tuple(a.id for a, _ in pairs if a.status is RowStatus.ERROR),
        comparison=compare(found, usual.score),
    )
