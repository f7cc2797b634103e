"""Claims about gate.toml: what it resolves to, and every problem told with its key and the mend."""

import tomllib
from collections.abc import Sequence
from pathlib import Path

import pytest

from pytest_asrgate.config import load_gate, resolve_gate
from pytest_asrgate.config.schema import GateFile
from pytest_asrgate.errors import GateFileError, UnknownNameError
from pytest_asrgate.records import Problem

from .gate_texts import BARE, BASE, gate_of, problems_of


def test_a_small_file_resolves_with_defaults(tmp_path: Path) -> None:
    """Paths are absolute beside the gate file, pairs run through variants then datasets, the rest has defaults."""
    gate = gate_of(tmp_path, BASE + '[dataset.clean]\nmanifest = "/data/clean.jsonl"\n')
    assert gate.path == tmp_path / "gate.toml"
    assert (gate.state, gate.inconclusive_passes, gate.notes) == (tmp_path / ".asrgate", False, ())
    assert [(pair.variant.name, pair.dataset.name) for pair in gate.pairs] == [
        ("f32", "prompts"),
        ("f32", "clean"),
        ("q8_0", "prompts"),
        ("q8_0", "clean"),
    ]
    assert gate.datasets["prompts"].manifest == tmp_path / "prompts" / "manifest.jsonl"
    assert gate.datasets["clean"].manifest == Path("/data/clean.jsonl")
    assert (gate.datasets["clean"].language, gate.datasets["clean"].speakers) == (None, "speaker")
    assert [variant.baseline for variant in gate.variants.values()] == ["f32", "f32"]
    engine = gate.variants["q8_0"].transcriber
    assert (engine.name, engine.kind, engine.timeout_s, engine.memory_mb) == ("native", "replay", 60.0, 4000)
    assert (gate.recipe.seed, gate.recipe.timestamps, gate.recipe.temperatures[-1]) == (1, "none", 1.0)
    assert gate.pair("q8_0", "clean").expected_to_fail is False
    with pytest.raises(UnknownNameError, match="no dataset 'absent'; known here: prompts, clean"):
        gate.pair("q8_0", "absent")


def test_what_a_file_says_is_taken(tmp_path: Path) -> None:
    """Model, make, engine, own baseline, expectation, speakers and the way to take undecided pairs are kept."""
    gate = gate_of(
        tmp_path,
        BARE.replace("[variant.f32]", '[variant.f32]\ntranscriber = "native"').replace(
            "[variant.q8_0]", '[variant.q8_0]\ntranscriber = "native"'
        )
        + """speakers = { regex = "^(a)-" }
[gate]
baseline = "f32"
inconclusive = "warn"
state = "here"
[transcriber.second]
kind = "transcribe-cpp"
timeout_s = 5
options = { no_mmap = true }
[variant.q4_0]
transcriber = "second"
model = "models/q4.gguf"
make = ["python", "make.py"]
baseline = "q8_0"
[variant.q4_0.dataset.prompts]
expect = "fail"
""",
    )
    variant = gate.variants["q4_0"]
    assert (variant.model, variant.make, variant.baseline) == (
        tmp_path / "models" / "q4.gguf",
        ("python", "make.py"),
        "q8_0",
    )
    assert (variant.transcriber.timeout_s, variant.transcriber.options) == (5.0, {"no_mmap": True})
    assert gate.datasets["prompts"].speakers == "regex:^(a)-"
    assert (gate.inconclusive_passes, gate.state) == (True, tmp_path / "here")
    assert [pair.expected_to_fail for pair in gate.pairs] == [False, False, True]


