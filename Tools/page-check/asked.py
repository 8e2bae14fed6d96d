"""Every number of a page is asked for again, and compared at the digits shown."""

import collections
import concurrent.futures
import datetime
import json
import os
import pathlib
import re
import shlex
import subprocess

import keyboard
from browser import Setting, evaluate
from texts import MINUS, Language, shown_name

SEPARATORS = r"""
  const parts = new Intl.NumberFormat(argument, {useGrouping: true}).formatToParts(-1234567.5);
  const part = (type, other) => parts.find(each => each.type === type)?.value ?? other;
  return {decimal: part("decimal", "."), group: part("group", ",")}"""
# Numbers of the HTML, then those of tables that script builds on opening.
SINGLE = r"""
  return [...document.querySelectorAll("[data-at]")].map(each => ({
    ask: each.closest("[data-ask]")?.dataset.ask ?? null, at: each.dataset.at,
    text: each.textContent, around: clean(each.parentElement.textContent).slice(0, 80),
    form: each.closest("[data-form]")?.dataset.form ?? null, unit: each.closest("[data-unit]")?.dataset.unit ?? null,
    section: each.closest("section")?.id ?? each.closest("header, footer, dialog")?.localName ?? "main",
    name: named(each)}))"""
TABLES = r"""
  const found = [];
  for (const details of document.querySelectorAll("details")) details.open = true;
  await new Promise(done => setTimeout(done, 400));
  for (const table of document.querySelectorAll("table[data-ask]")) {
    const stats = [...table.querySelectorAll("thead th")].map(each => each.dataset.stat ?? null);
    const heads = [...table.querySelectorAll("thead th")].map(each => clean(each.textContent));
    for (const row of table.querySelectorAll("tr[data-start]"))
      [...row.children].forEach((cell, column) => {
        if (stats[column]) found.push({ask: table.dataset.ask, start: row.dataset.start,
          stat: stats[column], text: cell.textContent, head: heads[column],
          section: table.closest("section")?.id ?? "main", table: table.closest("details")?.dataset.t});
      });
  }
  const empty = [...document.querySelectorAll("details.table")].filter(each =>
    !each.querySelector("tr[data-start], tbody tr")).map(named);
  const rows = [...document.querySelectorAll("tr[data-start]")].map(row => ({start: row.dataset.start,
    ask: row.closest("table").dataset.ask ?? "",
    text: clean([...row.querySelector("th, td")?.childNodes ?? []].filter(
      each => each.localName !== "small").map(each => each.textContent).join(""))}));
  return {found, empty, rows, sections: [...document.querySelectorAll("main section[id]")].map(
    each => each.id)}"""


class Program:
    """Answers of the program, each asked for once."""

    def __init__(self, program, store, zone):
        self.program, self.options = program, ["--format", "json", "--store", store]
        self.zone = zone
        self.answers = {}

    def ask_all(self, asks):
        new = [each for each in dict.fromkeys(asks) if each not in self.answers]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            self.answers.update(zip(new, pool.map(self.answer, new)))

    def answer(self, ask):
        words = shlex.split(ask)
        zone = [] if "--timezone" in words else ["--timezone", self.zone]
        done = subprocess.run([self.program, *words, *self.options, *zone], capture_output=True,
                              text=True, stdin=subprocess.DEVNULL, timeout=60)
        if done.returncode:
            return ValueError(f"exit {done.returncode}: {done.stderr.strip()[-200:]}")
        return json.loads(done.stdout)

    def report(self, file, browser):
        """A run that writes a small report, printed by a browser."""
        return subprocess.run(
            [self.program, "report", *self.options[2:], "--timezone", self.zone, "--types", "steps", "--title", "Control",
             "--out", str(file)], env={**os.environ, "HKSTATS_CHROMIUM": browser}, capture_output=True, text=True,
            stdin=subprocess.DEVNULL, timeout=120)


STEP = re.compile(r"\.?([^.\[\]#]+)|\[([^\]=]+)=([^\]]*)\]|\[(-?\d+)\]|(#)")


def begins(value, wanted):
    return value is not None and str(value).startswith(wanted)


def element_of(items, key, wanted):
    """The element of a list whose key is a text, or begins with it."""
    values = [each.get(key) if isinstance(each, dict) else None for each in items]
    for number, value in enumerate(values):
        if value is not None and str(value) == wanted:
            return items[number]
    for number, value in enumerate(values):
        if begins(value, wanted):
            return items[number]
    raise LookupError(f"nothing has {key}={wanted}")


