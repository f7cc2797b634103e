"""Members of a tar archive, copied out one after the other in one pass; nothing is unpacked under its own name."""

import lzma
import tarfile
import zlib
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import IO

__all__ = ["Member", "copied_members"]

# The name in the archive, and the copy or one sentence why there is none.
Member = tuple[str, Path | str]

# Hours of eight channels; what is larger is no utterance, and a sparse file is as large as it says.
_LARGEST_BYTES = 4_000_000_000
_PIECE = 1 << 20
_DAMAGE = (tarfile.TarError, EOFError, zlib.error, lzma.LZMAError, OSError, ValueError)


class _DamageError(Exception):
    """The archive cannot be read any further."""


def _next(archive: tarfile.TarFile) -> tarfile.TarInfo | None:
    try:
        member = archive.next()
    except _DAMAGE as error:
        raise _DamageError(str(error)) from error
    # It would hold every member that was ever read.
    archive.members.clear()  # type: ignore[attr-defined]  # typeshed lacks it
    return member


def _read(file: IO[bytes]) -> bytes:
    try:
        return file.read(_PIECE)
    except _DAMAGE as error:
        raise _DamageError(str(error)) from error


def _copy(archive: tarfile.TarFile, member: tarfile.TarInfo, copy: Path) -> None:
    source = archive.extractfile(member)
    left = member.size
    with copy.open("wb") as target:
        while left and source is not None:
            piece = _read(source)
            if not piece:
                raise _DamageError("it ends within this member")
            target.write(piece)
            left -= len(piece)


def copied_members(path: Path, wanted: Collection[str], copy_of: Callable[[str], Path]) -> Iterator[Member]:
    """Yield every wanted member once, in the archive's order, copied to the path that `copy_of` gives.

    Instead of the copy stands a sentence for what is no regular file, such as a link, which might lead anywhere,
    and for everything that is not there or cannot be unpacked. OSError where a copy cannot be written. The last
    copy, half written, is left behind where that happens.
    """
    left = set(wanted)
    end = "it holds no such file"
    try:
        try:
            archive = tarfile.open(path, "r|*")  # noqa: SIM115 - closed below; only opening may fail here
        except _DAMAGE as error:
            raise _DamageError(str(error)) from error
        with archive:
            while left and (member := _next(archive)) is not None:
                if member.name not in left:
                    continue
                if not member.isreg():
                    yield (
                        member.name,
                        f"{path}({member.name}): is no regular file in the archive but a link or device",
                    )
                elif member.size > _LARGEST_BYTES:
                    yield member.name, f"{path}({member.name}): larger than {_LARGEST_BYTES // 10**9} GB; split it"
                else:
                    copy = copy_of(member.name)
                    _copy(archive, member, copy)
                    yield member.name, copy
                left.discard(member.name)
    except _DamageError as error:
        end = f"the archive cannot be unpacked as far as this ({error}); get it again"
    for name in sorted(left):
        yield name, f"{path}({name}): {end}"
