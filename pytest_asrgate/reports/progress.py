"""How far a gate is, in one line: utterances done, rate and time left, of what runs now and of the whole gate."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from pytest_asrgate.records import Progress
from pytest_asrgate.reports.escape import plain

__all__ = ["Key", "Pace", "View", "advanced", "lasting", "progress_line"]

# (variant, dataset)
Key = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast a pair goes: when its first and its latest utterance of this session were finished, in seconds."""

    progress: Progress
    first: float | None = None
    latest: float = 0.0

    @property
    def timed(self) -> tuple[int, float]:
        """Utterances transcribed after the first, whose time holds the model's load, and the seconds they took."""
        return max(0, self.progress.fresh - 1), 0.0 if self.first is None else self.latest - self.first

    @property
    def rate(self) -> float | None:
        """Utterances transcribed a second; None before two are finished."""
        return _rate([self])

    @property
    def left(self) -> float | None:
        """Seconds until the pair is done at this rate; None where that is unknown, and where it is done."""
        remaining, rate = self.progress.total - self.progress.done, self.rate
        return remaining / rate if remaining > 0 and rate else None


@dataclass(frozen=True, slots=True)
class View:
    """What one process has seen: the pace of each pair, which of them runs now, and in which item."""

    paces: Mapping[Key, Pace]
    running: Key | None = None
    item: Key | None = None

    @property
    def pace(self) -> Pace | None:
        """The pace of the pair that runs."""
        return None if self.running is None else self.paces.get(self.running)

    @property
    def rate(self) -> float | None:
        """The rate of the pair that runs, else that of all pairs before it."""
        return (self.pace.rate if self.pace else None) or _rate(self.paces.values())


def _rate(paces: Iterable[Pace]) -> float | None:
    timed = [pace.timed for pace in paces]
    utterances, seconds = sum(made for made, _ in timed), sum(took for _, took in timed)
    return utterances / seconds if utterances and seconds > 0 else None


def advanced(pace: Pace | None, progress: Progress, now: float) -> Pace:
    """The pace after one more report at `now`, in seconds of any clock."""
    if not progress.fresh:
        return Pace(progress)
    if pace is None or pace.first is None:
        return Pace(progress, now, now)
    return replace(pace, progress=progress, latest=now)


def lasting(seconds: float) -> str:
    """A time that can be read at a glance, such as `18 s`, `5 min` or `2 h 30 min`."""
    if seconds < 120:
        return f"{max(1, round(seconds))} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 120 else f"{minutes // 60} h {minutes % 60} min"


def _shown_rate(rate: float) -> str:
    if rate < 1:
        return f"{rate * 60:.1f}/min"
    return f"{rate:.1f}/s" if rate < 100 else f"{rate:.0f}/s"


def _pair(pace: Pace, item: Key | None) -> str:
    progress = pace.progress
    inside = f" for {plain(item[0])}" if item and item[0] != progress.variant else ""
    name = f"{plain(progress.variant)}::{plain(progress.dataset)}{inside}"
    words = [f"{name} {min(progress.done, progress.total)}/{progress.total} utterances"]
    if pace.rate:
        words.append(_shown_rate(pace.rate))
    if pace.left:
        words.append(f"{lasting(pace.left)} left")
    return ", ".join(words)


def _gate(views: Sequence[View], running: Sequence[View], sizes: Mapping[Key, int], closed: Collection[Key]) -> str:
    total = sum(sizes.values())
    if not total:
        return ""
    done = 0
    for key, size in sizes.items():
        # Two workers that need the same baseline both report it.
        seen = max((view.paces[key].progress.done for view in views if key in view.paces), default=0)
        done += size if key in closed else min(size, seen)
    text = f"gate {done}/{total}"
    # A worker whose pair is done waits, and adds no speed.
    busy = [view for view in running if view.pace and view.pace.progress.done < view.pace.progress.total] or running
    rate = sum(view.rate or 0.0 for view in busy)
    if done == total or not rate:
        return text
    # An upper bound: pairs not looked at yet may be in the store. No gate ends before its longest running pair.
    left = max([(total - done) / rate, *(view.pace.left or 0.0 for view in busy if view.pace)])
    return f"{text}, at most {lasting(left)} left"


def progress_line(
    views: Sequence[View], sizes: Mapping[Key, int], closed: Collection[Key], width: int | None = None
) -> str:
    """One line without control codes, at most `width` characters; empty where no pair runs.

    `sizes` holds the utterances of each pair of this run, `closed` the pairs whose items have ended.
    """
    running = [view for view in views if view.pace and view.item not in closed]
    pairs = [_pair(view.pace, view.item) for view in running if view.pace]
    if not pairs:
        return ""
    gate = _gate(views, running, sizes, closed)
    for shown in range(len(pairs), 0, -1):
        more = [f"{len(pairs) - shown} more"] if shown < len(pairs) else []
        line = "asrgate " + "; ".join([*pairs[:shown], *more, *([gate] if gate else [])])
        if width is None or len(line) <= width:
            return line
    return line[:width]
