"""Statistics over Apple Health data, merged as HealthKit merges it.

    import hkstats

    export = hkstats.open("export.zip")
    days = export.statistics("steps", by="day", timezone="Europe/Paris")
    days.to_polars()

Nothing is ever sent anywhere.
"""

from ._library import (
    BusyError,
    CancelledError,
    DataError,
    Error,
    ForkedError,
    InputOutputError,
    NotFoundError,
    NotPermittedError,
    UsageError,
    __version__,
)
from ._store import Store, open
from ._table import ColumnType, Table
from ._units import Conversion, Unit, merge, unit

__all__ = [
    "BusyError",
    "CancelledError",
    "ColumnType",
    "Conversion",
    "DataError",
    "Error",
    "ForkedError",
    "InputOutputError",
    "NotFoundError",
    "NotPermittedError",
    "Store",
    "Table",
    "Unit",
    "UsageError",
    "__version__",
    "merge",
    "open",
    "unit",
]
