"""Claims about `asrgate judge --calibrate`: what is printed, kept and refused, and how it ends."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pytest_asrgate.cli import main
from pytest_asrgate.judge import client
from pytest_asrgate.judge.asking import Request, Response
from pytest_asrgate.judge.calibration import read_calibrations

from .commands import refused_untouched, write
from .judge_stand_ins import Script, answer

# Pairs of nouns that no rule settles, and which people label alternately.
NOUNS = ["dog dock", "cat bat", "lamp lamb", "door floor", "song gong", "boat goat", "cake lake", "tree bee"]
PAIRS = [tuple(pair.split()) for pair in NOUNS]
ROWS = [
    {
        "id": f"u{number}",
        "ref_text": f"{verb} the {spoken}",
        "hyp_text": f"{verb} the {heard}",
        "labels": ["error" if (number + turn) % 2 else "same"],
        "class": verb,
    }
    for turn, verb in enumerate(("take", "find", "show"))
    for number, (spoken, heard) in enumerate(PAIRS, start=10 * turn)
]
HUMAN = {str(row["hyp_text"]): row["labels"][0] for row in ROWS}
MODEL = ("--task", "semantic", "--model", "stand-in/one")


def _as_people(wrong: int = 0, served: str = "one-of-may") -> Callable[[Request], Response]:
    """Answers as people did, but for the first so many hypotheses."""
    others = set(list(HUMAN)[:wrong])

    def reply(request: Request) -> Response:
        asked = json.loads(request.messages[1]["content"])
        label = HUMAN[asked["hypothesis"]]
        if asked["hypothesis"] in others:
            label = "same" if label == "error" else "error"
        found = {row["id"]: {"reason": "I see it so", "verdict": label} for row in asked["differences"]}
        response = answer(json.dumps(found), cost=None)
        return Response({**response.body, "model": served}, 100, 20, None)

    return reply


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Script:
    """Who is asked in place of a model: it agrees with people but for two labels."""
    made = Script(steps=[_as_people(2)], largest=None)
    monkeypatch.setattr(client, "open_asker", made.open)
    return made


@pytest.fixture
def labels(tmp_path: Path) -> Path:
    """A file of 24 human labels of one difference each."""
    return write(tmp_path / "labels.jsonl", ROWS)


@pytest.fixture
def here(labels: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the labels, which the command runs in."""
    monkeypatch.chdir(labels.parent)
    return labels.parent


def _run(labels: Path, *options: str) -> int:
    return main(["judge", "--calibrate", str(labels), *MODEL, *options])


def test_a_calibration_is_printed_and_kept(
    labels: Path, script: Script, capsys: pytest.CaptureFixture[str]
) -> None:
    """A table of all, languages and classes; labels that differ; the result beside the labels, the replies too."""
    assert _run(labels, "--mode", "record") == 0
    out = capsys.readouterr().out
    assert out.startswith(
        "labels.jsonl\n  stand-in/one against people, semantic: asked about 24 labels of 24 utterances\n"
    )
    lines = [" ".join(line.split()) for line in out.splitlines()]
    # 11 of 12 agree of each label: 22/24, by chance 1/2, so 5/6.
    assert any(line.startswith("all 24 91.67 % 0.83 0.61 – 1.00") for line in lines)
    assert any(line.startswith("language en 24 91.67 % 0.83") for line in lines)
    assert any(line.startswith("class take 8 75.00 % 0.50") for line in lines)
    assert any(line.startswith("class show 8 100.00 % 1.00") for line in lines)
    assert "  labels that differ: 2\n" in out
    assert 'u0 (en, take) 1. "dog" → "dock": people same, judge error: I see it so' in out
    assert "served as one-of-may" in out
    assert "24 calls made, 0 replies replayed, price unknown" in out
    assert "the first calibration of this judge for this task" in out
    assert out.endswith(f"wrote {labels.with_name('judge.calibration.json')}\n")
    assert {path.name for path in labels.parent.iterdir()} == {
        "labels.jsonl",
        "judge.cassette",
        "judge.calibration.json",
    }
    (found,) = read_calibrations(labels.with_name("judge.calibration.json"))
    assert (found.whole.n, found.whole.agreed, found.served) == (24, 22, ("one-of-may",))


