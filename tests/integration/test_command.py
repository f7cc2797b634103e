"""Somebody else's program behind our JSON lines."""

import json
import re
import sys
from pathlib import Path

import pytest

from tests.integration.conftest import SENTENCES, GateProject

ROOT = Path(__file__).parents[2]

GATE = """
[transcriber.mine]
kind = "command"
timeout_s = 5
options = {{ command = {command}, beam = 3 }}
[variant.mine]
[dataset.prompts]
manifest = "prompts/manifest.jsonl"
[thresholds]
wer = 90.0
errors = 8
"""

ENGINE = """
import json, sys
order = json.loads(sys.stdin.readline())
assert order["type"] == "load" and order["options"] == {"beam": 3}, order
assert order["recipe"]["timestamps"] == "none" and "engine" not in order
print(json.dumps({"type": "ready", "provenance": {"engine": "mine", "beam": 3}, "not_controllable": ["seed"]}))
sys.stdout.flush()
texts = json.load(open("texts.json"))
for line in sys.stdin:
    request = json.loads(line)
    assert request["language"] == "en"
    print(json.dumps({"id": request["id"], "text": texts[request["audio"].rsplit("/", 1)[-1]]}), flush=True)
"""


@pytest.fixture
def mine(project: GateProject) -> GateProject:
    """A gate whose engine is a script beside it."""
    project.dataset("prompts", SENTENCES)
    (project.root / "texts.json").write_text(json.dumps({f"{n}.wav": text for n, text in enumerate(SENTENCES)}))
    (project.root / "engine.py").write_text(ENGINE)
    project.gate(GATE.format(command='["python", "engine.py"]'))
    return project


def _pair(project: GateProject) -> dict[str, object]:
    project.run("-m", "wer", "--asrgate-json", "report.json")
    pair: dict[str, object] = json.loads((project.root / "report.json").read_text())["pairs"][0]
    return pair


def test_program_over_standard_input_and_output(mine: GateProject) -> None:
    """A script that reads requests and prints answers is an engine: stamped, stored, and not asked twice."""
    pair = _pair(mine)
    assert (pair["verdict"], pair["rate_pct"], pair["transcribed"]) == ("PASS", 0.0, 8)
    assert pair["not_controllable"] == ["seed"]
    stamp = pair["stamp"]
    assert isinstance(stamp, dict)
    assert (stamp["engine"], stamp["beam"]) == ("mine", 3)
    assert _pair(mine)["transcribed"] == 0
    script = mine.root / "engine.py"
    script.write_text(script.read_text() + "\n# another version\n")
    assert _pair(mine)["transcribed"] == 8


def test_program_over_private_descriptors(mine: GateProject) -> None:
    """`{requests}` and `{answers}` name descriptors of their own, so that prints on stdout do no harm."""
    script = ENGINE.replace("sys.stdin.readline()", "requests.readline()").replace("in sys.stdin", "in requests")
    script = script.replace("print(", "print(file=answers, *", 2).replace("flush=True)", "flush=True)")
    script = script.replace("print(file=answers, *json.dumps", "print(json.dumps").replace(
        "import json, sys\n",
        "import json, sys\nrequests, answers = open(int(sys.argv[1])), open(int(sys.argv[2]), 'w')\n"
        "import builtins, functools\nprint('noise that no protocol survives')\n"
        "print = functools.partial(builtins.print, file=answers, flush=True)\n",
    )
    (mine.root / "engine.py").write_text(script)
    mine.gate(
        GATE.format(command='["python", "engine.py", "{{requests}}", "{{answers}}"]')
        .replace("{{", "{")
        .replace("}}", "}")
    )
    assert _pair(mine)["rate_pct"] == 0.0


@pytest.mark.parametrize(
    ("ready", "sentence"),
    [
        ("print('hello')", "no JSON object: 'hello'"),
        ("print(json.dumps({'type': 'failed', 'detail': 'no licence'}))", "no licence"),
        ("print(json.dumps({'type': 'ready', 'not_controllable': 'seed'}))", "not_controllable that is no list"),
        ("print(json.dumps({'id': 'x'}))", "did not say that it is ready"),
        ("sys.exit('no GPU here')", "ended with exit code 1; last output: no GPU here"),
    ],
)
def test_program_that_does_not_get_ready(mine: GateProject, ready: str, sentence: str) -> None:
    """A program that fails to load, or says something else, is an ERROR with its own words."""
    (mine.root / "engine.py").write_text(f"import json, sys\nsys.stdin.readline()\n{ready}\nsys.stdout.flush()\n")
    pair = _pair(mine)
    assert pair["verdict"] == "ERROR"
    assert sentence in str(pair["reason"])


def test_program_that_is_not_there(mine: GateProject) -> None:
    """A program that cannot be started is one sentence that names it."""
    mine.gate(GATE.format(command='["no-such-engine"]'))
    assert "no-such-engine" in str(_pair(mine)["reason"])


def test_one_bad_answer_costs_one_utterance(mine: GateProject) -> None:
    """A program that dies on a clip is started again for the next."""
    script = (mine.root / "engine.py").read_text()
    script = script.replace(
        '    assert request["language"]',
        '    assert not request["id"].endswith("-3")\n    assert request["language"]',
    )
    (mine.root / "engine.py").write_text(script)
    utterances = _pair(mine)["utterances"]
    assert isinstance(utterances, list)
    assert [row["id"] for row in utterances if row["status"] == "error"] == ["prompts-3"]


def test_program_of_the_readme_works(project: GateProject) -> None:
    """The README's example engine runs as printed there, and is the file in fixtures/."""
    pytest.importorskip("transcribe_cpp")
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    program = next(block for block in blocks if "request" in block and "stdin" in block)
    assert program.strip() in (ROOT / "fixtures" / "engine.py").read_text()
    rows = [json.loads(line) for line in (ROOT / "fixtures/prompts/manifest.jsonl").read_text().splitlines()[:3]]
    for row in rows:
        row["audio"] = str(ROOT / "fixtures" / "prompts" / row["audio"])
    (project.root / "manifest.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (project.root / "engine.py").write_text(program)
    maker = json.dumps(
        [sys.executable, str(ROOT / "fixtures" / "make_models.py"), "moonshine-tiny", "Q8_0", "{model}"]
    )
    gate = (
        GATE.format(command='["python", "engine.py"]')
        .replace("prompts/manifest", "manifest")
        .replace(", beam = 3", "")
    )
    project.gate(gate.replace("[variant.mine]", f'[variant.mine]\nmodel = "q8_0.gguf"\nmake = {maker}'))
    pair = _pair(project)
    assert pair["verdict"] == "PASS"
    assert isinstance(pair["rate_pct"], float)
    assert pair["rate_pct"] < 60
