"""The README's table of faults: each row names tests, and these exist."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
SECTION = re.compile(r"^## What happens when …$(.*?)^## ", re.MULTILINE | re.DOTALL)
# As `worker_faults::test_it` of tests/faults, or with another folder before.
NAMED = re.compile(r"`([\w/]+)::(test_\w+)`")


def _rows() -> list[list[str]]:
    found = SECTION.search((ROOT / "README.md").read_text(encoding="utf-8"))
    assert found, "the README has no section on what happens when something breaks"
    lines = [line for line in found[1].splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]
    heads = "what happens", "---|---|---", "**"
    return [row for row in cells if not row[0].startswith(heads)]


def _tests(name: str) -> set[str]:
    path = ROOT / "tests" / (name if "/" in name else f"faults/{name}")
    file = path.with_name(f"test_{path.name}.py")
    tree = ast.parse(file.read_text(encoding="utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


def test_every_fault_has_its_result_and_tests_that_exist() -> None:
    """A row without a test is a promise that nobody keeps."""
    rows = _rows()
    assert len(rows) > 40
    for row in rows:
        assert len(row) == 3, row
        named = NAMED.findall(row[2])
        assert named, f"no test is named for: {row[0]}"
        for file, test in named:
            assert test in _tests(file), f"{row[0]}: there is no {test} in {file}"
