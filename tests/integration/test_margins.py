"""Claims about the warning that opens a gate whose margin no run can keep."""

from .conftest import GateProject

WARNING = (
    "asrgate: warning: prompts has 49 words: even identical outputs leave * the margin of q8_0 is 0.5; no run*"
)


def test_an_unreachable_margin_warns_before_anything_is_decoded(project: GateProject) -> None:
    """Eight sentences cannot show a loss under half a point: told first, and the verdict is undecided."""
    project.standard("non_inferiority = 0.5")
    project.model("q8_0", {})
    result = project.run("-m", "wer")
    result.stdout.fnmatch_lines([WARNING, "*= asrgate =*"])


def test_a_margin_within_reach_is_no_news(project: GateProject) -> None:
    """Nothing is said of a margin that the set can decide, nor without a run."""
    project.standard("non_inferiority = 30.0")
    project.run("-m", "wer").stdout.no_fnmatch_line("asrgate: warning*")
    project.standard("non_inferiority = 0.5")
    project.run("-m", "wer", "--collect-only").stdout.no_fnmatch_line("asrgate: warning*")


def test_under_xdist_it_is_told_once(project: GateProject) -> None:
    """The controller says it, whatever the number of workers, of the selected pairs only."""
    project.standard("non_inferiority = 0.5")
    result = project.run_apart("-m", "wer", "-n", "2")
    assert sum(line.startswith("asrgate: warning") for line in result.outlines) == 1
    result = project.run_apart("gate.toml::f32::prompts", "-n", "2")
    result.stdout.no_fnmatch_line("asrgate: warning*")
