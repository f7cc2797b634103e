"""The same pairs on a Dask cluster: one of this machine's own, and one of workers with files of their own."""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pytest_asrgate.hashing import file_sha256
from tests.integration.conftest import LEAN, SENTENCES, GateProject, alive, left_over
from tests.integration.dask_cluster import COPY, Cluster, wait_for

pytest.importorskip("distributed")
# As in conftest.py: what a run in this process imports first is forgotten, and the next would import a second copy.
pytest.importorskip("pytest_asrgate.executors.dask")

MANY = [f"{sentence} number {number}" for number in range(4) for sentence in SENTENCES]
RIGHT = {1600 + number: sentence for number, sentence in enumerate(MANY)}
OWN = '[executor]\nkind = "dask"\nworkers = {workers}\n'

# An engine for the kind `command`; what it says of each clip is the clip's name.
ENGINE = """
import json, sys
from pathlib import Path
json.loads(sys.stdin.readline())
print(json.dumps({"type": "ready", "provenance": {"backend": "cpu"}}), flush=True)
for line in sys.stdin:
    row = json.loads(line)
    print(json.dumps({"id": row["id"], "text": Path(row["audio"]).stem}), flush=True)
"""


@pytest.fixture(autouse=True)
def _workers_know_the_stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """A cluster of our own loads what Dask is configured to preload."""
    monkeypatch.setenv("DASK_DISTRIBUTED__WORKER__PRELOAD", "asrgate_fake")


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A scheduler and two workers, `a` and `b`, as on machines of their own."""
    started = Cluster(tmp_path_factory.mktemp("cluster"))
    with contextlib.closing(started):
        started.start("a", "b")
        yield started


def _project(project: GateProject, extra: str, **content: object) -> None:
    """Thirty-two clips, a baseline and a variant that has one word wrong."""
    project.standard(extra=extra)
    project.dataset("prompts", MANY)
    _models(project, **content)


def _models(project: GateProject, **content: object) -> None:
    project.model("f32", RIGHT, log=str(project.root / "f32.log"), **content)
    project.model("q8_0", {**RIGHT, 1600: "please"}, log=str(project.root / "q8_0.log"), **content)


def _on(cluster: Cluster, there: str = COPY, **more: object) -> str:
    """[executor] for the cluster, whose workers find copies of the gate's folder in their own, or at `there`."""
    lines = "".join(f"{key} = {value}\n" for key, value in more.items())
    return f'[executor]\nkind = "dask"\naddress = "{cluster.address}"\nfolders = {{ "." = "{there}" }}\n{lines}'


def _artifact(project: GateProject) -> list[dict[str, Any]]:
    """All hypotheses with their stamps, without what a clock says."""
    folder = project.root / ".asrgate" / "reports" / "wer"
    lines = [line for path in sorted(folder.glob("*.jsonl")) for line in path.read_text().splitlines()]
    return [{key: value for key, value in json.loads(line).items() if not key.endswith("_ms")} for line in lines]


def _report(project: GateProject) -> Any:
    """The JSON report without what a clock says."""

    def timeless(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: timeless(item) for key, item in value.items() if not key.endswith("_ms")}
        return [timeless(item) for item in value] if isinstance(value, list) else value

    found = timeless(json.loads((project.root / "report.json").read_text()))
    del found["gate"]["made"]
    return found


def _clear(project: GateProject) -> None:
    shutil.rmtree(project.root / ".asrgate", ignore_errors=True)
    for variant in ("f32", "q8_0"):
        (project.root / f"{variant}.log").unlink(missing_ok=True)


def _run(project: GateProject, *more: str) -> pytest.RunResult:
    """As a user would whose project forbids warnings."""
    return project.run("-m", "wer", "-W", "error", "--asrgate-json", "report.json", *more)


def _leave_dask(project: GateProject) -> None:
    """From now on this process decodes."""
    gate = project.root / "gate.toml"
    gate.write_text(gate.read_text().split("[executor]")[0])


def _clips(project: GateProject, variant: str = "f32") -> list[str]:
    return [line for line in project.log(variant) if " clip " in line]


