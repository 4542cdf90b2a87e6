#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compare a directory of timelines with what the reference tool drew.

usage: compare_trace.py OURS EXPECTED [--without-code] [--without NAME[,NAME...]] [--other-bytes
PC[,PC...]]

Every trace.json below EXPECTED must have its counterpart below OURS with the same events, up to
what docs/using/differences.md lists: times within a float32 unit, process numbers (lanes are
compared by name), ids (compared by what they tie together, as are groups), metadata, the pipe names
of flags between cores, these flags as slices instead of halves, ends of arrows up to two ticks
earlier, samples at a nanosecond instead of 0. --without-code leaves out the texts from debug
information, --without events of these names, --other-bytes `process_bytes` of these addresses.
Prints one line a difference; exit status 1 when there is one. Python 3 standard library only.
"""
import collections
import json
import os
import sys

PIPES = {"VEC": "VECTOR"}
CODE = {"code", "trace_start", "trace_stop"}
FLOAT32_UNIT = 2.0 ** -23
PRINTED_UNIT = 1e-6  # our last decimal
FIRST_SAMPLE = 1e-3  # us
ARROW_UNIT = 2.1e-3  # two ticks of the slowest clock, 1 GHz, with what rounding adds


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)["traceEvents"]


def lane_names(events):
    """Names of processes by pid and of threads by (pid, tid), as the viewer shows them."""
    processes, threads = {}, {}
    for event in events:
        if event["ph"] == "M" and event["name"] == "process_name":
            processes[str(event["pid"])] = event["args"]["name"]
        if event["ph"] == "M" and event["name"] == "thread_name":
            threads[str(event["pid"]), str(event["tid"])] = event["args"]["name"]
    return processes, threads


def category(text):
    return None if text is None else "To".join(PIPES.get(part, part) for part in text.split("To"))


def describe(event, names, options):
    """What an event is, apart from when it is."""
    processes, threads = names
    pid, tid = str(event["pid"]), str(event["tid"])
    thread = threads.get((pid, tid), tid)
    args = {key: value for key, value in (event.get("args") or {}).items()
            if not (options["without_code"] and key in CODE)}
    if args.get("pc_addr") in options["other_bytes"]:
        args.pop("process_bytes", None)
    return (event["ph"], event["name"], processes.get(pid, pid), PIPES.get(thread, thread),
            category(event.get("cat")), json.dumps(args, sort_keys=True))


def is_near(ours, expected):
    return abs(ours - expected) <= abs(expected) * FLOAT32_UNIT + PRINTED_UNIT


def is_near_arrow(ours, expected):
    return is_near(ours, expected) or expected - ARROW_UNIT <= ours <= expected


def same_times(ours, expected, near):
    return len(ours) == len(expected) and all(
        near(a, b) for x, y in zip(sorted(ours), sorted(expected)) for a, b in zip(x, y))


def with_slices(events):
    """Flags between cores as slices without id, however they are drawn."""
    begun = {}
    for event in events:
        if event["ph"] not in "BE" or "_INTRA_BLOCK" not in event["name"]:
            yield event
        elif event["ph"] == "B":
            begun[event["id"], event["name"]] = event
        else:
            begin = begun.pop((event["id"], event["name"]))
            duration = float(event["ts"]) - float(begin["ts"])
            yield {**{key: value for key, value in begin.items() if key != "id"}, "ph": "X",
                   "dur": duration}


def rank(time, times):
    """Place of an event among those of its kind; equal for times that differ by rounding only."""
    return sum(1 for other, _ in times if other < time and not is_near(other, time))


def collect(events, options):
    """Times of all events by what they are, and what the ids tie together."""
    names = lane_names(events)
    times, tied = collections.defaultdict(list), collections.defaultdict(list)
    for event in with_slices(events):
        if event["ph"] == "M" or event["name"] in options["without"]:
            continue
        what = describe(event, names, options)
        time = float(event.get("ts", 0))
        if event["ph"] == "C" and time <= FIRST_SAMPLE:
            time = 0.0
        times[what].append((time, float(event.get("dur", 0))))
        if "id" in event:
            tied[event["id"]].append((what, float(event["ts"])))
        if "group_id" in event:
            tied["group", event["pid"], event["group_id"]].append((what, float(event["ts"])))
    ties = (tuple(sorted(((what, rank(time, times[what])) for what, time in tie), key=repr))
            for tie in tied.values())
    return times, collections.Counter(ties)


def compare(ours_path, expected_path, options):
    ours, our_ties = collect(load(ours_path), options)
    expected, expected_ties = collect(load(expected_path), options)
    differences = []
    for what in sorted(set(ours) | set(expected), key=repr):
        near = is_near_arrow if what[0] in "st" else is_near
        if not same_times(ours.get(what, []), expected.get(what, []), near):
            differences.append("%s: at %s, expected %s" % (what, sorted(ours.get(what, [])),
                                                           sorted(expected.get(what, []))))
    if not differences and our_ties != expected_ties:
        differences.append("ids tie other events together: %s, expected %s"
                           % (dict(our_ties - expected_ties), dict(expected_ties - our_ties)))
    return differences


def main(argv):
    options = {"without_code": False, "without": set(), "other_bytes": set()}
    paths = []
    at = 1
    while at < len(argv):
        if argv[at] == "--without-code":
            options["without_code"] = True
        elif argv[at] == "--without" and at + 1 < len(argv):
            at += 1
            options["without"] |= set(argv[at].split(","))
        elif argv[at] == "--other-bytes" and at + 1 < len(argv):
            at += 1
            options["other_bytes"] |= set(argv[at].split(","))
        else:
            paths.append(argv[at])
        at += 1
    if len(paths) != 2:
        sys.stderr.write(__doc__)
        return 2
    compared = failed = 0
    for root, _, files in sorted(os.walk(paths[1])):
        if "trace.json" not in files:
            continue
        compared += 1
        relative = os.path.relpath(os.path.join(root, "trace.json"), paths[1])
        try:
            differences = compare(os.path.join(paths[0], relative),
                                  os.path.join(root, "trace.json"), options)
        except (OSError, ValueError, KeyError, TypeError) as error:
            differences = ["%s: %s" % (type(error).__name__, error)]
        for difference in differences:
            failed += 1
            print("%s: %s" % (relative, difference[:500]))
    print("%d timelines compared, %d differences" % (compared, failed))
    return 1 if failed or compared == 0 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
