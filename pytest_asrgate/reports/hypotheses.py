"""The self-describing hypothesis file of a pair, in the shape that the upstream scripts read."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from pytest_asrgate.errors import DatasetError
from pytest_asrgate.jsonlines import json_text, read_rows, strict_json, write_rows
from pytest_asrgate.records import Hypothesis, HypothesisSet, RowStatus, Utterance

__all__ = ["hypotheses_name", "replaced_run", "write_hypotheses", "write_hypotheses_file"]


def hypotheses_name(variant: str, dataset: str, timestamps: str) -> str:
    """The file name of a pair's hypotheses."""
    return f"{variant}.{dataset}-timestamps_{timestamps}.jsonl"


def _header(made: HypothesisSet) -> dict[str, object]:
    stamp = dict(made.provenance)
    recipe: dict[str, object] = {
        **{name: value for name, value in made.contract.items() if name not in {"language", "manifest"}},
        # The names under which the upstream scripts write their recipe.
        "language": made.contract.get("language"),
        "diarize": "default",
        "backend": stamp.get("backend", stamp.get("requested_backend")),
        "decode": made.contract.get("decoding"),
        **{name: stamp[name] for name in ("batch_size", "kv_type", "seed", "threads") if name in stamp},
    }
    return {
        "type": "batch_header",
        "load_ms": made.load_ms,
        "language": made.contract.get("language"),
        "recipe": recipe,
        "stamp": stamp,
        "not_controllable": list(made.not_controllable),
        "manifest_sha256": made.contract.get("manifest"),
    }


def _row(utterance: Utterance, hypothesis: Hypothesis) -> dict[str, object]:
    row: dict[str, object] = {
        "id": utterance.id,
        "ref_text": utterance.reference,
        "hyp_text": hypothesis.text,
        "status": hypothesis.status.value,
    }
    optional: Mapping[str, object] = {
        "raw_text": hypothesis.raw_text,
        "mel_ms": hypothesis.mel_ms,
        "encode_ms": hypothesis.encode_ms,
        "decode_ms": hypothesis.decode_ms,
        "latency_ms": hypothesis.latency_ms,
        "audio_s": hypothesis.audio_s,
        # So that the file can be scored on its own.
        "language": utterance.language,
        "speaker": utterance.speaker,
        # Of a row that came from a score file, whose text must not be normalised again.
        "normalised_reference": hypothesis.normalised_reference,
        "masked": None if hypothesis.masked is None else list(hypothesis.masked),
        "loop": hypothesis.loop,
        "language_drift": hypothesis.drift,
    }
    row |= {name: value for name, value in optional.items() if value is not None}
    if hypothesis.status is RowStatus.ERROR:
        row["error"] = hypothesis.detail or "error"
    elif hypothesis.detail:
        row["detail"] = hypothesis.detail
    return row


def write_hypotheses_file(path: Path, made: HypothesisSet, utterances: Sequence[Utterance]) -> None:
    """Write a pair's hypotheses at `path`, header first, atomically; its folder is made. OSError as it comes."""

    def rows() -> Iterator[Mapping[str, object]]:
        yield _header(made)
        for utterance, hypothesis in zip(utterances, made.hypotheses, strict=True):
            yield _row(utterance, hypothesis)

    write_rows(path, rows())


def replaced_run(path: Path, made: HypothesisSet) -> str:
    """In what the hypotheses that are at a path differ from these in a few words, empty where they are of the same
    run, or none are there that say so."""
    try:
        _, before = next(read_rows(path), (0, {}))
    except DatasetError:
        return ""
    now = strict_json(json_text(_header(made)))
    if before.get("type") != now["type"] or not isinstance(before.get("stamp"), dict):
        return ""
    stamp = before["stamp"]
    differing = {
        "another model or engine": stamp.get("fingerprint") != now["stamp"].get("fingerprint"),
        "another manifest": before.get("manifest_sha256") != now["manifest_sha256"],
        "another language": before.get("language") != now["language"],
        "another recipe": before.get("recipe") != now["recipe"],
    }
    return " and ".join(what for what, differs in differing.items() if differs)


def write_hypotheses(folder: Path, made: HypothesisSet, utterances: Sequence[Utterance], timestamps: str) -> Path:
    """Write a pair's hypotheses into `folder`, under their own name, and return the file's path.

    `timestamps` is the gate's own word, not that of a file from elsewhere: it becomes part of a file name.
    """
    path = folder / hypotheses_name(made.variant, made.dataset, timestamps)
    write_hypotheses_file(path, made, utterances)
    return path
