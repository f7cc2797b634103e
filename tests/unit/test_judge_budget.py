"""Claims about the budget: no call that could exceed it is made, by whichever process of the run."""

import json
import multiprocessing
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from pytest_asrgate.errors import JudgeError
from pytest_asrgate.judge import budget as budget_room
from pytest_asrgate.judge.budget import Budget, BudgetError
from tests.unit.judge_stand_ins import settings

RUN = "PYTEST_XDIST_TESTRUNUID"


@pytest.fixture(params=[None, "a run"], ids=["one process", "a run of several"])
def run(request: pytest.FixtureRequest) -> Any:
    """In memory, and through the file."""
    return request.param


def test_without_limits_nothing_is_counted_or_written(tmp_path: Path) -> None:
    """Most runs have none."""
    budget = Budget(settings(tmp_path), run="a run")
    for _ in range(3):
        budget.settle(budget.reserve(None), None)
    assert not list(tmp_path.iterdir())


def test_calls_are_counted_when_they_are_made(tmp_path: Path, run: str | None) -> None:
    """Also those in flight, and those that failed."""
    budget = Budget(settings(tmp_path, max_calls=2), run=run)
    first = budget.reserve(None)
    budget.reserve(0.01)
    with pytest.raises(BudgetError, match=r"judge\.max_calls = 2 .* 2 calls"):
        budget.reserve(0.01)
    budget.settle(first, 0.0)
    with pytest.raises(BudgetError, match=r"raise judge\.max_calls"):
        budget.reserve(0.01)


def test_money_is_reserved_before_and_settled_after(tmp_path: Path, run: str | None) -> None:
    """What a call can cost at most counts until it is known what it cost."""
    budget = Budget(settings(tmp_path, max_cost_usd=0.10), run=run)
    first = budget.reserve(0.06)
    with pytest.raises(BudgetError, match=r"judge\.max_cost_usd = 0\.1"):
        budget.reserve(0.06)
    budget.settle(first, 0.01)
    second = budget.reserve(0.09)
    budget.settle(second, 0.09)
    with pytest.raises(BudgetError, match=r"0\.1 US dollars are spent or reserved.*up to 0\.0001"):
        budget.reserve(0.0001)


def test_a_call_whose_cost_stays_unknown_counts_at_the_most(tmp_path: Path, run: str | None) -> None:
    """It may have been charged."""
    budget = Budget(settings(tmp_path, max_cost_usd=0.10), run=run)
    budget.settle(budget.reserve(0.06), None)
    with pytest.raises(BudgetError):
        budget.reserve(0.05)


def test_amounts_reach_the_limit_and_no_further(tmp_path: Path) -> None:
    """Three times 0.1 is 0.3, also in binary."""
    budget = Budget(settings(tmp_path, max_cost_usd=0.3))
    for _ in range(3):
        budget.settle(budget.reserve(0.1), 0.1)
    with pytest.raises(BudgetError):
        budget.reserve(0.1)


def test_a_call_that_costs_nothing_exceeds_nothing(tmp_path: Path) -> None:
    """Also where a call before was dearer than it could be."""
    budget = Budget(settings(tmp_path, max_cost_usd=0.1))
    budget.settle(budget.reserve(0.1), 0.2)
    budget.reserve(0.0)
    with pytest.raises(BudgetError):
        budget.reserve(0.01)


def test_a_limit_in_money_needs_a_price(tmp_path: Path, run: str | None) -> None:
    """Refused before any call, with what to set."""
    budget = Budget(settings(tmp_path, max_cost_usd=1.0, max_calls=5), run=run)
    with pytest.raises(
        JudgeError, match=r"judge\.price_in_usd and judge\.price_out_usd, or .*judge\.max_calls"
    ) as caught:
        budget.reserve(None)
    assert not isinstance(caught.value, BudgetError)


def test_both_limits_hold_at_once(tmp_path: Path, run: str | None) -> None:
    """Whichever is reached first."""
    budget = Budget(settings(tmp_path, max_cost_usd=1.0, max_calls=1), run=run)
    budget.settle(budget.reserve(0.1), 0.1)
    with pytest.raises(BudgetError, match="max_calls"):
        budget.reserve(0.1)


