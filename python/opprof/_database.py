# SPDX-License-Identifier: Apache-2.0
"""Reads results.sqlite. Its format: docs/using/results.md, "The database"."""

from __future__ import annotations

import difflib
import pathlib
import sqlite3
import sys
import urllib.parse
from dataclasses import dataclass, field
from typing import Any, Dict, Iterable, List, Mapping, Sequence, Tuple, Union

from ._errors import ResultsError, UnknownNameError

FORMAT = "1"  # of opprof_run
FILE = "results.sqlite"

Value = Union[int, float, str, bytes, None]
"""What a cell can be; None: absent. An address from 2**63 on is negative, as SQLite keeps it."""


@dataclass(frozen=True)
class Column:
    """A column of a table, as the plugin that made it describes it."""

    name: str
    """Its name in SQL and in rows, such as `time_us`."""
    heading: str = ""
    """Its heading in the CSV file, such as `time(us)`."""
    kind: str = ""
    """Type of the record's field, such as `f64`, `u32`, `string`."""
    unit: str = ""
    """Unit of its values, such as `us`, `%` or `1` for a plain number; "": texts have none."""
    meaning: str = ""
    absent: str = ""
    """Why a value can be absent (None); "": it never is."""
    is_key: bool = False
    """Rows of two runs with equal keys are the same row."""
    combine: str = ""
    """How rows combine: `sum`, `longest`, `mean`, `none`; "": unknown."""


@dataclass(frozen=True)
class TableInfo:
    """What the results say of one of their tables."""

    name: str
    title: str = ""
    summary: str = ""
    """What a row is, in a sentence."""
    rows: int = 0
    record: str = ""
    """Record type of its rows, such as `trace.steps`."""
    file: str = ""
    """Name of its CSV file without the ending; "": it has none."""
    is_summary: bool = False
    """Few rows that people want to see at once."""
    columns: List[Column] = field(default_factory=list, repr=False)


def quoted(name: str) -> str:
    """The name as SQL has it."""
    return '"' + name.replace('"', '""') + '"'


def nearest(name: str, names: Iterable[str]) -> str:
    """`; did you mean 'steps'?`, or "" if no name is near."""
    near = difflib.get_close_matches(name, list(names), n=1)
    return f"; did you mean '{near[0]}'?" if near else ""


class _Numbers:
    """The numbers of a group; NULL and texts do not count, as in opprof-run --query."""

    def __init__(self) -> None:
        self.list: List[float] = []
        self.share = 0.5

    def step(self, value: Any, share: Any = 0.5) -> None:
        if isinstance(value, (int, float)):
            self.list.append(value)
            self.share = share if isinstance(share, (int, float)) else float("nan")

    def quantile(self, share: float) -> Any:
        if not self.list:
            return None
        if not 0 <= share <= 1:
            raise ValueError("the second argument of quantile() is from 0 to 1")
        self.list.sort()
        place = share * (len(self.list) - 1)
        below = int(place)
        above = min(below + 1, len(self.list) - 1)
        low, high = self.list[below], self.list[above]
        return low if low == high else low + (high - low) * (place - below)

    def finalize(self) -> Any:
        return self.quantile(self.share)


class _Spread(_Numbers):
    """Median of the distances from the median."""

    def finalize(self) -> Any:
        median = self.quantile(0.5)
        if median is None:
            return None
        self.list = [abs(value - median) for value in self.list]
        return self.quantile(0.5)


class Database:
    """A database of results, opened to read only. Used by one thread at a time."""

    def __init__(self, file: pathlib.Path) -> None:
        self.file = file
        if not file.is_file():
            raise ResultsError(
                f"Cannot read '{file}': no such file. Name a folder with a {FILE}, which the ready"
                " pipelines write"
            )
        # Immutable: what lies beside the file, such as a planted journal, is not read.
        uri = f"file:{urllib.parse.quote(str(file.resolve()))}?mode=ro&immutable=1"
        try:
            self.connection = sqlite3.connect(uri, uri=True, check_same_thread=False)
            self.connection.text_factory = lambda text: text.decode("utf-8", "replace")
            self.connection.execute("PRAGMA trusted_schema = OFF")
            if sys.version_info >= (3, 12):  # a word in double quotes is a column, never a text
                self.connection.setconfig(sqlite3.SQLITE_DBCONFIG_DQS_DML, False)
            self.facts = self._read_facts()
            self.tables = self._read_tables()
        except sqlite3.Error as error:
            raise ResultsError(f"'{file}' is no database of opprof's results: {error}") from None
        self._add_functions()

    def _read_facts(self) -> Dict[str, str]:
        facts: Dict[str, str] = {
            name: value for name, value in self._own("opprof_run", ("name", "value"))
        }
        if facts.get("format") != FORMAT:
            raise ResultsError(
                f"'{self.file}' has format {facts.get('format')}; this module reads {FORMAT}."
                " Install the opprof module of the version that wrote it"
            )
        return facts

    def _own(self, table: str, columns: Sequence[str]) -> List[Tuple[Any, ...]]:
        """Columns of a table of the format; those that an older version lacks are None."""
        present = {row[1] for row in self.connection.execute(f"PRAGMA table_info({table})")}
        if not present:
            raise sqlite3.DatabaseError(f"no such table: {table}")
        wanted = ", ".join(quoted(name) if name in present else "NULL" for name in columns)
        return list(self.connection.execute(f"SELECT {wanted} FROM {table}"))

    def _read_tables(self) -> Dict[str, TableInfo]:
        real = {
            name
            for (name,) in self.connection.execute(
                "SELECT name FROM sqlite_master WHERE type = 'table'"
            )
        }
        tables: Dict[str, TableInfo] = {}
        names = ("name", "title", "summary", "row_count", "record", "file", "flags")
        for name, title, summary, rows, record, file, flags in self._own("opprof_tables", names):
            if name in real:
                tables[name] = TableInfo(
                    name, title or name, summary or "", rows or 0, record or "", file or "",
                    bool((flags or 0) & 4),
                )
        columns = ("table_name", "position", "name", "heading", "kind", "unit", "meaning",
                   "absent", "is_key", "combine")
        for row in sorted(self._own("opprof_columns", columns), key=lambda row: (row[0], row[1])):
            if row[0] in tables:
                name, heading, kind, unit, meaning, absent = (text or "" for text in row[2:8])
                column = Column(name, heading, kind, unit, meaning, absent, bool(row[8]),
                                row[9] or "")
                tables[row[0]].columns.append(column)
        return tables

    def _add_functions(self) -> None:
        # Their types in typeshed ask for one number of arguments, which differs here.
        add: Any = self.connection.create_aggregate
        add("median", 1, _Numbers)
        add("quantile", 2, _Numbers)
        add("spread", 1, _Spread)

    def table(self, name: str) -> TableInfo:
        """The table of that name, or of that record type or CSV file, if it is the only one."""
        if name in self.tables:
            return self.tables[name]
        found = [info for info in self.tables.values() if name in (info.record, info.file)]
        if len(found) == 1:
            return found[0]
        raise UnknownNameError(
            f"The results in '{self.file}' have no table '{name}'{nearest(name, self.tables)}"
        )

    def ask(
        self, sql: str, values: Union[Sequence[Value], Mapping[str, Value]] = ()
    ) -> Tuple[List[str], List[Tuple[Value, ...]]]:
        """The names of the answer's columns, and its rows."""
        cursor = self.connection.execute(sql, values)
        return [column[0] for column in cursor.description or ()], cursor.fetchall()

    def close(self) -> None:
        self.connection.close()
