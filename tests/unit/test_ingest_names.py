"""Claims about the names of sounds: every file system takes them, and no two ids share one."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_asrgate.ingest.names import file_stems

IDS = st.text(st.characters(codec="utf-8"), min_size=1, max_size=400)


@pytest.mark.parametrize(
    "identity",
    ["1089-134686-0000", "common_voice_en_17283", "10003", "A.b-c_d", "नमस्ते", "Grüße", "你好", "a..b", "-x"],
)
def test_ids_of_corpora_stay_as_they_are(identity: str) -> None:
    """Letters, marks and digits of any script, dot, underscore and hyphen are a name already."""
    assert file_stems([identity]) == {identity: identity}


@pytest.mark.parametrize(
    ("identity", "start"),
    [
        ("digits/1", "digits_1~"),
        ("a b", "a_b~"),
        ("..", "_._~"),
        (".hidden", "_.hidden~"),
        ("end.", "end_~"),
        ("end ", "end_~"),
        ("con", "_con~"),
        ("NUL", "_NUL~"),
        ("com1.left", "_com1.left~"),
        ("a:b*c?", "a_b_c_~"),
        ("a\\b", "a_b~"),
        ("a\nb", "a_b~"),
        ("~", "_~"),
        ("cafe\u0301", "café~"),
        ("x" * 500, "x" * 187 + "~"),
        ("न" * 100, "न" * 62 + "~"),
    ],
)
def test_what_a_file_system_refuses_is_replaced(identity: str, start: str) -> None:
    """What had to change gets a hash of the id, so that its name is of this id alone."""
    (stem,) = file_stems([identity]).values()
    assert stem.startswith(start)
    assert len(stem) == len(start) + 12
    assert len(stem.encode()) <= 200
    # Whatever else is in the corpus.
    assert file_stems([identity, "digits_1", "a_b", "_con", "café"])[identity] == stem


def test_ids_that_differ_by_case_or_form_alone_are_told_apart() -> None:
    """All of them get a hash, so that none depends on which came first; others are left alone."""
    ids = ["Ab", "aB", "cafe\u0301", "caf\u00e9", "other"]
    stems = file_stems(ids)
    assert stems["other"] == "other"
    assert len({unicodedata.normalize("NFD", stem).casefold() for stem in stems.values()}) == len(ids)
    assert file_stems(reversed(ids)) == stems
    assert stems["Ab"].startswith("Ab~")


@given(st.lists(IDS, unique=True, max_size=8))
def test_any_ids_get_names_that_any_system_takes(ids: list[str]) -> None:
    """Short, without separators and control characters, unlike any other also where case does not count."""
    stems = file_stems(ids)
    assert list(stems) == ids
    for stem in stems.values():
        assert 0 < len(stem.encode()) <= 200
        assert stem[0] != "."
        assert stem[-1] not in ". "
        assert not set(stem) & set('/\\:*?"<>|\0 ')
        assert stem.split(".")[0].casefold() not in {"con", "prn", "aux", "nul", "com1", "lpt9"}
        assert unicodedata.normalize("NFC", stem).isprintable()
    folded = {unicodedata.normalize("NFC", stem.casefold()) for stem in stems.values()}
    assert len(folded) == len(ids)
