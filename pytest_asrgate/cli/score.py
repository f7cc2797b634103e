"""`asrgate score`: hypotheses with their references → `HYP.score.json` and a summary."""

import argparse
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from pytest_asrgate.datasets.manifest import manifest_digest
from pytest_asrgate.datasets.speakers import speaker_blocks, speaker_field
from pytest_asrgate.errors import DatasetError, IntegrityError, ScoringError
from pytest_asrgate.formats.hypotheses import StoredHypotheses, read_hypotheses
from pytest_asrgate.formats.references import StoredReferences, read_references
from pytest_asrgate.formats.score_file import write_score
from pytest_asrgate.formats.terms import DECODE_LANGUAGE
from pytest_asrgate.languages import canonical_language, language_problem
from pytest_asrgate.metrics.normalise import NORMALISERS
from pytest_asrgate.metrics.normalised import NormalisedTexts
from pytest_asrgate.metrics.rule import METRICS, scoring_rule
from pytest_asrgate.records import HypothesisSet, Score, Utterance
from pytest_asrgate.reports.score_summary import score_summary
from pytest_asrgate.scoring import score_set
from pytest_asrgate.values import named, shown, without_surrogates

__all__ = ["DESCRIPTION", "add_arguments", "references_of", "run", "score_path"]

DESCRIPTION = (
    "Write HYP.score.json beside each file of hypotheses: error rate with a 95 % bootstrap interval (1,000 "
    "resamples of utterances, seed 42), counts, and every utterance. Reads the JSON lines of this project and of "
    "the transcribe.cpp scripts, sclite .trn, and a plain .json of {id: text}."
)

_AS_ENGLISH = "no language is named, so the texts were scored as English; --language names another"

_ENDS = (".jsonl", ".ndjson", ".json", ".trn", ".txt")
_FIELD = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument("hypotheses", nargs="+", type=Path, metavar="HYP", help="a file of hypotheses")
    parser.add_argument(
        "--references",
        type=Path,
        metavar="FILE",
        help="reference texts, where HYP has none or others are meant: a manifest, .trn, or {id: text} .json",
    )
    parser.add_argument(
        "--language", metavar="L", help="of every utterance; else the row's, its reference's, the header's, or en"
    )
    parser.add_argument("--metric", choices=("auto", *METRICS), default="auto")
    parser.add_argument("--normaliser", choices=("auto", *NORMALISERS), default="auto")
    parser.add_argument(
        "--dediarize",
        action="store_true",
        help="remove bracketed timestamps, speaker labels and annotations from both sides first",
    )
    parser.add_argument(
        "--speaker",
        default="speaker",
        metavar="FIELD|REGEX",
        help=r"who speaks: a key of the rows, or a regular expression over ids such as '^(\d+)-'; fixed or none",
    )
    parser.add_argument("--out", type=Path, metavar="FILE", help="where to write instead; for one HYP only")


def score_path(hypotheses: Path) -> Path:
    """`x.test-clean.jsonl` → `x.test-clean.score.json`, in the same folder; DatasetError for what has no name."""
    name = hypotheses.name
    if not name or (hypotheses.exists() and not hypotheses.is_file()):
        raise DatasetError(
            f"{hypotheses}: is no file of hypotheses; give a file, or --out where to write its score"
        )
    end = next((end for end in _ENDS if name.lower().endswith(end)), "")
    return hypotheses.with_name(f"{name[: len(name) - len(end)]}.score.json")


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


def _speaker_setting(option: str) -> str:
    return option if _FIELD.fullmatch(option) else f"regex:{option}"


def _scored(path: Path, options: argparse.Namespace, texts: NormalisedTexts) -> tuple[Score, list[str]]:
    """The score of one file, and notes on it; AsrGateError naming the file.

    `texts` has the references of the files before.
    """
    stored = read_hypotheses(path)
    if any(row.normalised_reference is not None for row in stored.rows.values()):
        raise ScoringError(f"{path}: is a score file already; give the file of hypotheses it was made from")
    if not stored.rows:
        raise DatasetError(f"{path}: holds no hypotheses")
    references = references_of(stored, options.references)
    setting = _speaker_setting(options.speaker)
    field = speaker_field(setting)
    utterances = [
        Utterance(
            id=identity,
            audio=Path(),
            reference=references.texts[identity],
            language=_language(stored, references, identity, options.language),
            speaker=_speaker(stored, references, identity, field) if field else None,
        )
        for identity in stored.rows
    ]
    try:
        speakers, speakers_note = speaker_blocks(utterances, setting)
    except DatasetError as error:
        raise DatasetError(f"{path}: --speaker: {error}") from error
    named_by = (options.language, stored.languages, references.languages, stored.language)
    notes = [] if any(named_by) else [_AS_ENGLISH]
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
    try:
        rule = scoring_rule(languages, options.normaliser, options.metric, dediarize=options.dediarize)
        score = score_set(made, utterances, rule, speakers=speakers, speakers_note=speakers_note, texts=texts)
    except ScoringError as error:
        raise ScoringError(f"{path}: {error}") from error
    return score, notes


def _object(value: object) -> Mapping[str, object]:
    return value if isinstance(value, dict) else {}


def _texts(value: object) -> tuple[str, ...]:
    return tuple(str(item) for item in value) if isinstance(value, list) else ()


def _targets(options: argparse.Namespace) -> list[Path]:
    """Where each score goes; ScoringError where that would write over what is read, or over another score."""
    if options.out is not None and len(options.hypotheses) > 1:
        raise ScoringError(f"--out names one file, and there are {len(options.hypotheses)} to score; leave it out")
    targets = [options.out or score_path(path) for path in options.hypotheses]
    read = {path.resolve() for path in (*options.hypotheses, options.references) if path is not None}
    taken: dict[Path, Path] = {}
    for path, target in zip(options.hypotheses, targets, strict=True):
        place = target.resolve()
        if place in read:
            raise ScoringError(f"{target}: scoring {path} would write over what is read; give --out another name")
        if place in taken:
            raise ScoringError(f"{target}: would hold the scores of {taken[place]} and {path}; score them apart")
        taken[place] = path
    return targets


def run(options: argparse.Namespace) -> Iterator[str]:
    """Score every file; yields the lines to print. AsrGateError or OSError where one cannot be scored."""
    if options.language is not None and language_problem(options.language):
        raise ScoringError(f"--language: {language_problem(options.language)}")
    texts = NormalisedTexts()
    for number, (path, target) in enumerate(zip(options.hypotheses, _targets(options), strict=True)):
        score, notes = _scored(path, options, texts)
        write_score(target, score, source=without_surrogates(path.name))
        yield from [*([""] if number else []), *score_summary(path.name, score, notes), f"wrote {target}"]
