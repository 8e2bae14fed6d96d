"""Nothing leaves its place, lies over another thing, moves by itself or is too small to be hit."""

import math
import pathlib
import statistics

from browser import Setting, evaluate

WIDTHS = [320, 375, 768, 1440, 3840]
LEAST_TARGET = 24
MOST_PAINT, MOST_SCRIPT, MOST_ELEMENTS = 300, 30_000, 9_000

TOO_WIDE = r"""
  /// What reaches out of the window and is not cut or scrolled by something around it.
  const tooWide = () => {
    const root = document.documentElement, wide = root.clientWidth;
    if (root.scrollWidth <= wide) return [];
    return [...document.body.querySelectorAll("*")].filter(each => {
      const box = each.getBoundingClientRect();
      if (box.right <= wide + 1 && box.left >= -1 || !seen(each)) return false;
      for (let up = each.parentElement; up && up !== document.body; up = up.parentElement)
        if (getComputedStyle(up).overflowX !== "visible" && up.localName !== "svg") return false;
      return true;
    }).map(named).slice(-3).concat(`${root.scrollWidth} of ${wide} px`);
  };
"""
MEASURE = TOO_WIDE + r"""
  const found = {};
  const isHidden = element => element.closest(".hidden, .skip") !== null;
  found.overflow = tooWide();
  // What scrolls sideways must be reached by keys.
  found.scrolls = [...document.body.querySelectorAll("*")].filter(each => seen(each) &&
    each.scrollWidth > each.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(each).overflowX) &&
    each.tabIndex !== 0 && !each.querySelector("a[href], button")).map(named);
  found.targets = [...document.querySelectorAll("button, nav a, summary, select, input")]
    .filter(each => seen(each) && each.getClientRects().length && !isHidden(each)).map(each => {
      const box = each.getBoundingClientRect();
      return {name: named(each), size: `${box.width.toFixed(1)} × ${box.height.toFixed(1)}`,
        isSmall: Math.min(box.width, box.height) < argument - 0.01}; });
  found.clipped = [...document.body.querySelectorAll("*")].filter(each => {
    const style = getComputedStyle(each);
    return each.tabIndex !== 0 && !isHidden(each) && each.localName !== "svg" && each.clientWidth > 0 &&
      (style.overflowX === "hidden" || style.overflowX === "clip") && seen(each) &&
      each.scrollWidth > each.clientWidth + 1 && clean(each.textContent) !== "" &&
      !each.closest("svg, option, select");
  }).map(named);

  // The boxes of all pieces of text of a card; those of SVG reach above and below their letters.
  const boxes = container => {
    const pieces = [], walker = document.createTreeWalker(container, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement, text = clean(node.data);
      if (!text || parent.closest("title, desc, script, style, option, details, dialog, .label") ||
          isHidden(parent) || !seen(parent)) continue;
      const isChart = parent.closest("text") !== null;
      const range = document.createRange();
      range.selectNodeContents(node);
      const rects = isChart ? [parent.closest("text").getBoundingClientRect()] : range.getClientRects();
      for (const box of rects) {
        const cut = isChart ? box.height * 0.16 : box.height * 0.12;
        if (box.width > 0) pieces.push({text, isChart, parent, left: box.left + 0.5,
          right: box.right - 0.5, top: box.top + cut, bottom: box.bottom - cut});
      }
    }
    return pieces;
  };
  found.overlaps = []; found.outside = []; found.labels = 0;
  const cards = [...document.querySelectorAll(".card, .head, .nav, .foot")];
  const lonely = [...document.querySelectorAll("svg")].filter(each => !each.closest(".card") &&
    !each.parentElement.closest("svg"));
  for (const card of [...cards, ...lonely]) {
    if (!seen(card)) continue;
    const pieces = boxes(card).sort((one, other) => one.top - other.top);
    const frame = card.getBoundingClientRect();
    found.labels += pieces.length;
    for (let i = 0; i < pieces.length; i += 1) {
      const one = pieces[i];
      let scrolled = false;
      for (let up = one.parent; up && up !== card; up = up.parentElement)
        scrolled ||= up.localName !== "svg" && /auto|scroll/.test(getComputedStyle(up).overflowX);
      if (!scrolled && card.localName !== "nav" && (one.left < frame.left - 1 ||
          one.right > frame.right + 1 || one.top < frame.top - 1 || one.bottom > frame.bottom + 1))
        found.outside.push(`“${one.text}” leaves ${named(card)}`);
      for (let j = i + 1; j < pieces.length && pieces[j].top < one.bottom; j += 1) {
        const other = pieces[j];
        if (one.parent !== other.parent && Math.min(one.right, other.right) > Math.max(one.left, other.left)
            && Math.min(one.bottom, other.bottom) > Math.max(one.top, other.top))
          found.overlaps.push(`“${one.text}” and “${other.text}” in ${named(card)}`);
      }
    }
  }
  return found"""
