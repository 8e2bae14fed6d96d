"""Everything that a pointer reaches, a keyboard reaches: in order, seen, and with a way out."""

import re

from browser import Setting, evaluate

STOPS = r"""
  window.stopsOfTab = [...document.querySelectorAll("a[href], button, input, select, textarea,"
    + " summary, [tabindex], audio[controls], video[controls], iframe, [contenteditable]")]
    .filter(each => !each.disabled && each.tabIndex >= 0 && !each.closest("[inert]") && seen(each)
      && each.getClientRects().length > 0 && !(each.localName === "summary"
      && each.parentElement.querySelector(":scope > summary") !== each));
  return stopsOfTab.map(each => ({name: named(each), tabindex: each.tabIndex}))"""
CURRENT = r"""
  const element = document.activeElement;
  if (!element || element === document.body || element === document.documentElement) return null;
  const style = getComputedStyle(element), box = element.getBoundingClientRect();
  const high = innerHeight, wide = innerWidth;
  const inside = (low, value, top) => Math.min(Math.max(value, low), top);
  const points = [[.02, .05], [.5, .5], [.98, .95], [.5, .95], [.5, .05]].map(([x, y]) => [
    inside(1, box.left + x * box.width, wide - 1), inside(1, box.top + y * box.height, high - 1)]);
  const shows = box.bottom > 0 && box.top < high && points.some(([x, y]) => {
    const there = document.elementFromPoint(x, y);
    return there && (element.contains(there)
      || there.contains(element) && !there.contains(document.querySelector("main"))); });
  return {stop: stopsOfTab.indexOf(element), name: named(element),
    outline: style.outlineStyle === "none" ? 0 : parseFloat(style.outlineWidth),
    scrolls: element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight,
    isInNavigation: element.closest("nav, .skip") !== null, shows, top: box.top + scrollY,
    bottom: box.bottom + scrollY, left: box.left, right: box.right}"""
LIVE = "(document.querySelector('#live')?.textContent ?? '').trim()"
IS_IN_DIALOG = "document.querySelector('dialog[open]')?.contains(document.activeElement) ?? false"


def check(browser, paths):
    for path in paths:
        for look in [Setting(), Setting(width=375, height=812)]:
            with browser.page(path, look) as page:
                evaluate(page, COME_NEAR)
                walk(page, browser.report)
        with browser.page(path, Setting()) as page:
            evaluate(page, COME_NEAR)
            figures(page, browser.report)
            reasons(page, browser.report)
            controls(page, browser.report)
            choices(page, browser.report)


def walk(page, report):
    """Presses Tab from the top to the end."""
    stops = evaluate(page, STOPS)
    for stop in stops:
        report.expect(stop["tabindex"] == 0, "keyboard walk", stop["name"], "positive tabindex")
    previous, seen = None, []
    for _ in range(len(stops) + 20):
        page.keyboard.press("Tab")
        now = evaluate(page, CURRENT)
        if now is None:
            break
        number = now["stop"]
        if seen and number == 0:
            break
        if previous and number == previous["stop"] and number >= 0:
            report.expect(False, "keyboard walk", now["name"], "a trap: Tab does not leave it")
            return
        if number < 0:
            hint = "it scrolls and has no tabindex" if now["scrolls"] else "it is not seen"
            report.expect(False, "keyboard walk", now["name"], f"Tab stops here, but {hint}")
            previous = now
            continue
        expected = seen[-1] + 1 if seen else 0
        report.expect(number == expected, "keyboard walk", now["name"],
                      f"comes as number {number + 1} of the document, not {expected + 1}")
        seen.append(number)
        report.expect(now["outline"] >= 1, "focus seen", now["name"], "no outline on focus")
        report.expect(now["shows"], "focus seen", now["name"], "something lies over it, or it is "
                      "outside of the window")
        # Where it lies above the one before and not beside it, reading goes back.
        if previous and not previous["isInNavigation"] and not now["isInNavigation"]:
            goes_back = (now["bottom"] <= previous["top"] + 1 and now["left"] < previous["right"] - 1)
            report.expect(not goes_back, "keyboard walk", now["name"],
                          f"lies above {previous['name']}, which comes before")
        previous = now
    else:
        report.expect(False, "keyboard walk", "the end", "Tab does not come back")
    missed = [stops[each]["name"] for each in range(len(stops)) if each not in set(seen)]
    report.expect(not missed, "keyboard walk", "controls that Tab does not reach", missed[:5])
    report.expect(len(seen) == len(set(seen)), "keyboard walk", "the walk", "a control comes twice")
    if len(stops) > 1:
        # Back from the last, the one before it.
        evaluate(page, "stopsOfTab.at(-1).focus()")
        page.keyboard.press("Shift+Tab")
        back = evaluate(page, CURRENT)
        report.expect(back and back["stop"] == len(stops) - 2, "keyboard walk", "Shift+Tab",
                      back and back["name"])


