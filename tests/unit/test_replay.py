"""Claims about stored hypotheses: exactly one for each manifest id, or an error that names ids, file and line."""

import hashlib
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_asrgate.errors import AsrGateError, DatasetError, IntegrityError
from pytest_asrgate.records import Hypothesis, RowStatus
from pytest_asrgate.transcribers.replay import ReplayTranscriber, hypotheses_path

from .builders import utterances, write_lines

SPOKEN = utterances("one cat", "two cats")
ROWS: tuple[dict[str, object], ...] = (
    {"id": "u1", "ref_text": "one cat", "hyp_text": "one hat"},
    {"id": "u2", "ref_text": "two cats", "hyp_text": "two cats"},
)


def _lines(*rows: object) -> bytes:
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


def _replayed(path: Path, data: bytes) -> list[Hypothesis]:
    path.write_bytes(data)
    return list(ReplayTranscriber(path).transcribe(SPOKEN))


def _refusal(path: Path, data: bytes, kind: type[AsrGateError]) -> str:
    with pytest.raises(kind) as caught:
        _replayed(path, data)
    return str(caught.value)


@pytest.mark.parametrize(
    "data",
    [
        _lines(*ROWS),
        _lines(ROWS[1], ROWS[0]),
        _lines({"type": "batch_header", "load_ms": 3.0}, *ROWS),
        b"\xef\xbb\xbf" + _lines(*ROWS),
        _lines(*ROWS).replace(b"\n", b"\r\n"),
        _lines(*ROWS).rstrip(b"\n"),
    ],
    ids=["plain", "other order", "header", "BOM", "CRLF", "no last newline"],
)
def test_rows_come_in_manifest_order(tmp_path: Path, data: bytes) -> None:
    """Whatever the order, header and line ends, each utterance gets its own text."""
    assert [(row.id, row.text, row.status) for row in _replayed(tmp_path / "h.jsonl", data)] == [
        ("u1", "one hat", RowStatus.OK),
        ("u2", "two cats", RowStatus.OK),
    ]


def test_missing_ids_are_named(tmp_path: Path) -> None:
    """A manifest id without a row is an error that names it, never a score over fewer rows."""
    path = tmp_path / "h.jsonl"
    assert _refusal(path, _lines(ROWS[0]), IntegrityError) == f"{path}: no hypothesis for 'u2'"


def test_unknown_ids_are_named(tmp_path: Path) -> None:
    """A row for an id that the manifest does not have is an error that names it."""
    path = tmp_path / "h.jsonl"
    message = _refusal(path, _lines(*ROWS, {"id": "u9", "hyp_text": "x"}), IntegrityError)
    assert message == f"{path}: hypotheses for ids the manifest does not have: 'u9'"


def test_doubled_ids_are_named(tmp_path: Path) -> None:
    """An id that stands twice is an error that names it, also where both rows are equal."""
    path = tmp_path / "h.jsonl"
    message = _refusal(path, _lines(*ROWS, ROWS[1]), IntegrityError)
    assert message == f"{path}: ids that stand more than once: 'u2' (lines 2 and 3); every id is one row"


def test_a_row_for_another_reference_is_named(tmp_path: Path) -> None:
    """Hypotheses that were made against another text of the same id are refused."""
    path = tmp_path / "h.jsonl"
    message = _refusal(path, _lines(ROWS[0] | {"ref_text": "one dog"}, ROWS[1]), IntegrityError)
    assert message == f"{path}: another reference text than the manifest for 'u1'"


def test_all_faults_of_a_file_are_told_at_once(tmp_path: Path) -> None:
    """Missing, unknown and changed stand in one sentence."""
    rows = [{"id": "u2", "ref_text": "x", "hyp_text": "x"}, {"id": "u8", "hyp_text": ""}]
    message = _refusal(tmp_path / "h.jsonl", _lines(*rows), IntegrityError)
    assert "no hypothesis for 'u1'" in message
    assert "does not have: 'u8'" in message
    assert "another reference text than the manifest for 'u2'" in message


