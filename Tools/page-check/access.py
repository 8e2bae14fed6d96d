"""No finding of axe-core, in each look of a page, with its tables and its reasons shown."""

import importlib.util
import pathlib

import keyboard
from browser import Setting, evaluate

LOOKS = [Setting(), Setting(scheme="dark"), Setting(width=375, height=812),
         Setting(media="print", width=760)]
# Those of the level AAA ask for a contrast that labels of axes need not have; those on trial want
# a figure that keys read to be a widget.
RUN = r"""
  const rules = {};
  for (const rule of axe.getRules())
    if (!rule.tags.some(tag => ["wcag2aaa", "deprecated", "experimental"].includes(tag)))
      rules[rule.ruleId] = {enabled: true};
  const found = await axe.run(argument ? {include: [argument]} : document, {rules,
    preload: false, iframes: false, resultTypes: ["violations"]});
  return {passes: found.passes.length, violations: found.violations.map(each => ({id: each.id,
    nodes: each.nodes.length, first: each.nodes.slice(0, 3).map(node => node.target.join(" ") + ": "
      + (node.failureSummary || "").split("\n").slice(1, 2).join("").trim())}))}"""


REASONED = '.fig[data-why]:not([data-why=""])'


def source():
    """The text of axe-core, which the package brings along."""
    package = importlib.util.find_spec("axe_playwright_python")
    return (pathlib.Path(package.origin).parent / "axe.min.js").read_text()


def run(page, report, state, within=None):
    found = evaluate(page, RUN, within)
    report.expect(found["passes"] > (0 if within else 10), "axe", state, "hardly a rule was applied")
    for each in found["violations"]:
        report.expect(False, "axe", f"{state}, {each['id']} ×{each['nodes']}", each["first"])
    report.passed["axe"] += found["passes"]


def check(browser, paths):
    axe = source()
    for path in paths:
        for look in LOOKS:
            with browser.page(path, look) as page:
                evaluate(page, keyboard.COME_NEAR)
                page.evaluate(axe)
                run(page, browser.report, "as it opens")
                if look.media == "screen" and look.width > 1000:
                    for state, within in opened(page, has_tables=look.scheme == "light"):
                        run(page, browser.report, state, within)
        with browser.page(path, Setting()) as page:
            page.evaluate(axe)
            page.evaluate("document.body.append(Object.assign(document.createElement('img'),"
                          " {width: 40, height: 40}))")
            found = [each["id"] for each in evaluate(page, RUN, "body > img")["violations"]]
            browser.report.expect("image-alt" in found, "controls of axe", "img without alt", found)


def opened(page, has_tables):
    """Opens all tables if asked to, then a reason; says what is open and where."""
    if has_tables and page.locator("main details").count():
        page.evaluate("document.querySelectorAll('main details').forEach(each =>"
                      " { each.open = true; })")
        page.wait_for_timeout(300)
        # A table of 400 rows is as good as ten.
        page.evaluate("document.querySelectorAll('details.table tbody tr:nth-child(n + 6)')"
                      ".forEach(row => row.remove())")
        yield "tables opened", None
        page.evaluate("document.querySelectorAll('main details').forEach(each =>"
                      " { each.open = false; })")
    if page.locator(REASONED).count():
        page.locator(REASONED).first.focus()
        page.keyboard.press("End")
        page.keyboard.press("Enter")
        page.wait_for_timeout(200)
        # Without one, the check of the keyboard says so.
        if page.locator("dialog[open]").count():
            yield "reason opened", "dialog[open]"
