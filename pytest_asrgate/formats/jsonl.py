"""Hypotheses as JSON lines: an optional `batch_header` row, then a row an utterance; also the upstream scripts'."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from pytest_asrgate.errors import DatasetError, IntegrityError
from pytest_asrgate.formats.documented import is_documented, usual_row
from pytest_asrgate.formats.rows import hypothesis_of, text_of
from pytest_asrgate.formats.stored import StoredHypotheses
from pytest_asrgate.formats.terms import header_language, recorded_terms, scoring_terms
from pytest_asrgate.jsonlines import read_json, read_rows
from pytest_asrgate.languages import canonical_language
from pytest_asrgate.records import Hypothesis
from pytest_asrgate.values import first_of, shown

__all__ = ["identity_of", "is_header", "language_of", "read_jsonl", "stored_rows"]


def is_header(row: Mapping[str, Any]) -> bool:
    """Whether a row describes the file instead of an utterance."""
    return row.get("type") == "batch_header"


def identity_of(row: Mapping[str, Any], where: str) -> str:
    """The row's id; DatasetError where it is not a text or empty."""
    identity = row.get("id")
    if not isinstance(identity, str) or not identity:
        raise DatasetError(f"{where}: id must be a text that is not empty; it is {shown(identity)}")
    return identity


def language_of(row: Mapping[str, Any], where: str) -> str | None:
    """The row's language as a canonical code, None where it names none; DatasetError where it is no text."""
    tag = row.get("language")
    if tag is None:
        return None
    if not isinstance(tag, str) or not tag.strip():
        raise DatasetError(f"{where}: language must be a text that is not empty, such as en; it is {shown(tag)}")
    return canonical_language(tag)


def _normalisation(header: Mapping[str, Any], where: str) -> dict[str, object]:
    """What a replayed score file's rows were scored under, as the header that was written for them says it."""
    recipe = header.get("recipe")
    recipe = recipe if isinstance(recipe, dict) else {}
    metric = recipe.get("metric")
    return scoring_terms(recipe, where) | ({"metric": metric} if isinstance(metric, str) else {})


def read_jsonl(path: Path) -> StoredHypotheses:
    """Read JSON lines; the header's recipe is the recorded contract, and what it does not name is unknown.

    Rows have `id` and `hyp_text`, or they have `index` (or `id`), `hypothesis` and `ground_truth`. Raises
    DatasetError by file, line and id for a row that cannot be used, for headers of two recipes and for a file that
    is one array or object instead, and IntegrityError naming the ids that stand more than once.
    """
    return stored_rows(path, _lines(path))


def _lines(path: Path) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """The rows of a file by line; where it is one array or object instead, DatasetError says so."""
    first = True
    try:
        for number, row in read_rows(path):
            first = False
            yield number, row
    except DatasetError as error:
        kind = _whole(path) if first else ""
        if not kind:
            raise
        raise DatasetError(
            f"{path}: this is one JSON {kind}; name the file .json, or write one object a line"
        ) from error


def _whole(path: Path) -> str:
    """Whether a file is as a whole one array of rows, or one object; empty for neither."""
    try:
        with path.open("rb") as file:
            begin = file.read(1_000).removeprefix(b"\xef\xbb\xbf").lstrip()
        # Whatever else it is need not be read again, and may be no file at all.
        if not begin.startswith((b"[", b"{")):
            return ""
        found = read_json(path)
    except (DatasetError, OSError):
        return ""
    if isinstance(found, list):
        return "array" if found and isinstance(found[0], dict) else ""
    return "object over several lines" if isinstance(found, dict) else ""


def stored_rows(path: Path, found: Iterable[tuple[int, Mapping[str, Any]]], kind: str = "line") -> StoredHypotheses:
    """The rows of a file with their numbers, which are those of lines or of the `kind` named; as `read_jsonl`."""
    header: Mapping[str, Any] = {}
    terms: dict[str, object] = {}
    rows: dict[str, Hypothesis] = {}
    references: dict[str, str] = {}
    languages: dict[str, str] = {}
    fields: dict[str, Mapping[str, Any]] = {}
    lines: dict[str, int] = {}
    doubled = []
    for number, row in found:
        where = f"{path}:{number}" if kind == "line" else f"{path}, {kind} {number}"
        if is_header(row):
            recorded = recorded_terms(row, where)
            if header and recorded != terms:
                raise DatasetError(f"{where}: a second header with another recipe; one file is one run")
            header, terms = header or row, recorded
            continue
        if is_documented(row):
            row = usual_row(row, where)  # noqa: PLW2901 - from here on one form of rows is like the other
        identity = identity_of(row, where)
        where = f"{where} ({identity})"
        if identity in rows:
            doubled.append(f"{identity!r} ({kind}s {lines[identity]} and {number})")
        lines.setdefault(identity, number)
        rows[identity], fields[identity] = hypothesis_of(row, where), row
        if "ref_text" in row:
            references[identity] = text_of(row, "ref_text", where)
        language = language_of(row, where)
        if language is not None:
            languages[identity] = language
    if doubled:
        raise IntegrityError(f"{path}: ids that stand more than once: {first_of(doubled)}; every id is one row")
    if any(row.normalised_reference is not None for row in rows.values()):
        terms |= _normalisation(header, str(path))
    return StoredHypotheses(
        path=path,
        rows=rows,
        header=header,
        terms=terms,
        references=references,
        languages=languages,
        fields=fields,
        # A message on an id of an array needs no line, which nobody could count.
        lines=lines if kind == "line" else {},
        language=header_language(terms),
    )
