"""Whether a judge may gate: its newest calibration, held against what a gate asks of it."""

import hashlib
import shlex
from collections.abc import Collection, Iterable, Mapping
from functools import cache

from pytest_asrgate.config import JudgeSettings
from pytest_asrgate.errors import JudgeError
from pytest_asrgate.judge.calibration import newest, read_calibrations
from pytest_asrgate.judge.requests import reply_keys
from pytest_asrgate.judge.task import Question
from pytest_asrgate.languages import canonical_language
from pytest_asrgate.records import Difference, Utterance
from pytest_asrgate.records.calibration import Agreement, Calibration

__all__ = [
    "FEWEST_LABELS",
    "calibration_command",
    "calibration_problem",
    "calibration_used",
    "check_calibrated",
    "check_served",
    "limits_entities",
    "prompt_of",
    "served_problem",
    "shortfall",
]

# Human labels that a judge was asked about, for a language to be gated: at a kappa of 0.8 the 95 % interval of so
# many is about 0.3 wide either way, and fewer say nothing.
FEWEST_LABELS = 20

# Whose replies are not asked for here: only what all models are asked with is in a digest.
_NOBODY = JudgeSettings(model="", votes=1, max_tokens=1)


def _samples(task: str) -> tuple[int, list[Question]]:
    """The version of the task's rules, and one question of each kind that it asks."""
    if task == "semantic":
        from pytest_asrgate.semantic.normalise import SEMANTIC_VERSION  # noqa: PLC0415 - a gate without it needs none
        from pytest_asrgate.semantic.task import semantic_question  # noqa: PLC0415 - as above

        return SEMANTIC_VERSION, [semantic_question("a", "b", [Difference(1, "a", "b", 1, 0, 0)], language="en")]
    from pytest_asrgate.intent.equality import INTENT_RULES_VERSION  # noqa: PLC0415 - as above
    from pytest_asrgate.intent.listing import Listed, listing_question  # noqa: PLC0415 - as above
    from pytest_asrgate.intent.task import intent_question  # noqa: PLC0415 - as above

    entities = (Listed("a", "person", 1),)
    return INTENT_RULES_VERSION, [
        listing_question("a", language="en", context=None),
        intent_question("a", "b", entities, language="en", context=None, risky=()),
    ]


@cache
def prompt_of(task: str) -> str:
    """The digest of what a judge is asked for "semantic" or "intent", whoever it is: a SHA-256.

    It changes with instructions, schemas and versions of the task's questions, with how they are put to a model,
    and with the version of the rules that decide what is asked.
    """
    version, samples = _samples(task)
    parts = [f"{task} {version}", *(reply_keys(question, _NOBODY)[0] for question in samples)]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def calibration_command(settings: JudgeSettings, task: str, mode: str = "record") -> str:
    """What calibrates this judge for this task, as it is typed; LABELS.jsonl stands for the file of labels.

    In mode record only those labels cost a call that no reply is kept of; in live each does, and none is answered
    by what the judge said before.
    """
    votes = "" if settings.votes == JudgeSettings().votes else f" --votes {settings.votes}"
    return (
        f"asrgate judge --calibrate LABELS.jsonl --task {task} --model {shlex.quote(settings.model)}{votes} "
        f"--mode {mode} --calibration {shlex.quote(str(settings.calibration))}"
    )


def calibration_used(settings: JudgeSettings, task: str) -> Calibration | None:
    """The newest calibration of just this judge: task, model, prompt and votes; JudgeError for a damaged file."""
    every = read_calibrations(settings.calibration)
    return newest(every, task, settings.model, prompt=prompt_of(task), votes=settings.votes)


def _low(found: Agreement, least: float) -> str:
    """Why an agreement is not enough, in a clause; empty where it is."""
    if not found.n:
        return "there are no human labels that it was asked about"
    if found.kappa is None:
        return (
            f"kappa is undefined, since people and judge gave all {found.n} the same label: add labels of another"
        )
    if found.kappa < least:
        return f"kappa is {found.kappa:.2f} over {found.n} labels, below judge.min_kappa = {least:g}"
    return ""


def _lack(
    whole: Agreement, parts: Mapping[str, Agreement], languages: Collection[str], least: float, labels: str
) -> str:
    """Why agreement over all and over each of these languages is not enough, in a clause; empty where it is."""
    if why := _low(whole, least):
        return why
    every = [(f"language {name}", parts.get(name, Agreement())) for name in sorted(languages)]
    for where, part in every or [("it", whole)]:
        if part.n < FEWEST_LABELS:
            return (
                f"{where} has {part.n} human {labels} that it was asked about, and {FEWEST_LABELS} are the fewest "
                "that say anything"
            )
        if low := _low(part, least):
            return f"{where}: {low}"
    return ""


