"""What the property tests share: settings under which they are the same every time, and texts that break things."""

from datetime import date

from hypothesis import settings
from hypothesis import strategies as st

__all__ = ["STEADY", "texts", "toml"]

# The same examples in every run, on any machine, however slow, and nothing kept between runs.
STEADY = settings(max_examples=60, deadline=None, derandomize=True, database=None)

# Words and signs that normalisers, formats and terminals treat in ways of their own.
_ODD = [
    "cat", "don't", "10,000", "£5", "@", ";;", "{ a / b }", "(u1)", "\ufeff", "\u200b", "\u202e", "\x1b[31m",
    "\x9b", "\u2028",
    "\x85", "\r", "\n", "\t", "\x0b", "किताब", "東京", "ﷺ", "İ", "ß", "[laughs]", "<b>", "=1+1", "♪", "-",
]  # fmt: skip


def texts(*, surrogates: bool = False) -> st.SearchStrategy[str]:
    """Texts of any characters, mixed with odd words; halves of characters only where they are asked for."""
    letters = st.characters() if surrogates else st.characters(exclude_categories=["Cs"])
    return st.one_of(
        st.text(letters, max_size=20),
        st.lists(st.sampled_from(_ODD), max_size=6).map(" ".join),
        st.lists(st.sampled_from(["a", "b", "c", "thank you"]), max_size=12).map(" ".join),
    )


def toml(value: object) -> str:
    """A value as TOML writes it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return '"' + "".join(f"\\U{ord(letter):08X}" for letter in value) + '"'
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{toml(key)} = {toml(item)}" for key, item in value.items()) + "}"
    if isinstance(value, date):
        return value.isoformat()
    return str(value)
