"""The house rules that a test can read: layers import one way, pytest stays in the plugin, rooms stay small."""

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "pytest_asrgate"

# From the ground up; a module may import its own room and any layer before its own.
LAYERS = [
    {"__init__", "languages", "records", "values"},
    {"containers", "errors", "termination"},
    {"audio", "config", "hashing", "jsonlines", "locks", "metrics", "sampling", "statistics", "store"},
    {"corpora", "datasets", "judge"},
    {"formats", "semantic"},
    {"intent"},
    {"calibrated"},
    {"transcribers"},
    {"executors", "ingest"},
    {"determinism", "latency"},
    {"runs"},
    {"judged", "scoring"},
    {"calibrating"},
    {"checks", "comparison", "feasibility", "slices"},
    {"meaning"},
    {"verdict"},
    {"early", "parity"},
    {"reports"},
    {"session"},
    {"doctor"},
    {"cli", "plugin"},
]
MODULES = sorted(PACKAGE.rglob("*.py"))


def _room(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def _imports(path: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            names |= {node.module or ""} | {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def _layer(room: str) -> int:
    return next(number for number, rooms in enumerate(LAYERS) if room in rooms)


@pytest.mark.parametrize(
    "path",
    [path for path in MODULES if path != PACKAGE / "__init__.py"],
    ids=lambda path: str(path.relative_to(PACKAGE)),
)
def test_layers_import_one_way(path: Path) -> None:
    """A module imports only its own room and lower layers, so that no two rooms know each other."""
    room = _room(path)
    for name in _imports(path):
        parts = name.split(".")
        if parts[0] != "pytest_asrgate" or len(parts) == 1:
            continue
        other = parts[1] if any(parts[1] in rooms for rooms in LAYERS) else "__init__"
        assert other == room or _layer(other) < _layer(room), f"{path.name} imports {name}"


def test_the_package_itself_imports_no_room() -> None:
    """The public names are imported when they are first used; before that only type checkers follow them."""
    tree = ast.parse((PACKAGE / "__init__.py").read_text(encoding="utf-8"))
    eager = {node.module for node in tree.body if isinstance(node, ast.ImportFrom)}
    assert eager == {"typing"}
    assert not [node for node in tree.body if isinstance(node, ast.Import)]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_only_the_plugin_imports_pytest(path: Path) -> None:
    """Everything but the plugin works without pytest."""
    found = {name.split(".")[0] for name in _imports(path)} & {"pytest", "_pytest", "pluggy", "xdist"}
    assert not found or _room(path) == "plugin"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_rooms_stay_small(path: Path) -> None:
    """No module grows over 500 lines."""
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 500


@pytest.mark.parametrize(
    "path",
    sorted(path for kind in ("js", "css", "j2") for path in PACKAGE.rglob(f"*.{kind}")),
    ids=lambda path: str(path.relative_to(PACKAGE)),
)
def test_parts_of_the_page_stay_small(path: Path) -> None:
    """No script, style sheet or template grows over 500 lines."""
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 500


def test_no_room_is_ignored() -> None:
    """What git ignores is left out of a wheel too, so that no pattern may name a folder of the package."""
    rooms = {path.name for path in PACKAGE.rglob("*") if path.is_dir()} - {"__pycache__"}
    lines = (PACKAGE.parent / ".gitignore").read_text(encoding="utf-8").splitlines()
    anywhere = {line.strip("/") for line in lines if not line.startswith("/")}
    assert not anywhere & rooms


def test_every_module_stands_in_a_layer() -> None:
    """A new module must be given its place in the list above."""
    known = set().union(*LAYERS)
    assert {_room(path) for path in MODULES} == known
