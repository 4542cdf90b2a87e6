# SPDX-License-Identifier: Apache-2.0
"""The results of a run."""

from __future__ import annotations

import json
import os
import pathlib
import sqlite3
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Optional, Tuple, Union, overload

from . import _command, _notebook
from ._database import FILE, Column, Database, TableInfo, Value, quoted
from ._errors import NoTimelinesError, ResultsError
from ._rows import Rows, rows_or_frame

if TYPE_CHECKING:
    from typing import Literal

    import pandas

# Columns of the timelines: name, unit, meaning, and what it is in the database's own tables.
_SPANS: Tuple[Tuple[str, str, str, str], ...] = (
    ("document", "", "Timeline that it belongs to, such as a core's", "t.document"),
    ("process", "", "Group of rows, such as a device", "coalesce(t.process_name, t.process)"),
    ("thread", "", "Row of the timeline", "coalesce(t.thread_name, t.thread)"),
    (
        "kind", "", "slice, begin, end, mark, flow start, flow end",
        "CASE s.kind WHEN 1 THEN 'slice' WHEN 2 THEN 'begin' WHEN 3 THEN 'end'"
        " WHEN 4 THEN 'mark' WHEN 5 THEN 'flow start' WHEN 6 THEN 'flow end' END",
    ),
    ("name", "", "What ran", "n.text"),
    ("category", "", "Class of work", "c.text"),
    ("start_us", "us", "When it began", "s.start_us"),
    ("duration_us", "us", "How long it took", "s.duration_us"),
    ("id", "", "Connects begin and end, and the ends of an arrow", "s.id"),
    ("tied", "", "Slices of one piece of work", "s.tied"),
    ("args", "", "Details, as JSON", "s.args"),
)
_SPANS_FROM = (
    "opprof_spans s JOIN opprof_tracks t ON t.id = s.track JOIN opprof_names n ON n.id = s.name"
    " LEFT JOIN opprof_names c ON c.id = s.category"
)
_COUNTERS: Tuple[Tuple[str, str, str, str], ...] = (
    ("document", "", "Timeline that it belongs to", "t.document"),
    ("process", "", "Group of rows, such as a device", "coalesce(t.process_name, t.process)"),
    ("name", "", "Curve", "n.text"),
    ("series", "", "Part of the curve, with its unit", "r.text"),
    ("time_us", "us", "From when on", "c.time_us"),
    ("value", "", "In the unit that the series names", "c.value"),
)
_COUNTERS_FROM = (
    "opprof_counters c JOIN opprof_tracks t ON t.id = c.track JOIN opprof_names n ON n.id = c.name"
    " JOIN opprof_names r ON r.id = c.series"
)


@dataclass(frozen=True)
class Advice:
    """A finding: what costs time, how much, and what to do about it."""

    severity: str
    """`problem`, `hint` or `note`."""
    topic: str
    sentence: str
    subject: Optional[str] = None
    """Launch, rank or core that it is about; None: the whole run."""
    todo: Optional[str] = None
    """What to do."""
    gain_percent: Optional[float] = None
    """Part of the subject's time that could be saved at most, in per cent."""
    gain_us: Optional[float] = None
    """The same in microseconds."""
    whole_us: Optional[float] = None
    """What it could be saved of, such as the time of the run, in microseconds."""
    rule: Optional[str] = None
    """The rule that says so: `opprof-run --explain RULE`."""
    numbers: Optional[str] = None
    value: Optional[float] = None
    """The number that it rests on most."""
    unit: Optional[str] = None
    column: Optional[str] = None
    """Column of the CSV file `file` that holds the value."""
    file: Optional[str] = None
    from_table: Optional[str] = None
    """Table that holds the value."""
    start_us: Optional[float] = None
    """When the timeline shows it, in microseconds."""
    track: Optional[str] = None
    """Process of the timeline that shows it."""

    def __str__(self) -> str:
        gain = f"up to {self.gain_percent:.1f} %: " if self.gain_percent is not None else ""
        subject = f" ({self.subject})" if self.subject else ""
        todo = f". {self.todo}" if self.todo else ""
        return f"{gain}{self.sentence}{subject}{todo}"


class AdviceList(List[Advice]):
    """The advice of a run, the largest gain first."""

    def __str__(self) -> str:
        return "\n".join(str(advice) for advice in self)

    def _repr_html_(self) -> str:
        return _notebook.advice_list(self)


