"""Reports of any size to open in a browser, made by the package's own scorer from made-up outputs."""

import random
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import soundfile

from pytest_asrgate.config import Pair, Thresholds, TranscriberSettings, Variant
from pytest_asrgate.datasets.load import LoadedDataset
from pytest_asrgate.records import Hypothesis, HypothesisSet, RowStatus, Utterance
from pytest_asrgate.reports.entries import PairEntry, pair_entry
from pytest_asrgate.reports.json_report import Report, session_report
from pytest_asrgate.scoring import score
from pytest_asrgate.verdict import decide
from tests.unit.builders import CONTRACT, NOTE, dataset

__all__ = ["SPOKEN", "Heard", "many", "report", "write_sound"]

# Id, reference, the baseline's output, the variant's output (None for an error row).
Heard = tuple[str, str, str, str | None]

SPOKEN: Mapping[str, tuple[str, Sequence[Heard]]] = {
    "english": (
        "en",
        [
            ("same", "turn the lights on", "Turn the lights on.", "Turn the lights on."),
            ("worse", "call the doctor at nine", "call the doctor at nine", "please call a doctor at five"),
            ("better", "close the window", "close a widow", "close the window"),
            ("silence", "", "", "thank you for watching"),
            ("empty", "are you still there", "are you still there", ""),
            ("lost", "open the garage", "open the garage", None),
            ("hostile", "less <b>than</b> & more", "less than more", "<script>alert(1)</script> less \u202ethan"),
            ("hidden", "it costs $5", "it costs $5", "it costs 5"),
            (
                "dropped",
                "one two three four five six seven eight",
                "one two three four five six seven eight",
                "one",
            ),
            (
                "loop",
                "go home now",
                "go home now",
                "go home go home go home go home go home go home go home go home",
            ),
        ],
    ),
    "hindi": (
        "hi",
        [
            ("hi-1", "कृपया दरवाज़ा बंद कर दो", "कृपया दरवाज़ा बंद कर दो", "कृपया दरवाजे बंद करो"),
            ("hi-2", "मुझे पानी चाहिए", "मुझे पानी चाहिए", "मुझे पानी चाहिए था"),
        ],
    ),
    "arabic": (
        "ar",
        [
            ("ar-1", "أغلق الباب من فضلك", "أغلق الباب من فضلك", "افتح الباب من فضلك"),
            ("ar-2", "أين أقرب محطة قطار", "أين أقرب محطة قطار", "أين أقرب محطة"),
        ],
    ),
    "japanese": (
        "ja",
        [("ja-1", "明日の天気を教えてください", "明日の天気を教えてください", "明日の電気を教えて下さい")],
    ),
}

_WORDS = (
    *("please", "turn", "down", "radio", "kitchen", "light", "home", "before", "seven", "open", "close", "garden"),
    *("door", "call", "doctor", "tomorrow", "morning", "rain", "window", "heating", "eleven", "minutes", "bus"),
    *("station", "left", "right", "again", "nothing", "bridge", "river", "second"),
)


def many(count: int, seed: int = 1) -> Sequence[Heard]:
    """That many utterances of 8 to 20 words; the variant changes each of them in one to four places."""
    draw = random.Random(seed)  # noqa: S311 - made-up sentences, no secret
    rows = []
    for number in range(count):
        spoken = [draw.choice(_WORDS) for _ in range(draw.randint(8, 20))]
        heard = list(spoken)
        for _ in range(draw.randint(1, 4)):
            place = draw.randrange(len(heard))
            heard[place] = draw.choice([f"{heard[place]}s", "", f"{heard[place]} uh"])
        before = list(spoken)
        before[0] = draw.choice([before[0], f"{before[0]}ly"])
        heard[-1] = f"{heard[-1]} then"
        texts = [" ".join(filter(None, words)) for words in (spoken, before, heard)]
        rows.append((f"made-{number:05d}", texts[0], texts[1], texts[2]))
    return rows


def write_sound(path: Path, seconds: float = 0.4, tone: float = 440.0) -> Path:
    """A short tone, mono at 16 kHz."""
    path.parent.mkdir(parents=True, exist_ok=True)
    time = np.arange(int(16_000 * seconds)) / 16_000
    soundfile.write(path, 0.2 * np.sin(2 * np.pi * tone * time), 16_000, subtype="PCM_16")
    return path


def _entries(
    name: str, language: str, rows: Sequence[Heard], folder: Path, *, sounds: bool, limits: Mapping[str, object]
) -> list[PairEntry]:
    settings = dataset(name=name, language=language)
    spoken = tuple(
        Utterance(
            id=identity,
            audio=folder / "sounds" / name / f"{identity}.wav",
            reference=reference,
            language=language,
            tags=(f"room:{'kitchen' if place % 2 else 'hall'}",),
            duration_s=0.4,
        )
        for place, (identity, reference, _, _) in enumerate(rows)
    )
    if sounds:
        for place, utterance in enumerate(spoken):
            write_sound(utterance.audio, tone=300.0 + 10.0 * (place % 50))
    data = LoadedDataset(name, spoken, (language,), "digest of the manifest", None, NOTE)
    made = {}
    for column, variant in ((2, "f32"), (3, "q4_0")):
        hypotheses = tuple(
            Hypothesis(row[0], "", RowStatus.ERROR, detail="crashed <b>hard</b>")
            if row[column] is None
            else Hypothesis(row[0], str(row[column]), latency_ms=100.0 + place % 40)
            for place, row in enumerate(rows)
        )
        size = {"f32": 108_000_000, "q4_0": 18_000_000}[variant]
        stamp = {"engine": "a test", "model": f"tiny-{variant}.gguf", "model_bytes": size, "threads": 1}
        contract = {**CONTRACT, "language": language}
        made[variant] = score(HypothesisSet(variant, name, hypotheses, contract, stamp), settings, data)
    engine = TranscriberSettings("native", "replay", "cpu", 60.0, 4000, {})

    def pair(variant: str) -> Pair:
        return Pair(
            variant=Variant(variant, engine, None, None, "f32"),
            dataset=settings,
            thresholds=Thresholds.model_validate(dict(limits)),
            expected_to_fail=False,
        )

    verdicts = [
        decide(pair("f32"), made["f32"], None, is_baseline=True),
        decide(pair("q4_0"), made["q4_0"], made["f32"]),
    ]
    return [pair_entry(verdict, with_utterances=True, gate_folder=folder) for verdict in verdicts]


def report(
    folder: Path,
    spoken: Mapping[str, tuple[str, Sequence[Heard]]] = SPOKEN,
    *,
    sounds: bool = False,
    limits: Mapping[str, object] | None = None,
) -> Report:
    """The report of a gate in `folder` over these data sets; each name leads to its language and rows."""
    limits = limits or {"errors": 1, "non_inferiority": 2.0, "wer": 60.0, "empty": 0}
    entries = [
        entry
        for name, (language, rows) in spoken.items()
        for entry in _entries(name, language, rows, folder, sounds=sounds, limits=limits)
    ]
    return session_report(folder / "gate.toml", entries, ["a note <i>of the gate</i>"], ["q8_0::english"])
