# SPDX-License-Identifier: Apache-2.0
"""Runs opprof, and reads its results.

    >>> import opprof
    >>> run = opprof.run("kineto", "traces/")        # or opprof.open("results/")
    >>> print(run.advice[0])
    up to 41.3 %: The device waits for the host …
    >>> run.table("trace_steps")                     # a DataFrame where pandas is installed
    >>> run.tables["trace_steps"].columns[4].unit
    'us'

Times are microseconds, shares per cent; each column of a table names its unit. opprof-run is found
by the environment variable `OPPROF_RUN`, else on PATH; reading results does not need it.
"""

from ._database import Column, TableInfo, Value
from ._errors import (
    IncompleteWarning,
    NoTimelinesError,
    OpprofError,
    ResultsError,
    RunError,
    UnknownNameError,
)
from ._results import Advice, AdviceList, Run
from ._rows import Rows
from ._runs import Difference, diff, open, run

__version__ = "0.1.0"

__all__ = [
    "Advice", "AdviceList", "Column", "Difference", "IncompleteWarning", "NoTimelinesError",
    "OpprofError", "ResultsError", "Rows", "Run", "RunError", "TableInfo", "UnknownNameError",
    "Value", "diff", "open", "run",
]
