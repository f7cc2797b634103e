"""Claims about the options of `asrgate run`: names, values, and what is refused before an engine runs."""

import argparse
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

import pytest_asrgate.cli.run as module
from pytest_asrgate.cli import main
from pytest_asrgate.cli.command_gate import command_gate, in_parts, manifest_stem
from pytest_asrgate.cli.option_values import option_value
from pytest_asrgate.datasets.load import load_dataset
from pytest_asrgate.errors import EngineMissingError
from pytest_asrgate.hashing import FileHashes
from pytest_asrgate.records import Progress
from pytest_asrgate.transcribers.registry import KINDS, open_transcriber

from .builders import write_lines
from .commands import refused

MODEL = ("--model", "m.gguf", "--manifest", "m.jsonl")


def _options(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    module.add_arguments(parser)
    return parser.parse_args(words)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to run in, with a manifest of two rows whose audio is absent, and a model that is none."""
    monkeypatch.chdir(tmp_path)
    write_lines(tmp_path / "m.jsonl", _row("u1"), _row("u2"))
    (tmp_path / "m.gguf").write_bytes(b"none")
    return tmp_path


def _row(identity: str, language: str | None = "en", **fields: object) -> dict[str, object]:
    row = {"id": identity, "audio": f"{identity}.wav", "ref_text": "one cat", "language": language, **fields}
    return {key: value for key, value in row.items() if value is not None}


@pytest.mark.parametrize(
    ("manifest", "name"),
    [
        ("samples/test-clean.manifest.jsonl", "test-clean"),
        ("samples/test-clean.jsonl", "test-clean"),
        ("samples/test-clean.MANIFEST.JSONL", "test-clean"),
        ("samples/test-clean/manifest.jsonl", "test-clean"),
        ("samples/my set (2).jsonl", "my set (2)"),
        ("samples/мой.jsonl", "мой"),
        ("samples/two\nlines.jsonl", "two_lines"),
        ("samples/prompts.ndjson", "prompts.ndjson"),
        ("/manifest.jsonl", "manifest"),
        ("/data/.manifest.jsonl", "data"),
    ],
)
def test_the_dataset_is_called_after_its_manifest(manifest: str, name: str) -> None:
    """The name of the file without its ending, or the folder's; nothing in it breaks a line."""
    assert manifest_stem(manifest) == name


def test_a_manifest_of_this_folder_is_called_after_it(here: Path) -> None:
    """`manifest.jsonl` alone has a folder, too."""
    assert manifest_stem("manifest.jsonl") == here.name


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("true", True),
        ("5", 5),
        ("2.5", 2.5),
        ('["python", "x.py"]', ["python", "x.py"]),
        ('{"a": [1, null]}', '{"a": [1, null]}'),
        ('{"a": [1]}', {"a": [1]}),
        ('"true"', "true"),
        ("build/transcribe-cli", "build/transcribe-cli"),
        ("", ""),
        ("nan", "nan"),
        ("-inf", "-inf"),
        ("2024-01-01", "2024-01-01"),
        ("${HOME}", "${HOME}"),
        ("1\nkind = 2", "1\nkind = 2"),
        ("9" * 30, "9" * 30),
        ("9" * 5000, "9" * 5000),
        ("[" * 5000, "[" * 5000),
        ("[nan]", "[nan]"),
    ],
)
def test_an_option_is_a_value_where_it_reads_as_one(text: str, value: object) -> None:
    """TOML and JSON values are taken for what they are; what JSON could not hold again stays a text."""
    found = option_value(text)
    assert found == value
    assert type(found) is type(value)


