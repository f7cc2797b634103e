"""Pair → hypotheses: from the store where they are finished, else from the transcriber, each stored as it comes."""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TypeVar

from pytest_asrgate import determinism
from pytest_asrgate.audio import AUDIO_DECODING
from pytest_asrgate.config import Dataset, Gate, Variant
from pytest_asrgate.datasets.load import LoadedDataset, hash_audio, length_problem, load_dataset
from pytest_asrgate.errors import (
    AsrGateError,
    ContractError,
    IntegrityError,
    ModelError,
    StoreError,
    TranscriberError,
)
from pytest_asrgate.executors.open import open_execution
from pytest_asrgate.executors.protocol import Execution
from pytest_asrgate.executors.sharded import ShardedTranscriber
from pytest_asrgate.hashing import FileHashes
from pytest_asrgate.latency import ProbeSide, evidence_key, from_record, measure, to_record
from pytest_asrgate.locks import alone, lock_folder
from pytest_asrgate.records import Hypothesis, HypothesisSet, Latency, Progress, Repeats, RowStatus, Utterance
from pytest_asrgate.sampling import sample_places
from pytest_asrgate.store import EngineRecord, Store
from pytest_asrgate.transcribers.models import ensure_model
from pytest_asrgate.transcribers.protocol import Identity, Transcriber
from pytest_asrgate.transcribers.registry import KINDS, check_engine, open_transcriber
from pytest_asrgate.transcribers.sounds import WatchedAudio
from pytest_asrgate.values import UNKNOWN, named, plural

__all__ = ["Observer", "Runs"]

_T = TypeVar("_T")

# Told when a pair has been looked up, and after each utterance that an engine finished.
Observer = Callable[[Progress], None]

# Manifests round durations; a truncated file is off by far more.
_DURATION_TOLERANCE_S = 0.1


def _readable(stored: str | None, read: Callable[[str], _T]) -> _T | None:
    """What a stored record says; None where there is none, or it is damaged and must be had again."""
    if stored is None:
        return None
    try:
        return read(stored)
    except AsrGateError:
        return None


def _with_checked_duration(utterance: Utterance, hypothesis: Hypothesis) -> Hypothesis:
    """An error row where the audio is not as long as the manifest says: a cut file reads without complaint."""
    announced, found = utterance.duration_s, hypothesis.audio_s
    if announced is None or found is None or abs(announced - found) <= _DURATION_TOLERANCE_S:
        return hypothesis
    detail = f"{utterance.audio}: lasts {found:.3f} s, the manifest says duration_s = {announced:g}"
    return Hypothesis(id=utterance.id, text="", status=RowStatus.ERROR, detail=detail)


@dataclass
class _Work:
    """What one pair needs: finished rows by id, error rows by id, and what is still to be transcribed."""

    finished: dict[str, Hypothesis] = field(default_factory=dict)
    missing: list[Utterance] = field(default_factory=list)


