"""The shapes of corpus that `asrgate ingest` can read, by name."""

from collections.abc import Mapping

from pytest_asrgate.corpora.corpus import Adapter

__all__ = ["CORPORA"]

CORPORA: Mapping[str, Adapter] = {}
