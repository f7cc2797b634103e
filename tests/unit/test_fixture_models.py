"""The model maker: what it reads, what it writes, and what it says when it cannot."""

import hashlib
import importlib.util
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("flatbuffers", reason="the extra `example` is not installed")
pytest.importorskip("gguf", reason="the extra `example` is not installed")

import flatbuffers
from gguf import GGMLQuantizationType, GGUFReader, TokenType, quants

from fixtures import make_models
from fixtures.models import moonshine, moonshine_tokens
from fixtures.models.content import ModelContent
from fixtures.models.errors import ModelMakerError
from fixtures.models.gguf_file import write_gguf
from fixtures.models.ort_format import Node, OrtModel, read_ort
from fixtures.models.presets import PRESETS
from fixtures.models.registry import FAMILIES, look_up
from fixtures.models.sources import package_folder, read_pinned

SCRIPT = Path(make_models.__file__)

needs_weights = pytest.mark.skipif(
    importlib.util.find_spec("moonshine_voice") is None,
    reason=f"the weights are not installed: pip install {moonshine.REQUIREMENT}",
)


def content(rows: int = 4) -> ModelContent:
    """Return a model of one matrix, one convolution and one bias."""
    rng = np.random.default_rng(7)
    return ModelContent(
        architecture="toy",
        metadata={"toy.flag": True, "toy.count": 3, "toy.ratio": 0.5, "toy.word": "w", "toy.list": [1, 2]},
        tensors={
            "matrix": rng.standard_normal((rows, 64)).astype(np.float32),
            "convolution": rng.standard_normal((4, 2, 3)).astype(np.float32),
            "bias": rng.standard_normal(5).astype(np.float32),
        },
    )


def ort_file() -> bytes:
    """Return an ORT file: a graph with one constant and an If whose branch holds a node."""
    builder = flatbuffers.Builder()

    def table(fields: dict[int, tuple[Callable[..., None], Any, Any]]) -> int:
        builder.StartObject(12)
        for slot, (prepend, value, default) in fields.items():
            prepend(slot, value, default)
        return int(builder.EndObject())

    def offset(value: int) -> tuple[Callable[..., None], int, int]:
        return builder.PrependUOffsetTRelativeSlot, value, 0

    def offsets(values: list[int]) -> int:
        builder.StartVector(4, len(values), 4)
        for value in reversed(values):
            builder.PrependUOffsetTRelative(value)
        return int(builder.EndVector())

    raw = builder.CreateByteVector(np.arange(6, dtype=np.float32).tobytes())
    dims = builder.CreateNumpyVector(np.array([2, 3], dtype=np.int64))
    name = builder.CreateString("weights")
    tensor = table({
        0: offset(name),
        2: offset(dims),
        3: (builder.PrependInt32Slot, 1, 0),
        4: offset(raw),
    })  # fmt: skip
    inputs = offsets([builder.CreateString("weights"), builder.CreateString("")])
    node_name, operator = builder.CreateString("/layer/MatMul"), builder.CreateString("MatMul")
    inner = table({0: offset(node_name), 5: offset(operator), 8: offset(inputs)})
    branch = table({2: offset(offsets([inner]))})
    attribute = table({7: offset(branch)})
    attributes = offsets([attribute])
    choice = table({5: offset(builder.CreateString("If")), 10: offset(attributes)})
    graph = table({0: offset(offsets([tensor])), 2: offset(offsets([choice]))})
    model = table({7: offset(graph)})
    builder.Finish(table({1: offset(model)}), file_identifier=b"ORTM")
    return bytes(builder.Output())


def test_ort_reader_finds_constants_and_nested_nodes() -> None:
    """Constants come out in their shape and type, and the nodes of an If's branch are among the nodes."""
    model = read_ort(ort_file())
    assert model.constants["weights"].tolist() == [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]
    assert model.constants["weights"].dtype == np.float32
    assert model.nodes == [Node("If", "", ()), Node("MatMul", "/layer/MatMul", ("weights", ""))]


@pytest.mark.parametrize("data", [b"", b"RIFF", b"\x08\0\0\0GGUF" + bytes(40)])
def test_ort_reader_refuses_other_files(data: bytes) -> None:
    """What does not carry the format's mark is refused before anything is read from it."""
    with pytest.raises(ModelMakerError, match="ORT format"):
        read_ort(data)


