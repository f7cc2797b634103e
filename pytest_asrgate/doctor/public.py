"""Text that a bug report may show: no home folder, no name of a host or a user, no secret of the gate file."""

import getpass
import os
import platform
import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

__all__ = ["public_text"]

# Everybody's, and a part of many paths.
_COMMON = {"root", "user", "home", "localhost", "runner", "worker"}
# Name and password of an address, whose second slash is lost where it was taken for a path. What follows a colon
# and is no port may be a password whose end was cut off; brackets hold an address with colons of its own.
_SECRET = re.compile(
    r"""(?P<scheme>\b[a-z][a-z0-9+.-]*:/+)(?:[^\s/:@]*:\S*@|[^\s/@]+@|(?!\[)[^\s/:@]+:(?![0-9]{0,5}(?!\w))\S*)""",
    re.IGNORECASE,
)
# Shorter ones are words of other texts too.
_SHORTEST = 3


def _names() -> dict[str, str]:
    """The names of this host and user by what is shown in their place."""
    found = {platform.node(): "<host>", platform.node().partition(".")[0]: "<host>"}
    # A container may run as a number that has no name.
    with suppress(OSError, KeyError, ImportError):
        found[getpass.getuser()] = "<user>"
    return {name: shown for name, shown in found.items() if len(name) >= _SHORTEST and name not in _COMMON}


def _homes() -> set[str]:
    found = {os.path.expanduser("~")}  # noqa: PTH111 - Path.home() raises where there is none
    with suppress(OSError, RuntimeError):
        found.add(str(Path.home().resolve()))
    return {home.rstrip("/") for home in found if home.startswith("/") and home.strip("/")}


def public_text(folder: Path, redact: Callable[[str], str] = str) -> Callable[[str], str]:
    """A function that takes out of a text what is nobody else's business; `redact` knows the gate's secrets.

    Paths in `folder`, the gate's own, are shown as relative ones, and addresses without name and password.
    """
    inside = re.compile(rf"(?<![\w/.-]){re.escape(str(folder))}(/|(?![\w/.-]))")
    homes = sorted(_homes(), key=len, reverse=True)
    names = sorted(_names().items(), key=lambda item: -len(item[0]))

    def public(text: str) -> str:
        text = _SECRET.sub(r"\g<scheme><secret>@", redact(text))
        if folder != folder.parent:
            text = inside.sub(lambda match: "" if match.group(1) else "the gate's folder", text)
        for home in homes:
            text = re.sub(rf"(?<![\w/.-]){re.escape(home)}(?![\w-])", "~", text)
        for name, shown in names:
            text = re.sub(rf"(?<![\w-]){re.escape(name)}(?![\w-])", shown, text)
        return text

    return public
