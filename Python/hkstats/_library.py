"""Loads the library, declares its functions, raises its errors, and waits for its calls."""

from __future__ import annotations

import _thread
import atexit
import ctypes
import errno
import json
import os
import threading
import time
from collections.abc import Callable
from ctypes import (
    CFUNCTYPE,
    POINTER,
    byref,
    c_char_p,
    c_double,
    c_int32,
    c_int64,
    c_size_t,
    c_void_p,
)
from pathlib import Path
from typing import Any, ClassVar, TypeVar

__version__ = "0.2.0"

ABI_VERSION = 2
OK = 0
READ_ONLY, READ_WRITE = 0, 1
NO_KEY, PASSPHRASE, KEY_FILE = 0, 1, 2

Result = TypeVar("Result")
Report = Callable[[str, "float | None"], object]


# MARK: Exceptions


class Error(Exception):
    """A call failed. The message says where and why, and has no measured value.

    Attributes:
        message: a sentence
        code: the number of the kind of error, which is also the exit code of the program ``hkstats``
        reason: the name of the reason, such as ``unknownWord``, which stays; empty where this package
            found it
        where: the argument, or the member of a question: ``question.by``; empty for none
        explanation: why an export cannot be read, without names of files; else empty
    """

    code: int = 1
    reason: str = ""
    where: str = ""
    explanation: str = ""

    def __init__(self, message: str = "") -> None:
        super().__init__(message)
        self.message = message

    def __str__(self) -> str:
        return self.message


class UsageError(Error, ValueError):
    """An argument is wrong: a name, a date, a unit, a member of a question, a closed store."""

    code = 64


class DataError(Error):
    """A file is damaged, or of another kind."""

    code = 65


class _FileError(Error, OSError):
    """An error of a file, which has the number of its reason as those of Python do."""

    number: ClassVar[int]

    def __init__(self, message: str = "") -> None:
        super().__init__(message)
        self.errno = self.number


class NotFoundError(_FileError, FileNotFoundError):
    """There is no such file."""

    code = 66
    number = errno.ENOENT


class InputOutputError(_FileError):
    """The disk is full, or a file cannot be read or written."""

    code = 74
    number = errno.EIO


class BusyError(Error):
    """Another process or thread writes to the store."""

    code = 75


class NotPermittedError(_FileError, PermissionError):
    """The store is encrypted, and the key is missing or wrong."""

    code = 77
    number = errno.EACCES


class CancelledError(Error):
    """The call was asked to end, and changed nothing."""

    code = 130


class ForkedError(Error):
    """What is used belongs to the parent of a forked process, or a call was running then."""

    code = 200


_ERRORS: dict[int, type[Error]] = {
    kind.code: kind
    for kind in (
        UsageError,
        DataError,
        NotFoundError,
        InputOutputError,
        BusyError,
        NotPermittedError,
        CancelledError,
        ForkedError,
    )
}


# MARK: Structures of the Arrow C data interface


class ArrowSchema(ctypes.Structure):
    """A type of Arrow, with its name and metadata."""


class ArrowArray(ctypes.Structure):
    """Values of Arrow."""


class ArrowArrayStream(ctypes.Structure):
    """Arrays of one schema, one after another."""


Release = CFUNCTYPE(None, c_void_p)
_GetNext = CFUNCTYPE(ctypes.c_int, c_void_p, c_void_p)
_GetLastError = CFUNCTYPE(c_char_p, c_void_p)

ArrowSchema._fields_ = [
    ("format", c_char_p),
    ("name", c_char_p),
    ("metadata", c_void_p),
    ("flags", c_int64),
    ("n_children", c_int64),
    ("children", POINTER(POINTER(ArrowSchema))),
    ("dictionary", POINTER(ArrowSchema)),
    ("release", Release),
    ("private_data", c_void_p),
]
ArrowArray._fields_ = [
    ("length", c_int64),
    ("null_count", c_int64),
    ("offset", c_int64),
    ("n_buffers", c_int64),
    ("n_children", c_int64),
    ("buffers", POINTER(c_void_p)),
    ("children", POINTER(POINTER(ArrowArray))),
    ("dictionary", POINTER(ArrowArray)),
    ("release", Release),
    ("private_data", c_void_p),
]
ArrowArrayStream._fields_ = [
    ("get_schema", _GetNext),
    ("get_next", _GetNext),
    ("get_last_error", _GetLastError),
    ("release", Release),
    ("private_data", c_void_p),
]


# MARK: Loading

