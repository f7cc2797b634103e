"""The controller's end of a worker: one answer a question, and a named cause for everything else."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pytest_asrgate.errors import WorkerError
from pytest_asrgate.transcribers.client import WorkerClient

PRELUDE = """
import json, os, sys, time
requests, answers = os.fdopen(int(sys.argv[1])), int(sys.argv[2])
def say(text): os.write(answers, text if isinstance(text, bytes) else text.encode() + b"\\n")
line = requests.readline()
"""


@pytest.fixture
def clients(tmp_path: Path) -> Iterator[object]:
    """Makes clients of small programs, and closes them."""
    made: list[WorkerClient] = []

    def make(code: str, memory_mb: int = 4000) -> WorkerClient:
        script = tmp_path / f"worker{len(made)}.py"
        script.write_text(PRELUDE + code)
        made.append(WorkerClient([sys.executable, str(script), "{requests}", "{answers}"], memory_mb=memory_mb))
        return made[-1]

    yield make
    for client in made:
        client.close()
        client.close()


def test_question_and_answer(clients: type[WorkerClient]) -> None:
    """Messages of any size cross unharmed, also in pieces, and whatever is printed does not disturb them."""
    client = clients(
        "print('noise on stdout', flush=True)\n"
        "while line:\n"
        "    text = line.rstrip('\\n')\n"
        "    for start in range(0, len(text), 1000): say(text[start:start + 1000].encode())\n"
        "    say(b'\\n'); line = requests.readline()\n"
    )
    for size in (1, 100_000, 7):
        message = {"text": "ü\n" * size}
        assert client.ask(message, 30) == message


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        ("say('nonsense')", "no JSON object: 'nonsense'"),
        ("say('[1]')", "no JSON object"),
        ("say('[' * 200_000)", "no JSON object"),
        ("say(b'\\xff\\xfe\\x00\\n')", "no JSON object"),
        ("sys.stderr.write('broken tensor\\n'); sys.exit(9)", "exit code 9; last output: broken tensor"),
        ("os.close(answers); time.sleep(60)", "closed its pipe without ending"),
        ("time.sleep(60)", "no answer within 1 s"),
        ("say(b'x' * 9_000_000)", "a line of over 8388608 bytes"),
    ],
)
def test_everything_else_is_a_worker_error(clients: type[WorkerClient], code: str, sentence: str) -> None:
    """Nonsense, early ends, closed pipes, silence and endless lines are WorkerErrors that say what it was."""
    client = clients(code)
    with pytest.raises(WorkerError) as caught:
        client.ask({"id": "a"}, 1 if "sleep(60)" in code and "close" not in code else 30)
    assert sentence in str(caught.value)


def test_memory_is_watched(clients: type[WorkerClient]) -> None:
    """A worker that grows over its limit is stopped while it works, before its time runs out."""
    client = clients(
        "say('{}'); requests.readline()\n"
        "hoard = bytearray(200_000_000); hoard[::4096] = b'x' * len(hoard[::4096]); time.sleep(60)\n",
        memory_mb=100,
    )
    client.ask({}, 30)
    with pytest.raises(WorkerError, match=r"grew to \d+ MB, over memory_mb = 100"):
        client.ask({}, 30)


def test_big_request_to_a_deaf_worker_times_out(clients: type[WorkerClient]) -> None:
    """A worker that does not read cannot block us for longer than its time."""
    client = clients("time.sleep(60)")
    with pytest.raises(WorkerError, match="no answer within 1 s"):
        client.ask({"text": "x" * 5_000_000}, 1)
