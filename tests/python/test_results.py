# SPDX-License-Identifier: Apache-2.0
"""Reading results. Numbers are taken from the CSV files and run.json of the same run, or by
hand."""

import csv
import importlib
import json
import pathlib
import shutil
import sqlite3
import sys

import opprof
import pytest

WITH_PANDAS = sys.modules.get("pandas", "") is not None and importlib.util.find_spec("pandas")


def csv_rows(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_a_table_has_the_rows_of_its_csv_file(plain):
    with opprof.open(plain) as run:
        rows = run.table("trace_operators", frame=False)
        headings = {column.name: column.heading for column in run.tables["trace_operators"].columns}
    expected = csv_rows(plain / "operators.csv")
    assert len(rows) == len(expected) > 10
    for row, line in zip(rows, expected):
        assert row["name"] == line[headings["name"]]
        assert str(row["count"]) == line[headings["count"]]


def test_a_table_goes_by_its_record_type_and_file_too(plain):
    run = opprof.open(plain)
    by_name = run.table("trace_steps", frame=False)
    assert run.table("trace.steps", frame=False) == by_name
    assert run.table("steps", frame=False) == by_name
    with pytest.raises(opprof.UnknownNameError, match="did you mean 'trace_steps'"):
        run.table("trace_stepz")
    with pytest.raises(KeyError):
        run.table("")


def test_columns_have_units_and_meanings(plain):
    run = opprof.open(plain)
    columns = {column.name: column for column in run.tables["trace_steps"].columns}
    assert columns["time_us"].unit == "us"
    assert columns["time_us"].heading == "time(us)"
    assert columns["time_us"].combine == "longest"
    assert columns["rank"].is_key and not columns["step"].is_key
    assert "host" in columns["time_us"].meaning
    assert columns["differs_in"].absent != ""
    assert run.tables["trace_steps"].title == "Iterations"


@pytest.mark.skipif(not WITH_PANDAS, reason="pandas is not installed")
def test_with_pandas_a_table_is_a_frame_with_units(plain):
    frame = opprof.open(plain).table("trace_steps")
    rows = opprof.open(plain).table("trace_steps", frame=False)
    assert list(frame["step"]) == [row["step"] for row in rows]
    assert frame["time_us"].sum() == pytest.approx(sum(row["time_us"] for row in rows))
    assert frame.attrs["units"]["time_us"] == "us"
    assert frame.attrs["title"] == "Iterations"
    assert rows.frame().equals(frame)


@pytest.mark.skipif(bool(WITH_PANDAS), reason="pandas is installed")
def test_without_pandas_a_table_is_a_list_of_dicts(plain):
    rows = opprof.open(plain).table("trace_steps")
    assert isinstance(rows, list) and isinstance(rows[0], dict)
    with pytest.raises(ImportError):
        opprof.open(plain).table("trace_steps", frame=True)


def test_advice_is_that_of_run_json(plain):
    run = opprof.open(plain)
    with open(plain / "run.json", encoding="utf-8") as file:
        expected = json.load(file)["advice"]
    assert [advice.sentence for advice in run.advice] == [each["sentence"] for each in expected]
    first = run.advice[0]
    assert (first.rule, first.todo, first.subject) == tuple(
        expected[0][name] for name in ("rule", "todo", "subject")
    )
    assert first.gain_percent == pytest.approx(expected[0]["gain"], abs=0.05)
    assert str(first).startswith(f"up to {first.gain_percent:.1f} %: {first.sentence}")
    assert run.complete and run.missing is None
    assert run.info["complete"] is True
    assert "Advice" in run.report


def test_without_spans_the_way_to_get_them_is_named(plain):
    for ask in (opprof.open(plain).spans, opprof.open(plain).counters):
        with pytest.raises(opprof.NoTimelinesError, match="formats=spans"):
            ask()


def test_spans_are_those_of_the_views(with_spans):
    run = opprof.open(with_spans)
    database = sqlite3.connect(with_spans / "results.sqlite")
    for rows, view in ((run.spans(frame=False), "spans"), (run.counters(frame=False), "counters")):
        cursor = database.execute(f"SELECT * FROM {view}")
        assert [column.name for column in rows.columns] == [each[0] for each in cursor.description]
        key = repr
        assert sorted((tuple(row.values()) for row in rows), key=key) == sorted(cursor, key=key)
        assert len(rows) > 5


def test_a_query_is_sql_or_an_installed_question(plain):
    run = opprof.open(plain)
    rows = run.query(
        "SELECT count(*) AS steps, median(time_us) AS m, quantile(time_us, 0.25) AS q,"
        " spread(time_us) AS s FROM trace_steps WHERE rank = :rank", rank="0", frame=False,
    )
    times = sorted(row["time_us"] for row in run.table("trace_steps", frame=False))
    assert len(times) == 2  # of two values the quantiles are on the line between them
    low, high = times
    assert rows[0] == {
        "steps": 2, "m": pytest.approx((low + high) / 2),
        "q": pytest.approx(low + (high - low) / 4), "s": pytest.approx((high - low) / 2),
    }
    tables = run.query("tables", frame=False)
    assert {row["name"] for row in tables} == set(run.tables)
    column = run.query("columns", column="time_us", frame=False)
    assert {row["unit"] for row in column} == {"us"}
    with pytest.raises(opprof.ResultsError, match="no such column"):
        run.query("SELECT no_column FROM trace_steps")
    with pytest.raises(opprof.ResultsError, match="0 to 1|finalize"):
        run.query("SELECT quantile(time_us, 2) FROM trace_steps")
    with pytest.raises(opprof.RunError) as error:
        run.query("no-such-question")
    assert error.value.exit_code == 2


def test_a_query_cannot_write(plain):
    with pytest.raises(opprof.ResultsError, match="readonly|read-only"):
        opprof.open(plain).query("DELETE FROM trace_steps")


def test_a_notebook_shows_the_advice_first_and_no_markup_of_the_data(plain, tmp_path):
    shutil.copy(plain / "results.sqlite", tmp_path / "results.sqlite")
    database = sqlite3.connect(tmp_path / "results.sqlite")
    database.execute("UPDATE advice SET sentence = '<script>bad()</script>'")
    database.execute("UPDATE trace_steps SET step = '<img src=x>'")
    database.execute("UPDATE opprof_run SET value = '0' WHERE name = 'complete'")
    database.execute("UPDATE opprof_run SET value = '<b>cut' WHERE name = 'missing'")
    database.commit()
    run = opprof.open(tmp_path)
    page = run._repr_html_()
    assert "&lt;script&gt;bad()" in page and "<script>" not in page
    assert "Incomplete:</b> &lt;b&gt;cut" in page
    assert page.index("&lt;script") < page.index("<table>")
    shown = run.table("trace_steps", frame=False)._repr_html_()
    assert "&lt;img" in shown and "<img" not in shown
    assert ">time_us</th>" in shown and 'title="From start to end on the host' in shown
    assert ">compute(us)</th>" in shown and ">NA</td>" in shown


def test_the_example_of_the_guide_runs(plain, capsys):
    guide = pathlib.Path(__file__).parents[2] / "docs/using/python.md"
    example = guide.read_text(encoding="utf-8").rpartition("```python\n")[2].partition("```")[0]
    run = opprof.open(plain)
    exec(example, {"run": run})
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 5
    slowest = max(csv_rows(plain / "steps.csv"), key=lambda row: float(row["time(us)"]))["step"]
    assert all(line.startswith(f"{slowest} ") for line in lines)


def test_results_that_cannot_be_read_say_so(plain, tmp_path):
    with pytest.raises(opprof.ResultsError, match="no such file"):
        opprof.open(tmp_path)
    (tmp_path / "results.sqlite").write_bytes(b"")
    with pytest.raises(opprof.ResultsError, match="no database of opprof's results"):
        opprof.open(tmp_path)
    whole = (plain / "results.sqlite").read_bytes()
    (tmp_path / "results.sqlite").write_bytes(whole[:5000])
    with pytest.raises(opprof.ResultsError, match="no database of opprof's results|damaged"):
        opprof.open(tmp_path).table("trace_steps")
    (tmp_path / "results.sqlite").write_bytes(whole)
    database = sqlite3.connect(tmp_path / "results.sqlite")
    database.execute("UPDATE opprof_run SET value = '2' WHERE name = 'format'")
    database.commit()
    database.close()
    with pytest.raises(opprof.ResultsError, match="has format 2"):
        opprof.open(tmp_path / "results.sqlite")


def test_what_lies_beside_a_database_is_not_read(plain, tmp_path):
    shutil.copy(plain / "results.sqlite", tmp_path / "results.sqlite")
    (tmp_path / "results.sqlite-wal").write_bytes(b"\x37\x7f\x06\x82" + bytes(4096))
    assert len(opprof.open(tmp_path).table("trace_steps", frame=False)) == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "results.sqlite", "results.sqlite-wal",
    ]


def test_results_of_an_older_version_lack_columns(plain, tmp_path):
    shutil.copy(plain / "results.sqlite", tmp_path / "results.sqlite")
    database = sqlite3.connect(tmp_path / "results.sqlite")
    database.execute("ALTER TABLE opprof_columns DROP COLUMN combine")
    database.execute("ALTER TABLE advice DROP COLUMN todo")
    database.execute("DELETE FROM opprof_columns WHERE table_name = 'advice' AND name = 'todo'")
    database.commit()
    run = opprof.open(tmp_path)
    assert run.tables["trace_steps"].columns[0].combine == ""
    assert run.advice[0].todo is None
