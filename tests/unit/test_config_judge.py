"""Claims about [judge]: what it resolves to, that no secret stands in the file, each slip told under its key."""

from dataclasses import replace
from pathlib import Path

import pytest

from pytest_asrgate.config import JudgeSettings
from pytest_asrgate.config.judge import CALIBRATION, CASSETTE, JUDGE_MODES
from pytest_asrgate.config.schema import JudgeTable
from pytest_asrgate.errors import JudgeError
from pytest_asrgate.judge.judge import Judge
from pytest_asrgate.judge.task import Failure, FailureKind
from tests.unit.judge_stand_ins import Script, question

from .gate_texts import BASE, gate_of, problems_of

JUDGED = f'{BASE}judged = ["semantic"]\n'


def _settings(folder: Path, text: str = "") -> JudgeSettings:
    return gate_of(folder, JUDGED + text).judge


def _problems(folder: Path, text: str) -> dict[str, str]:
    return problems_of(folder, JUDGED + text)


def test_defaults(tmp_path: Path) -> None:
    """Without a table rules judge alone; replies are kept in the state folder, and nothing has a limit."""
    found = _settings(tmp_path)
    assert (found.model, found.mode, found.votes, found.max_calls, found.max_cost_usd) == (
        "rules",
        "replay",
        3,
        0,
        0,
    )
    assert found.cassette == tmp_path / ".asrgate" / CASSETTE
    assert found.folder == tmp_path / ".asrgate" / "judge"
    assert (found.calibration, found.min_kappa) == (tmp_path / ".asrgate" / CALIBRATION, None)
    assert (found.price_in_usd, found.price_out_usd) == (None, None)
    assert (found.concurrency, found.timeout_s, found.max_tokens) == (8, 60.0, 4000)