def shortfall(found: Calibration, languages: Iterable[str], least: float, *, entities: bool = False) -> str:
    """Why a calibration does not reach a kappa of `least`, in a clause; empty where it does.

    Over all that the judge was asked about, and over each of these languages, which must have 20 labels or more;
    with `entities` both hold for labels of entities, too, of which those count that the judge did not name.
    """
    every = set(languages)
    if why := _lack(found.whole, found.languages, every, least, "labels"):
        return why
    if not entities:
        return ""
    low = _lack(found.entities, found.entity_languages, every, least, "labels of entities")
    return f"entities: {low}" if low else ""


def _absent(settings: JudgeSettings, task: str) -> str:
    """Why no calibration is of just this judge."""
    every = read_calibrations(settings.calibration)
    if not every:
        there = "holds no calibration" if settings.calibration.exists() else "is not there"
        return f"{settings.calibration} {there}"
    last = newest(every, task, settings.model)
    if last is None:
        return f"{settings.calibration} has no calibration of this model for this task"
    votes = newest(every, task, settings.model, prompt=prompt_of(task))
    if votes is None:
        return f"it is asked otherwise now (prompt or rules) than on {last.date[:10]}, when it was calibrated last"
    return f"it was calibrated with votes = {votes.votes}, and judge.votes is {settings.votes}"


def limits_entities(limits: Iterable[str]) -> bool:
    """Whether one of these limits, by their names in a gate file, is on the entity score."""
    return any(name.startswith("entity") for name in limits)


def calibration_problem(
    settings: JudgeSettings, task: str, languages: Iterable[str], *, entities: bool = False
) -> str:
    """Why this judge may not gate a data set of these canonical languages, in one sentence; empty where it may.

    Without `min_kappa` every judge may. Otherwise its newest calibration for "semantic" or "intent" must be of the
    same model, prompt, rules and votes, with a kappa of `min_kappa` or more over all that the judge was asked
    about, and over each language, of at least 20 labels; where `entities` are limited, over these, too, in each
    language. A damaged file is a problem, too.
    """
    least = settings.min_kappa
    if least is None:
        return ""
    try:
        found = calibration_used(settings, task)
        why = _absent(settings, task) if found is None else shortfall(found, languages, least, entities=entities)
    except JudgeError as error:
        return str(error)
    # Who was found wanting is asked anew: kept replies would only show again what it was, or was once.
    return _sentence(settings, task, why, "record" if found is None else "live") if why else ""


def _sentence(settings: JudgeSettings, task: str, why: str, mode: str = "record") -> str:
    return (
        f"judge {settings.model} may not gate {task} under judge.min_kappa: {why}; calibrate it with "
        f"{calibration_command(settings, task, mode)}"
    )


def _model(served: str) -> str:
    """The model of a name without its fingerprint, which changes with the machines that serve it."""
    return served.partition(" (")[0]


def served_problem(settings: JudgeSettings, task: str, served: Iterable[str]) -> str:
    """Why replies may not gate that a server gave under these names of the model; empty where they may.

    Without `min_kappa`, and where one side names nobody, they may. Raises JudgeError for a damaged file.
    """
    names = {_model(name): None for name in served}
    if settings.min_kappa is None or not names:
        return ""
    found = calibration_used(settings, task)
    known = {_model(name): None for name in found.served} if found else {}
    strange = [name for name in names if name not in known]
    if found is None or not known or not strange:
        return ""
    why = (
        f"the server answered as {', '.join(strange)}, and as {', '.join(known)} when it was calibrated on "
        f"{found.date[:10]}"
    )
    # Mode record would take the kept replies of the model before.
    sentence = _sentence(settings, task, why, "live")
    return f"{sentence}; where kept replies are by an earlier one, record those anew"


def check_calibrated(
    settings: JudgeSettings, task: str, utterances: Iterable[Utterance], limits: Iterable[str] = ()
) -> None:
    """Raise JudgeError where the judge may not gate these utterances by these limits; see `calibration_problem`."""
    if settings.min_kappa is None:
        return
    languages = {canonical_language(each.language) if each.language else "en" for each in utterances}
    if problem := calibration_problem(settings, task, languages, entities=limits_entities(limits)):
        raise JudgeError(problem)


def check_served(settings: JudgeSettings, task: str, served: Iterable[str]) -> None:
    """Raise JudgeError where another model has answered than the calibrated one; see `served_problem`."""
    if problem := served_problem(settings, task, served):
        raise JudgeError(problem)
