"""Score files, `NAME.score.json`: written as asrgate.score/1; read so, and as the upstream scripts write them."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pytest_asrgate.datasets.speakers import size_note, speaker_blocks
from pytest_asrgate.errors import DatasetError
from pytest_asrgate.formats.rows import number_of, text_of
from pytest_asrgate.formats.score_document import SCHEMA, score_document
from pytest_asrgate.formats.score_figures import check_rate, check_totals, interval_of, latency_of
from pytest_asrgate.formats.score_rows import AGAIN, read_utterances
from pytest_asrgate.formats.stored import StoredHypotheses
from pytest_asrgate.formats.terms import DECODE_LANGUAGE, header_language, recorded_terms, scoring_terms
from pytest_asrgate.jsonlines import json_text, read_object, write_atomically
from pytest_asrgate.languages import canonical_language
from pytest_asrgate.metrics.rule import METRICS
from pytest_asrgate.metrics.wer import pool
from pytest_asrgate.records import (
    Hypothesis,
    HypothesisSet,
    Score,
    Utterance,
    UtteranceScore,
)
from pytest_asrgate.statistics import pooled_interval
from pytest_asrgate.values import UNKNOWN, shown

__all__ = ["SCHEMA", "read_score", "score_rows", "write_score"]


def write_score(path: Path, score: Score, *, source: str, references: Mapping[str, str] | None = None) -> None:
    """Write a score; `source` names the file of hypotheses that was scored.

    `references` are raw reference texts by id, for scores whose rows do not hold them. OSError as it comes.
    """
    document = score_document(score, source=source, references=references)
    write_atomically(path, json_text(document, indent=2) + "\n")


def _metric(path: Path, document: Mapping[str, Any]) -> str:
    named = document.get("metric")
    if named is None:
        # Upstream's older files name their metric by that key alone.
        told = [metric for metric in METRICS if metric in document]
        if len(told) != 1:
            raise DatasetError(f'{path}: names no metric; a score file says "metric": "wer" or "cer"')
        return told[0]
    if named not in METRICS:
        raise DatasetError(f"{path}: metric must be wer or cer; it is {shown(named)}")
    return str(named)


def _masked(path: Path, document: Mapping[str, Any]) -> tuple[dict[str, tuple[str, ...]] | None, dict[str, str]]:
    """By id what the normaliser hid, None where the file does not say; and the raw references it names."""
    listed = document.get("masked_utterances")
    if listed is None:
        return None, {}
    if not isinstance(listed, list):
        raise DatasetError(f"{path}: masked_utterances must be a list; it is {shown(listed)}")
    kinds: dict[str, tuple[str, ...]] = {}
    references: dict[str, str] = {}
    for number, row in enumerate(listed, start=1):
        where = f"{path}: masked_utterances row {number}"
        if not isinstance(row, dict):
            raise DatasetError(f"{where} must be an object with id and kinds; it is {shown(row)}")
        identity, found = text_of(row, "id", where), row.get("kinds")
        where = f"{where} ({identity})"
        if not isinstance(found, list) or not found or not all(isinstance(kind, str) for kind in found):
            raise DatasetError(f"{where}: kinds must be a list of texts; it is {shown(found)}")
        if identity in kinds:
            raise DatasetError(f"{where}: the id stands twice; {AGAIN}")
        kinds[identity] = tuple(found)
        if row.get("ref_text") is not None:
            references[identity] = text_of(row, "ref_text", where)
    return kinds, references


def _check_masked(
    path: Path, masked: Mapping[str, tuple[str, ...]] | None, utterances: tuple[UtteranceScore, ...]
) -> None:
    """DatasetError where masked utterances are none of the file's, or are not equal once normalised."""
    equal = {row.id for row in utterances if row.counts and row.reference == row.hypothesis}
    strange = next((identity for identity in masked or {} if identity not in equal), None)
    if strange is not None:
        raise DatasetError(f"{path}: masked_utterances ({strange}) is no row whose ref and hyp are equal; {AGAIN}")


def _speakers(
    path: Path, document: Mapping[str, Any], utterances: tuple[UtteranceScore, ...]
) -> tuple[tuple[str, ...] | None, str]:
    """The rows' speakers and a note, as for a manifest; none where not every row has one."""
    spoken = []
    for number, (fields, row) in enumerate(zip(document["per_utterance"], utterances, strict=True), start=1):
        where = f"{path}: per_utterance row {number} ({row.id})"
        name = None if fields.get("speaker") is None else text_of(fields, "speaker", where)
        spoken.append(Utterance(row.id, Path(), row.reference, speaker=name))
    missing = sum(utterance.speaker is None for utterance in spoken)
    said = document.get("speakers")
    if missing == len(spoken) and isinstance(said, str) and said:
        return None, said
    if 0 < missing < len(spoken):
        return None, "independence assumed: not every row of the score file names a speaker"
    speakers, note = speaker_blocks(spoken, "speaker")
    return speakers, note + size_note(len(spoken))


