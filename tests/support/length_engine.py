"""A stand-in speech engine as a program: it knows a clip by its length in tenths of a second.

The model is JSON, {"4": "what was said in the clip of 0.4 s"}. It speaks pytest-asrgate's JSON lines.
"""

import json
import sys
from pathlib import Path

import soundfile

load = json.loads(sys.stdin.readline())
texts = json.loads(Path(load["model"]).read_text(encoding="utf-8"))
print(json.dumps({"type": "ready", "provenance": {"engine": "length_engine.py"}}), flush=True)
for line in sys.stdin:
    request = json.loads(line)
    tenths = round(soundfile.info(request["audio"]).duration * 10)
    print(json.dumps({"id": request["id"], "text": texts[str(tenths)], "status": "ok"}), flush=True)
