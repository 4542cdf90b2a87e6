#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Advice reaches advice.csv, run.json, the screen and the viewer, each with the numbers it rests on."""
import csv
import json
import os
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools"))
from onboard_raw import Launch, main, run, same  # noqa: E402  (needs the path)

COLUMNS = ["severity", "topic", "subject", "sentence", "numbers", "value", "unit", "column", "file", "gain(%)",
           "rule", "todo", "gain_us", "whole_us", "from_table", "start_us", "track"]


def slow():
    """A cube that is idle, at a low clock, with a slow pipe, and one core that takes longer."""
    launch = Launch("910b", freq=800, rated=1850)
    for block, cycles in enumerate((10000, 10000, 30000)):
        launch.core("cube", cycles, {10: 1000, 12: 9000, 50: 10, 33: 10, 73: 10, 49: 5}, block=block)
    return launch


def rows_of(result):
    with open(os.path.join(result.directory, "advice.csv"), encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    same(rows[0], COLUMNS)
    return [dict(zip(COLUMNS, row)) for row in rows[1:]]


def record_of(result):
    with open(os.path.join(result.directory, "run.json"), encoding="utf-8") as file:
        return json.load(file)["advice"]


def advice_reaches_all_who_show_it():
    result = slow().run("default,occupancy,roofline")
    rows = rows_of(result)
    same({row["topic"] for row in rows}, {"operator", "memory", "occupancy", "roofline"})
    same({row["severity"] for row in rows if row["topic"] != "roofline"}, {"hint"})
    same({row["subject"] for row in rows}, {"NA"})
    record = record_of(result)
    same(sorted((one["topic"], one["sentence"], one["numbers"]) for one in record),
         sorted((row["topic"], row["sentence"], row["numbers"]) for row in rows))
    screen = " ".join(result.errors.split())  # long sentences are broken
    shown = [row for row in rows if "! " + row["sentence"] in screen]
    same(len(shown) == len(rows) or (len(shown) >= 3 and " more" in screen), True)
    blocks = result.blocks()
    said = blocks[5]["advice"] + result.advice("0") + [line.split(") ", 1)[1].rstrip(".")
                                                       for line in blocks[12]["advice"].splitlines()]
    same({row["sentence"] for row in rows} - set(said), {"roofline: " + blocks[13]["advice"]})


def advice_names_the_numbers_it_rests_on():
    found = {row["sentence"]: row["numbers"] for row in rows_of(slow().run("default,occupancy"))}
    same(found["The current frequency is lower than the rated frequency"], "Current Freq=800 MHz, Rated Freq=1850 MHz")
    same(found["cube0 of core[2] take more time than other cube cores"],
         "cycles: lowest=10000, mean=16666.7, highest=30000, cores=3")
    same(found["aicore compute usage lower than 20%"], "Cube of block 0: total_cycles=10000, ratio=10 %, times=3")
    same(found["MTE2 bandwidth utilization lower than 80% when active"],
         "MTE2 of block 0: instructions=0, cycle=9000, wait cycles=0, active rate(%)=90, times=3")


def said(result, sentence):
    return next(row for row in rows_of(result) if row["sentence"] == sentence)


def advice_names_the_file_and_column_of_its_number():
    """The number of each sentence is in the column of the file that it names; the record has the same."""
    result = slow().run("default,occupancy,roofline")
    views = json.dumps(result.blocks())
    for row, one in zip(sorted(rows_of(result), key=str), sorted(record_of(result), key=lambda one: str(list(one.values())))):
        same(row["file"] != "NA" and row["column"] != "NA", True)
        if row["file"].endswith(".csv"):
            with open(os.path.join(result.directory, row["file"]), encoding="utf-8", newline="") as file:
                cells = [line[row["column"]] for line in csv.DictReader(file)]
            same(any(cell != "NA" and abs(float(cell) - float(row["value"])) < 1e-6 for cell in cells), True)
        else:
            same((row["file"], '"%s"' % row["column"] in views), ("visualize_data.bin", True))
        same(set(one), {"severity", "topic", "subject", "sentence", "numbers", "value", "unit", "column", "file", "gain", "rule",
                        "todo", "gain_us", "whole_us", "from_table", "start_us", "track"})
    record = {one["sentence"]: one for one in record_of(result)}
    for row in rows_of(result):
        one = record[row["sentence"]]
        same((one["column"], one["file"], one["value"]), (row["column"], row["file"], float(row["value"])))
        same("NA" if one["gain"] is None else "%.1f" % one["gain"], row["gain(%)"])


def advice_tells_what_could_be_won():
    result = slow().run("default,occupancy,roofline")
    same(said(result, "The current frequency is lower than the rated frequency")["gain(%)"], "56.8")  # 1 - 800 / 1850
    # The mean of 10000, 10000 and 30000 cycles instead of the largest.
    same(said(result, "cube0 of core[2] take more time than other cube cores")["gain(%)"], "44.4")
    # The launch waits for the core of 30000 cycles. No pipe was busy longer than MTE2, for 9000.
    same(said(result, "aicore compute usage lower than 20%")["gain(%)"], "70.0")
    same((said(result, "aicore compute usage lower than 20%")["value"], said(result, "aicore compute usage lower than 20%")["column"]),
         ("0.1", "aic_cube_ratio"))
    mte2 = said(result, "MTE2 bandwidth utilization lower than 80% when active")
    # At its peak of 340.1 GiB/s MTE2 moves 10 * 256 bytes in 6 of these 9000 cycles.
    same((mte2["column"], mte2["file"], mte2["gain(%)"]), ("aic_mte2_ratio", "PipeUtilization.csv", "30.0"))


def advice_on_a_short_core_saves_no_more_than_its_time():
    launch = Launch("910b", freq=1000, rated=1000)
    launch.core("cube", 10000, {10: 9000, 9: 5000}, block=0).core("cube", 1000, {10: 900, 12: 900, 50: 1, 33: 1, 73: 1}, block=1)
    row = said(launch.run(code=None), "MTE2 bandwidth utilization lower than 80% when active")
    same((row["gain(%)"], row["value"]), ("9.0", "0.9"))
    # The vector cores are divided badly, but the launch waits for the cube core, which has 20000 cycles.
    launch = Launch("910b", freq=1000, rated=1000).core("cube", 20000, {10: 19000, 8: 1}, block=0)
    launch.core("vector", 2000, {8: 1900}, block=0, sub=0).core("vector", 1000, {8: 900}, block=0, sub=1)
    row = said(launch.run("default,occupancy", code=None), "vector0 of core[0] take more time than other vector cores")
    same(row["gain(%)"], "2.5")


def advice_said_once_is_that_of_the_core_with_the_largest_gain():
    launch = Launch("a5", freq=1000, rated=1000).core("cube", 10000, {810: 9000}, block=0)
    for sub, busy in ((0, 1000), (1, 5000)):
        launch.core("vector", 10000, {1281: 9000, 514: busy, 1058: 1}, block=0, sub=sub)
    launch.operands = None
    row = said(launch.run(code=None), "aivector MTE2 bandwidth utilization lower than 80% when active")
    same((row["gain(%)"], "cycle=5000" in row["numbers"]), ("50.0", True))


def advice_names_a_view_where_no_table_was_asked_for():
    rows = {row["sentence"]: row for row in rows_of(slow().run("Memory"))}
    row = rows["aicore compute usage lower than 20%"]
    same((row["file"], row["column"], row["unit"], row["value"]), ("visualize_data.bin", "ratio", "%", "10.0"))


def advice_of_a_launch_names_the_file_in_its_folder():
    with tempfile.TemporaryDirectory() as root:
        for order in range(2):
            slow().write(os.path.join(root, "device0", "add", str(order), "dump"))
        result = run(root, "default,occupancy,roofline")
        for row in rows_of(result):
            same(row["file"].startswith(row["subject"] + "/"), True)
            same(os.path.exists(os.path.join(result.directory, row["file"])), True)


def advice_on_many_launches_is_one_file():
    """Rows stand by severity, launch, topic and sentence, whatever was ready first."""
    with tempfile.TemporaryDirectory() as root:
        for order in range(12):
            slow().write(os.path.join(root, "device0", "add", str(order), "dump"))
        runs = [rows_of(run(root, "default,occupancy,roofline")) for _ in range(3)]
        same(runs[0] == runs[1] == runs[2], True)
        hints = [row["subject"] for row in runs[0] if row["severity"] == "hint"]
        same(list(dict.fromkeys(hints)), ["add/%d" % order for order in range(12)])
        same(os.path.exists(os.path.join(root, "advice_2.csv")), False)


def without_advice_there_is_no_file():
    result = Launch("910b", freq=1850, rated=1850).core("cube", 10000, {10: 9000}).run("BasicInfo")
    same(os.path.exists(os.path.join(result.directory, "advice.csv")), "advice" in result.errors.lower())
    result = Launch("310p", freq=1060, rated=1060).core("core", 100, {10: 90, 8: 90}).run()
    same((os.path.exists(os.path.join(result.directory, "advice.csv")), record_of(result)), (False, []))


if __name__ == "__main__":
    main([advice_reaches_all_who_show_it, advice_names_the_numbers_it_rests_on,
          advice_names_the_file_and_column_of_its_number, advice_tells_what_could_be_won,
          advice_on_a_short_core_saves_no_more_than_its_time, advice_said_once_is_that_of_the_core_with_the_largest_gain,
          advice_names_a_view_where_no_table_was_asked_for, advice_of_a_launch_names_the_file_in_its_folder, advice_on_many_launches_is_one_file,
          without_advice_there_is_no_file])
