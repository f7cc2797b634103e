"""The native command line, `transcribe-cli --batch --batch-jsonl`: one process for many files, read row by row."""

import hashlib
import json
import os
import tempfile
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pytest_asrgate.config import Recipe, TranscriberSettings
from pytest_asrgate.errors import AudioError, ModelError, TranscriberError
from pytest_asrgate.formats.rows import status_of_error
from pytest_asrgate.hashing import FileHashes
from pytest_asrgate.records import Hypothesis, RowStatus, Utterance
from pytest_asrgate.transcribers.lines import LineReader, LineTooLongError
from pytest_asrgate.transcribers.placement import placement_of
from pytest_asrgate.transcribers.processes import SupervisedProcess, describe_exit
from pytest_asrgate.transcribers.protocol import Identity
from pytest_asrgate.transcribers.rows import error_row, not_tried
from pytest_asrgate.transcribers.watched import EngineFiles, WatchedFiles
from pytest_asrgate.transcribers.waves import as_wave
from pytest_asrgate.values import finite_number, shown, without_surrogates

__all__ = ["NEEDED_FLAGS", "OPTIONS", "CliTranscriber"]

OPTIONS = ("path", "arguments")

_LOAD_TIMEOUT_S = 600.0
_HELP_TIMEOUT_S = 30.0
_FAILURES_IN_A_ROW = 5
_MOST_FINDINGS = 20
_LONGEST_SENTENCE = 1_000
NEEDED_FLAGS = ("--batch", "--batch-jsonl", "--language", "--threads", "--timestamps", "--backend")
# The command line has no words for these; whatever the library's defaults are is used (FACTS.md §1).
_NOT_CONTROLLABLE = ("temperatures", "compression_ratio", "logprob", "no_speech", "seed")


@dataclass(frozen=True, slots=True)
class _Clip:
    """One utterance as the program knows it; `seconds` is its length."""

    utterance: Utterance
    wave: Path
    seconds: float


@dataclass(frozen=True, slots=True)
class _End:
    """How one run of the program ended; `quiet` where nothing but a missing row shows that something is wrong."""

    sentence: str
    quiet: bool


def _last_lines(process: SupervisedProcess) -> str:
    lines = process.last_lines()
    return f"; last output: {lines}" if lines else ""


def _hypothesis(clip: _Clip, row: Mapping[str, Any]) -> Hypothesis:
    """A row of the program; where it names an error, only that and the text are trusted."""
    text, error = row.get("text"), row.get("error")
    text = without_surrogates(text) if isinstance(text, str) else text
    status, said = status_of_error(error), without_surrogates(str(error))[:_LONGEST_SENTENCE]
    if status is RowStatus.ERROR or not isinstance(text, str):
        return error_row(clip.utterance, said if error else "the program's row has no text")
    if error is not None:
        return Hypothesis(clip.utterance.id, text, status, said, audio_s=clip.seconds)
    mel, encode, decode = (finite_number(row.get(key)) for key in ("mel_ms", "encode_ms", "decode_ms"))
    times = [value for value in (mel, encode, decode) if value is not None]
    said_raw = row.get("raw_text")
    raw_text = without_surrogates(said_raw) if isinstance(said_raw, str) else None
    return Hypothesis(
        id=clip.utterance.id,
        text=text,
        raw_text=raw_text if raw_text is not None and raw_text.split() != text.split() else None,
        mel_ms=mel,
        encode_ms=encode,
        decode_ms=decode,
        latency_ms=sum(times) if times else None,
        audio_s=clip.seconds,
    )


@contextmanager
def _listed(names: Iterable[str]) -> Iterator[Path]:
    """A file with one name a line, as long as it is needed.

    Not in the state folder, which may be one to read only, or removed while the program runs.
    """
    handle, name = tempfile.mkstemp(prefix="asrgate-", suffix=".list")
    try:
        with open(handle, "w", encoding="utf-8") as file:  # noqa: PTH123 - it is open already
            file.writelines(f"{each}\n" for each in names)
        yield Path(name)
    finally:
        Path(name).unlink(missing_ok=True)


