#!/usr/bin/env python3
"""A stand-in for transcribe-cli: answers as the real one does, and on demand as it does in bad hours.

The model file is JSON after its first four bytes: `texts` by number of samples, `orders` by number of samples, and
`run`: orders for the whole run. Once there is a file of the log's name and `.mended`, orders are obeyed no more.
"""

import json
import os
import signal
import sys
import time
import wave
from pathlib import Path
from typing import Any

HELP = """usage: transcribe-cli [options] --batch file.list -m model.gguf
  -m, --model PATH      GGUF model file
  -l, --language ISO    language hint
  --threads N           CPU threads
  --backend TYPE        compute backend
  --timestamps TYPE     timestamps: auto, none, segment, word, token
  --batch FILE          one wav path per line
  --batch-jsonl         one JSON line per file
  --batch-size N        group N utterances
"""
NEW_HELP = HELP + "  --kv-type TYPE        flash-attn KV type\n  --condition-on-prev-tokens carry tokens\n"


def option(name: str, default: str = "") -> str:
    """The value behind a flag of the command line."""
    return sys.argv[sys.argv.index(name) + 1] if name in sys.argv else default


def say(row: dict[str, object]) -> None:
    """Write one row as the real program does."""
    sys.stdout.buffer.write(json.dumps(row, ensure_ascii=False).encode("utf-8", "surrogateescape") + b"\n")
    sys.stdout.flush()


def write(order: dict[str, Any], path: str) -> None:
    """Write `bytes` (in Latin-1, `{path}` in them is the clip's), `repeat` × `times`; `then` end, hang or go on."""
    data = memoryview(order["bytes"].replace("{path}", path).encode("latin-1") * order.get("repeat", 1))
    for _ in range(order.get("times", 1)):
        rest = data
        while rest:
            rest = rest[os.write(2 if order.get("stderr") else 1, rest) :]
    then = order.get("then", "")
    if then == "exit":
        os._exit(0)
    if then == "close":
        os.close(1)
    if then in {"hang", "close"}:
        time.sleep(600)
    if then:
        os.kill(os.getpid(), getattr(signal, then))


def obey(order: str, path: str) -> bool:
    """Do what an order says; whether the row is thereby done with."""
    if order.startswith("write "):
        write(json.loads(order.removeprefix("write ")), path)
        return True
    if order == "die":
        sys.stderr.write("GGML_ASSERT failed\n")
        sys.stderr.flush()
        os.kill(os.getpid(), signal.SIGABRT)
    if order == "quit":
        os._exit(7)
    if order == "hang":
        time.sleep(600)
    if order == "grow":
        hoard = bytearray(300_000_000)
        hoard[::4096] = b"x" * len(hoard[::4096])
        time.sleep(600)
    if order == "bytes":
        sys.stdout.buffer.write(b'{"file":"' + path.encode() + b'","text":"caf\xff ol\xe9"}\n')
        sys.stdout.flush()
    if order == "garbage":
        sys.stdout.buffer.write(b"Segmentation fault (not really)\n")
    return order in {"bytes", "missing", "garbage"}


def main() -> int:
    """Behave."""
    if "--help" in sys.argv:
        generation = os.environ.get("STAND_IN_GENERATION", "new")
        sys.stderr.write({"new": NEW_HELP, "old": HELP, "other": "usage: something else\n"}[generation])
        return 0
    model = json.loads(Path(option("-m")).read_bytes()[4:])
    with Path(model["log"]).open("a") as log:
        log.write(json.dumps(sys.argv[1:]) + "\n")
    if model.get("run") == "no load":
        sys.stderr.write("error: cannot read tensor\n")
        return 1
    say({"type": "batch_header", "load_ms": 1.5})
    sys.stderr.write("[info] loaded\n[warn] the language is not known to this model\n")
    rows: list[dict[str, object]] = []
    for path in Path(option("--batch")).read_text().splitlines():
        with wave.open(path) as sound:
            assert (sound.getframerate(), sound.getnchannels(), sound.getsampwidth()) == (16000, 1, 2)
            samples = str(sound.getnframes())
        order = "" if Path(model["log"] + ".mended").exists() else model.get("orders", {}).get(samples, "")
        if order.startswith("once ") and not Path(model["log"] + ".done").exists():
            Path(model["log"] + ".done").touch()
            order = order.removeprefix("once ")
        if obey(order, path):
            continue
        row: dict[str, object] = {"file": path, "text": model["texts"].get(samples, "")}
        if order.startswith("error "):
            row["error"] = order.removeprefix("error ")
        else:
            row |= {"mel_ms": 1.0, "encode_ms": 20.0, "decode_ms": 3.0}
        rows.append(row)
        if model.get("run") != "backwards":
            say(rows.pop())
    for row in reversed(rows):
        say(row)
    if model.get("run") == "hang at the end":
        time.sleep(600)
    return 1 if any(order.startswith("error ") for order in model.get("orders", {}).values()) else 0


if __name__ == "__main__":
    sys.exit(main())
