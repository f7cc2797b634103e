"""What the gate costs beside decoding: ASRGATE_CONFORMANCE=… python benchmarks/overhead.py [REPEATS].

Moonshine Q8_0 over asterisk_en, one thread. Each repeat decodes the set through the gate (controller and worker
process, fresh store) and in a bare loop over the binding. Printed are medians: CPU of controller and worker beyond
the decode calls, start-up excluded, as a share of the decode calls' CPU; and the controller's peak memory.
"""

import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MODEL = ROOT / ".asrgate" / "models" / "moonshine-tiny-Q8_0.gguf"
CONFORMANCE = Path(os.environ.get("ASRGATE_CONFORMANCE", ROOT.parent / "shared" / "data"))
MANIFEST = CONFORMANCE / "audio" / "asterisk_en" / "manifest.jsonl"

GATE = """
[transcriber.native]
kind = "timed"
[variant.q8_0]
model = "{model}"
[dataset.asterisk_en]
manifest = "{manifest}"
language = "en"
"""


def through_the_gate() -> dict[str, float]:
    """Run one pair in this process and return CPU seconds and memory."""
    sys.path.insert(0, str(Path(__file__).parent))
    import timed_engine

    timed_engine.register()
    from pytest_asrgate.records import Progress
    from pytest_asrgate.session import GateSession, open_gate

    marks: list[float] = []

    def watch(progress: Progress) -> None:
        if progress.fresh:
            marks.append(time.process_time())

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "gate.toml"
        path.write_text(GATE.format(model=MODEL, manifest=MANIFEST))
        os.environ["ASRGATE_TIMED_ENGINE"] = str(Path(folder) / "worker.json")
        with GateSession(open_gate(path), watch) as session:
            session.hypotheses("q8_0", "asterisk_en")
            begun = time.process_time()
            session.verdict("q8_0", "asterisk_en")
            scoring = time.process_time() - begun
        worker = json.loads((Path(folder) / "worker.json").read_text())
    # The first utterance also pays for what is imported on the way, so the loop is timed from its end.
    loop = (marks[-1] - marks[0]) * len(marks) / (len(marks) - 1)
    return {
        "decode_s": worker["decode_s"],
        "worker_s": worker["rest_s"],
        "controller_s": loop,
        "scoring_s": scoring,
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def bare_loop() -> dict[str, float]:
    """Decode the same clips with nothing around, and return the decode calls' CPU seconds."""
    import soundfile
    import transcribe_cpp

    clips = [MANIFEST.parent / json.loads(line)["audio"] for line in MANIFEST.read_text().splitlines()]
    sounds = [soundfile.read(clip, dtype="float32")[0] for clip in clips]
    session = transcribe_cpp.Model(str(MODEL), backend="cpu").session(n_threads=1)
    begun = time.process_time()
    for sound in sounds:
        try:
            session.run(sound, language="en", timestamps="none")
        except transcribe_cpp.OutputTruncated:
            continue
    return {"decode_s": time.process_time() - begun}


def _apart(what: str) -> dict[str, float]:
    done = subprocess.run([sys.executable, __file__, what], check=True, stdout=subprocess.PIPE, text=True)
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def main() -> None:
    """Alternate the two and print medians."""
    repeats = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    gates, loops = [], []
    for _ in range(repeats):
        gates.append(_apart("gate"))
        loops.append(_apart("bare"))
    middle = {key: statistics.median(run[key] for run in gates) for key in gates[0]}
    bare = statistics.median(run["decode_s"] for run in loops)
    overhead = middle["worker_s"] + middle["controller_s"]
    print(f"decode calls, CPU: {middle['decode_s']:.2f} s through the gate, {bare:.2f} s in a bare loop")
    print(
        f"beside them: worker {middle['worker_s']:.3f} s, controller {middle['controller_s']:.3f} s: "
        f"{100 * overhead / middle['decode_s']:.2f} % of decoding"
    )
    print(f"scoring with its imports: {middle['scoring_s']:.2f} s")
    print(f"controller's peak memory: {middle['peak_mb']:.0f} MB")


if __name__ == "__main__":
    if sys.argv[1:] == ["gate"]:
        print(json.dumps(through_the_gate()))
    elif sys.argv[1:] == ["bare"]:
        print(json.dumps(bare_loop()))
    else:
        main()