Notify = CFUNCTYPE(c_int32, c_void_p, c_char_p, c_double)
_HANDLE = POINTER(c_void_p)
_TEXT = POINTER(c_void_p)

# The arguments of each function that gives a code, without the error at their end.
_FUNCTIONS: dict[str, tuple[Any, ...]] = {
    "store_open": (c_char_p, c_int32, c_int32, c_char_p, _HANDLE),
    "store_temporary": (_HANDLE,),
    "store_set_now": (c_void_p, c_char_p),
    "store_close": (c_void_p,),
    "import": (c_void_p, c_char_p, c_char_p, Notify, c_void_p, _TEXT),
    "ask": (c_void_p, c_char_p, c_char_p, Notify, c_void_p, _HANDLE),
    "describe": (_TEXT,),
    "table_rows": (c_void_p, POINTER(c_int64)),
    "table_info": (c_void_p, _TEXT),
    "table_schema": (c_void_p, c_void_p),
    "table_stream": (c_void_p, c_void_p),
    "table_close": (c_void_p,),
    "unit": (c_char_p, _TEXT),
    "conversion_open": (c_char_p, c_char_p, c_char_p, _HANDLE),
    "convert": (c_void_p, c_void_p, c_void_p, c_size_t),
    "conversion_close": (c_void_p,),
    "merge": (
        c_char_p, c_void_p, c_void_p, c_void_p, c_void_p, c_size_t, POINTER(c_char_p), c_size_t,
        c_char_p, Notify, c_void_p, _HANDLE,
    ),
}  # fmt: skip

_WHEELS = (
    "The wheels of hkstats are for Linux on x86-64 with glibc 2.36 or later, such as Debian 12, "
    "Ubuntu 23.04 or Fedora 37"
)


def _load() -> ctypes.CDLL:
    """Loads the library of the package, or the one that HKSTATS_LIBRARY names, which is for tests.

    Raises:
        ImportError: it is missing, does not load, or is of another version
    """
    named = os.environ.get("HKSTATS_LIBRARY")
    path = Path(named) if named else Path(__file__).with_name("libhkstats.so")
    if not path.exists():
        raise ImportError(f"{_WHEELS}; this package has no library at {path}.", path=str(path))
    try:
        library = ctypes.CDLL(str(path))
    except OSError as error:
        raise ImportError(f"{_WHEELS}; here it does not load: {error}", path=str(path)) from error
    library.hkstats_abi_version.argtypes = ()
    library.hkstats_abi_version.restype = c_int32
    library.hkstats_version.argtypes = ()
    library.hkstats_version.restype = c_char_p
    interface = library.hkstats_abi_version()
    version = library.hkstats_version().decode()
    if (interface, version) != (ABI_VERSION, __version__):
        raise ImportError(
            f"The library at {path} is hkstats {version} with interface {interface}, and the "
            f"Python package is hkstats {__version__} for interface {ABI_VERSION}. Install the "
            "package again, or unset HKSTATS_LIBRARY.",
            path=str(path),
        )
    for name, arguments in _FUNCTIONS.items():
        function = getattr(library, f"hkstats_{name}")
        function.argtypes = (*arguments, _TEXT)
        function.restype = c_int32
    library.hkstats_free.argtypes = (c_void_p,)
    library.hkstats_free.restype = None
    library.hkstats_live_objects.argtypes = ()
    library.hkstats_live_objects.restype = c_int64
    for name in ("stream", "schema"):
        allocate = getattr(library, f"hkstats_{name}_allocate")
        allocate.argtypes = ()
        allocate.restype = c_void_p
    return library


_library = _load()


# MARK: Calls


def encoded(text: str, what: str) -> bytes:
    """A text as the library reads it. Raises UsageError for one that UTF-8 or C cannot have."""
    if not isinstance(text, str):
        raise TypeError(f"{what} must be a text, not {type(text).__name__}.")
    try:
        data = text.encode()
    except UnicodeEncodeError:
        data = b"\0"
    if b"\0" in data:
        raise UsageError(f"{what} has a character that no text has.")
    return data


def encoded_path(path: str | os.PathLike[str], what: str) -> bytes:
    """A path as the library reads it."""
    data = os.fsencode(path)
    if b"\0" in data:
        raise UsageError(f"{what} has a character that no path has.")
    return data


def taken(text: c_void_p) -> str:
    """A text that the library gave, which is freed."""
    try:
        return ctypes.string_at(text.value or 0).decode(errors="replace") if text.value else ""
    finally:
        _library.hkstats_free(text)


