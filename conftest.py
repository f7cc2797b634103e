"""Test set-up of the project itself: `pytester` runs pytest inside the integration tests."""

from importlib.util import find_spec

pytest_plugins = "pytester"

# The README's first command installs no test tools and runs the gate alone; a run of the tests then selects nothing
# and says so (exit 5), rather than failing to import them.
_TOOLS = ("hypothesis", "jsonschema", "xdist")
_TESTS = ("browser", "conformance", "faults", "integration", "unit")
collect_ignore = [] if all(find_spec(name) for name in _TOOLS) else [f"tests/{folder}" for folder in _TESTS]