def test_options_become_the_settings_of_a_gate(here: Path) -> None:
    """Every option stands where a gate file would have it, and what is not given has the gate's default."""
    pair = command_gate(_options(*MODEL))
    gate, variant = pair.gate, pair.variant
    assert (gate.state, variant.model, variant.name) == (here / ".asrgate", here / "m.gguf", "m")
    assert (variant.transcriber.kind, variant.transcriber.backend) == ("transcribe-cpp", "cpu")
    assert (gate.recipe.batch_size, gate.recipe.language, gate.executor.workers) == (1, "dataset", None)
    words = "--transcriber transcribe-cli --option path=cli --backend vulkan --timestamps word --language en"
    words += " --threads 2 --batch-size 8 --kv-type f16 --seed 3 --timeout-s 1.5 --memory-mb 500 --workers 4"
    words += " --name q8.0 --state kept --audio-outside"
    pair = command_gate(_options(*MODEL, *words.split()))
    gate, settings = pair.gate, pair.variant.transcriber
    recipe = gate.recipe
    assert (recipe.timestamps, recipe.language, recipe.threads, recipe.batch_size) == ("word", "en", 2, 8)
    assert (recipe.kv_type, recipe.seed, gate.executor.workers, gate.state) == ("f16", 3, 4, here / "kept")
    assert (settings.kind, settings.backend, settings.timeout_s) == ("transcribe-cli", "vulkan", 1.5)
    assert (settings.memory_mb, dict(settings.options), pair.variant.name) == (500, {"path": "cli"}, "q8.0")
    assert [dataset.audio_outside for dataset in gate.datasets.values()] == [True]


def test_no_variable_is_filled_in(here: Path) -> None:
    """The shell does that: a word of the command line is what it is."""
    pair = command_gate(_options(*MODEL, "--state", "${HOME}"))
    assert pair.gate.state == here / "${HOME}"


def test_a_model_without_a_usable_name(here: Path) -> None:
    """In a gate's names other characters become lines; hypotheses are called as the file is."""
    pair = command_gate(_options("--model", "my models/größe 1.Q8_0.gguf", "--manifest", "m.jsonl"))
    assert pair.variant.name == "gr__e_1.Q8_0"
    assert (pair.stem, pair.dataset_stem) == ("größe 1.Q8_0", "m")


