"""What a gate costs where nothing is left to transcribe: python benchmarks/cached_gate.py [--utterances N].

5 variants over 2,620 utterances of 20 words, 40 speakers, one clip of noise for each; the engine is a `command`
that answers at once, so that what is left is all that a gate costs beside its models. Every run is a pytest
process, timed from start to end: seconds on the clock, CPU seconds of it and its children, medians of three rounds.
The named alternatives run in the same rounds: bare pytest in an empty folder, and the same gate whose store has the
hypotheses and nothing else that it remembers.
"""

import argparse
import json
import os
import random
import resource
import sqlite3
import subprocess
import sys
import tempfile
import time
import wave
from pathlib import Path
from statistics import median

from scoring import SEED, made_rows

VARIANTS = ("f32", "f16", "q8_0", "q5_1", "q4_0")
SPEAKERS = 40
RATE_HZ = 16_000

GATE = """
[gate]
baseline = "f32"
[transcriber.native]
kind = "command"
options = {{ command = ["python", "engine.py"] }}
{variants}
[dataset.made]
manifest = "manifest.jsonl"
language = "en"
[thresholds]
non_inferiority = 1.0
errors = 0
"""

ENGINE = """
import json, sys
texts = {}
for line in sys.stdin:
    request = json.loads(line)
    if request.get("type") == "load":
        texts = json.load(open(request["model"], encoding="utf-8"))
        answer = {"type": "ready"}
    else:
        answer = {"id": request["id"], "text": texts[request["id"]], "latency_ms": 1.0}
    print(json.dumps(answer), flush=True)
"""


def _write_audio(path: Path, number: int, seconds: float) -> None:
    """A clip of noise that no other number has."""
    samples = random.Random(number).randbytes(2 * int(seconds * RATE_HZ))  # noqa: S311 - noise, no secret
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 2, RATE_HZ, 0, "NONE", ""))
        file.writeframes(number.to_bytes(8, "little") + samples)
    # As old as recordings are, so that its hash may be remembered at once.
    os.utime(path, (0, 0))


def write_project(folder: Path, utterances: int, seconds: float) -> None:
    """Write gate file, engine, manifest, clips of `seconds`, and for each variant a model that holds its texts."""
    chance = random.Random(SEED)  # noqa: S311 - a corpus, no secret
    (folder / "audio").mkdir(parents=True)
    models: dict[str, dict[str, str]] = {name: {} for name in VARIANTS}
    with (folder / "manifest.jsonl").open("w", encoding="utf-8") as manifest:
        for number, (reference, texts) in enumerate(made_rows(chance, utterances, len(VARIANTS))):
            speaker = f"{number % SPEAKERS:02}"
            row = {"id": f"{speaker}-{number}", "audio": f"audio/{number}.wav", "ref_text": reference}
            _write_audio(folder / row["audio"], number, seconds)
            manifest.write(json.dumps(row | {"speaker": speaker}) + "\n")
            for model, text in zip(models.values(), texts, strict=True):
                model[row["id"]] = text
    for name, model in models.items():
        (folder / f"{name}.json").write_text(json.dumps(model), encoding="utf-8")
    (folder / "engine.py").write_text(ENGINE, encoding="utf-8")
    for path in (*folder.glob("*.json"), folder / "engine.py"):
        os.utime(path, (0, 0))
    tables = "\n".join(f'[variant.{name}]\nmodel = "{name}.json"' for name in VARIANTS)
    (folder / "gate.toml").write_text(GATE.format(variants=tables), encoding="utf-8")
    (folder / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")


def _pytest(folder: Path, environment: dict[str, str], *arguments: str) -> tuple[float, float, str]:
    """Seconds on the clock, CPU seconds, and what pytest printed."""
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments]
    done = subprocess.run(command, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True, check=False)
    clock, after = time.perf_counter() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
    # 1: a verdict, which few utterances leave open (`check_verdicts` sees any other); 5: nothing collected.
    assert done.returncode in {0, 1, 5}, done.stdout
    return clock, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stdout


def check_verdicts(printed: str) -> None:
    """Every variant was scored and judged: a pair that was not costs nothing, and is no measurement."""
    rows = [line.split() for line in printed.splitlines()]
    table = {words[0]: words[2:] for words in rows if words[1:2] == ["made"]}
    assert table.keys() == {*VARIANTS}, printed
    for wer, *_, verdict in table.values():
        assert verdict in {"baseline", "PASS", "FAIL", "INCONCLUSIVE"}, printed
        float(wer)


def _forget(folder: Path) -> None:
    """Leave nothing in the store but hypotheses and what is kept beside them."""
    with sqlite3.connect(folder / ".asrgate" / "store.sqlite") as connection:
        for table in ("texts", "files"):
            connection.execute(f"DELETE FROM {table}")  # noqa: S608 - constants


def main() -> None:
    """Run all of them in turn, and print medians and ratios."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--utterances", type=int, default=2620)
    parser.add_argument("--seconds", type=float, default=0.5, help="of each clip")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        # Python's compiled modules are kept, as they are for everybody who did not ask for the contrary.
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(root / "compiled"), "OPENBLAS_NUM_THREADS": "1"}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        (root / "bare").mkdir()
        (root / "bare" / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
        write_project(root / "small", 20, options.seconds)
        write_project(root / "gate", options.utterances, options.seconds)
        _pytest(root / "bare", environment)
        _pytest(root / "small", environment, "-m", "wer")
        clock, cpu, printed = _pytest(root / "gate", environment, "-m", "wer")
        check_verdicts(printed)
        total = len(VARIANTS) * options.utterances
        assert f"transcribed {total} utterances now" in printed, printed
        megabytes = sum(path.stat().st_size for path in (root / "gate" / "audio").iterdir()) / 1e6
        print(f"{len(VARIANTS)} variants x {options.utterances:,} utterances, {megabytes:.0f} MB of audio")
        print(f"first run, engine that answers at once: {clock:.2f} s, {cpu:.2f} s of CPU")
        taken: dict[str, list[tuple[float, float]]] = {}
        for _ in range(options.rounds):
            for title, folder, arguments in (
                ("bare pytest", "bare", ()),
                ("cached", "gate", ("-m", "wer")),
                ("--asrgate-rehash", "gate", ("-m", "wer", "--asrgate-rehash")),
                ("nothing remembered but hypotheses", "gate", ("-m", "wer")),
            ):
                if title.startswith("nothing"):
                    _forget(root / "gate")
                clock, cpu, printed = _pytest(root / folder, environment, *arguments)
                if folder != "bare":
                    assert "transcribed nothing" in printed, printed
                    check_verdicts(printed)
                taken.setdefault(title, []).append((clock, cpu))
    clocks = {title: median(run[0] for run in runs) for title, runs in taken.items()}
    cpus = {title: median(run[1] for run in runs) for title, runs in taken.items()}
    for title, clock in clocks.items():
        bare, cached = clock / clocks["bare pytest"], clock / clocks["cached"]
        print(
            f"{title}: {clock:.2f} s, {cpus[title]:.2f} s of CPU; "
            f"ratio to bare pytest {bare:.1f}, to the cached run {cached:.2f}"
        )


if __name__ == "__main__":
    main()
