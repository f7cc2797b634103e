from pytest_asrgate import GateSession


def test_polite_requests_lose_nothing(asrgate: GateSession) -> None:
    f32, q8_0 = asrgate.score("f32", "prompts"), asrgate.score("q8_0", "prompts")
    for before, after in zip(f32.utterances, q8_0.utterances, strict=True):
        if "please" in before.reference.split():
            assert before.counts, f"{before.id}: {before.detail}"
            assert after.counts, f"{after.id}: {after.detail}"
            assert after.counts.errors <= before.counts.errors, after.hypothesis
