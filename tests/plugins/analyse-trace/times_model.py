#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Check that timelines have the times of the traces they are made of, digit by digit.

usage: times_model.py TOOLS RESULTS TRACE...

TOOLS: folder of perfetto_decode.py. Device work and iterations of each TRACE must be in trace.json
(the merged one, where there are several traces) and in trace.pftrace at the very times that the
trace has. Exits with 1 where they are not. Python 3 standard library only.
"""
import collections
import decimal
import glob
import gzip
import json
import os
import sys

WORK = {"kernel", "Kernel", "gpu_memcpy", "Memcpy", "gpu_memset", "Memset"}


def load(path):
    opener = gzip.open if path.endswith(".gz") else open
    with opener(path, "rt", encoding="utf-8") as file:
        return json.load(file, parse_float=decimal.Decimal,
                         parse_int=decimal.Decimal)["traceEvents"]


def slices(events):
    return collections.Counter((e["name"], e["ts"], e["dur"]) for e in events if e.get("ph") == "X")


def expect(condition, what):
    if not condition:
        sys.exit("FAIL: " + what)


def main(tools, results, traces):
    sys.path.insert(0, tools)
    import perfetto_decode as decode
    wanted = collections.Counter()
    for trace in traces:
        wanted += slices(e for e in load(trace) if e.get("cat") in WORK or
                         (e.get("cat") == "user_annotation"
                          and e["name"].startswith("ProfilerStep#")))
    expect(sum(wanted.values()) > 0, "nothing to compare")
    drawn = slices(load(os.path.join(results, "trace.json")))
    expect(not wanted - drawn, "missing: %s" % list((wanted - drawn).items())[:3])
    documents = sorted(glob.glob(os.path.join(results, "*", "trace.json")))
    if documents:
        events = [json.dumps(e, sort_keys=True, default=str) for path in documents
                  for e in load(path)]
        merged = [json.dumps(e, sort_keys=True, default=str)
                  for e in load(os.path.join(results, "trace.json"))]
        expect(collections.Counter(events) == collections.Counter(merged), "the merged trace is "
               "not all of the others")
    with open(os.path.join(results, "trace.pftrace"), "rb") as file:
        packets = decode.fields(file.read())[1]
    starts = collections.Counter()
    for packet in map(decode.fields, packets):
        for event in map(decode.fields, packet.get(11, [])):
            if decode.one(event, 9) == decode.SLICE_BEGIN:
                starts[decode.one(packet, 8)] += 1
    # Perfetto has whole nanoseconds, as these traces do.
    expect(starts == collections.Counter(int(ts * 1000) for _, ts, _ in drawn.elements()),
           "times of trace.pftrace differ")


main(sys.argv[1], sys.argv[2], sys.argv[3:])