def test_many_ids_are_counted(tmp_path: Path) -> None:
    """Of many ids the first five are named and the others counted."""
    rows = [*ROWS, *({"id": f"x{number}", "hyp_text": ""} for number in range(8))]
    message = _refusal(tmp_path / "h.jsonl", _lines(*rows), IntegrityError)
    assert "'x0', 'x1', 'x2', 'x3', 'x4' and 3 more" in message


@pytest.mark.parametrize(
    ("row", "fact"),
    [
        ('{"id": "u2", "hyp_text": null}', "hyp_text must be a text; it is None"),
        ('{"id": "u2"}', "hyp_text must be a text; it is missing"),
        ('{"id": "u2", "hyp_text": 5}', "hyp_text must be a text; it is 5"),
        ('{"id": "u2", "hyp_text": "x", "status": "fine"}', "status 'fine'"),
        ('{"id": "u2", "hyp_text": "x", "status": ["ok"]}', "status ['ok']"),
        ('{"id": "u2", "hyp_text": "x", "mel_ms": "fast"}', "mel_ms"),
        ('{"id": "u2", "hyp_text": "x", "latency_ms": -1}', "latency_ms"),
        ('{"id": "u2", "hyp_text": "x", "decode_ms": true}', "decode_ms"),
        ('{"id": "u2", "hyp_text": "x", "audio_s": 1' + "0" * 400 + "}", "audio_s"),
    ],
    ids=["null", "missing", "number", "status", "status list", "time text", "negative", "boolean", "huge"],
)
def test_an_odd_row_is_named_by_file_line_and_id(tmp_path: Path, row: str, fact: str) -> None:
    """What is wrong with a row of a known id is told with file, line and id."""
    path = tmp_path / "h.jsonl"
    message = _refusal(path, _lines(ROWS[0]) + row.encode() + b"\n", DatasetError)
    assert message.startswith(f"{path}:2 (u2): ")
    assert fact in message


@pytest.mark.parametrize(
    ("row", "fact"),
    [
        (b'{"id": "u2", "hyp_text": NaN}\n', "NaN"),
        (b'{"id": "u2", "hyp_text": "x\xff"}\n', "UTF-8"),
        (b'{"id": "u2", "hyp_te', "cut short"),
        (b'{"id": "u2", "id": "u1", "hyp_text": "x"}\n', "'id' stands twice"),
        (b'{"id": 7, "hyp_text": "x"}\n', "id must be a text"),
        (b'{"hyp_text": "x"}\n', "id must be a text"),
        (b'{"id": "", "hyp_text": "x"}\n', "id must be a text"),
        (b'["u2", "x"]\n', "JSON object"),
    ],
    ids=["NaN", "UTF-8", "cut short", "doubled key", "number as id", "no id", "empty id", "list"],
)
def test_a_line_without_usable_id_is_named_by_file_and_line(tmp_path: Path, row: bytes, fact: str) -> None:
    """Where a line cannot be read as a row, file and line are told, and its id where that stands whole in it."""
    path = tmp_path / "h.jsonl"
    message = _refusal(path, _lines(ROWS[0]) + row, DatasetError)
    assert message.startswith(f"{path}:2 (u2): " if b'"id": "u2"' in row else f"{path}:2: ")
    assert fact in message


def test_an_absent_file_is_named_with_the_mend(tmp_path: Path) -> None:
    """A file that is not there is told with the option that names it."""
    path = tmp_path / "absent.jsonl"
    with pytest.raises(DatasetError) as caught:
        ReplayTranscriber(path).identity()
    assert str(caught.value) == f"{path}: there is no such file of hypotheses; check options.hypotheses"