def test_published_weights_are_dequantized_and_turned() -> None:
    """A matrix gets its name from its node, its values from scale and zero point, and its rows are outputs."""
    model = OrtModel(
        constants={
            "onnx::MatMul_7_quantized": np.array([[10, 12, 14], [8, 10, 10]], dtype=np.uint8),
            "onnx::MatMul_7_zero_point": np.array(10, dtype=np.uint8),
            "onnx::MatMul_7_scale": np.array(0.5, dtype=np.float32),
            "layers.0.mlp.fc1.bias": np.array([1.0], dtype=np.float32),
            "conv1.weight_add_tensor": np.ones((1, 1, 2), dtype=np.float32),
            "onnx::Mul_9": np.array([[3.0], [4.0]], dtype=np.float32),
            "onnx::Expand_1": np.array([9.0], dtype=np.float32),
        },
        nodes=[
            Node("DynamicQuantizeMatMul", "/layers.0/mlp/fc1/MatMul_quant", ("x", "onnx::MatMul_7_quantized")),
            Node("Mul", "/groupnorm/Mul", ("x", "onnx::Mul_9")),
            Node("Mul", "/elsewhere/Mul", ("x", "y")),
        ],
    )
    weights = moonshine.published_weights(model)
    assert weights["layers.0.mlp.fc1.weight"].tolist() == [[0.0, -1.0], [1.0, 0.0], [2.0, 0.0]]
    assert weights["groupnorm.weight"].tolist() == [3.0, 4.0]
    assert weights.keys() == {
        "layers.0.mlp.fc1.weight", "layers.0.mlp.fc1.bias", "conv1.weight", "groupnorm.weight",
    }  # fmt: skip


def test_a_weight_used_in_an_unknown_way_is_refused() -> None:
    """A quantized constant in a node that is neither a product nor a look-up ends in an error, not in silence."""
    model = OrtModel({"w_quantized": np.zeros(1, np.uint8)}, [Node("Conv", "/odd", ("w_quantized",))])
    with pytest.raises(ModelMakerError, match="/odd"):
        moonshine.published_weights(model)


def test_names_cover_every_layer_once() -> None:
    """Six layers give 160 tensors, each with an engine name of its own."""
    engine = [*moonshine.encoder_names(6).values(), *moonshine.decoder_names(6).values()]
    assert len(engine) == len(set(engine)) == 160
    assert moonshine.decoder_names(1)["model.decoder.layers.0.encoder_attn.o_proj.weight"] == (
        "dec.blocks.0.cross_attn.out.weight"
    )


