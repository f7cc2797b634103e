"""What commands read: hypotheses, and the reference of each, with who spoke, and in what language."""

import argparse
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pytest_asrgate.datasets.manifest import manifest_digest
from pytest_asrgate.datasets.speakers import speaker_blocks, speaker_field
from pytest_asrgate.errors import DatasetError, IntegrityError, ScoringError
from pytest_asrgate.formats.hypotheses import StoredHypotheses, read_hypotheses
from pytest_asrgate.formats.references import StoredReferences, read_references
from pytest_asrgate.formats.terms import DECODE_LANGUAGE
from pytest_asrgate.languages import canonical_language, language_problem
from pytest_asrgate.records import HypothesisSet, Utterance
from pytest_asrgate.values import named, shown

__all__ = ["Input", "add_reference_arguments", "beside", "check_language", "read_input", "references_of"]

_AS_ENGLISH = "no language is named, so the texts were scored as English; --language names another"

_ENDS = (".jsonl", ".ndjson", ".json", ".trn", ".txt")
_FIELD = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")


@dataclass(frozen=True, slots=True)
class Input:
    """Hypotheses and the utterances parallel to them, every one with its language; `notes` are on the reading.

    `indexes` are the rows' own, or their numbers from 1 where a row has none.
    """

    made: HypothesisSet
    utterances: tuple[Utterance, ...]
    languages: tuple[str, ...]
    speakers: tuple[str, ...] | None
    speakers_note: str
    notes: tuple[str, ...]
    indexes: tuple[int, ...] = ()


