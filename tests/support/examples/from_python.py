from pytest_asrgate import GateSession, open_gate

with GateSession(open_gate("gate.toml")) as session:
    verdict = session.verdict("q8_0", "prompts")
    counts = session.score("q8_0", "prompts").counts
    print(f"{verdict.outcome}: WER {counts.rate_pct:.2f} %, {counts.errors} errors over {counts.words} words")
    for hypothesis in session.hypotheses("q8_0", "prompts").hypotheses[:2]:
        print(hypothesis.id, hypothesis.text)
