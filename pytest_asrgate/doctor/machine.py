"""The machine that the gate runs on: system, processor, memory, devices."""

import os
import platform
import shutil
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from pytest_asrgate.doctor.findings import Finding, fact, problem
from pytest_asrgate.doctor.programs import ask

__all__ = ["gpus", "hardware", "system"]

_SMI_TIMEOUT_S = 15.0
_VISIBLE = ("CUDA_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES", "GGML_VK_VISIBLE_DEVICES")


def system() -> Iterator[Finding]:
    """The operating system; not `platform.version()`, which may name who built it."""
    yield fact("system", f"{platform.system()} {platform.release()} {platform.machine()}")
    name, version = platform.libc_ver()
    yield fact("C library", f"{name} {version}".strip() or "unknown")


def _lines(path: str) -> list[str]:
    try:
        return Path(path).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []


def _field(path: str, name: str) -> str:
    """The first value of a `name: value` file of the system; empty where there is none."""
    for line in _lines(path):
        key, _, value = line.partition(":")
        if key.strip() == name:
            return value.strip()
    return ""


def _memory_mb(name: str) -> float | None:
    words = _field("/proc/meminfo", name).split()
    return int(words[0]) / 1000 if words and words[0].isdigit() else None


def hardware() -> Iterator[Finding]:
    """Processor and memory, and what of them this process may use."""
    model = _field("/proc/cpuinfo", "model name") or platform.processor() or platform.machine()
    yield fact("processor", model)
    cores = os.cpu_count() or 1
    mine = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else cores
    yield fact("cores", str(cores) if mine == cores else f"{cores}, of which this process may use {mine}")
    total, free = _memory_mb("MemTotal"), _memory_mb("MemAvailable")
    if total is not None:
        yield fact("memory", f"{total:,.0f} MB" + ("" if free is None else f", {free:,.0f} MB of it available"))
    limit = next(iter(_lines("/sys/fs/cgroup/memory.max")), "max")
    if limit.isdigit() and (total is None or int(limit) / 1e6 < total):
        yield fact("memory limit", f"{int(limit) / 1e6:,.0f} MB for this container")
    with suppress(OSError):
        nice = os.getpriority(os.PRIO_PROCESS, 0)
        if nice:
            yield fact("niceness", str(nice))


def gpus() -> Iterator[Finding]:
    """What the driver says of its devices, and the variables that hide some of them."""
    for name in _VISIBLE:
        if name in os.environ:
            yield fact(name, os.environ[name] or "empty, which hides all")
    program = shutil.which("nvidia-smi")
    if program is None:
        yield fact("GPU", "no GPU found (there is no nvidia-smi; other kinds are known by the engines alone)")
        return
    wanted = "--query-gpu=name,driver_version,memory.total"
    said, failure = ask([program, wanted, "--format=csv,noheader"], _SMI_TIMEOUT_S, lines=64)
    if failure:
        yield problem("GPU", f"nvidia-smi {failure}{f': {said}' if said else ''}; check the driver")
        return
    devices = [line.strip() for line in said.split(" | ") if line.strip()]
    for number, device in enumerate(devices):
        yield fact(f"cuda:{number}", device)
    if not devices:
        yield fact("GPU", "no GPU found (nvidia-smi names none)")
