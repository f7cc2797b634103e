"""The pass over names that must fit together; it reads the raw file, so it works beside field problems too."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pytest_asrgate.config.problems import dotted, first_hints
from pytest_asrgate.config.thresholds import NEEDS_BASELINE, NOT_OF_A_SLICE
from pytest_asrgate.records import Problem
from pytest_asrgate.values import first_of, shown

__all__ = ["cross_check"]


def _table(value: object, *keys: str) -> Mapping[str, Any]:
    """The table at a path of keys, or an empty one where the file holds none (a field problem says so)."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}


def _names(names: Iterable[str]) -> str:
    """The first few of many names, as a message has them."""
    return first_of([dotted([name]) for name in names])


def _baselines(raw: Mapping[str, Any]) -> Iterator[Problem]:
    variants = _table(raw, "variant")
    places = [("gate.baseline", _table(raw, "gate").get("baseline"))]
    places += [(dotted(["variant", name, "baseline"]), _table(variants, name).get("baseline")) for name in variants]
    hint = first_hints()
    for key, name in places:
        if isinstance(name, str) and variants and name not in variants:
            yield Problem(key, f"there is no variant {shown(name)}" + hint(name, variants))


def _transcribers(raw: Mapping[str, Any]) -> Iterator[Problem]:
    engines, variants = _table(raw, "transcriber"), _table(raw, "variant")
    if not engines:
        yield Problem("transcriber", 'give at least one, such as [transcriber.native] with kind = "transcribe-cpp"')
        return
    hint = first_hints()
    for name in variants:
        engine = _table(variants, name).get("transcriber")
        key = dotted(["variant", name, "transcriber"])
        if engine is None and len(engines) > 1:
            yield Problem(key, f"must be given, since there are several: {_names(engines)}")
        elif isinstance(engine, str) and engine not in engines:
            yield Problem(key, f"there is no transcriber {shown(engine)}" + hint(engine, engines))


def _datasets(raw: Mapping[str, Any]) -> Iterator[Problem]:
    datasets, variants = _table(raw, "dataset"), _table(raw, "variant")
    hint = first_hints()
    for variant in variants:
        for name in _table(variants, variant, "dataset"):
            if name not in datasets:
                message = f"there is no dataset {shown(name)}" + hint(name, datasets)
                yield Problem(dotted(["variant", variant, "dataset", name]), message)


def _comparisons(raw: Mapping[str, Any]) -> Iterator[Problem]:
    """A limit on a difference needs something to differ from, unless a nearer level switches it off."""
    if _table(raw, "gate").get("baseline") is not None:
        return
    variants, datasets = _table(raw, "variant"), _table(raw, "dataset")
    faults: dict[str, list[str]] = {}
    for variant in variants:
        if _table(variants, variant).get("baseline") is not None:
            continue
        for dataset in datasets:
            set_at: dict[str, str] = {}
            for place in (
                ("thresholds",),
                ("dataset", dataset, "thresholds"),
                ("variant", variant, "thresholds"),
                ("variant", variant, "dataset", dataset, "thresholds"),
            ):
                for key, value in _table(raw, *place).items():
                    if value == "off":
                        set_at.pop(key, None)
                    elif key in NEEDS_BASELINE:
                        set_at[key] = dotted([*place, key])
            slices = _slice_limits(raw, dataset)
            set_at |= {place: place for place, key in slices.items() if key in NEEDS_BASELINE}
            for where in set_at.values():
                names = faults.setdefault(where, [])
                names += [variant] if variant not in names else []
    for where, names in faults.items():
        verb = "has" if len(names) == 1 else "have"
        message = f"needs a baseline, and {_names(names)} {verb} none; set gate.baseline to a variant's name"
        yield Problem(where, message)


def _slice_limits(raw: Mapping[str, Any], dataset: str) -> dict[str, str]:
    """Every limit of a dataset's slices that is not off: its key by its place."""
    return {
        dotted(["dataset", dataset, "slice", tag, "thresholds", key]): key
        for tag in _table(raw, "dataset", dataset, "slice")
        for key, value in _table(raw, "dataset", dataset, "slice", tag, "thresholds").items()
        if value != "off"
    }


def _slices(raw: Mapping[str, Any]) -> Iterator[Problem]:
    """Not every limit of a pair can be one of a part of its utterances."""
    for dataset in _table(raw, "dataset"):
        for place, key in _slice_limits(raw, dataset).items():
            if key in NOT_OF_A_SLICE:
                yield Problem(place, f"{NOT_OF_A_SLICE[key]}; remove it")


def _of_itself(raw: Mapping[str, Any]) -> Iterator[Problem]:
    """The baseline has nothing to differ from, and nothing else may call itself its own baseline."""
    chosen = _table(raw, "gate").get("baseline")
    for name in _table(raw, "variant"):
        own = _table(raw, "variant", name).get("baseline")
        if own == name and chosen is not None and chosen != name:
            message = (
                f"names the variant itself, which compares it with nothing; leave it out, or name {shown(chosen)}"
            )
            yield Problem(dotted(["variant", name, "baseline"]), message)
        if (own or chosen) != name:
            continue
        places: list[tuple[str, ...]] = [("variant", name, "thresholds")]
        places += [("variant", name, "dataset", d, "thresholds") for d in _table(raw, "variant", name, "dataset")]
        for place in places:
            for key, value in _table(raw, *place).items():
                if key in NEEDS_BASELINE and value != "off":
                    message = (
                        f"{dotted([name])} is its own baseline, so there is nothing to compare it with; remove it"
                    )
                    yield Problem(dotted([*place, key]), message)


def _file_names(raw: Mapping[str, Any]) -> Iterator[Problem]:
    """Two pairs must not write one hypothesis file: `a.b` with `c`, and `a` with `b.c`; nor `A` and `a`.

    Some file systems, as those of macOS and Windows, do not tell large letters from small ones.
    """
    owners: dict[str, tuple[str, str]] = {}
    twins: set[tuple[str, str]] = set()
    for variant in _table(raw, "variant"):
        for dataset in _table(raw, "dataset"):
            owner, other = owners.setdefault(f"{variant}.{dataset}".casefold(), (variant, dataset))
            if (owner, other) == (variant, dataset):
                continue
            if variant == owner:
                key, where, twin = "dataset", dataset, other
                message = f"where the case of letters does not count, it is dataset {shown(twin)}; rename one"
            else:
                key, where, twin = "variant", variant, owner
                message = (
                    f"with dataset {shown(dataset)} it has the file name of a pair of variant {shown(twin)}; "
                    "rename one"
                )
            # Two datasets collide under every variant alike, and are told of once.
            if (key, where) not in twins:
                twins.add((key, where))
                yield Problem(dotted([key, where]), message)


def cross_check(raw: Mapping[str, Any]) -> list[Problem]:
    """Every problem of names: baselines, transcribers, pairs, and limits with nothing to compare with."""
    problems = []
    if not _table(raw, "variant"):
        problems.append(Problem("variant", "give at least one, such as [variant.f16] with a model"))
    if not _table(raw, "dataset"):
        problems.append(Problem("dataset", "give at least one, such as [dataset.prompts] with a manifest"))
    for check in (_baselines, _transcribers, _datasets, _comparisons, _slices, _of_itself, _file_names):
        problems += check(raw)
    return problems
