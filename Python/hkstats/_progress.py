"""Shows the progress of calls: a bar in terminals and notebooks, or a function of the caller's."""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Callable
from types import TracebackType
from typing import Any, Union

from ._library import Report

# None: a bar where one can be seen; True: always; False: never; or what gets phase and share.
Progress = Union[None, bool, Callable[[str, "float | None"], object]]

_DELAY = 0.5


class Reporter:
    """Passes the progress of one call on: ``with Reporter(progress) as report``."""

    def __init__(self, progress: Progress) -> None:
        self._show: Any = None
        self._report: Report | None = None
        if progress is not None and not isinstance(progress, bool):
            if not callable(progress):
                raise TypeError("progress must be True, False, None or a function.")
            self._report = progress
        elif progress is not False:
            self._show = _shown(always=progress is True)
            self._report = None if self._show is None else self._draw
        self._begin = time.monotonic()

    def _draw(self, phase: str, share: float | None) -> None:
        # Short calls need no bar.
        if time.monotonic() - self._begin >= _DELAY:
            self._show.draw(phase, share)

    def __enter__(self) -> Report | None:
        return self._report

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:  # fmt: skip
        if self._show is not None:
            self._show.end()


def _shown(always: bool) -> Any:
    """Where progress is seen; None where nobody would see it."""
    interactive = sys.modules.get("IPython")
    shell = interactive.get_ipython() if interactive is not None else None
    if shell is not None and hasattr(shell, "kernel"):
        return _NotebookBar()
    try:
        is_terminal = sys.stderr is not None and sys.stderr.isatty()
    except ValueError:
        return None
    if always and sys.stderr is not None:
        return _TerminalBar()
    if is_terminal and os.environ.get("TERM", "dumb") != "dumb":
        return _TerminalBar()
    return None


class _TerminalBar:
    """A line of standard error that is drawn over itself, and is gone at the end."""

    def __init__(self) -> None:
        self._width = 0
        try:
            "█░".encode(sys.stderr.encoding or "ascii")
            self._full, self._rest = "█", "░"
        except (UnicodeEncodeError, LookupError):
            self._full, self._rest = "#", "."

    def draw(self, phase: str, share: float | None) -> None:
        columns = shutil.get_terminal_size().columns - 1
        text = phase if share is None else f"{phase} {100 * min(share, 1):3.0f} %"
        if share is not None and columns > len(text) + 12:
            length = min(40, columns - len(text) - 2)
            full = round(length * min(share, 1))
            text += "  " + self._full * full + self._rest * (length - full)
        self._write(text[:columns])

    def end(self) -> None:
        if self._width:
            self._write("")
            self._put("\r")

    def _write(self, text: str) -> None:
        self._put("\r" + text.ljust(self._width))
        self._width = len(text)

    def _put(self, text: str) -> None:
        try:
            sys.stderr.write(text)
            sys.stderr.flush()
        except (OSError, ValueError):
            # Whoever closed it does not want to see the bar.
            pass


class _NotebookBar:
    """A bar below the cell of a notebook, which is gone at the end."""

    def __init__(self) -> None:
        self._handle: Any = None

    def draw(self, phase: str, share: float | None) -> None:
        import html

        percent = "" if share is None else f" {100 * min(share, 1):.0f} %"
        value = "" if share is None else f' value="{min(share, 1):.4f}"'
        self._update(f"<progress{value}></progress> {html.escape(phase)}{percent}", phase + percent)

    def end(self) -> None:
        if self._handle is not None:
            self._update("", "")

    def _update(self, page: str, text: str) -> None:
        contents = {"text/html": page, "text/plain": text}
        if self._handle is None:
            import IPython.display

            self._handle = IPython.display.display(contents, raw=True, display_id=True)
        else:
            self._handle.update(contents, raw=True)