def test_nearer_thresholds_win(tmp_path: Path) -> None:
    """Defaults yield to the dataset, that to the variant, that to the pair; "off" unsets, and others stay."""
    gate = gate_of(
        tmp_path,
        BASE
        + """
[dataset.clean]
manifest = "clean.jsonl"
[thresholds]
wer = 1
wer_delta = 1
errors = 1
empty = 1
ci = "overlap"
[dataset.prompts.thresholds]
wer = 2
wer_delta = 2
errors = 2
[variant.q8_0.thresholds]
wer = 3
wer_delta = 3
ci = "off"
[variant.q8_0.dataset.prompts.thresholds]
wer = "off"
wer_delta = 4
""",
    )
    limits = {(pair.variant.name, pair.dataset.name): pair.thresholds.limits() for pair in gate.pairs}
    assert limits == {
        ("f32", "prompts"): {"wer": 2.0, "wer_delta": 2.0, "ci": "overlap", "errors": 2, "empty": 1},
        ("f32", "clean"): {"wer": 1.0, "wer_delta": 1.0, "ci": "overlap", "errors": 1, "empty": 1},
        ("q8_0", "prompts"): {"wer_delta": 4.0, "errors": 2, "empty": 1},
        ("q8_0", "clean"): {"wer": 3.0, "wer_delta": 3.0, "errors": 1, "empty": 1},
    }


def test_a_bom_and_crlf_change_nothing(tmp_path: Path) -> None:
    """A file as some editors save it reads as any other."""
    (tmp_path / "gate.toml").write_bytes(b"\xef\xbb\xbf" + BASE.replace("\n", "\r\n").encode())
    assert list(load_gate(tmp_path / "gate.toml").variants) == ["f32", "q8_0"]


@pytest.mark.parametrize(
    ("data", "key", "fact"),
    [
        (b"[gate\n", "TOML syntax", "line 1"),
        (BASE.encode() + b"wer = \n", "TOML syntax", "line 11"),
        (BASE.encode() + b"[gate]\n", "TOML syntax", "line 11"),
        (BASE.encode() + b"# caf\xe9\n", "gate file", "line 11"),
        (BASE.encode("utf-16"), "gate file", "UTF-8"),
        (b"x = " + b"[" * 5000, "", ""),
        (b"x = 1" + b"0" * 5000, "", ""),
    ],
    ids=["syntax", "value", "table twice", "Latin-1", "UTF-16", "deep", "huge"],
)
def test_what_is_no_toml_is_told_by_line(tmp_path: Path, data: bytes, key: str, fact: str) -> None:
    """A file that is no TOML is one problem with the file's name and, where there is one, the line."""
    path = tmp_path / "gate.toml"
    path.write_bytes(data)
    with pytest.raises(GateFileError) as caught:
        load_gate(path)
    assert str(caught.value).startswith(f"{path}: 1 problem\n")
    (problem,) = caught.value.problems
    assert problem.key.startswith(key)
    assert fact in problem.message


@pytest.mark.parametrize("name", ["absent.toml", "."], ids=["absent", "folder"])
def test_a_file_that_cannot_be_read_names_the_option(tmp_path: Path, name: str) -> None:
    """An absent gate file is told with the option that would name another."""
    with pytest.raises(GateFileError) as caught:
        load_gate(tmp_path / name)
    (problem,) = caught.value.problems
    assert "cannot be read" in problem.message
    assert "--asrgate-config" in problem.message


