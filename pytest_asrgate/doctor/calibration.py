"""Whether the judge of a gate agrees with people, by its newest calibrations, and whether that is asked for."""

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from pytest_asrgate.doctor.findings import Finding, fact, problem

if TYPE_CHECKING:
    # What reads a gate file may be what is broken.
    from pytest_asrgate.config import Gate

__all__ = ["calibrations"]

_TASKS = ("semantic", "intent")


def _limiting_entities(gate: "Gate") -> set[str]:
    """The data sets on which a limit is on entities."""
    from pytest_asrgate.calibrated import limits_entities  # noqa: PLC0415 - as above

    return {pair.dataset.name for pair in gate.pairs if limits_entities(pair.thresholds.limits())}


def _languages(gate: "Gate", task: str, names: Collection[str]) -> set[str]:
    """The languages of these data sets, those that buy the task, as far as their manifests can be read."""
    from pytest_asrgate.datasets.load import load_dataset  # noqa: PLC0415 - as above
    from pytest_asrgate.errors import AsrGateError  # noqa: PLC0415 - as above
    from pytest_asrgate.languages import canonical_language  # noqa: PLC0415 - as above

    found = set()
    for dataset in gate.datasets.values():
        if task not in dataset.judged or dataset.name not in names:
            continue
        try:
            utterances = load_dataset(dataset, gate.recipe).utterances
        except AsrGateError:
            # Told where manifests are looked at.
            continue
        found |= {canonical_language(each.language) if each.language else "en" for each in utterances}
    return found


def _state(gate: "Gate", task: str) -> Iterator[Finding]:
    from pytest_asrgate.calibrated import calibration_problem, calibration_used  # noqa: PLC0415 - as above
    from pytest_asrgate.errors import JudgeError  # noqa: PLC0415 - as above
    from pytest_asrgate.reports.calibration import agreement_text  # noqa: PLC0415 - as above

    settings, name = gate.judge, f"calibration of {task}"
    try:
        found = calibration_used(settings, task)
    except JudgeError as error:
        yield problem(name, error)
        return
    asked = f"judge.min_kappa = {settings.min_kappa:g}" if settings.min_kappa is not None else "no judge.min_kappa"
    if found is not None:
        first = found.replies.first[:10]
        old = f" by replies from {first} on" if first < found.date[:10] else ""
        yield fact(name, f"{agreement_text(found.whole)} on {found.date[:10]}{old}; {asked}")
        for language, each in found.languages.items():
            yield fact(f"{name}, {language}", agreement_text(each))
        if found.entities.n:
            yield fact(f"{name}, entities", agreement_text(found.entities))
        for language, each in found.entity_languages.items():
            yield fact(f"{name}, entities, {language}", agreement_text(each))
    elif settings.min_kappa is None:
        yield fact(name, "none of this judge, and no judge.min_kappa asks for one")
    why = calibration_problem(settings, task, _languages(gate, task, gate.datasets))
    limiting = _limiting_entities(gate) if task == "intent" else set()
    if limiting and not why:
        why = calibration_problem(settings, task, _languages(gate, task, limiting), entities=True)
    if why:
        yield problem(name, why)


def calibrations(gate: "Gate") -> Iterator[Finding]:
    """The newest calibration of the gate's judge for each judged score that a data set buys, by language.

    A problem is what would keep the judge from gating; without `judge.min_kappa` only a damaged file is one.
    """
    for task in _TASKS:
        if any(task in dataset.judged for dataset in gate.datasets.values()):
            yield from _state(gate, task)