class Run:
    """Results of a run: its tables, timelines and advice. Made by `opprof.open` or `opprof.run`.

    Attributes:
        path: the folder of the results, or the database that was opened
        tables: what there is, by name: title, number of rows, columns with units and meanings
        version: of the opprof that made them
        complete: False if something is missing
        missing: what; None: nothing
    """

    def __init__(self, results: Union[str, os.PathLike[str]]) -> None:
        path = pathlib.Path(results)
        self.path = path
        self._folder = path if path.is_dir() else path.parent
        self._database = Database(path / FILE if path.is_dir() else path)
        facts = self._database.facts
        self.tables: Dict[str, TableInfo] = self._database.tables
        self.version: str = facts.get("version") or ""
        self.complete: bool = facts.get("complete") == "1"
        self.missing: Optional[str] = facts.get("missing")
        self.title: str = facts.get("title") or path.name

    def __repr__(self) -> str:
        state = "" if self.complete else ", incomplete"
        return f"<opprof.Run '{self.path}': {len(self.tables)} tables{state}>"

    def _repr_html_(self) -> str:
        return _notebook.run(self)

    def __enter__(self) -> Run:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the database; tables that were read stay."""
        self._database.close()

    @property
    def info(self) -> Dict[str, Any]:
        """`run.json`: stages, variables, files, warnings (docs/using/results.md)."""
        path = self._folder / "run.json"
        try:
            loaded: Dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise ResultsError(f"Cannot read '{path}': {error}") from None
        return loaded

    @property
    def report(self) -> str:
        """The report that the run printed."""
        path = self._folder / "report.txt"
        try:
            return path.read_text(encoding="utf-8", errors="replace")
        except OSError as error:
            raise ResultsError(f"Cannot read '{path}': {error.strerror}") from None

    @property
    def advice(self) -> AdviceList:
        """What opprof advises, the largest gain first."""
        if "advice" not in self.tables:
            return AdviceList()
        present = {column.name for column in self.tables["advice"].columns}
        names = [name for name in Advice.__dataclass_fields__ if name != "gain_percent"]
        wanted = ", ".join(quoted(name) if name in present else "NULL" for name in names)
        gain = "gain" if "gain" in present else "NULL"
        _, rows = self._ask(
            f"SELECT {gain}, {wanted} FROM advice ORDER BY 1 IS NULL, 1 DESC, rowid"
        )
        known: List[Any] = [dict(zip(names, rest), gain_percent=gain) for gain, *rest in rows]
        return AdviceList(Advice(**fields) for fields in known)

    @overload
    def table(self, name: str, frame: Literal[False]) -> Rows: ...
    @overload
    def table(self, name: str, frame: Literal[True]) -> pandas.DataFrame: ...
    @overload
    def table(self, name: str, frame: None = None) -> Any: ...
    def table(self, name: str, frame: Optional[bool] = None) -> Any:
        """A table by its name (`trace_steps`), record type (`trace.steps`) or file (`steps`).

        Values have the units of `tables[name].columns`; None (NaN in a DataFrame): absent.

        Args:
            frame: True for a DataFrame, False for a list of dicts; by default a DataFrame where
                pandas is installed

        Raises:
            UnknownNameError: no such table; the text has the nearest name
        """
        info = self._database.table(name)
        wanted = ", ".join(quoted(column.name) for column in info.columns)
        _, rows = self._ask(f"SELECT {wanted or '*'} FROM {quoted(info.name)}")
        return rows_or_frame(rows, info.columns, info.title, frame)

    @overload
    def spans(self, frame: Literal[False]) -> Rows: ...
    @overload
    def spans(self, frame: Literal[True]) -> pandas.DataFrame: ...
    @overload
    def spans(self, frame: None = None) -> Any: ...
    def spans(self, frame: Optional[bool] = None) -> Any:
        """The timelines: a row for each slice, mark and end of an arrow; times in microseconds.

        For a part of many, use `query` with a condition on the view `spans`.

        Raises:
            NoTimelinesError: the run was made without `formats="spans"`
        """
        return self._timelines(_SPANS, _SPANS_FROM, "Timelines", frame)

    @overload
    def counters(self, frame: Literal[False]) -> Rows: ...
    @overload
    def counters(self, frame: Literal[True]) -> pandas.DataFrame: ...
    @overload
    def counters(self, frame: None = None) -> Any: ...
    def counters(self, frame: Optional[bool] = None) -> Any:
        """The curves: a row for each change of a value, which holds from `time_us` on.

        Raises:
            NoTimelinesError: the run was made without `formats="spans"`
        """
        return self._timelines(_COUNTERS, _COUNTERS_FROM, "Curves", frame)

    def _timelines(
        self, columns: Tuple[Tuple[str, str, str, str], ...], source: str, title: str,
        frame: Optional[bool],
    ) -> Any:
        if self._database.facts.get("timelines") != "1":
            raise NoTimelinesError(
                f"The results in '{self.path}' have no timelines in their database. Run again with"
                " formats=spans: opprof-run --set formats=spans, or opprof.run(…,"
                ' formats="spans")'
            )
        _, rows = self._ask("SELECT " + ", ".join(each[3] for each in columns) + f" FROM {source}")
        described = [Column(name, name, unit=unit, meaning=text) for name, unit, text, _ in columns]
        return rows_or_frame(rows, described, title, frame)

    def query(
        self, question: str, values: Optional[Mapping[str, Value]] = None, *,
        frame: Optional[bool] = None, **parameters: Value,
    ) -> Any:
        """The answer to a SELECT, or to a question that opprof has installed (`opprof-run --list`).

        SQL is SQLite's, with `median(x)`, `quantile(x, q)` and `spread(x)` (median of the
        distances from the median). `:name` in it takes the value given as `name=`::

            run.query("SELECT name, sum(time_us) FROM trace_operators WHERE rank = :rank"
                      " GROUP BY name", rank="0")
            run.query("kernels", top=5)

        Args:
            values: parameters whose names are no names of Python
            frame: as in `table`
        """
        given = dict(values or {}, **parameters)
        name = question.strip()
        if not any(letter.isspace() for letter in name):
            columns, rows = _command.ask(name, self.path, given)
        else:
            try:
                columns, rows = self._database.ask(question, given)
            except (sqlite3.Error, sqlite3.Warning) as error:
                raise ResultsError(f"The query is wrong: {error}") from None
        return rows_or_frame(rows, [self._described(name) for name in columns], "Answer", frame)

    def _described(self, name: str) -> Column:
        """A column of an answer: what all tables say of a column of that name."""
        known = [
            column for info in self.tables.values() for column in info.columns
            if column.name == name
        ]
        if len({(column.unit, column.meaning) for column in known}) != 1:
            return Column(name)
        return known[0]

    def _ask(self, sql: str) -> Tuple[List[str], List[Tuple[Value, ...]]]:
        try:
            return self._database.ask(sql)
        except sqlite3.Error as error:
            raise ResultsError(f"'{self._database.file}' is damaged: {error}") from None
