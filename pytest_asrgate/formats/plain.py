"""Texts as one plain JSON object, `{id: text}`."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pytest_asrgate.errors import DatasetError
from pytest_asrgate.jsonlines import json_text, read_object, write_atomically
from pytest_asrgate.values import shown

__all__ = ["plain_texts", "read_plain", "write_plain"]


def read_plain(path: Path) -> dict[str, str]:
    """Read texts by utterance id, in file order.

    Raises DatasetError for a file that is no usable JSON object, a key given twice, an empty id, and by id for
    whatever is no text.
    """
    return plain_texts(path, read_object(path))


def plain_texts(path: Path, texts: dict[str, Any]) -> dict[str, str]:
    """The texts of an object that was read from a file; DatasetError as for `read_plain`."""
    if "per_utterance" in texts:
        raise DatasetError(f"{path}: is a score file; give it a name that ends with .score.json")
    for identity, text in texts.items():
        if not identity.strip():
            raise DatasetError(f"{path}: holds an empty id; name each utterance")
        if not isinstance(text, str):
            raise DatasetError(f"{path} ({identity}): must be a text; it is {shown(text)}")
    return texts


def write_plain(path: Path, texts: Mapping[str, str]) -> None:
    """Write texts by utterance id; DatasetError naming an id that no file can hold, OSError as it comes."""
    for identity, text in texts.items():
        if not identity.strip():
            raise DatasetError(f"{path}: an utterance with the text {shown(text)} has an empty id")
        try:
            (identity + text).encode("utf-8")
        except UnicodeEncodeError:
            raise DatasetError(f"{path} ({shown(identity)}): holds half a character (a lone surrogate)") from None
    write_atomically(path, json_text(dict(texts), indent=2) + "\n")
