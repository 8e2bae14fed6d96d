"""Reads a person here, or in a process of its own, whose end does not end this one."""

from __future__ import annotations

import ctypes
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import NoReturn

import pyarrow as pa

from ._findings import finding
from ._library import DataError, Error, InputOutputError, error_of
from ._people import Person
from ._plan import Question
from ._reading import Reader, tell

# Where neither memory nor time ends a process, this does.
_MOST_SECONDS = 3600
_PAGE = os.sysconf("SC_PAGE_SIZE")
# The exit code of a process whose reader fails otherwise than it should.
_FAILED = 70
# It has the modules of its parent, and none of the folder that is current.
_BEGIN = "import sys; sys.path[:] = sys.argv[1].split(':'); from hkstats._isolation import _main; _main()"


def read(question: Question, person: Person) -> Iterator[pa.RecordBatch]:
    """Reads the exports of a person, and gives their rows, the same ones each time.

    Raises:
        Error: ``strict`` is on, and an export cannot be read
    """
    return (
        _in_a_process(question, person) if question.isolation else Reader(question, person).rows()
    )


def _in_a_process(question: Question, person: Person) -> Iterator[pa.RecordBatch]:
    """Reads in a process whose end, of whatever kind, is a finding.

    Its rows go to a file without a name, and are given when it has ended well: all or none. What it
    raises, this raises.

    Raises:
        Error: the process raises it, or cannot begin
    """
    with (
        tempfile.TemporaryFile() as task,
        tempfile.TemporaryFile() as rows,
        tempfile.TemporaryFile() as raised,
    ):
        task.write(json.dumps({
            "question": asdict(replace(question, isolation=False)), "person": asdict(person),
            "parent": os.getpid(), "raised": raised.fileno(),
        }).encode())  # fmt: skip
        task.seek(0)
        process = subprocess.Popen(
            [sys.executable, "-B", "-c", _BEGIN, os.pathsep.join(sys.path)], stdin=task, stdout=rows,
            stderr=subprocess.DEVNULL, pass_fds=[raised.fileno()],
        )  # fmt: skip
        try:
            failure = _outcome(process, question)
        finally:
            process.kill()
            process.wait()
        if failure is None:
            rows.seek(0)
            yield from pa.ipc.open_stream(rows)
            return
        if process.returncode > 0 and process.returncode != _FAILED:
            # It tells why where it can. This is no fault of the export: Spark tries again elsewhere.
            raised.seek(0)
            message = raised.read(1 << 16).decode(errors="replace")
            raise error_of(process.returncode, message or f"Person {person.id}: {failure}.")
    if question.strict:
        raise DataError(f"Person {person.id}: {failure}.")
    yield from tell([finding("error", "process", failure)], question, person)


def _outcome(process: subprocess.Popen[bytes], question: Question) -> str | None:
    """Waits for a process within its limits: None where it has ended well, else what happened."""
    seconds = question.timeout or _MOST_SECONDS
    end = time.monotonic() + seconds
    while True:
        try:
            code = process.wait(0.02)
        except subprocess.TimeoutExpired:
            # A limit of the address space would not do: where a thread cannot begin for want of it,
            # Dispatch waits for ever.
            if question.memory and _resident(process.pid) > question.memory * 1_000_000:
                return f"the process that read the export took more than {question.memory} MB"
            if time.monotonic() > end:
                return f"the process that read the export was ended after {seconds:g} s"
            continue
        if code < 0:
            return f"the process that read the export ended by signal {-code}"
        return f"the process that read the export ended with exit code {code}" if code else None


def _resident(process: int) -> int:
    """The bytes of memory that a process takes."""
    try:
        return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * _PAGE
    except OSError:
        return 0


def _main() -> NoReturn:
    """The process: a task on standard input, batches of Arrow on standard output."""
    task = json.load(sys.stdin)
    # It ends with its parent, also where that is killed.
    die_with_parent = 1
    ctypes.CDLL(None).prctl(die_with_parent, signal.SIGKILL)
    if os.getppid() != task["parent"]:
        sys.exit(1)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    question, person = Question(**task["question"]), task["person"]
    person = Person(**{**person, "paths": tuple(person["paths"])})
    options = pa.ipc.IpcWriteOptions(compression="lz4")
    try:
        with pa.ipc.new_stream(sys.stdout.buffer, question.schema(), options=options) as writer:
            for batch in read(question, person):
                writer.write_batch(batch)
        sys.stdout.flush()
    except (Error, OSError) as error:
        if not isinstance(error, Error):
            error = InputOutputError(f"Rows cannot be written: {error.strerror}.")
        os.write(task["raised"], error.message.encode(errors="replace"))
        # Else Python writes what its buffers have once more, and ends with a code of its own.
        os._exit(error.code)
    except Exception:
        os._exit(_FAILED)
    os._exit(0)
