# SPDX-License-Identifier: Apache-2.0
"""Compares what a run recorded with what others saw.

  account.py counts RESULTS FILE…    commands by function, added up, as a second layer counted them
  account.py drift RESULTS FILE      host times of a clock that drifts, as its driver wrote them
  account.py times RESULTS OUTPUT    times, as the program's own profiling calls gave them
"""
import csv
import glob
import json
import os
import sys


def spans(results):
    paths = glob.glob(os.path.join(results, "trace.json")) + \
        glob.glob(os.path.join(results, "rank*", "trace.json"))
    for path in paths:
        with open(path, encoding="utf-8") as file:
            for event in json.load(file)["traceEvents"]:
                if event["ph"] == "X" and "device_start(ns)" in event.get("args", {}):
                    yield event


def compare_counts(results, paths):
    counted = {}
    for path in paths:
        with open(path, encoding="utf-8") as file:
            for line in file:
                name, count = line.split()
                counted[name] = counted.get(name, 0) + int(count)
    counted = {name: count for name, count in counted.items() if count > 0}
    recorded = {}
    with open(os.path.join(results, "host_calls.csv"), encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["name"].startswith("clEnqueue"):
                recorded[row["name"]] = recorded.get(row["name"], 0) + int(row["count"])
    assert recorded == counted, (recorded, counted)
    ids = [event["args"]["correlation"] for event in spans(results)]
    assert len(ids) == sum(counted.values()), (len(ids), counted)
    print(len(ids))


def compare_times(results, output):
    said = []
    with open(output, encoding="utf-8") as file:
        for line in file:
            if line.startswith("clEnqueue"):
                said.append(tuple(int(word) for word in line.split()[1:]))
    found = []
    for event in spans(results):
        args = event["args"]
        found.append(tuple(args["device_%s(ns)" % name]
                           for name in ("queued", "submit", "start", "end")))
        assert round(event["dur"] * 1000) == found[-1][3] - found[-1][2], event
    assert sorted(found) == sorted(said), (sorted(found), sorted(said))
    assert said
    # One distance to the host's clock for all of them: nothing was stretched.
    starts = sorted((event["args"]["device_start(ns)"], event["ts"]) for event in spans(results))
    for ticks, place in starts:
        passed = (place - starts[0][1]) * 1000
        assert abs(passed - (ticks - starts[0][0])) < 500, (ticks, place)  # of a double
    print(len(said))


def compare_drift(results, path):
    with open(os.path.join(results, "opencl_devices.csv"), encoding="utf-8") as file:
        device, = csv.DictReader(file)
    assert device["clock"] == "drifts", device
    error_us = float(device["clock_error(us)"])
    assert error_us < 20000, device
    with open(path, encoding="utf-8") as file:
        truth = dict(map(int, line.split()) for line in file)
    # Each command starts 1000 ns after it was queued.
    places = sorted((truth[event["args"]["device_queued(ns)"]] + 1000, event["ts"])
                    for event in spans(results))
    assert len(places) == len(truth) > 100, len(places)
    for host, place in places:
        passed = (host - places[0][0]) / 1000
        assert abs(place - places[0][1] - passed) <= 2 * error_us + 1, (host, place, error_us)
    # Without following it, the last would be off by this much.
    print(round((places[-1][0] - places[0][0]) / 1e6), error_us)


if __name__ == "__main__":
    if sys.argv[1] == "counts":
        compare_counts(sys.argv[2], sys.argv[3:])
    elif sys.argv[1] == "drift":
        compare_drift(sys.argv[2], sys.argv[3])
    else:
        compare_times(sys.argv[2], sys.argv[3])