def call(name: str, *arguments: Any) -> None:
    """Calls a function. Raises the exception of its code."""
    error = c_void_p()
    code = getattr(_library, f"hkstats_{name}")(*arguments, byref(error))
    text = taken(error)
    if code == OK:
        return
    said = json.loads(text) if text else {}
    raise error_of(
        code, said.get("message", ""), said.get("where") or "", said.get("reason", ""),
        said.get("explanation", ""),
    )  # fmt: skip


def error_of(
    code: int, message: str, where: str = "", reason: str = "", explanation: str = ""
) -> Error:
    """The exception of a code, with what the library says of it."""
    failure = _ERRORS.get(code, Error)(message)
    failure.code, failure.where, failure.reason = code, where, reason
    failure.explanation = explanation
    return failure


def live_objects() -> int:
    """How many handles, streams, schemas and arrays of the library are alive."""
    return int(_library.hkstats_live_objects())


class Handle:
    """A handle of the library, which is closed when it is no longer used.

    ``with handle as pointer`` keeps it open meanwhile; a thread may close it amid the call of
    another.
    """

    __slots__ = ("_address", "_closer", "_is_closed", "_lock", "_process", "_users", "_what")

    def __init__(self, pointer: c_void_p, closer: str, what: str) -> None:
        self._address = pointer.value
        self._closer = closer
        self._what = what
        self._users = 0
        self._is_closed = False
        self._lock = threading.Lock()
        self._process = os.getpid()

    @property
    def is_closed(self) -> bool:
        return self._is_closed

    def __enter__(self) -> int | None:
        # In a child the lock may be one that a thread of the parent holds.
        if os.getpid() != self._process:
            raise ForkedError(
                f"The {self._what} was opened before this process was forked. Open it again here."
            )
        with self._lock:
            if self._is_closed:
                raise UsageError(f"The {self._what} is closed.")
            self._users += 1
        return self._address

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._users -= 1
            is_last = self._is_closed and self._users == 0
        if is_last:
            self._end()

    def close(self) -> None:
        """Closes it, at the latest when the last call has ended; a second time does nothing."""
        if os.getpid() != self._process:
            return
        with self._lock:
            is_last = not self._is_closed and self._users == 0
            self._is_closed = True
        if is_last:
            self._end()

    def _end(self) -> None:
        address, self._address = self._address, None
        if address is not None:
            call(self._closer, address)

    def __del__(self) -> None:
        if getattr(self, "_address", None) is None or os.getpid() != self._process:
            return
        try:
            self._end()
        except Error:
            pass
        except KeyboardInterrupt:
            # What is raised here is lost, so the interrupt comes once more, from another thread.
            _thread.start_new_thread(_thread.interrupt_main, ())


class _Job:
    """A call on a thread of its own.

    The thread that asked can be interrupted between any two steps, so the two only share flags and
    the locks of the interpreter, whose use is one step.
    """

    __slots__ = (
        "body", "end", "failure", "gate", "is_cancelled", "is_finished", "is_open", "result",
        "state",
    )  # fmt: skip

    def __init__(self, body: Callable[[Any], Any]) -> None:
        self.body: Callable[[Any], Any] | None = body
        self.result: Any = None
        self.failure: BaseException | None = None
        self.state: tuple[str, float | None] | None = None
        self.is_open = self.is_finished = self.is_cancelled = False
        self.gate = _thread.allocate_lock()
        self.gate.acquire()
        self.end = _thread.allocate_lock()
        self.end.acquire()

    def notify(self, _: int | None, phase: bytes, share: float) -> int:
        """What the library calls with its progress. Nothing may be raised here."""
        try:
            self.state = (phase.decode(), share if share >= 0 else None)
            return int(self.is_cancelled)
        except BaseException:
            return 1

    def work(self) -> None:
        """The thread of the call."""
        try:
            self.gate.acquire()
            if not self.is_cancelled and self.body is not None:
                self.result = self.body(Notify(self.notify))
        except BaseException as failure:
            self.failure = failure
        finally:
            # What the call used lives no longer than the thread that asked wants.
            self.body = None
            self.is_finished = True
            self.end.release()

    def open_gate(self) -> None:
        try:
            self.gate.release()
        except RuntimeError:
            # It is open already.
            pass

    def outlast(self) -> None:
        """Asks the call to end, and waits for that, whatever the impatience."""
        while True:
            try:
                self.is_cancelled = True
                self.open_gate()
                while self.is_open and not self.is_finished:
                    self.end.acquire(timeout=0.1)
                return
            except KeyboardInterrupt:
                continue


