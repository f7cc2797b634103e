"""The public names, as somebody's own script uses them."""

import subprocess
import sys

import pytest

from tests.integration.conftest import SUPPORT, GateProject

EXAMPLES = SUPPORT / "examples"


def _script(project: GateProject, text: str) -> str:
    """Run a script with the stand-in engine registered, in a process of its own; returns what it printed."""
    (project.root / "script.py").write_text(text)
    program = "import asrgate_fake, runpy; runpy.run_path('script.py')"
    command = [sys.executable, "-W", "error", "-c", program]
    done = subprocess.run(command, cwd=project.root, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_readmes_script_prints_verdict_counts_and_texts(project: GateProject) -> None:
    """Verdict, counts and hypotheses of a pair are a few lines away, and cost one run of each engine."""
    project.standard()
    assert _script(project, (EXAMPLES / "from_python.py").read_text()).splitlines() == [
        "PASS: WER 2.04 %, 1 errors over 49 words",
        "prompts-0 please turn on the chicken light",
        "prompts-1 book a table for two tomorrow",
    ]
    assert project.log("q8_0").count("q8_0 load") == project.log("f32").count("f32 load") == 1


@pytest.mark.parametrize("name", ["from_python.py", "polite.py"])
def test_the_readme_shows_the_examples_as_they_are_tested(name: str) -> None:
    """README.md holds each example to the letter."""
    readme = (SUPPORT.parents[1] / "README.md").read_text(encoding="utf-8")
    assert f"```python\n{(EXAMPLES / name).read_text(encoding='utf-8')}```" in readme


def test_leaving_a_session_ends_its_engines(project: GateProject) -> None:
    """After the block no child process is left, also where the block ended in an exception."""
    project.standard()
    said = _script(
        project,
        "import os\n"
        "from pytest_asrgate import GateSession, open_gate\n"
        "try:\n"
        "    with GateSession(open_gate('gate.toml')) as session:\n"
        "        session.score('f32', 'prompts')\n"
        "        os.waitpid(-1, os.WNOHANG)\n"
        "        raise RuntimeError('mine')\n"
        "except RuntimeError as error:\n"
        "    print(error)\n"
        "try:\n"
        "    os.waitpid(-1, os.WNOHANG)\n"
        "except ChildProcessError:\n"
        "    print('no child')\n",
    )
    assert said.split("\n") == ["mine", "no child", ""]


def test_an_absent_model_is_one_exception_of_the_family(project: GateProject) -> None:
    """A score that cannot be had is an AsrGateError with its sentence; the verdict is ERROR with the same one."""
    project.standard()
    (project.root / "q8_0.json").unlink()
    said = _script(
        project,
        "from pytest_asrgate import AsrGateError, GateSession, Outcome, open_gate\n"
        "with GateSession(open_gate('gate.toml')) as session:\n"
        "    verdict = session.verdict('q8_0', 'prompts')\n"
        "    assert verdict.outcome is Outcome.ERROR\n"
        "    for ask in session.score, session.hypotheses:\n"
        "        try:\n"
        "            ask('q8_0', 'prompts')\n"
        "        except AsrGateError as error:\n"
        "            assert str(error) == verdict.reason\n"
        "            print('refused')\n",
    )
    assert said == "refused\nrefused\n"
