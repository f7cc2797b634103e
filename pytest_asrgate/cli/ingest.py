"""`asrgate ingest`: a corpus as it was downloaded → 16-bit mono 16 kHz files and a manifest."""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

from pytest_asrgate.cli.progress import progress
from pytest_asrgate.corpora.corpus import Corpus, Settings
from pytest_asrgate.corpora.registry import CORPORA
from pytest_asrgate.errors import DatasetError
from pytest_asrgate.ingest.choice import Choice, Policies
from pytest_asrgate.ingest.ingest import Ingested, Intake, Plan, ingest, speakers_of, take_in
from pytest_asrgate.ingest.places import check_names
from pytest_asrgate.ingest.sounds import CLIPPED, FORMATS, MIXED, SILENT
from pytest_asrgate.languages import language_problem
from pytest_asrgate.values import first_of, named, plural

__all__ = ["DESCRIPTION", "add_arguments", "run"]

DESCRIPTION = (
    "Write the sounds of a corpus as 16-bit mono files at 16 kHz, and a manifest of them with texts, speakers "
    "and durations. What is there already and still matches is left alone, so that a rerun goes on where one ended."
)

# The options that only some corpora use: name in Settings, option, metavar, help.
_OWN = (
    ("split", "--split", "NAME", "the part of the corpus, as it is called there"),
    ("transcripts", "--transcripts", "FILE", "the transcripts, where they lie elsewhere"),
    ("audio", "--audio", "DIR", "the sounds, where they lie elsewhere"),
    ("audio_column", "--audio-column", "NAME", "the column of the sound's path"),
    ("text_column", "--text-column", "NAME", "the column of the transcript"),
    ("id_column", "--id-column", "NAME", "the column of the id"),
    ("speaker_column", "--speaker-column", "NAME", "the column of the speaker"),
    ("language_column", "--language-column", "NAME", "the column of the language"),
    ("tag_columns", "--tag-column", "NAME", "a column whose values are groups to slice by; may be repeated"),
    ("delimiter", "--delimiter", "C", r"what separates columns: one character, or \t for a tab"),
    ("quoting", "--quoting", "csv|none", "whether a field that begins with a quotation mark ends with one"),
    ("header", "--no-header", "", "the table has no line of names; columns are numbers from 1"),
)
# What is odd about sounds that were taken.
_MARKS = {
    MIXED: "with several channels, mixed down (--channel takes one)",
    CLIPPED: "louder than full scale, clipped",
    SILENT: "of digital silence, every sample 0",
}
_PATHS = frozenset({"transcripts", "audio"})
_MOST_WORKERS = 256


def _count(text: str) -> int:
    try:
        number = int(text)
    except ValueError:
        number = 0
    if not 0 < number <= 10**9:
        raise argparse.ArgumentTypeError(f"must be a whole number from 1; it is {text!r}")
    return number


def _workers(text: str) -> int:
    number = _count(text)
    if number > _MOST_WORKERS:
        raise argparse.ArgumentTypeError(f"must be at most {_MOST_WORKERS}; it is {number}")
    return number


def _delimiter(text: str) -> str:
    character = "\t" if text in {"\\t", "tab"} else text
    if len(character) != 1:
        raise argparse.ArgumentTypeError(rf"must be one character, or \t for a tab; it is {text!r}")
    return character


def _add_own_arguments(parser: argparse.ArgumentParser, names: Sequence[str]) -> None:
    for name, option, metavar, text in _OWN:
        if name not in names:
            continue
        if name == "header":
            parser.add_argument(option, dest=name, action="store_false", help=text)
        elif name == "tag_columns":
            parser.add_argument(option, dest=name, action="append", default=[], metavar=metavar, help=text)
        elif name == "delimiter":
            parser.add_argument(option, dest=name, type=_delimiter, metavar=metavar, help=text)
        else:
            kind = Path if name in _PATHS else str
            parser.add_argument(option, dest=name, type=kind, metavar=metavar, help=text)


