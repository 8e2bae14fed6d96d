"""Reads numbers, durations and times of day out of texts, as the language of a page writes them."""

import math
import re
import unicodedata

MINUS = "−"
SIGNS = f"{MINUS}\\-+±"
# No-break, narrow no-break, thin and figure spaces, and what sets a direction.
SPACES = "\u00a0\u202f\u2009\u2007 "
INVISIBLE = dict.fromkeys(map(ord, "\u200e\u200f\u061c\u2066\u2067\u2068\u2069"))
NOON = re.compile(r"(?i)(p\.?\s?m\.?|午後)")
MORNING = re.compile(r"(?i)(a\.?\s?m\.?|午前)")
# Binary rounding, of values that lie at half of the last digit.
SLACK = 1e-9


def shown_name(name):
    """A name as a page shows it: without the marks that turn the direction of text."""
    return " ".join(re.sub("[\u202a-\u202e\u2066-\u2069]", "", name).split())


class Language:
    """How a language separates digits."""

    def __init__(self, tag, decimal, group):
        self.tag, self.decimal, self.group = tag, decimal, group
        groups = f"(?:[{re.escape(group)}]\\d{{2,3}})" if group.strip(SPACES) else f"(?:[{SPACES}]\\d{{3}}(?!\\d))"
        self.number = re.compile(f"(?<![\\d{re.escape(decimal)}])([{SIGNS}]?)\\s?(\\d+{groups}*)"
                                 f"(?:{re.escape(decimal)}(\\d+))?")

    def plain(self, text):
        """A text with digits of ASCII and without marks of direction."""
        text = text.translate(INVISIBLE)
        return "".join(str(unicodedata.digit(each)) if each.isdigit() and not each.isascii()
                       and unicodedata.category(each) == "Nd" else each for each in text).strip()

    def numbers(self, text):
        """Each number of a text: its sign, value, decimals, and where it stands."""
        for match in self.number.finditer(self.plain(text)):
            sign, whole, part = match.groups()
            digits = re.sub(r"\D", "", whole)
            value = float(f"{digits}.{part or '0'}")
            yield (-value if sign in [MINUS, "-"] else value, len(part or ""), match.span(), sign)

    def readings(self, text):
        """What a text may stand for in the answer of the program: pairs of a value and of the
        half of its last digit."""
        found = list(self.numbers(text))
        text = self.plain(text)
        if len(found) == 1:
            (value, decimals, (_, end), _) = found[0]
            half = 0.5 * 10.0 ** -decimals
            yield value, half
            if "%" in text or "٪" in text:
                yield value / 100, half / 100
            unit = text[end:].strip(SPACES).lower()
            if re.match(r"(min|mn|m\b|分)", unit):
                yield value * 60, half * 60
            if re.match(r"(h|std|時)", unit):
                yield value * 3600, half * 3600
        elif len(found) == 2 and found[0][1] == found[1][1] == 0 and found[1][3] == "":
            (large, _, (_, end), sign), (small, _, (begin, _), _) = found
            small = math.copysign(small, -1 if sign in [MINUS, "-"] else 1)
            between = text[end:begin].strip(SPACES)
            if between == ":":
                if NOON.search(text) and large < 12:
                    large += 12
                if MORNING.search(text) and large == 12:
                    large = 0
                for day in [-1, 0, 1]:
                    minutes = day * 1440 + large * 60 + small
                    yield minutes * 60, 30
                    yield minutes, 0.5
                # A pace.
                yield large * 60 + small, 0.5
            elif re.fullmatch(r"\D{1,3}", between) and between not in "/–-,.":
                yield large * 3600 + small * 60, 30
                yield large * 60 + small, 0.5

    def agrees(self, text, value, is_percent=False):
        """Whether a text says a value of the program's answer."""
        has_digits = any(each.isdigit() for each in text)
        if value is None:
            return not has_digits
        if isinstance(value, bool):
            return True
        if isinstance(value, str):
            return self.agrees_in_words(text, value)
        if not has_digits:
            return False
        shown = list(self.readings(text))
        if is_percent:
            shown += [(each / 100, half / 100) for each, half in shown]
        return any(abs(each - value) <= half + SLACK * max(1, abs(value)) for each, half in shown)

    def agrees_in_words(self, text, value):
        instant = re.fullmatch(r"(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d))?.*)?", value)
        clock = re.fullmatch(r"(\d\d):(\d\d)", value)
        if clock:
            return self.agrees(text, 60 * int(clock[1]) + int(clock[2]))
        if not instant:
            # A long name is cut.
            shown, name = " ".join(self.plain(text).split()), shown_name(value)
            return shown == name or shown.endswith("…") and name.startswith(shown[:-1].rstrip())
        shown = list(self.numbers(text))
        if ":" in text and instant[4]:
            seconds = int(instant[4]) * 3600 + int(instant[5]) * 60 + int(instant[6] or 0)
            return any(abs(each - seconds) <= 60 for each, _ in self.readings(text))
        # A date: its day, and the year where there is one.
        whole = {int(abs(each)) for each, *_ in shown}
        years = {each for each in whole if each > 1900}
        return (int(instant[3]) in whole or len(whole - years) == 0) and years <= {int(instant[1])}

    def shape(self, text):
        """A text with every run of digits as 9 and without sign: what stands around the digits."""
        return re.sub(r"\d+", "9", re.sub(f"^[{SIGNS}]", "", self.plain(text)))