@pytest.mark.parametrize(
    ("text", "key", "fact"),
    [
        ("[gates]\n", "gates", "did you mean 'gate'?"),
        ("[recipe]\ntimestamp = 'none'\n", "recipe.timestamp", "did you mean 'timestamps'?"),
        ("[recipe]\ntimestamps = 'words'\n", "recipe.timestamps", "did you mean 'word'?"),
        ("[recipe]\nseed = 0\n", "recipe.seed", "random seed"),
        ("[recipe]\ntemperatures = [0.2, 0.4]\n", "recipe.temperatures", "starts at 0.0"),
        ("[recipe]\ntemperatures = [0.0, 2.0]\n", "recipe.temperatures", "between 0 and 1; got 2.0"),
        ("[recipe]\ntemperatures = []\n", "recipe.temperatures", "list of temperatures"),
        ("[recipe]\nlogprob = nan\n", "recipe.logprob", "finite number; got nan"),
        ("[recipe]\ncondition_on_previous = 0\n", "recipe.condition_on_previous", "true or false; got 0"),
        ("[recipe]\nthreads = 0\n", "recipe.threads", "1 or more; got 0"),
        ("[thresholds]\nwerr = 1\n", "thresholds.werr", "did you mean 'wer'?"),
        ("[thresholds]\nwer = '5%'\n", "thresholds.wer", "got '5%'"),
        ("[thresholds]\nwer = -1\n", "thresholds.wer", "0 or more"),
        ("[thresholds]\nwer = inf\n", "thresholds.wer", "finite"),
        ("[thresholds]\nwer = true\n", "thresholds.wer", "got True"),
        ("[thresholds]\nwer = 1" + "0" * 400 + "\n", "thresholds.wer", "number"),
        ("[thresholds]\nerrors = 1.5\n", "thresholds.errors", 'whole number of 0 or more, or "off"; got 1.5'),
        ("[thresholds]\nci = 'overlaps'\n", "thresholds.ci", "did you mean 'overlap'?"),
        ("[judge]\nvotes = 0\n", "judge.votes", "1 or more"),
        ("[executor]\nworker = 2\n", "executor.worker", "did you mean 'workers'?"),
        ("[variant.'a b']\n", "variant.a b", "A-Z a-z 0-9 . _ - only; got 'a b'"),
        ("[variant.'..']\n", "variant...", "got '..'"),
        ("[variant.q4]\nmake = 'python make.py'\n", "variant.q4.make", "list of words"),
        ("[variant.q4]\nmodl = 'x'\n", "variant.q4.modl", "did you mean 'model'?"),
        ("[variant.q4]\nmodel = ''\n", "variant.q4.model", "not empty"),
        ("[variant.q4.dataset.prompts]\nexpect = 'fial'\n", "variant.q4.dataset.prompts.expect", "mean 'fail'?"),
        (
            "[variant.q4.dataset.prompts.thresholds]\nwerr=1\n",
            "variant.q4.dataset.prompts.thresholds.werr",
            "'wer'?",
        ),
        ("[dataset.x]\n", "dataset.x.manifest", "must be given"),
        ("[dataset.x]\nmanifest = 'm'\nmetric = 'wre'\n", "dataset.x.metric", "did you mean 'wer'?"),
        ("[dataset.x]\nmanifest = 'm'\nspeakers = 5\n", "dataset.x.speakers", "regex"),
        ("[dataset.x]\nmanifest = 'm'\nspeakers = { rx = 'a' }\n", "dataset.x.speakers", "regex"),
        ("[dataset.x]\nmanifest = 'm'\njudged = 'intent'\n", "dataset.x.judged", "must be a list"),
        ("[transcriber.x]\n", "transcriber.x.kind", "must be given"),
        ("[transcriber.x]\nkind = 'replay'\ntimeout_s = 0\n", "transcriber.x.timeout_s", "above 0; got 0"),
        ("[transcriber.x]\nkind = 'replay'\noptions = 1\n", "transcriber.x.options", "must be a table; got 1"),
    ],
)
def test_a_field_problem_names_its_key_and_the_right_word(tmp_path: Path, text: str, key: str, fact: str) -> None:
    """Each unknown key, wrong word, unit or kind is told under its dotted key with what would be right."""
    found = problems_of(tmp_path, BASE + text)
    assert key in found
    assert fact in found[key]


def test_an_unknown_key_with_no_near_word_lists_the_known_ones(tmp_path: Path) -> None:
    """Where nothing is near, all right words are told."""
    found = problems_of(tmp_path, BARE + "[gate]\nzzz = 1\n")
    assert found["gate.zzz"] == "unknown key; known here: baseline, state, inconclusive, stop_early, early_seed"


