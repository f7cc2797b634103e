"""A stand-in engine for tests: it runs in the real worker process and does on demand what real engines rarely do.

The model file is JSON. A clip is known by its number of samples; `texts` maps that number to a text, or to an order
such as {"do": "crash"}; `log`, if given, names a file that gets one line for each load and each clip, which
end with the process where `log_process` asks for it. A load's line ends with the value of the environment variable
`log_variable`, or with the number of these engines that live where `count_alive` asks for it. An order with a
`mended` text is obeyed no more once there is a file of the log's name and `.mended`: the same model, mended.
"""

import json
import os
import signal
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pytest_asrgate.errors import ModelError
from pytest_asrgate.records import RowStatus
from pytest_asrgate.transcribers.protocol import EngineOutput, EngineReport


class FakeEngine:
    """Answers from its model file."""

    def load(
        self, model: Path | None, backend: str, options: Mapping[str, object], recipe: Mapping[str, object]
    ) -> EngineReport:
        """Read the model; `"load"` in it may ask for a failure."""
        assert model is not None
        self.content: dict[str, Any] = json.loads(model.read_text())
        self.threads = recipe["threads"]
        self._log(f"load {self._about_load()}".strip())
        if self.content.get("load") == "fail":
            raise ModelError(f"{model}: the fake model refuses to load")
        return EngineReport({"backend": backend, "device": "fake", "architecture": "fake"}, ("seed",))

    def _about_load(self) -> str:
        if self.content.get("log_variable"):
            return os.environ.get(self.content["log_variable"], "not set")
        if not self.content.get("count_alive"):
            return ""
        here = str(Path.cwd())
        workers = 0
        for process in Path("/proc").glob("[0-9]*"):
            try:
                # The supervisor above each engine has the module in its arguments too, but as those of its program.
                words = (process / "cmdline").read_bytes().split(b"\0")
                if b"pytest_asrgate.transcribers.worker" in words and b"--" not in words:
                    workers += str((process / "cwd").readlink()) == here
            except OSError:
                continue
        return str(workers)

    def _log(self, line: str) -> None:
        if self.content.get("log"):
            line += f" {os.getpid()}" if self.content.get("log_process") else ""
            with Path(self.content["log"]).open("a") as file:
                file.write(f"{Path(self.content['log']).stem} {line}\n")

    def run(self, samples: Any, language: str) -> EngineOutput:
        """Return the clip's text, or do what the model orders for it."""
        order = self.content["texts"].get(str(len(samples)), "")
        self._log(f"clip {len(samples)}")
        time.sleep(self.content.get("seconds", 0))
        if isinstance(order, dict) and "mended" in order and Path(f"{self.content['log']}.mended").exists():
            order = order["mended"]
        if isinstance(order, str):
            return EngineOutput(text=order, timings={"mel_ms": 1.0, "encode_ms": 2.0, "decode_ms": 3.0})
        return self._obey(order)

    def _logged(self, word: str) -> int:
        """How many lines of the log hold a word, whatever process wrote them."""
        return sum(word in line.split() for line in Path(self.content["log"]).read_text().splitlines())

    def _write(self, order: Mapping[str, Any]) -> None:
        """Write `bytes` (in Latin-1), `times` over and `once` at all, on the answers' pipe or on `stderr`."""
        done = Path(f"{self.content['log']}.written")
        if order.get("once") and done.exists():
            return
        done.touch()
        # The answers' pipe is the highest descriptor that the worker was given.
        place = 2 if order.get("stderr") else int(sys.argv[2])
        data = memoryview(order["bytes"].encode("latin-1") * order.get("repeat", 1))
        for _ in range(order.get("times", 1)):
            rest = data
            while rest:
                rest = rest[os.write(place, rest) :]

    def _do_crash(self, order: Mapping[str, Any]) -> EngineOutput:
        sys.stderr.write("fake engine: assertion failed\n")
        sys.stderr.flush()
        return self._do_signal({"signal": "SIGSEGV"})

    def _do_exit(self, order: Mapping[str, Any]) -> EngineOutput:
        os._exit(0)

    def _do_signal(self, order: Mapping[str, Any]) -> EngineOutput:
        os.kill(os.getpid(), getattr(signal, order["signal"]))
        time.sleep(600)
        return EngineOutput("")

    def _do_write(self, order: Mapping[str, Any]) -> EngineOutput:
        self._write(order)
        time.sleep(600 if order.get("hang") else 0)
        if order.get("exit"):
            os._exit(0)
        return EngineOutput(order.get("text", ""))

    def _do_close(self, order: Mapping[str, Any]) -> EngineOutput:
        os.close(int(sys.argv[2]))
        time.sleep(600)
        return EngineOutput("")

    def _do_replace(self, order: Mapping[str, Any]) -> EngineOutput:
        """The files at `paths` become those at `by`: in their own place, or by another that takes the name."""
        for path in order["paths"]:
            place = Path(path)
            if order.get("in place"):
                place.write_bytes(Path(order["by"]).read_bytes())
            else:
                place.with_name("fresh").write_bytes(Path(order["by"]).read_bytes())
                place.with_name("fresh").replace(place)
        if order.get("crash"):
            os.abort()
        return EngineOutput(order["text"])

    def _do_truncated(self, order: Mapping[str, Any]) -> EngineOutput:
        return EngineOutput(order["text"], RowStatus(order["do"]), detail=f"fake {order['do']}")

    _do_repetition = _do_truncated

    def _obey(self, order: Mapping[str, Any]) -> EngineOutput:
        do = order["do"]
        found = getattr(self, f"_do_{do}", None)
        return self._answered(order) if found is None else found(order)

    def _answered(self, order: Mapping[str, Any]) -> EngineOutput:
        do = order["do"]
        if do == "hang" or (do == "hang first" and self._logged(order["clip"]) == 1):
            # Ignores everything but SIGKILL, as native code in a loop does.
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, signal.SIGINT})
            time.sleep(600)
        if do == "grow":
            hoard = bytearray(400_000_000)
            hoard[::4096] = b"x" * len(hoard[::4096])
            time.sleep(600)
        if do == "garbage":
            os.write(int(sys.argv[2]), order.get("line", "no json").encode() + b"\n")
        if do == "raise":
            raise ValueError("the fake engine does not like this clip")
        if do == "each time":
            # The n-th request of this process decides.
            self.asked = getattr(self, "asked", -1) + 1
            return EngineOutput(order["texts"][self.asked % len(order["texts"])])
        if do == "each start":
            return EngineOutput(order["texts"][(self._logged("load") - 1) % len(order["texts"])])
        if do == "by threads":
            return EngineOutput(order["texts"][self.threads - 1])
        if do == "hang first":
            return EngineOutput(order["text"])
        if do == "raise after":
            if self._logged("clip") > order["clips"]:
                raise ValueError("the fake engine is tired of this clip")
            return EngineOutput(order["text"])
        return EngineOutput("")
