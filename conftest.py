"""Test set-up of the project itself: `pytester` runs pytest inside the integration tests."""

pytest_plugins = "pytester"