def test_a_fault_is_told_alike_each_time(tmp_path: Path) -> None:
    """Asking again after a fault gives the same fault and not one that the first attempt left behind."""
    path = tmp_path / "h.jsonl"
    path.write_bytes(_lines(*ROWS) + b'{"id": "u3", "hyp_text": null}\n')
    replay = ReplayTranscriber(path)
    messages = []
    for _ in range(2):
        with pytest.raises(AsrGateError) as caught:
            replay.identity()
        messages.append(str(caught.value))
    assert messages[0] == messages[1]


def test_an_upstream_file_without_status_is_read(tmp_path: Path) -> None:
    """Rows of the upstream scripts have no status: `error` makes an error row, and the three times are added."""
    header = {
        "type": "batch_header",
        "load_ms": 146.1,
        "language": "en",
        "recipe": {"timestamps": "none", "language": "en", "batch_size": 1, "backend": "cpu", "decode": "greedy"},
    }
    times = {"mel_ms": 1.0, "encode_ms": 2.0, "decode_ms": 3.0}
    lost = {"id": "u2", "ref_text": "two cats", "hyp_text": "", "error": "backend error"}
    path = write_lines(tmp_path / "tiny.prompts-timestamps_none.jsonl", header, ROWS[0] | times, lost)
    replay = ReplayTranscriber(path)
    first, second = replay.transcribe(SPOKEN)
    assert (first.status, first.latency_ms) == (RowStatus.OK, 6.0)
    assert (second.status, second.detail, second.latency_ms) == (RowStatus.ERROR, "backend error", None)
    identity = replay.identity()
    assert identity.load_ms == 146.1
    assert identity.recorded_contract is not None
    assert identity.recorded_contract["timestamps"] == "none"
    assert identity.recorded_contract["language"] == "en"
    assert "temperatures" not in identity.recorded_contract


def test_upstream_names_its_decoding_otherwise(tmp_path: Path) -> None:
    """The upstream recipe's `decode` is the contract's `decoding`, so a beam search is known and refused later."""
    header = {"type": "batch_header", "recipe": {"decode": "beam"}}
    replay = ReplayTranscriber(write_lines(tmp_path / "h.jsonl", header, *ROWS))
    assert (replay.identity().recorded_contract or {}).get("decoding") == "beam"


@pytest.mark.parametrize(
    ("error", "status"),
    [
        ("output truncated: 448 tokens", RowStatus.TRUNCATED),
        ("output repetition: stopped", RowStatus.REPETITION),
    ],
)
def test_upstream_partial_rows_keep_their_text(tmp_path: Path, error: str, status: RowStatus) -> None:
    """Truncated and repetition-stopped rows of upstream files are scored on their partial text and flagged."""
    path = write_lines(tmp_path / "h.jsonl", ROWS[0] | {"error": error}, ROWS[1])
    first, _ = ReplayTranscriber(path).transcribe(SPOKEN)
    assert (first.status, first.text, first.detail) == (status, "one hat", error)


def test_our_own_rows_keep_status_and_detail(tmp_path: Path) -> None:
    """A written status is taken as it is, with its detail, raw text and audio length."""
    extra = {"status": "repetition", "detail": "stopped", "raw_text": " One hat", "audio_s": 1.5}
    path = write_lines(tmp_path / "h.jsonl", ROWS[0] | extra, ROWS[1])
    first, _ = ReplayTranscriber(path).transcribe(SPOKEN)
    assert first.status is RowStatus.REPETITION
    assert (first.text, first.detail, first.raw_text, first.audio_s) == ("one hat", "stopped", " One hat", 1.5)


def test_a_row_with_an_error_is_never_plainly_ok(tmp_path: Path) -> None:
    """A row that says ok and names an error contradicts itself: it is not scored as a good one."""
    path = tmp_path / "h.jsonl"
    path.write_bytes(_lines(ROWS[0] | {"status": "ok", "error": "crashed"}, ROWS[1]))
    try:
        first, _ = ReplayTranscriber(path).transcribe(SPOKEN)
        told = first.status is RowStatus.ERROR
    except DatasetError as error:
        told = str(error).startswith(f"{path}:1 (u1): ")
    assert told