@contextlib.contextmanager
def _running(project: GateProject, marker: str) -> Iterator[subprocess.Popen[str]]:
    """The gate in a process of its own, by now in the middle of f32; its children carry the marker."""
    command = [sys.executable, "-m", "pytest", *LEAN, "-p", "asrgate_fake", "-m", "wer", "-k", "f32"]
    # A shell that runs the tests in the background ignores SIGINT, and children inherit that.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        process = subprocess.Popen(
            command,
            cwd=project.root,
            env={**os.environ, "MARKER": marker},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
    finally:
        signal.signal(signal.SIGINT, before)
    with process:
        try:
            wait_for(lambda: len(_clips(project)) >= 6)
            yield process
        finally:
            process.kill()


def _dask_workers(marker: str) -> list[int]:
    """The processes of Dask workers among those that carry a marker: children of the cluster's host by `spawn`."""
    found = []
    for pid in alive(marker):
        with contextlib.suppress(OSError):
            if b"multiprocessing.spawn" in Path(f"/proc/{pid}/cmdline").read_bytes():
                found.append(int(pid))
    return found


def test_a_cluster_of_this_machine_changes_nothing(project: GateProject, monkeypatch: pytest.MonkeyPatch) -> None:
    """One and two Dask workers give report and hypotheses of `kind = "local"`; a rerun starts no cluster."""
    found = []
    for extra in ("", OWN.format(workers=1), OWN.format(workers=2)):
        _clear(project)
        _project(project, extra, seconds=0.01)
        _run(project).assert_outcomes(passed=2)
        found.append((_report(project), _artifact(project)))
        # Nothing is decoded twice, and a model is loaded once by each worker.
        assert len(set(_clips(project))) == len(_clips(project)) == len(MANY)
        assert project.log("f32").count("f32 load") == (2 if "= 2" in extra else 1)
    assert found[0] == found[1] == found[2]

    def refuse(*_: object) -> None:
        raise AssertionError("a cluster was started for nothing")

    monkeypatch.setattr("pytest_asrgate.executors.dask.connect", refuse)
    result = _run(project)
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(["transcribed nothing: all 64 hypotheses were there already*"])


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="looks for processes in /proc")
def test_a_killed_worker_loses_nothing(project: GateProject) -> None:
    """A Dask worker that is killed in the middle: its shard is done again, and each row is stored once."""
    _project(project, OWN.format(workers=2), seconds=0.1)
    marker = f"asrgate-dask-{project.root}"
    with _running(project, marker) as process:
        (killed, *_) = _dask_workers(marker)
        os.kill(killed, signal.SIGKILL)
        output, _ = process.communicate(timeout=120)
    assert process.returncode == 0, output
    assert "transcribed 32 utterances now" in output
    # An engine for the worker that came in its place.
    assert project.log("f32").count("f32 load") == 3
    assert left_over(marker) == []
    assert [row["hyp_text"] for row in _artifact(project) if "id" in row] == MANY


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="looks for orphans in /proc")
@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGKILL])
def test_whatever_ends_pytest_leaves_no_process_of_its_cluster(project: GateProject, sent: signal.Signals) -> None:
    """Ctrl-C or a kill in the middle: no orphan, finished rows are kept, and the rerun does what is missing."""
    _project(project, OWN.format(workers=2), seconds=0.1)
    marker = f"asrgate-dask-{project.root}"
    with _running(project, marker) as process:
        process.send_signal(sent)
        output, _ = process.communicate(timeout=60)
    wait_for(lambda: not alive(marker))
    if sent is signal.SIGINT:
        assert process.returncode == pytest.ExitCode.INTERRUPTED, output
    before = len(_clips(project))
    assert before < len(MANY)
    _leave_dask(project)
    _run(project, "-k", "f32").assert_outcomes(passed=1, deselected=1)
    # Each of two workers may have finished clips that nobody heard of, and begun another.
    assert len(MANY) <= len(_clips(project)) <= len(MANY) + 8


def test_workers_with_files_of_their_own_change_nothing(project: GateProject, cluster: Cluster) -> None:
    """A simulated cluster of two machines, each with its own copies: report and hypotheses as without one."""
    found = []
    for extra in ("", _on(cluster)):
        _clear(project)
        _project(project, extra, seconds=0.02, log_process=True)
        cluster.copy(project.root, "a", "b")
        _run(project).assert_outcomes(passed=2)
        found.append((_report(project), _artifact(project)))
    assert found[0] == found[1]
    # Both machines decoded, and both were told to free their models.
    assert len({line.split()[-1] for line in _clips(project)}) == 2
    wait_for(lambda: not [pid for pid in alive("ASRGATE_TEST_CLUSTER") if _is_engine(pid)])


