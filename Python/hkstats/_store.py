"""Stores and exports, and the questions to them."""

from __future__ import annotations

import datetime
import json
import os
from collections.abc import Mapping, Sequence
from ctypes import byref, c_void_p
from types import TracebackType
from typing import Any, Literal, Union

from ._analyses import Analyses
from ._library import (
    KEY_FILE,
    NO_KEY,
    PASSPHRASE,
    READ_ONLY,
    READ_WRITE,
    Handle,
    UsageError,
    call,
    encoded,
    encoded_path,
    run,
    taken,
)
from ._progress import Progress, Reporter
from ._table import Table

Path = Union[str, "os.PathLike[str]"]
Date = Union[str, datetime.date, datetime.datetime]
Words = Union[str, Sequence[str]]
# One type, several, or several with what only one needs: {"type": "bodyMass", "unit": "lb"}.
Types = Union[str, Sequence[Union[str, Mapping[str, Any]]]]

_SEALED = b"hkstats sealed\r\n"
_DATABASE = b"SQLite format 3\0"
_STORE, _TABLES = b"hkst", b"hktb"


def open(
    path: Path,
    mode: Literal["r", "rw"] = "r",
    *,
    passphrase: str | None = None,
    key_file: Path | None = None,
    now: str | datetime.datetime | None = None,
    progress: Progress = None,
) -> Store:
    """Opens an export of the Health app, or a store of hkstats.

    An export (zip, folder or xml; also of another program) is read into a temporary file that no
    other process can see, and that is gone when the store is closed. A store is one file, which
    ``hkstats import`` or mode ``"rw"`` makes.

    Args:
        path: the export, or the store
        mode: ``"r"`` reads; ``"rw"`` opens a store for imports, and makes it if there is none
        passphrase: opens an encrypted store
        key_file: the file that opens an encrypted store, in place of a passphrase
        now: the moment of ``"today"`` and ``"-7d"``, for what must come out the same on every day:
            a datetime with a zone, or a text such as ``"2026-11-28T03:06:00+01:00"``. None is the
            clock of the system
        progress: None shows a bar in notebooks and terminals where it takes long, False none; a
            function gets what is done and the share that is done, or None where the whole is not
            known. What it raises ends the call. It holds for all calls of the store that have none
            of their own.

    Raises:
        NotFoundError: there is no such file
        DataError: it is damaged, or neither an export nor a store
        NotPermittedError: the store is encrypted, and the key is missing or wrong
        BusyError: another process writes to the store
        UsageError: the mode is neither ``"r"`` nor ``"rw"``, there are two keys, or now has no offset
        KeyboardInterrupt: Ctrl-C ended it
    """
    if mode not in ("r", "rw"):
        raise UsageError(f'mode is "r" or "rw", not {mode!r}.')
    if passphrase is not None and key_file is not None:
        raise UsageError("Give a passphrase or a key file, not both.")
    name = encoded_path(path, "The path")
    if mode == "r" and not _is_store(name):
        if passphrase is not None or key_file is not None:
            raise UsageError("Keys are for encrypted stores, and this is none.")
        return Store._of_export(path, name, progress)._at(now)
    kind, key = NO_KEY, None
    if passphrase is not None:
        kind, key = PASSPHRASE, encoded(passphrase, "The passphrase")
    elif key_file is not None:
        kind, key = KEY_FILE, encoded_path(key_file, "The key file")

    def body(_: Any) -> Handle:
        store = c_void_p()
        access = READ_WRITE if mode == "rw" else READ_ONLY
        call("store_open", name, access, kind, key, byref(store))
        return Handle(store, "store_close", "store")

    return Store(run(body), path, mode, progress)._at(now)


