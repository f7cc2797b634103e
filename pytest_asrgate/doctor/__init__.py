"""`asrgate doctor`: what a bug report needs to say of a machine, its engines, its store and its gate file."""

from pytest_asrgate.doctor.examination import diagnose
from pytest_asrgate.doctor.findings import Diagnosis, Finding, Section

__all__ = ["Diagnosis", "Finding", "Section", "diagnose"]
