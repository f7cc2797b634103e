"""Releases of litellm that must never be imported."""

__all__ = ["MALICIOUS"]

# Somebody else published them, with code that steals the keys of those who install them.
MALICIOUS = frozenset({"1.82.7", "1.82.8"})
