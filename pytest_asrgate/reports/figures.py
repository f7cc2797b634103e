"""The figure and the limit of a check as people read them, with their unit."""

__all__ = ["figure_text", "is_signed"]

_UNITS = {"%": " %", "pp": " pp"}


def is_signed(check: str) -> bool:
    """Whether the figure of a check of this name is a difference, which has a sign."""
    return check.endswith(("_delta", "non_inferiority", "leverage"))


def figure_text(value: float | str | None, unit: str, *, signed: bool) -> str:
    """A value with its unit: rates and differences with two digits, a dash for what there is not."""
    if value is None:
        return "—"
    if isinstance(value, str) or unit == "rule":
        return value if isinstance(value, str) else f"{value:.2f} %"
    if unit in _UNITS:
        return (f"{value:+.2f}" if signed else f"{value:.2f}") + _UNITS[unit]
    return f"{value:+g}" if signed else f"{value:g}"
