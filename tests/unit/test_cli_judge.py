"""Claims about `asrgate judge`: rules without a model, record and replay, estimates, refusals."""

import ast
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from pytest_asrgate.cli import main
from pytest_asrgate.cli.judge import OPTIONS
from pytest_asrgate.config import JudgeSettings
from pytest_asrgate.config.schema import JudgeTable
from pytest_asrgate.errors import JudgeError
from pytest_asrgate.judge import client
from pytest_asrgate.judge.asking import Asker, Request, Response
from pytest_asrgate.reports.schema import semantic_schema
from pytest_asrgate.semantic.normalise import SEMANTIC_VERSION
from pytest_asrgate.semantic.task import SEMANTIC_TASK

from .commands import contents, refused, refused_untouched, write
from .judge_stand_ins import Script, answer

ROWS = [
    {"id": "u1", "ref_text": "Call me at five.", "hyp_text": "call me at nine", "context": "a reminder"},
    {"id": "u2", "ref_text": "Walk the dog", "hyp_text": "walk the dock"},
    {"id": "u3", "ref_text": "the lights", "hyp_text": "the lights"},
    {"id": "u4", "ref_text": "", "hyp_text": ""},
    {"id": "u5", "ref_text": "lost words", "hyp_text": "", "error": "crashed"},
]
MODEL = ("--task", "semantic", "--model", "stand-in/one")


def _label(label: str) -> Callable[[Request], Response]:
    """Answers every listed difference with one label."""

    def reply(request: Request) -> Response:
        asked = json.loads(request.messages[1]["content"])
        found = {row["id"]: {"reason": "a reason", "verdict": label} for row in asked["differences"]}
        return answer(json.dumps(found), cost=None)

    return reply


class _Model(Script):
    """Keeps the settings that it was opened with."""

    settings: tuple[JudgeSettings, ...] = ()

    def open(self, settings: JudgeSettings) -> Script:
        """Itself."""
        self.settings += (settings,)
        return super().open(settings)


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> _Model:
    """Who is asked in place of a model, and says `same` of everything; its settings are kept."""
    made = _Model(steps=[_label("same")], largest=None)
    monkeypatch.setattr(client, "open_asker", made.open)
    return made


@pytest.fixture
def hypotheses(tmp_path: Path) -> Path:
    """A file of hypotheses with one difference that rules settle, and one that they do not."""
    return write(tmp_path / "q8_0.prompts.jsonl", ROWS, {"language": "en"})


def _document(path: Path) -> Any:
    found = json.loads(path.read_text(encoding="utf-8"))
    assert list(Draft202012Validator(semantic_schema()).iter_errors(found)) == []
    return found


def test_rules_need_no_model_and_no_cassette(
    hypotheses: Path, script: _Model, capsys: pytest.CaptureFixture[str]
) -> None:
    """Figures and the trail of every utterance stand in HYP.semantic.json; what is open counts as an error."""
    imported = "litellm" in sys.modules
    assert main(["judge", str(hypotheses), "--task", "semantic"]) == 0
    assert {path.name for path in hypotheses.parent.iterdir()} == {
        "q8_0.prompts.jsonl",
        "q8_0.prompts.semantic.json",
    }
    document = _document(hypotheses.with_name("q8_0.prompts.semantic.json"))
    assert (document["judge"], document["upper_bound"], document["n"]) == ("rules", True, 5)
    assert (document["substitutions"], document["words"], document["error_rows"]) == (2, 9, ["u5"])
    first, second = document["utterances"][:2]
    assert first["differences"][0]["decided_by"].startswith("rule ")
    assert second["differences"][0]["decided_by"] == "no judge"
    assert (first["ref_text"], first["context"], second["context"]) == ("Call me at five.", "a reminder", None)
    out = capsys.readouterr().out
    assert "semantic WER at most 22.22 %" in out
    assert '1. "dog" → "dock": no judge' in out
    assert "so this is an upper bound" in out
    assert out.endswith(f"wrote {hypotheses.with_name('q8_0.prompts.semantic.json')}\n")
    assert ("litellm" in sys.modules) == imported
    assert script.opened == 0