def test_every_key_arrives(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each key of the table is a setting; the cassette and the calibrations lie by the file."""
    monkeypatch.setenv("THE_KEY", "sk-123456789")
    found = _settings(
        tmp_path,
        """
        [judge]
        model = "openai/small"
        mode = "record"
        cassette = "replies.jsonl"
        api_base = "http://127.0.0.1:8080/v1"
        api_key = "${THE_KEY}"
        votes = 5
        max_cost_usd = 1.5
        max_calls = 7
        concurrency = 2
        timeout_s = 3
        max_tokens = 50
        price_in_usd = 0.1
        price_out_usd = 0.4
        calibration = "agreement.json"
        min_kappa = 0.6
        """,
    )
    assert found == JudgeSettings(
        cassette=tmp_path / "replies.jsonl",
        folder=tmp_path / ".asrgate" / "judge",
        model="openai/small",
        mode="record",
        api_base="http://127.0.0.1:8080/v1",
        api_key="sk-123456789",
        votes=5,
        max_cost_usd=1.5,
        max_calls=7,
        concurrency=2,
        timeout_s=3.0,
        max_tokens=50,
        price_in_usd=0.1,
        price_out_usd=0.4,
        calibration=tmp_path / "agreement.json",
        min_kappa=0.6,
    )
    assert set(JudgeTable.model_fields) == set(JudgeSettings.__dataclass_fields__) - {
        "folder",
        "unset",
    }
    assert "sk-123456789" not in repr(found)


@pytest.mark.parametrize("value", [None, ""])
def test_a_key_that_is_not_set_is_asked_for_by_who_needs_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, value: str | None
) -> None:
    """CI replays without a key: the file is good, and whoever would call a model learns which variable is missing.

    An empty one is no key either, else a provider's own variable would be billed in its place.
    """
    monkeypatch.setenv("THE_BASE", "http://127.0.0.1:1/v1")
    monkeypatch.delenv("THE_KEY", raising=False)
    if value is not None:
        monkeypatch.setenv("THE_KEY", value)
    table = '[judge]\nmodel = "openai/x"\napi_key = "${THE_KEY}"\napi_base = "${THE_BASE}"\n'
    found = _settings(tmp_path, table)
    assert (found.api_key, found.api_base, found.unset) == ("", "http://127.0.0.1:1/v1", ("THE_KEY",))
    script = Script()
    with Judge(found, open_asker=script.open) as judge:
        (failure,) = judge.rule([question()])
    assert isinstance(failure, Failure)
    assert failure.kind is FailureKind.MISSING
    told = pytest.raises(JudgeError, match="stand in THE_KEY, which the environment does not have")
    with Judge(replace(found, mode="record"), open_asker=script.open) as judge, told:
        judge.rule([question()])
    assert not script.asked
    monkeypatch.delenv("THE_BASE")
    assert _settings(tmp_path, table).unset == ("THE_KEY", "THE_BASE")


@pytest.mark.parametrize(
    ("line", "key", "fact"),
    [
        ('api_key = "sk-123456789"', "api_key", "must name an environment variable"),
        ('api_key = "sk-${HOME}"', "api_key", "must name an environment variable"),
        ("votes = 2", "votes", "must be odd, so that there is a majority; got 2"),
        ('api_base = "127.0.0.1:8080"', "api_base", 'must be an address such as "http://127.0.0.1:8080/v1"'),
        ('api_base = "file:///etc/passwd"', "api_base", "must be an address"),
        ('api_base = "http://[::1"', "api_base", "must be an address"),
        ('api_base = "http://me:secret@host/v1"', "api_base", "must hold no user or password"),
        ('api_base = "http://me:secret@[::1"', "api_base", "must hold no user or password"),
        ('api_base = "me:secret@host"', "api_base", "must hold no user or password"),
        ('api_base = "http://host/v1?sig=secret"', "api_base", "must end with its path"),
        ('api_base = "http://host/v1#secret"', "api_base", "must end with its path"),
        ('api_base = "http://[::1?key=secret"', "api_base", "must end with its path"),
        ('api_base = "host?key=secret"', "api_base", "must end with its path"),
        ("votes = 17", "votes", "must be at most 15; got 17"),
        ("concurrency = 257", "concurrency", "must be at most 256; got 257"),
        ('model = "Rules"', "model", "must be \"rules\", in small letters, for rules alone; got 'Rules'"),
        ('model = " rules"', "model", 'must be "rules"'),
        ("price_in_usd = 1.0", "price_out_usd", "must be given too"),
        ("price_out_usd = 1.0", "price_in_usd", "must be given too"),
        ('price_in_usd = "off"\nprice_out_usd = 1.0', "price_in_usd", 'must be a number; got "off"'),
        ('max_cost_usd = "off"', "max_cost_usd", "0 for no limit"),
        ('max_calls = "off"', "max_calls", "0 for no limit"),
        ("max_calls = 1.5", "max_calls", "must be a whole number of 0 or more"),
        ("max_cost_usd = nan", "max_cost_usd", "must be a finite number"),
        ('mode = "replays"', "mode", "replay"),
        ("min_kappa = 0.7", "min_kappa", 'asks for a calibrated model, and judge.model is "rules"'),
        ('model = "openai/x"\nmin_kappa = 0', "min_kappa", "must be above 0 and at most 1, such as 0.6; got 0"),
        ("min_kappa = 70", "min_kappa", "must be above 0 and at most 1, such as 0.6; got 70"),
        ("min_kappa = -0.1", "min_kappa", "must be a finite number of 0 or more"),
        ("min_kappa = nan", "min_kappa", "must be a finite number"),
        ('min_kappa = "off"', "min_kappa", "or left out"),
        ("calibration = 1", "calibration", "text"),
        ('modell = "x"', "modell", "model"),
        ("timeout_s = 0", "timeout_s", "above 0"),
    ],
)
def test_slips_are_told_under_their_key(tmp_path: Path, line: str, key: str, fact: str) -> None:
    """Every slip in the table is one problem under its own key that says what would be right."""
    found = _problems(tmp_path, f"[judge]\n{line}\n")
    assert set(found) == {f"judge.{key}"}
    assert fact in found[f"judge.{key}"]
    assert "secret" not in found[f"judge.{key}"]
    assert "sk-" not in found[f"judge.{key}"]


def test_what_is_unusual_is_no_slip(tmp_path: Path) -> None:
    """The largest numbers that are allowed, and a path with signs that may stand in one."""
    found = _settings(
        tmp_path, '[judge]\nvotes = 15\nconcurrency = 256\napi_base = "https://host/accounts/@me/v1"\n'
    )
    assert (found.votes, found.concurrency, found.api_base) == (15, 256, "https://host/accounts/@me/v1")


def test_the_modes_are_those_of_the_table() -> None:
    """The modes that messages and options name are the ones that the table takes."""
    for mode in JUDGE_MODES:
        assert JudgeTable.model_validate({"mode": mode}).mode == mode


@pytest.mark.parametrize(
    ("value", "fact"),
    [
        ("0.9", "must be a share in percent, at most 100, such as 90 for 0.9; got 0.9"),
        ("1", "must be a share in percent, at most 100, such as 100 for 1; got 1"),
        ("101", "must be a share in percent, at most 100, such as 90; got 101"),
        ("-1", "must be a finite number of 0 or more"),
        ("nan", "must be a finite number of 0 or more"),
    ],
)
def test_shares_are_in_percent(tmp_path: Path, value: str, fact: str) -> None:
    """A limit of 0.9 on a share would pass anything, so that it is refused with what was meant."""
    for name in ("intent", "entity"):
        found = _problems(tmp_path, f"[thresholds]\n{name} = {value}\n")
        assert fact in found[f"thresholds.{name}"]
        assert f"{name}_delta" not in found
    _settings(tmp_path, "[thresholds]\nintent = 0\nentity = 100\nintent_delta = 0.5\n")