def number_at(answer, path):
    """What stands at a path such as `intervals[start=2026-10-31].sum`, `[0].days#`."""
    place, value = 0, answer
    while place < len(path):
        match = STEP.match(path, place)
        if not match:
            raise LookupError(f"not a path from “{path[place:]}” on")
        place = match.end()
        name, key, wanted, index, length = match.groups()
        if length:
            value = len(value)
        elif index is not None:
            value = value[int(index)]
        elif key is not None:
            value = element_of(value, key, wanted)
        elif isinstance(value, dict):
            # What has no value is left out of the JSON, or null.
            value = value.get(name)
        else:
            raise LookupError(f"no “{name}” in a {type(value).__name__}")
    return value


def rows_of(answer):
    """The list of an answer whose elements begin somewhere, or have a day."""
    for value in answer.values() if isinstance(answer, dict) else []:
        if isinstance(value, list) and value and "stretches" in value[0]:
            return [each for night in value for each in night["stretches"]]
        if isinstance(value, list) and value and isinstance(value[0], dict) and (
                {"start", "night", "day", "date", "hour"} & value[0].keys()):
            return value
    return []


# How much of a name a page shows at least.
LEAST_OF_NAME = 40
# Columns of the table of reasons.
REASONS = {"total", "counted", "masked", "raw"}


def moment(start):
    """An instant of any zone in seconds since 1970; a date as it is."""
    return datetime.datetime.fromisoformat(start).timestamp() if "T" in start else start


def rows_by_start(rows):
    """Rows by the beginning of what names them: an instant, a date, a month, a year."""
    found = {}
    for row in rows:
        start = next((row[key] for key in ["night", "day", "date", "start"]
                      if isinstance(row.get(key), str)), None)
        for key in [moment(start), start[:10], start[:7], start[:4]] if start else []:
            found.setdefault(key, row)
        # An hour of the clock, as pages write it.
        if isinstance(hour := row.get("hour"), int):
            noon = "pm" if hour >= 12 else "am"
            found.setdefault(f"{hour:02d}:00", row)
            found.setdefault(f"{(hour + 11) % 12 + 1}:00 {noon}", row)
    return found


def sample_of(samples, start, stat):
    """The value of a part of the sample that begins at `start`, such as `systolic`."""
    for sample in samples:
        if moment(sample["start"]) == moment(start):
            for each in sample.get("members", []):
                if each["type"].lower().endswith(stat.lower()):
                    return each["value"]
    raise LookupError(f"no sample begins at {start}")


def explained(row, stat, head):
    """A column of reasons: of the day, or of the source that its head names."""
    parts = row["contributions"]
    if stat == "total":
        return row["sum"]
    if stat == "raw":
        return sum(each["sum"] + each["masked"] for each in parts) if parts else None
    # A long name is cut.
    named = [each for each in parts if shown_name(each["source"])[:LEAST_OF_NAME] in head]
    # One name may begin another.
    part = max(named, key=lambda each: len(each["source"]), default=None)
    # A source that measured nothing that day is left out.
    return None if part is None else part.get({"counted": "sum"}.get(stat, stat), 0)


def cell_of(answer, start, stat, head, index):
    """What an answer says in the row that begins at `start`, for a column."""
    if isinstance(answer, list) and answer and "kind" in answer[0]:
        return sample_of(answer, start, stat)
    if isinstance(answer, list):
        # The part by its name: `sleep.deep`, or `stepCount/count` for another value than its own.
        name, _, rest = stat.partition("/")
        answer = next((each for each in answer if each.get("name") == name), None)
        if answer is None:
            raise LookupError(f"no part of the answer is named {name}")
        stat = rest or "value"
    key = id(answer)
    if key not in index:
        index[key] = rows_by_start(rows_of(answer))
    row = index[key].get(moment(start))
    # A row without data may be left out of the answer.
    if row is None:
        return None
    return explained(row, stat, head) if stat in REASONS else number_at(row, stat)


def is_word(value, path):
    """Whether a text of an answer is one that the page says in its own language."""
    return (isinstance(value, str) and not any(each.isdigit() for each in value)
            and not path.endswith(("source", "device")))


def language_of(page):
    tag = page.evaluate("document.documentElement.lang.split('-')[0]")
    return Language(tag, **evaluate(page, SEPARATORS, tag))


