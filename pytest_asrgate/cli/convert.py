"""`asrgate convert`: hypotheses of one format → another: JSON lines, sclite .trn pairs, a plain {id: text}."""

import argparse
from collections.abc import Iterator, Mapping
from pathlib import Path

from pytest_asrgate.cli.inputs import beside, references_of
from pytest_asrgate.errors import DatasetError, IntegrityError
from pytest_asrgate.formats.hypotheses import StoredHypotheses, read_hypotheses
from pytest_asrgate.formats.plain import write_plain
from pytest_asrgate.formats.trn import trn_text
from pytest_asrgate.jsonlines import write_atomically, write_rows
from pytest_asrgate.records import RowStatus
from pytest_asrgate.values import named

__all__ = ["DESCRIPTION", "add_arguments", "run"]

DESCRIPTION = (
    "trn writes HYP.hyp.trn and, where references are known, HYP.ref.trn for sclite; json writes {id: text}; "
    "jsonl writes rows of id, ref_text and hyp_text."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument("hypotheses", type=Path, metavar="HYP", help="a file of hypotheses")
    parser.add_argument("--to", choices=("trn", "json", "jsonl"), required=True)
    parser.add_argument("--references", type=Path, metavar="FILE", help="reference texts, where HYP has none")


def _texts(stored: StoredHypotheses) -> dict[str, str]:
    """Text by id; IntegrityError for error rows, which none of these formats can tell from silence."""
    lost = [identity for identity, row in stored.rows.items() if row.status is RowStatus.ERROR]
    if lost:
        raise IntegrityError(
            f"{stored.path}: error rows have no text, and would read as silence: {named(lost)}; "
            "transcribe them again"
        )
    return {identity: row.text for identity, row in stored.rows.items()}


def _references(stored: StoredHypotheses, path: Path | None) -> Mapping[str, str]:
    """References by id, one for each hypothesis; none where the file has none and no other was given."""
    if path is None and not stored.references:
        return {}
    found = references_of(stored, path).texts
    return {identity: found[identity] for identity in stored.rows}


def run(options: argparse.Namespace) -> Iterator[str]:
    """Write the files; yields the lines to print. AsrGateError or OSError where nothing was written."""
    stored = read_hypotheses(options.hypotheses)
    if any(row.normalised_reference is not None for row in stored.rows.values()):
        raise DatasetError(f"{stored.path}: a score file holds normalised texts; convert the hypotheses it names")
    texts, references = _texts(stored), _references(stored, options.references)
    ends = (".hyp.trn", ".ref.trn") if options.to == "trn" else (f".{options.to}",)
    targets = [beside(stored.path, end) for end in ends]
    targets = targets if references else targets[:1]
    read = {path.resolve() for path in (stored.path, options.references) if path is not None}
    for target in targets:
        if target.resolve() in read:
            raise DatasetError(f"{stored.path}: converting it to {options.to} would write over what was read")
        if target.exists() and not target.is_file():
            raise DatasetError(f"{target}: is no regular file, so nothing is written there")
    if options.to == "trn":
        # Both sides are made before either is written, so that no half of a pair is left.
        sides = [trn_text(path, side) for path, side in zip(targets, (texts, references), strict=False)]
        for path, content in zip(targets, sides, strict=True):
            write_atomically(path, content)
    elif options.to == "json":
        write_plain(targets[0], texts)
    else:
        rows = [
            {"id": identity, **({"ref_text": references[identity]} if references else {}), "hyp_text": text}
            for identity, text in texts.items()
        ]
        write_rows(targets[0], rows)
    flagged = [identity for identity, row in stored.rows.items() if row.status is not RowStatus.OK]
    yield from (f"wrote {target}" for target in targets)
    if flagged:
        yield f"note: truncated or stopped for repetition, which this format cannot say: {named(flagged)}"
