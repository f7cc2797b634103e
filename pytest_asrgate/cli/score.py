"""`asrgate score`: hypotheses with their references → `HYP.score.json` and a summary."""

import argparse
import re
from collections.abc import Mapping
from pathlib import Path

from pytest_asrgate.datasets.manifest import manifest_digest
from pytest_asrgate.datasets.speakers import speaker_blocks, speaker_field
from pytest_asrgate.errors import DatasetError, IntegrityError, ScoringError
from pytest_asrgate.formats.hypotheses import StoredHypotheses, read_hypotheses
from pytest_asrgate.formats.references import read_references
from pytest_asrgate.formats.score_file import write_score
from pytest_asrgate.languages import canonical_language, language_problem
from pytest_asrgate.metrics.rule import scoring_rule
from pytest_asrgate.records import HypothesisSet, Score, Utterance
from pytest_asrgate.reports.score_summary import score_summary
from pytest_asrgate.scoring import score_set
from pytest_asrgate.values import named

__all__ = ["DESCRIPTION", "SUMMARY", "add_arguments", "run", "score_path"]

SUMMARY = "score hypotheses against their references"
DESCRIPTION = (
    "Write HYP.score.json beside each file of hypotheses: error rate with a 95 % bootstrap interval (1,000 "
    "resamples of utterances, seed 42), counts, and every utterance. Reads the JSON lines of this project and of "
    "the transcribe.cpp scripts, sclite .trn, and a plain .json of {id: text}."
)

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
    parser.add_argument("--language", metavar="L", help="of every utterance; else the row's, the header's, or en")
    parser.add_argument("--metric", choices=("auto", "wer", "cer"), default="auto")
    parser.add_argument(
        "--normaliser",
        choices=("auto", "whisper-english", "basic", "basic-marks", "indic", "none"),
        default="auto",
    )
    parser.add_argument(
        "--dediarize",
        action="store_true",
        help="remove bracketed timestamps, speaker labels and annotations from both sides first",
    )
    parser.add_argument(
        "--speaker",
        default="speaker",
        metavar="FIELD|REGEX",
        help=r"who speaks: a key of the rows, or a regular expression over ids such as '^(\d+)-'; none",
    )
    parser.add_argument("--out", type=Path, metavar="FILE", help="where to write instead; for one HYP only")


def score_path(hypotheses: Path) -> Path:
    """`x.test-clean.jsonl` → `x.test-clean.score.json`, in the same folder."""
    name = hypotheses.name
    for end in _ENDS:
        if name.endswith(end):
            name = name.removesuffix(end)
            break
    return hypotheses.with_name(f"{name}.score.json")


def _references(stored: StoredHypotheses, path: Path | None) -> Mapping[str, str]:
    """One reference for each hypothesis and none too many; IntegrityError naming the ids."""
    if path is None:
        missing = [identity for identity in stored.rows if identity not in stored.references]
        if missing:
            raise IntegrityError(
                f"{stored.path}: no ref_text for {named(missing)}; give the references with --references"
            )
        _check_digest(stored)
        return stored.references
    references = read_references(path)
    faults = []
    missing = [identity for identity in stored.rows if identity not in references]
    lost = [identity for identity in references if identity not in stored.rows]
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


def _language(stored: StoredHypotheses, identity: str, asked: str | None) -> str | None:
    own = stored.languages.get(identity)
    header = stored.language
    if asked or own or not header or "+" not in header:
        return asked or own or header
    raise DatasetError(
        f"{stored.path} ({identity}): has no language, and the header names several ({header}); "
        "give the row one, or all of them with --language"
    )


def _utterances(
    stored: StoredHypotheses, references: Mapping[str, str], asked: str | None, field: str | None
) -> list[Utterance]:
    """The rows as utterances with a language each; English where nothing names one, as the document has it."""
    utterances = []
    for identity in stored.rows:
        tag = _language(stored, identity, asked) or "en"
        problem = language_problem(tag)
        if problem:
            raise DatasetError(f"{stored.path} ({identity}): language: {problem}")
        speaker = stored.fields.get(identity, {}).get(field) if field else None
        if speaker is not None and (isinstance(speaker, bool) or not isinstance(speaker, str | int)):
            raise DatasetError(f"{stored.path} ({identity}): {field} must be a text; it is {speaker!r}")
        utterances.append(
            Utterance(
                id=identity,
                audio=Path(),
                reference=references[identity],
                language=canonical_language(tag),
                speaker=None if speaker is None else str(speaker),
            )
        )
    return utterances


def _speaker_setting(option: str) -> str:
    return option if _FIELD.fullmatch(option) else f"regex:{option}"


def _scored(path: Path, options: argparse.Namespace) -> tuple[Score, Mapping[str, str], list[str]]:
    stored = read_hypotheses(path)
    if any(row.normalised_reference is not None for row in stored.rows.values()):
        raise ScoringError(f"{path}: is a score file already; give the file of hypotheses it was made from")
    if not stored.rows:
        raise DatasetError(f"{path}: holds no hypotheses")
    references = _references(stored, options.references)
    setting = _speaker_setting(options.speaker)
    utterances = _utterances(stored, references, options.language, speaker_field(setting))
    try:
        speakers, speakers_note = speaker_blocks(utterances, setting)
    except DatasetError as error:
        raise DatasetError(f"{path}: --speaker: {error}") from error
    notes = []
    if not options.language and not stored.languages and not stored.language:
        notes.append("no language is named, so the texts were scored as English; --language names another")
    languages = sorted({utterance.language or "" for utterance in utterances})
    rule = scoring_rule(languages, options.normaliser, options.metric, dediarize=options.dediarize)
    stamp = stored.header.get("stamp")
    fixed = stored.header.get("not_controllable")
    made = HypothesisSet(
        variant=path.name,
        dataset="",
        hypotheses=tuple(stored.rows.values()),
        contract={**stored.terms, "language": "+".join(languages)},
        provenance=stamp if isinstance(stamp, dict) else {},
        not_controllable=tuple(str(name) for name in fixed) if isinstance(fixed, list) else (),
    )
    try:
        return (
            score_set(made, utterances, rule, speakers=speakers, speakers_note=speakers_note),
            references,
            notes,
        )
    except ScoringError as error:
        raise ScoringError(f"{path}: {error}") from error


def run(options: argparse.Namespace) -> list[str]:
    """Score every file; returns the lines to print. AsrGateError or OSError where one cannot be scored."""
    if options.out is not None and len(options.hypotheses) > 1:
        raise ScoringError(f"--out names one file, and there are {len(options.hypotheses)} to score; leave it out")
    lines: list[str] = []
    for path in options.hypotheses:
        score, references, notes = _scored(path, options)
        target = options.out or score_path(path)
        write_score(target, score, source=path.name, references=references)
        lines += [*([""] if lines else []), *score_summary(path.name, score, notes), f"wrote {target}"]
    return lines
