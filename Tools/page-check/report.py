"""What was checked: how often it held, and where it did not."""

import collections
import sys

# A defect of a stylesheet is in a thousand places; the first ones tell.
MOST_SHOWN = 12


class Report:
    """Counts by check; says each failure as it is found."""

    def __init__(self):
        self.passed = collections.Counter()
        self.failed = collections.Counter()
        self.place = ""

    def expect(self, holds, check, where, what):
        """Counts something that has to hold; `where` and `what` say what does not."""
        if holds:
            self.passed[check] += 1
        else:
            self.failed[check] += 1
            if self.failed[check] <= MOST_SHOWN:
                print(f"FAILED {check}: {self.place}: {where}: {what}", file=sys.stderr, flush=True)
        return holds

    def note(self, text):
        """Says something that is worth knowing and decides nothing."""
        print(f"  {text}", flush=True)

    def close(self):
        """The counts of each check, and the line that ends a run; whether all held."""
        for check in dict.fromkeys([*self.passed, *self.failed]):
            hidden = self.failed[check] - MOST_SHOWN
            more = f" ({hidden} of them not shown)" if hidden > 0 else ""
            print(f"  {check}: {self.passed[check]} passed, {self.failed[check]} failed{more}")
        passed, failed = self.passed.total(), self.failed.total()
        print(f"Page: {passed} passed, {failed} failed")
        return failed == 0 and passed > 0
