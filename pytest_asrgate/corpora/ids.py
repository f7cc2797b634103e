"""Ids of utterances as a corpus has them: what a manifest can hold, and each only once."""

from pytest_asrgate.errors import DatasetError

__all__ = ["check_id", "note_place"]

# In characters, as in a manifest.
_LONGEST_ID = 1000


def check_id(identity: str, where: str) -> None:
    """Raise DatasetError for an id that no manifest can hold: an empty one, NUL, more than 1000 characters.

    Every other id is kept as written; what a file is called is not decided by it alone.
    """
    if not identity.strip():
        raise DatasetError(f"{where}: an id must not be empty")
    if "\0" in identity:
        raise DatasetError(f"{where}: an id must not hold a NUL character")
    if len(identity) > _LONGEST_ID:
        raise DatasetError(f"{where}: an id must have at most {_LONGEST_ID} characters; it has {len(identity)}")


def note_place(places: dict[str, str], identity: str, place: str, mend: str = "ids must be unique") -> None:
    """Keep where an id stands; DatasetError naming both places where it stands already, with the mend."""
    first = places.setdefault(identity, place)
    if first is not place:
        raise DatasetError(f"{place} ({identity}): the id stands already at {first}; {mend}")
