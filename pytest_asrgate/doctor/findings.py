"""What the doctor found: sections of findings, some of which are problems."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

__all__ = ["Diagnosis", "Finding", "Part", "Section", "examined", "fact", "problem"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at, in a few words; `problem` where something must be mended."""

    name: str
    text: str
    problem: bool = False


@dataclass(frozen=True, slots=True)
class Section:
    """Findings on one subject."""

    title: str
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """Everything that was looked at."""

    sections: tuple[Section, ...]

    @property
    def problems(self) -> int:
        """How many of the findings are problems."""
        return sum(finding.problem for section in self.sections for finding in section.findings)


# Looks at something; what it raises becomes a problem of its own.
Part = Callable[[], Iterable[Finding]]


def fact(name: str, text: object) -> Finding:
    """Something that is as it is."""
    return Finding(name, str(text))


def problem(name: str, text: object) -> Finding:
    """Something that must be mended."""
    return Finding(name, str(text), problem=True)


def _kept(name: str, part: Part) -> Iterable[Finding]:
    """What a part finds until it fails, and how it failed."""
    try:
        yield from part()
    except Exception as error:  # noqa: BLE001 - the doctor is called where anything may be broken
        text = str(error).strip() or "no reason given"
        yield problem(name, f"could not be examined ({type(error).__name__}: {text})")


def examined(title: str, parts: Iterable[tuple[str, Part]], public: Callable[[str], str]) -> Section:
    """The findings of named parts, each guarded from the others' faults, in words that may be shown in public."""
    found = [finding for name, part in parts for finding in _kept(name, part)]
    return Section(title, tuple(Finding(public(each.name), public(each.text), each.problem) for each in found))
