"""Pages in a browser that has no way out, and that hears whatever they do beside showing."""

import contextlib
import pathlib

CHROMIUM = "/usr/bin/chromium-headless-shell"
SECONDS = 30
VIOLATIONS = """() => { window.violationsOfPolicy = [];
  document.addEventListener("securitypolicyviolation", event => window.violationsOfPolicy.push(
    `${event.violatedDirective} ${event.blockedURI} ${event.sample}`)); }"""


class Setting:
    """How a page is looked at."""

    def __init__(self, width=1440, height=900, scheme="light", media="screen", scripts=True):
        self.width, self.height, self.scheme = width, height, scheme
        self.media, self.scripts = media, scripts

    def __str__(self):
        words = [str(self.width), self.scheme] + ["print"] * (self.media == "print")
        return " ".join(words + ["no scripts"] * (not self.scripts))


class Browser:
    """One Chromium for all pages."""

    def __init__(self, playwright, report, executable=CHROMIUM, environment=None):
        self.report = report
        self.chromium = playwright.chromium.launch(
            executable_path=executable, env=environment, args=["--no-sandbox", "--force-color-profile=srgb"])

    @contextlib.contextmanager
    def page(self, path, setting, heard=None, changed=None):
        """A page of a context of its own. Whatever it says, throws, asks for or violates is added
        to `heard`; where nothing waits for that, it fails. `changed` is what the file holds
        instead."""
        events = [] if heard is None else heard
        url = pathlib.Path(path).resolve().as_uri()
        context = self.chromium.new_context(
            viewport={"width": setting.width, "height": setting.height}, device_scale_factor=1,
            color_scheme=setting.scheme, java_script_enabled=setting.scripts, offline=True,
            reduced_motion="reduce", service_workers="block")
        context.set_default_timeout(SECONDS * 1000)

        def answer(route):
            if route.request.url.split("#")[0] == url and changed is not None:
                route.fulfill(body=changed, content_type="text/html; charset=utf-8")
            elif route.request.url.split("#")[0] == url:
                route.continue_()
            else:
                events.append(("request", route.request.url[:200]))
                route.abort()

        context.route("**/*", answer)
        context.add_init_script(f"({VIOLATIONS})()")
        page = context.new_page()
        page.on("console", lambda message: events.append(("console", message.text[:300])))
        page.on("pageerror", lambda error: events.append(("error", str(error)[:300])))
        page.on("dialog", lambda dialog: (events.append(("dialog", dialog.message)),
                                          dialog.dismiss()))
        page.on("popup", lambda _: events.append(("popup", "a window")))
        page.on("download", lambda _: events.append(("download", "a file")))
        if setting.media == "print":
            page.emulate_media(media="print", color_scheme=setting.scheme)
        previous = self.report.place
        self.report.place = f"{pathlib.Path(path).name} ({setting})"
        try:
            page.goto(url, wait_until="load")
            yield page
            if setting.scripts:
                page.wait_for_timeout(30)
                events += [("violation", text) for text in page.evaluate("violationsOfPolicy")]
            if heard is None:
                self.report.expect(not events, "silence", "the page", events[:5])
        finally:
            self.report.place = previous
            context.close()


# What several checks run in the page.
HELPERS = r"""
const clean = text => text.replace(/\s+/g, " ").trim();
const seen = element => element.checkVisibility(
  {checkVisibilityCSS: true, checkOpacity: true, contentVisibilityAuto: false});
/// Where an element is, for a message.
const named = element => {
  const words = [];
  for (let each = element; each && each !== document.body && words.length < 4;
       each = each.parentElement) {
    const classes = (each.getAttribute("class") || "").trim().split(/\s+/).filter(Boolean);
    words.unshift(each.localName + (each.id ? "#" + each.id : "") +
      classes.map(name => "." + name).join(""));
    if (each.id) break;
  }
  return words.join(" > ") + " “" + clean(element.textContent || "").slice(0, 50) + "”";
};
"""


def evaluate(page, body, argument=None):
    """The result of a function body in the page, which has the helpers and its `argument`."""
    return page.evaluate(f"async argument => {{ {HELPERS} {body} }}", argument)
