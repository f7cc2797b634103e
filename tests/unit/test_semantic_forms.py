"""Forms of one word: which pairs are possessive or plural, and which words an `s` makes another."""

import pytest

from pytest_asrgate.semantic.forms import is_plural_pair, is_possessive_pair, kin_key
from tests.unit.semantic_texts import text_of


@pytest.mark.parametrize(
    "pair",
    [
        "ticket tickets", "office offices", "license licenses", "box boxes", "church churches", "dish dishes",
        "city cities", "day days", "key keys", "potato potatoes", "photo photos", "bus buses", "class classes",
        "child children", "man men", "woman women", "person people", "foot feet", "tooth teeth", "mouse mice",
        "knife knives", "life lives", "analysis analyses", "crisis crises", "criterion criteria",
    ],
)  # fmt: skip
def test_plurals(pair: str) -> None:
    """Regular and irregular plurals are one word, in both directions, and kindred when ties are broken."""
    one, many = pair.split()
    assert is_plural_pair(one, many)
    assert is_plural_pair(many, one)


@pytest.mark.parametrize(
    "pair",
    [
        "custom customs", "good goods", "new news", "cloth clothes", "arm arms", "glass glasses", "mean means",
        "color colors", "manner manners", "it its", "a as", "i is", "thi this", "ha has", "wa was", "hi his",
        "u us", "right rights", "bos boss", "clas class", "princes princess", "pas pass", "politic politics",
        "physic physics", "specie species", "beside besides", "sometime sometimes", "time times", "texa texas",
        "jame james", "william williams", "compas compass", "ticket ticket", "ticket tickets's", "car cart",
        "bo bos", "man mans", "child childs", "city citys", "box boxs", "day daies", "5 5s", "kansa kansas",
    ],
)  # fmt: skip
def test_an_s_that_makes_another_word(pair: str) -> None:
    """Another word, a name, a misspelt plural or the word itself is no plural."""
    one, many = pair.split()
    assert not is_plural_pair(one, many)
    assert not is_plural_pair(many, one)


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ("driver's", "driver", True),
        ("driver's", "drivers", True),
        ("drivers'", "driver", True),
        ("drivers'", "driver's", True),
        ("driver’s", "driver", True),
        ("Mary's", "Mary", True),
        ("the parents',", "parent", True),
        ("drivers", "driver", False),
        ("driver's", "diver", False),
        ("ogre's", "ogress", False),
        ("it's", "its", False),
        ("its'", "it", False),
        ("he's", "his", False),
        ("to Williams'", "William", False),
        ("to James's", "James", True),
        ("a's", "a", False),
    ],
)
def test_possessives(left: str, right: str, expected: bool) -> None:
    """One owner with an apostrophe on at least one side; a name in s is not the name without it."""
    pair = text_of(left).words[-1], text_of(right).words[-1]
    assert is_possessive_pair(*pair) is expected
    assert is_possessive_pair(*pair[::-1]) is expected


@pytest.mark.parametrize(
    "pair", ["drivers driver", "cities city", "boxes box", "men man", "a the", "driver's driver"]
)
def test_kin(pair: str) -> None:
    """Words that differ in form only have one key; others do not."""
    left, right = pair.split()
    assert kin_key(left) == kin_key(right)
    assert kin_key(left) != kin_key("other")