def add_reference_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options that say what the hypotheses are held against, and who spoke."""
    parser.add_argument(
        "--references",
        type=Path,
        metavar="FILE",
        help="reference texts, where HYP has none or others are meant: a manifest, .trn, or {id: text} .json",
    )
    parser.add_argument(
        "--language", metavar="L", help="of every utterance; else the row's, its reference's, the header's, or en"
    )
    parser.add_argument(
        "--speaker",
        default="speaker",
        metavar="FIELD|REGEX",
        help=r"who speaks: a key of the rows, or a regular expression over ids such as '^(\d+)-'; fixed or none",
    )


def check_language(language: str | None) -> None:
    """ScoringError where the option names no language."""
    problem = None if language is None else language_problem(language)
    if problem:
        raise ScoringError(f"--language: {problem}")


def beside(hypotheses: Path, end: str) -> Path:
    """`x.test-clean.jsonl` → `x.test-clean` and this end, in the same folder; DatasetError for what has no name."""
    name = hypotheses.name
    if not name or (hypotheses.exists() and not hypotheses.is_file()):
        raise DatasetError(
            f"{hypotheses}: is no file of hypotheses; give a file, or --out where to write its score"
        )
    old = next((each for each in _ENDS if name.lower().endswith(each)), "")
    return hypotheses.with_name(f"{name[: len(name) - len(old)]}{end}")


def references_of(stored: StoredHypotheses, path: Path | None) -> StoredReferences:
    """One reference for each hypothesis and none too many; IntegrityError naming the ids."""
    if path is None:
        missing = [identity for identity in stored.rows if identity not in stored.references]
        if missing:
            raise IntegrityError(
                f"{stored.place(missing[0])}: no ref_text; {named(missing)} have none; give the references with "
                "--references"
            )
        _check_digest(stored)
        return StoredReferences(stored.references)
    references = read_references(path)
    faults = []
    missing = [identity for identity in stored.rows if identity not in references.texts]
    lost = [identity for identity in references.texts if identity not in stored.rows]
    if missing:
        faults.append(f"{path} has no reference for {named(missing)}")
    if lost:
        faults.append(f"{stored.path} has no hypothesis for {named(lost)}")
    if faults:
        raise IntegrityError("; ".join(faults))
    return references


def _check_digest(stored: StoredHypotheses) -> None:
    """A file that names the digest of its manifest must still hold all of it."""
    announced = stored.terms.get("manifest")
    rows = [Utterance(identity, Path(), stored.references[identity]) for identity in stored.rows]
    if announced is not None and manifest_digest(rows) != announced:
        raise IntegrityError(
            f"{stored.path}: its rows are not those of the manifest it names (manifest_sha256): some were lost, "
            "added, changed or moved; make the file again, or give the references with --references"
        )


def _language(stored: StoredHypotheses, references: StoredReferences, identity: str, asked: str | None) -> str:
    """The option's language, else the row's, its reference's or the header's; English where nothing names any."""
    header = stored.language
    tag = asked or stored.languages.get(identity) or references.languages.get(identity) or header
    if tag is None:
        told = stored.terms.get("language")
        if told is None and not stored.languages and not references.languages:
            return "en"
        why = f"the header says {told}" if told else "others have one"
        raise DatasetError(f"{stored.place(identity)}: names no language, and {why}; name it with --language")
    if tag is header and "+" in tag:
        raise DatasetError(
            f"{stored.place(identity)}: has no language, and the header names several ({header}); "
            "give the row one, or all of them with --language"
        )
    problem = language_problem(tag)
    if problem:
        raise DatasetError(f"{stored.place(identity)}: language: {problem}")
    return canonical_language(tag)


def _speaker(stored: StoredHypotheses, references: StoredReferences, identity: str, field: str) -> str | None:
    rows = (source.fields.get(identity, {}) for source in (stored, references))
    name = next((row[field] for row in rows if row.get(field) is not None), None)
    if name is not None and (isinstance(name, bool) or not isinstance(name, str | int)):
        raise DatasetError(f"{stored.place(identity)}: {field} must be a text; it is {shown(name)}")
    return None if name is None else str(name)


def _context(
    stored: StoredHypotheses, references: StoredReferences, identity: str, field: str | None
) -> str | None:
    """What was going on, for a judge: a row's own word, else its reference's."""
    if field is None:
        return None
    rows = (source.fields.get(identity, {}) for source in (stored, references))
    text = next((row[field] for row in rows if row.get(field) is not None), None)
    if text is not None and not isinstance(text, str):
        raise DatasetError(f"{stored.place(identity)}: {field} must be a text; it is {shown(text)}")
    return text


def _speaker_setting(option: str) -> str:
    return option if _FIELD.fullmatch(option) else f"regex:{option}"


def read_input(path: Path, options: argparse.Namespace, *, context: str | None = None) -> Input:
    """The hypotheses of a file with their references, as the options of `add_reference_arguments` say.

    `context` is the key of the rows under which a judge finds what was going on; others do not read it.
    AsrGateError naming the file.
    """
    stored = read_hypotheses(path)
    if any(row.normalised_reference is not None for row in stored.rows.values()):
        raise ScoringError(f"{path}: is a score file already; give the file of hypotheses it was made from")
    if not stored.rows:
        raise DatasetError(f"{path}: holds no hypotheses")
    references = references_of(stored, options.references)
    setting = _speaker_setting(options.speaker)
    field = speaker_field(setting)
    utterances = tuple(
        Utterance(
            id=identity,
            audio=Path(),
            reference=references.texts[identity],
            language=_language(stored, references, identity, options.language),
            speaker=_speaker(stored, references, identity, field) if field else None,
            context=_context(stored, references, identity, context),
        )
        for identity in stored.rows
    )
    try:
        speakers, speakers_note = speaker_blocks(utterances, setting)
    except DatasetError as error:
        raise DatasetError(f"{path}: --speaker: {error}") from error
    named_by = (options.language, stored.languages, references.languages, stored.language)
    languages = sorted({utterance.language or "" for utterance in utterances})
    told = stored.terms.get("language")
    made = HypothesisSet(
        variant=path.name,
        dataset="",
        hypotheses=tuple(stored.rows.values()),
        contract={
            **stored.terms,
            "language": "+".join(languages),
            **({DECODE_LANGUAGE: told} if told else {}),
        },
        provenance=_object(stored.header.get("stamp")),
        not_controllable=_texts(stored.header.get("not_controllable")),
    )
    notes = () if any(named_by) else (_AS_ENGLISH,)
    return Input(made, utterances, tuple(languages), speakers, speakers_note, notes, _indexes(stored))


def _indexes(stored: StoredHypotheses) -> tuple[int, ...]:
    """The `index` of each row where all have one and none has another's; else what number a row is, from 1."""
    own = [stored.fields.get(identity, {}).get("index") for identity in stored.rows]
    numbers = [each for each in own if isinstance(each, int) and not isinstance(each, bool)]
    if len(numbers) == len(set(numbers)) == len(own):
        return tuple(numbers)
    return tuple(range(1, len(own) + 1))


def _object(value: object) -> Mapping[str, object]:
    return value if isinstance(value, dict) else {}


def _texts(value: object) -> tuple[str, ...]:
    return tuple(str(item) for item in value) if isinstance(value, list) else ()