def _is_engine(pid: str) -> bool:
    with contextlib.suppress(OSError):
        return b"transcribers.worker" in Path(f"/proc/{pid}/cmdline").read_bytes()
    return False


@pytest.mark.skipif(sys.platform == "darwin", reason="caches are elsewhere there")
def test_workers_fetch_what_they_have_not(project: GateProject, cluster: Cluster) -> None:
    """A URL instead of a folder: model and audio are fetched once into each worker's cache."""
    _project(project, _on(cluster, project.root.as_uri()), seconds=0.02, log_process=True)
    for worker in ("a", "b"):
        shutil.rmtree(cluster.root / worker / "cache", ignore_errors=True)
    _run(project, "-k", "f32").assert_outcomes(passed=1, deselected=1)
    assert len({line.split()[-1] for line in _clips(project)}) == 2
    names = [path.name for path in cluster.root.glob("*/cache/pytest-asrgate/fetched/*/*/*")]
    assert names.count("f32.json") == 2
    # Each clip by the one worker that decoded it; half of what was begun would have another name.
    assert sorted(name for name in names if name != "f32.json") == sorted(f"{n}.wav" for n in range(len(MANY)))


def test_another_model_on_one_worker_is_refused(project: GateProject, cluster: Cluster) -> None:
    """One sentence names the worker, its file and both hashes; nothing that it could decode is kept."""
    _project(project, _on(cluster), seconds=0.02)
    cluster.copy(project.root, "a", "b")
    other = cluster.root / "b" / COPY / "q8_0.json"
    wrong = {**json.loads(other.read_text()), "texts": dict.fromkeys(map(str, RIGHT), "of another model")}
    other.write_text(json.dumps(wrong))
    result = _run(project)
    result.assert_outcomes(passed=1, failed=1)
    output = result.stdout.str()
    for part in (
        str(other),
        file_sha256(other),
        file_sha256(project.root / "q8_0.json"),
        "worker tcp://127.0.0.1:",
    ):
        assert part in output
    # What is in the store by now is found by the next run, which has the right model only.
    _leave_dask(project)
    _run(project).assert_outcomes(passed=2)
    texts = [row["hyp_text"] for row in _artifact(project) if "id" in row]
    assert (len(texts), "of another model" in texts) == (2 * len(MANY), False)


