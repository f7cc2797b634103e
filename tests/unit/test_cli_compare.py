"""Claims about `asrgate compare`: the documented table, the paired interval, and what it refuses."""

import csv
import io
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from pytest_asrgate.cli import main
from pytest_asrgate.statistics import paired_difference

from .commands import refused, write

WORDS = ["the", "quick", "brown", "fox", "jumps", "over", "a", "lazy", "dog", "today"]


def _rows(wrong: Mapping[int, int], count: int = 60) -> list[dict[str, object]]:
    """Utterances of ten words; `wrong` says how many words of an utterance are misheard."""
    return [
        {
            "id": f"s{number % 6}-{number}",
            "ref_text": " ".join(WORDS),
            "hyp_text": " ".join(["zzz"] * wrong.get(number, 0) + WORDS[wrong.get(number, 0) :]),
            "latency_ms": 100.0 + number,
        }
        for number in range(count)
    ]


BASE = {0: 2, 1: 1, 7: 3}
WORSE = {0: 2, 1: 4, 7: 3, 9: 2, 30: 1}


def _scored(folder: Path, name: str, rows: list[dict[str, object]], *options: str, **header: object) -> Path:
    path = write(folder / f"{name}.jsonl", rows, {"language": "en", **header})
    assert main(["score", str(path), *options]) == 0
    return folder / f"{name}.score.json"


def _edited(path: Path, **changes: object) -> Path:
    document = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**document, **changes}), encoding="utf-8")
    return path


def _pair(folder: Path, *options: str) -> tuple[Path, Path]:
    return (
        _scored(folder, "tiny-F32.prompts", _rows(BASE), *options),
        _scored(folder, "tiny-Q4_K_M.prompts", _rows(WORSE), *options),
    )