def _add_common_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("source", type=Path, metavar="SOURCE", help="the corpus: its folder or file")
    add(
        "--out-dir",
        type=Path,
        required=True,
        metavar="DIR",
        help="where the sounds go: in the manifest's folder or below it",
    )
    add("--manifest", type=Path, required=True, metavar="FILE", help="the manifest to write")
    add("--format", choices=FORMATS, default=FORMATS[0], help="of the sounds (default: %(default)s)")
    add("--language", metavar="L", help="of every utterance; else what the corpus says of each")
    add("--sample", type=_count, metavar="N", help="take N utterances, of each speaker his share")
    add("--seed", type=int, default=0, metavar="S", help="of the sample (default: %(default)s)")
    add(
        "--empty",
        choices=("keep", "drop"),
        help="transcripts without a letter or digit; must be said where there are any",
    )
    add(
        "--non-speech",
        choices=("keep", "drop"),
        help="transcripts that only say what is heard: [noise], <unk>; must be said where there are any",
    )
    add(
        "--unpaired",
        choices=("refuse", "skip"),
        default="refuse",
        help="transcript without sound, or the reverse (default: %(default)s)",
    )
    add(
        "--unreadable",
        choices=("refuse", "skip"),
        default="refuse",
        help="sounds that cannot be decoded (default: %(default)s)",
    )
    add(
        "--channel",
        type=_count,
        metavar="N",
        help="take this channel, from 1, where the corpus names none; else all are mixed down",
    )
    add("--workers", type=_workers, default=1, metavar="N", help="processes that decode (default: %(default)s)")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options: a parser of its own for each corpus, with the options that it uses."""
    corpora = parser.add_subparsers(dest="corpus", required=True, metavar="CORPUS")
    for name, adapter in CORPORA.items():
        corpus = corpora.add_parser(name, help=adapter.summary, description=adapter.summary)
        _add_common_arguments(corpus)
        _add_own_arguments(corpus, adapter.settings)


def _settings(options: argparse.Namespace, names: Sequence[str]) -> Settings:
    values = {name: getattr(options, name) for name in names}
    if "tag_columns" in values:
        values["tag_columns"] = tuple(values["tag_columns"])
    return Settings(**values)


def _plan(options: argparse.Namespace, settings: Settings) -> Plan:
    return Plan(
        source=options.source,
        folder=options.out_dir,
        manifest=options.manifest,
        read=tuple(path for path in (settings.transcripts, settings.audio) if path is not None),
        format=options.format,
        language=options.language,
        channel=None if options.channel is None else options.channel - 1,
        sample=options.sample,
        seed=options.seed,
        policies=Policies(options.empty, options.non_speech, options.unpaired),
        unreadable=options.unreadable,
        workers=options.workers,
    )


def _found(corpus: Corpus) -> Iterator[str]:
    wordless = sum(orphan.has_sound for orphan in corpus.orphans)
    transcripts = len(corpus.clips) + len(corpus.orphans) - wordless
    sounds = len(corpus.clips) + wordless
    count = speakers_of(corpus.clips)
    speakers = f", {plural(count, 'speaker')}" if count else ""
    yield f"found {plural(transcripts, 'transcript')} and {plural(sounds, 'sound')}{speakers}"
    yield from corpus.notes


def _chosen(choice: Choice, policies: Policies) -> Iterator[str]:
    done = {"keep": "kept", "drop": "dropped"}
    for names, what, policy in (
        (choice.empty, "with an empty transcript", policies.empty),
        (choice.non_speech, "without speech", policies.non_speech),
    ):
        if names:
            yield f"{done[policy or 'keep']} {plural(len(names), 'utterance')} {what}: {named(names)}"
    for names, noun, lack in (
        (choice.without_sound, "transcript", "sound"),
        (choice.without_transcript, "sound", "transcript"),
    ):
        if names:
            yield f"skipped {plural(len(names), noun)} without {lack}: {named(names)}"


def _sampled(intake: Intake, plan: Plan) -> Iterator[str]:
    if plan.sample is None:
        return
    if plan.sample >= intake.total:
        yield f"took all {plural(intake.total, 'utterance')}, since --sample {plan.sample} is not fewer"
        return
    speakers = f" of {plural(intake.speakers, 'speaker')}" if intake.speakers else ""
    yield f"took {plan.sample} of {plural(intake.total, 'utterance')}{speakers} (--seed {plan.seed})"


def _ended(done: Ingested, plan: Plan) -> Iterator[str]:
    if done.unreadable:
        sounds = plural(len(done.unreadable), "sound")
        yield f"skipped {sounds} that cannot be read: {first_of(done.unreadable)}"
    for mark, what in _MARKS.items():
        if done.marked[mark]:
            yield f"{plural(len(done.marked[mark]), 'sound')} {what}: {named(done.marked[mark])}"
    were = "was" if done.there == 1 else "were"
    yield (
        f"wrote {plural(done.written, 'sound')} ({done.there} {were} there already), "
        f"{done.seconds / 3600:.2f} h, into {plan.folder}"
    )
    if done.others:
        verb = "is" if done.others == 1 else "are"
        yield f"{plural(done.others, 'sound')} of other runs {verb} in {plan.folder}, too"
    speakers = f", {plural(done.speakers, 'speaker')}" if done.speakers else ""
    verb = "wrote" if done.changed else "left as it was:"
    languages = ", ".join(done.languages)
    yield f"{verb} {plan.manifest}: {plural(done.utterances, 'utterance')}{speakers}, {languages}"


def run(options: argparse.Namespace) -> Iterator[str]:
    """Ingest a corpus; yields the lines to print. AsrGateError where it cannot be done or is not complete."""
    adapter = CORPORA[options.corpus]
    settings = _settings(options, adapter.settings)
    problem = None if options.language is None else language_problem(options.language)
    if problem:
        raise DatasetError(f"--language: {problem}")
    plan = _plan(options, settings)
    named_paths = {
        "SOURCE": plan.source,
        "--out-dir": plan.folder,
        "--manifest": plan.manifest,
        "--transcripts": settings.transcripts,
        "--audio": settings.audio,
    }
    check_names((option, path) for option, path in named_paths.items() if path is not None)
    corpus = adapter.read(options.source, settings)
    # First, since notes say why something is lacking.
    yield from _found(corpus)
    intake = take_in(corpus, plan, adapter.language)
    if intake.overridden:
        others = ", ".join(f"{code} ({count})" for code, count in intake.overridden.items())
        yield f"--language {options.language}: of every utterance, though the corpus says of some {others}"
    yield from _chosen(intake.choice, plan.policies)
    yield from _sampled(intake, plan)
    with progress("sounds", len(intake.jobs)) as advance:
        done = ingest(intake, plan, advance)
    yield from _ended(done, plan)