def check(browser, paths, program, least):
    report = browser.report
    total = 0
    for path in paths:
        with browser.page(path, Setting()) as page:
            language = language_of(page)
            evaluate(page, keyboard.COME_NEAR)
            singles, tables = evaluate(page, SINGLE), evaluate(page, TABLES)
            report.expect(not tables["empty"], "tables", "details that stay empty", tables["empty"][:5])
            program.ask_all([each["ask"] for each in singles + tables["found"] if each["ask"]])
            counts = collections.Counter()
            for each in singles:
                is_found = compare_single(report, program, language, each)
                counts[each["section"]] += is_found
            index = {}
            for each in tables["found"]:
                counts[each["section"]] += compare_cell(report, program, language, each, index)
            if singles:
                for section in tables["sections"]:
                    report.expect(counts[section] > 0, "numbers", f"#{section}",
                                  "no number of it was compared")
            counts["reasons"] = compare_reasons(page, report, program, language)
            total += counts.total()
            formats(page, report, language, singles, tables)
            unasked = evaluate(page, UNASKED)
            if singles and unasked:
                report.note(f"{len(unasked)} texts with digits name no question: "
                            + ", ".join(unasked[:4]))
            words = ", ".join(f"{name} {count:,}" for name, count in counts.items())
            report.note(f"{pathlib.Path(path).name}: {counts.total():,} numbers of "
                        f"{len(program.answers):,} answers so far ({words or 'none'})")
    report.expect(total >= least, "numbers", "all pages", f"{total:,} compared, not {least:,}")


def compare_single(report, program, language, each):
    where = f"{each['name']}, {each['ask']}, {each['at']}"
    if not each["ask"]:
        return report.expect(False, "numbers", each["name"], "data-at without data-ask")
    answer = program.answers[each["ask"]]
    if isinstance(answer, ValueError):
        return report.expect(False, "numbers", where, answer)
    try:
        value = number_at(answer, each["at"])
    except (LookupError, TypeError, ValueError) as error:
        return report.expect(False, "numbers", where, f"no such place: {error}")
    if is_word(value, each["at"]):
        return False
    is_percent = each["form"] == "percent" or "%" in each["around"]
    return report.expect(language.agrees(each["text"], value, is_percent), "numbers", where,
                         f"shown “{each['text'].strip()}”, the answer is {value!r}")


def compare_cell(report, program, language, each, index):
    where = f"table {each['table']}, {each['ask']}, {each['start']}, {each['stat']}"
    answer = program.answers[each["ask"]]
    if isinstance(answer, ValueError):
        return report.expect(False, "numbers", where, answer)
    try:
        value = cell_of(answer, each["start"], each["stat"], each["head"], index)
    except (LookupError, TypeError, ValueError) as error:
        return report.expect(False, "numbers", where, f"no such place: {error}")
    if is_word(value, each["stat"]):
        return False
    is_percent = "%" in each["head"] or "%" in each["text"]
    return report.expect(language.agrees(each["text"], value, is_percent), "numbers", where,
                         f"shown “{each['text'].strip()}”, the answer is {value!r}")


REASON = r"""
  for (const details of document.querySelectorAll("details[open]")) details.open = false;
  const figures = [...document.querySelectorAll('.fig[data-why]:not([data-why=""])')];
  const shown = new Map(figures.map(each => [each.dataset.why, each]));
  const found = [];
  for (const figure of [...shown.values()].slice(0, argument)) {
    figure.focus();
    for (const key of ["End", "ArrowLeft", "Enter"]) {
      figure.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true, cancelable: true}));
      await new Promise(done => setTimeout(done, 40));
    }
    const dialog = document.querySelector("dialog[open]");
    if (!dialog) continue;
    found.push({measure: figure.dataset.why, head: clean(dialog.querySelector("h2").textContent),
      ask: clean(dialog.querySelector("code")?.textContent ?? "").replace(/^hkstats /, ""),
      rows: [...dialog.querySelectorAll("dl.rows > div")].map(each => ({stat: each.className,
        name: clean(each.querySelector("dt").textContent), text: each.querySelector("dd").textContent}))});
    dialog.close();
  }
  return found"""
