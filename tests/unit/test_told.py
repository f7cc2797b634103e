"""Claims about sentences that several processes of a run came to say."""

from pathlib import Path

from pytest_asrgate.reports.entries import PairEntry
from pytest_asrgate.reports.told import told_once

STATE = Path("/project/.asrgate")


def _entry(*warnings: str) -> PairEntry:
    return {"variant": "v", "warnings": [*warnings]}  # type: ignore[typeddict-item] # what it looks at


def test_a_sentence_about_the_folder_is_said_once() -> None:
    """By the first pair that has it; what is said of a pair is said of each that it is true of."""
    store, other = f"{STATE}/store.sqlite: was removed", f"{STATE}/reports: cannot be written"
    given = [_entry("its audio clips", store), _entry(store, "its audio clips", other), _entry(other)]
    made = told_once(given, STATE)
    assert [entry["warnings"] for entry in made] == [["its audio clips", store], ["its audio clips", other], []]
    assert all(entry["variant"] == "v" for entry in made)
    # What was given stays what it is.
    assert given[2]["warnings"] == [other]