def test_what_is_recorded_is_replayed_with_the_same_figures(
    hypotheses: Path, script: _Model, capsys: pytest.CaptureFixture[str]
) -> None:
    """The first run asks once and keeps the reply beside HYP; the second asks nobody."""
    assert main(["judge", str(hypotheses), *MODEL, "--mode", "record"]) == 0
    assert "1 call made, 0 replies replayed, price unknown" in capsys.readouterr().out
    target = hypotheses.with_name("q8_0.prompts.semantic.json")
    recorded = _document(target)
    assert (recorded["judge"], recorded["upper_bound"]) == ("stand-in/one", False)
    assert recorded["substitutions"] == 1
    assert recorded["utterances"][1]["differences"][0]["decided_by"] == "judge stand-in/one"
    assert hypotheses.with_name("judge.cassette").is_file()
    asked = len(script.asked)
    assert json.loads(script.asked[0].messages[1]["content"])["reference"] == "Walk the dog"
    target.unlink()
    assert main(["judge", str(hypotheses), *MODEL]) == 0
    assert "0 calls made, 1 reply replayed" in capsys.readouterr().out
    replayed = _document(target)
    assert len(script.asked) == asked
    assert replayed["utterances"] == recorded["utterances"]
    assert replayed["rate_pct"] == recorded["rate_pct"]


def test_a_miss_is_a_judge_error_and_exit_code_1(
    hypotheses: Path, script: _Model, capsys: pytest.CaptureFixture[str]
) -> None:
    """It has no score, is listed with what to do in this command's words, and ends with 1."""
    assert main(["judge", str(hypotheses), *MODEL]) == 1
    out = capsys.readouterr().out
    assert "1 judge error" in out
    assert "the judge gave no valid answer for 1 utterance:" in out
    document = _document(hypotheses.with_name("q8_0.prompts.semantic.json"))
    assert document["judge_errors"] == ["u2"]
    assert document["utterances"][1]["words"] is None
    assert "--mode record" in document["judge_failure"]
    assert "judge.mode" not in document["judge_failure"] + out
    assert (script.opened, hypotheses.with_name("judge.cassette").exists()) == (0, False)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ([], "{folder}/judge.cassette"),
        (["--cassette", "{folder}/judge.model"], "{folder}/judge.model"),
        (["--cassette", "{folder}/my judge.mode/judge.votes"], "{folder}/my judge.mode/judge.votes"),
    ],
)
def test_a_file_is_called_by_its_name_whatever_that_is(
    hypotheses: Path, script: _Model, capsys: pytest.CaptureFixture[str], given: list[str], told: str
) -> None:
    """Only settings are told as options: a file that is called as one of them keeps its name."""
    options = [each.format(folder=hypotheses.parent) for each in given]
    assert main(["judge", str(hypotheses), *MODEL, *options]) == 1
    failure = _document(hypotheses.with_name("q8_0.prompts.semantic.json"))["judge_failure"]
    assert told.format(folder=hypotheses.parent) in failure
    assert "--mode record" in failure
    assert script.asked == []
    assert failure in capsys.readouterr().out


def test_a_judge_that_answered_nothing_replaces_no_document(
    hypotheses: Path, script: _Model, capsys: pytest.CaptureFixture[str]
) -> None:
    """What an earlier run found stays, in one sentence, with exit code 1; part of an answer replaces it."""
    target = hypotheses.with_name("q8_0.prompts.semantic.json")
    assert main(["judge", str(hypotheses), *MODEL, "--mode", "record"]) == 0
    good = target.read_bytes()
    hypotheses.with_name("judge.cassette").unlink()
    capsys.readouterr()
    assert main(["judge", str(hypotheses), *MODEL]) == 1
    assert target.read_bytes() == good
    last = capsys.readouterr().out.splitlines()[-1]
    assert last == f"{target}: stays as it was, since the judge gave no ruling at all"
    write(
        hypotheses,
        [*ROWS, {"id": "u6", "ref_text": "feed the cat", "hyp_text": "feed the cap"}],
        {"language": "en"},
    )
    script.steps[:] = [_label("same"), answer("no"), answer("no"), answer("no")]
    assert main(["judge", str(hypotheses), *MODEL, "--mode", "live", "--concurrency", "1"]) == 1
    assert len(_document(target)["judge_errors"]) == 1


