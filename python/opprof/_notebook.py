# SPDX-License-Identifier: Apache-2.0
"""What a notebook shows. All texts come from outside: each is escaped."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, List, Sequence, Union

from ._database import Column, Value

if TYPE_CHECKING:
    from ._results import Advice, Run

ROWS_SHOWN = 20
SUMMARY_ROWS_SHOWN = 5
TABLES_SHOWN = 6


def escape(text: object) -> str:
    return html.escape(str(text), quote=True)


def _number(value: Union[int, float]) -> str:
    """With six digits, but never with an exponent where people read times."""
    if isinstance(value, int):
        return str(value)
    return f"{value:.0f}" if 1e5 <= abs(value) < 1e15 else f"{value:.6g}"


def _cell(value: Value, column: Column) -> str:
    if value is None:
        return '<td style="color:gray">NA</td>'
    if isinstance(value, (int, float)):
        return f'<td style="text-align:right">{_number(value)}</td>'
    return f'<td style="text-align:left">{escape(value)}</td>'


def _heading(column: Column) -> str:
    is_named = column.name.endswith((f"_{column.unit}", f"({column.unit})"))
    unit = f" ({column.unit})" if column.unit not in ("", "1") and not is_named else ""
    return f'<th title="{escape(column.meaning)}">{escape(column.name + unit)}</th>'


def table(
    title: str, columns: Sequence[Column], rows: Sequence[Sequence[Value]], most: int = ROWS_SHOWN
) -> str:
    """The first `most` rows; a heading has the column's unit, and its meaning as a tooltip."""
    head = "".join(_heading(column) for column in columns)
    body = "".join(
        "<tr>" + "".join(map(_cell, row, columns)) + "</tr>" for row in rows[:most]
    )
    more = f"<p>and {len(rows) - most} more rows</p>" if len(rows) > most else ""
    return (
        f"<p><b>{escape(title)}</b></p><table><thead><tr>{head}</tr></thead>"
        f"<tbody>{body}</tbody></table>{more}"
    )


def _advice_item(advice: Advice) -> str:
    gain = f"up to {advice.gain_percent:.1f} %: " if advice.gain_percent is not None else ""
    subject = f" ({escape(advice.subject)})" if advice.subject else ""
    todo = f"<br><i>{escape(advice.todo)}</i>" if advice.todo else ""
    return f"<li><b>{gain}</b>{escape(advice.sentence)}{subject}{todo}</li>"


def advice_list(advice: Sequence[Advice]) -> str:
    if not advice:
        return "<p>No advice.</p>"
    return "<ol>" + "".join(_advice_item(each) for each in advice) + "</ol>"


def run(run: Run) -> str:
    """Advice first, then the tables that sum the run up."""
    parts: List[str] = [f"<p><b>{escape(run.title)}</b><br><code>{escape(run.path)}</code></p>"]
    if not run.complete:
        parts.append(f'<p style="color:#b00"><b>Incomplete:</b> {escape(run.missing)}</p>')
    parts.append(advice_list(run.advice))
    summaries = [
        info for info in run.tables.values()
        if info.is_summary and info.rows > 0 and info.name != "advice"
    ]
    for info in summaries[:TABLES_SHOWN]:
        rows = run.table(info.name, frame=False)
        cells = [list(row.values()) for row in rows]
        parts.append(table(info.title, rows.columns, cells, SUMMARY_ROWS_SHOWN))
    names = ", ".join(f"{escape(info.name)} ({info.rows})" for info in run.tables.values())
    parts.append(f"<details><summary>{len(run.tables)} tables</summary>{names}</details>")
    return "".join(parts)
