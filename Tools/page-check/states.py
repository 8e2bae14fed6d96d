"""A page without scripts, on paper, and with defects that the checks have to find."""

import pathlib
import re
import subprocess
import tempfile

import access
import asked
import colours
import keyboard
import layout
from browser import Setting, evaluate
from report import Report

PAPERS = ["A4", "Letter"]

SHOWN = r"""
  const texts = [...document.querySelectorAll("[data-at]")].map(each => clean(each.textContent));
  const charts = [...document.querySelectorAll(".fig")].map(each => ({name: named(each), isSeen:
    seen(each) && each.getBoundingClientRect().height > 0,
    marks: each.querySelectorAll("rect, circle, path, line").length}));
  const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), needs = [];
  for (let node = words.nextNode(); node; node = words.nextNode())
    if (/javascript|\bscripts?\b|newer browser/i.test(node.data) && seen(node.parentElement) &&
        !node.parentElement.closest("details, script, style, noscript.tables"))
      needs.push(named(node.parentElement));
  return {texts, charts, needs, dead: [...document.querySelectorAll("button, select, input")].filter(
    each => seen(each) && !each.disabled).map(named)}"""


def check_without_scripts(browser, paths):
    """All that is in the HTML stands, and nothing is offered that does nothing."""
    report = browser.report
    for path in paths:
        # Both before anything is opened; the explorer adds its own when the reader comes near.
        with browser.page(path, Setting()) as page:
            with_scripts = evaluate(page, SHOWN)
        with browser.page(path, Setting(scripts=False)) as page:
            without = evaluate(page, SHOWN)
            for chart in without["charts"]:
                report.expect(chart["isSeen"] and chart["marks"], "scripts off", chart["name"],
                              "is not drawn")
            report.expect(len(without["texts"]) > 0 or not with_scripts["texts"], "scripts off",
                          "numbers", "there are none")
            changed = [(one, other) for one, other in zip(without["texts"], with_scripts["texts"])
                       if one != other]
            report.expect(not changed, "scripts off", "numbers that scripts change", changed[:5])
            report.expect(not without["needs"], "scripts off", "what says that scripts are missing",
                          without["needs"][:5])
            report.expect(not without["dead"], "scripts off", "controls that do nothing",
                          without["dead"][:5])


ON_PAPER = layout.TOO_WIDE + r"""
  return {left: [...document.querySelectorAll("nav, button, select, summary, dialog, .skip")].filter(
    each => seen(each) && each.getClientRects().length > 0).map(named),
    wide: tooWide(),
    isPrint: document.body.classList.contains("print"),
    scripts: document.scripts.length, title: document.title,
    background: getComputedStyle(document.documentElement).backgroundColor,
    words: clean(document.querySelector("h1")?.innerText ?? "")}"""


def check_print(browser, paths):
    """On paper there is nothing to press, nothing is cut, and the visit has two sheets."""
    report = browser.report
    for path in paths:
        # Paper stays light where the screen is dark.
        with browser.page(path, Setting(width=718, media="print", scheme="dark")) as page, \
                tempfile.TemporaryDirectory() as folder:
            found = evaluate(page, ON_PAPER)
            report.expect(not found["left"], "print", "controls on paper", found["left"][:5])
            report.expect(not found["wide"], "print", "wider than the sheet", found["wide"])
            light = [int(each) for each in re.findall(r"\d+", found["background"])[:3]]
            report.expect(min(light, default=255) > 200 or "0)" in found["background"], "print",
                          "background", found["background"])
            if found["isPrint"]:
                report.expect(found["scripts"] == 0, "print", "scripts", found["scripts"])
            report.expect(found["title"], "print", "title", "the page has no title")
            for paper in PAPERS:
                file = f"{folder}/{paper}.pdf"
                page.pdf(path=file, format=paper, prefer_css_page_size=False, print_background=True)
                told = subprocess.run(["pdfinfo", file], capture_output=True, text=True, check=True)
                sheets = int(re.search(r"^Pages:\s+(\d+)", told.stdout, re.MULTILINE)[1])
                wanted = 2 if found["isPrint"] else range(1, 60)
                report.expect(sheets == wanted if found["isPrint"] else sheets in wanted, "print",
                              paper, f"{sheets} sheets, not {wanted}")
                text = subprocess.run(["pdftotext", file, "-"], capture_output=True, text=True,
                                      check=True).stdout
                first = found["words"].split(" ")[0]
                report.expect(first in text, "print", paper, f"does not say “{first}”")