def test_replaying_changes_nothing(labels: Path, script: Script, capsys: pytest.CaptureFixture[str]) -> None:
    """Who has the cassette needs no model: the same figures, the same file, and nobody is asked."""
    _run(labels, "--mode", "record")
    asked, kept = len(script.asked), labels.with_name("judge.calibration.json").read_bytes()
    capsys.readouterr()
    assert _run(labels) == 0
    out = capsys.readouterr().out
    assert "0 calls made, 24 replies replayed" in out
    assert "nothing changed since" in out
    assert out.endswith("judge.calibration.json: stays as it was, it has this calibration already\n")
    assert len(script.asked) == asked
    assert labels.with_name("judge.calibration.json").read_bytes() == kept


def test_a_judge_that_drifts_is_told(labels: Path, script: Script, capsys: pytest.CaptureFixture[str]) -> None:
    """The same labels, asked in the same way, and another kappa; the history keeps both."""
    _run(labels, "--mode", "record")
    script.steps = [_as_people(6, served="one-of-june")]
    capsys.readouterr()
    assert _run(labels, "--mode", "live", "--min-kappa", "0.6") == 1
    out = capsys.readouterr().out
    assert "kappa 0.83 → 0.50 since" in out
    assert ": the judge drifts (served as one-of-june, not one-of-may)" in out
    assert out.endswith("not enough: kappa is 0.50 over 24 labels, below --min-kappa = 0.6\n")
    kappas = [each.whole.kappa for each in read_calibrations(labels.with_name("judge.calibration.json"))]
    assert kappas == pytest.approx([5 / 6, 1 / 2])


def test_a_drifted_judge_is_not_replayed_back(
    labels: Path, script: Script, capsys: pytest.CaptureFixture[str]
) -> None:
    """Recorded when it was good, asked anew when it was not: the old replies add nothing, in either mode."""
    path = labels.with_name("judge.calibration.json")
    assert _run(labels, "--mode", "record", "--min-kappa", "0.6") == 0
    script.steps = [_as_people(6)]
    assert _run(labels, "--mode", "live", "--min-kappa", "0.6") == 1
    drifted = path.read_bytes()
    for mode in ("record", "replay"):
        capsys.readouterr()
        assert _run(labels, "--mode", mode, "--min-kappa", "0.6") == 1
        out = capsys.readouterr().out
        assert "nothing was added, since it has a calibration by newer replies" in out
        assert "ask anew with --mode live, or record into another --cassette" in out
        assert "drifts" not in out
        assert path.read_bytes() == drifted
    script.steps = [_as_people(1)]
    assert _run(labels, "--mode", "live", "--min-kappa", "0.6") == 0
    modes = [(each.replies.mode, each.replies.fresh, each.replies.replayed) for each in read_calibrations(path)]
    assert modes == [("record", 24, 0), ("live", 24, 0), ("live", 24, 0)]


def test_a_label_more_does_not_hide_the_drift(
    labels: Path, script: Script, capsys: pytest.CaptureFixture[str]
) -> None:
    """One fresh reply makes the others no newer: the day of the first one counts."""
    cassette, path = labels.with_name("judge.cassette"), labels.with_name("judge.calibration.json")
    write(labels, ROWS[1:])
    _run(labels, "--mode", "record")
    kept = [json.loads(line) for line in cassette.read_text().splitlines()]
    cassette.write_text("".join(json.dumps({**row, "date": "2026-01-01T00:00:00Z"}) + "\n" for row in kept))
    script.steps = [_as_people(6)]
    assert _run(labels, "--mode", "live") == 0
    write(labels, ROWS)
    capsys.readouterr()
    assert _run(labels, "--mode", "record") == 1
    assert "and 23 of these were replayed, the first from 2026-01-01" in capsys.readouterr().out
    assert [each.replies.mode for each in read_calibrations(path)] == ["record", "live"]