def _is_store(path: bytes) -> bool:
    """Whether a file is a store, sealed or in the clear, by its first bytes."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | getattr(os, "O_CLOEXEC", 0))
    except OSError:
        return False
    try:
        head = os.read(descriptor, 100)
    except OSError:
        return False
    finally:
        os.close(descriptor)
    if head.startswith(_SEALED):
        return True
    if not head.startswith(_DATABASE):
        return False
    mark = head[68:72]
    # The mark of a new store may still be in its log.
    return mark == _STORE or mark != _TABLES and os.path.exists(path + b"-wal")


class Store(Analyses):
    """Health data that answers questions.

    All questions give a ``Table``, from one state of the store. A type is named as ``steps``,
    ``stepCount`` or by its whole identifier. Sources that overlap are merged as HealthKit merges
    them.

    Further members of a question are keyword arguments: ``by_source=True`` is ``bySource`` in the
    JSON form of hkstats. A member that the question does not have is a ``UsageError`` that names
    the near one.

    Dates are texts (``"2026-01-31"``, ``"2026-01"``, ``"-30d"``, ``"yesterday"``), dates or
    datetimes; those without a zone are in the zone of the question. ``since`` is the first moment,
    ``until`` the end, which does not belong to it: ``until="2026-04"`` has all of March. Without
    ``until``, ``since="-7d"``, ``"yesterday"`` and the like end with today, any other with the
    data, also those that are later than now. Without
    ``timezone`` the zone is that of the store, else of this machine.

    Each question raises:

    - ``UsageError`` for a wrong name, date, unit or member,
    - ``DataError`` for a damaged store, ``InputOutputError`` for one that cannot be read,
    - ``ForkedError`` in a child of the process that opened the store,
    - ``KeyboardInterrupt`` for Ctrl-C, when the call has ended.

    Attributes:
        path: the export or the store
        mode: ``"r"`` or ``"rw"``
        report: of an export: what was read of it, as ``import_export`` gives it
    """

    def __init__(self, handle: Handle, path: Path, mode: str, progress: Progress) -> None:
        self._handle = handle
        self._progress = progress
        self.path = path
        self.mode = mode
        self.report: dict[str, Any] | None = None

    @classmethod
    def _temporary(cls, path: Path, mode: str, progress: Progress) -> Store:
        """A store in a file that no other process can see, and that is gone when it is closed."""

        def body(_: Any) -> Handle:
            store = c_void_p()
            call("store_temporary", byref(store))
            return Handle(store, "store_close", "store")

        return cls(run(body), path, mode, progress)

    def _at(self, now: str | datetime.datetime | None) -> Store:
        """The store, whose questions are asked at a moment."""
        if now is None:
            return self
        text = now.isoformat() if isinstance(now, datetime.datetime) else now
        try:
            with self._handle as pointer:
                call("store_set_now", pointer, encoded(text, "now"))
        except BaseException:
            self.close()
            raise
        return self

    @classmethod
    def _of_export(cls, path: Path, name: bytes, progress: Progress) -> Store:
        store = cls._temporary(path, "r", progress)
        try:
            store.report = _imported(store._handle, name, {}, progress)
        except BaseException:
            store.close()
            raise
        return store

    def __repr__(self) -> str:
        end = ", closed" if self._handle.is_closed else ""
        return f"<hkstats.Store {os.fspath(self.path)!r}, mode {self.mode!r}{end}>"

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:  # fmt: skip
        self.close()

    def close(self) -> None:
        """Closes the store, when calls of other threads have ended. Tables stay valid."""
        self._handle.close()

    # MARK: Imports

    def import_export(
        self,
        path: Path,
        *,
        jobs: int | None = None,
        dry_run: bool = False,
        replacing: bool = False,
        restoring: bool = False,
        progress: Progress = None,
    ) -> dict[str, Any]:
        """Imports an export completely, or not at all. What the store has already stays.

        Files of another program in a folder that tell one time differently are exports of their
        own, imported one by one: ``inputs`` of the report has each.

        Args:
            path: the export: zip, folder or xml; also of another program
            jobs: on how many threads it is read
            dry_run: says what would be imported, and changes nothing
            replacing: takes out what earlier exports had and this one has not
            restoring: brings back what was deleted
            progress: as for ``open``

        Returns:
            the report: what was added, what was there already, what was skipped

        Raises:
            UsageError: the store is not of mode ``"rw"``
            NotFoundError: there is no such export
            DataError: the export is damaged, or of another kind
            InputOutputError: the disk is full, or a file cannot be read or written
            BusyError: another process writes to the store
            KeyboardInterrupt: Ctrl-C ended it; the store is as it was
        """
        if self.mode != "rw":
            raise UsageError('This store is only read. Open it with mode="rw" to import.')
        options = {
            "jobs": jobs, "dryRun": dry_run or None, "replacing": replacing or None,
            "restoring": restoring or None,
        }  # fmt: skip
        return _imported(
            self._handle, encoded_path(path, "The path"), options, self._reporting(progress)
        )

    def _reporting(self, progress: Progress) -> Progress:
        return self._progress if progress is None else progress

    # MARK: Questions

    def _asked(self, name: str, members: Mapping[str, Any], progress: Progress = None) -> Table:
        question = _json(members)

        def body(notify: Any) -> Handle:
            table = c_void_p()
            with self._handle as store:
                call("ask", store, name.encode(), question, notify, None, byref(table))
            return Handle(table, "table_close", "table")

        with Reporter(self._reporting(progress)) as report:
            return Table(run(body, report))

    def ask(
        self, question: Mapping[str, Any], *, table: str | None = None, progress: Progress = None
    ) -> Table:
        """Asks a question in the JSON form: ``{"type": "steps", "by": "day"}``.

        Args:
            question: the members, with the names of the JSON form
            table: what is asked: ``statistics``, ``explain``, ``analysis``, ``samples``,
                ``elements``, ``workouts``, ``rings``, ``sleep``, ``types`` or ``sources``. Else
                ``analysis`` where the question has that member, ``elements`` where it has ``kind``,
                and ``statistics`` otherwise.
            progress: as for ``open``
        """
        if table is None:
            table = (
                "analysis" if "analysis" in question
                else "elements" if "kind" in question
                else "statistics"
            )  # fmt: skip
        if table not in _TABLES_OF_QUESTIONS:
            raise UsageError(f"There is no {table!r}. Ask: {', '.join(_TABLES_OF_QUESTIONS)}.")
        return self._asked(table, question, progress)

    def statistics(
        self,
        type: Types,
        *,
        by: str | None = None,
        since: Date | None = None,
        until: Date | None = None,
        timezone: str | datetime.tzinfo | None = None,
        columns: Words | None = None,
        unit: str | None = None,
        merge: str | None = None,
        prefer: Words | None = None,
        source: Words | None = None,
        exclude: Words | None = None,
        during: Literal["sleep"] | None = None,
        progress: Progress = None,
        **members: Any,
    ) -> Table:
        """Statistics of intervals, a row each: how much, how often, since when.

        Args:
            type: the type, such as ``steps`` or ``heartRate.max``; or several. Also
                ``bloodPressure``, ``cycles``, ``labResults``, ``electrocardiograms``,
                ``stateOfMind``, ``medications``, ``totalEnergy`` or ``food``, which has columns of
                its own.
            by: ``hour``, ``day``, ``week``, ``month``, ``quarter``, ``year``, or a number of them:
                ``15min``. Else one interval.
            since: the first moment
            until: the end
            timezone: the zone whose days count
            columns: ``sum``, ``mean``, ``min``, ``max``, ``count``, ``median``, ``p90``,
                ``stddev``, ``duration``, ``coverage``, ``recent``, ``first``. Else those that fit
                the type.
            unit: the unit of the answer. Else the one that the store prefers, else that of most
                samples.
            merge: how sources overlap: ``hk`` as HealthKit, ``none`` for the raw sum
            prefer: sources to believe first
            source: only these sources
            exclude: without these sources
            during: ``sleep`` for the readings of one type while a night was slept, a row a night
            progress: as for ``open``
            members: ``anchor``, ``zones``, ``per``, ``clip``, ``style``, ``hold``, ``by_source``,
                ``explain``, ``exact``, ``group``, ``rolling``, ``top``, ``least``, ``above``,
                ``below``, ``streaks``, ``gaps``, ``spread``, ``compare``, ``wide``

        Returns:
            ``start``, ``end`` and the statistics; an interval without samples has null.
            Several types have a column each, such as ``steps_count``; with ``wide=False`` a row
            for each interval of each. ``unit(column)`` has the unit: durations are in s.
        """
        return self._asked(
            "statistics",
            _members(
                {"wide": True, **members}, type=type, by=by, since=since, until=until, timezone=timezone,
                columns=columns, unit=unit, merge=merge, prefer=prefer, source=source,
                exclude=exclude, during=during,
            ),
            progress,
        )  # fmt: skip

    def explain(
        self,
        type: str,
        day: Date | None = None,
        *,
        by: str | None = None,
        since: Date | None = None,
        until: Date | None = None,
        timezone: str | datetime.tzinfo | None = None,
        progress: Progress = None,
        **members: Any,
    ) -> Table:
        """What each source counted in each interval, and which source masked the rest of it.

        Args:
            type: the type
            day: the one day to explain: ``"2026-10-31"``, ``"yesterday"``, a date. Else ``by``,
                ``since`` and ``until`` say what.
            by: the intervals, as for ``statistics``
            since: the first moment
            until: the end
            timezone: the zone whose days count
            progress: as for ``open``
            members: as for ``statistics``
        """
        if day is not None:
            if by is not None or since is not None or until is not None:
                raise UsageError("Give a day, or by, since and until.")
            by, (since, until) = "day", _edges(day)
        return self._asked(
            "explain",
            _members(members, type=type, by=by, since=since, until=until, timezone=timezone),
            progress,
        )

    def samples(
        self,
        type: Words,
        *,
        since: Date | None = None,
        until: Date | None = None,
        timezone: str | datetime.tzinfo | None = None,
        columns: Words | None = None,
        unit: str | None = None,
        source: Words | None = None,
        exclude: Words | None = None,
        where: Words | None = None,
        order: Literal["time", "newest", "source"] | None = None,
        limit: int | None = None,
        times: Literal["timestamp", "seconds"] | None = None,
        progress: Progress = None,
        **members: Any,
    ) -> Table:
        """The samples themselves, as they were recorded: nothing is merged.

        They are read from the store while the table is, batch by batch, so that memory stays flat.

        Args:
            type: the type; or several
            since: the first moment
            until: the end
            timezone: the zone of the times
            columns: the columns that are wanted. Else all.
            unit: the unit of values. Else as recorded.
            source: only these sources
            exclude: without these sources
            where: conditions, all of which are true: ``"value>120 count/min"``, ``"device=Watch"``
            order: by ``time``; the ``newest`` first; or by ``source``, then time
            limit: no more than so many
            times: ``timestamp``, or ``seconds`` since 2001-01-01 UTC
            progress: as for ``open``
            members: ``rows``, how many a batch has
        """
        return self._asked(
            "samples",
            _members(
                members, type=type, since=since, until=until, timezone=timezone, columns_=columns,
                unit=unit, source=source, exclude=exclude, where=where, order=order, limit=limit,
                times=times,
            ),
            progress,
        )  # fmt: skip

    def elements(
        self,
        kind: str,
        *,
        since: Date | None = None,
        until: Date | None = None,
        timezone: str | datetime.tzinfo | None = None,
        order: Literal["time", "newest"] | None = None,
        limit: int | None = None,
        times: Literal["timestamp", "seconds"] | None = None,
        progress: Progress = None,
        **members: Any,
    ) -> Table:
        """Elements of a kind that has more than a number: ``workoutRoute``, ``electrocardiogram``.

        They are read from the store while the table is. What one has many of, such as the locations
        of a route, is a column of lists.

        Args:
            kind: the kind: ``workout``, ``workoutRoute``, ``correlation``, ``activitySummary``,
                ``heartbeatSeries``, ``electrocardiogram``, ``audiogram``, ``visionPrescription``,
                ``clinicalRecord``
            since: the first moment
            until: the end
            timezone: the zone of the times
            order: by ``time``, or the ``newest`` first
            limit: no more than so many
            times: ``timestamp``, or ``seconds`` since 2001-01-01 UTC
            progress: as for ``open``
        """
        return self._asked(
            "elements",
            _members(
                members, kind=kind, since=since, until=until, timezone=timezone, order=order,
                limit=limit, times=times,
            ),
            progress,
        )  # fmt: skip

    def workouts(
        self,
        activity: str | None = None,
        *,
        by: str | None = None,
        columns: Words | None = None,
        kinds: int | None = None,
        since: Date | None = None,
        until: Date | None = None,
        timezone: str | datetime.tzinfo | None = None,
        progress: Progress = None,
        **members: Any,
    ) -> Table:
        """Workouts, a row each, or totals; columns of numbers name their unit: ``distance_m``.

        The units are the same for every store, so that tables of many people fit together; those that
        a store prefers are the ones of ``statistics`` and of the command.

        Args:
            activity: only this one: ``running``. Else all.
            by: totals of each ``week``, ``month`` and the like, in place of each workout
            columns: of totals ``count``, ``duration``, ``distance``, ``energy``, ``pace``,
                ``speed``, ``elevation``, ``heartRate``, ``heartRateMax``, ``best1k``, ``best5k``,
                ``best10k``. Else the first four.
            kinds: of totals how many kinds have columns of their own, those that took most time
            since: the first moment
            until: the end
            timezone: the zone of the times
            progress: as for ``open``
        """
        return self._asked(
            "workouts",
            _members(
                members, activity=activity, by=by, columns=columns, kinds=kinds, since=since,
                until=until, timezone=timezone,
            ),
            progress,
        )  # fmt: skip

    def rings(
        self,
        *,
        since: Date | None = None,
        until: Date | None = None,
        timezone: str | datetime.tzinfo | None = None,
        streaks: bool = False,
        progress: Progress = None,
        **members: Any,
    ) -> Table:
        """Activity rings, a row a day: the amount of each, its goal, and the share that was reached.

        Args:
            since: the first day
            until: the end
            timezone: the zone of ``since`` and ``until``
            streaks: the runs of days on which all rings were closed, in place of days
            progress: as for ``open``
        """
        return self._asked(
            "rings",
            _members(
                members, since=since, until=until, timezone=timezone, streaks=streaks or None
            ),
            progress,
        )

    def sleep(
        self,
        *,
        by: Literal["night", "week", "month"] | None = None,
        since: Date | None = None,
        until: Date | None = None,
        timezone: str | datetime.tzinfo | None = None,
        prefer: Words | None = None,
        stretches: bool = False,
        progress: Progress = None,
        **members: Any,
    ) -> Table:
        """Nights, a row each, or the means of weeks or months. Durations are in s.

        Args:
            by: ``night``, ``week`` or ``month``
            since: the first night, by the day on which it ends
            until: the end
            timezone: the zone whose days count
            prefer: sources to believe first
            stretches: whether each night has the column ``stretches``: when each stage was
            progress: as for ``open``
        """
        return self._asked(
            "sleep",
            _members(
                members, by=by, since=since, until=until, timezone=timezone, prefer=prefer,
                stretches=stretches or None,
            ),
            progress,
        )  # fmt: skip

    def types(
        self, *, timezone: str | datetime.tzinfo | None = None, progress: Progress = None,
        **members: Any,
    ) -> Table:  # fmt: skip
        """The types of the store, a row each, with counts, units and dates."""
        return self._asked("types", _members(members, timezone=timezone), progress)

    def sources(
        self, type: str | None = None, *, timezone: str | datetime.tzinfo | None = None,
        progress: Progress = None, **members: Any,
    ) -> Table:  # fmt: skip
        """The sources of a type, the highest rank first; or of all types.

        Args:
            type: the type
            timezone: the zone of the times
            progress: as for ``open``
        """
        return self._asked("sources", _members(members, type=type, timezone=timezone), progress)

    # MARK: Analyses

    def analysis(
        self,
        method: str,
        type: Types | None = None,
        *,
        list: str | None = None,
        progress: Progress = None,
        **members: Any,
    ) -> Table:
        """What the numbers of intervals mean, by a method such as ``trend``.

        Args:
            method: the method, which is also a function of the store
            type: the type, or several. Else all quantities and sleep, where the method can.
            list: which list of the answer, where it has several; else the first
            progress: as for ``open``
            members: ``by``, ``since``, ``until``, ``timezone``, ``columns``, ``unit``, ``source``
                and the like, as for ``statistics``, and those of the method

        Raises:
            Error: the method needs the package of the system that it names
        """
        return self._asked(
            "analysis", _members(members, analysis=method, type=type, list=list), progress
        )


_TABLES_OF_QUESTIONS = (
    "statistics", "explain", "analysis", "samples", "elements", "workouts", "rings", "sleep",
    "types", "sources",
)  # fmt: skip


def _imported(
    store: Handle, path: bytes, options: Mapping[str, Any], progress: Progress
) -> dict[str, Any]:
    text = _json(options)

    def body(notify: Any) -> dict[str, Any]:
        report = c_void_p()
        with store as pointer:
            call("import", pointer, path, text, notify, None, byref(report))
        answer: dict[str, Any] = json.loads(taken(report))
        return answer

    with Reporter(progress) as report:
        return run(body, report)


# MARK: From arguments to the JSON form

# Words of Python in place of those of the JSON form.
_RENAMED = {"since": "from", "until": "to", "columns": "stat"}


def _members(others: Mapping[str, Any], **named: Any) -> dict[str, Any]:
    """Keyword arguments as members: ``by_source`` is ``bySource``, ``from_`` is ``from``."""
    members: dict[str, Any] = {}
    for name, value in [*named.items(), *others.items()]:
        if value is None:
            continue
        words = _RENAMED.get(name, name).rstrip("_").split("_")
        member = words[0] + "".join(word.capitalize() for word in words[1:])
        if member in members:
            raise UsageError(f"{name} is given twice.")
        members[member] = value
    return members


def _json(members: Mapping[str, Any]) -> bytes:
    """The JSON form. Members that are None are left out."""
    given = {name: value for name, value in members.items() if value is not None}
    try:
        return json.dumps(given, allow_nan=False, default=_plain, ensure_ascii=True).encode()
    except ValueError as error:
        raise UsageError(
            f"The question has a number that is not finite, or has itself: {error}"
        ) from None


def _plain(value: Any) -> Any:
    """What a member is in JSON that JSON does not have."""
    if hasattr(value, "to_pydatetime"):
        value = value.to_pydatetime(warn=False)
    if isinstance(value, (datetime.date, datetime.datetime)):
        return value.isoformat()
    if isinstance(value, datetime.timedelta):
        return value.total_seconds()
    if isinstance(value, datetime.tzinfo):
        return getattr(value, "key", None) or value.tzname(None) or str(value)
    if type(value).__name__ == "datetime64":
        return str(
            value.astype("datetime64[us]") if value.dtype.name == "datetime64[ns]" else value
        )
    if isinstance(value, Mapping):
        return dict(value)
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, (set, frozenset, Sequence)):
        return list(value)
    raise TypeError(f"A question cannot have a {type(value).__name__}.")


def _edges(day: Date) -> tuple[Date, Date]:
    """A day, and the one after it."""
    named = {"today": "tomorrow", "yesterday": "today"}
    if isinstance(day, str) and day in named:
        return day, named[day]
    if isinstance(day, datetime.datetime):
        day = day.date()
    elif isinstance(day, str):
        try:
            day = datetime.date.fromisoformat(day)
        except ValueError:
            raise UsageError(
                f'{day!r} is no day. Write 2026-10-31, "today" or "yesterday"; or give since and '
                "until."
            ) from None
    return day, day + datetime.timedelta(days=1)
