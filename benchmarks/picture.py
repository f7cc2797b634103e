"""Draws benchmarks/rules.svg: how often each rule passes a loss of known size. python benchmarks/picture.py

300 utterances of 20 words, 1,000 simulated sets for each loss, the seed of error_worlds.py.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from error_rules import OURS, Outcome, verdicts
from error_worlds import SEED, World

RUNS = 1000
MARGIN = 0.5
WORLD = World("picture", 300, 20, MARGIN, churn=0.3, difficulty=1.0)
WIDEST = 2.0
LOSSES = tuple(WIDEST * step / 20 for step in range(21))
RULES = {
    "CIs overlap": ("confidence intervals overlap", "#b05f00", "6 4"),
    "within-baseline": ("delta inside the baseline's interval", "#8a2be2", "2 3"),
    OURS: ("paired bound against the margin", "#00695c", ""),
}

# The plot's frame, in the picture's own units.
_WIDTH, _HEIGHT, _LEFT, _RIGHT, _TOP, _BOTTOM = 760, 440, 64, 24, 46, 116


def passed() -> dict[str, list[float]]:
    """For each rule the percentage of sets that it passed, parallel to LOSSES."""
    random = np.random.default_rng([SEED, 2])
    shares: dict[str, list[float]] = {rule: [] for rule in RULES}
    for loss in LOSSES:
        found = [verdicts(run, MARGIN, random) for run in WORLD.runs(RUNS, loss, "picture")]
        for rule, values in shares.items():
            values.append(100 * sum(each[rule] is Outcome.PASS for each in found) / RUNS)
    return shares


def _x(loss: float) -> float:
    return _LEFT + loss / WIDEST * (_WIDTH - _LEFT - _RIGHT)


def _y(percent: float) -> float:
    return _HEIGHT - _BOTTOM - percent / 100 * (_HEIGHT - _TOP - _BOTTOM)


def _text(x: float, y: float, words: str, more: str = "") -> str:
    return f'<text x="{x:.0f}" y="{y:.0f}" {more}>{words}</text>'


def _axes() -> list[str]:
    lines = []
    for percent in range(0, 101, 20):
        y = _y(percent)
        lines.append(f'<line x1="{_LEFT}" y1="{y:.0f}" x2="{_WIDTH - _RIGHT}" y2="{y:.0f}" stroke="#ddd"/>')
        lines.append(_text(_LEFT - 8, y + 4, f"{percent} %", 'text-anchor="end"'))
    for loss in LOSSES[::4]:
        lines.append(_text(_x(loss), _y(0) + 18, f"{loss:g}", 'text-anchor="middle"'))
    lines.append(_text(_x(WIDEST / 2), _y(0) + 38, "true loss, percentage points", 'text-anchor="middle"'))
    lines.append(_text(_LEFT - 52, 20, "sets of 300 utterances that pass", 'font-weight="bold"'))
    edge = _x(MARGIN)
    lines.append(f'<line x1="{edge:.0f}" y1="{_y(0):.0f}" x2="{edge:.0f}" y2="{_TOP - 6}" stroke="#333"/>')
    lines.append(_text(edge + 5, _TOP - 10, f"margin {MARGIN} pp: right of it a pass is wrong"))
    return lines


def _curves(shares: Mapping[str, Sequence[float]]) -> list[str]:
    lines = []
    for number, (rule, (words, colour, dashes)) in enumerate(RULES.items()):
        points = " ".join(f"{_x(x):.1f},{_y(y):.1f}" for x, y in zip(LOSSES, shares[rule], strict=True))
        dash = f'stroke-dasharray="{dashes}"' if dashes else ""
        lines.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2.5" {dash}/>')
        x, y = _x(0.55), _y(0) + 62 + 19 * number
        lines.append(
            f'<line x1="{x:.0f}" y1="{y - 4:.0f}" x2="{x + 26:.0f}" y2="{y - 4:.0f}" stroke="{colour}" '
            f'stroke-width="2.5" {dash}/>'
        )
        lines.append(_text(x + 32, y, words, f'fill="{colour}"'))
    return lines


def picture(shares: Mapping[str, Sequence[float]]) -> str:
    """The whole picture as SVG."""
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" '
        f'height="{_HEIGHT}" font-family="sans-serif" font-size="13" fill="#222">'
    )
    ground = '<rect width="100%" height="100%" fill="#fff"/>'
    return "\n".join([head, ground, *_axes(), *_curves(shares), "</svg>"]) + "\n"


def main() -> None:
    """Simulate, draw, and print what was drawn."""
    shares = passed()
    Path(__file__).with_name("rules.svg").write_text(picture(shares), encoding="utf-8")
    print("true loss, pp  " + "  ".join(RULES))
    for place, loss in enumerate(LOSSES):
        print(f"{loss:13.2f}  " + "  ".join(f"{shares[rule][place]:{len(rule)}.0f}" for rule in RULES))


if __name__ == "__main__":
    main()
