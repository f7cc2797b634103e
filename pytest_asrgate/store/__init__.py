"""The store of a state folder: what is finished stays finished, whatever becomes of the file."""

from pytest_asrgate.store.rows import EngineRecord
from pytest_asrgate.store.store import Store

__all__ = ["EngineRecord", "Store"]
