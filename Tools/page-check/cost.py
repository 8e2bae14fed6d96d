#!/usr/bin/env python3
"""What a page costs beside the questions that it asks, each asked alone by the command line.

    Tools/page-check/cost.py PROGRAM STORE ZONE NAME

A question costs what its process takes without the start of the program, so that the page cannot win
by starting once. Ends with 1 when time, size or peak memory is over its limit.
"""

import base64
import gzip
import html
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import time

MOST_TIME, MOST_BYTES, MOST_MEMORY = 2, 1e6, 160e6
STARTS = 20


def run(words):
    """Seconds and peak memory in bytes of a process that has to succeed."""
    begun = time.monotonic()
    with tempfile.TemporaryFile() as said:
        child = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                 stderr=said)
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode:
            said.seek(0)
            sys.exit(f"FAILED: {shlex.join(words)}: {said.read().decode(errors='replace')}")
    return time.monotonic() - begun, used.ru_maxrss * 1024


def questions(page):
    """The commands behind the numbers of a page, those of its tables and reasons among them."""
    found = {html.unescape(ask) for ask in re.findall(r'data-ask="([^"]*)"', page)}
    packed = re.search(r'id="payload"[^>]*>([^<]*)<', page)
    payload = json.loads(gzip.decompress(base64.b64decode(packed[1])))
    found |= {each["ask"] for each in payload["tables"].values()}
    return found | {each["ask"] for each in payload["reasons"].values()}


def main():
    program, store, zone, name = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "page.html")
        seconds, memory = run([program, "report", "--out", str(path), "--store", store,
                               "--timezone", zone])
        page = path.read_text()
    start = sum(run([program, "--version"])[0] for _ in range(STARTS)) / STARTS
    asks = questions(page)
    if not asks:
        sys.exit("FAILED: the page asks nothing")
    together = sum(run([program, *shlex.split(ask), "--format", "json", "--store", store,
                        *([] if "--timezone" in ask else ["--timezone", zone])])[0] - start
                   for ask in sorted(asks))
    size = len(page.encode())
    print(f"{name}: {len(asks)} questions take {together:.2f} s, the page {seconds:.2f} s "
          f"({seconds / together:.2f} times as long), {size / 1e6:.2f} MB, "
          f"{memory / 1e6:.0f} MB of memory")
    over = [text for text, is_over in [
        (f"longer than {MOST_TIME} times its questions", seconds > MOST_TIME * together),
        (f"over {MOST_BYTES / 1e6:g} MB", size > MOST_BYTES),
        (f"over {MOST_MEMORY / 1e6:g} MB of memory", memory > MOST_MEMORY)] if is_over]
    sys.exit("FAILED: the page is " + ", ".join(over) if over else 0)


if __name__ == "__main__":
    main()
