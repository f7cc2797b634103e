"""Reference texts from whatever file holds them."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pytest_asrgate.errors import DatasetError
from pytest_asrgate.formats.jsonl import identity_of, is_header, language_of
from pytest_asrgate.formats.plain import read_plain
from pytest_asrgate.formats.rows import text_of
from pytest_asrgate.formats.stored import StoredReferences
from pytest_asrgate.formats.trn import read_trn
from pytest_asrgate.jsonlines import read_rows

__all__ = ["StoredReferences", "read_references"]


def _of_rows(path: Path) -> StoredReferences:
    """`ref_text` of each row of a manifest or of hypotheses; no audio need be there."""
    references: dict[str, str] = {}
    languages: dict[str, str] = {}
    fields: dict[str, Mapping[str, Any]] = {}
    lines: dict[str, int] = {}
    for number, row in read_rows(path):
        where = f"{path}:{number}"
        if is_header(row):
            continue
        identity = identity_of(row, where)
        where = f"{where} ({identity})"
        if identity in lines:
            raise DatasetError(f"{where}: the id stands already at line {lines[identity]}; ids must be unique")
        lines[identity] = number
        references[identity] = text_of(row, "ref_text", where)
        if "\0" in references[identity]:
            raise DatasetError(f"{where}: ref_text must not hold a NUL character")
        fields[identity] = row
        language = language_of(row, where)
        if language is not None:
            languages[identity] = language
    return StoredReferences(references, languages, fields)


def read_references(path: Path) -> StoredReferences:
    """Read raw reference texts by utterance id: `.trn`, `.json` (`{id: text}`), else rows with `ref_text`.

    Rows are those of a manifest or of a file of hypotheses. Raises DatasetError by file, line and id for what
    cannot be used, a file without any reference, and a score file, since its references are normalised.
    """
    name = path.name.lower()
    if name.endswith(".score.json"):
        raise DatasetError(f"{path}: a score file holds normalised references; give the manifest or a transcript")
    if name.endswith(".trn"):
        references = StoredReferences(read_trn(path))
    elif name.endswith(".json"):
        references = StoredReferences(read_plain(path))
    else:
        references = _of_rows(path)
    if not references.texts:
        raise DatasetError(f"{path}: holds no references; give at least one utterance")
    return references