def _contract(path: Path, document: Mapping[str, Any], metric: str) -> dict[str, object]:
    language, recipe = document.get("language"), document.get("recipe")
    if language is not None and (not isinstance(language, str) or not language):
        raise DatasetError(f"{path}: language must be a text that is not empty; it is {shown(language)}")
    if recipe is not None and not isinstance(recipe, dict):
        raise DatasetError(f"{path}: recipe must be an object; it is {shown(recipe)}")
    terms = {**recorded_terms(document, str(path)), **scoring_terms(document, str(path)), "metric": metric}
    told = recipe.get("language") if recipe else None
    if isinstance(told, str) and told != UNKNOWN:
        terms[DECODE_LANGUAGE] = "+".join(canonical_language(tag) for tag in told.split("+"))
    return terms


def _catastrophic_rate(path: Path, document: Mapping[str, Any]) -> float:
    """The own rate, in percent, above which an utterance was catastrophic; DatasetError for none above 0."""
    rate = number_of(document, "catastrophic_above_pct", str(path))
    if rate == 0:
        raise DatasetError(f"{path}: catastrophic_above_pct must be a number above 0; it is 0")
    return 50.0 if rate is None else rate


def _read(path: Path) -> tuple[dict[str, Any], Score]:
    document = read_object(path)
    schema = document.get("schema")
    if "schema" in document and schema != SCHEMA:
        raise DatasetError(
            f"{path}: the schema is {shown(schema)}; what is read is {SCHEMA}, and the upstream scripts' score "
            f"files, which name none; {AGAIN}"
        )
    metric = _metric(path, document)
    contract = _contract(path, document, metric)
    masked, references = _masked(path, document)
    utterances = read_utterances(path, document, metric, masked, references)
    counts = pool(utterances)
    check_totals(path, document, utterances, counts)
    check_rate(path, document, metric, counts)
    _check_masked(path, masked, utterances)
    stamp, fixed = document.get("stamp"), document.get("not_controllable")
    speakers, note = _speakers(path, document, utterances)
    score = Score(
        hypotheses=HypothesisSet(
            variant=path.name[: -len(".score.json")] if path.name.lower().endswith(".score.json") else path.stem,
            dataset="",
            hypotheses=(),
            contract=contract,
            provenance=stamp if isinstance(stamp, dict) else {},
            not_controllable=tuple(str(name) for name in fixed) if isinstance(fixed, list) else (),
        ),
        utterances=utterances,
        counts=counts,
        interval=interval_of(path, document, metric, utterances),
        metric=metric,
        latency_p50_ms=latency_of(path, document),
        speakers=speakers,
        speakers_note=note,
        catastrophic_rate=_catastrophic_rate(path, document),
        speaker_interval=pooled_interval(utterances, speakers) if speakers else None,
    )
    return document, score


def read_score(path: Path) -> Score:
    """Read a score file; every error is counted anew from the normalised texts, in percent and ms.

    Raises DatasetError for a file that is no score file, one of another schema, rows without usable id or texts,
    and figures that are not those of the rows.
    """
    return _read(path)[1]


def score_rows(path: Path) -> StoredHypotheses:
    """Read a score file's rows as hypotheses that are normalised already; DatasetError as `read_score`."""
    document, score = _read(path)
    terms = dict(score.hypotheses.contract)
    # To a gate the contract is how the texts were made.
    told = terms.pop(DECODE_LANGUAGE, None)
    if told is not None:
        terms["language"] = told
    fields = {row["id"]: row for row in document["per_utterance"]}
    return StoredHypotheses(
        path=path,
        header={name: value for name, value in document.items() if name != "per_utterance"},
        terms=terms,
        rows={
            row.id: Hypothesis(
                id=row.id,
                text=row.hypothesis,
                status=row.status,
                detail=row.detail,
                latency_ms=number_of(fields[row.id], "latency_ms", f"{path} ({row.id})"),
                normalised_reference=row.reference,
                masked=row.masked,
                loop=row.loop,
                drift=row.drift,
            )
            for row in score.utterances
        },
        fields=fields,
        language=header_language(terms),
    )
