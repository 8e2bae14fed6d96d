"""The bar that people see, and what a function gets."""

import io
import os
import pty
import subprocess
import sys
import time
import unittest
from unittest import mock

from support import export, hkstats, python_command, python_environment, store

from hkstats import _library, _progress


class Terminal(io.StringIO):
    """A terminal that remembers what was written."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


class Bars(unittest.TestCase):
    def setUp(self) -> None:
        patch = mock.patch.multiple(_progress, _DELAY=0)
        patch.start()
        self.addCleanup(patch.stop)

    def draw(self, terminal: io.StringIO, progress: object = None, **environment: str) -> str:
        environment = {"TERM": "xterm", "COLUMNS": "60", **environment}
        with mock.patch.object(sys, "stderr", terminal), mock.patch.dict(os.environ, environment):
            with _progress.Reporter(progress) as report:  # type: ignore[arg-type]
                if report is not None:
                    report("reading", None)
                    report("reading", 0.5)
                    report("storing", 1.0)
        return terminal.getvalue()

    def test_a_terminal(self) -> None:
        text = self.draw(Terminal())
        steps = text.split("\r")
        self.assertEqual(steps[1].rstrip(), "reading")
        self.assertRegex(steps[2], "^reading  50 %  █+░+$")
        self.assertRegex(steps[3], "^storing 100 %  █+ *$")
        self.assertEqual(steps[-1], "")
        self.assertEqual(steps[-2].strip(), "")
        self.assertTrue(all(len(step) <= 59 for step in steps))
        full = steps[2].count("█")
        self.assertIn(full - steps[2].count("░"), (-1, 0, 1))

    def test_where_nobody_looks(self) -> None:
        self.assertEqual(self.draw(io.StringIO()), "")
        self.assertEqual(self.draw(Terminal(), progress=False), "")
        self.assertEqual(self.draw(Terminal(), TERM="dumb"), "")
        self.assertNotEqual(self.draw(io.StringIO(), progress=True), "")
        with mock.patch.object(sys, "stderr", None):
            with _progress.Reporter(None) as report:
                self.assertIsNone(report)

    def test_other_terminals(self) -> None:
        terminal = Terminal()
        terminal.encoding = "ascii"  # type: ignore[misc]
        self.assertTrue(self.draw(terminal).isascii())
        self.assertLess(max(map(len, self.draw(Terminal(), COLUMNS="12").split("\r"))), 12)

        class Closed(Terminal):
            def write(self, text: str) -> int:
                raise BrokenPipeError

        self.draw(Closed())

    def test_a_notebook(self) -> None:
        shown: list[dict[str, str]] = []

        class Handle:
            def update(self, contents: dict[str, str], raw: bool) -> None:
                shown.append(contents)

        def display(contents: dict[str, str], raw: bool, display_id: bool) -> Handle:
            shown.append(contents)
            return Handle()

        module = mock.Mock()
        module.display.display = display
        with mock.patch.dict(sys.modules, {"IPython": module, "IPython.display": module.display}):
            self.draw(io.StringIO())
        self.assertEqual(
            [each["text/plain"] for each in shown], ["reading", "reading 50 %", "storing 100 %", ""]
        )
        self.assertIn('value="0.5000"', shown[1]["text/html"])
        self.assertEqual(shown[-1]["text/html"], "")


class Functions(unittest.TestCase):
    def test_what_the_library_tells(self) -> None:
        job = _library._Job(lambda notify: None)
        for share, told in [(-1.0, None), (0.0, 0.0), (0.25, 0.25), (1.0, 1.0)]:
            self.assertEqual(job.notify(None, "lire é".encode(), share), 0)
            self.assertEqual(job.state, ("lire é", told))
        job.is_cancelled = True
        self.assertEqual(job.notify(None, b"reading", 0.5), 1)
        # Nothing may be raised there, also not for what is no text.
        self.assertEqual(job.notify(None, b"\xff", 0.5), 1)

    def test_an_import(self) -> None:
        steps: list[tuple[str, float | None]] = []
        with hkstats.open(export(), progress=lambda *step: steps.append(step)) as opened:
            self.assertGreater(len(opened.types()), 20)
        self.assertGreater(len(steps), 1)
        self.assertLessEqual({phase for phase, _ in steps}, {"reading", "storing"})
        shares = [share for _, share in steps if share is not None]
        self.assertTrue(all(0 <= share <= 1 for share in shares), shares)

    def test_a_question_that_takes_long(self) -> None:
        steps: list[object] = []
        begin = time.monotonic()
        for _ in range(20):
            store().statistics(
                "heartRate", by="1min", columns=["mean", "max"], exact=True,
                progress=lambda *step: steps.append(step),
            )  # fmt: skip
            if time.monotonic() - begin > 1:
                break
        self.assertGreater(len(steps), 0)

    def test_a_bar_in_a_terminal(self) -> None:
        # The terminal is a real one, and the process has nothing else to write to it.
        code = """
import sys
import hkstats
from hkstats import _progress
_progress._DELAY = 0
with hkstats.open(sys.argv[1]) as opened:
    print(len(opened.types()))
"""
        own, other = pty.openpty()
        process = subprocess.Popen(
            python_command(code, export()), stdout=subprocess.PIPE, stderr=other,
            env=python_environment(TERM="xterm", COLUMNS="80", PYTHONIOENCODING="utf-8"),
        )  # fmt: skip
        out, _ = process.communicate(timeout=60)
        os.close(other)
        text = b""
        while True:
            try:
                data = os.read(own, 65536)
            except OSError:
                break
            if not data:
                break
            text += data
        os.close(own)
        self.assertEqual(process.returncode, 0, text)
        self.assertGreater(int(out), 20)
        self.assertRegex(text.decode(), "\r(reading|storing)")
        self.assertTrue(text.decode().endswith("\r"))


if __name__ == "__main__":
    unittest.main()