def test_a_part_of_a_manifest_has_rows_and_digest_of_its_own(here: Path) -> None:
    """Each language is a dataset of just its rows, whatever they call it, with another digest."""
    write_lines(here / "m.jsonl", _row("u1", "en_US"), _row("u2", "es"), _row("u3", "English"))
    options = _options(*MODEL)
    mixed = command_gate(options).gate
    made, parts = in_parts(options, load_dataset(mixed.datasets["m"], mixed.recipe))
    assert [*made.gate.datasets] == [pair.dataset.name for pair in made.gate.pairs] == ["m-en", "m-es"]
    assert [part.name for part in parts] == ["m-en", "m-es"]
    assert [[row.id for row in part.utterances] for part in parts] == [["u1", "u3"], ["u2"]]
    assert [part.languages for part in parts] == [("en",), ("es",)]
    write_lines(here / "m.jsonl", _row("u1"), _row("u3"))
    alone = command_gate(_options(*MODEL)).gate
    whole = load_dataset(alone.datasets["m"], alone.recipe)
    assert [part.digest == whole.digest for part in parts] == [True, False]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("--batch-size 8", "--batch-size: must be 1: transcribe-cpp decodes one utterance at a time"),
        ("--threads 0", "--threads: must be a whole number of 1 or more; got 0"),
        ("--threads some", "--threads: must be a whole number of 1 or more; got 'some'"),
        ("--timeout-s nan", "--timeout-s: must be a finite number above 0; got 'nan'"),
        ("--memory-mb=-1", "--memory-mb: must be a whole number of 1 or more; got -1"),
        ("--workers 0", "--workers: must be a whole number of 1 or more; got 0"),
        ("--kv-type f61", "--kv-type: must be one of 'auto', 'f32' or 'f16'; got 'f61'; did you mean 'f16'?"),
        ("--timestamps words", "--timestamps: must be one of"),
        ("--seed 0", "--seed: must be a whole number of 1 or more (0 asks the engine for a random seed); got 0"),
        ("--language xx", "--language: there is no language 'xx'"),
        ("--language dataset", "--language: there is no language 'dataset'"),
        ("--backend cup", "--backend: transcribe-cpp has no backend 'cup'; did you mean 'cpu'?"),
        ("--transcriber transcribe-cp", "--transcriber: this version has no transcriber of kind 'transcribe-cp'"),
        ("--transcriber a/b", "--transcriber: this version has no transcriber of kind 'a/b'"),
        ("--transcriber replay", "--transcriber replay: reads hypotheses that are there already; `asrgate score`"),
        ("--transcriber transcribe-cli", "--option path: must be given for transcribe-cli"),
        ("--transcriber transcribe-cli --option path=x", "--option path: there is no program"),
        ("--option no_map=true", "--option no_map: unknown option of transcribe-cpp; did you mean 'no_mmap'?"),
        ("--option no_mmap=yes", "--option no_mmap: must be true or false; got 'yes'"),
        ("--option no_mmap", "--option: must be KEY=VALUE, such as path=build/transcribe-cli; got 'no_mmap'"),
        ("--option =1", "--option: must be KEY=VALUE"),
        ("--option no_mmap=true --option no_mmap=false", "--option: 'no_mmap' is given twice"),
        ("--name a/b", "--name: a name is made of A-Z a-z 0-9 . _ - only; got 'a/b'"),
        ("--name ..", "--name: a name is made of"),
        ("--out {language}.jsonl", "--out: holds {language}, which only --split-languages fills in"),
        (
            "--split-languages --out x.jsonl",
            "--out: must hold {language} where each language has a file of its own",
        ),
        ("--split-languages --language en", "--split-languages: runs each language of the rows, and --language"),
        ("--out=", "--out: must be the path of a file"),
        ("--out folder/", "--out: must be the path of a file; folder/ is that of a folder"),
        ("--state=", "--state: must be a text that is not empty"),
        ("--model=", "--model: must be a text that is not empty"),
        ("--model no.gguf", "no.gguf does not exist; put the model there\n"),
        ("--model .", "is no file; give the path of a model file"),
        ("--manifest no.jsonl", "no.jsonl: there is no such manifest; check --manifest or make the file"),
        ("--manifest=", "--manifest: must be a text that is not empty"),
    ],
)
def test_bad_options_are_one_sentence_that_names_them(
    here: Path, capsys: pytest.CaptureFixture[str], words: str, sentence: str
) -> None:
    """Exit code 2, the option's name, no word of a gate file, and nothing was written."""
    before = sorted(here.iterdir())
    message = refused(capsys, "run", *MODEL, *words.split(" "))
    assert sentence in message
    assert not [word for word in ("recipe.", "transcriber.", "variant.", "dataset.", "gate.") if word in message]
    assert [path for path in sorted(here.iterdir()) if path.name != ".asrgate"] == before


