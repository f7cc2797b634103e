"""Claims about recipe and stamps on the page: what was asked for, what it was made with, and what differs."""

from typing import cast

from pytest_asrgate.errors import DatasetError
from pytest_asrgate.reports.entries import PairEntry, pair_entry
from pytest_asrgate.reports.page.stamps import stamp_blocks
from pytest_asrgate.verdict import failed_to_run

from .builders import Row, entry, pair

ROWS: list[Row] = [("a", "the cat", "the cat")]


def _pair(variant: str, stamp: dict[str, object]) -> PairEntry:
    return cast("PairEntry", {**entry(ROWS, ROWS), "variant": variant, "stamp": stamp})


def test_what_differs_between_variants_is_marked() -> None:
    """Model hashes differ and say so; the engine is the same and does not."""
    made = [_pair("f32", {"engine": "e", "model": "a"}), _pair("q8_0", {"engine": "e", "model": "b"})]
    _, stamps = stamp_blocks(made)
    assert stamps.columns == ("f32", "q8_0")
    assert {row.key: (row.values, row.differs) for row in stamps.rows} == {
        "engine": (("e", "e"), False),
        "model": (("a", "b"), True),
    }


def test_what_only_one_variant_says_differs() -> None:
    """A key that another engine does not have is a dash there."""
    _, stamps = stamp_blocks([_pair("f32", {"device": "x"}), _pair("q8_0", {})])
    assert [(row.values, row.differs) for row in stamps.rows] == [(("x", "—"), True)]


def test_the_recipe_stands_once_for_each_data_set() -> None:
    """What may be compared is one contract, and is not repeated among the stamps."""
    recipe, stamps = stamp_blocks([_pair("f32", {"language": "dataset", "threads": 1})])
    assert recipe.columns == ("prompts",)
    values = {row.key: row.values for row in recipe.rows}
    assert (values["language"], values["condition_on_previous"]) == (("en",), ("false",))
    assert [row.key for row in stamps.rows] == ["threads"]


def test_a_pair_that_could_not_run_has_no_stamps() -> None:
    """There is nothing to say of what was never made."""
    assert stamp_blocks([pair_entry(failed_to_run(pair(), DatasetError("m.jsonl: holds no rows")))]) == ()