@pytest.mark.parametrize(
    ("text", "key", "fact"),
    [
        (BARE + "[gate]\nbaseline = 'f23'\n", "gate.baseline", "no variant 'f23'; did you mean 'f32'?"),
        (BASE + "[variant.q4]\nbaseline = 'q8'\n", "variant.q4.baseline", "did you mean 'q8_0'?"),
        (BASE + "[variant.q4]\ntranscriber = 'nativ'\n", "variant.q4.transcriber", "did you mean 'native'?"),
        (BASE + "[transcriber.x]\nkind = 'replay'\n", "variant.f32.transcriber", "several: native, x"),
        (BASE + "[variant.q4.dataset.prompt]\n", "variant.q4.dataset.prompt", "did you mean 'prompts'?"),
        (BARE + "[thresholds]\nwer_delta = 1\n", "thresholds.wer_delta", "f32, q8_0 have none"),
        (
            BARE + "[dataset.prompts.thresholds]\nci = 'overlap'\n",
            "dataset.prompts.thresholds.ci",
            "needs a baseline",
        ),
        (
            BARE + "[variant.q8_0.dataset.prompts.thresholds]\nempty_delta = 0\n",
            "variant.q8_0.dataset.prompts.thresholds.empty_delta",
            "set gate.baseline",
        ),
        (BARE + "[gate]\nbaseline = { accepted = 'x' }\n", "gate.baseline", "not built yet; name a variant"),
        ("", "variant", "such as [variant.f16]"),
        ("", "dataset", "such as [dataset.prompts]"),
        ("", "transcriber", "such as [transcriber.native]"),
    ],
)
def test_names_that_do_not_fit_are_told(tmp_path: Path, text: str, key: str, fact: str) -> None:
    """A name that nothing has, and a limit with nothing to compare with, are told under their key."""
    found = problems_of(tmp_path, text)
    assert key in found
    assert fact in found[key]


def test_a_limit_that_a_bare_variant_switches_off_is_no_problem(tmp_path: Path) -> None:
    """ "off" unsets: the one variant without baseline may switch off what needs one."""
    gate = gate_of(
        tmp_path,
        BARE.replace("[variant.q8_0]", '[variant.q8_0]\nbaseline = "f32"')
        + '[thresholds]\nwer_delta = 1\n[variant.f32.thresholds]\nwer_delta = "off"\n',
    )
    assert gate.pair("f32", "prompts").thresholds.limits() == {}
    assert gate.pair("q8_0", "prompts").thresholds.limits() == {"wer_delta": 1.0}


def test_both_judged_scores_may_be_bought(tmp_path: Path) -> None:
    """Each of them is built."""
    gate = gate_of(tmp_path, BASE + "judged = ['intent', 'semantic', 'intent']\n")
    assert gate.datasets["prompts"].judged == ("intent", "semantic")


def test_keys_without_effect_are_noted(tmp_path: Path) -> None:
    """Keys that change no figure yet are no problem but a note that names them."""
    gate = gate_of(tmp_path, BASE + "[judge]\nvotes = 5\n[variant.q4]\nship = true\n")
    assert len(gate.notes) == 1
    assert gate.notes[0].startswith("ship = true has no effect yet (q4)")


def test_the_environment_is_expanded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`${NAME}` takes the variable's value in any text, lists and options included, and only once."""
    monkeypatch.setenv("SPEECH", "/speech")
    monkeypatch.setenv("NESTED", "${SPEECH}")
    gate = gate_of(
        tmp_path,
        BARE.replace("prompts/manifest", "${SPEECH}/${SPEECH}x")
        + """[gate]
state = "$SPEECH"
[transcriber.native.options]
hypotheses = "${SPEECH}/{variant}.jsonl"
[variant.q4]
make = ["python", "${NESTED}"]
""",
    )
    assert gate.datasets["prompts"].manifest == Path("/speech//speechx.jsonl")
    assert gate.variants["q4"].make == ("python", "${SPEECH}")
    assert gate.variants["q4"].transcriber.options == {"hypotheses": "/speech/{variant}.jsonl"}
    assert gate.state == tmp_path / "$SPEECH"


