"""A diagnosis as lines for a terminal, or as one JSON document."""

import json
from collections.abc import Iterator

from pytest_asrgate.doctor.findings import Diagnosis
from pytest_asrgate.reports.escape import plain
from pytest_asrgate.values import plural

__all__ = ["as_json", "as_lines"]


def as_lines(diagnosis: Diagnosis) -> Iterator[str]:
    """Each section under its title; a line that begins with `problem:` is one."""
    for section in diagnosis.sections:
        yield plain(section.title)
        for finding in section.findings:
            mark = "problem: " if finding.problem else ""
            yield plain(f"  {mark}{finding.name}: {finding.text}")
        yield ""
    yield f"{plural(diagnosis.problems, 'problem')} found" if diagnosis.problems else "no problem found"


def as_json(diagnosis: Diagnosis) -> str:
    """The same in one object, in ASCII."""
    sections = [
        {
            "title": section.title,
            "findings": [
                {"name": finding.name, "text": finding.text, "problem": finding.problem}
                for finding in section.findings
            ],
        }
        for section in diagnosis.sections
    ]
    document = {"schema": "asrgate.doctor/1", "problems": diagnosis.problems, "sections": sections}
    return json.dumps(document, indent=2)