def test_more_labels_may_be_recorded(labels: Path, script: Script) -> None:
    """Where nobody asked anew meanwhile, kept replies and fresh ones make a calibration."""
    write(labels, ROWS[4:])
    assert _run(labels, "--mode", "record") == 0
    write(labels, ROWS)
    assert _run(labels, "--mode", "record") == 0
    _, found = read_calibrations(labels.with_name("judge.calibration.json"))
    assert (found.replies.fresh, found.replies.replayed, found.whole.n) == (4, 20, 24)


def test_a_date_that_is_none_is_not_kept(labels: Path, script: Script, capsys: pytest.CaptureFixture[str]) -> None:
    """A cassette may be edited: what could not be read again is not written."""
    _run(labels, "--mode", "record")
    labels.with_name("judge.calibration.json").unlink()
    cassette = labels.with_name("judge.cassette")
    cassette.write_text(cassette.read_text().replace('"date": "2', '"date": "the 2'))
    capsys.readouterr()
    assert _run(labels) == 2
    assert "the calibration cannot be kept: replies: first must be a date" in capsys.readouterr().err
    assert not labels.with_name("judge.calibration.json").exists()


def test_other_labels_are_no_drift(labels: Path, script: Script, capsys: pytest.CaptureFixture[str]) -> None:
    """Where people changed their minds, or votes were changed, the judge is not blamed."""
    _run(labels, "--mode", "record")
    write(labels, [{**row, "labels": ["same"]} if row["id"] == "u1" else row for row in ROWS])
    capsys.readouterr()
    assert _run(labels, "--mode", "record", "--votes", "5") == 0
    out = capsys.readouterr().out
    assert "(other labels; votes 3 → 5)" in out
    assert "drifts" not in out


@pytest.mark.parametrize(("least", "code"), [("0.83", 0), ("0.84", 1)])
def test_min_kappa_decides_how_it_ends(labels: Path, script: Script, least: str, code: int) -> None:
    """Either way the result is kept, so that a gate refuses a judge that agrees less than it did."""
    assert _run(labels, "--mode", "record", "--min-kappa", least) == code
    assert len(read_calibrations(labels.with_name("judge.calibration.json"))) == 1


@pytest.mark.parametrize(
    ("rows", "fact"),
    [
        (ROWS[:2], "not enough: language unnamed has 2 human labels"),
        (
            [{**row, "language": "hi" if number < 3 else "en"} for number, row in enumerate(ROWS)],
            "not enough: language hi has 3 human labels that it was asked about, and 20 are the fewest",
        ),
        (
            [*({**row, "language": "en"} for row in ROWS), {**ROWS[0], "id": "e", "hyp_text": "take the dog",
             "labels": [], "language": "fr"}],
            "not enough: language fr has 0 human labels that it was asked about",
        ),
    ],
)  # fmt: skip
def test_few_labels_are_not_enough(
    labels: Path, script: Script, capsys: pytest.CaptureFixture[str], rows: list[dict[str, Any]], fact: str
) -> None:
    """Two labels that agree say nothing: in no language there is may they be fewer than 20. Without a kappa asked
    for they are stored, and it is said.
    """
    script.steps = [_as_people()]
    write(labels, rows)
    assert _run(labels, "--mode", "record", "--min-kappa", "0.6") == 1
    assert fact.replace("unnamed", "en") in capsys.readouterr().out
    assert _run(labels) == 0