def pressed(page, key):
    """The live text after a key; it may come a little later."""
    before = page.evaluate(LIVE)
    page.keyboard.press(key)
    for _ in range(12):
        now = page.evaluate(LIVE)
        if now != before:
            return now
        page.wait_for_timeout(20)
    return before


# Script draws some figures and controls when the reader comes near them.
COME_NEAR = r"""
  for (let y = 0; y < document.documentElement.scrollHeight; y += innerHeight / 2) {
    scrollTo(0, y); await new Promise(done => setTimeout(done, 25)); }
  scrollTo(0, 0); await new Promise(done => setTimeout(done, 100))"""
FOCUS = "const fig = document.querySelectorAll('.fig[tabindex=\"0\"]')[argument]; fig.focus();"
LABEL = r"""
  const fig = document.querySelectorAll('.fig[tabindex="0"]')[argument];
  const shown = [...fig.querySelectorAll(".label, .cursor")].filter(seen);
  const frame = (fig.closest(".card, td") ?? document.body).getBoundingClientRect();
  return {shown: shown.length, out: shown.filter(each => {
    const box = each.getBoundingClientRect();
    return box.left < Math.max(frame.left, 0) - 1 || box.right > Math.min(frame.right, innerWidth) + 1;
  }).map(named), text: shown.map(each => clean([...each.childNodes].map(
    part => part.textContent).join(" "))).join(" ").trim()}"""


def figures(page, report):
    """Reads each figure from its first to its last value."""
    count = page.locator('.fig[tabindex="0"]').count()
    if page.evaluate("document.scripts.length") == 0:
        report.expect(count == 0, "figures by keys", f"{count} figures",
                      "are stops of Tab, and no script reads them")
        return
    for number in range(count):
        about = evaluate(page, FOCUS + """return {name: named(fig), rows: +fig.dataset.count || 0,
            table: fig.dataset.t, columns: fig.dataset.cols,
            label: fig.getAttribute("aria-label"), role: fig.getAttribute("role")}""", number)
        name = about["label"] or about["name"]
        report.expect(about["label"] and about["role"] == "group" and about["table"],
                      "figures by keys", about["name"], "no aria-label, role=group or data-t")
        texts = {}
        # From another figure the same text may still be there.
        page.evaluate("document.querySelector('#live')?.replaceChildren()")
        for key in ["End", "ArrowLeft", "PageUp", "Home", "ArrowRight"]:
            texts[key] = pressed(page, key)
            label = evaluate(page, LABEL, number)
            report.expect(not label["out"], "figures by keys", f"{name}, {key}",
                          f"the label leaves the card: {label['out']}")
            report.expect(re.findall(r"\d+", label["text"]) == re.findall(r"\d+", texts[key]),
                          "figures by keys", f"{name}, {key}",
                          f"shown “{label['text']}”, said “{texts[key]}”")
        report.expect(all(texts.values()), "figures by keys", name, f"keys say nothing: {texts}")
        if about["rows"] > 2:
            for one, other in [("End", "ArrowLeft"), ("Home", "ArrowRight"), ("Home", "End")]:
                report.expect(texts[one] != texts[other], "figures by keys", name,
                              f"{one} and {other} say the same: {texts[one]}")
        page.keyboard.press("Escape")
        page.wait_for_timeout(10)
        report.expect(evaluate(page, LABEL, number)["shown"] == 0, "figures by keys", name,
                      "Escape does not hide the label")
        for key in ["End", "Home"]:
            compare(page, report, name, about, texts[key])


