"""Claims about `asrgate judge --task intent`: documented rows in, documented objects out, by rules or a model."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from pytest_asrgate.cli import main
from pytest_asrgate.judge import client
from pytest_asrgate.judge.asking import Request, Response
from pytest_asrgate.reports.intent_trail import DocumentedEntry
from pytest_asrgate.reports.schema import intent_schema

from .commands import contents, refused_untouched, write
from .judge_stand_ins import Script, answer

ROWS: list[dict[str, Any]] = [
    {"index": 0, "hypothesis": "call Anna at 9?", "ground_truth": "Call Anna at 5?", "context": "a reminder"},
    {"index": 4, "hypothesis": "yes yes", "ground_truth": "Yes.", "context": ""},
    {"index": 2, "hypothesis": "नमस्ते राम", "ground_truth": "नमस्ते राम!", "context": "", "language": "hi"},
    {"index": 9, "hypothesis": "hello", "ground_truth": "", "context": ""},
    {"index": 3, "hypothesis": "", "ground_truth": "Mail me at a.b@c.de", "context": ""},
]
for _row in ROWS:
    _row.setdefault("language", "en")
TASK = ("--task", "intent")
MODEL = (*TASK, "--model", "stand-in/one")
NAMES = ("Anna", "5", "राम", "a.b@c.de")


def _reply(request: Request) -> Response:
    """Lists the names and numbers it knows, and finds the intent lost and each entity preserved or missing."""
    asked = json.loads(request.messages[1]["content"])
    if "entities" not in asked:
        known = [name for name in NAMES if name in asked["reference"]]
        kinds = {"5": "number", "a.b@c.de": "email"}
        listed = [{"text": name, "kind": kinds.get(name, "person"), "importance": 3} for name in known]
        return answer(json.dumps({"entities": listed}), cost=None)
    found: dict[str, object] = {"intent": {"reason": "a time that nobody named", "verdict": "lost"}}
    for row in asked["entities"]:
        heard = row["text"] if row["text"] in asked["hypothesis"] else ""
        verdict = "preserved" if heard else "missing"
        found[row["id"]] = {"reason": "looked for it", "heard": heard, "verdict": verdict}
    return answer(json.dumps(found), cost=None)


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Script:
    """Who is asked in place of a model."""
    made = Script(steps=[_reply], largest=None)
    monkeypatch.setattr(client, "open_asker", made.open)
    return made


@pytest.fixture
def hypotheses(tmp_path: Path) -> Path:
    """A file of documented rows, as JSON lines."""
    return write(tmp_path / "q8_0.prompts.jsonl", ROWS)


def _document(path: Path) -> Any:
    found = json.loads(path.read_text(encoding="utf-8"))
    assert list(Draft202012Validator(intent_schema()).iter_errors(found)) == []
    return found


def _target(hypotheses: Path) -> Path:
    return hypotheses.with_name("q8_0.prompts.intent.json")


def _objects(document: Any) -> list[dict[str, object]]:
    return [{key: row[key] for key in DocumentedEntry.__annotations__} for row in document["utterances"]]


def test_documented_rows_become_documented_objects_by_rules_alone(
    hypotheses: Path, script: Script, capsys: pytest.CaptureFixture[str]
) -> None:
    """No model, no cassette: own indexes, both scores, the lists, and figures that are called lower bounds."""
    imported = "litellm" in sys.modules
    assert main(["judge", str(hypotheses), *TASK]) == 0
    assert {path.name for path in hypotheses.parent.iterdir()} == {hypotheses.name, _target(hypotheses).name}
    document = _document(_target(hypotheses))
    assert (document["judge"], document["lower_bound"], document["n"]) == ("rules", True, 5)
    objects = _objects(document)
    assert [(each["index"], each["intent_score"]) for each in objects] == [(0, 0), (4, 1), (2, 1), (9, 0), (3, 0)]
    first = objects[0]
    assert (first["ground_truth_entities"], first["preserved_entities"]) == ("Anna, 5", "Anna")
    assert (first["missing_entities"], first["entity_score"]) == ("5", pytest.approx(1 / 3))
    assert (objects[1]["ground_truth_entities"], objects[1]["entity_score"]) == ("NA", 1.0)
    assert (objects[3]["ground_truth_entities"], objects[3]["entity_score"]) == ("NA", 1.0)
    assert (objects[4]["missing_entities"], objects[4]["entity_score"]) == ("a.b@c.de", 0.0)
    assert document["utterances"][0]["context"] == "a reminder"
    assert document["figures"]["empty_references"] == 1
    assert [each["language"] for each in document["languages"]] == ["en", "hi"]
    out = capsys.readouterr().out
    assert "intent kept in at least 2 of 4 utterances: at least 50.00 % (95 % Wilson" in out
    assert "  hi: intent at least 100.00 %" in out
    assert "intent, by rules alone: a lower bound of what a judge would say" in out
    assert "entities, by rules alone: a figure over the digits, " in out
    assert "entity score at least" not in out
    assert out.endswith(f"wrote {_target(hypotheses)}\n")
    assert ("litellm" in sys.modules) == imported
    assert script.opened == 0


def test_what_is_recorded_is_replayed_with_the_same_rulings(
    hypotheses: Path, script: Script, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two questions an utterance: four references with words, and one intent that rules leave open, voted on."""
    assert main(["judge", str(hypotheses), *MODEL, "--mode", "record"]) == 0
    recorded = _document(_target(hypotheses))
    assert (recorded["judge"], recorded["lower_bound"]) == ("stand-in/one", False)
    told = [json.loads(each.messages[1]["content"]) for each in script.asked]
    listings = [each for each in told if "entities" not in each]
    assert sorted(each["reference"] for each in listings) == sorted(
        row["ground_truth"] for row in ROWS if row["ground_truth"]
    )
    assert not [each for each in listings if "hypothesis" in each]
    assert {each["hypothesis"] for each in told if "entities" in each} == {"call Anna at 9?"}
    first, second = _objects(recorded)[:2]
    assert (first["intent_score"], first["preserved_entities"], first["missing_entities"]) == (0, "Anna", "5")
    assert first["intent_explanation"] == "a time that nobody named"
    assert (second["intent_score"], second["ground_truth_entities"]) == (1, "NA")
    assert recorded["utterances"][0]["decided_by"] == "judge stand-in/one"
    asked = len(script.asked)
    _target(hypotheses).unlink()
    capsys.readouterr()
    assert main(["judge", str(hypotheses), *MODEL]) == 0
    assert f"0 calls made, {asked} replies replayed" in capsys.readouterr().out
    assert _document(_target(hypotheses))["utterances"] == recorded["utterances"]
    assert len(script.asked) == asked


