"""A report as one page of HTML that needs no network: verdicts, plots, and the utterances behind them."""

from pytest_asrgate.reports.page.page import needs, write_page

__all__ = ["needs", "write_page"]