def _output(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    capsys.readouterr()
    assert main(["compare", *map(str, arguments)]) == 0
    return capsys.readouterr().out


def test_the_table_is_the_documented_one_with_the_paired_interval(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Columns, labels and figures are those of the document; the paired bounds stand beside them."""
    base, worse = _pair(tmp_path)
    found = paired_difference([BASE.get(n, 0) for n in range(60)], [WORSE.get(n, 0) for n in range(60)], [10] * 60)
    assert found is not None
    lines = _output(capsys, base, worse).splitlines()
    assert " ".join(lines[0].split()) == "variant WER% delta CI low CI high lat_p50 delta low delta high"
    first, second = lines[1].split(), lines[2].split()
    assert (first[0], first[1], first[2], first[5:]) == ("f32", "1.00", "—", ["130", "—", "—"])
    assert (second[0], second[1], second[2]) == ("q4_k_m", "2.00", "+1.00")
    assert second[6:] == [f"{found.interval.low:+.2f}", f"{found.interval.high:+.2f}"]
    document = json.loads(base.read_text())
    assert first[3:5] == [f"{100 * document[key]:.2f}" for key in ("wer_ci_lo", "wer_ci_hi")]
    assert "q4_k_m: resolves a margin of" in "\n".join(lines)


def test_json_and_csv_carry_full_figures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Machine formats hold unrounded figures, null or empty where there is none."""
    base, worse = _pair(tmp_path)
    document: dict[str, Any] = json.loads(_output(capsys, base, worse, "--format", "json"))
    assert (document["schema"], document["metric"], document["baseline"]) == ("asrgate.compare/1", "wer", "f32")
    first, second = document["rows"]
    assert (first["delta_pp"], first["delta_ci_pp"]) == (None, None)
    assert second["delta_pp"] == pytest.approx(1.0)
    assert second["delta_ci_pp"][0] < second["lower95_pp"] < 1.0 < second["upper95_pp"] < second["delta_ci_pp"][1]
    rows = list(csv.DictReader(io.StringIO(_output(capsys, base, worse, "--format", "csv"))))
    assert [row["variant"] for row in rows] == ["f32", "q4_k_m"]
    assert rows[0]["delta_pp"] == ""
    assert float(rows[1]["upper95_pp"]) == pytest.approx(second["upper95_pp"])


def test_markdown_is_a_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The same columns as a Markdown table."""
    lines = _output(capsys, *_pair(tmp_path), "--format", "markdown").splitlines()
    assert lines[0].startswith("| variant | WER% | delta | CI low | CI high | lat_p50 |")
    assert set(lines[1]) <= set("|-: ")
    assert lines[3].startswith("| q4_k_m | 2.00 | +1.00 |")


def test_order_of_rows_makes_no_difference(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Utterances are paired by id, not by place."""
    base, worse = _pair(tmp_path)
    straight = _output(capsys, base, worse)
    _scored(tmp_path, "tiny-Q4_K_M.prompts", list(reversed(_rows(WORSE))))
    assert _output(capsys, base, worse) == straight


def test_speakers_widen_the_paired_interval(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Blocks that the score files name are used, and the note counts them."""
    base, worse = _pair(tmp_path, "--speaker", "^(s[0-9])-")
    assert "6 speakers" in _output(capsys, base, worse)
    assert "closed set of voices" in _output(capsys, *_pair(tmp_path, "--speaker", "fixed"))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"hyp": 1}, ["references", "'s0-0'"]),
        ({"ids": 1}, ["ids: it lacks 's5-59'"]),
        ({"more": 1}, ["ids: the baseline lacks 's0-60'"]),
        ({"metric": "cer"}, ["metric: 'wer' against 'cer'"]),
        ({"normaliser": "none"}, ["normaliser: 'whisper-english", "against 'none"]),
        ({"dediarize": True}, ["dediarize: False against True"]),
        ({"recipe": {"timestamps": "segment"}}, ["timestamps: 'none' against 'segment'"]),
        ({"language": "de"}, ["language: 'en' against 'de'"]),
    ],
    ids=["references", "lost id", "unknown id", "metric", "normaliser", "dediarize", "recipe", "language"],
)
def test_what_may_not_be_compared_is_refused_and_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], change: dict[str, Any], words: list[str]
) -> None:
    """Files that differ in ids, references, metric, recipe or normaliser end in exit code 2, saying which."""
    header = {"recipe": {"timestamps": "none"}}
    base = _scored(tmp_path, "f32", _rows(BASE), **header)
    rows, options = _rows(WORSE), []
    if "hyp" in change:
        rows[0]["ref_text"] = "something else"
    elif "ids" in change:
        rows = rows[:-1]
    elif "more" in change:
        rows = _rows(WORSE, 61)
    elif "recipe" in change:
        header = {"recipe": change["recipe"]}
    elif change == {"dediarize": True}:
        options = ["--dediarize"]
    else:
        ((option, value),) = change.items()
        options = [f"--{option}", value]
    other = _scored(tmp_path, "q8_0", rows, *options, **header)
    capsys.readouterr()
    message = refused(capsys, "compare", str(base), str(other))
    assert "cannot be compared" in message
    assert [word for word in words if word not in message] == []


def test_error_rows_leave_both_sides_and_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A crashed run never compares as +0.00 in silence: the lost utterances are counted under the table."""
    base = _scored(tmp_path, "f32", _rows(BASE))
    rows = [{**row, "error": "backend error"} if n < 3 else row for n, row in enumerate(_rows(WORSE))]
    output = _output(capsys, base, _scored(tmp_path, "q8_0", rows))
    assert (
        "q8_0: incomplete: 3 of 60 utterances are error rows on either side; the delta is over the other 57"
        in output
    )


def test_score_files_of_the_upstream_scripts_are_compared(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Files with the upstream keys alone are read; what they do not name is said to be assumed equal."""
    base, worse = _pair(tmp_path)
    kept = (
        "wer",
        "wer_pct",
        "wer_ci_lo",
        "wer_ci_hi",
        "n",
        "substitutions",
        "deletions",
        "insertions",
        "latency_p50_ms",
    )
    for path in (base, worse):
        document = json.loads(path.read_text())
        rows = [{key: row[key] for key in ("id", "ref", "hyp", "wer")} for row in document["per_utterance"]]
        path.write_text(json.dumps({**{key: document[key] for key in kept}, "per_utterance": rows}))
    output = _output(capsys, base, worse)
    assert output.splitlines()[2].split()[:3] == ["q4_k_m", "2.00", "+1.00"]
    mixed = _output(capsys, base, _scored(tmp_path, "other-Q8_0", _rows(WORSE)))
    assert "q8_0: only one of the two files names" in mixed


def test_a_score_file_of_ours_has_what_the_upstream_comparison_reads(tmp_path: Path) -> None:
    """Upstream formats these keys as numbers without a look; none of them is null, whatever was scored."""
    for name, rows in (("a", _rows(BASE)), ("b", [{"id": "1", "ref_text": "", "hyp_text": "x"}])):
        document = json.loads(_scored(tmp_path, name, rows).read_text())
        read = ("error_rate_pct", "wer_pct", "error_rate_ci_lo", "error_rate_ci_hi", "latency_p50_ms", "n")
        assert [key for key in read if key in document and not isinstance(document[key], int | float)] == []
        assert document["metric"].upper() == "WER"


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"schema": "asrgate.score/99"}, ["asrgate.score/99", "asrgate.score/1"]),
        ({"schema": "somebody.else/1"}, ["somebody.else/1"]),
        ({"per_utterance": None}, ["per_utterance"]),
        ({"substitutions": 77}, ["77"]),
        ({"wer": 0.5, "error_rate": 0.5}, ["0.5"]),
    ],
    ids=["newer schema", "other schema", "no utterances", "counts that do not add up", "rate that does not add up"],
)
def test_a_score_file_that_cannot_be_trusted_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], changes: dict[str, Any], words: list[str]
) -> None:
    """Another schema and figures that do not follow from the utterances are refused with file and figure."""
    base, worse = _pair(tmp_path)
    _edited(worse, **changes)
    capsys.readouterr()
    message = refused(capsys, "compare", str(base), str(worse))
    assert [word for word in [worse.name, *words] if word not in message] == []


def test_files_that_are_no_score_files_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Hypotheses, broken JSON and absent files are one sentence each."""
    base, _ = _pair(tmp_path)
    (tmp_path / "cut.score.json").write_bytes(base.read_bytes()[:-40])
    capsys.readouterr()
    assert "tiny-F32.prompts.jsonl" in refused(
        capsys, "compare", str(base), str(tmp_path / "tiny-F32.prompts.jsonl")
    )
    assert "cut.score.json" in refused(capsys, "compare", str(base), str(tmp_path / "cut.score.json"))
    assert "gone.score.json" in refused(capsys, "compare", str(base), str(tmp_path / "gone.score.json"))


def test_one_file_alone_is_a_matter_of_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """There is nothing to compare one file with."""
    base, _ = _pair(tmp_path)
    with pytest.raises(SystemExit) as ended:
        main(["compare", str(base)])
    assert ended.value.code == 2
    assert "OTHER.score.json" in capsys.readouterr().err


def test_what_the_engine_was_told_is_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A run with a forced language and one that detected it are two recipes, however both are scored."""
    forced = _scored(tmp_path, "f32", _rows(BASE))
    path = write(tmp_path / "q8_0.jsonl", _rows(WORSE), {"language": "auto"})
    assert main(["score", str(path), "--language", "en"]) == 0
    capsys.readouterr()
    message = refused(capsys, "compare", str(forced), str(tmp_path / "q8_0.score.json"))
    assert "decode_language: 'en' against 'auto'" in message


def test_diarizing_runs_are_not_compared_with_others(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Upstream's `diarize` switch changes what is transcribed."""
    off = _scored(tmp_path, "f32", _rows(BASE), recipe={"diarize": False})
    on = _scored(tmp_path, "q8_0", _rows(WORSE), recipe={"diarize": True})
    capsys.readouterr()
    assert "diarize: False against True" in refused(capsys, "compare", str(off), str(on))


def test_other_speakers_are_another_set(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Files that name other speakers for the same ids are refused; the order of rows is no difference."""
    base = _scored(tmp_path, "f32", _rows(BASE), "--speaker", "^(s[0-9])-")
    same = _scored(tmp_path, "q8_0", list(reversed(_rows(WORSE))), "--speaker", "^(s[0-9])-")
    assert "6 speakers" in _output(capsys, base, same)
    other = _scored(tmp_path, "q4_0", _rows(WORSE), "--speaker", "s[0-9]-([0-9])")
    capsys.readouterr()
    assert "they name other speakers" in refused(capsys, "compare", str(base), str(other))


def test_one_utterance_has_no_bounds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Infinite bounds are shown as none."""
    base, worse = (_scored(tmp_path, name, _rows(wrong, 1)) for name, wrong in (("f32", {}), ("q8_0", {0: 1})))
    output = _output(capsys, base, worse)
    assert "inf" not in output
    assert output.splitlines()[2].split() == ["q8_0", "10.00", "+10.00", "10.00", "10.00", "100", "—", "—"]
    assert "q8_0: resolves no margin" in output


def test_markdown_cells_hold_any_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Bars and backslashes of a file name do not break the table."""
    base, _ = _pair(tmp_path)
    odd = _scored(tmp_path, "a|b\\c", _rows(WORSE))
    lines = _output(capsys, base, odd, "--format", "markdown").splitlines()
    assert lines[3].startswith("| a\\|b\\\\c | 2.00 |")


def test_many_systems_are_counted_in_a_note(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Three files are two comparisons, which the last note counts; two files have no such note."""
    base, worse = _pair(tmp_path)
    other = _scored(tmp_path, "tiny-Q5_0.prompts", _rows({1: 1}))
    printed = json.loads(_output(capsys, base, worse, other, "--format", "json"))
    assert printed["notes"][-1] == (
        f"2 systems were compared with {printed['baseline']}: each verdict stands alone; that all of them must "
        "pass needs no correction, picking the best of them by these figures does"
    )
    assert "were compared with" not in _output(capsys, base, worse)
