"""Decide, as a pytest run, whether a speech recogniser may ship."""

__all__ = ["__version__"]

__version__ = "0.1.0"