def test_a_miss_is_a_judge_error_and_exit_code_1(
    hypotheses: Path, script: Script, capsys: pytest.CaptureFixture[str]
) -> None:
    """Both scores are null, with what to do in this command's words; nobody was asked."""
    assert main(["judge", str(hypotheses), *MODEL]) == 1
    document = _document(_target(hypotheses))
    assert document["judge_errors"] == ["0", "4", "2", "3"]
    failed = document["utterances"][0]
    assert (failed["intent_score"], failed["entity_score"], failed["ground_truth_entities"]) == (None, None, "")
    assert "--mode record" in failed["judge_error"]
    assert "judge.mode" not in json.dumps(document) + capsys.readouterr().out
    assert (document["figures"]["intent_pct"], document["utterances"][3]["intent_score"]) == (None, 0)
    assert script.opened == 0


def test_a_judge_that_answered_nothing_replaces_no_document(
    hypotheses: Path, script: Script, capsys: pytest.CaptureFixture[str]
) -> None:
    """What an earlier run found stays; entities alone that the judge listed are an answer."""
    target = _target(hypotheses)
    assert main(["judge", str(hypotheses), *MODEL, "--mode", "record"]) == 0
    good = target.read_bytes()
    cassette = hypotheses.with_name("judge.cassette")
    kept = cassette.read_text(encoding="utf-8").splitlines(keepends=True)
    cassette.unlink()
    capsys.readouterr()
    assert main(["judge", str(hypotheses), *MODEL]) == 1
    assert target.read_bytes() == good
    last = capsys.readouterr().out.splitlines()[-1]
    assert last == f"{target}: stays as it was, since the judge gave no ruling at all"
    cassette.write_text(
        "".join(line for line in kept if '"task":"intent"' not in line.replace('": "', '":"')), "utf-8"
    )
    assert main(["judge", str(hypotheses), *MODEL]) == 1
    assert _document(target)["judge_errors"] == ["0"]
    assert len(script.asked) > 0


def test_an_estimate_asks_nobody_and_writes_nothing(
    hypotheses: Path, script: Script, capsys: pytest.CaptureFixture[str]
) -> None:
    """Both questions are counted, also before the entities are known; answered ones are told as such."""
    before = contents(hypotheses.parent)
    assert main(["judge", str(hypotheses), *MODEL, "--estimate"]) == 0
    out = capsys.readouterr().out
    assert "5 different questions about 5 utterances for stand-in/one; 0 answered already" in out
    assert "note: two questions an utterance" in out
    assert main(["judge", str(hypotheses), *TASK, "--estimate"]) == 0
    assert "rules alone ask nobody and cost nothing" in capsys.readouterr().out
    assert (script.asked, contents(hypotheses.parent)) == ([], before)
    assert main(["judge", str(hypotheses), *MODEL, "--mode", "record"]) == 0
    capsys.readouterr()
    assert main(["judge", str(hypotheses), *MODEL, "--estimate"]) == 0
    assert (
        "5 different questions about 5 utterances for stand-in/one; 5 answered already" in capsys.readouterr().out
    )