ROW = r"""
  const details = document.querySelector(`details.table[data-t="${argument.table}"]`);
  if (!details) return null;
  details.open = true;
  for (let turn = 0; turn < 20 && !details.querySelector("tr[data-start]"); turn += 1)
    await new Promise(done => setTimeout(done, 10));
  const name = row => clean([...row.querySelector("th, td").childNodes].filter(
    each => each.localName !== "small").map(each => each.textContent).join(""));
  // The row that the figure names; “1 Oct” is in “21 Oct”, too.
  const row = [...details.querySelectorAll("tr[data-start]")].filter(each =>
    argument.text.includes(name(each))).sort((one, other) => name(other).length - name(one).length)[0];
  const columns = (argument.columns ?? "0").split(/\s+/).filter(Boolean).map(Number);
  const cells = row ? columns.map(each => clean(row.querySelectorAll("td")[each]?.textContent ?? "")) : null;
  details.open = false;
  return cells"""


def compare(page, report, name, about, text):
    """What a figure says is what its table says, where the table has come to that row."""
    said = " ".join(text.split())
    for cell in evaluate(page, ROW, {**about, "text": said}) or []:
        if any(character.isdigit() for character in cell):
            report.expect(cell in said, "figures say what tables say", name,
                          f"“{said}”, the table: “{cell}”")


def reasons(page, report):
    """Opens the reason of the last day of each figure that has one."""
    closes_outside = False
    for number in range(page.locator('.fig[tabindex="0"]').count()):
        about = evaluate(page, FOCUS + "return {name: fig.getAttribute('aria-label'),"
                         " why: fig.dataset.why ?? ''}", number)
        if not about["why"]:
            continue
        page.keyboard.press("End")
        page.keyboard.press("Enter")
        page.wait_for_timeout(60)
        if page.locator("dialog[open]").count() == 0:
            # The last day may be one without data.
            page.keyboard.press("ArrowLeft")
            page.keyboard.press("Enter")
            page.wait_for_timeout(60)
        if not report.expect(page.locator("dialog[open]").count() == 1, "reasons by keys",
                             about["name"], "Enter opens no reason"):
            continue
        for _ in range(4):
            report.expect(page.evaluate(IS_IN_DIALOG) or page.evaluate(
                "document.activeElement === document.body"), "reasons by keys", about["name"],
                "the focus is not in the dialog")
            page.keyboard.press("Tab")
        text = page.locator("dialog[open]").inner_text()
        report.expect(any(each.isdigit() for each in text), "reasons by keys", about["name"],
                      f"no number: {text[:80]}")
        if not closes_outside:
            page.mouse.click(3, 3)
            page.wait_for_timeout(40)
            closes_outside = report.expect(page.locator("dialog[open]").count() == 0,
                                           "reasons by keys", about["name"],
                                           "a click outside does not close it")
            continue
        page.keyboard.press("Escape")
        page.wait_for_timeout(40)
        report.expect(page.locator("dialog[open]").count() == 0, "reasons by keys", about["name"],
                      "Escape does not close it")
        report.expect(evaluate(page, FOCUS.split(";")[0] + "; return document.activeElement === fig",
                               number), "reasons by keys", about["name"], "the focus does not return")


