"""The shapes of corpus that `asrgate ingest` can read, by name."""

from collections.abc import Mapping

from pytest_asrgate.corpora import asterisk, commonvoice, fleurs, kaldi, librispeech, nemo, table
from pytest_asrgate.corpora.corpus import Adapter

__all__ = ["CORPORA"]

CORPORA: Mapping[str, Adapter] = {
    "asterisk": asterisk.ADAPTER,
    "commonvoice": commonvoice.ADAPTER,
    "csv": table.ADAPTER,
    "fleurs": fleurs.ADAPTER,
    "kaldi": kaldi.ADAPTER,
    "librispeech": librispeech.ADAPTER,
    "nemo": nemo.ADAPTER,
}