def wrong_number(text):
    """Another last digit in the first number that the program answers."""
    def other(match):
        return match[1] + str((int(match[2]) + 1) % 10)
    return re.sub(r"(\bdata-at=\"[^\"]*\"[^>]*>[^<]*?)(\d)(?=[^\d<]*<)", other, text, count=1)


def before_end(element):
    return lambda text: text.replace("</main>", element + "</main>", 1)


def walk(browser, paths):
    for path in paths:
        with browser.page(path, Setting()) as page:
            keyboard.walk(page, browser.report)


def axe(browser, paths):
    for path in paths:
        with browser.page(path, Setting()) as page:
            page.evaluate(access.source())
            access.run(page, browser.report, "control")


def measure(browser, paths):
    for path in paths:
        with browser.page(path, Setting(width=375)) as page:
            layout.measured(page, browser.report)


def moves(browser, paths):
    """A paragraph that comes late, as only a script can add it."""
    for path in paths:
        with browser.page(path, Setting()) as page:
            # On a busy machine the first frame comes after the load. What is added before it moves
            # nothing that was seen.
            evaluate(page, layout.PAINT)
            page.evaluate("document.querySelector('main').prepend(Object.assign("
                          "document.createElement('p'), {textContent: 'late'}))")
            shift = evaluate(page, layout.SHIFT)
            browser.report.expect(shift["sum"] == 0, "nothing moves", shift["where"], shift["sum"])


def budgets(browser, paths):
    layout.check_budgets(browser, paths, 1e9)


# What is put into a page, the check that has to find it, and its name there.
DEFECTS = [
    ("words that are too pale", before_end('<p><font color="#bbbbbb">pale</font></p>'), axe, "axe"),
    ("a link without a name", before_end('<p><a href="#main"></a></p>'), axe, "axe"),
    ("a positive tabindex", before_end('<button tabindex="3">First</button>'), walk, "keyboard walk"),
    ("a stop that is not seen", before_end('<p class="hidden"><a href="#main">There</a></p>'), walk,
     "focus seen"),
    ("a page that is too wide", before_end('<svg width="5000" height="9"></svg>'), measure, "layout"),
    ("words over each other", before_end(
        '<article class="card"><svg width="90" height="40"><text class="t" x="9" y="20">one</text>'
        '<text class="t" x="15" y="22">other</text></svg></article>'), measure, "layout"),
    ("a word outside of its card", before_end(
        '<article class="card"><svg width="90" height="40"><text class="t" x="-70" y="20">one</text>'
        '</svg></article>'), measure, "layout"),
    ("a small target", before_end('<nav aria-label="Small"><a href="#main">x</a></nav>'), measure,
     "targets"),
    ("a paragraph that comes late", before_end(""), moves, "nothing moves"),
    ("too many elements", before_end("<i></i>" * layout.MOST_ELEMENTS), budgets, "budgets"),
    ("a pale word in a chart", before_end(
        '<svg width="90" height="40"><text fill="#999" x="9" y="20">one</text></svg>'),
     colours.check, "contrast"),
    ("words about scripts", before_end("<p>This needs JavaScript.</p>"), check_without_scripts,
     "scripts off"),
    ("a control without scripts", before_end("<button>More</button>"), check_without_scripts,
     "scripts off"),
]


class Quiet(Report):
    """Counts and says nothing."""

    def expect(self, holds, check, where, what):
        (self.passed if holds else self.failed)[check] += 1
        return holds

    def note(self, text):
        pass


def check_controls(browser, path, program=None):
    """Whether each defect is found in the page that has it."""
    report, text = browser.report, pathlib.Path(path).read_text()
    defects = list(DEFECTS)
    if program and "data-at=" in text:
        defects.append(("a wrong number", wrong_number,
                        lambda browser, paths: asked.check(browser, paths, program, 0), "numbers"))
    with tempfile.TemporaryDirectory() as folder:
        page = pathlib.Path(folder) / "control.html"
        for name, change, run, check in defects:
            page.write_text(change(text))
            browser.report = Quiet()
            try:
                run(browser, [page])
                is_found = browser.report.failed[check] > 0
            finally:
                browser.report = report
            report.place = "controls"
            report.expect(is_found, "controls", name, "is not found")
    report.place = ""
