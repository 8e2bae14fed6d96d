"""Threads, forks, Ctrl-C, and the end of the interpreter."""

import shutil
import signal
import subprocess
import tempfile
import threading
import time
import unittest
from pathlib import Path
from typing import Any

from support import (
    PROGRAM,
    ZONE,
    export,
    hkstats,
    python,
    python_command,
    python_environment,
    run,
    store,
    store_path,
)  # fmt: skip

from hkstats import _library  # noqa: E402


class Threads(unittest.TestCase):
    def test_eight_threads_get_the_same_answers(self) -> None:
        asked = store()
        questions = [
            lambda: asked.statistics("steps", by="day", timezone=ZONE),
            lambda: asked.samples("bodyMass", timezone=ZONE),
            lambda: asked.sleep(timezone=ZONE),
            lambda: asked.statistics("heartRate", by="week", columns=["p90"], timezone=ZONE),
            lambda: hkstats.merge([0, 5], [10, 15], [10, 10], ["watch", "phone"]),
        ]
        expected = [question().to_dicts() for question in questions]
        problems: list[object] = []

        def ask(first: int) -> None:
            try:
                for turn in range(20):
                    place = (first + turn) % len(questions)
                    if questions[place]().to_dicts() != expected[place]:
                        problems.append(place)
            except BaseException as error:
                problems.append(error)

        threads = [threading.Thread(target=ask, args=(first,)) for first in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(problems, [])

    def test_one_table_read_by_many(self) -> None:
        table = store().samples("heartRate", since="2026-09-01", rows=500, timezone=ZONE)
        expected = sum(row["value"] for row in table.to_dicts())
        sums: list[float] = []
        threads = [
            threading.Thread(
                target=lambda: sums.append(sum(row["value"] for row in table.to_dicts()))
            )
            for _ in range(8)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(sums, [expected] * 8)


CHILD = """
import os, sys, threading, traceback
import hkstats

def child(body):
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            body()
            code = 0
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stderr.flush()
            os._exit(code)
    assert os.waitpid(pid, 0)[1] == 0, "the child failed"

def refused(body):
    try:
        body()
    except hkstats.ForkedError as error:
        assert str(error), "no sentence"
        return
    raise AssertionError("it was not refused")

"""


class Forks(unittest.TestCase):
    maxDiff = None

    def setUp(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="hkstats-tests-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def passes(self, code: str, *arguments: str) -> None:
        # Python 3.12 warns of every fork where there are threads.
        command = python_command(CHILD + code, *arguments)
        command.insert(3, "-W")
        command.insert(4, "ignore:This process:DeprecationWarning")
        found = subprocess.run(
            command, capture_output=True, text=True, env=python_environment(), timeout=120,
            check=False,
        )  # fmt: skip
        self.assertEqual((found.returncode, found.stderr), (0, ""))

    def test_a_child_asks_merges_and_imports(self) -> None:
        self.passes(
            """
def work():
    with hkstats.open(sys.argv[1]) as store:
        assert len(store.statistics("steps", by="day")) > 300
        assert len(store.samples("bodyMass").to_dicts()) > 100
    assert hkstats.merge([0], [1], [1], ["a"]).to_dicts()[0]["value"] == 1
    assert hkstats.unit("lb").to("kg")(0) == 0
    with hkstats.open(sys.argv[3], "rw") as store:
        store.import_export(sys.argv[2])
        assert len(store.statistics("steps", by="day")) > 300

child(work)
os.unlink(sys.argv[3])
# And after the parent has worked on threads.
work()
os.unlink(sys.argv[3])
child(work)
""",
            store_path(), export(), str(self.folder / "child.sqlite"),
        )  # fmt: skip

    def test_what_the_parent_opened_is_refused(self) -> None:
        self.passes(
            """
store = hkstats.open(sys.argv[1])
table = store.statistics("steps", by="day")
samples = store.samples("heartRate", rows=1000)
reading = samples.rows()
next(reading)
count = sum(1 for _ in samples.rows())
kilograms = hkstats.unit("lb").to("kg")

def work():
    refused(lambda: store.types())
    refused(lambda: store.samples("steps"))
    refused(lambda: table.to_dicts())
    refused(lambda: table.__arrow_c_stream__())
    refused(lambda: len(table))
    refused(lambda: kilograms(1))
    store.close()
    with hkstats.open(sys.argv[1]) as own:
        assert own.statistics("steps", by="day").to_dicts()
    for name in ["store", "table", "samples", "reading", "kilograms"]:
        del globals()[name]

child(work)
assert len(table.to_dicts()) == len(table)
assert 1 + sum(1 for _ in reading) == count
assert len(store.types()) > 0
""",
            store_path(),
        )  # fmt: skip

    def test_a_fork_amid_a_call(self) -> None:
        self.passes(
            """
import time

store = hkstats.open(sys.argv[1])
stop = threading.Event()

def ask():
    while not stop.is_set():
        store.statistics("heartRate", by="hour", columns=["mean", "p90"])

threads = [threading.Thread(target=ask) for _ in range(3)]
for thread in threads:
    thread.start()

def work():
    # Says so, or works where no call was running; but never waits for ever.
    try:
        with hkstats.open(sys.argv[1]) as own:
            assert own.types().to_dicts()
    except hkstats.ForkedError as error:
        assert str(error), "no sentence"

try:
    for _ in range(24):
        pid = os.fork()
        if pid == 0:
            code = 1
            try:
                work()
                code = 0
            except BaseException:
                traceback.print_exc()
            finally:
                sys.stderr.flush()
                os._exit(code)
        begin = time.monotonic()
        while True:
            found, status = os.waitpid(pid, os.WNOHANG)
            if found:
                break
            if time.monotonic() - begin > 20:
                os.kill(pid, 9)
                os.waitpid(pid, 0)
                raise AssertionError("the child hangs")
            time.sleep(0.01)
        assert status == 0, status
finally:
    stop.set()
    for thread in threads:
        thread.join()
""",
            store_path(),
        )  # fmt: skip

    def test_processes_of_multiprocessing(self) -> None:
        program = self.folder / "many.py"
        program.write_text(
            """
import multiprocessing, sys
import hkstats

def count(path):
    with hkstats.open(path) as store:
        return len(store.statistics("steps", by="day"))

if __name__ == "__main__":
    hkstats.open(sys.argv[1]).types()
    for method in ["fork", "spawn", "forkserver"]:
        with multiprocessing.get_context(method).Pool(3) as pool:
            assert set(pool.map(count, [sys.argv[1]] * 12)) == {365}, method
"""
        )
        command = python_command("", store_path())
        command[3:5] = ["-W", "ignore:This process:DeprecationWarning", str(program)]
        found = subprocess.run(
            command, capture_output=True, text=True, env=python_environment(), timeout=120,
            check=False,
        )  # fmt: skip
        self.assertEqual((found.returncode, found.stderr), (0, ""))


class Ends(unittest.TestCase):
    def test_the_interpreter_exits_with_all_alive(self) -> None:
        found = python(
            """
import atexit, builtins, sys, threading
import hkstats

store = hkstats.open(sys.argv[1])
table = store.statistics("steps", by="day")
samples = store.samples("heartRate", rows=100)
reading = samples.rows()
next(reading)
kept = [table.__arrow_c_stream__(), samples.__arrow_c_stream__(), table.__arrow_c_schema__()]
# These outlive every module.
builtins.hkstats_kept = [store, table, samples, reading, kept, hkstats.unit("lb").to("kg")]
cycle = [store, table]
cycle.append(cycle)
# No thread begins while the interpreter exits.
atexit.register(lambda: print(len(store.statistics("steps", by="month"))))

def ask():
    while True:
        store.statistics("heartRate", by="hour", columns=["p90"])

threading.Thread(target=ask, daemon=True).start()
print("end")
""",
            store_path(),
        )
        self.assertEqual((found.returncode, found.stdout, found.stderr), (0, "end\n12\n", ""))

    def test_the_interpreter_exits_amid_an_import(self) -> None:
        code = """
import sys, threading, time
import hkstats

store = hkstats.open(sys.argv[1], "rw", progress=False)
threading.Thread(target=store.import_export, args=(sys.argv[2],), daemon=True).start()
time.sleep(float(sys.argv[3]))
"""
        with tempfile.TemporaryDirectory(prefix="hkstats-tests-") as folder:
            path = Path(folder, "store.sqlite")
            hkstats.open(path, "rw").close()
            for delay in ["0", "0.02", "0.15", "0.4"]:
                found = python(code, str(path), export(), delay)
                self.assertEqual((found.returncode, found.stderr), (0, ""))
                # The store has all of the import, or nothing.
                run(PROGRAM, "verify", "--store", str(path))
                with hkstats.open(path) as opened:
                    self.assertIn(len(opened.types()), (0, len(store().types())))

    def test_the_interpreter_exits_amid_questions(self) -> None:
        code = """
import sys, threading, time
import hkstats

store = hkstats.open(sys.argv[1])

def ask():
    while True:
        store.statistics("heartRate", by="hour", columns=["p90"])

for _ in range(int(sys.argv[2])):
    threading.Thread(target=ask, daemon=True).start()
time.sleep(float(sys.argv[3]))
"""
        for threads in ["1", "4"]:
            for delay in ["0", "0.05", "0.07", "0.3"]:
                found = python(code, store_path(), threads, delay)
                self.assertEqual((found.returncode, found.stderr), (0, ""))


class Interruptions(unittest.TestCase):
    maxDiff = None

    def setUp(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="hkstats-tests-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def begin(self, code: str, *arguments: str) -> "subprocess.Popen[str]":
        process = subprocess.Popen(
            python_command(code, *arguments), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True, env=python_environment(),
        )  # fmt: skip
        assert process.stdout is not None
        self.assertEqual(process.stdout.readline(), "ready\n")
        return process

    IMPORT = """
import signal, sys
import hkstats
from hkstats._library import live_objects

from hkstats import _store

call = _store.call
running = 0

def counted(*arguments):
    global running
    running += 1
    try:
        call(*arguments)
    finally:
        running -= 1

_store.call = counted
store = hkstats.open(sys.argv[1], "rw")
counts = []
begun = False

def show(phase, share):
    global begun
    if phase in sys.argv[3].split(",") and not begun:
        begun = True
        print("ready", flush=True)

def refuse(phase, share):
    raise RuntimeError

try:
    while True:
        counts.append(len(store.types()))
        store.import_export(sys.argv[2], progress=show)
        if begun:
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            print("not interrupted")
            break
except KeyboardInterrupt:
    assert running == 0, "the call has not ended"
    count = len(store.types())
    assert live_objects() == 1, live_objects()
    try:
        store.import_export(sys.argv[2], progress=refuse)
    except RuntimeError:
        pass
    store.close()
    print("interrupted", *counts, count)
"""

    def test_an_import(self) -> None:
        with hkstats.open(self.folder / "whole.sqlite", "rw") as store:
            store.import_export(export())
            whole = len(store.types())
        endings = []
        for number, delay in enumerate([0, 0, 0, 0.03, 0.1]):
            path = self.folder / f"import{number}.sqlite"
            hkstats.open(path, "rw").close()
            process = self.begin(self.IMPORT, str(path), export(), "reading,storing")
            time.sleep(delay)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=60)
            self.assertEqual((process.returncode, err), (0, ""))
            # Once an import commits it is not taken back: then all is stored.
            self.assertRegex(out, rf"^(not interrupted|interrupted 0 (0|{whole}( {whole})*))\n$")
            endings.append(out)
            self.assertEqual([each.name for each in self.folder.glob(f"{path.stem}*")], [path.name])
            run(PROGRAM, "verify", "--store", str(path))
        self.assertIn("interrupted 0 0\n", endings)

    def test_an_interruption_amid_the_one_before(self) -> None:
        # A signal comes anywhere, and seldom at the worst step; here it comes there each time.
        kept = _library._Job.open_gate
        for times in range(4):
            ended: list[bool] = []
            left = [times]

            def body(notify: Any) -> None:
                notify(None, b"reading", 0.5)
                time.sleep(0.3)
                ended.append(True)

            def report(*_: Any) -> None:
                raise KeyboardInterrupt

            def interrupted(job: Any) -> None:
                if left[0] > 0:
                    left[0] -= 1
                    raise KeyboardInterrupt
                kept(job)

            _library._Job.open_gate = interrupted  # type: ignore[method-assign]
            try:
                with self.assertRaises(KeyboardInterrupt):
                    _library.run(body, report)
            finally:
                _library._Job.open_gate = kept  # type: ignore[method-assign]
            self.assertEqual(ended, [True], times)

    def test_an_impatient_person(self) -> None:
        # The signals after the first come while the call ends, or soon after, where they interrupt
        # what the program does then.
        endings = []
        for number in range(6):
            path = self.folder / f"impatient{number}.sqlite"
            hkstats.open(path, "rw").close()
            process = self.begin(self.IMPORT, str(path), export(), "reading,storing")
            for _ in range(3):
                process.send_signal(signal.SIGINT)
                time.sleep(0.001)
            out, err = process.communicate(timeout=60)
            for word in ["ctypes", "ignored", "Assertion", "Busy"]:
                self.assertNotIn(word, err)
            endings.append((process.returncode, out, err))
            run(PROGRAM, "verify", "--store", str(path))
        self.assertIn((0, "interrupted 0 0\n", ""), endings)

    def test_a_question(self) -> None:
        code = """
import sys, time
import hkstats

store = hkstats.open(sys.argv[1])
print("ready", flush=True)
try:
    while True:
        store.statistics("heartRate", by="1min", columns=["mean", "max"], exact=True)
except KeyboardInterrupt:
    assert len(store.types()) > 0
    print("interrupted")
"""
        for delay in [0.05, 0.4, 0.7]:
            process = self.begin(code, store_path())
            time.sleep(delay)
            begin = time.monotonic()
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=60)
            self.assertEqual((process.returncode, out, err), (0, "interrupted\n", ""))
            self.assertLess(time.monotonic() - begin, 5)

    def test_a_function_for_progress_that_raises(self) -> None:
        path = self.folder / "raises.sqlite"

        def refuse(phase: str, share: float | None) -> None:
            raise RuntimeError(phase)

        with hkstats.open(path, "rw") as new:
            with self.assertRaises(RuntimeError):
                new.import_export(export(), progress=refuse)
            self.assertEqual(len(new.types()), 0)
            self.assertIsInstance(new.import_export(export(), progress=False), dict)
            self.assertGreater(len(new.types()), 20)


if __name__ == "__main__":
    unittest.main()
