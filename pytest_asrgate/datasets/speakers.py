"""Which utterances belong together, since utterances of one speaker are not independent."""

import re
from collections.abc import Sequence

from pytest_asrgate.errors import DatasetError
from pytest_asrgate.records import Utterance
from pytest_asrgate.values import plural

__all__ = ["BY_IDS", "named_blocks", "speaker_blocks", "speaker_field"]

# Under this many blocks the interval rests on few of them; the report says so (STATISTICS.md).
_FEW = 20
# Under this many utterances nothing asymptotic is to be trusted (STATISTICS.md).
_FEW_UTTERANCES = 50
BY_IDS = ", by their ids"
# LibriSpeech's ids are speaker, chapter and a running number of four digits, which no set of theirs fills.
_LIBRISPEECH = re.compile(r"(\d+)-\d+-0\d{3}")


def size_note(utterances: int) -> str:
    """What is added to the note on speakers where there are few utterances; nothing elsewhere."""
    return "" if utterances >= _FEW_UTTERANCES else f"; only {plural(utterances, 'utterance')}: bounds are rough"


def speaker_field(setting: str) -> str | None:
    """The manifest field that a dataset's `speakers` setting reads, None where it reads none."""
    return None if setting in {"fixed", "none"} or setting.startswith("regex:") else setting


def speaker_blocks(utterances: Sequence[Utterance], setting: str) -> tuple[tuple[str, ...] | None, str]:
    """Return each utterance's speaker (None where utterances count as independent) and a note for the reader.

    Raises DatasetError where a regular expression is broken or fits no more than some ids, or where only some
    utterances have a speaker.
    """
    if setting == "fixed":
        return None, "closed set of voices: holds for these voices only"
    if setting == "none":
        return None, "independence assumed: speakers = none"
    if setting.startswith("regex:"):
        try:
            pattern = re.compile(setting.removeprefix("regex:"))
        except (re.error, OverflowError, RecursionError) as error:
            raise DatasetError(f"speakers: {setting!r} is no regular expression ({error})") from error
        found = [pattern.search(utterance.id) for utterance in utterances]
        names = [match.group(match.lastindex or 0) if match else None for match in found]
    else:
        names = [utterance.speaker for utterance in utterances]
    known = [name for name in names if name is not None]
    source = ""
    if not known and setting == "speaker":
        shaped = [_LIBRISPEECH.fullmatch(utterance.id) for utterance in utterances]
        known = names = [match.group(1) for match in shaped if match]
        if len(known) < len(utterances):
            return None, "independence assumed: no speakers are named"
        source = BY_IDS
    if len(known) < len(names):
        lost = utterances[names.index(None)]
        raise DatasetError(
            f"speakers: {len(names) - len(known)} of {len(names)} utterances have no speaker, {lost.id!r} first "
            f"(looked for by {setting!r}); "
            'give them one, or set speakers = "none"'
        )
    return named_blocks(known, source)


def named_blocks(names: Sequence[str], source: str = "") -> tuple[tuple[str, ...] | None, str]:
    """As `speaker_blocks`, from each utterance's speaker; `source` says where the names are from."""
    count = len(set(names))
    if count < 2:
        return None, "independence assumed: one speaker"
    note = f"{count} speakers{source}" + (f" (fewer than {_FEW}: bounds are rough)" if count < _FEW else "")
    return tuple(names), note
