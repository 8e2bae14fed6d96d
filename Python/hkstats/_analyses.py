"""The analyses of a store. Tools/python-analyses writes this file, from what the library describes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, TypedDict

if TYPE_CHECKING:
    import datetime
    from collections.abc import Mapping

    from typing_extensions import Unpack

    from ._progress import Progress
    from ._store import Date, Types, Words
    from ._table import Table


class Numbers(TypedDict, total=False):
    """Of which numbers an analysis is, besides their types; as for ``Store.statistics``."""

    by: str | None
    since: Date | None
    until: Date | None
    anchor: Date | None
    timezone: str | datetime.tzinfo | None
    zones: Sequence[Mapping[str, str | None]] | None
    columns: Words | None
    per: str | None
    clip: bool | None
    merge: str | None
    prefer: Words | None
    source: Words | None
    exclude: Words | None
    style: str | None
    hold: str | float | datetime.timedelta | None
    exact: bool | None
    unit: str | None
    list: str | None
    progress: Progress


class Analyses:
    """A method for each analysis; a store inherits them."""

    def analysis(
        self,
        method: str,
        type: Types | None = None,
        *,
        list: str | None = None,
        progress: Progress = None,
        **members: Any,
    ) -> Table:
        """What the numbers of intervals mean; see ``Store.analysis``."""
        raise NotImplementedError

    def trend(
        self,
        type: Types | None = None,
        *,
        model: Literal["line", "theilSen", "huber", "seasonal"] = "line",
        confidence: float = 0.95,
        **question: Unpack[Numbers],
    ) -> Table:
        """Is it rising or falling, how fast, how surely?

        Args:
            type: the type, or several. Else all quantities and sleep, where the method can
            model: what makes the line fit: line (least squares), theilSen (the median of all pairs'
                slopes), huber (far values weigh less), seasonal (months or weekdays by themselves)
            confidence: how often the range holds the true slope; between 0 and 1
            question: of which numbers, and ``list``: ``trends``
        """
        return self.analysis(
            "trend",
            type,
            model=model,
            confidence=confidence,
            **question,
        )

    def changes(
        self,
        type: Types | None = None,
        *,
        least_length: int = 14,
        factor: float = 2.0,
        **question: Unpack[Numbers],
    ) -> Table:
        """When did it change, from what to what?

        Args:
            type: the type, or several. Else all quantities and sleep, where the method can
            least_length: how many intervals a level lasts at least; from 1 to 100000
            factor: what a change must be worth, as a multiple of the long-run variance times the
                logarithm of the number of intervals; above 0
            question: of which numbers, and ``list``: ``levels``
        """
        return self.analysis(
            "changes",
            type,
            least_length=least_length,
            factor=factor,
            **question,
        )

    def course(
        self,
        type: Types | None = None,
        *,
        model: Literal["seasons", "robustSeasons", "smooth"] = "seasons",
        penalty: float | None = None,
        **question: Unpack[Numbers],
    ) -> Table:
        """How did it go, without noise and weekdays?

        Args:
            type: the type, or several. Else all quantities and sleep, where the method can
            model: what parts the numbers: seasons (slow course and week), robustSeasons (single
                days far out hardly count) or smooth (one curve)
            penalty: how much roughness costs, with the model smooth: 0.01 follows each day, 1e8 is
                all but a line. Else by cross-validation; 0 or more
            question: of which numbers, and ``list``: ``intervals``
        """
        return self.analysis(
            "course",
            type,
            model=model,
            penalty=penalty,
            **question,
        )

    def typical(
        self,
        type: Types | None = None,
        *,
        days: int = 7,
        at_least: int = 4,
        within: int = 365,
        share: float = 0.05,
        **question: Unpack[Numbers],
    ) -> Table:
        """Is this week as your weeks are?

        Args:
            type: the type, or several. Else all quantities and sleep, where the method can
            days: over how many days a mean is; 1 or more, in d
            at_least: how many of the days must have a number; 1 or more, in d
            within: over how many days before them the range is; 1 or more, in d
            share: the share of means below the range, and above it; from 0 to 0.49
            question: of which numbers, and ``list``: ``typical``
        """
        return self.analysis(
            "typical",
            type,
            days=days,
            at_least=at_least,
            within=within,
            share=share,
            **question,
        )

    def anomalies(
        self,
        type: Types | None = None,
        *,
        baseline: int = 28,
        warm_up: int = 14,
        threshold: float = 3.5,
        **question: Unpack[Numbers],
    ) -> Table:
        """What was unusual for you?

        Args:
            type: the type, or several. Else all quantities and sleep, where the method can
            baseline: over how many days before it a day is judged; 1 or more, in d
            warm_up: how many of them must have a number, of the same source; all of a shorter
                baseline; 1 or more, in d
            threshold: the robust score above which a day is unusual; above 0
            question: of which numbers, and ``list``: ``anomalies``
        """
        return self.analysis(
            "anomalies",
            type,
            baseline=baseline,
            warm_up=warm_up,
            threshold=threshold,
            **question,
        )

    def correlate(
        self,
        type: Types | None = None,
        *,
        comparison: Literal["spearman", "pearson"] = "spearman",
        lags: int = 3,
        at_least: int = 42,
        rate: float = 0.05,
        adjustment: Literal["benjaminiHochberg", "benjaminiYekutieli"] = "benjaminiHochberg",
        given: Words = (),
        **question: Unpack[Numbers],
    ) -> Table:
        """What goes with what, and when?

        Args:
            type: the type, or several. Else all quantities and sleep, where the method can
            comparison: ranks (spearman), or numbers (pearson)
            lags: how many days later, at most, one type is read than the other; from 0 to 366, in d
            at_least: how many days both must have; 4 or more, in d
            rate: the share of chance among what holds; between 0 and 1
            adjustment: how p-values are adjusted; benjaminiYekutieli is stricter;
                ``benjaminiHochberg``
            given: types whose influence of the same day is taken out of the others (partial
                correlation)
            question: of which numbers, and ``list``: ``relations``, ``pairs``, ``tests``
        """
        return self.analysis(
            "correlate",
            type,
            comparison=comparison,
            lags=lags,
            at_least=at_least,
            rate=rate,
            adjustment=adjustment,
            given=given,
            **question,
        )

    def components(
        self,
        type: Types | None = None,
        *,
        at_least: int = 42,
        **question: Unpack[Numbers],
    ) -> Table:
        """Which numbers come and go together?

        Args:
            type: the type, or several. Else all quantities and sleep, where the method can
            at_least: how many days must have all; 3 or more, in d
            question: of which numbers, and ``list``: ``weights``, ``scores``
        """
        return self.analysis(
            "components",
            type,
            at_least=at_least,
            **question,
        )

    def rhythm(
        self,
        type: Types | None = None,
        *,
        periods: float | Sequence[float] = (),
        search: bool = False,
        confidence: float = 0.95,
        free_days: Words = ("saturday", "sunday",),
        **question: Unpack[Numbers],
    ) -> Table:
        """How regular are your days, and when are numbers high?

        Args:
            type: the type, or several. Else all quantities and sleep, where the method can
            periods: the periods of the model, in hours or days, by default 24 hours or 7 days;
                above 0
            search: looks for other periods (Lomb and Scargle), with the chance of such a peak in
                noise
            confidence: how often the ranges of amplitude and peak hold the truth; between 0 and 1
            free_days: the days without work; ``monday``, ``tuesday``, ``wednesday``, ``thursday``,
                ``friday``, ``saturday``, ``sunday``
            question: of which numbers, and ``list``: ``numbers``, ``hours``, ``weeks``; of a type
                ``profile``, ``rhythms``
        """
        return self.analysis(
            "rhythm",
            type,
            periods=periods,
            search=search,
            confidence=confidence,
            free_days=free_days,
            **question,
        )

    def training(
        self,
        *,
        resting: float | None = None,
        maximum: float | None = None,
        weighting: Literal["men", "women"] | None = None,
        **question: Unpack[Numbers],
    ) -> Table:
        """How hard were workouts, and what do they add up to?

        Args:
            resting: the heart rate at rest in beats a minute. Else that of the 28 days before the
                day of each workout; above 0, in count/min
            maximum: the greatest heart rate in beats a minute. Else by age, or the greatest there
                is; above 0, in count/min
            weighting: the curve of weights: men or women. Else by the biological sex of your
                profile
            question: of which numbers, and ``list``: ``workouts``, ``days``, ``weeks``
        """
        return self.analysis(
            "training",
            resting=resting,
            maximum=maximum,
            weighting=weighting,
            **question,
        )

    def glucose(
        self,
        *,
        days: int = 14,
        conga_hours: float = 1.0,
        **question: Unpack[Numbers],
    ) -> Table:
        """How long is glucose in range, and how goes its day?

        Args:
            days: over how many days before the end, in place of a beginning; from 1 to 366, in d
            conga_hours: how many hours lie between two readings of CONGA; from 0.5 to 168, in h
            question: of which numbers, and ``list``: ``summary``, ``hours``, ``periods``,
                ``events``, ``excursions``
        """
        return self.analysis(
            "glucose",
            days=days,
            conga_hours=conga_hours,
            **question,
        )

    def pressure(
        self,
        *,
        guideline: Literal["ahaAcc2025", "esc2024", "esh2023"] = "esc2024",
        place: Literal["office", "home"] = "home",
        **question: Unpack[Numbers],
    ) -> Table:
        """How many readings are of which class?

        Args:
            guideline: whose classes: esc2024 (ESC 2024), ahaAcc2025 (AHA/ACC 2025) or esh2023 (ESH
                2023)
            place: where the readings were taken: home or office
            question: of which numbers, and ``list``: ``classes``, ``numbers``
        """
        return self.analysis(
            "pressure",
            guideline=guideline,
            place=place,
            **question,
        )

    def hrv(
        self,
        *,
        shortest: float = 0.3,
        longest: float = 2.0,
        largest_change: float = 0.2,
        **question: Unpack[Numbers],
    ) -> Table:
        """How much does the time between heartbeats vary?

        Args:
            shortest: the shortest interval that counts; 0 or more, in s
            longest: the longest interval that counts; 0 or more, in s
            largest_change: by which share of the interval before it one that counts differs at
                most; 0 or more
            question: of which numbers, and ``list``: ``series``; with ``by`` ``intervals``,
                ``series``
        """
        return self.analysis(
            "hrv",
            shortest=shortest,
            longest=longest,
            largest_change=largest_change,
            **question,
        )

    def cycles(
        self,
        *,
        gap: int = 10,
        longest: int = 90,
        **question: Unpack[Numbers],
    ) -> Table:
        """How long are cycles, and how much do they vary?

        Args:
            gap: the least number of days without flow before a cycle whose samples do not say that
                it begins; 1 or more, in d
            longest: the most days of a cycle that counts; 1 or more, in d
            question: of which numbers, and ``list``: ``cycles``
        """
        return self.analysis(
            "cycles",
            gap=gap,
            longest=longest,
            **question,
        )

    def missing(
        self,
        type: Types | None = None,
        *,
        rate: float = 0.05,
        **question: Unpack[Numbers],
    ) -> Table:
        """Are days without data on some weekdays more often?

        Args:
            type: the type, or several. Else all quantities and sleep, where the method can
            rate: the share of chance among the types of which it is said that they are; between 0
                and 1
            question: of which numbers, and ``list``: ``types``, ``weekdays``
        """
        return self.analysis(
            "missing",
            type,
            rate=rate,
            **question,
        )
