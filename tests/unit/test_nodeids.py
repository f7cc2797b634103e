"""Which node ids are pairs of the gate."""

from pathlib import Path
from types import SimpleNamespace

from pytest_asrgate.plugin.nodeids import gate_units, pairs_of


def _named(name: str) -> SimpleNamespace:
    return SimpleNamespace(name=name)


GATE = SimpleNamespace(
    path=Path("/somewhere/gate.toml"),
    pairs=[
        SimpleNamespace(variant=_named(variant), dataset=_named(dataset))
        for variant in ("q8_0", "f32")
        for dataset in ("prompts", "digits")
    ],
)


def test_pairs_are_known_by_file_variant_and_dataset() -> None:
    """A pair's id is known in any folder, also one with an @, and with the group that loadgroup adds to it."""
    ids = ["gate.toml::f32::prompts", "me@home/gate.toml::q8_0::digits", "gate.toml::q8_0::prompts@gpu"]
    assert pairs_of(ids, GATE) == dict(
        zip(ids, [("f32", "prompts"), ("q8_0", "digits"), ("q8_0", "prompts")], strict=True)
    )


def test_what_only_looks_like_a_pair_is_none() -> None:
    """Another file, an unknown name, a part of an id or more than one are other people's."""
    ids = ["my-gate.toml::f32::prompts", "gate.toml::f16::prompts", "gate.toml::f32", "gate.toml::f32::prompts::x"]
    assert pairs_of([*ids, "gate.toml", "test_a.py::test_it[gate.toml::f32::prompts]"], GATE) == {}


def test_one_unit_a_variant_and_baselines_first() -> None:
    """Items of one variant are one unit in their order, wherever they stand; those of a baseline come first."""
    ids = ["gate.toml::q8_0::prompts", "test_a.py::test_it", "gate.toml::f32::digits", "gate.toml::q8_0::digits"]
    assert gate_units(ids, pairs_of(ids, GATE), {"f32"}) == [[2], [0, 3]]
    assert gate_units(ids, pairs_of(ids, GATE), set()) == [[0, 3], [2]]


def test_a_group_is_a_unit_with_all_that_is_in_it() -> None:
    """Pairs and tests of one group are one unit, at the place of its baseline; other groups are others' affair."""
    ids = [
        "gate.toml::q8_0::digits",
        "gate.toml::q8_0::prompts@gpu",
        "test_a.py::a@gpu",
        "gate.toml::f32::digits@gpu",
    ]
    assert gate_units([*ids, "test_a.py::b@cpu"], pairs_of(ids, GATE), {"f32"}) == [[1, 2, 3], [0]]