def test_a_model_that_is_replaced_during_the_run_is_refused(
    project: GateProject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """On the worker that has it loaded: no row under the first one's name, and one sentence."""
    with contextlib.closing(Cluster(tmp_path_factory.mktemp("replaced"))) as cluster:
        cluster.start("worker")
        _project(project, _on(cluster), seconds=0.1)
        cluster.copy(project.root, "worker")
        other = cluster.root / "worker" / COPY / "f32.json"
        with _running(project, f"asrgate-dask-{project.root}") as process:
            other.write_text(other.read_text() + " ")
            output, _ = process.communicate(timeout=120)
    assert process.returncode == pytest.ExitCode.TESTS_FAILED, output
    assert f"{other} was replaced during the run" in output
    assert file_sha256(project.root / "f32.json") in output
    assert len(_clips(project)) < len(MANY)


def test_two_runs_on_one_cluster_take_turns(project: GateProject, cluster: Cluster) -> None:
    """Each pair loads its model once on each worker, whoever runs beside it."""
    _project(project, _on(cluster), seconds=0.05)
    cluster.copy(project.root, "a", "b")
    project.run_apart("-m", "wer", "-n", "2").assert_outcomes(passed=2)
    for variant in ("f32", "q8_0"):
        assert len(_clips(project, variant)) == len(MANY)
        assert project.log(variant).count(f"{variant} load") <= 3


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="looks for the process in /proc")
def test_a_scheduler_that_pauses_loses_nothing(
    project: GateProject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Its workers decode meanwhile; nobody takes it for lost within `wait_s`."""
    with contextlib.closing(Cluster(tmp_path_factory.mktemp("paused"))) as cluster:
        cluster.start("worker")
        _project(project, _on(cluster, wait_s=120), seconds=0.1)
        project.pytester.makeconftest("from pytest_asrgate.executors import cluster\ncluster._ANSWER_S = 1.0\n")
        cluster.copy(project.root, "worker")
        with _running(project, f"asrgate-dask-{project.root}") as process:
            cluster.pause("scheduler", 8)
            output, _ = process.communicate(timeout=120)
    assert process.returncode == 0, output
    assert len(_clips(project)) == len(MANY)


def test_audio_that_differs_on_a_worker_is_an_error_row(project: GateProject, cluster: Cluster) -> None:
    """It names the worker's file, and costs no other utterance."""
    _project(project, _on(cluster))
    cluster.copy(project.root, "a", "b")
    for worker in ("a", "b"):
        (cluster.root / worker / COPY / "prompts" / "3.wav").unlink()
    result = _run(project, "-k", "f32")
    result.stdout.fnmatch_lines(
        [f"*prompts-3: worker tcp://127.0.0.1:*{COPY}/prompts/3.wav cannot be read (No such*"]
    )
    assert len(_clips(project)) == len(MANY) - 1


def test_another_engine_on_one_worker_is_refused(project: GateProject, cluster: Cluster) -> None:
    """The same command is another program on one of them: the sentence names what differs."""
    _project(project, _on(cluster))
    text = (project.root / "gate.toml").read_text()
    (project.root / "engine.py").write_text(ENGINE)
    (project.root / "gate.toml").write_text(
        text.replace('kind = "fake"', 'kind = "command"\noptions = { command = ["python", "engine.py"] }')
    )
    cluster.copy(project.root, "a", "b")
    found = _run(project, "-k", "f32")
    assert [row["hyp_text"] for row in _artifact(project) if "id" in row] == [str(n) for n in range(len(MANY))]
    found.stdout.no_fnmatch_line("*another engine*")
    _clear(project)
    (cluster.root / "b" / COPY / "engine.py").write_text(ENGINE + "# of yesterday\n")
    # Both must open it anew to see it.
    result = _run(project, "-k", "f32")
    result.stdout.fnmatch_lines(["*worker tcp://127.0.0.1:* is another engine*files {*engine.py*not {*engine.py*"])


def test_resources_that_no_worker_offers(project: GateProject, cluster: Cluster) -> None:
    """After `wait_s` one sentence says how to start a worker that does."""
    _project(project, _on(cluster, wait_s=0.5, resources="{ GPU = 1 }"))
    result = _run(project)
    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(
        [
            "*of its 2 workers none offers GPU=1 (waited for 0.5 s)*"
            f'*dask worker {cluster.address} --resources "GPU=1"*'
        ]
    )


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGKILL])
def test_a_cluster_does_not_go_on_for_nobody(project: GateProject, cluster: Cluster, sent: signal.Signals) -> None:
    """Ctrl-C or a kill of pytest: the workers end their engines, and the rerun finds what was finished."""
    _project(project, _on(cluster), seconds=0.1)
    cluster.copy(project.root, "a", "b")
    with _running(project, f"asrgate-dask-{project.root}") as process:
        process.send_signal(sent)
        process.communicate(timeout=60)
    wait_for(lambda: not [pid for pid in alive("ASRGATE_TEST_CLUSTER") if _is_engine(pid)])
    before = len(_clips(project))
    assert before < len(MANY)
    _leave_dask(project)
    _run(project, "-k", "f32").assert_outcomes(passed=1, deselected=1)
    assert len(MANY) <= len(_clips(project)) <= len(MANY) + 8


def test_the_repeat_check_runs_in_one_engine_and_then_in_a_fresh_one(
    project: GateProject, cluster: Cluster
) -> None:
    """An engine that answers otherwise after each start is found out on a cluster as well."""
    extra = _on(cluster)
    project.standard(extra=extra)
    text = (project.root / "gate.toml").read_text()
    (project.root / "gate.toml").write_text(text.replace('kind = "fake"', 'kind = "fake"\nrepeat = 3'))
    right = {1600 + number: sentence for number, sentence in enumerate(SENTENCES)}
    flips = {"do": "each start", "texts": [SENTENCES[0], "something else"]}
    project.model("f32", {**right, 1600: flips}, log=str(project.root / "f32.log"))
    cluster.copy(project.root, "a", "b")
    result = _run(project, "-k", "f32")
    result.stdout.fnmatch_lines(["flips: f32 prompts 1 of 8 in 3 decodings"])


def test_the_latency_probe_runs_on_this_machine(project: GateProject, cluster: Cluster) -> None:
    """Its engine is one of this machine's, whose figures are stamped with its name."""
    _project(project, _on(cluster))
    text = (project.root / "gate.toml").read_text()
    (project.root / "gate.toml").write_text(text.replace("[thresholds]", "[thresholds]\nlatency_ratio = 1000.0"))
    cluster.copy(project.root, "a", "b")
    _run(project, "-k", "q8_0").assert_outcomes(passed=1, deselected=1)
    assert _report(project)["pairs"][0]["latency"]["host"]


