"""Claims about who may gate: a judge of that model, prompt and votes that agreed with people, in that language."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pytest_asrgate import calibrated
from pytest_asrgate.calibrated import (
    calibration_problem,
    check_calibrated,
    check_served,
    prompt_of,
    served_problem,
)
from pytest_asrgate.config import JudgeSettings
from pytest_asrgate.errors import JudgeError
from pytest_asrgate.judge.calibration import keep_calibration, read_calibrations
from pytest_asrgate.records import Utterance
from pytest_asrgate.records.calibration import Agreement
from pytest_asrgate.semantic import task as semantic_task
from pytest_asrgate.statistics.agreement import agreement_of_counts
from tests.unit.calibrations import agreement, calibration


def _settings(folder: Path, **given: Any) -> JudgeSettings:
    every: dict[str, Any] = {"model": "openai/judge", "calibration": folder / "calibration.json", "min_kappa": 0.6}
    return JudgeSettings(**{**every, **given})


def _problem(settings: JudgeSettings, *languages: str) -> str:
    return calibration_problem(settings, "semantic", languages or ("en",))


def _keep(folder: Path, agreed: int = 34, **given: Any) -> None:
    found = calibration(agreed, **{"prompt": prompt_of("semantic"), **given})
    keep_calibration(folder / "calibration.json", found)


def test_without_a_condition_every_judge_may_gate(tmp_path: Path) -> None:
    """Nothing is read, not even a damaged file."""
    (tmp_path / "calibration.json").write_text("damaged")
    assert _problem(_settings(tmp_path, min_kappa=None)) == ""
    check_calibrated(_settings(tmp_path, min_kappa=None), "semantic", [Utterance("u", Path(), "a")])
    check_served(_settings(tmp_path, min_kappa=None), "semantic", ["other"])


def test_who_agrees_with_people_may_gate(tmp_path: Path) -> None:
    """Kappa 0.7 of 40 labels, for 0.6 and for just 0.7; not for more, nor for another task."""
    _keep(tmp_path)
    assert _problem(_settings(tmp_path)) == ""
    assert _problem(_settings(tmp_path, min_kappa=0.7)) == ""
    assert "kappa is 0.70 over 40 labels, below judge.min_kappa = 0.71" in _problem(
        _settings(tmp_path, min_kappa=0.71)
    )
    check_calibrated(_settings(tmp_path), "semantic", [Utterance("u", Path(), "a", language="en_GB")])
    with pytest.raises(JudgeError, match="language hi has 0 human labels"):
        check_calibrated(_settings(tmp_path), "semantic", [Utterance("u", Path(), "a", language="Hindi")])


def test_nobody_was_calibrated(tmp_path: Path) -> None:
    """One sentence that says so, with the command that mends it, quoted for a shell."""
    path = tmp_path / "my calibrations.json"
    found = _problem(_settings(tmp_path, calibration=path, votes=5))
    assert found == (
        f"judge openai/judge may not gate semantic under judge.min_kappa: {path} is not there; calibrate it with "
        "asrgate judge --calibrate LABELS.jsonl --task semantic --model openai/judge --votes 5 --mode record "
        f"--calibration '{path}'"
    )


@pytest.mark.parametrize(
    ("given", "settings", "fact"),
    [
        ({"model": "openai/other"}, {}, "has no calibration of this model for this task"),
        ({"task": "intent"}, {}, "has no calibration of this model for this task"),
        ({"prompt": "c" * 64}, {}, "it is asked otherwise now (prompt or rules) than on 2026-01-01"),
        ({"votes": 5}, {}, "it was calibrated with votes = 5, and judge.votes is 3"),
        ({"agreed": 30}, {}, "kappa is 0.50 over 40 labels, below judge.min_kappa = 0.6"),
        (
            {"languages": {"hi": agreement(34)}},
            {},
            "language en has 0 human labels that it was asked about, and 20",
        ),
        (
            {"languages": {"en": agreement(18, 19), "hi": agreement(16, 21)}},
            {},
            "language en has 19 human labels that it was asked about, and 20",
        ),
        (
            {"languages": {"en": agreement(14, 20), "hi": agreement(20, 20)}},
            {},
            "language en: kappa is 0.40 over 20 labels, below judge.min_kappa = 0.6",
        ),
    ],
)
def test_each_lack_is_told(tmp_path: Path, given: dict[str, Any], settings: dict[str, Any], fact: str) -> None:
    """In one sentence with the figure and the mend."""
    _keep(tmp_path, **given)
    found = _problem(_settings(tmp_path, **settings))
    assert fact in found
    assert "; calibrate it with asrgate judge --calibrate LABELS.jsonl" in found
    assert "\n" not in found


@pytest.mark.parametrize(
    ("entities", "languages", "fact"),
    [
        (agreement(28), {"en": agreement(28)}, "entities: kappa is 0.40 over 40 labels, below judge.min_kappa"),
        (agreement(0, 0), {}, "entities: there are no human labels that it was asked about"),
        (
            agreement(18, 19),
            {"en": agreement(18, 19)},
            "entities: language en has 19 human labels of entities that it was asked about, and 20",
        ),
        (
            agreement(34),
            {"en": agreement(14, 20), "hi": agreement(20, 20)},
            "entities: language en: kappa is 0.40 over 20 labels",
        ),
        (agreement(34), {"hi": agreement(34)}, "entities: language en has 0 human labels of entities"),
        (agreement(34), {"en": agreement(34)}, ""),
    ],
)
def test_a_limit_on_entities_asks_for_agreement_on_entities(
    tmp_path: Path, entities: Agreement, languages: dict[str, Agreement], fact: str
) -> None:
    """In each language, of 20 labels or more; limits on intents alone do not."""
    given = {"entities": entities, "entity_languages": languages}
    _keep(tmp_path, task="intent", prompt=prompt_of("intent"), **given)
    settings, spoken = _settings(tmp_path), [Utterance("u", Path(), "a", language="en")]
    check_calibrated(settings, "intent", spoken, ["intent", "intent_delta", "judge_errors"])
    for limit in ("entity", "entity_delta", "entity_non_inferiority"):
        if not fact:
            check_calibrated(settings, "intent", spoken, ["intent", limit])
            continue
        with pytest.raises(JudgeError) as caught:
            check_calibrated(settings, "intent", spoken, ["intent", limit])
        assert fact in str(caught.value)


def test_who_was_found_wanting_is_asked_anew(tmp_path: Path) -> None:
    """Kept replies would show again what the judge was; who was never calibrated may record them."""
    assert " --mode record " in _problem(_settings(tmp_path))
    _keep(tmp_path, agreed=30)
    assert " --mode live " in _problem(_settings(tmp_path))


def test_what_is_newest_is_told_by_the_replies(tmp_path: Path) -> None:
    """Lines that a merge put in another order change nothing: the judge is what it answered last."""
    _keep(tmp_path, agreed=30, date="2026-02-01T00:00:00Z")
    path = tmp_path / "calibration.json"
    _keep(tmp_path, agreed=36, date="2026-01-01T00:00:00Z")
    assert len(read_calibrations(path)) == 2
    assert "kappa is 0.50" in _problem(_settings(tmp_path))


def test_an_undefined_kappa_is_no_agreement(tmp_path: Path) -> None:
    """30 of 30 labels alike show nothing: a judge that always says `same` would agree as well."""
    one = agreement_of_counts({("same", "same"): 30})
    _keep(tmp_path, whole=one, languages={"en": one})
    assert "kappa is undefined, since people and judge gave all 30 the same label" in _problem(_settings(tmp_path))


def test_the_newest_counts(tmp_path: Path) -> None:
    """A judge that agreed once and drifted since may not gate; nor is it helped by what it was before."""
    _keep(tmp_path)
    _keep(tmp_path, agreed=30, date="2026-02-01T00:00:00Z")
    assert "kappa is 0.50" in _problem(_settings(tmp_path))
    _keep(tmp_path, agreed=36, date="2026-03-01T00:00:00Z")
    assert _problem(_settings(tmp_path)) == ""


def test_a_damaged_file_lets_nobody_gate(tmp_path: Path) -> None:
    """It is named."""
    (tmp_path / "calibration.json").write_text("{")
    assert _problem(_settings(tmp_path)).startswith(f"{tmp_path / 'calibration.json'}:1: no JSON object")


@pytest.mark.parametrize(
    ("calibrated_as", "served", "fact"),
    [
        (("m1 (fp1)",), ["m1 (fp2)"], ""),
        (("m1",), ["m2"], "the server answered as m2, and as m1 when it was calibrated on 2026-01-01"),
        (("m1", "m0"), ["m0", "m1", "m2 (fp)", "m3"], "answered as m2, m3, and as m1, m0"),
        ((), ["m2"], ""),
        (("m1",), [], ""),
    ],
)
def test_another_model_behind_the_same_name_has_drifted(
    tmp_path: Path, calibrated_as: tuple[str, ...], served: list[str], fact: str
) -> None:
    """The server's own name of it tells; a fingerprint of the machine does not, nor does silence on either side."""
    _keep(tmp_path, served=calibrated_as)
    found = served_problem(_settings(tmp_path), "semantic", served)
    assert (fact in found) if fact else (found == "")
    if fact:
        assert "--mode live" in found
        with pytest.raises(JudgeError, match="the server answered as"):
            check_served(_settings(tmp_path), "semantic", served)


def test_the_prompt_is_told_by_what_shapes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other instructions, another version or other rules are another digest; the same ones are the same."""
    whole = semantic_task.SEMANTIC_TASK

    def digest() -> str:
        prompt_of.cache_clear()
        return prompt_of("semantic")

    before = digest()
    assert digest() == before
    seen = {before}
    for change in ({"version": whole.version + 1}, {"instructions": whole.instructions + " "}):
        monkeypatch.setattr(semantic_task, "SEMANTIC_TASK", replace(whole, **change))
        seen.add(digest())
    monkeypatch.setattr(semantic_task, "SEMANTIC_TASK", whole)
    monkeypatch.setattr("pytest_asrgate.semantic.normalise.SEMANTIC_VERSION", 999)
    seen.add(digest())
    assert len(seen) == 4
    monkeypatch.undo()
    assert digest() == before
    assert len(before) == 64
    assert calibrated.FEWEST_LABELS == 20
