"""A page says nothing, asks for nothing and breaks no policy; and each of these would be heard."""

import pathlib
import tempfile

from browser import Setting, evaluate

POLICY = r"""
  const head = [...document.head.children];
  const at = head.findIndex(each => each.httpEquiv?.toLowerCase() === "content-security-policy");
  const first = head.findIndex(each => ["STYLE", "SCRIPT", "LINK", "BASE"].includes(each.tagName));
  return {policy: at < 0 ? "" : head[at].content, isFirst: first < 0 || at < first,
    handlers: [...document.querySelectorAll("*")].filter(each => [...each.attributes].some(
      one => /^on/i.test(one.name) || one.name === "style")).map(named).slice(0, 5),
    outside: [...document.querySelectorAll("[src], [srcset], link[href], form, iframe, object, embed,"
      + " base, image, use, meta[http-equiv=refresh]")].map(named).slice(0, 5)}"""
# What has to be heard of a page without a policy, and with its own.
WITHOUT_POLICY = {
    "console": "<script>console.info('heard')</script>",
    "error": "<script>throw new Error('heard')</script>",
    "request": "<img src='https://example.invalid/picture.png' alt=''>",
}
WITH_POLICY = {
    "an inline script": "<script>document.title = 'ran'</script>",
    "a style attribute": "<p style='color: red'>heard</p>",
    "a style element": "<style>p { color: red }</style>",
    "an external picture": "<img src='https://example.invalid/picture.png' alt=''>",
    "a fetch": None,
}


def check(browser, paths):
    report = browser.report
    for path in paths:
        with browser.page(path, Setting()) as page:
            found = evaluate(page, POLICY)
            policy = found["policy"]
            parts = {part.split()[0]: part.split()[1:] for part in policy.split(";") if part.split()}
            report.expect(parts.get("default-src") == ["'none'"], "policy", "default-src", policy)
            report.expect(not any("unsafe" in word or ":" in word or word == "*"
                                  for words in parts.values() for word in words),
                          "policy", "a source that lets others in", policy)
            for name in ["base-uri", "form-action"]:
                report.expect(parts.get(name) == ["'none'"], "policy", name, policy)
            report.expect(found["isFirst"], "policy", "head", "the policy comes after what it rules")
            for name in ["handlers", "outside"]:
                report.expect(not found[name], "policy", name, found[name])
    prove(browser, paths[0])


def prove(browser, path):
    """Whether what must not be is heard where it is."""
    text = pathlib.Path(path).read_text()
    with tempfile.TemporaryDirectory() as folder:
        control = pathlib.Path(folder) / "control.html"
        for kind, element in WITHOUT_POLICY.items():
            control.write_text(f"<!doctype html><title>control</title>{element}")
            heard = []
            with browser.page(control, Setting(), heard):
                pass
            browser.report.expect(kind in [event[0] for event in heard], "controls of silence",
                                  kind, f"is not heard: {heard}")
        for what, element in WITH_POLICY.items():
            control.write_text(text.replace("</main>", f"</main>{element or ''}", 1))
            heard = []
            with browser.page(control, Setting(), heard) as page:
                if element is None:
                    page.evaluate("fetch('https://example.invalid/').catch(() => null)")
            browser.report.expect("violation" in [event[0] for event in heard],
                                  "controls of silence", what, f"violates nothing: {heard}")
