# SPDX-License-Identifier: Apache-2.0
"""Runs the installed queries on results: queries.py OPPROF-RUN DIRECTORY PIPELINE...; results are
in DIRECTORY/PIPELINE."""
import csv
import glob
import json
import sqlite3
import subprocess
import sys

program, directory = sys.argv[1:3]
pipelines = sys.argv[3:]
failures = 0


def check(claim, what):
    global failures
    if not claim:
        failures += 1
        print("FAIL:", what)


def rows_of(pipeline, pattern):
    """Rows of all CSV files of that name."""
    found = []
    for path in glob.glob(f"{directory}/{pipeline}/{pattern}", recursive=True):
        with open(path, newline="") as file:
            found += list(csv.DictReader(file))
    return found


def sums(rows, names, column):
    """Sum of a column by other columns, the largest first."""
    total = {}
    for row in rows:
        key = tuple(row[name] for name in names)
        total[key] = total.get(key, 0) + float(row[column])
    return sorted(total.items(), key=lambda item: -item[1])


def near(value, wanted):
    return abs(value - wanted) <= 1e-6 * max(1, abs(wanted))


def check_cores(rows):
    cores = rows_of("sim-dump", "core_summary.csv")
    check(len(rows) == len(cores) and {row[0] for row in rows} == {core["core_name"]
                                                                   for core in cores}, "cores")
    check(all(near(row[1], float(core["duration_time(us)"])) for row in rows for core in cores
              if core["core_name"] == row[0]), "durations of cores")


def check_instructions(rows):
    best = sums(rows_of("sim-dump", "**/*_instr_exe.csv"), ["instr", "pipe", "addr"],
                "running_time(us)")
    check(near(rows[0][4], best[0][1]), f"longest instruction: {rows[0]}, not {best[0]}")


def check_lines(rows):
    best = sums(rows_of("sim-dump", "**/*_code_exe.csv"), ["code"], "running_time(us)")
    check(near(rows[0][2], best[0][1]), f"longest line: {rows[0]}, not {best[0]}")


def check_units(rows):
    cubes = [row for row in rows_of("onboard-dump", "PipeUtilization.csv")
             if row["sub_block_id"].startswith("cube")]
    mean = 100 * sum(float(row["aic_cube_ratio"]) for row in cubes) / len(cubes)
    check(abs(rows[0][0] - mean) <= 0.05 + 1e-4, f"cube ratio: {rows[0][0]}, not {mean}")


def check_kernels(rows):
    info = rows_of("onboard-dump", "OpBasicInfo.csv")
    check(rows == [(info[0]["Op Name"], 1, float(info[0]["Task Duration(us)"]),
                    float(info[0]["Task Duration(us)"]), 100.0)],
          f"kernels: {rows}")


def check_advice(rows):
    advice = rows_of("onboard-dump", "advice.csv")
    check(sorted((row[1], row[7], row[8] or "NA")
                 for row in rows) == sorted((row["sentence"], row["column"], row["file"])
                                            for row in advice), "advice")


def check_idle(rows):
    wanted = sums(rows_of("kineto", "idle_breakdown*.csv"), ["rank", "idle_category"], "idle_time")
    check(len(rows) == len(wanted) and near(rows[0][2], wanted[0][1]), f"idle: {rows[0]}, not "
          f"{wanted[0]}")


QUERIES = {
    "sim-dump": {"cores": check_cores, "instructions": check_instructions,
                 "source-lines": check_lines, "flag-waits": None, "beginning": None},
    "onboard-dump": {"kernels": check_kernels, "cube-units": check_units, "advice": check_advice},
    "kineto": {"idle": check_idle, "columns": None, "tables": None},
}

databases = {name: sqlite3.connect(f"file:{directory}/{name}/results.sqlite?mode=ro", uri=True)
             for name in pipelines}
for pipeline in pipelines:
    for query, compare in QUERIES[pipeline].items():
        done = subprocess.run([program, "--query", query, f"{directory}/{pipeline}", "--format",
                               "json"], capture_output=True,
                              text=True, check=False)
        check(done.returncode == 0, f"{query}: {done.stderr}")
        rows = [tuple(row)
                for row in json.loads(done.stdout)["rows"]] if done.returncode == 0 else []
        check(rows and any(value is not None for value in rows[0]), f"no answer: {query}")
        if rows and compare:
            compare(rows)
for name, database in databases.items():
    check(database.execute("PRAGMA integrity_check").fetchall() == [("ok",)], f"{name}: integrity")
    check(dict(database.execute("SELECT name, value FROM opprof_run"))["complete"] == "1",
          f"{name}: complete")
    for table, count in database.execute("SELECT name, row_count FROM opprof_tables").fetchall():
        check(database.execute(f'SELECT count(*) FROM "{table}"').fetchone() == (count,),
              f"{name}: rows of {table}")
sys.exit(failures > 0)
