"""Puts verdicts of several runs of one gate side by side: python benchmarks/engines.py REPORT.json …

Exits 1 where a pair's verdict differs between the runs.
"""

import json
import sys
from pathlib import Path


def main() -> int:
    """Print one line a pair: word error rate in percent and verdict of each run."""
    runs = {}
    for argument in sys.argv[1:]:
        path = Path(argument)
        pairs = json.loads(path.read_text())["pairs"]
        runs[path.stem] = {(pair["variant"], pair["dataset"]): pair for pair in pairs}
    equal = True
    print("  ".join([f"{'pair':<14}", *(f"{name:<28}" for name in runs)]).rstrip())
    for key in next(iter(runs.values())):
        cells = []
        for pairs in runs.values():
            rate = pairs[key]["rate_pct"]
            shown = "—" if rate is None else f"{rate:.2f} %"
            cells.append(f"{shown:>8}  {pairs[key]['verdict']:<18}")
        equal = equal and len({pairs[key]["verdict"] for pairs in runs.values()}) == 1
        print("  ".join([f"{key[0]} {key[1]}".ljust(14), *cells]).rstrip())
    print("equal verdicts" if equal else "VERDICTS DIFFER")
    return 0 if equal else 1


if __name__ == "__main__":
    sys.exit(main())
