"""[executor] of the gate file."""

from pathlib import Path

import pytest

from pytest_asrgate.config import ExecutorSettings, load_gate
from pytest_asrgate.errors import GateFileError
from pytest_asrgate.transcribers.registry import kind_problems

BASE = """
[transcriber.native]
kind = "transcribe-cpp"
backend = "{backend}"
[variant.f32]
model = "f32.gguf"
[dataset.prompts]
manifest = "prompts/manifest.jsonl"
language = "en"
[executor]
"""


def _executor(folder: Path, lines: str, backend: str = "cuda") -> ExecutorSettings:
    path = folder / "gate.toml"
    path.write_text(BASE.replace("{backend}", backend) + lines, encoding="utf-8")
    return load_gate(path, kind_problems).executor


def _problems(folder: Path, lines: str, backend: str = "cuda") -> dict[str, str]:
    with pytest.raises(GateFileError) as caught:
        _executor(folder, lines, backend)
    return {problem.key: problem.message for problem in caught.value.problems}


def test_nothing_said_is_one_process_here(tmp_path: Path) -> None:
    """The default decodes on this machine, with a number of workers that was not set."""
    found = _executor(tmp_path, "")
    assert (found.kind, found.workers, found.devices) == ("local", None, ())


def test_local_workers_and_devices(tmp_path: Path) -> None:
    """Devices keep their order."""
    assert _executor(tmp_path, 'devices = ["rocm:0"]\n', backend="auto").devices == ("rocm:0",)
    found = _executor(tmp_path, 'workers = 4\ndevices = ["cuda:1", "cuda:0"]\n')
    assert (found.workers, found.devices) == (4, ("cuda:1", "cuda:0"))


def test_niceness_and_pinned_cores(tmp_path: Path) -> None:
    """Nothing is niced or pinned unless it is asked for; niceness is every engine's, so two sides run alike."""
    assert not _executor(tmp_path, "").pin
    path = tmp_path / "gate.toml"
    path.write_text(BASE.replace("{backend}", "cpu") + "workers = 2\nnice = 7\npin = true\n", encoding="utf-8")
    gate = load_gate(path, kind_problems)
    assert gate.executor.pin
    assert {variant.transcriber.nice for variant in gate.variants.values()} == {7}


def test_a_scheduler_with_its_folders(tmp_path: Path) -> None:
    """Folders here are absolute, relative ones beside the gate file; those there stay as they are."""
    found = _executor(
        tmp_path,
        'kind = "dask"\naddress = "tcp://10.0.0.1:8786"\nwait_s = 5\nretries = 0\n'
        'resources = { GPU = 1 }\n[executor.folders]\n"." = "/srv/gate"\n"/data/speech" = "s3://bucket/speech"\n',
    )
    assert (found.kind, found.address, found.wait_s, found.retries) == ("dask", "tcp://10.0.0.1:8786", 5.0, 0)
    assert found.resources == {"GPU": 1.0}
    assert found.folders == {tmp_path: "/srv/gate", Path("/data/speech"): "s3://bucket/speech"}


@pytest.mark.parametrize(
    ("lines", "key", "mend"),
    [
        ("workers = 0", "executor.workers", "whole number of 1 or more; got 0"),
        ("workers = 2.0", "executor.workers", "whole number of 1 or more; got 2.0"),
        ("workers = true", "executor.workers", "got True"),
        ('devices = "cuda:0"', "executor.devices", "list"),
        ('devices = ["gpu0"]', "executor.devices.0", 'such as "cuda:0", "rocm:1" or "vulkan:0"; got \'gpu0\''),
        ('devices = ["cuda:"]', "executor.devices.0", "such as"),
        ('devices = ["cuda:\uff10"]', "executor.devices.0", "such as"),
        ('devices = ["cuda:00"]', "executor.devices.0", "such as"),
        ('workers = 2\ndevices = ["cuda:0", "rocm:0"]', "executor.devices", "of the kinds cuda and rocm"),
        (
            'devices = ["cuda:0", "cuda:1"]',
            "executor.devices",
            "are 2 for workers = 1, so some would never be used",
        ),
        ("workers = 1025", "executor.workers", "must be 1024 at most; got 1025"),
        ("nice = -1", "executor.nice", "whole number from 0, as usual, to 19, behind everything; got -1"),
        ("nice = 20", "executor.nice", "to 19, behind everything; got 20"),
        ("nice = 1.0", "executor.nice", "whole number from 0"),
        ("nice = true", "executor.nice", "got True"),
        ('pin = "yes"', "executor.pin", "must be true or false; got 'yes'"),
        ("pin = true", "executor.pin", "deals the cores of this machine out to executor.workers; set that"),
        ('kind = "dask"\npin = true', "executor.pin", "start each Dask worker on its own cores instead"),
        ('kind = "dusk"', "executor.kind", "'dask'"),
        ('kind = "dask"\ncluster = "jobs.py"', "executor.cluster", '"module:factory"'),
        ('kind = "dask"\nresources = { model = "one" }', "executor.resources.model", "finite number above 0"),
        ('kind = "dask"\nwait_s = nan', "executor.wait_s", "finite number above 0"),
        ('kind = "dask"\nretries = -1', "executor.retries", "whole number of 0 or more"),
        # What would be read and ignored is a problem too.
        ('address = "tcp://x:1"', "executor.address", 'kind = "dask" only'),
        ('cluster = "jobs:make"', "executor.cluster", 'kind = "dask" only'),
        ("retries = 1", "executor.retries", 'kind = "dask" only'),
        ('kind = "dask"\naddress = "tcp://x:1"\ncluster = "jobs:make"', "executor.cluster", "not both"),
        ('kind = "dask"\naddress = "tcp://x:1"\nworkers = 2', "executor.workers", "the cluster's own affair"),
        ('kind = "dask"\ndevices = ["cuda:0"]', "executor.devices", "its own device"),
        ('kind = "dask"\nfolders = { "." = "/x" }', "executor.folders", "same files"),
    ],
)
def test_a_wrong_value_is_one_sentence(tmp_path: Path, lines: str, key: str, mend: str) -> None:
    """Each names its key and what would be right."""
    found = _problems(tmp_path, lines + "\n")
    assert [*found] == [key]
    assert mend in found[key]


@pytest.mark.parametrize("backend", ["cpu", "vulkan", "metal"])
def test_devices_that_nobody_uses_are_told(tmp_path: Path, backend: str) -> None:
    """A backend looks at devices of its own kind only."""
    found = _problems(tmp_path, 'devices = ["cuda:0"]\n', backend=backend)
    why = f"transcriber.native has backend = '{backend}', which uses none of these; set another, or leave it out"
    assert found == {"executor.devices": why}
