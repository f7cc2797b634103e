"""What it costs to have the plugin installed, and how soon the command answers: python benchmarks/startup.py.

Each round runs, one after another: pytest over one test with the plugin and without it (`-p no:asrgate`), the
command `asrgate --help`, and as its alternative a Python that does nothing. Printed are medians over the rounds, in
ms on the clock and of CPU, and of the differences within the rounds. The runs with the plugin must print what those
without it print.
"""

import argparse
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

HELP = "from pytest_asrgate.cli import main; raise SystemExit(main(['--help']))"
TEST = "def test_nothing():\n    pass\n"


def _run(command: list[str], folder: Path, environment: dict[str, str]) -> tuple[float, float, str]:
    """Milliseconds on the clock and of CPU, and what was printed."""
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(
        command,
        cwd=folder,
        env=environment,
        check=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    clock, after = time.perf_counter() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return 1000 * clock, 1000 * cpu, done.stdout


def main() -> None:
    """Run all of them in turn, and print medians, differences and ratios."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=25)
    rounds = parser.parse_args().rounds
    pytest = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    commands = {
        "pytest without the plugin": [*pytest, "-p", "no:asrgate"],
        "pytest with it, no gate": pytest,
        "a Python that does nothing": [sys.executable, "-c", "pass"],
        "asrgate --help": [sys.executable, "-c", HELP],
    }
    taken: dict[str, list[tuple[float, float]]] = {title: [] for title in commands}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
        (folder / "test_nothing.py").write_text(TEST, encoding="utf-8")
        # Python's compiled modules are kept, as they are for everybody who did not ask for the contrary.
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(folder / "compiled")}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        for number in range(rounds + 1):
            printed = {}
            for title, command in commands.items():
                clock, cpu, text = _run(command, folder, environment)
                printed[title] = re.sub(r"in [0-9.]+s", "", text)
                # The first round compiles.
                if number:
                    taken[title].append((clock, cpu))
            without, with_it, *_ = printed.values()
            assert without == with_it, (without, with_it)
    for title, runs in taken.items():
        print(f"{title}: {median(run[0] for run in runs):.1f} ms, {median(run[1] for run in runs):.1f} ms of CPU")
    pairs = (
        ("the plugin in a run without a gate", "pytest with it, no gate", "pytest without the plugin"),
        ("asrgate --help beyond a bare Python", "asrgate --help", "a Python that does nothing"),
    )
    for what, ours, theirs in pairs:
        both = list(zip(taken[ours], taken[theirs], strict=True))
        clock = median(mine[0] - other[0] for mine, other in both)
        cpu = median(mine[1] - other[1] for mine, other in both)
        ratio = median(mine[0] / other[0] for mine, other in both)
        print(f"{what}: {clock:+.1f} ms, {cpu:+.1f} ms of CPU, ratio {ratio:.2f}")


if __name__ == "__main__":
    main()
