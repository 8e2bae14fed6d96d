"""Words and marks stand out from what is behind them, and from each other for every eye."""

import importlib.util
import itertools
import pathlib
from importlib.machinery import SourceFileLoader

from browser import Setting, evaluate

LEAST_TEXT, LEAST_MARK, LEAST_APART = 4.5, 3, 8
FAMILIES = ["activity", "heart", "sleep", "body", "food", "walk", "source"]
# Colours that stand beside each other in one chart.
CHARTS = {
    "rings": ["r-move", "r-exercise", "r-stand"],
    "stages": ["s-deep", "s-core", "s-rem", "s-awake"],
    "workouts": ["k1", "k2", "k3", "k4"],
}
# Marks that say something; bands, fans and grids only accompany.
MARKS = ("m q ml tl edge-d med ink inkl inkd masked gap zero guide o1 o2 o3 o4 o5 z1 z2 z3 z4 z5 k0 "
         + " ".join(itertools.chain(*CHARTS.values()))).split()

# A colour as the screen shows it, over another one.
SHOWN = r"""
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 1;
  const pen = canvas.getContext("2d", {willReadFrequently: true});
  const shown = (colour, behind) => {
    for (const each of [behind ?? "white", colour]) { pen.fillStyle = each; pen.fillRect(0, 0, 1, 1); }
    return [...pen.getImageData(0, 0, 1, 1).data.slice(0, 3)];
  };
"""
# The tokens, and the marks of a card of each family, made for it.
PROBE = SHOWN + r"""
  const main = document.querySelector("main") ?? document.body;
  const of = name => getComputedStyle(document.documentElement).getPropertyValue(name);
  const found = {pairs: [], charts: {}};
  const behind = {page: getComputedStyle(document.documentElement).backgroundColor};
  const card = main.appendChild(document.createElement("article"));
  card.className = "card";
  behind.card = getComputedStyle(card).backgroundColor;
  const colourOf = (element, value) => { element.style.color = value;
    return getComputedStyle(element).color; };
  const probe = card.appendChild(document.createElement("span"));
  const add = (what, colour, least, places) => { for (const place of places)
    found.pairs.push({what, place, least, fore: shown(colour, behind[place]),
      back: shown(behind[place])}); };
  for (const name of ["ink", "ink2", "link"])
    add("--" + name, colourOf(probe, `var(--${name}, magenta)`), argument.text, ["page", "card"]);
  add("--edge", colourOf(probe, "var(--edge, magenta)"), argument.mark, ["page", "card"]);
  for (const family of argument.families) {
    card.className = "card f-" + family;
    add(family + " --ct", colourOf(probe, "var(--ct, magenta)"), argument.text, ["page", "card"]);
    for (const name of ["c", "quiet", "thin"])
      add(`${family} --${name}`, colourOf(probe, `var(--${name}, magenta)`), argument.mark, ["card"]);
    const svg = card.appendChild(document.createElementNS("http://www.w3.org/2000/svg", "svg"));
    for (const mark of argument.marks) {
      const shape = svg.appendChild(document.createElementNS("http://www.w3.org/2000/svg", "circle"));
      shape.setAttribute("class", mark);
      const style = getComputedStyle(shape);
      const colour = style.fill !== "none" ? style.fill : style.stroke;
      add(`${family} .${mark}`, colour === "none" ? behind.card : colour, argument.mark, ["card"]);
      for (const [chart, marks] of Object.entries(argument.charts))
        if (marks.includes(mark)) (found.charts[chart] ??= {})[mark] = shown(colour, behind.card);
    }
    svg.remove();
  }
  card.remove();
  return found"""
# Words of charts, which axe-core does not judge.
WORDS = SHOWN + r"""
  const found = {};
  for (const text of document.querySelectorAll("svg text")) {
    if (!seen(text)) continue;
    let back = "white";
    for (let up = text.parentElement; up; up = up.parentElement) {
      const colour = getComputedStyle(up).backgroundColor;
      if (colour !== "rgba(0, 0, 0, 0)") { back = colour; break; }
    }
    const style = getComputedStyle(text), key = [style.fill, style.opacity, back].join();
    found[key] ??= {what: named(text), place: "what is behind it", least: argument.text,
      fore: shown(style.fill, back), back: shown(back)};
  }
  return Object.values(found)"""

# How people with a kind of colour blindness see, as the charts of the terminal are checked.
TERMINAL = SourceFileLoader("terminal_pictures", str(
    pathlib.Path(__file__).resolve().parent.parent / "terminal-pictures"))
SPECIFICATION = importlib.util.spec_from_loader(TERMINAL.name, TERMINAL)
terminal = importlib.util.module_from_spec(SPECIFICATION)
TERMINAL.exec_module(terminal)
EYES = {"usual": ((1, 0, 0), (0, 1, 0), (0, 0, 1)), **terminal.BLINDNESS}


def linear(colour):
    return [terminal.linear(each) for each in colour]


def times(matrix, vector):
    return [sum(one * other for one, other in zip(row, vector)) for row in matrix]


def contrast(one, other):
    """The contrast of WCAG 2.2."""
    light = [times([(0.2126, 0.7152, 0.0722)], linear(each))[0] + 0.05 for each in (one, other)]
    return max(light) / min(light)


def oklab(rgb):
    """OKLab of linear RGB (Ottosson 2020)."""
    cones = times(((0.4122214708, 0.5363325363, 0.0514459929), (0.2119034982, 0.6806995451,
                  0.1073969566), (0.0883024619, 0.2817188376, 0.6299787005)), rgb)
    roots = [max(0, each) ** (1 / 3) for each in cones]
    return times(((0.2104542553, 0.7936177850, -0.0040720468), (1.9779984951, -2.4285922050,
                 0.4505937099), (0.0259040371, 0.7827717662, -0.8086757660)), roots)


def apart(one, other, eye):
    """How far two colours are apart for an eye; 2 can just be seen."""
    spots = [oklab([min(1, max(0, each)) for each in times(EYES[eye], linear(colour))])
             for colour in (one, other)]
    return 100 * sum((first - second) ** 2 for first, second in zip(*spots)) ** 0.5


def check(browser, paths):
    report = browser.report
    wanted = {"text": LEAST_TEXT, "mark": LEAST_MARK, "families": FAMILIES, "marks": MARKS,
              "charts": CHARTS}
    for path in paths:
        for scheme in ["light", "dark"]:
            with browser.page(path, Setting(scheme=scheme)) as page:
                found = evaluate(page, PROBE, wanted)
                for pair in found["pairs"] + evaluate(page, WORDS, wanted):
                    ratio = contrast(pair["fore"], pair["back"])
                    report.expect(ratio >= pair["least"], "contrast", pair["what"],
                                  f"{ratio:.2f} on {pair['place']}, not {pair['least']}")
                for chart, colours in found["charts"].items():
                    least = min((apart(colours[one], colours[other], eye), eye, one, other)
                                for eye in EYES for one, other in itertools.combinations(colours, 2))
                    report.expect(least[0] >= LEAST_APART, "colour blindness", chart, least)
                    if path == paths[0]:
                        report.note(f"{pathlib.Path(path).name}, {scheme}, {chart}: {least[0]:.1f} "
                                    f"apart ({least[1]}: {least[2]} and {least[3]})")
