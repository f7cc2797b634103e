"""Audio files → 16 kHz mono float samples, or one sentence why not."""

import math
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_asrgate.containers import truncation
from pytest_asrgate.errors import AudioError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["AUDIO_DECODING", "SAMPLE_RATE_HZ", "read_audio"]

SAMPLE_RATE_HZ = 16_000

# Raise this when the samples that `read_audio` gives or the files that it refuses change: stored hypotheses are
# keyed by it.
AUDIO_DECODING = 2

# A day of 16 kHz audio is 5.5 GB as float32; nothing this gate judges is longer than a few hours.
_LONGEST_S = 4 * 3600.0


def read_audio(path: Path) -> "NDArray[np.float32]":
    """Read one file as a 1-D float32 array at 16 kHz, channels mixed down, resampled where needed.

    Raises AudioError for a file that is absent, is no audio, is empty, truncated, too long, or holds samples
    that are not finite.
    """
    import numpy as np  # noqa: PLC0415 - heavy: only where audio is really read
    import soundfile  # noqa: PLC0415 - as numpy

    try:
        if not path.is_file():
            raise AudioError(f"{path}: " + ("not a regular file" if path.exists() else "no such audio file"))
        # Before soundfile is asked, which would give what is left of a cut file in silence.
        cut = truncation(path)
        if cut is not None:
            raise AudioError(f"{path}: truncated: {cut}")
        with soundfile.SoundFile(str(path)) as file:
            if file.frames > _LONGEST_S * file.samplerate:
                raise AudioError(f"{path}: longer than {_LONGEST_S / 3600:.0f} hours; split it")
            samples = file.read(dtype="float32", always_2d=True)
            rate = int(file.samplerate)
    except (soundfile.LibsndfileError, OSError, RuntimeError, TypeError, ValueError) as error:
        # TypeError is what headerless samples raise: nothing says their rate.
        reason = str(error).rsplit(": ", 1)[-1]
        raise AudioError(f"{path}: cannot be read as audio ({reason})") from error
    if samples.shape[0] == 0:
        raise AudioError(f"{path}: holds no samples")
    mono: NDArray[np.float32] = samples.mean(axis=1, dtype=np.float32)
    if not bool(np.isfinite(mono).all()):
        raise AudioError(f"{path}: holds samples that are not finite numbers (NaN or infinity)")
    if rate != SAMPLE_RATE_HZ:
        from scipy.signal import resample_poly  # noqa: PLC0415 - half a second to import, and rarely needed

        common = math.gcd(rate, SAMPLE_RATE_HZ)
        mono = resample_poly(mono, SAMPLE_RATE_HZ // common, rate // common).astype(np.float32)
    return np.ascontiguousarray(mono)