def test_an_unset_variable_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A variable that is not set is told under the key that holds it, beside other problems."""
    monkeypatch.delenv("ASRGATE_NOWHERE", raising=False)
    text = BASE + "[variant.q4]\nmake = ['python', '${ASRGATE_NOWHERE}']\nbaselin = 'f32'\n"
    found = problems_of(tmp_path, text)
    assert found["variant.q4.make.1"].startswith("the environment variable 'ASRGATE_NOWHERE' is not set")
    assert "did you mean 'baseline'?" in found["variant.q4.baselin"]


def test_problems_of_both_passes_are_told_at_once(tmp_path: Path) -> None:
    """Wrong fields and names that do not fit stand in one message, each on a line with its key."""
    text = BARE + "[gate]\nbaseline = 'f23'\nstat = 'x'\n[thresholds]\nwer = 'low'\n[variant.q4.dataset.promts]\n"
    with pytest.raises(GateFileError) as caught:
        gate_of(tmp_path, text)
    lines = str(caught.value).splitlines()
    assert lines[0] == f"{tmp_path / 'gate.toml'}: 4 problems"
    keys = {line.split(":")[0] for line in lines[1:]}
    assert keys == {"  gate.stat", "  thresholds.wer", "  gate.baseline", "  variant.q4.dataset.promts"}


def test_keys_that_do_not_fit_together_are_told_beside_field_problems(tmp_path: Path) -> None:
    """A wrong key does not hide one that does not fit others: all problems of the file are told at once."""
    found = problems_of(tmp_path, BARE + "[judge]\nmin_kappa = 0.5\n[gate]\nstat = 'x'\n")
    assert set(found) == {"judge.min_kappa", "gate.stat"}


def test_the_kinds_have_their_say(tmp_path: Path) -> None:
    """What a caller knows of transcribers is added to the problems of names."""

    def check(file: GateFile) -> Sequence[Problem]:
        return [Problem(f"transcriber.{name}.kind", f"no {table.kind}") for name, table in file.transcriber.items()]

    (tmp_path / "gate.toml").write_text(BARE + "[gate]\nbaseline = 'f23'\n")
    with pytest.raises(GateFileError) as caught:
        load_gate(tmp_path / "gate.toml", check)
    assert [problem.key for problem in caught.value.problems] == ["gate.baseline", "transcriber.native.kind"]


def test_two_pairs_never_share_a_file_name(tmp_path: Path) -> None:
    """a.b × c and a × b.c would write one hypothesis file a.b.c, so such names are refused."""
    text = BASE + "[variant.a]\n[variant.'a.b']\n[dataset.c]\nmanifest = 'm'\n[dataset.'b.c']\nmanifest = 'm'\n"
    assert any("a.b" in key or "b.c" in key for key in problems_of(tmp_path, text))


def test_a_linked_gate_file_keeps_its_own_folder(tmp_path: Path) -> None:
    """Paths count from the folder in which the gate file was named, not from where a link leads."""
    (tmp_path / "real").mkdir()
    (tmp_path / "here").mkdir()
    (tmp_path / "real" / "gate.toml").write_text(BASE)
    (tmp_path / "here" / "gate.toml").symlink_to(tmp_path / "real" / "gate.toml")
    assert load_gate(tmp_path / "here" / "gate.toml").state == tmp_path / "here" / ".asrgate"


def test_digests_and_contract_of_a_recipe(tmp_path: Path) -> None:
    """The digest changes with language and every field; the contract with those that a comparison needs."""
    plain = gate_of(tmp_path, BASE).recipe
    threads = gate_of(tmp_path, BASE + "[recipe]\nthreads = 2\n").recipe
    words = gate_of(tmp_path, BASE + "[recipe]\ntimestamps = 'word'\n").recipe
    assert len({plain.digest("en"), plain.digest("de"), threads.digest("en"), words.digest("en")}) == 4
    assert plain.digest("en") == gate_of(tmp_path, BASE).recipe.digest("en")
    assert plain.contract() == threads.contract()
    assert plain.contract() != words.contract()


def test_environment_values_are_not_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What an environment variable filled in may be a secret: messages show the reference, as it was written."""
    monkeypatch.setenv("HF_TOKEN", "hunter2secret")
    path = tmp_path / "gate.toml"
    text = (
        '[transcriber.native]\nkind = "transcribe-cpp"\n[variant.f32]\nmodel = "m"\n'
        'make = ["maker", "--token=${HF_TOKEN}"]\n[dataset.prompts]\nmanifest = "m.jsonl"\n'
    )
    path.write_text(text)
    gate = load_gate(path)
    assert gate.variants["f32"].make == ("maker", "--token=hunter2secret")
    assert gate.variants["f32"].make_shown == "maker --token=${HF_TOKEN}"
    assert gate.redact("no access with hunter2secret") == "no access with ${HF_TOKEN}"
    path.write_text(text.replace('model = "m"', 'model = "m"\ntranscriber = "${HF_TOKEN}"'))
    with pytest.raises(GateFileError) as caught:
        load_gate(path)
    assert "hunter2secret" not in str(caught.value)
    assert "there is no transcriber '${HF_TOKEN}'" in str(caught.value)


