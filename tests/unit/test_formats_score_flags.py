"""Claims about flags in score files: what only raw texts show is kept, and they must add up."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pytest_asrgate.errors import DatasetError
from pytest_asrgate.formats.score_file import read_score, score_rows
from pytest_asrgate.metrics.rule import scoring_rule
from pytest_asrgate.records import Hypothesis, Score
from pytest_asrgate.scoring import score_set

from .builders import hypothesis_set, utterances
from .score_files import FIRST, set_at, upstream_document, written


def _flagged() -> Score:
    """A loop that the normaliser drops and an output in another script, which only raw texts show."""
    rows = [Hypothesis("u1", "[Music] " * 9), Hypothesis("u2", "поезд уходит в восемь"), Hypothesis("u3", "go")]
    spoken = utterances("one cat", "the train leaves at eight", "go")
    return score_set(hypothesis_set("q8_0", rows), spoken, scoring_rule(("en",), "auto", "auto"))


def test_flags_of_raw_texts_come_back(tmp_path: Path) -> None:
    """A score file holds no raw texts, so it holds what was found in them, for reading and for replaying."""
    path = tmp_path / "q8_0.score.json"
    document = written(path, _flagged())
    figures = ("loops", "language_drift", "catastrophic", "catastrophic_above_pct", "dropped_span")
    assert [document[key] for key in figures] == [1, 1, 2, 50.0, 2]
    looped, drifted, fine = document["per_utterance"]
    assert looped["loop"] is drifted["language_drift"] is True
    assert not {"loop", "language_drift"} & set(fine)
    read = read_score(path)
    assert [(row.loop, row.drift) for row in read.utterances] == [(True, False), (False, True), (False, False)]
    replayed = tuple(score_rows(path).rows.values())
    spoken = utterances("one cat", "the train leaves at eight", "go")
    again = score_set(hypothesis_set("q8_0", replayed), spoken, scoring_rule(("en",), "auto", "auto"))
    assert [(row.loop, row.drift) for row in again.utterances] == [(True, False), (False, True), (False, False)]


def test_the_limit_of_the_catastrophic_is_kept(tmp_path: Path) -> None:
    """What a dataset calls catastrophic is read back with its file."""
    path = tmp_path / "q8_0.score.json"
    written(path, replace(_flagged(), catastrophic_rate=120.0))
    assert read_score(path).catastrophic_rate == 120.0


def test_files_without_flags_are_judged_by_their_normalised_texts(tmp_path: Path) -> None:
    """In an upstream file a repeated phrase is a loop and another script drift, by its own language."""
    document = upstream_document()
    document["language"] = "en"
    document["per_utterance"] = [
        {"id": "u1", "ref": "one cat sat", "hyp": "one cat " * 9},
        {"id": "u2", "ref": "the train leaves", "hyp": "поезд уходит в восемь"},
    ]
    for key in list(document):
        if key.startswith(("error_rate", "wer")):
            del document[key]
    document |= {"substitutions": 4, "deletions": 0, "insertions": 16, "error_rate": 20 / 6}
    path = tmp_path / "x.score.json"
    path.write_text(json.dumps(document))
    assert [(row.loop, row.drift) for row in read_score(path).utterances] == [(True, False), (False, True)]


@pytest.mark.parametrize(
    ("change", "fact"),
    [
        (set_at(*FIRST, "loop", value="yes"), "row 1 (u1): loop must be true or false; it is 'yes'"),
        (set_at(*FIRST, "language_drift", value=None), "(u1): language_drift must be true or false; it is None"),
        (set_at("loops", value=2), "loops is 2 and 1 rows say loop"),
        (set_at("language_drift", value=0), "language_drift is 0 and 1 rows say language_drift"),
        (set_at("language_drift", value=1.5), "language_drift must be a whole number of 0 or more; it is 1.5"),
        (set_at("catastrophic_above_pct", value="half"), "catastrophic_above_pct must be a number of 0 or more"),
    ],
)
def test_flags_that_do_not_add_up_are_refused(tmp_path: Path, change: Callable[[Any], None], fact: str) -> None:
    """A flag is a truth value, and there are as many as the file counts."""
    path = tmp_path / "q8_0.score.json"
    document = written(path, _flagged())
    change(document)
    path.write_text(json.dumps(document))
    with pytest.raises(DatasetError, match=re.escape(fact)):
        read_score(path)
