"""Published figures beside ours, as a Markdown table: python benchmarks/published.py [FOLDER].

FOLDER, else ASRGATE_CONFORMANCE, holds `refhyp/SET/SYSTEM.jsonl` and `refhyp/SET/expected.json`. Where nothing was
published the figures recomputed with jiwer stand in, marked with an asterisk; they leave empty references out, and
for these files so do ours.
"""

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pytest_asrgate.formats.hypotheses import read_hypotheses
from pytest_asrgate.metrics.rule import scoring_rule
from pytest_asrgate.metrics.utterances import score_utterances
from pytest_asrgate.metrics.wer import pool
from pytest_asrgate.records import Counts, Utterance

# Whose texts are as their authors scored them already.
NORMALISED = {"librispeech_fbai", "sclite_demo", "whisper_base_en_4"}


def count(path: Path, normaliser: str, *, empty_references: bool) -> Counts:
    """Our counts over a file of hypotheses, with or without the utterances that have an empty reference."""
    stored = read_hypotheses(path)
    spoken = [Utterance(identity, Path(), stored.references[identity], language="en") for identity in stored.rows]
    rows = score_utterances(spoken, list(stored.rows.values()), scoring_rule(["en"], normaliser))
    return pool([row for row in rows if empty_references or not row.null_reference])


def rows(folder: Path) -> Iterator[list[str]]:
    """The cells of one line for each file that is there."""
    for description in sorted((folder / "refhyp").glob("*/expected.json")):
        name = description.parent.name
        files: dict[str, dict[str, Any]] = json.loads(description.read_text(encoding="utf-8"))["files"]
        for file, entry in files.items():
            path = description.parent / file
            if not path.is_file():
                continue
            published, mark = (entry["published"], "") if entry["published"] else (entry["recomputed"], " *")
            errors = sum(published[kind] for kind in ("substitutions", "deletions", "insertions"))
            ours = count(path, "none" if name in NORMALISED else "auto", empty_references=not mark)
            yield [
                name,
                path.stem,
                f"{errors}{mark}",
                str(ours.errors),
                f"{100 * published['wer']:.3f}",
                f"{ours.rate_pct:.3f}",
            ]


def main() -> int:
    """Print the table; 1 where there is nothing to print."""
    folder = sys.argv[1] if len(sys.argv) > 1 else os.environ.get("ASRGATE_CONFORMANCE")
    lines = list(rows(Path(folder))) if folder else []
    if not lines:
        print("name the folder that holds refhyp/SET/expected.json", file=sys.stderr)
        return 1
    print("| set | file | published errors | ours | published % | ours % |")
    print("|---|---|---:|---:|---:|---:|")
    for cells in lines:
        print(f"| {' | '.join(cells)} |")
    if any("*" in cells[2] for cells in lines):
        print("\n\\* not published: recomputed with jiwer, without the empty references")
    return 0


if __name__ == "__main__":
    sys.exit(main())
