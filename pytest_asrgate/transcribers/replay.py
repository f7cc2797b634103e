"""Stored hypotheses of another run or another machine, read instead of made."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from pytest_asrgate.config import Recipe
from pytest_asrgate.config.recipe import CONTRACT_FIELDS
from pytest_asrgate.errors import DatasetError, IntegrityError
from pytest_asrgate.hashing import file_sha256
from pytest_asrgate.jsonlines import read_rows
from pytest_asrgate.records import Hypothesis, RowStatus, Utterance
from pytest_asrgate.transcribers.protocol import Identity
from pytest_asrgate.transcribers.rows import status_of_error, times_of
from pytest_asrgate.values import canonical_language, finite_number, named, shown

__all__ = ["OPTIONS", "ReplayTranscriber", "hypotheses_path"]

OPTIONS = ("hypotheses",)


def hypotheses_path(pattern: str, variant: str, dataset: str) -> str:
    """Fill `{variant}` and `{dataset}` into the `hypotheses` option."""
    return pattern.replace("{variant}", variant).replace("{dataset}", dataset)


def _recorded(header: Mapping[str, Any], where: str) -> dict[str, object]:
    """The contract terms that a header names, each of the kind that a recipe has; DatasetError for any other.

    Upstream's name for the decoding is `decode`.
    """
    recipe = header.get("recipe")
    recipe = recipe if isinstance(recipe, dict) else {}
    found = {name: recipe[name] for name in CONTRACT_FIELDS if name in recipe}
    decode = recipe.get("decode")
    if decode is not None and found.setdefault("decoding", decode) != decode:
        raise DatasetError(f"{where}: recipe.decoding is {shown(found['decoding'])} and decode {shown(decode)}")
    # A decoding that we cannot ask for may still be named; it is then no match for any gate.
    checked = {name: value for name, value in found.items() if name != "decoding"}
    try:
        recorded = Recipe.model_validate(checked).contract()
    except ValidationError as error:
        problem = error.errors()[0]
        key = ".".join(["recipe", *(str(part) for part in problem["loc"])])
        raise DatasetError(f"{where}: {key}: {problem['msg'].removeprefix('Value error, ')}") from error
    terms: dict[str, object] = {name: recorded[name] for name in checked}
    if "decoding" in found:
        terms["decoding"] = shown(found["decoding"]).strip("'")
    language = header.get("language", recipe.get("language"))
    if isinstance(language, str):
        terms["language"] = "+".join(canonical_language(tag) for tag in language.split("+"))
    if isinstance(header.get("manifest_sha256"), str):
        terms["manifest"] = header["manifest_sha256"]
    return terms


def _row(row: Mapping[str, Any], where: str) -> Hypothesis:
    identity = row.get("id")
    if not isinstance(identity, str) or not identity:
        raise DatasetError(f"{where}: id must be a text that is not empty; it is {shown(identity)}")
    where = f"{where} ({identity})"
    error = row.get("error")
    try:
        status = RowStatus(row.get("status") or status_of_error(error))
    except ValueError:
        raise DatasetError(f"{where}: status {row.get('status')!r} is none of {', '.join(RowStatus)}") from None
    if error and status is RowStatus.OK:
        raise DatasetError(f"{where}: status is ok and error is {str(error)[:80]!r}; a row is one or the other")
    text = row.get("hyp_text")
    if status is RowStatus.ERROR:
        text = text if isinstance(text, str) else ""
    elif not isinstance(text, str):
        found = "missing" if "hyp_text" not in row else f"{text!r}"
        raise DatasetError(f"{where}: hyp_text must be a text; it is {found}")
    try:
        times = times_of(row)
    except ValueError as error:
        raise DatasetError(f"{where}: {error}") from None
    parts = [times[key] for key in ("mel_ms", "encode_ms", "decode_ms")]
    if times["latency_ms"] is None and None not in parts:
        times["latency_ms"] = sum(part or 0.0 for part in parts)
    raw_text = row.get("raw_text")
    return Hypothesis(
        id=identity,
        text=text,
        status=status,
        detail=str(error or row.get("detail") or ""),
        raw_text=raw_text if isinstance(raw_text, str) else None,
        **times,
    )


class ReplayTranscriber:
    """One file of hypotheses: an optional `batch_header` row, then a row an utterance as this project writes them.

    The files of the upstream scripts have the same shape. The header's recipe is the recorded contract; what it
    does not name is unknown, and said to be.
    """

    keeps_results = False
    keeps_process = False

    def __init__(self, path: Path) -> None:
        self._path = path
        self._header: Mapping[str, Any] | None = None
        self._terms: dict[str, object] = {}
        self._rows: dict[str, Hypothesis] = {}
        self._references: dict[str, str] = {}

    def _read(self) -> Mapping[str, Any]:
        if self._header is not None:
            return self._header
        if not self._path.is_file():
            raise DatasetError(f"{self._path}: there is no such file of hypotheses; check options.hypotheses")
        header: Mapping[str, Any] = {}
        doubled = []
        self._rows.clear()
        self._references.clear()
        for number, row in read_rows(self._path):
            where = f"{self._path}:{number}"
            if row.get("type") == "batch_header":
                terms = _recorded(row, where)
                if header and terms != self._terms:
                    raise DatasetError(f"{where}: a second header with another recipe; one file is one run")
                header, self._terms = header or row, terms
                continue
            hypothesis = _row(row, where)
            if hypothesis.id in self._rows:
                doubled.append(hypothesis.id)
            self._rows[hypothesis.id] = hypothesis
            if isinstance(row.get("ref_text"), str):
                self._references[hypothesis.id] = row["ref_text"]
        if doubled:
            raise IntegrityError(f"{self._path}: the ids {named(doubled)} stand more than once")
        self._header = header
        return header

    def identity(self) -> Identity:
        """The file's own stamps, its hash as fingerprint, and the contract it was recorded under."""
        header = self._read()
        stamp, fixed = header.get("stamp"), header.get("not_controllable")
        return Identity(
            fingerprint=file_sha256(self._path),
            provenance={
                **(stamp if isinstance(stamp, dict) else {"engine": "unknown (not stamped)"}),
                "replayed_from": self._path.name,
            },
            not_controllable=tuple(str(name) for name in fixed) if isinstance(fixed, list) else (),
            recorded_contract=self._terms,
            load_ms=finite_number(header.get("load_ms")),
        )

    def transcribe(self, utterances: Sequence[Utterance]) -> Iterator[Hypothesis]:
        """Yield the stored row of each utterance.

        Raises IntegrityError naming ids where file and manifest do not match one to one, or where a row was made
        against another reference text.
        """
        self._read()
        wanted = {utterance.id for utterance in utterances}
        missing = [utterance.id for utterance in utterances if utterance.id not in self._rows]
        unknown = [identity for identity in self._rows if identity not in wanted]
        changed = [
            utterance.id
            for utterance in utterances
            if self._references.get(utterance.id, utterance.reference) != utterance.reference
        ]
        faults = []
        if missing:
            faults.append(f"no hypothesis for {named(missing)}")
        if unknown:
            faults.append(f"hypotheses for ids the manifest does not have: {named(unknown)}")
        if changed:
            faults.append(f"another reference text than the manifest for {named(changed)}")
        if faults:
            raise IntegrityError(f"{self._path}: {'; '.join(faults)}")
        for utterance in utterances:
            yield self._rows[utterance.id]

    def findings(self) -> tuple[str, ...]:
        """None: nothing runs."""
        return ()

    def close(self) -> None:
        """Nothing to end."""
