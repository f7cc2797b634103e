"""A model that is absent is made once, by the command that the gate file gives."""

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from pytest_asrgate.config import TranscriberSettings, Variant
from pytest_asrgate.errors import ModelError
from pytest_asrgate.transcribers.models import ensure_model

SETTINGS = TranscriberSettings("native", "transcribe-cpp", "cpu", 60.0, 4000, {})


def _variant(model: Path | None, make: tuple[str, ...] | None) -> Variant:
    return Variant("q8_0", SETTINGS, model, make, "f32", make_shown=" ".join(make or ()))


def test_present_model_is_left_alone(tmp_path: Path) -> None:
    """A model that is there is not made again, and no model at all needs no making."""
    model = tmp_path / "model.gguf"
    model.write_bytes(b"old")
    ensure_model(_variant(model, ("false",)), tmp_path)
    ensure_model(_variant(None, None), tmp_path)
    assert model.read_bytes() == b"old"


def test_made_by_this_python_in_the_gate_folder(tmp_path: Path) -> None:
    """`python` is the running interpreter, `{model}` the wanted path, and the gate's folder is where it runs."""
    model = tmp_path / "state" / "deep" / "model.gguf"
    code = "import sys, os; open(sys.argv[1], 'w').write(sys.executable + '|' + os.getcwd())"
    ensure_model(_variant(model, ("python", "-c", code, "{model}")), tmp_path)
    assert model.read_text() == f"{sys.executable}|{tmp_path}"


def test_made_once_by_many(tmp_path: Path) -> None:
    """Several who need the same absent model at once make it once."""
    model = tmp_path / "model.gguf"
    code = "import sys, time; open('log', 'a').write('made\\n'); time.sleep(0.3); open(sys.argv[1], 'w').write('x')"
    variant = _variant(model, ("python", "-c", code, "{model}"))
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: ensure_model(variant, tmp_path), range(4)))
    assert (tmp_path / "log").read_text() == "made\n"


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (None, "variant.q8_0.model: .*model.gguf does not exist; put the model there, or give variant.q8_0.make"),
        (
            ("python", "-c", "import sys; sys.exit('no weights here')"),
            "ended with exit code 1; last output: no weights",
        ),
        (("python", "-c", "pass"), "ended with exit code 0, but there is no .*model.gguf"),
        (("no-such-maker",), "no-such-maker ended with exit code 127"),
    ],
)
def test_model_that_cannot_be_made(tmp_path: Path, make: tuple[str, ...] | None, sentence: str) -> None:
    """An absent model without a maker, and a maker that fails, are one sentence that names the key."""
    with pytest.raises(ModelError, match=sentence) as caught:
        ensure_model(_variant(tmp_path / "model.gguf", make), tmp_path)
    assert str(caught.value).startswith("variant.q8_0.m")


@pytest.mark.parametrize("target", ["{model}", "model.gguf"])
def test_failed_maker_leaves_no_model(tmp_path: Path, target: str) -> None:
    """What a maker wrote before it failed is no model: the next run makes it again, and never judges it."""
    code = "import sys; open(sys.argv[1], 'w').write('half'); sys.exit(3)"
    model = tmp_path / "model.gguf"
    for _ in range(2):
        with pytest.raises(ModelError, match="ended with exit code 3"):
            ensure_model(_variant(model, ("python", "-c", code, target)), tmp_path)
        assert not model.exists()
        assert [path.name for path in tmp_path.iterdir()] == [".model.gguf.lock"]


def test_folder_in_place_of_a_model(tmp_path: Path) -> None:
    """A folder is told as such, not as a file that is absent."""
    with pytest.raises(ModelError, match=r"variant\.q8_0\.model: .* is no file"):
        ensure_model(_variant(tmp_path, None), tmp_path)
