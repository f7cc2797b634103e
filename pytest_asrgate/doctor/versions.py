"""Versions of what a verdict depends on, and which of them this version was not made for."""

import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from importlib import metadata

from pytest_asrgate import __version__
from pytest_asrgate.doctor.findings import Finding, fact, problem
from pytest_asrgate.judge.releases import MALICIOUS

__all__ = ["installed", "is_malicious", "libsndfile", "package_versions", "plugins"]

_OURSELVES = "pytest-asrgate"
_REQUIRED = (
    "pytest",
    "jiwer",
    "whisper-normalizer",
    "numpy",
    "scipy",
    "soundfile",
    "pydantic",
    "filelock",
    "platformdirs",
    "babel",
    "py3langid",
    "rich",
)
# Packages that only some gates need: what installs them.
_OPTIONAL = {
    "pytest-xdist": "pytest-xdist",
    "dask": "pytest-asrgate[dask]",
    "distributed": "pytest-asrgate[dask]",
    "litellm": "pytest-asrgate[judge]",
    "jinja2": "pytest-asrgate[report]",
    "av": "pytest-asrgate[g722]",
    "transcribe-cpp": "pytest-asrgate[example]",
    "gguf": "pytest-asrgate[example]",
    "moonshine-voice": "pytest-asrgate[example]",
}


def installed(name: str) -> str | None:
    """The version of a package by its metadata, None where it is not installed; nothing is imported."""
    try:
        # What is half installed has no version.
        return metadata.version(name) or "a version that is not known"
    except metadata.PackageNotFoundError:
        return None


def is_malicious(name: str, version: str) -> bool:
    """Whether this release was put there to steal."""
    return name == "litellm" and version in MALICIOUS


def _wanted() -> dict[str, list[str]]:
    """What our own package asks of each other one, by its name."""
    found: dict[str, list[str]] = {}
    with suppress(metadata.PackageNotFoundError):
        for line in metadata.requires(_OURSELVES) or ():
            text = line.partition(";")[0].strip()
            match = re.match(r"[A-Za-z0-9._-]+", text)
            # What the test extra pins is for those who work on this project.
            if match and "'test'" not in line and '"test"' not in line:
                found.setdefault(match.group(0).lower(), []).append(text)
    return found


def _unfit(version: str, wanted: list[str]) -> str:
    """The requirement that a version does not keep; empty where it keeps all, or where nobody can tell."""
    try:
        from packaging.requirements import InvalidRequirement, Requirement  # noqa: PLC0415 - comes with pytest
        from packaging.version import InvalidVersion  # noqa: PLC0415 - as above
    except ImportError:
        return ""
    for text in wanted:
        with suppress(InvalidRequirement):
            try:
                fits = Requirement(text).specifier.contains(version, prereleases=True)
            except InvalidVersion:
                fits = False
            if not fits:
                return text
    return ""


def _version(name: str, wanted: list[str]) -> Finding:
    version = installed(name)
    if version is None:
        if name in _OPTIONAL:
            return fact(name, f"not installed; {_OPTIONAL[name]} has it")
        return problem(name, f"not installed, and nothing works without it; install {_OURSELVES} again")
    if is_malicious(name, version):
        return problem(
            name,
            f"{version} IS A MALICIOUS RELEASE THAT STEALS SECRETS: remove it now, and change every key and "
            "password that this machine could read",
        )
    unfit = _unfit(version, wanted)
    return problem(name, f"{version}, and {unfit} is asked for; install that") if unfit else fact(name, version)


def package_versions() -> Iterator[Finding]:
    """Ourselves, Python, and every package that a verdict may depend on."""
    said = installed(_OURSELVES)
    if said is None:
        yield problem(_OURSELVES, f"{__version__}, but it is not installed, so pytest does not know its plugin")
    elif said != __version__:
        yield problem(_OURSELVES, f"{__version__}, but it is installed as {said}; install it again")
    else:
        yield fact(_OURSELVES, __version__)
    kind = "in a virtual environment" if sys.prefix != sys.base_prefix else "no virtual environment"
    yield fact("Python", f"{sys.version.split()[0]} ({sys.implementation.name}, {kind})")
    wanted = _wanted()
    for name in (*_REQUIRED, *_OPTIONAL):
        yield _version(name, wanted.get(name, []))


def libsndfile() -> Iterator[Finding]:
    """The native library that reads audio, which comes with soundfile or from the system."""
    try:
        import soundfile  # noqa: PLC0415 - loads a native library, which may be the broken one
    except (ImportError, OSError) as error:
        yield problem(
            "libsndfile", f"cannot be loaded ({error}); install soundfile again, or the system's libsndfile"
        )
    else:
        yield fact("libsndfile", str(soundfile.__libsndfile_version__))


def plugins() -> Iterator[Finding]:
    """The other plugins that pytest loads here, since they see and may change every run."""
    found = {
        f"{entry.dist.name} {entry.dist.version}"
        for entry in metadata.entry_points(group="pytest11")
        if entry.dist is not None and entry.dist.name != _OURSELVES
    }
    yield fact("plugins of pytest", ", ".join(sorted(found)) or "none but this one")
