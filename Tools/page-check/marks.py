"""Charts say what they show: marks are painted, keys and charts agree, axes have units, no chart is half
empty, and what is cut says where the rest is."""

from browser import Setting, evaluate

# How much of the height and of the width the marks of a chart reach over. An axis of amounts ends at the
# tick above the greatest one, so a single high day leaves no chart half empty by this measure.
LEAST_REACH, LEAST_WIDTH = 0.55, 0.5
# How much of the width a line reaches over without a word about its time.
LEAST_LINE = 0.9
LIMITS = [LEAST_REACH, LEAST_WIDTH, LEAST_LINE]

FIND = r"""
  const [leastReach, leastWidth, leastLine] = argument;
  const found = {unpainted: [], hollow: [], keys: [], units: [], reach: [], lines: [], cut: [], rest: []};
  const count = {marks: 0, charts: 0, axes: 0};
  const shapes = root => [...root.querySelectorAll("rect, circle, path, line, ellipse")];
  // What carries no number has no place in a key: the grid, and the edges of a band.
  const scaffold = new Set(["grid", "zero", "edge-d", "track", "over"]);
  const same = {"dots": "m", "dots quiet": "q", "holes": "hole"};
  const kindOf = mark => {
    const name = (mark.getAttribute("class") || "").trim();
    return same[name] ?? name.split(/\s+/)[0];
  };
  const kinds = marks => new Set(marks.map(kindOf).filter(kind => kind && !scaffold.has(kind)));
  const isNone = paint => paint === "none" || paint === "transparent" || /^rgba\(.*, 0\)$|\/ 0\)$/.test(paint);

  // A mark whose colour is not defined is drawn with nothing.
  for (const mark of shapes(document.body)) {
    if (!seen(mark) || mark.classList.contains("none")) continue;
    const style = getComputedStyle(mark);
    const isFilled = !isNone(style.fill) && mark.localName !== "line";
    const isDrawn = !isNone(style.stroke) && parseFloat(style.strokeWidth) > 0;
    count.marks += 1;
    if (!isFilled && !isDrawn) found.unpainted.push(named(mark));
    // A hollow mark has the colour of what it lies on.
    if (["holes", "hole"].includes(mark.getAttribute("class"))) {
      const paint = mark.classList.contains("holes") ? style.stroke : style.fill;
      const card = getComputedStyle(mark.closest(".card") ?? document.body).backgroundColor;
      const below = isNone(card) ? getComputedStyle(document.body).backgroundColor : card;
      if (paint !== below) found.hollow.push(`${paint} on ${below}: ${named(mark)}`);
    }
  }

  const chartsOf = card => [...card.querySelectorAll(
    ".fig:not(.cards .fig) svg.plot, .calendar svg, .ring-grid svg, .cycles td.days svg")].filter(seen);
  for (const card of document.querySelectorAll(".card")) {
    if (!seen(card) || card.closest(".cards")) continue;
    const charts = chartsOf(card);
    const keys = [...card.querySelectorAll(".key-item")].filter(seen);
    const where = named(card.querySelector("h3") ?? card);
    if (charts.length > 0) {
      count.charts += 1;
      const drawn = kinds(charts.flatMap(shapes).filter(seen));
      const told = kinds(keys.flatMap(shapes));
      // Rows with names need no key.
      const hasNames = [...card.querySelectorAll("svg.axis text")].filter(each =>
        /^\p{L}{3}/u.test(each.textContent)).length > 2;
      // The title says what the only mark of data is; what stands beside it needs words.
      const isAlone = [...drawn].every(kind => ["m", "o1", "med", "inkd", "gap", "masked"].includes(kind));
      const untold = [...drawn].filter(kind => !told.has(kind) && !(/^(m|o1)$/.test(kind) && isAlone));
      if (untold.length > 0 && !hasNames)
        found.keys.push(`${where} draws ${untold} without a key`);
      for (const kind of told)
        if (!drawn.has(kind)) found.keys.push(`${where} has a key of ${kind} and none in the chart`);
    }
    for (const line of charts.flatMap(chart => [...chart.querySelectorAll("path.inkl")])) {
      const plot = line.closest(".plot").getBoundingClientRect(), box = line.getBoundingClientRect();
      const key = keys.find(each => each.querySelector(".inkl"));
      if (box.width < plot.width * leastLine && !/\d/.test(clean(key?.textContent ?? "").replace(/95/, "")))
        found.lines.push(`${where}: a line over ${Math.round(100 * box.width / plot.width)} % of the time`);
    }
  }

  for (const figure of document.querySelectorAll(".fig")) {
    const axis = figure.querySelector("svg.axis"), plot = figure.querySelector("svg.plot");
    if (!axis || !plot || !seen(figure)) continue;
    count.axes += 1;
    const labels = [...axis.querySelectorAll("text")].map(each => clean(each.textContent));
    // A clock is its own unit, and so are names.
    const isTime = labels.every(text => /\d:\d\d/.test(text));
    if (!isTime && !labels.some(text => /[\p{L}%°‰]/u.test(text)) && !axis.classList.contains("bare"))
      found.units.push(`${named(figure.closest(".card")?.querySelector("h3") ?? figure)}: ${labels.join(", ")}`);
    const spans = (marks, low, high) => [Math.min(...marks.map(mark => mark.getBoundingClientRect()[low])),
      Math.max(...marks.map(mark => mark.getBoundingClientRect()[high]))];
    const lines = ["grid", "zero", "med", "inkd", "guide", "rangetint", "band", "edge-d", "ml"];
    const drawn = shapes(plot).filter(mark => !lines.includes(kindOf(mark)));
    const data = drawn.filter(mark => kindOf(mark) !== "gap");
    if (data.length < 2) continue;
    const outer = plot.getBoundingClientRect();
    const [top, bottom] = spans(shapes(plot).filter(mark => !["grid", "zero", "gap"].includes(kindOf(mark))),
      "top", "bottom");
    // Days without data are drawn, but for those before the first.
    const left = spans(data, "left", "right")[0], right = spans(drawn, "left", "right")[1];
    const tall = (bottom - top) / (outer.height - 44), wide = (right - left) / outer.width;
    const name = named(figure.closest(".card")?.querySelector("h3, .card-head") ?? figure);
    // Numbers that are all equal have no reach, and names no numbers.
    if (tall < leastReach && bottom - top > 12 && !labels.some(text => /^\p{L}{4}/u.test(text)))
      found.reach.push(`${name}: ${Math.round(100 * tall)} % of the height`);
    const earlier = figure.closest(".explorer")?.querySelector(".right button");
    if (wide < leastWidth && Number(figure.dataset.count) !== 1 && !(earlier && !earlier.disabled))
      found.reach.push(`${name}: ${Math.round(100 * wide)} % of the width`);
  }

  // What is wider than its place on a phone hides a part of itself.
  for (const place of document.querySelectorAll(".scroll"))
    if (seen(place) && !place.closest("details") && place.scrollWidth > place.clientWidth + 1)
      found.cut.push(`${place.scrollWidth} in ${place.clientWidth} px: ${named(place)}`);

  // How many more there are leads to them.
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode())
    if (/\band [\d,]+ more\b/.test(node.data) && seen(node.parentElement) && !node.parentElement.closest(".rest, summary"))
      found.rest.push(named(node.parentElement));
  for (const rest of document.querySelectorAll(".rest"))
    if (!/^hkstats /.test(rest.querySelector("code")?.textContent ?? "")) found.rest.push(named(rest));
  return {found, count, isPrint: globalThis.document.body.classList.contains("print")}"""