def test_an_error_row_may_lack_its_text(tmp_path: Path) -> None:
    """Of an error row only id and reason are trusted."""
    path = write_lines(tmp_path / "h.jsonl", {"id": "u1", "hyp_text": None, "error": "timeout"}, ROWS[1])
    first, _ = ReplayTranscriber(path).transcribe(SPOKEN)
    assert (first.status, first.text, first.detail) == (RowStatus.ERROR, "", "timeout")


def test_the_recorded_recipe_is_the_contract(tmp_path: Path) -> None:
    """What the header's recipe names is the contract, what it does not name is left out and so unknown."""
    header = {
        "type": "batch_header",
        "language": "en",
        "recipe": {"timestamps": "word", "temperatures": [0.0], "threads": 8, "no_speech": 0.6},
        "stamp": {"engine": "transcribe-cpp", "version": "0.4.1"},
        "not_controllable": ["seed"],
    }
    path = write_lines(tmp_path / "h.jsonl", header, *ROWS)
    identity = ReplayTranscriber(path).identity()
    assert identity.recorded_contract == {
        "timestamps": "word",
        "temperatures": [0.0],
        "no_speech": 0.6,
        "language": "en",
    }
    assert identity.provenance == {"engine": "transcribe-cpp", "version": "0.4.1", "replayed_from": "h.jsonl"}
    assert identity.not_controllable == ("seed",)
    assert identity.fingerprint == hashlib.sha256(path.read_bytes()).hexdigest()


def test_a_file_without_stamp_says_so(tmp_path: Path) -> None:
    """Hypotheses of an unknown engine are called that, and have no contract at all."""
    identity = ReplayTranscriber(write_lines(tmp_path / "h.jsonl", *ROWS)).identity()
    assert identity.provenance["engine"] == "unknown (not stamped)"
    assert identity.recorded_contract == {}


def test_two_headers_of_different_recipes_are_refused(tmp_path: Path) -> None:
    """Two runs in one file have no one contract: the second header does not silently replace the first."""
    headers = [{"type": "batch_header", "recipe": {"timestamps": name}} for name in ("word", "none")]
    path = write_lines(tmp_path / "h.jsonl", headers[0], ROWS[0], headers[1], ROWS[1])
    with pytest.raises(AsrGateError, match=r"h\.jsonl"):
        ReplayTranscriber(path).identity()


JSON = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.just(10**400)
    | st.text(max_size=3)
    | st.lists(st.text(max_size=2))
)


@given(st.dictionaries(st.sampled_from(["load_ms", "language", "recipe", "stamp", "not_controllable"]), JSON))
@settings(max_examples=60, deadline=None)
def test_an_odd_header_is_no_traceback(tmp_path_factory: pytest.TempPathFactory, header: dict[str, object]) -> None:
    """Whatever a stranger's header holds, it is read or refused in one sentence of ours."""
    path = tmp_path_factory.mktemp("odd") / "h.jsonl"
    path.write_bytes(_lines({"type": "batch_header"} | header, *ROWS))
    told = str(path)
    stated = header.get("not_controllable")
    listed: list[object] = stated if isinstance(stated, list) else []
    try:
        listed = list(ReplayTranscriber(path).identity().not_controllable)
    except AsrGateError as error:
        told = str(error)
    assert str(path) in told
    assert listed == (stated if isinstance(stated, list) else [])


def test_the_pattern_is_filled_with_names() -> None:
    """Variant and dataset go into the option, and other braces stay."""
    assert hypotheses_path("h/{variant}.{dataset}.{x}.jsonl", "q8_0", "prompts") == "h/q8_0.prompts.{x}.jsonl"
    assert hypotheses_path("one.jsonl", "q8_0", "prompts") == "one.jsonl"