WATCH = r"""
  const all = [...document.querySelectorAll("main button, main select, main input")]
    .filter(each => seen(each) && !each.closest("details, dialog"));
  const one = all[argument];
  if (!one) return null;
  one.focus();
  window.changesOfPage = 0;
  window.watcherOfPage?.disconnect();
  window.watcherOfPage = new MutationObserver(found => { window.changesOfPage += found.length; });
  for (const place of [one.closest("article, section") ?? document.body, document.querySelector("dialog")])
    if (place) watcherOfPage.observe(place, {subtree: true, childList: true, characterData: true,
      attributes: true});
  return {name: named(one), kind: one.localName, isDisabled: one.disabled,
    hasState: one.hasAttribute("aria-pressed"), value: one.value ?? null,
    isLast: one.localName === "select" && one.selectedIndex === one.options.length - 1,
    options: one.options?.length ?? 0, hasName: clean(one.textContent) !== "" ||
      one.labels?.length > 0 || one.hasAttribute("aria-label")}"""


def controls(page, report):
    """Each button and each selection changes something, by keys alone."""
    number = 0
    while (about := evaluate(page, WATCH, number)) is not None:
        number += 1
        report.expect(about["hasName"], "controls by keys", about["name"], "no name")
        if about["isDisabled"] or (about["kind"] == "select" and about["options"] < 2):
            continue
        if about["kind"] == "select":
            page.keyboard.press("ArrowUp" if about["isLast"] else "ArrowDown")
        else:
            page.keyboard.press("Enter")
        page.wait_for_timeout(120)
        if page.locator("dialog[open]").count():
            page.keyboard.press("Escape")
            page.wait_for_timeout(40)
        after = evaluate(page, "const one = document.activeElement; return {changes: changesOfPage,"
                         " pressed: one.getAttribute('aria-pressed'), value: one.value ?? null,"
                         " isBody: one === document.body}")
        report.expect(not after["isBody"], "controls by keys", about["name"], "loses the focus")
        if about["hasState"]:
            report.expect(after["pressed"] == "true", "controls by keys", about["name"],
                          "is not pressed after Enter")
        else:
            report.expect(after["changes"] > 0, "controls by keys", about["name"], "changes nothing")


CHOICES = r"""
  const found = [], later = () => new Promise(done => setTimeout(done));
  for (const card of document.querySelectorAll(".explorer, .calendar-card")) {
    const select = card.querySelector(".controls select");
    const buttons = [...card.querySelectorAll(".controls [role=group] button")];
    for (const option of select?.options ?? [null]) {
      if (option) { select.value = option.value; select.dispatchEvent(new Event("change")); }
      await later();
      for (const button of buttons.length ? buttons.filter(each => !each.hidden) : [null]) {
        button?.click();
        await later();
        const marks = [...card.querySelectorAll(".fig :is(circle, rect, line):not(.grid, .zero, .inkd)")];
        const wrong = marks.filter(each => [...each.attributes].some(
          one => /NaN|undefined|Infinity/.test(one.value)));
        const boxes = [...card.querySelectorAll(".fig rect")].map(each => each.getBoundingClientRect());
        const unseen = [...card.querySelectorAll(".fig .hole")].map(each => each.getBoundingClientRect())
          .filter(hole => !boxes.some(box => Math.abs(box.left + box.right - hole.left - hole.right) < 1
            && box.top <= hole.top && hole.bottom <= box.bottom));
        const head = clean(card.querySelector("h3").textContent);
        found.push({name: [card.className, option?.textContent, button?.textContent].join(" "), head,
          measure: option?.textContent ?? "", marks: marks.length, wrong: wrong.length,
          unseen: unseen.length,
          label: card.querySelector(".fig")?.getAttribute("aria-label") ?? ""});
      }
    }
  }
  return found"""


def choices(page, report):
    """Each measure by each interval has a figure with marks that bears its name."""
    for found in evaluate(page, CHOICES):
        report.expect(found["marks"] > 0, "choices", found["name"], "a figure without marks")
        report.expect(found["wrong"] == 0, "choices", found["name"], "a mark without a place")
        report.expect(found["unseen"] == 0, "choices", found["name"], "a hole in no box")
        for text in [found["head"], found["label"]]:
            report.expect(found["measure"] in text and text, "choices", found["name"],
                          f"is named “{text}”")