@pytest.mark.parametrize(
    ("extra", "key"),
    [
        ('[variant.q8_0]\nmodel = "q"\nbaseline = "q8_0"\n', "variant.q8_0.baseline"),
        ("[variant.f32.thresholds]\nwer_delta = 1\n", "variant.f32.thresholds.wer_delta"),
        (
            "[variant.f32.dataset.prompts.thresholds]\nnon_inferiority = 1\n",
            "variant.f32.dataset.prompts.thresholds.non_inferiority",
        ),
    ],
)
def test_nothing_is_compared_with_itself(tmp_path: Path, extra: str, key: str) -> None:
    """A variant that is its own baseline, and a limit on the baseline's difference from itself, are refused."""
    path = tmp_path / "gate.toml"
    path.write_text(
        '[gate]\nbaseline = "f32"\n[transcriber.native]\nkind = "transcribe-cpp"\n[variant.f32]\nmodel = "m"\n'
        f'[dataset.prompts]\nmanifest = "m.jsonl"\n{extra}'
    )
    with pytest.raises(GateFileError) as caught:
        load_gate(path)
    assert [problem.key for problem in caught.value.problems] == [key]


def test_repeats_are_a_transcribers(tmp_path: Path) -> None:
    """Off by default; a number of decodings and a declaration are taken over, and nothing else is."""
    engine = gate_of(tmp_path, BASE).variants["q8_0"].transcriber
    assert (engine.repeat, engine.deterministic) == (1, False)
    asked = BASE.replace('kind = "replay"', 'kind = "other"\nrepeat = 3\ndeterministic = true')
    engine = gate_of(tmp_path, asked).variants["q8_0"].transcriber
    assert (engine.repeat, engine.deterministic) == (3, True)
    for bad in ("repeat = 0", "repeat = 1.5", "repeat = true", 'deterministic = "yes"'):
        key = f"transcriber.native.{bad.split()[0]}"
        assert key in problems_of(tmp_path, BASE.replace('kind = "replay"', f'kind = "other"\n{bad}'))


def test_tables_resolve_as_a_file_of_them_does(tmp_path: Path) -> None:
    """No file is needed at the path; paths count from its folder, and no variable is filled in."""
    path = tmp_path / "gate.toml"
    text = BARE + "[gate]\nstate = 'kept'\n"
    path.write_text(text)
    found = load_gate(path)
    path.unlink()
    assert resolve_gate(path, tomllib.loads(text)) == found
    state = resolve_gate(path, tomllib.loads(BARE + "[gate]\nstate = '${NO_SUCH_NAME}'\n")).state
    assert state == tmp_path / "${NO_SUCH_NAME}"


def test_tables_have_the_problems_of_a_file_of_them(tmp_path: Path) -> None:
    """Fields, names and what the kinds say are told together."""

    def check(file: GateFile) -> Sequence[Problem]:
        return [Problem("transcriber.native.kind", "no such kind")]

    with pytest.raises(GateFileError) as caught:
        resolve_gate(tmp_path / "gate.toml", tomllib.loads(BARE + "[gate]\nbaseline = 'f23'\nstat = 1\n"), check)
    keys = [problem.key for problem in caught.value.problems]
    assert keys == ["gate.stat", "gate.baseline", "transcriber.native.kind"]
