"""The two sheets for a visit on each paper, in the fonts that a machine may have: two sheets they are,
nothing is cut, and long words break with a hyphen."""

import contextlib
import os
import pathlib
import re
import subprocess
import tempfile

from browser import Browser, Setting, evaluate

PAPERS = ["A4", "Letter"]
# Families without and with serifs; Japanese is the same in all.
FONTS = {name: [f"{name} Sans", f"{name} Serif"] for name in ["DejaVu", "Liberation", "Noto"]}
JAPANESE = ["Noto Sans CJK JP", "Noto Serif CJK JP"]
# A4 without its margins, which is narrower than Letter.
WIDTH = 688
LEAST_NOTES = 60

MEASURE = r"""
  const found = {cut: [], broken: [], hidden: [], over: []};
  const sheets = [...document.querySelectorAll(".sheet")];
  const frames = "th, td, .card, .head > *, .notes, .sheet > p, .sheet";
  for (const sheet of sheets) {
    const walker = document.createTreeWalker(sheet, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement, text = clean(node.data);
      if (!text || parent.closest("title, desc, script, style")) continue;
      if ((!seen(parent) || !parent.getClientRects().length) && !parent.closest(".t2, .t3")) found.hidden.push(named(parent));
      const range = document.createRange();
      range.selectNodeContents(node);
      const frame = parent.closest("svg") ? sheet : parent.closest(frames);
      const {left, right} = frame.getBoundingClientRect();
      for (const box of range.getClientRects())
        if (box.width > 0 && (box.left < left - 1 || box.right > right + 1))
          found.cut.push(`“${text}” reaches out of ${named(frame)}`);
      // A soft hyphen and a place to break end a word, so what is in one word must be in one line.
      for (const word of parent.closest("svg, code") ? [] :
           node.data.matchAll(/[\p{Script=Latin}\p{N}]{2,}/gu)) {
        const [first, last] = [word.index, word.index + word[0].length - 1].map(place => {
          range.setStart(node, place);
          range.setEnd(node, place + 1);
          // The hyphen in front of a letter is of its range.
          return [...range.getClientRects()].at(-1)?.top; });
        if (last - first > 4) found.broken.push(`“${word[0]}” of ${named(parent)}`);
      }
    }
    for (const each of sheet.querySelectorAll("*"))
      if (!each.closest("svg") && each.scrollWidth > each.clientWidth + 1 && each.clientWidth > 0 &&
          getComputedStyle(each).display !== "inline") found.over.push(named(each));
  }
  const notes = document.querySelector(".sheet:last-child .notes");
  return {...found, count: sheets.length, notes: notes?.getBoundingClientRect().height ?? 0,
    heads: sheets.map(each => [...each.querySelectorAll("h1, h2, h3")].map(each => clean(each.textContent)))}"""


@contextlib.contextmanager
def machine(family):
    """The environment of a machine that has one family of fonts; nothing without it."""
    with tempfile.TemporaryDirectory() as folder:
        links = pathlib.Path(folder) / "fonts"
        links.mkdir()
        for name in FONTS[family] + JAPANESE:
            told = subprocess.run(["fc-list", f":family={name}", "file"], capture_output=True, text=True,
                                  check=True)
            files = [pathlib.Path(line.strip().rstrip(":")) for line in told.stdout.splitlines()]
            for file in files:
                with contextlib.suppress(FileExistsError):
                    (links / file.name).symlink_to(file)
            if not files:
                raise FileNotFoundError(f"no fonts of {name}: apt-get install fonts-{family.lower()}")
        sans, serif = FONTS[family]
        rules = [f"<match><test name=\"family\"><string>{asked}</string></test><edit name=\"family\" mode=\"prepend\""
                 f" binding=\"strong\"><string>{given}</string></edit></match>"
                 for asked, given in [("serif", serif), ("Times New Roman", serif)]]
        rules.append(f"<match><edit name=\"family\" mode=\"append\" binding=\"strong\"><string>{sans}</string></edit></match>")
        config = pathlib.Path(folder) / "fonts.conf"
        config.write_text("<?xml version=\"1.0\"?><!DOCTYPE fontconfig SYSTEM \"fonts.dtd\"><fontconfig>"
                          f"<dir>{links}</dir><cachedir>{folder}/cache</cachedir>{''.join(rules)}</fontconfig>")
        yield {**os.environ, "FONTCONFIG_FILE": str(config)}


