"""What scoring costs beside a naive scorer: python benchmarks/scoring.py [--rounds N] [--naive-rounds N].

2,620 utterances of 20 words, made here with a fixed seed. The naive scorer normalises and counts with the same two
libraries, and bootstraps by aligning the texts of every resample again. Printed are medians of CPU seconds, user
and system: of the two processes from start to end, and of the two bootstraps of 1,000 resamples alone.
"""

import argparse
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pytest_asrgate.records import Score

UTTERANCES = 2620
WORDS = 20
RESAMPLES = 1000
SEED = 42
ERROR_RATE = 0.06
# The share of utterances for which two variants write the same text.
AGREE = 0.7

ASRGATE = [sys.executable, "-c", "from pytest_asrgate.cli import main; raise SystemExit(main())", "score"]
NAIVE = [sys.executable, __file__, "--naive"]

PLAIN = """
    the a of and to in it was for on with as at by from they we you her this that which when there more than
    over into about after before again down under while still almost never always perhaps quite rather morning
    evening window kitchen garden river mountain harbour market doctor captain teacher neighbour letter answer
    question reason number silver narrow quiet heavy bright ancient gentle hurried walked carried opened
    listened remembered promised waited followed answered crossed counted borrowed repaired weather engine
    station platform ticket bridge village orchard blanket candle lantern basket copper thunder shadow whisper
    valley meadow colour favourite theatre centre grey
""".split()  # noqa: SIM905 - as items they fill a screen
# What the English normaliser has work with; the second spelling of a pair says the same in another way.
SPOKEN = [
    ("don't", "do not"),
    ("it's", "it is"),
    ("we'll", "we will"),
    ("they've", "they have"),
    ("couldn't", "could not"),
    ("I'm", "I am"),
    ("she'd", "she would"),
    ("can't", "can not"),
    ("Mr.", "mister"),
    ("Dr.", "doctor"),
    ("Mrs.", "missus"),
    ("twenty-three", "23"),
    ("seventeen", "17"),
    ("200", "two hundred"),
    ("nineteen", "19"),
    ("45", "forty five"),
    ("third", "3rd"),
    ("$12", "twelve dollars"),
    ("60%", "sixty percent"),
    ("O'Brien's", "O'Brien's"),
    ("London", "london"),
    ("Wednesday", "wednesday"),
    ("Thomas", "thomas"),
    ("um", ""),
    ("uh", ""),
]


def _plain(chance: random.Random) -> str:
    return chance.choice(PLAIN)


def _reference(chance: random.Random) -> list[tuple[str, str]]:
    """Twenty words, each with the other way to write it."""
    words = [
        chance.choice(SPOKEN) if chance.random() < 0.15 else (word := _plain(chance), word) for _ in range(WORDS)
    ]
    return [(words[0][0].capitalize(), words[0][1]), *words[1:]]


def _sentence(words: list[str], chance: random.Random) -> str:
    """The words with the punctuation of somebody who writes them down."""
    marked = [f"{word}," if chance.random() < 0.08 else word for word in words[:-1]]
    return " ".join([*marked, *words[-1:]]) + chance.choice([".", ".", ".", "?", "!"])


def _recognised(words: list[tuple[str, str]], chance: random.Random) -> list[str]:
    """The words as a recogniser might give them: some wrong, lost or added, some right and written otherwise."""
    heard = []
    for word, other in words:
        kind = chance.random() / ERROR_RATE
        if kind < 0.6:
            heard.append(_plain(chance))
        elif kind < 0.8:
            continue
        elif kind < 1.0:
            heard += [word, _plain(chance)]
        else:
            heard.append(other if chance.random() < 0.5 else word)
    return [word for word in heard if word]


def made_rows(chance: random.Random, utterances: int, variants: int) -> Iterator[tuple[str, list[str]]]:
    """References, and what each of several variants makes of them: presets of one model agree on most."""
    for _ in range(utterances):
        words = _reference(chance)
        texts = [_sentence(_recognised(words, chance), chance)]
        while len(texts) < variants:
            same = chance.random() < AGREE
            texts.append(texts[0] if same else _sentence(_recognised(words, chance), chance))
        yield _sentence([word for word, _ in words], chance), texts