# Draws each measure of the explorer by each of its intervals, and hands each over.
EXPLORER = r"""
  const card = document.querySelector(".explorer");
  const [index, by] = argument;
  const select = card?.querySelector("select");
  if (select && index > 0) {
    if (index >= select.options.length) return null;
    select.selectedIndex = index;
    select.dispatchEvent(new Event("change"));
  }
  const button = card?.querySelector(`button[value="${by}"]`);
  if (!button || button.hidden) return index > 0 && !select ? null : "";
  button.click();
  return `${card.querySelector("h3").textContent} by ${by}`"""
ALL = [("unpainted", "marks that are drawn with nothing"), ("hollow", "marks that are not hollow"),
       ("keys", "keys and charts"), ("units", "axes without a unit"), ("reach", "half empty charts"),
       ("lines", "lines shorter than their chart"), ("cut", "cut on a phone"),
       ("rest", "how many more, without a way to them")]
SETTINGS = [Setting(375), Setting(), Setting(scheme="dark"), Setting(width=718, media="print")]


def check(browser, paths, settings=None):
    for path in paths:
        for setting in settings or SETTINGS:
            with browser.page(path, setting, heard=[]) as page:
                if setting.media != "print":
                    draw(page)
                told(browser.report, evaluate(page, FIND, LIMITS), setting)
                if setting.media != "print" and setting.scheme == "light" and settings is None:
                    explore(page, browser.report, setting)


def draw(page):
    """Waits for what the script draws when a reader comes near."""
    page.evaluate("document.querySelector('.explorer')?.scrollIntoView()")
    if page.locator(".explorer .place").count() and page.locator("script").count() > 1:
        page.wait_for_selector(".explorer .place:is(.ready, .plain)")


def told(report, answer, setting, where=""):
    for name, text in ALL:
        # The sheets for a visit say in words what their marks are.
        if name in ["keys", "rest"] and answer["isPrint"]:
            continue
        if name == "cut" and (setting.media == "print" or setting.width > 600):
            continue
        found = answer["found"][name]
        report.expect(not found, "marks", where + text, found[:4])
    report.passed["marks"] += answer["count"]["marks"]


def explore(page, report, setting):
    for index in range(60):
        for by in ["hour", "day", "week", "month", "year"]:
            name = evaluate(page, EXPLORER, [index, by])
            if name is None:
                return
            if name:
                told(report, evaluate(page, FIND_IN_EXPLORER, LIMITS), setting, name + ": ")


# The same in the explorer's card alone.
FIND_IN_EXPLORER = "const document = {body: globalThis.document.querySelector('.explorer'), " \
    "querySelectorAll: what => [globalThis.document.querySelector('.explorer')].flatMap(each => " \
    "[...(each.matches(what) ? [each] : []), ...each.querySelectorAll(what)]), " \
    "createTreeWalker: (...given) => globalThis.document.createTreeWalker(...given)};\n" + FIND
