"""A Dask cluster whose workers live in network namespaces: other machines, as far as their network can tell."""

import contextlib
import os
import shutil
import subprocess
from collections.abc import Iterator

import pytest

from tests.integration.conftest import SENTENCES, GateProject
from tests.integration.dask_cluster import COPY, Cluster

pytest.importorskip("distributed")
# As in conftest.py: what a run in this process imports first is forgotten, and the next would import a second copy.
pytest.importorskip("pytest_asrgate.executors.dask")

# Of a network that exists between these namespaces only.
_NETWORK = "10.213.77"
_IP = shutil.which("ip") or ""


def _ip(*words: str) -> None:
    done = subprocess.run([_IP, *words], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        pytest.skip(f"network namespaces cannot be made here: ip {' '.join(words)}: {done.stderr.strip()}")


@pytest.fixture
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A scheduler here, and two workers in namespaces of their own that reach it over a bridge."""
    if not shutil.which(_IP):
        pytest.skip("network namespaces need the program ip")
    # Names of interfaces have at most 15 characters.
    mark = f"ag{os.getpid()}"
    bridge = f"{mark}-br"
    machines = {name: f"{mark}-{name}" for name in ("a", "b")}
    with contextlib.ExitStack() as stack:

        def undo(*words: str) -> None:
            stack.callback(subprocess.run, [_IP, *words], capture_output=True, check=False)

        _ip("link", "add", bridge, "type", "bridge")
        undo("link", "del", bridge)
        _ip("addr", "add", f"{_NETWORK}.1/24", "dev", bridge)
        _ip("link", "set", bridge, "up")
        for number, space in enumerate(machines.values(), start=2):
            _ip("netns", "add", space)
            undo("netns", "del", space)
            _ip("link", "add", f"{space}-h", "type", "veth", "peer", "name", "eth0", "netns", space)
            # A namespace takes its interfaces along only some time after its last process.
            undo("link", "del", f"{space}-h")
            _ip("link", "set", f"{space}-h", "master", bridge, "up")
            for words in (f"addr add {_NETWORK}.{number}/24 dev eth0", "link set eth0 up", "link set lo up"):
                _ip("-n", space, *words.split())
        places = {
            name: ((_IP, "netns", "exec", space), f"{_NETWORK}.{number}")
            for number, (name, space) in enumerate(machines.items(), start=2)
        }
        started = Cluster(tmp_path_factory.mktemp("machines"), host=f"{_NETWORK}.1", machines=places)
        stack.callback(started.close)
        started.start("a", "b")
        yield started


def test_a_gate_on_two_machines(project: GateProject, cluster: Cluster) -> None:
    """Each with copies of its own: all is decoded over the network; another model on one of them is refused."""
    executor = f'[executor]\nkind = "dask"\naddress = "{cluster.address}"\nfolders = {{ "." = "{COPY}" }}\n'
    many = [f"{sentence} number {number}" for number in range(3) for sentence in SENTENCES]
    right = {1600 + number: sentence for number, sentence in enumerate(many)}
    project.standard(extra=executor)
    project.dataset("prompts", many)
    for variant in ("f32", "q8_0"):
        log = str(project.root / f"{variant}.log")
        project.model(variant, right, log=log, log_process=True, seconds=0.05)
    cluster.copy(project.root, "a", "b")
    other = cluster.root / "a" / COPY / "q8_0.json"
    other.write_text(other.read_text() + " ")
    result = project.run("-m", "wer", "-W", "error")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(
        ["f32*0.00*baseline", f"*variant.q8_0.model: worker tcp://{_NETWORK}.2:*{other} is another file*"]
    )
    assert len({line.split()[-1] for line in project.log("f32") if " clip " in line}) == 2
    cluster.copy(project.root, "a", "b")
    project.run("-m", "wer", "-W", "error").assert_outcomes(passed=2)
