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
import marks
from browser import Setting, evaluate
from report import Report

PAPERS = ["A4", "Letter"]
# How much of the last sheet is printed on at least, so that no sheet holds two lines alone.
LEAST_SHEET = 0.15

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
            measured = evaluate(page, layout.MEASURE, 0)
            for name in ["clipped", "outside", "overlaps"]:
                report.expect(not measured[name], "print", name, measured[name][:5])
            for paper in PAPERS:
                file = f"{folder}/{paper}.pdf"
                page.pdf(path=file, format=paper, prefer_css_page_size=False, print_background=True)
                sheets = sheets_of(file)
                wanted = 2 if found["isPrint"] else range(1, 60)
                report.expect(sheets == wanted if found["isPrint"] else sheets in wanted, "print",
                              paper, f"{sheets} sheets, not {wanted}")
                share = printed_share(file, sheets)
                report.expect(share >= LEAST_SHEET, "print", paper,
                              f"{share:.0%} of the last of {sheets} sheets")
                text = subprocess.run(["pdftotext", file, "-"], capture_output=True, text=True,
                                      check=True).stdout
                first = found["words"].split(" ")[0]
                report.expect(first in text, "print", paper, f"does not say “{first}”")


def check_last_sheet(browser, path):
    """However long a page is, its last sheet holds more than its last lines."""
    report = browser.report
    with browser.page(path, Setting(width=718, media="print"), heard=[]) as page, \
            tempfile.TemporaryDirectory() as folder:
        for more in range(0, 1000, 40):
            # Room above moves everything down.
            page.evaluate("more => document.querySelector('main').style.paddingBlockStart = `${more}px`", more)
            page.pdf(path=f"{folder}/page.pdf", format="A4", print_background=True)
            share = printed_share(f"{folder}/page.pdf", sheets_of(f"{folder}/page.pdf"))
            report.expect(share >= LEAST_SHEET, "print", "last sheet", f"{share:.0%} of it, {more} px further down")


def check_pdf(report, program, chromium):
    """The program prints a private PDF and leaves nothing else; where printing fails it leaves nothing."""
    report.place = "--out page.pdf"
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "page.pdf"
        for by, code in [(chromium, 0), ("/bin/true", 74)]:
            ended = program.report(file, by)
            there = [each.name for each in pathlib.Path(folder).iterdir()]
            report.expect(ended.returncode == code, "pdf", by, ended.stderr.strip() or ended.returncode)
            report.expect(there == [file.name] * (code == 0), "pdf", by, f"leaves {there}")
            if there != [file.name]:
                continue
            report.expect(file.stat().st_mode & 0o777 == 0o600, "pdf", "mode", oct(file.stat().st_mode))
            said = subprocess.run(["pdftotext", file, "-"], capture_output=True, text=True, check=True).stdout
            report.expect("Control" in said and sheets_of(file) > 0, "pdf", "title", said[:80])
            file.unlink()
    report.place = ""


def sheets_of(file):
    told = subprocess.run(["pdfinfo", file], capture_output=True, text=True, check=True)
    return int(re.search(r"^Pages:\s+(\d+)", told.stdout, re.MULTILINE)[1])


def printed_share(file, sheet):
    """How much of the height of a sheet its words reach over."""
    told = subprocess.run(["pdftotext", "-bbox", "-f", str(sheet), "-l", str(sheet), file, "-"],
                          capture_output=True, text=True, check=True).stdout
    height = float(re.search(r'<page [^>]*height="([\d.]+)"', told)[1])
    edges = [float(each) for each in re.findall(r'y(?:Min|Max)="([\d.]+)"', told)]
    return (max(edges) - min(edges)) / height if edges else 0


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


def charts(browser, paths):
    marks.check(browser, paths, [Setting(width=375)])


def in_card(element):
    return before_end(f'<article class="card f-heart"><h3>Control</h3>{element}</article>')


def figure(drawing, axis='<text class="t" y="10">bpm</text>', count=9):
    return (f'<div class="fig" data-count="{count}"><svg class="plot" width="100%" height="200">{drawing}</svg>'
            f'<svg class="axis" width="46" height="200">{axis}</svg></div>')


def bars(height=150, width=90, mark="m"):
    """Two marks that reach over a part of a chart."""
    return (f'<rect class="{mark}" x="1%" y="{176 - height}" width="9" height="{height}"/>'
            f'<rect class="{mark}" x="{width}%" y="170" width="9" height="6"/>')


def key(mark, text="word"):
    return (f'<p class="key"><span class="key-item"><svg class="swatch" width="14" height="14">'
            f'<rect class="{mark}" width="9" height="9"/></svg>{text}</span></p>')


def styled(rule):
    """Another rule at the end of the style, which the policy then allows no longer; so it goes."""
    def change(text):
        text = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", text)
        return text.replace("</style>", rule + "</style>", 1)
    return change


def both(*changes):
    def change(text):
        for each in changes:
            text = each(text)
        return text
    return change


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
    ("a colour that is not defined", both(
        in_card(figure(bars() + '<line class="tl" x2="90" y1="99" y2="99"/>') + key("m") + key("tl")),
        styled(".fig .tl { stroke: var(--nowhere); }")),
     charts, "marks"),
    ("a hollow mark that is full", both(in_card(figure(bars() + '<circle class="hole" cx="9" cy="99" r="4"/>') +
                                                key("m") + key("hole")),
                                        styled(".fig .hole { fill: var(--c); }")), charts, "marks"),
    ("a key of what is not drawn", in_card(figure(bars()) + key("q")), charts, "marks"),
    ("a mark that no key tells", in_card(figure(bars() + bars(mark="q"))), charts, "marks"),
    ("an axis without a unit", in_card(figure(bars(), '<text class="t" y="10">60</text>')), charts, "marks"),
    ("a chart whose axis is too high", in_card(figure(bars(70))), charts, "marks"),
    ("a chart with half its width", in_card(figure(bars(width=40))), charts, "marks"),
    ("a short line without a word", in_card(
        figure(bars() + '<path class="inkl" d="M1 9L60 90"/>') + key("m") + key("inkl", "trend")), charts, "marks"),
    ("a table that is cut on a phone", in_card(
        '<div class="scroll" tabindex="0"><table><tr><td>' + "wide" * 99 + '</td></tr></table></div>'), charts,
     "marks"),
    ("a list that is cut", in_card("<p>and 5 more</p>"), charts, "marks"),
    ("a list that leads nowhere", in_card('<p class="rest">and 5 more: <code>there</code></p>'), charts, "marks"),
    ("a last sheet of two lines", styled("@media print { .foot { break-before: page !important; } }"),
     lambda browser, paths: [check_last_sheet(browser, each) for each in paths], "print"),
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
