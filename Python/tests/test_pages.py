"""Runs the Python of the documentation on the sample export of ``make demo``.

The blocks ``python`` of a page run in their order, in one namespace. What each prints must be the
block ``text`` after it, or nothing where there is none; a line ``…`` stands for any number of them.
A block that needs a reader of Arrow that is not installed is skipped, unless the variable
HKSTATS_TEST_READERS is 1.
"""

from __future__ import annotations

import contextlib
import importlib.util
import io
import os
import re
import subprocess
import sys
import traceback
import unittest
from functools import cache
from pathlib import Path

import support

PAGES = ("Docs.docc/Python.md", "README.md", "Python/README.md")
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# The words of a block that need packages.
_NEEDS = {
    "duckdb": ["duckdb"], "nanoarrow": ["nanoarrow"], "numpy": ["numpy"], "pandas": ["pandas"],
    "polars": ["polars"], "pyarrow": ["pyarrow"], "to_arrow": ["pyarrow"],
    "to_pandas": ["pandas", "pyarrow"], "to_polars": ["polars"],
    "statsmodels": ["statsmodels"],
}  # fmt: skip


def blocks(text: str) -> list[tuple[int, str, str]]:
    """The line, the code, and what it prints, of each block of Python."""
    found: list[tuple[int, str, str]] = []
    wants_output = False
    for match in _BLOCK.finditer(text):
        language, body = match.groups()
        if language == "python":
            found.append((text.count("\n", 0, match.start()) + 2, body, ""))
        elif language == "text" and wants_output:
            found[-1] = (*found[-1][:2], body)
        wants_output = language == "python"
    return found


def missing(code: str) -> list[str]:
    """The packages that a block needs and that are not installed."""
    names = {name for word, names in _NEEDS.items() if re.search(rf"\b{word}\b", code)
             for name in names}  # fmt: skip
    return sorted(name for name in names if importlib.util.find_spec(name) is None)


def is_shown(shown: str, printed: str) -> bool:
    """Whether a page shows what was printed."""
    lines = [line.rstrip() for line in shown.rstrip().splitlines()]
    pattern = "".join("(?:.*\n)*?" if line == "…" else re.escape(line) + "\n" for line in lines)
    text = "".join(line.rstrip() + "\n" for line in printed.rstrip().splitlines())
    return re.fullmatch(pattern, text) is not None


def run_page(path: str) -> int:
    """Runs a page in the folder of the export; how many blocks were not as it shows."""
    namespace: dict[str, object] = {"__name__": "__main__"}
    failed, skipped = 0, []
    found = blocks(Path(path).read_text(encoding="utf-8"))
    for line, code, shown in found:
        absent = missing(code)
        if absent and os.environ.get("HKSTATS_TEST_READERS") != "1":
            skipped += absent
            continue
        output = io.StringIO()
        try:
            with contextlib.redirect_stdout(output):
                exec(compile("\n" * (line - 1) + code, path, "exec"), namespace)
        except Exception:
            output.write(traceback.format_exc())
        if not is_shown(shown, output.getvalue()):
            failed += 1
            print(f"{path}:{line} prints\n{output.getvalue()}")
    print(f"{len(found)} blocks, {failed} failed", *sorted({f"without {name}" for name in skipped}))
    return failed


class Pages(unittest.TestCase):
    def test_their_python_prints_what_they_show(self) -> None:
        for page in PAGES:
            with self.subTest(page):
                self.assertTrue(blocks((support.ROOT / page).read_text(encoding="utf-8")))
                result = subprocess.run(
                    [sys.executable, "-W", "error", __file__, str(support.ROOT / page)],
                    cwd=sample_folder(page), capture_output=True, text=True, check=False,
                    encoding="utf-8", timeout=300, env=support.python_environment(
                        TZ="Europe/Paris", COLUMNS="100", PYTHONUTF8="1", TERM="dumb"
                    ),
                )  # fmt: skip
                self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_differences_are_seen(self) -> None:
        page = (
            "```python\na\n```\n\n```text\n1\n…\n3\n```\n"
            "```python\nb\n```\n```sh\nc\n```\n```text\nd\n```\n"
        )
        self.assertEqual([block[1:] for block in blocks(page)], [("a\n", "1\n…\n3\n"), ("b\n", "")])
        for printed, expected in [
            ("1\n2\n3\n", True), ("1\n3\n", True), ("1  \n2\n2\n3\n", True), ("1\n2\n", False),
            ("1\n2\n3\n4\n", False), ("0\n1\n3\n", False), ("", False), ("1\n23\n", False),
        ]:  # fmt: skip
            self.assertEqual(is_shown("1\n…\n3\n", printed), expected, printed)
        self.assertTrue(is_shown("", ""))
        self.assertFalse(is_shown("", "1\n"))


@cache
def sample() -> Path:
    """The export that ``make demo`` makes."""
    words = re.search(r"^SAMPLE := (.*)$", (support.ROOT / "Makefile").read_text(), re.MULTILINE)
    assert words is not None
    path = support.folder() / "sample.zip"
    support.run(support.GENERATOR, "--out", str(path), *words[1].split())
    return path


def sample_folder(page: str) -> Path:
    """A folder of a page's own, with the export."""
    folder = support.folder() / page.replace("/", "-")
    folder.mkdir()
    os.link(sample(), folder / "export.zip")
    return folder


if __name__ == "__main__":
    sys.exit(sum(run_page(path) for path in sys.argv[1:]) > 0)
