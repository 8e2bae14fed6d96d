"""Errors: their classes and sentences, and what an import of the package says."""

import os
import pickle
import shutil
import sqlite3
import stat
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from support import PROGRAM, ROOT, export, hkstats, live_objects, python, run, store, store_path

from hkstats import _library


class Errors(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="hkstats-tests-"))
        self.addCleanup(shutil.rmtree, self.folder)
        store()
        before = live_objects()
        self.addCleanup(lambda: self.assertEqual(live_objects(), before))

    def test_usage(self) -> None:
        for ask in [
            lambda: store().statistics("steeps"),
            lambda: store().statistics("steps", by="fortnights"),
            lambda: store().statistics("steps", since="someday"),
            lambda: store().statistics("steps", colour="red"),
            lambda: store().statistics("steps", unit="kg"),
            lambda: store().samples("steps", columns=["valeu"]),
            lambda: store().elements("routes of workouts"),
            lambda: store().analysis("trendy", "steps"),
            lambda: store().statistics("a\0b"),
        ]:
            with self.assertRaises(hkstats.UsageError) as caught:
                ask()
            self.assertIsInstance(caught.exception, ValueError)
            self.assertIsInstance(caught.exception, hkstats.Error)
            self.assertEqual(caught.exception.code, 64)
            self.assertRegex(str(caught.exception), r"^\S.*\S$")
        with self.assertRaisesRegex(hkstats.UsageError, "steps"):
            store().statistics("stepz")
        with self.assertRaises(TypeError):
            store().statistics("steps", by=object())

    def test_no_such_file(self) -> None:
        missing = self.folder / "missing.zip"
        with self.assertRaises(FileNotFoundError) as caught:
            hkstats.open(missing)
        self.assertIsInstance(caught.exception, hkstats.NotFoundError)
        self.assertEqual((caught.exception.code, caught.exception.errno), (66, 2))
        self.assertIn("missing.zip", str(caught.exception))
        with hkstats.open(self.folder / "new.sqlite", "rw") as new:
            with self.assertRaises(hkstats.NotFoundError):
                new.import_export(missing)
        self.assertFalse(missing.exists())

    def test_other_files(self) -> None:
        text = self.folder / "notes.txt"
        text.write_text("Nothing of health.")
        with self.assertRaises(hkstats.DataError) as caught:
            hkstats.open(text)
        self.assertEqual(caught.exception.code, 65)
        with self.assertRaises(hkstats.DataError):
            hkstats.open(text, "rw")
        database = self.folder / "other.sqlite"
        with sqlite3.connect(database) as connection:
            connection.execute("CREATE TABLE notes (text)")
        connection.close()
        # Other programs write exports that are databases.
        with self.assertRaisesRegex(hkstats.DataError, "not an export"):
            hkstats.open(database)
        with self.assertRaisesRegex(hkstats.DataError, "not a store"):
            hkstats.open(database, "rw")

    def test_a_damaged_store(self) -> None:
        damaged = self.folder / "damaged.sqlite"
        data = bytearray(Path(store_path()).read_bytes())
        # Pages in the middle.
        data[len(data) // 2 : len(data) // 2 + 2**20] = bytes(2**20)
        damaged.write_bytes(data)
        with hkstats.open(damaged) as opened:
            found = 0
            for type in ["steps", "heartRate", "activeEnergyBurned", "distanceWalkingRunning"]:
                for read in [
                    lambda: opened.statistics(type, by="day"),
                    lambda: opened.samples(type).to_dicts(),
                ]:
                    try:
                        read()
                    except hkstats.Error as error:
                        self.assertIsInstance(error, (hkstats.DataError, hkstats.InputOutputError))
                        found += 1
            self.assertGreater(found, 0)

    def test_an_encrypted_store(self) -> None:
        sealed, key = self.folder / "sealed.sqlite", self.folder / "key"
        shutil.copy(store_path(), sealed)
        key.write_bytes(os.urandom(32))
        key.chmod(0o600)
        run(
            PROGRAM, "encrypt", "--store", str(sealed), "--key-file", str(key),
            env={**os.environ, "HKSTATS_PASSPHRASE": "right"},
        )  # fmt: skip
        for options in [{}, {"passphrase": "wrong"}]:
            with self.assertRaises(PermissionError) as caught:
                hkstats.open(sealed, **options)
            self.assertIsInstance(caught.exception, hkstats.NotPermittedError)
            self.assertNotIn("wrong'", str(caught.exception))
        for options in [{"passphrase": "right"}, {"key_file": key}]:
            with hkstats.open(sealed, **options) as opened:
                self.assertEqual(
                    opened.statistics("steps", by="month").to_dicts(),
                    store().statistics("steps", by="month").to_dicts(),
                )
        with self.assertRaises(hkstats.UsageError):
            hkstats.open(sealed, passphrase="a", key_file=key)
        with self.assertRaises(hkstats.UsageError):
            hkstats.open(export(), passphrase="a")

    def test_another_writer(self) -> None:
        path = self.folder / "busy.sqlite"
        shutil.copy(store_path(), path)
        other = sqlite3.connect(path, isolation_level=None)
        self.addCleanup(other.close)
        with hkstats.open(path, "rw", progress=False) as opened:
            other.execute("BEGIN IMMEDIATE")
            with self.assertRaises(hkstats.BusyError):
                opened.import_export(export())
            other.execute("ROLLBACK")
            report = opened.import_export(export())
            self.assertIsInstance(report, dict)

    def test_a_store_that_is_read_has_no_writer(self) -> None:
        path = self.folder / "read.sqlite"
        shutil.copy(store_path(), path)
        path.chmod(stat.S_IRUSR)
        before = path.read_bytes()
        with hkstats.open(path) as opened:
            opened.statistics("steps", by="month")
            with self.assertRaises(hkstats.UsageError):
                opened.import_export(export())
        self.assertEqual(path.read_bytes(), before)

    def test_arguments(self) -> None:
        with self.assertRaises(hkstats.UsageError):
            hkstats.open(store_path(), "w")  # type: ignore[arg-type]
        with self.assertRaises(hkstats.UsageError):
            hkstats.open("a\0b")
        with self.assertRaises(TypeError):
            store().types(progress="bar")  # type: ignore[arg-type]

    def test_exceptions_are_values(self) -> None:
        for kind in [hkstats.Error, *hkstats.Error.__subclasses__()]:
            if kind.__name__.startswith("_"):
                continue
            error = pickle.loads(pickle.dumps(kind("A sentence.")))
            self.assertIs(type(error), kind)
            self.assertEqual(str(error), "A sentence.")
        codes = {kind.code for kind in _library._ERRORS.values()}
        self.assertEqual(codes, {64, 65, 66, 74, 75, 77, 130, 200})

    def test_a_code_of_a_later_library(self) -> None:
        with mock.patch.object(_library, "_library") as library:
            library.hkstats_table_close.return_value = 99
            with self.assertRaises(hkstats.Error) as caught:
                _library.call("table_close", None)
        self.assertEqual((type(caught.exception), caught.exception.code), (hkstats.Error, 99))

    def test_codes_are_those_of_the_header(self) -> None:
        header = ROOT / "Sources/CHKStats/include/hkstats.h"
        if not header.exists():
            self.skipTest("the sources are not here")
        text = header.read_text()
        codes = {int(line.split("=")[1].strip(" ,")) for line in text.splitlines()
                 if line.startswith("  HKSTATS_") and "=" in line}  # fmt: skip
        self.assertLessEqual(set(_library._ERRORS), codes)
        self.assertIn(f"#define HKSTATS_ABI_VERSION {_library.ABI_VERSION}\n", text)
        declared = set(_names(text))
        used = {f"hkstats_{name}" for name in _library._FUNCTIONS} | {
            "hkstats_abi_version", "hkstats_version", "hkstats_free", "hkstats_live_objects",
            "hkstats_stream_allocate", "hkstats_schema_allocate", "hkstats_capsule_destructor",
        }  # fmt: skip
        self.assertEqual(declared, used)


def _names(header: str) -> list[str]:
    import re

    return re.findall(r"^(?:int32_t|int64_t|void|const char \*|struct \w+ \*) ?(hkstats_\w+)\(",
                      header, re.MULTILINE)  # fmt: skip


class Loading(unittest.TestCase):
    def test_no_library(self) -> None:
        found = python("import hkstats", HKSTATS_LIBRARY="/nowhere/libhkstats.so")
        self.assertNotEqual(found.returncode, 0)
        last = found.stderr.splitlines()[-1]
        self.assertRegex(last, "^ImportError: The wheels of hkstats are for Linux on x86-64")

    def test_a_file_that_is_no_library(self) -> None:
        found = python("import hkstats", HKSTATS_LIBRARY=__file__)
        self.assertRegex(found.stderr.splitlines()[-1], "^ImportError: .*does not load")

    def test_another_version(self) -> None:
        code = """
import ctypes, sys
real = ctypes.CDLL
class Other(real):
    def __getattr__(self, name):
        if name == sys.argv[1]:
            return lambda: sys.argv[2].encode() if sys.argv[2].count(".") else int(sys.argv[2])
        return super().__getattr__(name)
ctypes.CDLL = Other
import hkstats
"""
        for name, value in [("hkstats_version", "9.8.7"), ("hkstats_abi_version", "77")]:
            # A function of ctypes has settable attributes, a lambda, too.
            found = python(code, name, value)
            last = found.stderr.splitlines()[-1]
            self.assertRegex(last, "^ImportError: The library at ", found.stderr)
            self.assertIn(value, last)
            self.assertIn(hkstats.__version__, last)

    def test_nothing_else_is_imported(self) -> None:
        code = """
import sys
import hkstats
found = {name.split(".")[0] for name in sys.modules} - set(sys.stdlib_module_names)
print(sorted(name for name in found if not name.startswith("_") or name == "_library"))
"""
        found = python(code)
        self.assertEqual((found.returncode, found.stdout), (0, "['hkstats']\n"), found.stderr)


if __name__ == "__main__":
    unittest.main()