FACTORIES = """
from pathlib import Path
from distributed import LocalCluster, Client
class Mine(LocalCluster):
    def close(self, timeout=None):
        Path("closed").touch()
        return super().close(timeout)
def cluster():
    return Mine(n_workers=1, threads_per_worker=2, processes=False, resources={"model": 2},
                protocol="tcp://", host="127.0.0.1", dashboard_address="127.0.0.1:0",
                scheduler_kwargs={"dashboard": False})
def client():
    return Client(cluster(), set_as_default=False)
def number():
    return 3
def fail():
    raise ValueError("no quota left")
"""


@pytest.mark.parametrize("factory", ["cluster", "client"])
def test_a_factory_beside_the_gate_file(project: GateProject, factory: str) -> None:
    """`module:factory` gives a cluster or a client, which is closed in the end."""
    module = f"my_{factory}"
    (project.root / f"{module}.py").write_text(FACTORIES)
    _project(project, f'[executor]\nkind = "dask"\ncluster = "{module}:{factory}"\n', seconds=0.01)
    result = project.run("-m", "wer")
    result.assert_outcomes(passed=2)
    # Two threads with a model each.
    assert project.log("f32").count("f32 load") == 2
    assert (project.root / "closed").exists()


@pytest.mark.parametrize(
    ("factory", "sentence"),
    [
        ("number", "*executor.cluster: my_faults:number returned int, which is no Dask cluster or client*"),
        ("fail", "*executor.cluster: my_faults:fail failed (ValueError: no quota left)*"),
        ("absent", "*executor.cluster: my_faults:absent failed (AttributeError: *"),
    ],
)
def test_a_factory_that_cannot_be_used(project: GateProject, factory: str, sentence: str) -> None:
    """One sentence names it and what is wrong."""
    (project.root / "my_faults.py").write_text(FACTORIES)
    _project(project, f'[executor]\nkind = "dask"\ncluster = "my_faults:{factory}"\n')
    result = _run(project)
    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines([sentence])


def test_no_scheduler_at_an_address(project: GateProject) -> None:
    """One sentence names the address."""
    _project(project, '[executor]\nkind = "dask"\naddress = "tcp://127.0.0.1:9"\nwait_s = 1\n')
    result = _run(project, "-k", "f32")
    result.assert_outcomes(failed=1, deselected=1)
    result.stdout.fnmatch_lines(["*executor.address: no Dask scheduler answers at tcp://127.0.0.1:9 within 1 s*"])


def test_dask_that_is_not_installed(project: GateProject, monkeypatch: pytest.MonkeyPatch) -> None:
    """One sentence names what to install."""
    monkeypatch.setitem(sys.modules, "distributed", None)
    _project(project, OWN.format(workers=1))
    result = _run(project, "-k", "f32")
    result.assert_outcomes(failed=1, deselected=1)
    result.stdout.fnmatch_lines(["*install pytest-asrgate[[]dask[]]*"])


@pytest.mark.parametrize(
    ("lost", "sentence"),
    [
        ("scheduler", "*the connection to the Dask scheduler at tcp://127.0.0.1:* was lost*"),
        (
            "worker",
            "*the Dask cluster at * decodes nothing: it has no worker that offers model=1 (waited for 1 s)*",
        ),
    ],
)
def test_what_is_lost_for_good_ends_the_run(
    project: GateProject, tmp_path_factory: pytest.TempPathFactory, lost: str, sentence: str
) -> None:
    """One sentence, and finished rows are kept."""
    with contextlib.closing(Cluster(tmp_path_factory.mktemp("lost"))) as cluster:
        cluster.start("worker")
        _project(project, _on(cluster, wait_s=1), seconds=0.1)
        cluster.copy(project.root, "worker")
        with _running(project, f"asrgate-dask-{project.root}") as process:
            cluster.processes[lost].kill()
            output, _ = process.communicate(timeout=120)
    assert process.returncode == pytest.ExitCode.TESTS_FAILED, output
    pytest.LineMatcher(output.splitlines()).fnmatch_lines([sentence])
    kept = len(_clips(project))
    _leave_dask(project)
    _run(project, "-k", "f32").assert_outcomes(passed=1, deselected=1)
    assert len(MANY) <= len(_clips(project)) < kept + len(MANY)
