"""Where a worker finds a file of the controller."""

from pathlib import Path

import pytest

from pytest_asrgate.executors.folders import is_url, place_there

FOLDERS = {
    Path("/data"): "/mnt/data",
    Path("/data/models"): "s3://bucket/models/",
    Path("/home/me/gate"): "/srv/gate",
}


@pytest.mark.parametrize(
    ("here", "there"),
    [
        ("/data/clips/a b.wav", "/mnt/data/clips/a b.wav"),
        ("/data/models/tiny.gguf", "s3://bucket/models/tiny.gguf"),
        ("/data/clips/../models/tiny.gguf", "s3://bucket/models/tiny.gguf"),
        ("/data", "/mnt/data"),
        ("/database/a.wav", "/database/a.wav"),
        ("/elsewhere/a.wav", "/elsewhere/a.wav"),
    ],
)
def test_the_longest_folder_that_holds_a_path_leads_there(here: str, there: str) -> None:
    """Whole names count, dots are resolved by text, and what no folder holds is the same there."""
    assert place_there(Path(here), FOLDERS) == there


@pytest.mark.parametrize(
    ("root", "there"),
    [("file:///", "file:///data/x"), ("/", "/data/x"), ("s3://bucket", "s3://bucket/data/x"), ("/a/", "/a/data/x")],
)
def test_a_root_keeps_its_slashes(root: str, there: str) -> None:
    """A URL without them is another one."""
    assert place_there(Path("/data/x"), {Path("/"): root}) == there


def test_a_url_is_known_by_its_scheme() -> None:
    """Anything else is a path, whatever signs are in it."""
    assert is_url("s3://bucket/a.wav")
    assert is_url("file:///a.wav")
    assert not is_url("/data/s3://a.wav")
    assert not is_url("C:/a.wav")