def test_rows_that_repeat_others_count_once(
    labels: Path, script: Script, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ten labels under thirty ids are ten, and the reader is told."""
    script.steps = [_as_people()]
    write(labels, [{**row, "id": f"{turn}-{row['id']}"} for turn in range(3) for row in ROWS[:10]])
    assert _run(labels, "--mode", "record", "--min-kappa", "0.6") == 1
    out = capsys.readouterr().out
    assert "asked about 10 labels of 10 utterances" in out
    assert "note: rows that have the texts and labels of others, and count once with them: 20" in out
    assert "language en has 10 human labels" in out


def test_failed_judgements_are_named_and_nothing_is_kept(
    labels: Path, script: Script, capsys: pytest.CaptureFixture[str]
) -> None:
    """A figure of the labels that the judge managed would be that of an easier set; replies stay."""
    script.by_text = {"take the dog": [answer("not JSON")]}
    assert _run(labels, "--mode", "record") == 1
    out = capsys.readouterr().out
    assert "utterances without a ruling: 1\n" in out
    assert "u0: judge stand-in/one: the reply is no JSON" in out
    assert "nothing was added, since the judge failed on labels that its figures would lack" in out
    assert "since 20" not in out
    assert not labels.with_name("judge.calibration.json").exists()
    assert labels.with_name("judge.cassette").exists()


def test_a_cassette_that_lacks_replies_says_how_to_record(
    labels: Path, script: Script, capsys: pytest.CaptureFixture[str]
) -> None:
    """In the words of the command."""
    assert _run(labels) == 1
    out = capsys.readouterr().out
    assert "utterances without a ruling: 24, the first 5 of them" in out
    assert "to record it, run with --mode record" in out
    assert "judge.mode" not in out
    assert script.asked == []


def test_rules_that_decide_all_calibrate_nobody(
    tmp_path: Path, script: Script, capsys: pytest.CaptureFixture[str]
) -> None:
    """There is nothing to compare: said, and not kept."""
    rows = [{"id": "u1", "ref_text": "call at five", "hyp_text": "call at nine", "labels": ["error"]}]
    assert _run(write(tmp_path / "labels.jsonl", rows), "--mode", "record") == 1
    out = capsys.readouterr().out
    assert "asked about 0 labels of 1 utterance; rules decided 1, of which 1 agree" in out
    assert "rules decided all of it" in out
    assert "kappa — is undefined: the judge was asked about nothing, so there is nothing to compare" in out
    assert "alike" not in out
    assert not (tmp_path / "judge.calibration.json").exists()


def test_estimate_asks_nobody(labels: Path, script: Script, capsys: pytest.CaptureFixture[str]) -> None:
    """Calls, tokens and money of the labels; nothing is written."""
    assert _run(labels, "--estimate") == 0
    out = capsys.readouterr().out
    assert "24 different questions about 24 utterances for stand-in/one" in out
    assert out.endswith("nobody was asked, and nothing was written\n")
    assert script.asked == []
    assert [path.name for path in labels.parent.iterdir()] == ["labels.jsonl"]


@pytest.mark.parametrize(
    ("arguments", "fact"),
    [
        (["HYP", "--calibrate", "LABELS", *MODEL], "--calibrate judges the texts of its labels; leave HYP out"),
        ([*MODEL], "nothing to judge: give a file of hypotheses HYP, or --calibrate LABELS"),
        (["HYP", *MODEL, "--min-kappa", "0.5"], "--min-kappa is for --calibrate LABELS"),
        (["HYP", *MODEL, "--calibration", "x"], "--calibration is for --calibrate LABELS"),
        (["--calibrate", "LABELS", "--task", "semantic"], "--model: name the model to calibrate"),
        (["--calibrate", "LABELS", *MODEL, "--out", "x"], "--out is for a file of hypotheses"),
        (["--calibrate", "LABELS", *MODEL, "--references", "x"], "--references is for a file of hypotheses"),
        (["--calibrate", "LABELS", *MODEL, "--calibration", "LABELS"], "is the labels; name another --calibration"),
        (
            ["--calibrate", "LABELS", *MODEL, "--calibration", "judge.cassette", "--cassette", "judge.cassette"],
            "is the replies; name another --calibration",
        ),
        (["--calibrate", "LABELS", *MODEL, "--cassette", "LABELS"], "is the labels; name another --cassette"),
        (["--calibrate", "LABELS", *MODEL, "--calibration", "."], "is no place for a file"),
        (["--calibrate", "LABELS", *MODEL, "--calibration", "LABELS/x"], "is no place for a file"),
        (["--calibrate", "LABELS", *MODEL, "--calibration", "DAMAGED"], "no JSON object"),
        (["--calibrate", "LABELS", *MODEL, "--language", "klingonish"], "--language: there is no language"),
        (["--calibrate", "absent", *MODEL], "absent: cannot be read"),
        (["--calibrate", "LABELS", *MODEL, "--votes", "2"], "--votes: must be odd"),
        (["--calibrate", "LABELS", *MODEL, "--language", "ja"], "counts words"),
    ],
)
def test_what_does_not_fit_is_refused(
    here: Path, script: Script, capsys: pytest.CaptureFixture[str], arguments: list[str], fact: str
) -> None:
    """One sentence, before anybody is asked, and no file is touched."""
    (here / "damaged.json").write_text("{")
    names = {
        "HYP": "labels.jsonl",
        "LABELS": "labels.jsonl",
        "LABELS/x": "labels.jsonl/x",
        "DAMAGED": "damaged.json",
    }
    words: list[Any] = [names.get(word, word) for word in arguments]
    assert fact in refused_untouched(capsys, here, "judge", *words)
    assert script.asked == []


@pytest.mark.parametrize("value", ["0", "1.1", "nan", "x", "-0.5"])
def test_a_kappa_out_of_range_is_no_option(labels: Path, capsys: pytest.CaptureFixture[str], value: str) -> None:
    """It must be above 0 and at most 1."""
    with pytest.raises(SystemExit):
        _run(labels, f"--min-kappa={value}")
    assert "must be above 0 and at most 1, such as 0.6" in capsys.readouterr().err


INTENTS = [
    {
        "index": number,
        "ground_truth": f"{who} will {verb} the {thing}",
        "hypothesis": f"{other} will {verb} the {thing}",
        "intent_score": 0,
        "class": "pronoun",
        "language": "en",
        "entities": [{"text": thing, "status": "preserved"}],
    }
    for number, (who, other, verb, thing) in enumerate(
        [("I", "you", "pay", "rent"), ("she", "he", "book", "room"), ("we", "they", "sell", "boat")]
    )
] + [
    {
        "index": 10,
        "ground_truth": "please say the question again",
        "hypothesis": "ask the question again",
        "intent_score": 1,
        "language": "en",
        "entities": [{"text": "question", "status": "preserved"}],
    }
]


def _of_intents(request: Request) -> Response:
    """Lists the last word but `again`, which is preserved, and calls each intent lost but that of the question."""
    asked = json.loads(request.messages[1]["content"])
    if request.schema_name == "entities":
        word = "question" if "question" in asked["reference"] else asked["reference"].split()[-1]
        rows = [{"text": word, "kind": "object", "importance": 2}]
        return answer(json.dumps({"entities": rows}), cost=None)
    verdict = "kept" if "question" in asked["hypothesis"] else "lost"
    found: dict[str, object] = {"intent": {"reason": "a reason", "verdict": verdict}}
    for row in asked["entities"]:
        found[row["id"]] = {"reason": "a reason", "heard": row["text"], "verdict": "preserved"}
    return answer(json.dumps(found), cost=None)


def test_intents_and_entities(tmp_path: Path, script: Script, capsys: pytest.CaptureFixture[str]) -> None:
    """Documented input rows with human labels: both questions are asked, and entities have a row of their own."""
    script.steps = [_of_intents]
    path = write(tmp_path / "labels.jsonl", INTENTS)
    command = ["judge", "--calibrate", str(path), "--task", "intent", "--model", "stand-in/one"]
    assert main([*command, "--mode", "record"]) == 0
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert lines[1] == "stand-in/one against people, intent: asked about 4 labels of 4 utterances"
    assert any(line.startswith("all 4 100.00 % 1.00") for line in lines)
    assert any(line.startswith("class pronoun 3 100.00 % — —") for line in lines)
    assert any(line.startswith("entities 4 100.00 % — —") for line in lines)
    assert {request.schema_name for request in script.asked} == {"entities", "intent"}
    (found,) = read_calibrations(tmp_path / "judge.calibration.json")
    assert (found.task, found.whole.kappa, found.entities.kappa) == ("intent", 1.0, None)
    assert main(command) == 0
    assert "0 calls made, 8 replies replayed" in capsys.readouterr().out
    assert main([*command, "--min-kappa", "0.5"]) == 1
    assert "language en has 4 human labels" in capsys.readouterr().out
    assert main([*command, "--estimate", "--cassette", str(tmp_path / "other")]) == 0
    assert "8 different questions about 4 utterances" in capsys.readouterr().out