# Whether anything moves while a reader scrolls down and up again. Where a page is painted before it is
# read whole, the list at the foot of the card being read grows upwards, and moves the figure above it:
# 0.0025 at most of pages sent in pieces of 2 to 16 kB.
SHIFT = r"""
  let sum = 0, worst = 0, where = "";
  const read = performance.getEntriesByType("navigation")[0]?.domContentLoadedEventStart ?? 0;
  const take = list => { for (const each of list.getEntries()) {
    if (each.startTime < read && each.value < 0.005) continue;
    sum += each.value;
    if (each.value > worst) { worst = each.value; const node = each.sources?.[0]?.node;
      where = node ? named(node.nodeType === 1 ? node : node.parentElement) : ""; } } };
  const observer = new PerformanceObserver(take);
  observer.observe({type: "layout-shift", buffered: true});
  const frame = () => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
  const step = Math.max(innerHeight * 0.8, document.documentElement.scrollHeight / 40);
  for (let y = 0; y < document.documentElement.scrollHeight; y += step) { scrollTo(0, y); await frame(); }
  scrollTo(0, 0); await frame();
  take({getEntries: () => observer.takeRecords()});
  return {sum, where}"""
# Where sections, cards and figures are.
PLACES = r"""
  return [...document.querySelectorAll("section, .card, .place, .fig:not(.place .fig), footer")].filter(seen).map(each => {
    const box = each.getBoundingClientRect();
    return [named(each), box.left + scrollX, box.top + scrollY, box.width]; })"""


def check(browser, paths):
    report = browser.report
    for path in paths:
        text = pathlib.Path(path).read_text()
        # The policy refuses a script of another hash: the page as it is painted before its own ran.
        waiting = text.replace("</script>", " </script>")
        # The document for a visit is as wide as paper.
        is_print = 'class="print"' in text
        for width in [each for each in WIDTHS if each > 700 or not is_print]:
            setting = Setting(width=width, height=900)
            with browser.page(path, setting, heard=[], changed=waiting) as page:
                before = evaluate(page, PLACES)
            with browser.page(path, setting) as page:
                shift = evaluate(page, SHIFT)
                report.expect(shift["sum"] == 0, "nothing moves", shift["where"], shift["sum"])
                after = evaluate(page, PLACES)
                report.expect(len(after) == len(before), "nothing moves", "cards",
                              f"{len(before)} before the script, {len(after)} after it")
                moved = [f"{name}: {was} to {place}" for [name, *was], [_, *place]
                         in zip(before, after)
                         if max(abs(one - other) for one, other in zip(was, place)) > 0.5]
                report.expect(not moved, "nothing moves", "what a script moves", moved[:3])
                measured(page, report)


def measured(page, report):
    found = evaluate(page, MEASURE, LEAST_TARGET)
    report.expect(not found["overflow"], "layout", "wider than the window", found["overflow"])
    for name in ["scrolls", "clipped", "outside", "overlaps"]:
        report.expect(not found[name], "layout", name, found[name][:5])
    report.passed["layout"] += found["labels"]
    for target in found["targets"]:
        report.expect(not target["isSmall"], "targets", target["name"], target["size"])


BUDGET = r"""
  const code = [...document.scripts].filter(each => !each.type || each.type === "module");
  return {elements: document.querySelectorAll("*").length,
    script: code.reduce((sum, each) => sum + new TextEncoder().encode(each.textContent).length, 0)}"""
PAINT = r"""
  for (let turn = 0; turn < 100; turn += 1) {
    const paint = performance.getEntriesByName("first-contentful-paint")[0];
    if (paint) return paint.startTime;
    await new Promise(done => setTimeout(done, 20));
  }
  return Infinity"""


def check_budgets(browser, paths, most_bytes):
    """What a page may cost."""
    report = browser.report
    for path in paths:
        report.place = pathlib.Path(path).name
        size = pathlib.Path(path).stat().st_size
        report.expect(size <= most_bytes, "budgets", "bytes", f"{size:,} of {most_bytes:,}")
        budget, paint = {}, math.inf
        # Another program may take the machine for a while, so a slow round has two more to come.
        for _ in range(3):
            paints = []
            for _ in range(5):
                # Without the guard of `browser.page`, which takes time of its own.
                context = browser.chromium.new_context(viewport={"width": 1440, "height": 900})
                page = context.new_page()
                page.goto(pathlib.Path(path).resolve().as_uri())
                paints.append(evaluate(page, PAINT))
                budget = evaluate(page, BUDGET)
                context.close()
            paint = min(paint, statistics.median(paints))
            if paint <= MOST_PAINT:
                break
        report.expect(paint <= MOST_PAINT, "budgets", "first contentful paint",
                      f"{paint:.0f} of {MOST_PAINT} ms")
        report.expect(budget["script"] <= MOST_SCRIPT, "budgets", "bytes of script",
                      f"{budget['script']:,} of {MOST_SCRIPT:,}")
        report.expect(budget["elements"] <= MOST_ELEMENTS, "budgets", "elements",
                      f"{budget['elements']:,} of {MOST_ELEMENTS:,}")
        report.note(f"{report.place}: painted after {paint:.0f} ms, {budget['elements']:,} elements, "
                    f"{size / 1000:,.0f} kB, script {budget['script'] / 1000:.1f} kB")
        report.place = ""