def test_tokens_are_read_with_both_lengths() -> None:
    """Lengths below 128 take one byte and longer ones two; a file that is cut off is refused."""
    long = b"a" * 300
    assert moonshine_tokens.read_tokens(b"\x02hi" + bytes([128 + 300 % 128, 300 // 128]) + long) == [b"hi", long]
    with pytest.raises(ModelMakerError, match="ends inside token 1"):
        moonshine_tokens.read_tokens(b"\x02hi\x05abc")


@pytest.mark.parametrize(
    ("number", "token", "text", "kind"),
    [
        (0, b"<unk>", "<unk>", TokenType.UNKNOWN),
        (2, b"</s>", "</s>", TokenType.CONTROL),
        (3, b"\x00", "<0x00>", TokenType.BYTE),
        (258, b"\xff", "<0xFF>", TokenType.BYTE),
        (259, "▁t".encode(), "▁t", TokenType.NORMAL),
        (32_767, b"<<ST_767>>", "<<ST_767>>", TokenType.CONTROL),
    ],
)
def test_tokens_are_spelt_and_sorted_into_kinds(number: int, token: bytes, text: str, kind: TokenType) -> None:
    """Single bytes are spelt in hex, and what must not be printed is a control token."""
    assert moonshine_tokens.token_text(number, token) == text
    assert moonshine_tokens.token_type(number, text, {1, 2}) == kind


@pytest.mark.parametrize("name", PRESETS)
def test_presets_quantize_matrices_only(name: str, tmp_path: Path) -> None:
    """Matrices take the preset's type, convolutions are at least F16, and vectors stay F32."""
    write_gguf(content(), PRESETS[name], tmp_path / "toy.gguf")
    types = {tensor.name: tensor.tensor_type for tensor in GGUFReader(tmp_path / "toy.gguf").tensors}
    assert types["matrix"].name == name
    convolution = GGMLQuantizationType.F32 if name == "F32" else GGMLQuantizationType.F16
    assert (types["convolution"], types["bias"]) == (convolution, GGMLQuantizationType.F32)


def test_written_metadata_is_read_back(tmp_path: Path) -> None:
    """Each value keeps its kind, and the preset is named in the file type."""
    write_gguf(content(), PRESETS["Q4_0"], tmp_path / "toy.gguf")
    fields = GGUFReader(tmp_path / "toy.gguf").fields
    read = {key: fields[key].contents() for key in content().metadata}
    assert read == content().metadata
    assert fields["general.file_type"].contents() == 2
    assert fields["toy.count"].types[0].name == "UINT32"


def test_writing_makes_folders_replaces_and_leaves_nothing_else(tmp_path: Path) -> None:
    """A model is written below folders that do not exist yet, and in place of an older one, without leftovers."""
    out = tmp_path / "a" / "b" / "toy.gguf"
    write_gguf(content(), PRESETS["F32"], out)
    first = out.read_bytes()
    out.write_bytes(b"older")
    write_gguf(content(), PRESETS["F32"], out)
    assert out.read_bytes() == first
    assert [path.name for path in out.parent.iterdir()] == ["toy.gguf"]


def test_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    """A model that cannot be encoded leaves what was there, and no unfinished file."""
    out = tmp_path / "toy.gguf"
    out.write_bytes(b"older")
    odd = ModelContent(architecture="toy", metadata={}, tensors={"odd": np.ones((2, 33), np.float32)})
    with pytest.raises(quants.QuantError, match=r"\(2, 33\)"):
        write_gguf(odd, PRESETS["Q4_0"], out)
    assert out.read_bytes() == b"older"
    assert list(tmp_path.iterdir()) == [out]


def test_another_file_under_a_pinned_name_is_refused(tmp_path: Path) -> None:
    """The right file is returned; a changed one is named with both hashes, a missing one with its path."""
    (tmp_path / "w.bin").write_bytes(b"weights")
    right = hashlib.sha256(b"weights").hexdigest()
    assert read_pinned(tmp_path, {"w.bin": right}, "p==1") == {"w.bin": b"weights"}
    with pytest.raises(ModelMakerError, match=rf"w\.bin is not the file of p==1: .*{right}, not 00"):
        read_pinned(tmp_path, {"w.bin": "00"}, "p==1")
    with pytest.raises(ModelMakerError, match=r"cannot read .*gone\.bin"):
        read_pinned(tmp_path, {"gone.bin": right}, "p==1")


def test_a_package_is_found_without_importing_it() -> None:
    """Finding the folder of a package does not run it, and an absent one is named as pip calls it."""
    sys.modules.pop("wsgiref", None)
    assert package_folder("wsgiref", "wsgiref").name == "wsgiref"
    assert "wsgiref" not in sys.modules
    with pytest.raises(ModelMakerError, match="pip install absent==1"):
        package_folder("package_that_is_absent", "absent==1")


@pytest.mark.parametrize(
    ("family", "preset", "said"),
    [
        ("moonshine-tiney", "F32", "unknown family 'moonshine-tiney', did you mean moonshine-tiny?"),
        ("moonshine-tiny", "q8", "unknown preset 'q8', did you mean Q8_0?"),
        ("moonshine-tiny", "zzz", "unknown preset 'zzz' (known: F32, F16, Q8_0"),
    ],
)
def test_unknown_words_end_in_one_sentence(
    family: str, preset: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An unknown family or preset ends with exit code 1 and one line that names the nearest right word."""
    assert make_models.main([family, preset, str(tmp_path / "x.gguf")]) == 1
    captured = capsys.readouterr()
    assert said in captured.err
    assert captured.err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_presets_are_found_in_any_case() -> None:
    """Upper and lower case name the same preset."""
    assert look_up("preset", "q4_0", PRESETS) is look_up("preset", "Q4_0", PRESETS) is PRESETS["Q4_0"]


@needs_weights
def test_an_out_that_cannot_be_written_ends_in_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file where a folder should be, or a folder where the file should be, is one line and no traceback."""
    (tmp_path / "file").write_bytes(b"")
    for out in (tmp_path / "file" / "x.gguf", tmp_path):
        assert make_models.main(["moonshine-tiny", "Q4_0", str(out)]) == 1
        captured = capsys.readouterr()
        assert captured.err.startswith(f"make_models.py: cannot write {out}: ")
        assert captured.err.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@needs_weights
def test_the_real_weights_give_the_same_bytes_each_time(tmp_path: Path) -> None:
    """Two processes that make one model at once, started elsewhere, leave one whole file, the same each time."""
    command = [sys.executable, str(SCRIPT), "moonshine-tiny", "q4_0", "models/x.gguf"]
    both = [
        subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(2)
    ]
    said = [process.communicate(timeout=120) for process in both]
    assert [process.returncode for process in both] == [0, 0], said
    out = tmp_path / "models" / "x.gguf"
    assert list(out.parent.iterdir()) == [out]
    again = tmp_path / "again.gguf"
    assert make_models.main(["moonshine-tiny", "Q4_0", str(again)]) == 0
    assert out.read_bytes() == again.read_bytes()


@needs_weights
def test_the_real_model_has_the_published_sizes() -> None:
    """Moonshine tiny has 27.1 million parameters, 6 + 6 layers of width 288 and 32,768 tokens."""
    model = FAMILIES["moonshine-tiny"].read()
    assert sum(tensor.size for tensor in model.tensors.values()) == 27_092_736
    assert len(model.tensors) == 160
    assert all(tensor.dtype == np.float32 and np.isfinite(tensor).all() for tensor in model.tensors.values())
    expected = {
        "stt.moonshine.encoder.n_layers": 6,
        "stt.moonshine.decoder.d_model": 288,
        "stt.moonshine.decoder.ffn_dim": 1_152,
        "stt.moonshine.decoder.vocab_size": 32_768,
        "stt.moonshine.conv_stem.kernel_sizes": [127, 7, 3],
    }
    assert {key: model.metadata[key] for key in expected} == expected


def test_help_needs_no_weights() -> None:
    """--help lists the presets and ends well from any folder."""
    done = subprocess.run(
        [sys.executable, str(SCRIPT), "--help"], cwd="/", capture_output=True, text=True, check=False
    )
    assert done.returncode == 0
    assert "Q5_1" in done.stdout