def run(body: Callable[[Any], Result], report: Report | None = None) -> Result:
    """Runs a call on a thread of its own, and waits for it.

    On the main thread a call would keep Ctrl-C waiting, and one with a function for progress would
    be interrupted inside that function, where nothing can be raised. An exception here, such as
    that of Ctrl-C or one of ``report``, asks the call to end, and is raised when it has ended.

    Args:
        body: makes the call, with the function that the library gets for its progress
        report: gets the progress, on this thread, up to ten times a second
    """
    if _ending.is_set:
        return _ending.answer(body)
    job = _Job(body)
    _running.add(job)
    try:
        try:
            _thread.start_new_thread(job.work, ())
        except RuntimeError:
            # No thread begins while the interpreter exits.
            return body(Notify())
        job.is_open = True
        job.gate.release()
        told = None
        while not job.is_finished:
            job.end.acquire(timeout=0.1)
            if report is not None and job.state is not None and job.state != told:
                told = job.state
                report(*told)
    except BaseException:
        # Ctrl-C comes again where a function begins or a loop goes round, and each is in a try here.
        try:
            while not job.is_finished:
                try:
                    job.outlast()
                    break
                except KeyboardInterrupt:
                    pass
        except KeyboardInterrupt:
            job.outlast()
        # The exception has this frame, and a table that nobody gets should be gone.
        job.result = job.failure = None
        raise
    finally:
        _running.discard(job)
    if _ending.is_set:
        _ending.keep_other_threads()
    if job.failure is None:
        # The thread of the call may have the job a moment longer.
        result: Result
        result, job.result = job.result, None
        return result
    # The traceback of the failure has this frame, which must not have the failure.
    failure, job.failure = job.failure, None
    try:
        raise failure
    finally:
        del failure, job


class _Ending:
    """The end of the interpreter, before which the calls of daemon threads are asked to end.

    Afterwards no thread but the main one can enter Python. One that tries, to tell its progress,
    would be ended inside the library.
    """

    def __init__(self) -> None:
        self.is_set = False
        self._patience = 5.0

    def begin(self) -> None:
        """Ends all calls, each of which leaves its store as it was, and lets no other begin."""
        self.is_set = True
        jobs = list(_running)
        for job in jobs:
            job.is_cancelled = True
        deadline = time.monotonic() + self._patience
        while not all(job.is_finished for job in jobs if job.is_open):
            if time.monotonic() > deadline:
                return
            time.sleep(0.005)

    def answer(self, body: Callable[[Any], Result]) -> Result:
        """Calls on the main thread, which other functions of atexit may do."""
        self.keep_other_threads()
        return body(Notify())

    def keep_other_threads(self) -> None:
        """Lets a daemon thread wait for the end of the process."""
        if threading.get_ident() != threading.main_thread().ident:
            while True:
                time.sleep(3600)


_running: set[_Job] = set()
_ending = _Ending()
atexit.register(_ending.begin)
# A child has none of the calls of its parent's other threads.
os.register_at_fork(after_in_child=_running.clear)


# MARK: Capsules

# A capsule keeps the address of its name, and may outlive this module.
_STREAM_NAME, _SCHEMA_NAME = b"arrow_array_stream", b"arrow_schema"
for _name in (_STREAM_NAME, _SCHEMA_NAME):
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(_name))

_new_capsule = ctypes.pythonapi.PyCapsule_New
_new_capsule.argtypes = (c_void_p, c_char_p, c_void_p)
_new_capsule.restype = ctypes.py_object
_DESTRUCTOR = ctypes.cast(_library.hkstats_capsule_destructor, c_void_p)


def _capsule(allocate: Callable[[], int | None], name: bytes, fill: str, table: Handle) -> object:
    with table as pointer:
        address = allocate()
        if address is None:
            raise MemoryError
        # The capsule frees what it holds, also where it stays empty.
        capsule: object = _new_capsule(address, name, _DESTRUCTOR)
        call(fill, pointer, address)
        return capsule


def stream_capsule(table: Handle) -> object:
    """A PyCapsule with a new stream of a table."""
    return _capsule(_library.hkstats_stream_allocate, _STREAM_NAME, "table_stream", table)


def schema_capsule(table: Handle) -> object:
    """A PyCapsule with the schema of a table."""
    return _capsule(_library.hkstats_schema_allocate, _SCHEMA_NAME, "table_schema", table)