def write_hypotheses(path: Path) -> None:
    """Write the same rows each time."""
    chance = random.Random(SEED)  # noqa: S311 - a corpus, no secret
    with path.open("w", encoding="utf-8") as file:
        for number in range(UTTERANCES):
            words = _reference(chance)
            row = {
                "id": f"{number // 65:02}-{number:04}",
                "ref_text": _sentence([word for word, _ in words], chance),
                "hyp_text": _sentence(_recognised(words, chance), chance),
                "language": "en",
            }
            file.write(json.dumps(row) + "\n")


def naive(path: Path) -> dict[str, float]:
    """Score the file the simple way, and return the error rate in percent and the bootstrap's CPU seconds."""
    import jiwer
    from whisper_normalizer.english import EnglishTextNormalizer

    normalise = EnglishTextNormalizer()
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    references = [normalise(row["ref_text"]) for row in rows]
    hypotheses = [normalise(row["hyp_text"]) for row in rows]
    overall = jiwer.process_words(references, hypotheses)
    for reference, hypothesis in zip(references, hypotheses, strict=True):
        jiwer.process_words(reference, hypothesis)

    begun = time.process_time()
    chance = random.Random(SEED)  # noqa: S311 - resamples, no secret
    rates = []
    for _ in range(RESAMPLES):
        drawn = chance.choices(range(len(rows)), k=len(rows))
        rates.append(jiwer.wer([references[number] for number in drawn], [hypotheses[number] for number in drawn]))
    rates.sort()
    return {
        "rate_pct": 100 * overall.wer,
        "low_pct": 100 * rates[round(0.025 * RESAMPLES)],
        "high_pct": 100 * rates[round(0.975 * RESAMPLES) - 1],
        "bootstrap_s": time.process_time() - begun,
    }


def _cpu_of(command: list[str]) -> tuple[float, str]:
    """Run a command; CPU seconds of its whole process, and what it printed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stdout


def _bootstrap(path: Path) -> tuple["Score", float]:
    """A score file's score, and CPU seconds of the interval over its counts alone: the median of five."""
    from pytest_asrgate.formats.score_file import read_score
    from pytest_asrgate.statistics import bootstrap

    score = read_score(path)
    counts = [row.counts for row in score.utterances if row.counts]
    errors, words = [item.errors for item in counts], [item.words for item in counts]
    times = []
    for _ in range(5):
        # The draws are kept for the next interval of a set of that size; here each is the first.
        bootstrap._times_drawn.cache_clear()
        begun = time.process_time()
        interval = bootstrap.rate_interval(errors, words)
        times.append(time.process_time() - begun)
        assert interval == score.interval
    return score, median(times)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3, help="runs of asrgate score")
    parser.add_argument("--naive-rounds", type=int, default=1, help="runs of the naive scorer, about a minute each")
    parser.add_argument("--naive", type=Path, metavar="FILE", help=argparse.SUPPRESS)
    return parser.parse_args()


def compare(rounds: int, naive_rounds: int) -> None:
    """Alternate the two scorers over one file, and print what each took and found."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "made.jsonl"
        write_hypotheses(path)
        ours, theirs, loops, found = [], [], [], {}
        for number in range(max(rounds, naive_rounds)):
            if number < rounds:
                ours.append(_cpu_of([*ASRGATE, str(path)])[0])
            if number < naive_rounds:
                seconds, printed = _cpu_of([*NAIVE, str(path)])
                found = json.loads(printed)
                theirs.append(seconds)
                loops.append(found["bootstrap_s"])
        score, interval_s = _bootstrap(path.with_suffix(".score.json"))
    assert score.interval is not None
    print(f"{UTTERANCES} utterances of {WORDS} words, {RESAMPLES} resamples; CPU seconds, medians")
    print(
        f"asrgate score, the process: {median(ours):.2f} s of {len(ours)}; "
        f"WER {score.counts.rate_pct:.3f} % ({score.interval.low:.2f} – {score.interval.high:.2f})"
    )
    print(
        f"naive scorer, the process: {median(theirs):.2f} s of {len(theirs)}; "
        f"WER {found['rate_pct']:.3f} % ({found['low_pct']:.2f} – {found['high_pct']:.2f})"
    )
    print(f"ratio: {median(theirs) / median(ours):.1f}")
    print(
        f"bootstrap alone: {1000 * interval_s:.1f} ms against {median(loops):.2f} s; "
        f"ratio: {median(loops) / interval_s:.0f}"
    )


if __name__ == "__main__":
    options = _options()
    if options.naive:
        print(json.dumps(naive(options.naive)))
    else:
        compare(options.rounds, options.naive_rounds)