def test_all_that_is_wrong_is_told_at_once(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nobody mends options one by one."""
    message = refused(capsys, "run", *MODEL, "--threads", "0", "--option", "fast=1", "--name", "a b")
    assert all(option in message for option in ("--threads: ", "--option fast: ", "--name: "))


def test_a_kind_that_needs_a_model_says_so(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The model comes before the name that could be taken from it."""
    message = refused(capsys, "run", "--manifest", "m.jsonl")
    assert "--model: must be given: transcribe-cpp needs a model" in message


def test_a_program_without_a_model_needs_a_name(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing else says what to call its hypotheses."""
    words = ("--manifest", "m.jsonl", "--transcriber", "command", "--option", 'command=["true"]')
    message = refused(capsys, "run", *words)
    assert "--name: must be given where no --model says what to call the hypotheses after" in message
    assert command_gate(_options(*words, "--name", "mine")).variant.name == "mine"


def test_a_name_that_is_too_long_for_two(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The manifest is named where its name cannot be used."""
    message = refused(capsys, "run", "--model", "m.gguf", "--manifest", f"{'x' * 101}.jsonl")
    assert "--manifest: a name has 100 characters at most" in message


@pytest.mark.parametrize(
    ("rows", "words", "sentence"),
    [
        (
            [_row("u1"), _row("u2", "fr"), _row("u3", "en_GB")],
            "",
            "holds 2 languages, and one run has one: en (2 rows), fr (1 row); --split-languages runs each on its "
            "own, --language L forces one on all rows",
        ),
        ([_row("u1", None)], "", "m.jsonl:1 (u1): has no language; give the row one, or --language L"),
        ([_row("u1", None)], "--split-languages", "has no language; give the row one, or --language L"),
        ([_row("u1", "xx")], "", "m.jsonl:1 (u1): language: there is no language 'xx'"),
        ([_row("u1", audio="../u.wav")], "", "keep the audio there, or give --audio-outside"),
        ([_row("u1"), _row("u1")], "", "m.jsonl:2 (u1): the id stands already at line 1"),
    ],
)
def test_manifests_are_refused_in_words_of_options(
    here: Path, capsys: pytest.CaptureFixture[str], rows: list[dict[str, object]], words: str, sentence: str
) -> None:
    """What is wrong with a manifest is told by line, and by option, before a model is looked at."""
    write_lines(here / "m.jsonl", *rows)
    message = refused(capsys, "run", *MODEL, *words.split())
    assert sentence in message
    assert "dataset." not in message
    assert not (here / ".asrgate").exists()


@pytest.mark.parametrize("words", ["--language en", "--split-languages"])
def test_a_mixed_manifest_is_taken_with_a_word_on_it(
    here: Path, capsys: pytest.CaptureFixture[str], words: str
) -> None:
    """Both ways out that are offered lead on, here to the model."""
    write_lines(here / "m.jsonl", _row("u1"), _row("u2", "fr"))
    assert "m.gguf: is no GGUF file" in refused(capsys, "run", *MODEL, *words.split())


@pytest.mark.parametrize("target", ["m.jsonl", "m.gguf", "u2.wav", "link", "engine.py"])
def test_what_is_read_is_never_written_over(here: Path, capsys: pytest.CaptureFixture[str], target: str) -> None:
    """Manifest, model, program and audio, also by another name of theirs, are refused as outputs and stay."""
    for name in ("u2.wav", "engine.py"):
        (here / name).write_text("mine")
    (here / "link").symlink_to("m.gguf")
    before = (here / target).read_bytes()
    program = ("--transcriber", "command", "--option", 'command=["python", "engine.py"]')
    message = refused(capsys, "run", *MODEL, *program, "--out", target)
    assert f"{target}: is read by this run, and would be written over; give --out another name" in message
    assert (here / target).read_bytes() == before


@pytest.mark.parametrize(
    ("target", "sentence"),
    [
        ("folder", "folder: is there and is no file"),
        ("m.jsonl/x.jsonl", "m.jsonl is no folder; give --out another"),
        ("/proc/x.jsonl", "is no place for files"),
        ("/dev/stdout", "is no place for files"),
        (f"{'x' * 250}.jsonl", "(File name too long); give --out another name"),
        (".asrgate/store.sqlite", "is a file of the store; give --out another name"),
        (".asrgate/store.sqlite-wal", "is a file of the store"),
        (".asrgate/locks/x.jsonl", "is a file of the store"),
    ],
)
def test_a_place_where_no_file_can_be_is_told_first(
    here: Path, capsys: pytest.CaptureFixture[str], target: str, sentence: str
) -> None:
    """Hours of decoding must not end in a path that was wrong from the start."""
    (here / "folder").mkdir()
    assert sentence in refused(capsys, "run", *MODEL, "--out", target)


def test_no_language_is_written_over_what_another_reads(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """All places are looked at before the first language is decoded, and against the rows of every language."""
    (here / "fr").write_bytes(b"sound")
    write_lines(here / "m.jsonl", _row("u1", audio="fr"), _row("u2", "fr"))
    message = refused(capsys, "run", *MODEL, "--split-languages", "--out", "{language}")
    assert "fr: is read by this run, and would be written over" in message
    assert (here / "fr").read_bytes() == b"sound"


def test_an_engine_that_is_not_installed(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One sentence that says what to install, also for several languages."""

    def missing() -> object:
        raise EngineMissingError("the engine is not installed; install it")

    monkeypatch.setitem(KINDS, "transcribe-cpp", replace(KINDS["transcribe-cpp"], installed=missing))
    sentence = "asrgate run: --transcriber transcribe-cpp: the engine is not installed; install it\n"
    assert refused(capsys, "run", *MODEL) == sentence
    write_lines(here / "m.jsonl", _row("u1"), _row("u2", "fr"))
    assert refused(capsys, "run", *MODEL, "--split-languages") == sentence


def test_words_of_options_leave_paths_alone(here: Path) -> None:
    """A file that is called as a setting is stays what it is called."""
    pair = command_gate(_options("--model", "recipe.threads", "--manifest", "dataset.m.jsonl"))
    path = pair.variant.model
    assert (
        pair.told(f"variant.{pair.variant.name}.model: {path}: cannot be read")
        == f"--model: {path}: cannot be read"
    )
    sentence = "the program grew to 600 MB, over memory_mb = 4000"
    assert pair.told(sentence) == "the program grew to 600 MB, over --memory-mb 4000"
    assert pair.told("give gate.state another folder") == "give --state another folder"
    assert pair.told("dataset.m.wav: see recipe.seed", ["dataset.m.wav"]) == "dataset.m.wav: see --seed"


@pytest.mark.parametrize(
    ("sentence", "told"),
    [
        ("decodes in groups; set recipe.batch_size = 1", "decodes in groups; leave --batch-size out"),
        ("dataset.m.max_audio_s is 14400", "the longest that is taken, in seconds, is 14400"),
        ("dataset.m: no utterance was decoded", "m: no utterance was decoded"),
        ("variant.m: no row came for 'u1'", "m: no row came for 'u1'"),
        ("put the model there, or give variant.m.make", "put the model there"),
        ("variant.m.model: is absent", "--model: is absent"),
        ("set dataset.m.audio_outside = true", "give --audio-outside"),
        ("check the dataset's manifest key", "check --manifest"),
        ("transcriber.transcribe-cpp.timeout_s is 60", "--timeout-s is 60"),
        ("executor.workers is 2 and recipe.threads 4", "--workers is 2 and --threads 4"),
    ],
)
def test_settings_are_told_by_their_options(here: Path, sentence: str, told: str) -> None:
    """What the gate says of a setting is said of the option; a longer setting goes before its beginning."""
    assert command_gate(_options(*MODEL)).told(sentence) == told


def test_the_engine_is_the_one_of_a_gate(here: Path) -> None:
    """The fingerprint does not hold what a variant or a transcriber is called, so both ways share their results."""
    program = ("--transcriber", "command", "--option", 'command=["true"]')
    prints = []
    for name in ("a", "b"):
        pair = command_gate(_options(*MODEL, *program, "--name", name))
        prints.append(open_transcriber(pair.gate, pair.variant, "m", FileHashes()).identity().fingerprint)
    assert prints[0] == prints[1]


def test_progress_counts_what_is_new(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bar is told of rows that were there at once, and of each one after that as it comes."""
    told: list[object] = []

    @contextmanager
    def bar(noun: str, total: int) -> Iterator[Callable[[int], None]]:
        told.append((noun, total))
        yield told.append

    monkeypatch.setattr(module, "progress", bar)
    follower = module._Follower()
    follower(Progress("m", "d", 9, 9, 0))
    for done in ([3, 4, 6], [8]):
        with follower.shown(8):
            for number in done:
                follower(Progress("m", "d", number, 8, 1))
    assert told == [("utterances", 8), 3, 1, 2, ("utterances", 8), 8]


def test_help_says_where_the_file_goes(capsys: pytest.CaptureFixture[str]) -> None:
    """The name of the file is documented where it is looked for."""
    with pytest.raises(SystemExit):
        main(["run", "--help"])
    assert "reports/wer/MODEL.DATASET-timestamps_MODE.jsonl" in capsys.readouterr().out


def test_an_option_that_is_nested_without_end(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is refused as in a gate file, and goes down nobody's stack."""
    program = ("--transcriber", "command", "--option", 'command=["true"]')
    message = refused(capsys, "run", *MODEL, *program, "--option", f"x={'[' * 60}{']' * 60}")
    assert message == "asrgate run: --option: is nested more than 50 deep; flatten it\n"