def test_versions_of_rules_and_task_are_told(hypotheses: Path) -> None:
    """A figure of other rules can be told from one of these."""
    assert main(["judge", str(hypotheses), "--task", "semantic"]) == 0
    document = _document(hypotheses.with_name("q8_0.prompts.semantic.json"))
    assert (document["rules_version"], document["task_version"]) == (SEMANTIC_VERSION, SEMANTIC_TASK.version)


def test_an_estimate_asks_nobody_and_writes_nothing(
    hypotheses: Path, script: _Model, capsys: pytest.CaptureFixture[str]
) -> None:
    """Calls, tokens and money, least and most; a price that is not known is called that."""
    before = contents(hypotheses.parent)
    assert main(["judge", str(hypotheses), *MODEL, "--estimate"]) == 0
    out = capsys.readouterr().out
    assert "1 different question about 5 utterances for stand-in/one; 0 answered already" in out
    assert "calls: 1 at least, 3 at most" in out
    assert "price unknown; --price-in and --price-out" in out
    assert main(["judge", str(hypotheses), "--task", "semantic", "--estimate"]) == 0
    assert "rules alone ask nobody and cost nothing" in capsys.readouterr().out
    assert (script.asked, contents(hypotheses.parent)) == ([], before)


def test_every_option_reaches_the_judge(
    hypotheses: Path, script: _Model, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The key comes from the variable that is named, and stands in no file."""
    monkeypatch.setenv("MY_KEY", "sk-secret-0123456789")
    options = [
        "--mode",
        "record",
        "--cassette",
        str(tmp_path / "kept.jsonl"),
        "--api-base",
        "http://127.0.0.1:9/v1",
    ]
    options += ["--api-key-env", "MY_KEY", "--votes", "5", "--max-calls", "7", "--max-cost", "2.5"]
    options += [
        "--price-in",
        "1",
        "--price-out",
        "2",
        "--concurrency",
        "3",
        "--timeout",
        "4.5",
        "--max-tokens",
        "99",
    ]
    monkeypatch.setattr(script, "largest", 0.001)
    out = tmp_path / "there.json"
    assert main(["judge", str(hypotheses), *MODEL, *options, "--out", str(out)]) == 0
    (settings,) = script.settings
    found = (settings.mode, settings.api_base, settings.api_key, settings.votes, settings.max_calls)
    assert found == ("record", "http://127.0.0.1:9/v1", "sk-secret-0123456789", 5, 7)
    assert (settings.max_cost_usd, settings.price_in_usd, settings.price_out_usd) == (2.5, 1.0, 2.0)
    assert (settings.concurrency, settings.timeout_s, settings.max_tokens) == (3, 4.5, 99)
    assert _document(out)["n"] == 5
    for path in tmp_path.iterdir():
        assert b"sk-secret" not in path.read_bytes()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--votes", "4"], ["--votes: must be odd"]),
        (["--api-base", "localhost"], ["--api-base: must be an address"]),
        (["--api-base", "http://u:p@host/v1"], ["--api-base: must hold no user or password", "--api-key-env NAME"]),
        (["--price-in", "1"], ["--price-out: must be given too"]),
        (["--mode", "record", "--api-key-env", "sk-u:p"], ["--api-key-env: no environment variable of that name"]),
        (["--model", " "], ["--model: must not be empty"]),
        (["--language", "klingonish"], ["--language"]),
        (["--language", "zh"], ["q8_0.prompts.jsonl", "counts words"]),
        (["--cassette", "{hyp}"], ["is no place for a cassette"]),
        (["--cassette", "{folder}/q8_0.prompts.semantic.json"], ["is no place for a cassette"]),
        (["--out", "{hyp}"], ["would write over what is read"]),
        (["--mode", "live", "--out", "{folder}"], ["is no place for a file"]),
        (["--mode", "live", "--out", "{hyp}/x.json"], ["is no place for a file"]),
        (["--references", "{folder}/none.trn"], ["none.trn: cannot be read"]),
    ],
)
def test_what_cannot_be_is_refused_in_one_sentence(
    hypotheses: Path, script: _Model, capsys: pytest.CaptureFixture[str], options: list[str], words: list[str]
) -> None:
    """Exit code 2, one line on stderr, and no file appears, goes or changes."""
    given = [each.format(hyp=hypotheses, folder=hypotheses.parent) for each in options]
    message = refused_untouched(capsys, hypotheses.parent, "judge", hypotheses, *MODEL, *given)
    assert [word for word in words if word not in message] == []
    assert "u:p" not in message
    assert script.asked == []


@pytest.mark.parametrize(
    "option", [["--votes", "0"], ["--max-cost", "nan"], ["--timeout", "0"], ["--concurrency", "x"]]
)
def test_numbers_that_are_none_are_usage_errors(hypotheses: Path, option: list[str]) -> None:
    """argparse says which option, and ends with 2."""
    with pytest.raises(SystemExit) as ended:
        main(["judge", str(hypotheses), *MODEL, *option])
    assert ended.value.code == 2


def test_a_judge_that_cannot_be_used_is_one_sentence(
    hypotheses: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such as without litellm; nothing is written."""

    def opener(_settings: JudgeSettings) -> Asker:
        raise JudgeError("the judge needs litellm; judge.mode may be replay")

    monkeypatch.setattr(client, "open_asker", opener)
    message = refused(capsys, "judge", str(hypotheses), *MODEL, "--mode", "live")
    assert message == "asrgate judge: the judge needs litellm; --mode may be replay\n"
    assert not hypotheses.with_name("q8_0.prompts.semantic.json").exists()


def test_context_comes_from_the_field_that_is_named(
    tmp_path: Path, script: _Model, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of the row, else of its reference; anything but a text is refused by file, line and id."""
    rows = [{"id": "u1", "hyp_text": "walk the dock", "scene": "a park"}, {"id": "u2", "hyp_text": "feed the cap"}]
    told = [{"id": "u1", "ref_text": "walk the dog"}, {"id": "u2", "ref_text": "feed the cat", "scene": "at home"}]
    path = write(tmp_path / "h.jsonl", rows, {"language": "en"})
    references = write(tmp_path / "manifest.jsonl", told)
    options = ("--references", str(references), "--context", "scene", "--mode", "live")
    assert main(["judge", str(path), *MODEL, *options]) == 0
    seen = {json.loads(each.messages[1]["content"])["context"] for each in script.asked}
    assert seen == {"a park", "at home"}
    capsys.readouterr()
    write(tmp_path / "h.jsonl", [{**rows[0], "scene": 3}, rows[1]], {"language": "en"})
    assert "h.jsonl:2 (u1): scene must be a text; it is 3" in refused(capsys, "judge", str(path), *MODEL, *options)


def test_score_does_not_look_at_context(tmp_path: Path) -> None:
    """Rows of other tools may have any value under that name."""
    path = write(tmp_path / "h.jsonl", [{"id": "1", "ref_text": "a", "hyp_text": "a", "context": 3}])
    assert main(["score", str(path)]) == 0


def test_the_same_file_gives_the_same_bytes(hypotheses: Path) -> None:
    """The bootstrap is seeded: judging by rules twice writes the same file."""
    target = hypotheses.with_name("q8_0.prompts.semantic.json")
    assert main(["judge", str(hypotheses), "--task", "semantic"]) == 0
    first = target.read_bytes()
    # One utterance a line: thousands of them can still be read, compared and searched.
    assert sum(line.startswith(b'  {"id":') for line in first.splitlines()) == len(ROWS)
    assert main(["judge", str(hypotheses), "--task", "semantic"]) == 0
    assert target.read_bytes() == first


def test_every_setting_that_the_judge_speaks_of_is_told_as_an_option() -> None:
    """Its sentences name keys of the gate file, which somebody at the command line does not have."""
    names = {f"judge.{name}" for name in JudgeTable.model_fields}
    spoken = set()
    for path in Path(client.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                # Not what is imported, and the longest name that fits.
                spoken |= {max(fits, key=len) for word in node.value.split() if (fits := _fitting(word, names))}
    assert {"judge.max_calls", "judge.api_key"} <= spoken
    assert spoken <= set(OPTIONS)
    ordered = list(OPTIONS)
    assert not [
        (name, other)
        for place, name in enumerate(ordered)
        for other in ordered[place + 1 :]
        if other.startswith(name)
    ]


def _fitting(word: str, names: set[str]) -> set[str]:
    return {name for name in names if name in word}
