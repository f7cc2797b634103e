"""The small gate project of the integration tests, to be broken."""

from tests.integration.conftest import project

__all__ = ["project"]
