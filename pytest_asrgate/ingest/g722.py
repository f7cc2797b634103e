"""G.722, the wide-band codec of telephones, which libsndfile does not read: 16 kHz mono samples by FFmpeg."""

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_asrgate.audio import SAMPLE_RATE_HZ, file_problem
from pytest_asrgate.errors import AudioError
from pytest_asrgate.values import LONGEST_AUDIO_S

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["G722_MISSING", "has_g722", "is_g722", "read_g722"]

G722_MISSING = "reading G.722 needs the package av: pip install 'pytest-asrgate[g722]'"

# Two samples a byte.
_LARGEST_BYTES = int(LONGEST_AUDIO_S * SAMPLE_RATE_HZ / 2)


def is_g722(name: str) -> bool:
    """Whether a sound of this name is one: its samples have no header that would tell."""
    return name.lower().endswith(".g722")


def has_g722() -> bool:
    """Whether it can be read here."""
    return find_spec("av") is not None


def read_g722(path: Path) -> "NDArray[np.int16]":
    """All samples of a file, as the decoder gives them; AudioError for a file that is none, and without `av`.

    There is no header, so that every file of bytes is some sound, and a cut one a shorter sound.
    """
    import numpy as np  # noqa: PLC0415 - heavy: only where audio is really read

    try:
        problem = file_problem(path)
        if problem is not None:
            raise AudioError(f"{path}: {problem}")
        if path.stat().st_size > _LARGEST_BYTES:
            raise AudioError(f"{path}: longer than {LONGEST_AUDIO_S / 3600:.0f} hours; split it")
        import av  # noqa: PLC0415 - an optional package with all of FFmpeg

        with av.open(str(path), format="g722") as container:
            blocks = [frame.to_ndarray().reshape(-1) for frame in container.decode(audio=0)]
    except ImportError as error:
        raise AudioError(f"{path}: {G722_MISSING}") from error
    except (OSError, ValueError, RuntimeError) as error:
        # What FFmpeg raises is an OSError, too, or a ValueError.
        raise AudioError(f"{path}: cannot be read as audio ({error})") from error
    if not blocks:
        raise AudioError(f"{path}: holds no samples")
    return np.concatenate(blocks).astype(np.int16)