@pytest.mark.parametrize("indent", [None, 2])
def test_an_array_and_one_object_are_read(tmp_path: Path, indent: int | None) -> None:
    """A .json file of documented rows gives what its JSON lines give; one object is one row."""
    lines, array = write(tmp_path / "lines.jsonl", ROWS), tmp_path / "array.json"
    array.write_text(json.dumps(ROWS, indent=indent), encoding="utf-8")
    assert main(["judge", str(lines), *TASK]) == main(["judge", str(array), *TASK]) == 0
    ours = _document(tmp_path / "lines.intent.json")
    assert _document(tmp_path / "array.intent.json")["utterances"] == ours["utterances"]
    one = tmp_path / "one.json"
    row = {key: value for key, value in ROWS[0].items() if key != "language"}
    one.write_text(json.dumps(row, indent=indent), encoding="utf-8")
    assert main(["judge", str(one), *TASK, "--language", "en"]) == 0
    assert _objects(_document(tmp_path / "one.intent.json")) == _objects(ours)[:1]


def test_other_rows_are_numbered(tmp_path: Path) -> None:
    """Rows with ids have no index of their own: it is counted from 1; an error row has no score."""
    rows = [
        {"id": "u1", "ref_text": "Yes", "hyp_text": "yeah"},
        {"id": "u2", "ref_text": "lost words", "hyp_text": "", "error": "crashed"},
    ]
    path = write(tmp_path / "h.jsonl", rows, {"language": "en"})
    assert main(["judge", str(path), *TASK]) == 0
    first, second = _document(tmp_path / "h.intent.json")["utterances"]
    assert (first["index"], first["id"], second["index"]) == (1, "u1", 2)
    assert (second["status"], second["intent_score"], second["entity_score"]) == ("error", None, None)


def test_semantic_reads_the_same_rows(hypotheses: Path) -> None:
    """And writes a file of its own beside."""
    assert main(["judge", str(hypotheses), "--task", "semantic"]) == 0
    document = json.loads(hypotheses.with_name("q8_0.prompts.semantic.json").read_text(encoding="utf-8"))
    assert [row["id"] for row in document["utterances"]] == ["0", "4", "2", "9", "3"]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"index": True}, "q8_0.prompts.jsonl:2: index must be a whole number from 0 to 10**15; it is True"),
        ({"index": 0}, "q8_0.prompts.jsonl: ids that stand more than once: '0' (lines 1 and 2)"),
        ({"hypothesis": 5}, "q8_0.prompts.jsonl:2 (4): hypothesis must be a text; it is 5"),
        ({"context": 5}, "q8_0.prompts.jsonl:2 (4): context must be a text; it is 5"),
        ({"language": None}, "q8_0.prompts.jsonl:2 (4): names no language"),
    ],
)
def test_bad_rows_are_refused_in_one_sentence(
    hypotheses: Path, capsys: pytest.CaptureFixture[str], change: dict[str, object], words: str
) -> None:
    """Exit code 2, the place and the key, and no file is written."""
    write(hypotheses, [ROWS[0], {**ROWS[1], **change}, *ROWS[2:]])
    assert words in refused_untouched(capsys, hypotheses.parent, "judge", hypotheses, *TASK)


def test_a_context_that_nobody_asks_for_may_be_anything(
    hypotheses: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Only the key that is named must hold a text."""
    write(hypotheses, [{**ROWS[0], "context": 5, "note": "a clerk"}, *ROWS[1:]])
    assert main(["judge", str(hypotheses), *TASK, "--context", "note"]) == 0
    assert _document(_target(hypotheses))["utterances"][0]["context"] == "a clerk"
    _target(hypotheses).unlink()
    told = refused_untouched(capsys, hypotheses.parent, "judge", hypotheses, *TASK)
    assert "q8_0.prompts.jsonl:1 (0): context must be a text; it is 5" in told


def test_rows_with_an_id_are_counted_from_one(hypotheses: Path) -> None:
    """The id names the utterance, and a number in the order of the rows stands in the place of the index."""
    write(hypotheses, [{"id": f"u{row.pop('index')}", **row} for row in map(dict, ROWS)])
    assert main(["judge", str(hypotheses), *TASK]) == 0
    rows = _document(_target(hypotheses))["utterances"]
    assert [(row["index"], row["id"]) for row in rows] == [
        (1, "u0"), (2, "u4"), (3, "u2"), (4, "u9"), (5, "u3"),
    ]  # fmt: skip


def test_the_document_does_not_go_over_what_is_read(hypotheses: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nor over the cassette, as for the other task."""
    refused_untouched(capsys, hypotheses.parent, "judge", hypotheses, *TASK, "--out", hypotheses)
    refused_untouched(capsys, hypotheses.parent, "judge", hypotheses, *MODEL, "--cassette", _target(hypotheses))


def test_the_same_file_gives_the_same_bytes(hypotheses: Path) -> None:
    """The bootstrap is seeded; one utterance a line."""
    assert main(["judge", str(hypotheses), *TASK]) == 0
    first = _target(hypotheses).read_bytes()
    assert sum(line.startswith(b'  {"index":') for line in first.splitlines()) == len(ROWS)
    assert main(["judge", str(hypotheses), *TASK]) == 0
    assert _target(hypotheses).read_bytes() == first