class CliTranscriber:
    """Runs the program over all missing utterances of one language at a time; a fault costs its culprit alone."""

    keeps_results = True
    keeps_process = False
    loads_to_identify = False

    def __init__(
        self,
        *,
        program: Path,
        model: Path,
        settings: TranscriberSettings,
        recipe: Recipe,
        state: Path,
        redact: Callable[[str], str] = str,
        files: FileHashes | None = None,
    ) -> None:
        """`state` is the folder that converted audio goes into, `redact` takes secrets out of what is stamped.

        `files` knows files that were hashed before.
        """
        self._files = EngineFiles(files or FileHashes(), self._identify)
        self._redact = redact
        self._program = program
        self._model = model
        self._settings = settings
        self._recipe = recipe
        self._state = state
        arguments = settings.options.get("arguments", [])
        self._arguments = [str(word) for word in arguments] if isinstance(arguments, list) else []
        self._flags: frozenset[str] | None = None
        self._load_ms: float | None = None
        self._findings: dict[str, None] = {}
        self._process_now: SupervisedProcess | None = None
        self._interrupted = False

    def _known_flags(self) -> frozenset[str]:
        """The flags that the program's help names, which differ by generation; TranscriberError if some lack."""
        if self._flags is not None:
            return self._flags
        try:
            with SupervisedProcess([str(self._program), "--help"]) as process:
                code = process.wait(_HELP_TIMEOUT_S)
                text = process.last_lines(1000)
        except OSError as error:
            raise TranscriberError(f"{self._program}: cannot be started ({error.strerror})") from error
        words = text.replace(",", " ").replace("|", " ").split()
        self._flags = frozenset(word for word in words if word.startswith("-"))
        lacking = [flag for flag in NEEDED_FLAGS if flag not in self._flags]
        if lacking:
            how = "did not end" if code is None else f"ended with {describe_exit(code)}"
            raise TranscriberError(
                f"{self._program}: is no transcribe-cli that can be used: its --help {how} and does not name "
                f"{', '.join(lacking)}"
            )
        return self._flags

    def _fixed(self) -> tuple[str, ...]:
        """What this program cannot be told."""
        flags = self._known_flags()
        lacking = [] if "--kv-type" in flags else ["kv_type"]
        lacking += [] if "--condition-on-prev-tokens" in flags else ["condition_on_previous"]
        return (*_NOT_CONTROLLABLE, *lacking)

    def identity(self) -> Identity:
        """The program's and the model's bytes, and the extra arguments; it has no version of its own to tell."""
        found = self._files.identity()
        if self._load_ms is None:
            return found
        stamps = placement_of(self._settings, self._recipe.threads).stamp()
        return replace(found, provenance={**found.provenance, **stamps}, load_ms=self._load_ms)

    def _identify(self, files: WatchedFiles) -> Identity:
        beside = [path for path in self._program.parent.glob("*.so*") if path.is_file()]
        shaping = {
            "kind": "transcribe-cli",
            "program": files.sha256(self._program),
            "libraries": files.combined(beside),
            "model_sha256": files.sha256(self._model),
            "backend": self._settings.backend,
            "arguments": self._arguments,
        }
        return Identity(
            fingerprint=hashlib.sha256(json.dumps(shaping, sort_keys=True).encode()).hexdigest(),
            provenance={
                "engine": "transcribe-cli",
                "program": self._program.name,
                "program_sha256": shaping["program"],
                "arguments": [self._redact(word) for word in self._arguments],
                "model": self._model.name,
                "model_sha256": shaping["model_sha256"],
                "model_bytes": self._model.stat().st_size,
                "backend": self._settings.backend,
            },
            not_controllable=self._fixed(),
        )

    def _command(self, files: Path, language: str, batch_size: int) -> list[str]:
        flags, recipe = self._known_flags(), self._recipe
        command = [str(self._program), "-m", str(self._model), "--batch", str(files), "--batch-jsonl"]
        command += ["--backend", self._settings.backend, "--threads", str(recipe.threads)]
        command += ["--language", language, "--timestamps", recipe.timestamps]
        if "--kv-type" in flags:
            command += ["--kv-type", recipe.kv_type]
        if batch_size > 1:
            if "--batch-size" not in flags:
                raise TranscriberError(f"{self._program}: has no --batch-size; set recipe.batch_size = 1")
            command += ["--batch-size", str(batch_size)]
        if recipe.condition_on_previous and "--condition-on-prev-tokens" in flags:
            command.append("--condition-on-prev-tokens")
        return command + self._arguments

    def transcribe(self, utterances: Sequence[Utterance]) -> Iterator[Hypothesis]:
        """Yield a hypothesis for each utterance as its row comes; error rows for those that failed.

        Raises TranscriberError where the program cannot be used or does not load the model, and ReplacedFileError
        where program or model are not those any more that its identity names: every row before it is theirs.
        """
        self._known_flags()
        languages: dict[str, list[_Clip]] = {}
        for utterance in utterances:
            self._check_interrupt()
            try:
                wave, seconds = as_wave(utterance.audio, self._state / "audio")
            except AudioError as error:
                yield error_row(utterance, str(error))
                continue
            languages.setdefault(utterance.language or "", []).append(_Clip(utterance, wave, seconds))
        for language, clips in languages.items():
            yield from self._language(language, clips)

    def _language(self, language: str, clips: Sequence[_Clip]) -> Iterator[Hypothesis]:
        """All clips of one language, over as many processes as faults make necessary."""
        # Rows are joined by file, and one sound may serve several ids: each file is sent once.
        waiting: dict[str, list[_Clip]] = {}
        for clip in clips:
            waiting.setdefault(str(clip.wave), []).append(clip)
        batch_size, failures = self._recipe.batch_size, 0
        while waiting and failures < _FAILURES_IN_A_ROW:
            names = [*waiting]
            self._check_interrupt()
            end = yield from self._process(language, waiting, batch_size)
            self._check_interrupt()
            progress = len(waiting) < len(names)
            if not waiting or (end.quiet and progress):
                # A row that is missing after an orderly end is asked for once more, alone with its like.
                continue
            if batch_size > 1:
                # The culprit is one of the group; one at a time shows which.
                batch_size = 1
                continue
            failures = 1 if progress else failures + 1
            # It goes through its list in order; what it passed over before is asked for again.
            last = max((place for place, name in enumerate(names) if name not in waiting), default=-1)
            culprit = names[last + 1] if last + 1 < len(names) else next(iter(waiting))
            yield from (error_row(clip.utterance, end.sentence) for clip in waiting.pop(culprit))
        for left in waiting.values():
            why = f"the program failed {failures} times in a row before"
            yield from (not_tried(clip.utterance, why) for clip in left)

    def _process(
        self, language: str, waiting: dict[str, list[_Clip]], batch_size: int
    ) -> Generator[Hypothesis, None, _End]:
        """One run of the program; takes finished files out of `waiting` and returns how it ended."""
        with _listed(waiting) as files:
            self._files.check_start()
            reading, writing = os.pipe()
            try:
                command = self._command(files, language, batch_size)
                placed = placement_of(self._settings, self._recipe.threads)
                process = SupervisedProcess(
                    command,
                    standard_output=writing,
                    environment=placed.environment,
                    nice=placed.nice,
                    cores=placed.cores,
                )
                # In this order: whoever interrupts sees either the process or that none may go on.
                self._process_now = process
                if self._interrupted:
                    process.kill()
            except BaseException:
                os.close(reading)
                raise
            finally:
                os.close(writing)
            try:
                reader = LineReader(reading, lambda: self._check_memory(process))
                return (yield from self._rows(process, reader, waiting, batch_size))
            finally:
                self._process_now = None
                self._findings |= dict.fromkeys(process.findings())
                process.close()
                os.close(reading)

    def _rows(
        self, process: SupervisedProcess, reader: LineReader, waiting: dict[str, list[_Clip]], batch_size: int
    ) -> Generator[Hypothesis, None, _End]:
        loaded, patience = False, _LOAD_TIMEOUT_S
        # Only what was waited for gives it more time: a program may chatter for ever.
        deadline = time.monotonic() + patience
        while waiting:
            # The program loads the model before its first line, and works on a whole group before a row.
            problem = ""
            try:
                line = reader.read(deadline)
                # Also where rows come so fast that nobody ever waits.
                self._check_memory(process)
            except TimeoutError:
                problem = f"no row within {patience:g} s{_last_lines(process)}"
            except LineTooLongError as error:
                problem = f"the program wrote {error}"
            except MemoryError as error:
                problem = str(error)
            # A row counts, and a fault is blamed on its utterance, only where the files are still the same.
            self._files.check()
            if problem and not loaded:
                raise ModelError(f"{self._model}: {problem} before it was loaded")
            if problem:
                return _End(problem, quiet=False)
            if line is None:
                return self._end(process, loaded=loaded)
            row = self._parsed(line)
            if row.get("type") == "batch_header" and not loaded:
                self._files.check_loaded()
                loaded, patience = True, self._settings.timeout_s * batch_size
                deadline = time.monotonic() + patience
                self._load_ms = finite_number(row.get("load_ms")) or 0.0
            elif "file" in row:
                clips = waiting.pop(str(row["file"]), None)
                if clips is None:
                    self._note(f"a row for a file that was not waited for: {shown(row['file'])}")
                    continue
                for clip in clips:
                    yield _hypothesis(clip, row)
                deadline = time.monotonic() + patience
        return _End("", quiet=True)

    def _note(self, finding: str) -> None:
        """Keep a warning, as long as there are few."""
        if len(self._findings) < _MOST_FINDINGS:
            self._findings[finding] = None

    def _check_memory(self, process: SupervisedProcess) -> None:
        used = process.resident_mb()
        if used > self._settings.memory_mb:
            raise MemoryError(f"the program grew to {used:.0f} MB, over memory_mb = {self._settings.memory_mb}")

    def _parsed(self, line: bytes) -> dict[str, Any]:
        """A row; a line that is none becomes a finding, and its utterance is then missing."""
        text = line.decode("utf-8", "replace")
        try:
            row = json.loads(text)
        except (ValueError, RecursionError):
            row = None
        if isinstance(row, dict):
            return row
        if text.strip():
            self._note(f"a line that is no JSON object: {text[:80]!r}")
        return {}

    def _end(self, process: SupervisedProcess, *, loaded: bool) -> _End:
        """How the program ended while rows were missing; ModelError where it never came to load the model."""
        code = process.wait(5.0)
        how = "closed its output without ending" if code is None else f"ended with {describe_exit(code)}"
        sentence = f"the program {how} without a row for this utterance{_last_lines(process)}"
        if not loaded:
            raise ModelError(f"{self._model}: {self._program.name} {how} before it loaded it{_last_lines(process)}")
        # 0, and 1 where one of the files failed, are orderly ends.
        return _End(sentence, quiet=code in {0, 1})

    def findings(self) -> tuple[str, ...]:
        """Warnings that the program printed in this session, each once."""
        return tuple(self._findings)

    def _check_interrupt(self) -> None:
        if self._interrupted:
            raise TranscriberError(f"{self._program.name} was interrupted")

    def interrupt(self) -> None:
        """Kill the program that runs now; no other is started."""
        self._interrupted = True
        process = self._process_now
        if process is not None:
            process.kill()

    def close(self) -> None:
        """Nothing outlives a call of `transcribe`."""
