"""16 kHz WAV files for programs that read nothing else, made once in the state folder."""

import io
import os
import tempfile
from pathlib import Path

from pytest_asrgate.audio import SAMPLE_RATE_HZ, read_audio
from pytest_asrgate.errors import AudioError
from pytest_asrgate.hashing import file_sha256, stamp_of

__all__ = ["as_wave"]


def _is_right_already(path: Path) -> bool:
    import soundfile  # noqa: PLC0415 - heavy: only where audio is really looked at

    try:
        found = soundfile.info(str(path))
        with path.open("rb") as file:
            head = file.read(8)
            size = file.seek(0, 2)
    except (soundfile.LibsndfileError, OSError, TypeError):
        return False
    # The program refuses the other byte order, RIFX, and the lengths that a stream of unknown length wrote.
    return bool(
        head[:4] == b"RIFF"
        and 0 < int.from_bytes(head[4:], "little") <= size
        and found.format == "WAV"
        and found.subtype == "PCM_16"
        and found.samplerate == SAMPLE_RATE_HZ
        and found.channels == 1
    )


def as_wave(path: Path, folder: Path) -> tuple[Path, float]:
    """Return a 16-bit mono 16 kHz WAV with the sound of `path`, and its length in seconds.

    The file itself where it is one already, else a copy in `folder` named by content. AudioError for audio that
    cannot be used; everything is read once, so that a cut or broken file is refused here and not by the engine.
    """
    import soundfile  # noqa: PLC0415 - as above

    before = stamp_of(path)
    samples = read_audio(path)
    seconds = len(samples) / SAMPLE_RATE_HZ
    # A list of files has one name a line, so a name with a line break in it must not come into one.
    if _is_right_already(path) and not {"\n", "\r"} & set(str(path)):
        return path.absolute(), seconds
    target = folder / f"{file_sha256(path)}.wav"
    if stamp_of(path) != before:
        # The copy would have the name of other bytes, also for every later run.
        raise AudioError(f"{path}: was written to while it was read; run again")
    if not target.is_file():
        folder.mkdir(parents=True, exist_ok=True)
        # In memory first: of a full disk libsndfile says no more than "System error".
        sound = io.BytesIO()
        soundfile.write(sound, samples, SAMPLE_RATE_HZ, format="WAV", subtype="PCM_16")
        handle, temporary = tempfile.mkstemp(dir=folder, suffix=".wav")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(sound.getbuffer())
            Path(temporary).replace(target)
        except BaseException as error:
            Path(temporary).unlink(missing_ok=True)
            if isinstance(error, OSError):
                # The system does not name a file that it only writes to.
                raise OSError(error.errno, error.strerror, str(target)) from error
            raise
    return target, seconds
