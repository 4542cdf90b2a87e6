#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Rules about launches: what they say of made-up counters, with gains computed by hand; and that
their advice reaches all who show it."""
import csv
import json
import os
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools"))
from onboard_raw import Launch, main, run, same  # noqa: E402  (needs the path)

COLUMNS = ["severity", "topic", "subject", "sentence", "numbers", "value", "unit", "column", "file",
           "gain(%)", "rule", "todo", "gain_us", "whole_us", "from_table", "start_us", "track"]


def slow():
    """A cube that is idle, at a low clock, with a slow pipe, and one core that takes longer."""
    launch = Launch("910b", freq=800, rated=1850)
    for block, cycles in enumerate((10000, 10000, 30000)):
        launch.core("cube", cycles, {10: 1000, 12: 9000, 50: 10, 33: 10, 73: 10, 49: 5},
                    block=block)
    return launch


def rows_of(result):
    with open(os.path.join(result.directory, "advice.csv"), encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    same(rows[0], COLUMNS)
    return [dict(zip(COLUMNS, row)) for row in rows[1:]]


def record_of(result):
    with open(os.path.join(result.directory, "run.json"), encoding="utf-8") as file:
        return json.load(file)["advice"]


def said(result, rule):
    """The only advice of a rule; None: it says nothing."""
    rows = [row for row in rows_of(result) if row["rule"] == rule]
    same(len(rows) <= 1, True)
    return rows[0] if rows else None


def gain(result, rule):
    row = said(result, rule)
    return None if row is None else row["gain(%)"]


def advice_reaches_all_who_show_it():
    result = slow().run("default,occupancy,roofline")
    rows = rows_of(result)
    same({row["rule"] for row in rows}, {"low-clock", "launch-overhead", "few-blocks",
                                         "board-unequal-cores"})
    same([float(row["gain(%)"]) for row in rows], sorted((float(row["gain(%)"]) for row in rows),
                                                         reverse=True))
    same({row["severity"] for row in rows}, {"hint"})
    same({row["subject"] for row in rows}, {"NA"})
    record = record_of(result)
    same(sorted((one["topic"], one["sentence"], one["todo"]) for one in record),
         sorted((row["topic"], row["sentence"], row["todo"]) for row in rows))
    screen = " ".join(result.errors.split())  # long sentences are broken
    same(all(row["sentence"] in screen for row in rows[:3]), True)


def advice_tells_what_could_be_won():
    result = slow().run("default")
    row = said(result, "low-clock")
    same((row["sentence"], row["value"], row["column"]),
         ("The clock is 800 MHz, its rate is 1850 MHz", "800.0", "clock_mhz"))
    same(row["gain(%)"], "56.8")  # 1 - 800 / 1850
    # The longest core takes 30000 cycles, 37.5 us, of 100 us.
    same(gain(result, "launch-overhead"), "62.5")
    # The mean of 10000, 10000 and 30000 cycles instead of the largest: 16.7 us.
    same(gain(result, "board-unequal-cores"), "16.7")
    # 21 of 24 cores have nothing to do.
    same(gain(result, "few-blocks"), "32.8")


def a_pipe_that_waits_could_have_a_second_buffer():
    def launch(waits, busy):
        return Launch("910b", freq=1000, rated=1000).core("cube", 100000,
                                                          {12: busy, 91: waits, 10: 5000},
                                                          block=0).run("default")
    row = said(launch(30000, 60000), "board-single-buffer")
    same((row["sentence"], row["gain(%)"]), ("MTE2, the busiest pipe, waits for flags 30 % "
                                             "of the time", "30.0"))
    # it cannot take less than it is busy
    same(gain(launch(45000, 60000), "board-single-buffer"), "40.0")
    same(gain(launch(9000, 60000), "board-single-buffer"), None)
    # The cube unit is busiest, and waits.
    row = said(Launch("910b", freq=1000,
                      rated=1000).core("cube", 100000,
                                       {10: 50000, 88: 20000, 12: 40000}).run("default"),
               "board-single-buffer")
    same(row["sentence"], "Cube, the busiest pipe, waits for flags 20 % of the time")


def scalar_code_conflicts_and_fetches_are_named():
    def launch(kind, events):
        return Launch("910b", freq=1000, rated=1000).core(kind, 100000, events).run("default")
    same(gain(launch("vector", {9: 80000, 8: 30000}), "board-scalar-bound"), "70.0")
    same(gain(launch("vector", {9: 40000, 8: 30000}), "board-scalar-bound"), None)
    # 25 % of conflicts, of four kinds.
    result = launch("vector", {8: 80000, 100: 10000, 101: 5000, 102: 5000, 103: 5000, 12: 30000})
    same((said(result, "board-bank-conflicts")["sentence"], gain(result, "board-bank-conflicts")),
         ("Vector loses 25 % of the time to bank conflicts", "25.0"))
    # another pipe is the bound
    same(gain(launch("vector", {8: 30000, 100: 25000, 12: 80000}), "board-bank-conflicts"), None)
    same(gain(launch("cube", {9: 20000, 114: 15000, 10: 30000}), "board-instruction-fetch"), "15.0")
    same(gain(launch("cube", {9: 20000, 114: 4000, 10: 30000}), "board-instruction-fetch"), None)
    # The scalar pipe waits, and no other does.
    same(gain(launch("vector", {9: 10000, 87: 50000, 12: 40000, 8: 30000}), "board-barriers"),
         "50.0")
    same(gain(launch("vector", {9: 10000, 87: 50000, 12: 40000, 91: 20000, 8: 30000}),
              "board-barriers"), None)
    same(gain(launch("cube", {771: 80000, 12: 40000, 10: 30000}), "board-feeding-pipe"), "60.0")


def moves_far_below_the_bandwidth_are_slow():
    """At a tenth of the peak of 340.1 GiB/s MTE2 would be busy for an eighth as long at 80 % of
    it."""
    def launch(share):
        moved = round(share * 340.1 * 2**30 * 80e-6 / 256)
        return Launch("910b", freq=1000,
                      rated=1000).core("cube", 100000, {12: 80000, 50: moved, 10: 20000, 33: 1000,
                                                        73: 1000}).run("default,roofline")
    same((said(launch(0.1), "board-slow-moves")["sentence"], gain(launch(0.1), "board-slow-moves")),
         ("MTE2, the busiest pipe, reaches only 10 % of its bandwidth while it is busy", "70.0"))
    same(gain(launch(0.6), "board-slow-moves"), None)


def a_launch_in_which_nothing_is_wrong_gets_a_note():
    launch = Launch("910b", freq=1000, rated=1000, block_dim=24)
    for block in range(24):
        launch.core("cube", 99000, {10: 90000, 12: 50000, 9: 1000}, block=block)
    rows = rows_of(launch.run("default"))
    same([(row["rule"], row["severity"], row["gain(%)"]) for row in rows],
         [("healthy-launch-without-roof", "note", "NA")])
    same(rows[0]["sentence"], "No cause above 2 % was found: Cube, the busiest pipe, is busy 91 % "
                              "of the time")


def launches_of_a_kernel_add_up():
    with tempfile.TemporaryDirectory() as root:
        for order in range(12):
            slow().write(os.path.join(root, "device0", "add", str(order), "dump"))
        runs = [rows_of(run(root, "default,occupancy,roofline")) for _ in range(3)]
        same(runs[0] == runs[1] == runs[2], True)
        same({row["subject"] for row in runs[0]}, {"add"})
        row = next(row for row in runs[0] if row["rule"] == "low-clock")
        same((row["gain(%)"], row["whole_us"]), ("56.8", "1200.000"))


if __name__ == "__main__":
    main([advice_reaches_all_who_show_it, advice_tells_what_could_be_won,
          a_pipe_that_waits_could_have_a_second_buffer, scalar_code_conflicts_and_fetches_are_named,
          moves_far_below_the_bandwidth_are_slow, a_launch_in_which_nothing_is_wrong_gets_a_note,
          launches_of_a_kernel_add_up])
