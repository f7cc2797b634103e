"""transcribe.cpp's identity from files alone, and what the adapter refuses."""

import importlib.metadata
import importlib.util
from pathlib import Path

import pytest

from pytest_asrgate.config import TranscriberSettings
from pytest_asrgate.errors import EngineMissingError, ModelError, TranscriberError
from pytest_asrgate.transcribers import transcribe_cpp
from pytest_asrgate.transcribers.transcribe_cpp import check_model, identify

SETTINGS = TranscriberSettings("native", "transcribe-cpp", "cpu", 60.0, 4000, {})

installed = pytest.mark.skipif(
    importlib.util.find_spec("transcribe_cpp") is None, reason="needs the example extra (transcribe-cpp)"
)


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """A file that begins as a GGUF model does."""
    path = tmp_path / "model.gguf"
    path.write_bytes(b"GGUF" + bytes(100))
    return path


@pytest.mark.parametrize("content", [b"", b"GGU", b"lmgg", b"<html>not found</html>"])
def test_file_that_is_no_gguf(tmp_path: Path, content: bytes) -> None:
    """A file that does not begin as GGUF is refused by name before any native code sees it."""
    path = tmp_path / "model.bin"
    path.write_bytes(content)
    with pytest.raises(ModelError, match=r"model\.bin: is no GGUF file"):
        check_model(path)


@installed
def test_identity_follows_content(model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Model bytes, options, TRANSCRIBE_ variables and the native library's bytes each make another engine."""
    base = identify(model, SETTINGS)
    assert identify(model, SETTINGS).fingerprint == base.fingerprint
    assert base.provenance["engine_version"] == importlib.metadata.version("transcribe-cpp")
    seen = {base.fingerprint}
    model.write_bytes(b"GGUF" + bytes(99) + b"x")
    seen.add(identify(model, SETTINGS).fingerprint)
    seen.add(
        identify(model, TranscriberSettings("n", "transcribe-cpp", "cpu", 60.0, 1, {"no_mmap": True})).fingerprint
    )
    monkeypatch.setenv("TRANSCRIBE_NO_MMAP", "1")
    seen.add(identify(model, SETTINGS).fingerprint)
    library = tmp_path / "build" / "libtranscribe.so"
    library.parent.mkdir()
    library.write_bytes(b"kernel 1")
    monkeypatch.setenv("TRANSCRIBE_LIBRARY", str(library))
    seen.add(identify(model, SETTINGS).fingerprint)
    library.write_bytes(b"kernel 2")
    seen.add(identify(model, SETTINGS).fingerprint)
    assert len(seen) == 6


@installed
def test_name_and_patience_do_not_make_another_engine(model: Path) -> None:
    """A renamed model, another timeout and another memory limit are the same engine."""
    base = identify(model, SETTINGS)
    other = TranscriberSettings("other", "transcribe-cpp", "cpu", 1.0, 1, {})
    renamed = model.rename(model.with_name("renamed.gguf"))
    assert identify(renamed, other).fingerprint == base.fingerprint


def test_engine_that_is_not_installed(model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the binding there is one sentence with the extra to install."""

    def absent(name: str) -> str:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(transcribe_cpp, "version", absent)
    with pytest.raises(EngineMissingError, match=r"not installed; install the example extra"):
        identify(model, SETTINGS)


@pytest.mark.parametrize(
    ("ladder", "step"),
    [([0.0], 0.0), ([0.0, 0.2, 0.4, 0.6, 0.8, 1.0], 0.2), ([0.0, 0.5, 1.0], 0.5), ([0.0, 1.0], 1.0)],
)
def test_ladders_the_library_can_climb(ladder: list[float], step: float) -> None:
    """Equal steps up to 1.0, or no step at all, become the library's increment."""
    assert transcribe_cpp._ladder_step(ladder) == pytest.approx(step)


@pytest.mark.parametrize("ladder", [[0.0, 0.2], [0.0, 0.1, 1.0]])
def test_ladders_it_cannot(ladder: list[float]) -> None:
    """A ladder that the library would climb differently is refused, not approximated."""
    with pytest.raises(TranscriberError, match=r"recipe\.temperatures"):
        transcribe_cpp._ladder_step(ladder)
