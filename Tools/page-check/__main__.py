#!/usr/bin/env python3
"""Looks at pages of `hkstats report` in a browser as people do: by eye, by key and by question.

    python Tools/page-check PAGE… [--store FILE --timezone ZONE] [--only CHECK] [--pictures DIR]

A copy of the simplest page proves, with defects put in, that the checks find them. Needs playwright
and axe-playwright-python (PyPI), chromium-headless-shell, fontconfig, poppler-utils and the fonts
of .ci/fetch (Debian).
"""

import argparse
import pathlib
import sys

from playwright.sync_api import sync_playwright

import access
import asked
import browser
import colours
import keyboard
import layout
import marks
import pictures
import report
import sheets
import silence
import states

CHECKS = ["silence", "axe", "keyboard", "layout", "marks", "budgets", "numbers", "colours",
          "scripts-off", "print", "sheets", "pdf", "controls"]


def arguments():
    parser = argparse.ArgumentParser(
        prog="Tools/page-check", description=__doc__.partition("\n")[0],
        formatter_class=argparse.RawDescriptionHelpFormatter, epilog=__doc__.partition("\n\n")[2])
    parser.add_argument("pages", nargs="+", metavar="PAGE", help="a page of hkstats report")
    parser.add_argument("--program", default=".build/release/hkstats", metavar="FILE",
                        help="the program that answers (%(default)s)")
    parser.add_argument("--store", metavar="FILE", help="the store that the pages are about")
    parser.add_argument("--timezone", default="Europe/Paris", metavar="ZONE",
                        help="the zone that they were made for (%(default)s)")
    parser.add_argument("--only", action="append", choices=CHECKS, metavar="CHECK",
                        help="only this check; may come several times: " + ", ".join(CHECKS))
    parser.add_argument("--least", type=int, default=1, metavar="N",
                        help="how many numbers of all pages have to be compared (%(default)s)")
    parser.add_argument("--limit", type=float, default=1, metavar="MB",
                        help="how large a page may be (%(default)s)")
    parser.add_argument("--pictures", metavar="DIR", help="writes pictures of the pages, too")
    parser.add_argument("--chromium", default=browser.CHROMIUM, metavar="FILE",
                        help="the browser (%(default)s)")
    return parser.parse_args()


def simplest(pages):
    """The smallest page with a figure, no sheets: what a check finds in one it finds in all."""
    texts = {page: pathlib.Path(page).read_text() for page in pages}
    return min(pages, key=lambda page: ('class="sheet"' in texts[page],
                                        'class="fig"' not in texts[page], len(texts[page])))


def main():
    given = arguments()
    chosen = given.only or ([] if given.pictures else CHECKS)
    if "numbers" in chosen and not given.store:
        sys.exit("Numbers are asked for again: --store FILE, or choose checks with --only.")
    found = report.Report()
    program = asked.Program(given.program, given.store, given.timezone) if given.store else None
    with sync_playwright() as playwright:
        opened = browser.Browser(playwright, found, given.chromium)
        runs = {
            "silence": lambda: silence.check(opened, given.pages),
            "axe": lambda: access.check(opened, given.pages),
            "keyboard": lambda: keyboard.check(opened, given.pages),
            "layout": lambda: layout.check(opened, given.pages),
            "marks": lambda: marks.check(opened, given.pages),
            "budgets": lambda: layout.check_budgets(opened, given.pages, given.limit * 1e6),
            "numbers": lambda: asked.check(opened, given.pages, program, given.least),
            "colours": lambda: colours.check(opened, given.pages),
            "scripts-off": lambda: states.check_without_scripts(opened, given.pages),
            "print": lambda: (states.check_print(opened, given.pages),
                              states.check_last_sheet(opened, simplest(given.pages))),
            "sheets": lambda: sheets.check(playwright, found, given.chromium, given.pages,
                                           given.pictures),
            "pdf": lambda: program and states.check_pdf(found, program, given.chromium),
            "controls": lambda: states.check_controls(opened, simplest(given.pages), program),
        }
        for name in CHECKS:
            if name in chosen:
                runs[name]()
        if "sheets" in chosen:
            sheets.check_controls(playwright, found, given.chromium, given.pages, states.Quiet)
        if given.pictures:
            pictures.write(opened, given.pages, given.pictures)
        opened.chromium.close()
    sys.exit(0 if found.close() or not chosen else 1)


if __name__ == "__main__":
    main()