def test_the_run_is_that_of_xdist(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its workers have the run's id in common; another run has a budget of its own."""
    given = settings(tmp_path, max_calls=1)
    monkeypatch.setenv(RUN, "one")
    Budget(given).reserve(None)
    with pytest.raises(BudgetError):
        Budget(given).reserve(None)
    monkeypatch.setenv(RUN, "../../two")
    Budget(given).reserve(None)
    monkeypatch.delenv(RUN)
    Budget(given).reserve(None)
    Budget(given).reserve(None)
    assert {path.parent for path in tmp_path.rglob("*.json")} == {given.folder}


def test_a_run_with_the_id_of_another_has_a_budget_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who gives xdist a fixed id starts a new run all the same; workers know it by where they stem from."""
    given = settings(tmp_path, max_calls=1)
    monkeypatch.setenv(RUN, "fixed")
    monkeypatch.setenv("PYTEST_XDIST_WORKER", "gw0")
    for parent in (11, 12):
        for changes in ({"begun": "1"}, {"begun": "2"}):
            monkeypatch.setattr(os, "getppid", lambda parent=parent: parent)
            monkeypatch.setattr(budget_room, "_begun", lambda pid, begun=changes["begun"]: f"{pid} at {begun}")
            Budget(given).reserve(None)
            monkeypatch.setenv("PYTEST_XDIST_WORKER", "gw1")
            with pytest.raises(BudgetError):
                Budget(given).reserve(None)
    assert len(list(given.folder.glob("budget-*.json"))) == 4


def test_workers_of_one_process_are_of_one_run(tmp_path: Path) -> None:
    """And those of another process are not, with the same id and in the same folder."""
    program = f"""
import os, subprocess, sys
worker = (
    "from pathlib import Path; from pytest_asrgate.judge.budget import Budget, BudgetError\\n"
    "from tests.unit.judge_stand_ins import settings\\n"
    "try: Budget(settings(Path({str(tmp_path)!r}), max_calls=1)).reserve(None); print('made')\\n"
    "except BudgetError: print('refused')"
)
os.environ.update({{"{RUN}": "fixed", "PYTEST_XDIST_WORKER": "gw0"}})
for _ in range(2):
    subprocess.run([sys.executable, "-c", worker], check=True)
"""
    run = [sys.executable, "-c", program]
    for _ in range(2):
        done = subprocess.run(run, cwd=Path(__file__).parents[2], capture_output=True, text=True, check=True)
        assert done.stdout.split() == ["made", "refused"]


def _spend(folder: Path, made: Any) -> None:
    budget = Budget(settings(folder, max_calls=50, max_cost_usd=100.0), run="shared")
    try:
        while True:
            reserved = budget.reserve(0.5)
            with made.get_lock():
                made.value += 1
            budget.settle(reserved, 0.25)
    except BudgetError:
        return


def test_two_processes_share_one_budget(tmp_path: Path) -> None:
    """Together they make exactly as many calls as one may."""
    spawn = multiprocessing.get_context("spawn")
    made = spawn.Value("i", 0)
    spenders = [spawn.Process(target=_spend, args=(tmp_path, made)) for _ in range(2)]
    for spender in spenders:
        spender.start()
    for spender in spenders:
        spender.join(120)
    assert [spender.exitcode for spender in spenders] == [0, 0]
    assert made.value == 50
    (file,) = tmp_path.rglob("budget-*.json")
    assert json.loads(file.read_text()) == {
        "asrgate": "judge budget", "run": "shared", "calls": 50, "spent_usd": 12.5, "reserved_usd": 0.0,
    }  # fmt: skip


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"asrgate": "judge budget", "calls": -1}', "what"])
def test_a_damaged_count_is_named(tmp_path: Path, text: str) -> None:
    """To go on from zero could spend the budget twice."""
    given = settings(tmp_path, max_calls=5)
    Budget(given, run="a run").reserve(None)
    (file,) = given.folder.glob("budget-*.json")
    file.write_text(text)
    with pytest.raises(JudgeError, match="remove it") as caught:
        Budget(given, run="a run").reserve(None)
    assert str(caught.value).startswith(str(file))


def test_counts_of_dead_runs_are_removed_and_nothing_else(tmp_path: Path) -> None:
    """Only what has our name and our content and is days old."""
    given = settings(tmp_path, max_calls=5)
    for name in ("old", "young"):
        Budget(given, run=name).reserve(None)
    old, young = given.folder.glob("budget-*.json")
    if json.loads(old.read_text())["run"] != "old":
        old, young = young, old
    strangers = [
        given.folder / f"budget-{'0' * 32}.json",
        given.folder / "budget-mine.json",
        given.folder / "notes",
    ]
    for path in strangers:
        path.write_text('{"savings": 3}' if path != strangers[1] else old.read_text())
    folder = given.folder / f"budget-{'1' * 32}.json"
    folder.mkdir()
    long_ago = time.time() - 10 * 86_400
    for path in (old, *strangers, folder):
        os.utime(path, (long_ago, long_ago))
    Budget(given, run="new").reserve(None)
    assert not old.exists()
    assert all(path.exists() for path in (young, folder, *strangers))


def test_another_user_s_count_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever its name, content and age; so is a link."""
    given = settings(tmp_path, max_calls=5)
    Budget(given, run="old").reserve(None)
    (old,) = given.folder.glob("budget-*.json")
    link = given.folder / f"budget-{'2' * 32}.json"
    (tmp_path / "copy").write_text(old.read_text())
    link.symlink_to(tmp_path / "copy")
    long_ago = time.time() - 10 * 86_400
    os.utime(old, (long_ago, long_ago))
    os.utime(link, (long_ago, long_ago), follow_symlinks=False)
    monkeypatch.setattr(budget_room, "is_ours", lambda _status: False)
    Budget(given, run="new").reserve(None)
    assert old.exists()
    monkeypatch.undo()
    Budget(given, run="newer").reserve(None)
    assert not old.exists()
    assert link.is_symlink()
