"""`asrgate parity`: does a preset write the same texts with other threads, and in batches?"""

import argparse
from collections.abc import Generator
from pathlib import Path

from pytest_asrgate.errors import AsrGateError, TranscriberError
from pytest_asrgate.sampling import SAMPLE_UTTERANCES

__all__ = ["DESCRIPTION", "add_arguments", "run"]

DESCRIPTION = (
    "Decode a seeded sample of a dataset under the recipe of the gate file, then with 1 and 2 threads and in "
    "batches of 1 and N, and say what differs. What was decoded is kept in the gate's state folder and not decoded "
    "again. Ends with 0 where all texts are equal, with 1 where some differ, with 2 where it could not be done."
)


def _clips(text: str) -> int | None:
    if text == "all":
        return None
    if text.isascii() and text.isdigit() and int(text) >= 1:
        return int(text)
    raise argparse.ArgumentTypeError(f"must be a whole number of 1 or more, or all; got {text!r}")


def _batch(text: str) -> int:
    if text.isascii() and text.isdigit() and int(text) > 1:
        return int(text)
    raise argparse.ArgumentTypeError(f"must be a whole number of 2 or more; got {text!r}")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument("variant", metavar="VARIANT", help="a variant of the gate file")
    parser.add_argument("dataset", metavar="DATASET", help="a dataset of the gate file")
    parser.add_argument("--config", type=Path, default=Path("gate.toml"), metavar="GATE.toml")
    parser.add_argument(
        "--clips", type=_clips, default=SAMPLE_UTTERANCES, metavar="N|all", help="size of the sample (default 20)"
    )
    parser.add_argument("--batch", type=_batch, default=8, metavar="N", help="the batch size to try (default 8)")


def run(options: argparse.Namespace) -> Generator[str, None, int]:
    """Decode and compare; yields the lines to print and returns 0 or 1, the exit code.

    Raises AsrGateError where it cannot be done, and where nothing at all was compared.
    """
    # Gates and engines are of no use to the other commands, which start sooner without them.
    from pytest_asrgate.parity import decode_under, decode_usual, other_values  # noqa: PLC0415 - see above
    from pytest_asrgate.reports.parity import parity_lines, sample_line  # noqa: PLC0415 - see above
    from pytest_asrgate.session import open_gate  # noqa: PLC0415 - see above

    if not options.config.is_file():
        raise AsrGateError(f"there is no gate file {options.config}; name one with --config")
    gate = open_gate(options.config)
    usual = decode_usual(gate, options.variant, options.dataset, clips=options.clips)
    yield sample_line(usual, gate.recipe)
    found = []
    for setting, value in other_values(gate, batch=options.batch):
        found.append(decode_under(gate, usual, setting, value))
        yield from parity_lines(found[-1])
    decoded = [each for each in found if not each.unused]
    if not any(each.compared for each in decoded):
        why = "every utterance failed" if decoded else "no setting is used by this engine"
        raise TranscriberError(f"{options.variant} on {options.dataset}: nothing could be compared, since {why}")
    equal = all(each.equal for each in decoded)
    if not equal and usual.pair.variant.transcriber.repeat == 1:
        yield (
            "note: an engine that flips under one recipe differs here too; "
            f"transcriber.{usual.pair.variant.transcriber.name}.repeat = 3 tells the two apart"
        )
    return 0 if equal else 1