class Runs:
    """Obtains hypotheses for one session of a gate; owns the store and every running engine.

    `transcribed` counts the utterances that engines finished in this session, `failed` those that they did not.
    """

    def __init__(self, gate: Gate, observer: Observer | None = None, loaded: Iterable[LoadedDataset] = ()) -> None:
        """`loaded` are data sets of the gate that were read already."""
        self._gate = gate
        self._observer = observer
        self._store: Store | None = None
        self._files = FileHashes(self._opened_store, rehash=gate.rehash)
        self._execution: Execution | None = None
        self._engines: dict[str, ShardedTranscriber] = {}
        self._datasets: dict[str, LoadedDataset] = {data.name: data for data in loaded}
        self._audio: dict[str, tuple[Mapping[str, str], Mapping[str, str]]] = {}
        self._too_long: dict[tuple[str, str], str | None] = {}
        self._sets: dict[tuple[str, str], HypothesisSet] = {}
        self._fresh: dict[tuple[str, str], set[str]] = {}
        self._lost: dict[tuple[str, str], dict[str, Hypothesis]] = {}
        self.transcribed = 0
        self.failed = 0

    def _opened_store(self) -> Store:
        if self._store is None:
            self._store = Store(self._gate.state / "store.sqlite")
        return self._store

    def take_notes(self) -> list[str]:
        """Sentences about the store that came up since this was asked last."""
        return [] if self._store is None else self._store.take_notes()

    def store(self) -> Store:
        """The store of the gate's state folder, opened for the first who asks; StoreError where it cannot be."""
        return self._opened_store()

    def dataset(self, dataset: Dataset) -> LoadedDataset:
        """The dataset's utterances, read once a session; DatasetError where the manifest cannot be used."""
        if dataset.name not in self._datasets:
            self._datasets[dataset.name] = load_dataset(dataset, self._gate.recipe)
        return self._datasets[dataset.name]

    def _opened_execution(self) -> Execution:
        if self._execution is None:
            self._execution = open_execution(
                self._gate, lambda variant: open_transcriber(self._gate, variant, "", self._files), self._files
            )
        return self._execution

    def _engine(self, variant: Variant) -> ShardedTranscriber:
        """The engine of a variant that is no stored file; its model is made where it is absent."""
        if variant.name not in self._engines:
            execution = self._opened_execution()
            if execution.runs_here:
                check_engine(variant)
            try:
                ensure_model(variant, self._gate.path.parent)
            except ModelError as error:
                raise ModelError(self._gate.redact(str(error))) from error
            self._engines[variant.name] = ShardedTranscriber(
                execution, variant, batch_size=self._gate.recipe.batch_size, speed=self._opened_store().find_speed
            )
        return self._engines[variant.name]

    def _transcriber(self, variant: Variant, dataset: str) -> Transcriber:
        if KINDS[variant.transcriber.kind].stored:
            return open_transcriber(self._gate, variant, dataset, self._files)
        return self._engine(variant)

    def _hashed(self, data: LoadedDataset) -> tuple[Mapping[str, str], Mapping[str, str]]:
        """Hashes of audio files by id, and sentences about unreadable ones; of the whole set, once a session."""
        if data.name not in self._audio:
            self._audio[data.name] = hash_audio(self._datasets[data.name], self._files)
        return self._audio[data.name]

    def _look_up(self, variant: str, data: LoadedDataset, fingerprint: str) -> _Work:
        hashes, unreadable = self._hashed(data)
        store, work, settings = self._opened_store(), _Work(), self._gate.datasets[data.name]
        # What an engine failed on in this session is not tried again in it, as at every look of an early verdict.
        lost = self._lost.get((variant, data.name), {})
        recipes = {language: self._recipe_key(language) for language in {row.language for row in data.utterances}}
        stored = store.find_all(
            fingerprint,
            [(hashes[row.id], recipes[row.language], row.id) for row in data.utterances if row.id in hashes],
        )
        for utterance in data.utterances:
            if utterance.id in lost:
                work.finished[utterance.id] = lost[utterance.id]
                continue
            if utterance.id in unreadable:
                detail = unreadable[utterance.id]
                work.finished[utterance.id] = Hypothesis(utterance.id, "", RowStatus.ERROR, detail)
                continue
            row = stored.get(utterance.id)
            if row is not None and row.audio_s is not None:
                too_long = length_problem(settings, utterance, row.audio_s)
            else:
                # The header of a file is read for the first variant only.
                key = data.name, utterance.id
                if key not in self._too_long:
                    self._too_long[key] = length_problem(settings, utterance)
                too_long = self._too_long[key]
            if too_long is not None:
                work.finished[utterance.id] = Hypothesis(utterance.id, "", RowStatus.ERROR, too_long)
            elif row is not None:
                work.finished[utterance.id] = row
            else:
                work.missing.append(utterance)
        return work

    def _tell(self, variant: str, data: LoadedDataset, done: int, fresh: int = 0) -> None:
        if self._observer is not None:
            total = len(self._datasets[data.name].utterances)
            self._observer(Progress(variant, data.name, done, total, fresh))

    def _recipe_key(self, language: str | None) -> str:
        """What was asked of the engine, and how we decoded its audio."""
        return f"{self._gate.recipe.digest(language or '')}/audio{AUDIO_DECODING}"

    def _fill(
        self, variant: str, data: LoadedDataset, transcriber: Transcriber, fingerprint: str
    ) -> tuple[_Work, set[str]]:
        """Transcribe what is missing; returns all rows, and the ids of the utterances that were transcribed now.

        Raises IntegrityError where the transcriber gives a row for another id, or none for one it was asked for.
        """
        work = self._look_up(variant, data, fingerprint)
        if not work.missing:
            self._tell(variant, data, len(work.finished))
            return work, set()
        self._check_writable(variant, data, len(work.missing))
        hashes, _ = self._hashed(data)
        # A second process that needs the same rows waits here, and then finds them in the store.
        with self._alone(f"{fingerprint}/{data.digest}"):
            work = self._look_up(variant, data, fingerprint)
            if not work.missing:
                # Another process made them while we waited; no model is loaded for nothing.
                self._tell(variant, data, len(work.finished))
                return work, set()
            keys = {row.id: (hashes[row.id], self._recipe_key(row.language)) for row in work.missing}
            copies = Counter(keys.values())
            first: dict[tuple[str, str], Utterance] = {}
            for utterance in work.missing:
                first.setdefault(keys[utterance.id], utterance)
            done = len(work.finished)
            self._tell(variant, data, done)
            rows: dict[tuple[str, str], Hypothesis] = {}
            fresh: set[str] = set()
            audio = WatchedAudio(self._files, {utterance.audio: key[0] for key, utterance in first.items()})
            for given in transcriber.transcribe(list(first.values())):
                key = keys.get(given.id)
                if key is None or key in rows or first[key].id != given.id:
                    raise IntegrityError(f"variant.{variant}: a row for {given.id!r}, which was not asked for")
                hypothesis = audio.checked(first[key], given)
                rows[key] = hypothesis
                if hypothesis.status is RowStatus.ERROR:
                    self.failed += 1
                else:
                    # Counted only once it is on disk.
                    self._opened_store().keep(key[0], fingerprint, key[1], hypothesis)
                    fresh.add(hypothesis.id)
                    self.transcribed += 1
                done += copies[key]
                self._tell(variant, data, done, len(rows))
            lost = [utterance.id for key, utterance in first.items() if key not in rows]
            if lost:
                raise IntegrityError(f"variant.{variant}: no row came for {named(lost)}")
            for utterance in work.missing:
                row = replace(rows[keys[utterance.id]], id=utterance.id)
                work.finished[utterance.id] = row
                if row.status is RowStatus.ERROR:
                    self._lost.setdefault((variant, data.name), {})[utterance.id] = row
        return work, fresh

    def _check_writable(self, variant: str, data: LoadedDataset, missing: int) -> None:
        """StoreError where nothing can be kept, before a model is loaded for it."""
        store = self._opened_store()
        if store.read_only:
            raise StoreError(
                f"{store.path}: {store.read_only}, and {plural(missing, 'utterance')} of {variant} on {data.name} "
                "are not in it; allow writing to it and its folder, or give gate.state another folder"
            )

    @contextmanager
    def _alone(self, name: str) -> Iterator[None]:
        """Hold the lock of this name; who must wait for it gives up idle engines, which its holder may wait for."""
        folder = lock_folder(self._gate.state, read_only=bool(self._opened_store().read_only))
        with alone(folder, name, self.release):
            yield

    def _stamped(self, transcriber: Transcriber, identity: Identity) -> Identity:
        """The identity with the engine's own stamps: from the engine if it ran, else from an earlier run."""
        loaded = transcriber.identity()
        store = self._opened_store()
        if loaded.load_ms is not None:
            record = EngineRecord(loaded.provenance, loaded.not_controllable, loaded.load_ms)
            store.keep_engine(identity.fingerprint, record)
            return loaded
        known = store.find_engine(identity.fingerprint)
        if known is None:
            return loaded
        return replace(
            loaded,
            provenance={**loaded.provenance, **known.provenance},
            not_controllable=known.not_controllable,
            load_ms=known.load_ms,
        )

    def _contract(
        self, variant: Variant, data: LoadedDataset, recorded: Mapping[str, object] | None
    ) -> dict[str, object]:
        """What must match for a comparison: what the gate asks for.

        What stored hypotheses do not name is unknown; ContractError where they name something else.
        """
        requested: dict[str, object] = {
            **self._gate.recipe.contract(),
            "language": "+".join(data.languages),
            "manifest": data.digest,
        }
        if recorded is None:
            return requested
        other = [
            f"{name} {recorded[name]!r}, the gate asks for {value!r}"
            for name, value in requested.items()
            if name in recorded and recorded[name] != value
        ]
        if other:
            raise ContractError(
                f"variant.{variant.name}: the stored hypotheses have another contract: {'; '.join(other)}; "
                "replay others, or set the gate's recipe and dataset to theirs"
            )
        # The digest of our own manifest is no guess: ids and, where they are stored, references were compared.
        named_here = {
            name: value if name in recorded or name == "manifest" else UNKNOWN for name, value in requested.items()
        }
        # What a score file says of its scoring is compared where texts are scored.
        return {**recorded, **named_here}

    def hypotheses(self, variant: Variant, dataset: Dataset, places: Sequence[int] | None = None) -> HypothesisSet:
        """Exactly one hypothesis for each utterance of the dataset, or for those at `places`, in their order.

        Raises DatasetError, TranscriberError, IntegrityError or StoreError; failed utterances are error rows.
        """
        key = variant.name, dataset.name
        if places is None and key in self._sets:
            return self._sets[key]
        whole = self.dataset(dataset)
        data = whole if places is None else whole.part(places)
        transcriber = self._transcriber(variant, dataset.name)
        identity = transcriber.identity()
        contract = self._contract(variant, data, identity.recorded_contract)
        findings: tuple[str, ...] = ()
        if transcriber.keeps_results:
            before = set(transcriber.findings())
            work, fresh = self._fill(variant.name, data, transcriber, identity.fingerprint)
            # Of this session, and of the utterances that are asked for now.
            made_now = self._fresh.setdefault(key, set())
            made_now |= fresh
            rows = work.finished
            news = [finding for finding in transcriber.findings() if finding not in before]
            findings = self._opened_store().add_findings(identity.fingerprint, data.digest, news)
            identity = self._stamped(transcriber, identity)
        else:
            # Files are read and checked as a whole, whatever part of them is asked for.
            rows = {row.id: row for row in transcriber.transcribe(whole.utterances)}
            self._tell(variant.name, data, len(rows))
        recipe = self._gate.recipe
        hypotheses = tuple(_with_checked_duration(utterance, rows[utterance.id]) for utterance in data.utterances)
        good = {row.id for row in hypotheses if row.status is not RowStatus.ERROR}
        transcribed = len(self._fresh.get(key, set()) & good)
        made = HypothesisSet(
            variant=variant.name,
            dataset=dataset.name,
            hypotheses=hypotheses,
            contract=contract,
            provenance={
                **identity.provenance,
                "fingerprint": identity.fingerprint,
                **({} if identity.recorded_contract is not None else recipe.model_dump(mode="json")),
            },
            not_controllable=identity.not_controllable,
            load_ms=identity.load_ms,
            findings=findings,
            transcribed=transcribed,
            reused=len(good) - transcribed,
        )
        if places is None:
            self._sets[key] = made
        return made

    def forget(self, variant: str, dataset: str) -> None:
        """Let go of a pair's hypotheses, which are looked up again where somebody asks for them again."""
        self._sets.pop((variant, dataset), None)

    def fix_order(
        self, variant: Variant, baseline: Variant, dataset: Dataset, seed: int, order: Sequence[int]
    ) -> None:
        """Remember seed and order of the first early run of these two systems on this data set.

        Raises AsrGateError for any other afterwards: trying orders until one passes voids the error rate.
        """
        data = self.dataset(dataset)
        hashes, _ = self._hashed(data)
        ids = [data.utterances[place].id for place in order]
        digest = hashlib.sha256("\0".join(ids).encode("utf-8", "surrogatepass")).hexdigest()[:32]
        audio = hashlib.sha256("".join(sorted(hashes.values())).encode()).hexdigest()
        prints = [self._transcriber(each, dataset.name).identity().fingerprint for each in (variant, baseline)]
        recipe = self._gate.recipe.digest("+".join(data.languages))
        key = evidence_key(["early", *prints, recipe, data.digest, audio])
        first, first_digest = self._opened_store().fix_order(key, str(seed), digest)
        begun = f"an early run of {variant.name} against {baseline.name} on {dataset.name} was begun"
        if first != str(seed):
            raise AsrGateError(
                f"gate.early_seed is {seed}, and {begun} with {first}: another seed until it passes voids the "
                f"error rate; set it back to {first}, or run in full"
            )
        if first_digest != digest:
            raise AsrGateError(
                f"dataset.{dataset.name}.speakers now gives another order, and {begun} in the first one: another "
                "order until it passes voids the error rate; set speakers back, or run in full"
            )

    def latency(
        self, variant: Variant, baseline: Variant | None, dataset: Dataset, places: Sequence[int] | None = None
    ) -> Latency:
        """What the latency probe says of a variant, from the store where this host measured the same before.

        In an early run the clips are those at `places`, which are decoded already.

        Raises TranscriberError where either side cannot be timed, as stored hypotheses cannot.
        """
        data = self.dataset(dataset) if places is None else self.dataset(dataset).part(places)
        names = [variant] if baseline is None else [variant, baseline]
        sides, prints = [], []
        for each in names:
            if KINDS[each.transcriber.kind].stored:
                raise TranscriberError(f"{each.name} replays stored hypotheses, which cannot be timed here")
            engine = self._engine(each)
            sides.append(ProbeSide(each.name, engine.single(beside=True)))
            prints.append(engine.identity().fingerprint)
        recipe = self._gate.recipe
        part = [] if places is None else [f"first {len(places)}"]
        # Both sides run alike, and what was timed beside other processes in another way is other evidence.
        executor = self._gate.executor
        part += [f"nice {variant.transcriber.nice}"] if variant.transcriber.nice else []
        part += [f"one of {executor.workers} shares of the cores"] if executor.pin else []
        key = evidence_key([*prints, recipe.digest("+".join(data.languages)), data.digest, *part])
        known = _readable(self._opened_store().find_latency(key), from_record)
        if known is not None:
            return known
        # Output that was cut short says little about speed, and not every engine times it.
        rows = [self.hypotheses(each, dataset, places).hypotheses for each in names]
        whole = [all(row.status is RowStatus.OK for row in clip) for clip in zip(*rows, strict=True)]
        clips = [utterance for utterance, ok in zip(data.utterances, whole, strict=True) if ok]
        if not clips:
            raise TranscriberError(f"dataset.{dataset.name}: no utterance was decoded well enough to be timed")
        # What runs beside a probe disturbs it: no idle model of ours, and no probe of another process.
        self.release()
        with self._alone("latency probe"):
            try:
                other = sides[1] if baseline else None
                found = measure(sides[0], other, clips, seed=recipe.seed, threads=recipe.threads)
            finally:
                self.release()
        self._opened_store().keep_latency(key, to_record(found))
        return found

    def repeats(self, variant: Variant, dataset: Dataset, places: Sequence[int] | None = None) -> Repeats:
        """What became of a sample that was decoded again; from the store where this host did just that before.

        Raises TranscriberError where there is nothing to decode again.
        """
        data = self.dataset(dataset) if places is None else self.dataset(dataset).part(places)
        made = self.hypotheses(variant, dataset, places).hypotheses
        whole = [place for place, row in enumerate(made) if row.status is not RowStatus.ERROR]
        if not whole:
            raise TranscriberError(f"dataset.{dataset.name}: every utterance failed, so none is decoded again")
        transcriber, recipe = self._engine(variant), self._gate.recipe
        chosen = [whole[place] for place in sample_places(len(whole), recipe.seed)]
        clips = [data.utterances[place] for place in chosen]
        hashes, _ = self._hashed(data)
        parts = [part for clip in clips for part in (clip.id, hashes[clip.id], self._recipe_key(clip.language))]
        decodings = variant.transcriber.repeat
        key = evidence_key(["repeats", str(decodings), transcriber.identity().fingerprint, *parts])
        known = _readable(self._opened_store().find_repeats(key), determinism.from_record)
        if known is not None:
            return known
        rows = {made[place].id: made[place] for place in chosen}
        audio = WatchedAudio(self._files, {clip.audio: hashes[clip.id] for clip in clips})
        found = determinism.decode_again(transcriber.single(), clips, rows, decodings=decodings, seed=recipe.seed)
        # Another file gives another text, which is no flip.
        if problem := next(filter(None, (audio.problem(clip.audio) for clip in clips)), ""):
            raise TranscriberError(problem)
        # What failed is tried again by the next run, as everything that fails is.
        if not found.failed:
            self._opened_store().keep_repeats(key, determinism.to_record(found))
        return found

    def release(self) -> None:
        """End every engine that runs; what they finished stays."""
        if self._execution is not None:
            self._execution.release()

    def close(self) -> None:
        """End every engine and close the store; calling it twice is fine."""
        if self._execution is not None:
            self._execution.close()
            self._execution = None
            self._engines = {}
        if self._store is not None:
            self._store.close()
            self._store = None
