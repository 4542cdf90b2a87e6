# SPDX-License-Identifier: Apache-2.0
"""Rows of a table or an answer: a list of dicts that knows its columns, or a DataFrame."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Sequence, Union, cast

from . import _notebook
from ._database import Column, Value

if TYPE_CHECKING:
    import pandas

Row = Dict[str, Value]


class Rows(List[Row]):
    """Rows as dicts from column name to value, None where it is absent.

    Attributes:
        title: of the table
        columns: what each column is, with its unit, in the order of the table
    """

    def __init__(self, rows: Sequence[Sequence[Value]], columns: List[Column], title: str) -> None:
        names = [column.name for column in columns]
        super().__init__(dict(zip(names, row)) for row in rows)
        self.columns = columns
        self.title = title

    def frame(self) -> pandas.DataFrame:
        """The rows as a DataFrame; needs pandas."""
        return _frame([tuple(row.values()) for row in self], self.columns, self.title)

    def _repr_html_(self) -> str:
        return _notebook.table(self.title, self.columns, [list(row.values()) for row in self])


def _frame(
    rows: Sequence[Sequence[Value]], columns: List[Column], title: str
) -> pandas.DataFrame:
    """With `title`, `units` and `meanings` (by column) in `attrs`."""
    library: Any = importlib.import_module("pandas")
    frame = library.DataFrame.from_records(
        list(rows), columns=[column.name for column in columns]
    )
    frame.attrs["title"] = title
    frame.attrs["units"] = {column.name: column.unit for column in columns}
    frame.attrs["meanings"] = {column.name: column.meaning for column in columns}
    return cast("pandas.DataFrame", frame)


def _has_pandas() -> bool:
    try:
        importlib.import_module("pandas")
    except ImportError:
        return False
    return True


def rows_or_frame(
    rows: Sequence[Sequence[Value]], columns: List[Column], title: str, frame: Optional[bool]
) -> Union[Rows, pandas.DataFrame]:
    """`frame` None: a DataFrame where pandas is installed."""
    if frame or (frame is None and _has_pandas()):
        return _frame(rows, columns, title)
    return Rows(rows, columns, title)
