#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Operators and annotations of a trace, counted without a stack: every event looks at every other
one.

operators_model.py TRACE RESULTS compares with operators.csv, annotations.csv, modules.csv and
python_frames.csv of RESULTS, and the operator of each kernel with trace.json.
"""
import collections
import csv
import gzip
import json
import os
import sys
from fractions import Fraction

KINDS = {"cpu_op": "operators", "user_annotation": "annotations", "python_function": "modules",
         "frame": "python_frames"}
DEVICE = {"kernel", "gpu_memcpy", "gpu_memset"}
CALLS = {"cuda_runtime", "cuda_driver"}


def load(path):
    opener = gzip.open if path.endswith(".gz") else open
    with opener(path, "rt", encoding="utf-8") as file:
        return json.load(file, parse_float=Fraction, parse_int=Fraction)["traceEvents"]


def is_kept(event):
    name = event["name"]
    if event["cat"] == "python_function" and not name.startswith("nn.Module: "):
        event["cat"] = "frame"
    return event["cat"] in KINDS and not name.startswith("ProfilerStep#")


def innermost(hosts, kind, thread, at):
    """The last event in order that began by then and has not ended."""
    found = None
    for host in hosts[thread]:
        if host["ts"] > at:
            break
        if host["cat"] == kind and host["ts"] + host["dur"] > at:
            found = host
    return found


def note_inside(listed, host):
    """Its time is inside the last one that began before it, and after the end of that inside the
    one before."""
    start, end = host["ts"], host["ts"] + host["dur"]
    earlier = listed[:next(i for i, other in enumerate(listed) if other is host)]
    for other in reversed(earlier):
        to = min(end, other["ts"] + other["dur"])
        if other["cat"] == host["cat"] and to > start:
            other["inside"] += to - start
            start = to


def main():
    trace, results = sys.argv[1:]
    events = [e for e in load(trace) if e.get("ph") == "X" and "dur" in e]
    hosts = collections.defaultdict(list)
    for event in events:
        if is_kept(event):
            hosts[event["pid"], event["tid"]].append(event)
    for thread, listed in hosts.items():
        listed.sort(key=lambda e: (e["ts"], -e["dur"]))
        for host in listed:
            host.update(inside=0, device=0, kernels=0, delay=0, launches=0, device_all=0,
                        kernels_all=0)
            note_inside(listed, host)
    calls = {}
    for event in events:
        if event["cat"] in CALLS and "correlation" in event["args"]:
            calls.setdefault(event["args"]["correlation"], event)
    owned = collections.Counter()
    seen = set()
    work = sorted((e for e in events if e["cat"] in DEVICE), key=lambda e: e["ts"])
    for event in work:
        correlation = event["args"].get("correlation")
        call = calls.get(correlation)
        if call is None:
            continue
        for kind in KINDS:
            host = innermost(hosts, kind, (call["pid"], call["tid"]), call["ts"])
            if host is None:
                continue
            host["device"] += event["dur"]
            host["kernels"] += 1
            for other in hosts[call["pid"], call["tid"]]:
                if other["cat"] == kind and other["ts"] <= call["ts"] < other["ts"] + other["dur"]:
                    other["device_all"] += event["dur"]
                    other["kernels_all"] += 1
            if kind == "cpu_op":
                owned[host["name"]] += 1
            if correlation not in seen:
                host["launches"] += 1
                host["delay"] += max(event["ts"] - call["ts"] - call["dur"], 0)
        seen.add(correlation)
    check(hosts, results)
    with open(os.path.join(results, "trace.json"), encoding="utf-8") as file:
        drawn = collections.Counter(e["args"]["operator"] for e in json.load(file)["traceEvents"]
                                    if "operator" in e.get("args", {}) and e["cat"] != "gap")
    assert drawn == owned, "operators of kernels differ"


def is_nested(listed, host):
    """One of its kind and name began before it and was still open when it began."""
    for other in listed:
        if other is host:
            return False
        if other["cat"] == host["cat"] and other["name"] == host["name"] and other["ts"] + other[
            "dur"] > host["ts"]:
            return True
    return False


def tables_of(hosts):
    tables = {name: collections.defaultdict(lambda: [0] * 9) for name in KINDS.values()}
    for listed in hosts.values():
        for host in listed:
            row = tables[KINDS[host["cat"]]][host["name"]]
            nested = is_nested(listed, host)
            for i, value in enumerate([1, 0 if nested else host["dur"],
                                       max(host["dur"] - host["inside"], 0), 0 if nested
                                       else host["device_all"], host["device"],
                                       0 if nested else host["kernels_all"], host["kernels"],
                                       host["delay"], host["launches"]]):
                row[i] += value
    return tables


def check(hosts, results):
    for name, table in tables_of(hosts).items():
        path = os.path.join(results, name + ".csv")
        rows = list(csv.DictReader(open(path, encoding="utf-8"))) if os.path.exists(path) else []
        assert len(rows) == len(table), f"{name}: {len(rows)} rows, not {len(table)}"
        for row in rows:
            count, total, own, device, device_own, kernels, kernels_own, delay, launches = table[
                row["name"]]
            wanted = [count, total, own, device, device_own, kernels, kernels_own]
            found = [Fraction(row[key]) for key in ("count", "total(us)", "self(us)",
                                                    "device_total(us)", "device_self(us)",
                                                    "kernels_total", "kernels_self")]
            assert found == wanted, f"{name}: {row} instead of {[str(v) for v in wanted]}"
            if launches == 0:
                assert row["launch_delay_mean(us)"] == "NA", row
            else:
                assert abs(float(row["launch_delay_mean(us)"]) - float(
                               delay / launches)) < 6e-4, row
        order = [(-float(r["device_total(us)"]), -float(r["total(us)"]), r["name"]) for r in rows]
        assert order == sorted(order), f"{name} is not in order"
        print(f"{name}: {len(rows)} rows agree")


main()
