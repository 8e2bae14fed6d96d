"""What is odd about an export, or why it is not read: rows of a table without names of files.

They are a table of their own, or files of Parquet that lie beside the rows of another.
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import os
import secrets
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

from ._library import DataError, Error, InputOutputError, NotFoundError

FIELDS_OF_FINDINGS = [
    pa.field("severity", pa.string()),
    pa.field("finding", pa.string()),
    pa.field("records", pa.int64()),
    pa.field("message", pa.string()),
]


def kind_of(error: Error) -> str:
    if isinstance(error, NotFoundError):
        return "missing"
    return "damaged" if isinstance(error, DataError) else "unreadable"


def finding(
    severity: str, finding: str, message: str | None, records: int | None = None
) -> dict[str, Any]:
    return {"severity": severity, "finding": finding, "records": records, "message": message}


def reason_of(error: Error) -> str:
    """Why an export cannot be read, without names of files: neither its own, nor those in it."""
    return f"the export: {error.explanation or 'cannot be read'}."


def scrubbed(message: str, path: str = "") -> str:
    """A sentence without a path, and without near names, which are of somebody's data."""
    if path:
        message = message.replace(path, "the export")
    return message.split(" Did you mean", 1)[0]


def may_wait(path: str) -> bool:
    """Whether a path may be read for ever, as a pipe is."""
    return os.path.exists(path) and not (os.path.isfile(path) or os.path.isdir(path))


def is_readable(path: str) -> bool:
    """Whether all bytes of an export can be read here."""
    files = [path]
    if os.path.isdir(path):
        files = [os.path.join(folder, each) for folder, _, names in os.walk(path) for each in names]
    try:
        for each in itertools.filterfalse(may_wait, files):
            with open(each, "rb") as file:
                while file.read(1 << 20):
                    pass
    except OSError:
        return False
    return True


def _skipped(reasons: Mapping[str, Mapping[str, int]]) -> list[dict[str, Any]]:
    """A row for each type and each reason why its records are skipped, up to a hundred."""
    # After a colon a reason quotes the file.
    counts = Counter[str]()
    for type, of_type in sorted(reasons.items()):
        for reason, count in sorted(of_type.items()):
            counts[f"{type[:100]}: {reason.split(':', 1)[0]}"] += count
    rows = [
        finding("warning", "skipped", each, records=counts[each]) for each in list(counts)[:100]
    ]
    further = list(counts)[100:]
    if further:
        count = sum(counts[each] for each in further)
        rows.append(finding("warning", "skipped", "further types and reasons", records=count))
    return rows


def findings_of(report: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What the report of an import says, a row for the whole and one for each oddity."""
    rows = [finding("info", "read", None, records=report["new"])]
    if any(each["cutAt"] is not None for each in report["inputs"]):
        rows.append(finding("warning", "cut", "the export ends amid its records"))
    rows += _skipped(report["skippedReasons"])
    others = sum(len(each["otherExports"]) for each in report["inputs"])
    for kind, sentence, count in (
        (
            "missingFiles",
            "files that the export names are not in it",
            report["missingFiles"]["count"],
        ),
        (
            "unreadableFiles",
            "files of the export cannot be read",
            report["unreadableFiles"]["count"],
        ),
        ("otherExports", "further exports in the same place are not read", others),
    ):
        if count:
            rows.append(finding("warning", kind, sentence, records=count))
    if not report["new"] and not report["known"]:
        rows.append(finding("warning", "empty", "the export has no record"))
    return rows


def columns_of(findings: Sequence[Mapping[str, Any]]) -> dict[str, pa.Array]:
    """The findings of a person by columns."""
    return {
        each.name: pa.array([row[each.name] for row in findings], each.type)
        for each in FIELDS_OF_FINDINGS
    }


def keep(findings: Sequence[Mapping[str, Any]], person: str, folder: str) -> None:
    """Writes the findings of a person to a file of theirs, which is there as a whole or not at all.

    Whoever reads the person again, or at the same time, puts the same file in its place.

    Raises:
        InputOutputError: it cannot be written
    """
    from pyarrow import parquet

    table = pa.table({"person": pa.repeat(person, len(findings)), **columns_of(findings)})
    name = hashlib.sha256(person.encode()).hexdigest()[:32]
    # Readers of Parquet in folders, such as Spark, leave out what begins with a point.
    unfinished = os.path.join(folder, f".{name}-{secrets.token_hex(8)}")
    try:
        os.makedirs(folder, exist_ok=True)
        with open(unfinished, "xb") as file:
            parquet.write_table(table, file)
        os.replace(unfinished, os.path.join(folder, f"{name}.parquet"))
    except OSError as error:
        with contextlib.suppress(OSError):
            os.unlink(unfinished)
        raise InputOutputError(f"Findings cannot be written: {error.strerror}.") from None
