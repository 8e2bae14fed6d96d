"""Pictures of pages: the windows, the sections, the sheets."""

import pathlib
import subprocess

import access
import keyboard
from browser import Setting, evaluate

WINDOWS = {
    "wide-light": Setting(1440, 900), "wide-dark": Setting(1440, 900, "dark"),
    "tablet-light": Setting(768, 1024), "tablet-dark": Setting(768, 1024, "dark"),
    "phone-light": Setting(375, 812), "phone-dark": Setting(375, 812, "dark"),
    "wall": Setting(3840, 2160),
}


def write(browser, paths, folder):
    """For each page a folder of its name, if there are more than one."""
    for path in paths:
        top = pathlib.Path(folder) / (pathlib.Path(path).stem if len(paths) > 1 else "")
        top.mkdir(parents=True, exist_ok=True)
        for name, setting in WINDOWS.items():
            with browser.page(path, setting) as page:
                evaluate(page, keyboard.COME_NEAR)
                page.screenshot(path=top / f"{name}.png")
                if name in ["wide-light", "wide-dark", "phone-light"]:
                    page.screenshot(path=top / f"{name}-whole.png", full_page=True)
                if name == "wide-light":
                    for section in page.locator("main section[id]").all():
                        section.screenshot(path=top / f"section-{section.get_attribute('id')}.png")
                    reason(page, top)
        sheets(browser, path, top)
        print(f"  {len(list(top.glob('*.png')))} pictures in {top}")


def reason(page, top):
    figure = page.locator(access.REASONED).first
    if figure.count() == 0:
        return
    figure.focus()
    page.keyboard.press("End")
    page.wait_for_timeout(100)
    page.screenshot(path=top / "reading.png")
    page.keyboard.press("Enter")
    page.wait_for_timeout(200)
    page.screenshot(path=top / "why.png")


def sheets(browser, path, top):
    with browser.page(path, Setting(media="print")) as page:
        for paper in ["A4", "Letter"]:
            file = top / f"print-{paper}.pdf"
            page.pdf(path=file, format=paper, print_background=True)
            subprocess.run(["pdftoppm", "-r", "90", "-png", file, top / f"print-{paper}"], check=True)
            file.unlink()