MOST_REASONS = 12
# Numbers that no question stands behind; dates, axes and names have some, so this is only a hint.
UNASKED = r"""
  const found = [], words = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  for (let node = words.nextNode(); node; node = words.nextNode()) {
    const parent = node.parentElement;
    if (/\d/.test(node.data) && !parent.closest("[data-at], svg, time, dt, h2, h3, bdi, code, .period, .aside,"
        + " .label, .month, option, button, table.built, details") && seen(parent))
      found.push(`#${parent.closest("section")?.id ?? "head"} “${clean(node.data).slice(0, 40)}”`);
  }
  return found"""


def compare_reasons(page, report, program, language):
    """The reasons of the last day but one of each measure; their command is the one they show."""
    reasons = evaluate(page, REASON, MOST_REASONS)
    program.ask_all([each["ask"] for each in reasons])
    count = 0
    for each in reasons:
        answer = program.answers[each["ask"]]
        rows = [] if isinstance(answer, ValueError) else rows_of(answer)
        if not report.expect(len(rows) == 1, "reasons", each["measure"],
                             f"{each['ask']} does not answer with one day: {answer!r:.200}"):
            continue
        for row in each["rows"]:
            stat = "total" if row["stat"] == "together" else row["stat"]
            value = explained(rows[0], stat, row["name"])
            count += report.expect(language.agrees(row["text"], value), "reasons", each["head"],
                                   f"{row['name']}: “{row['text']}”, the answer is {value!r}")
    return count


FORMAT = r"""
  const of = digits => new Intl.NumberFormat(document.documentElement.lang.split("-")[0],
    {minimumFractionDigits: digits, maximumFractionDigits: digits});
  const cache = {};
  return argument.map(([value, digits]) => (cache[digits] ??= of(digits)).format(Math.abs(value)))"""
DATED = r"""
  return [...document.querySelectorAll("time[datetime]")].map(each => [each.dateTime,
    clean(each.textContent)]).concat([...document.querySelectorAll("dt + dd")].flatMap(each => {
      const at = each.dataset.at ?? each.querySelector("[data-at]")?.dataset.at ?? "";
      const start = /\[(?:start|night|day)=(\d{4}-\d\d-\d\d)\]/.exec(at);
      const text = clean(each.previousElementSibling.textContent);
      return start && /\d/.test(text) ? [[start[1], text]] : []; }))"""


def formats(page, report, language, singles, tables):
    """What Swift wrote and what script wrote is what Intl writes in the page's language."""
    texts = [(each["text"], each["name"]) for each in singles]
    texts += [(each["text"], f"table {each['table']}") for each in tables["found"]]
    # Numbers that stand alone; a date or a time of day has more than one, or letters.
    numbers, places = [], []
    for text, name in texts:
        plain = language.plain(text)
        found = list(language.numbers(text))
        if len(found) == 1 and "-" not in plain and found[0][2][0] == 0:
            numbers.append(found[0][:2])
            places.append((plain[found[0][2][0]:found[0][2][1]], name))
        elif re.match(r"-\d", plain):
            report.expect(False, "formats", name, f"“{plain}” has a hyphen, not {MINUS}")
    for (shown, name), wanted in zip(places, evaluate(page, FORMAT, numbers)):
        shown = shown.lstrip("−+±").strip()
        report.expect(shown == language.plain(wanted), "formats", name,
                      f"“{ascii(shown)}”, Intl writes “{ascii(wanted)}”")
    # Durations and times of day of both look alike: the same signs around their digits.
    kinds = [collections.defaultdict(str), collections.defaultdict(str)]
    for kind, each in [(0, each) for each in singles] + [(1, each) for each in tables["found"]]:
        shape = language.shape(each["text"])
        for pattern in [r"9\s?[^\W\d]+\s?9", r"9\s?min\.?", r"9:9"]:
            if re.match(pattern, shape):
                kinds[kind].setdefault(pattern, shape)
    for pattern in kinds[0].keys() & kinds[1].keys():
        one, other = kinds[0][pattern], kinds[1][pattern]
        report.expect(re.match(pattern, one)[0] == re.match(pattern, other)[0], "formats", pattern,
                      f"Swift writes “{ascii(one)}”, script “{ascii(other)}”")
    # The same day is written alike.
    days = {each["start"]: each["text"] for each in tables["rows"]
            if re.fullmatch(r"\d{4}-\d\d-\d\d", each["start"]) and "--by week" not in each["ask"]}
    for start, text in evaluate(page, DATED):
        if start in days:
            report.expect(text in days[start] or days[start] in text, "formats", start,
                          f"Swift writes “{text}”, script “{days[start]}”")