def check(playwright, report, chromium, paths, pictures=None, papers=PAPERS, families=FONTS):
    """Lays each document for a visit out with each family on each paper."""
    paths = [path for path in paths if 'class="print"' in pathlib.Path(path).read_text()]
    for family in families if paths else []:
        with machine(family) as environment:
            browser = Browser(playwright, report, chromium, environment)
            for path in paths:
                laid_out(browser, path, family, papers, pictures)
            browser.chromium.close()


def laid_out(browser, path, family, papers, pictures):
    report = browser.report
    with browser.page(path, Setting(width=WIDTH, height=957, media="print")) as page, \
            tempfile.TemporaryDirectory() as folder:
        found = evaluate(page, MEASURE)
        for name, what in [("cut", "is cut"), ("over", "is too wide for its place"),
                           ("broken", "breaks without a hyphen"), ("hidden", "is not seen")]:
            report.expect(not found[name], "sheets", f"{family}: {what}", found[name][:4])
        if found["count"] == 2:
            report.expect(found["notes"] >= LEAST_NOTES, "sheets", f"{family}: the field for notes",
                          f"{found['notes']:.0f} px high")
        for paper in papers:
            file = f"{pictures or folder}/{pathlib.Path(path).stem}-{family}-{paper}"
            page.pdf(path=file + ".pdf", format=paper, print_background=True)
            told = subprocess.run(["pdfinfo", file + ".pdf"], capture_output=True, text=True, check=True)
            pages = int(re.search(r"^Pages:\s+(\d+)", told.stdout, re.MULTILINE)[1])
            report.expect(pages == found["count"], "sheets", f"{family}, {paper}",
                          f"{pages} pages for {found['count']} sheets")
            for number, heads in enumerate(found["heads"], start=1):
                text = subprocess.run(["pdftotext", "-f", str(number), "-l", str(number), file + ".pdf", "-"],
                                      capture_output=True, text=True, check=True).stdout
                text = "".join(text.split())
                missing = [head for head in heads if "".join(head.split()) not in text]
                report.expect(not missing, "sheets", f"{family}, {paper}, page {number}",
                              f"lacks {missing[:4]}")
            used = subprocess.run(["pdffonts", file + ".pdf"], capture_output=True, text=True, check=True)
            report.expect(FONTS[family][0].replace(" ", "") in used.stdout, "sheets", f"{family}, {paper}",
                          "is printed in other fonts")
            if pictures:
                subprocess.run(["pdftoppm", "-r", "90", "-png", file + ".pdf", file], check=True)
                os.remove(file + ".pdf")


def last_cell(element):
    return lambda text: text.replace("</tbody>", f"<tr>{element}</tr></tbody>", 1)


# What is put into a document, and what is told of it then.
DEFECTS = [
    ("a column too many", lambda text: text.replace(
        "<td class=\"n\">", "<td class=\"n\">12,345 – 67,890 steps</td><td class=\"n\">", 9)),
    ("a word too long for its column", last_cell(f"<th scope=\"row\">{'Überwachung' * 6}</th>")),
    ("more rows than fit", lambda text: text.replace("</tbody>", "<tr><th>Row</th></tr>" * 60 + "</tbody>", 1)),
    ("something hidden", lambda text: text.replace("</tbody>", "<tr hidden><th>Row</th></tr></tbody>", 1)),
]


def check_controls(playwright, report, chromium, paths, quiet):
    """Whether each defect is found in the first document that has it."""
    path = next((path for path in paths if 'class="print"' in pathlib.Path(path).read_text()), None)
    if path is None:
        return
    with tempfile.TemporaryDirectory() as folder:
        control = pathlib.Path(folder) / "control.html"
        for name, change in DEFECTS:
            control.write_text(change(pathlib.Path(path).read_text()))
            heard = quiet()
            check(playwright, heard, chromium, [control], papers=["Letter"], families=["DejaVu"])
            report.place = "controls"
            report.expect(heard.failed["sheets"] > 0, "controls", name, "is not found")
    report.place = ""
