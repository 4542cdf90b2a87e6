#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Import a trace.json as Perfetto does and tell which arrows appear.

usage: perfetto_rules.py [--own] FILE...

The rules, as its JSON importer applies them:
- times are whole nanoseconds, cut off; events are sorted by time, and events of one time stay in
the order of the file;
- a lane has a stack of open slices. X and B push; before that, slices on top that have ended are
popped. An X that
  begins inside another one with a known end and ends after it is dropped. E ends the topmost open
  slice of its name;
- an id is a number, or a text that is one in base 16, with or without 0x; an arrow with any other
id is dropped;
- s and t bind to the slice on top of the stack of their lane; without one they are dropped. An
arrow is there if both
  ends of its id are bound, s first. One whose head is earlier than its tail therefore can't be
  shown.

Prints a line a file. Exits with 1 if an arrow does not appear, with --own also if an end is bound
to a slice that neither begins with the name of a flag nor has the arrow's id. Python 3 standard
library only.
"""
import collections
import decimal
import json
import sys

FLAGS = ("SET_", "WAIT_", "set_event", "wait_event")


class Slice:
    def __init__(self, event, start, end):
        self.event, self.start, self.end = event, start, end


def nanoseconds(value):
    return int(decimal.Decimal(value) * 1000)


def flow_id(event):
    value = event.get("id")
    if isinstance(value, int):
        return value
    try:
        return int(value, 16)
    except (TypeError, ValueError):
        return None


class Lane:
    """The open slices of a process and thread."""

    def __init__(self):
        self.stack = []
        self.dropped = 0

    def close(self, now):
        while self.stack and self.stack[-1].end is not None and self.stack[-1].end <= now:
            self.stack.pop()

    def begin(self, event, now):
        self.close(now)
        self.stack.append(Slice(event, now, None))

    def complete(self, event, now):
        end = now + nanoseconds(event["dur"])
        self.close(now)
        if self.stack and self.stack[-1].end is not None and self.stack[-1].end < end:
            self.dropped += 1
            return
        self.stack.append(Slice(event, now, end))

    def end(self, event, now):
        for i in range(len(self.stack) - 1, -1, -1):
            if self.stack[i].end is None and self.stack[i].event["name"] == event["name"]:
                self.stack[i].end = now
                if i == len(self.stack) - 1:
                    self.stack.pop()
                return

    def top(self):
        return self.stack[-1] if self.stack else None


def is_own(flow, bound):
    return bound is not None and (bound.event.get("id", "") == flow["id"]
                                  or bound.event["name"].startswith(FLAGS))


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file, parse_float=decimal.Decimal)["traceEvents"]


def follow(events):
    """Counts of arrows and of their ends, and slices that were dropped."""
    lanes = collections.defaultdict(Lane)
    counts = collections.Counter()
    open_flows = {}
    timed = [e for e in events if e["ph"] in "XBEst"]
    tails = {e["id"]: nanoseconds(e["ts"]) for e in timed if e["ph"] == "s"}
    counts["backwards"] = sum(e["ph"] == "t" and nanoseconds(e["ts"]) < tails[e["id"]]
                              for e in timed)
    timed.sort(key=lambda e: nanoseconds(e["ts"]))  # stable
    for event in timed:
        lane, now = lanes[str(event["pid"]), str(event["tid"])], nanoseconds(event["ts"])
        phase = event["ph"]
        if phase == "X":
            lane.complete(event, now)
        elif phase == "B":
            lane.begin(event, now)
        elif phase == "E":
            lane.end(event, now)
        else:
            bound, number = lane.top(), flow_id(event)
            counts["arrows"] += phase == "s"
            counts["without a number"] += number is None
            counts["unbound"] += bound is None
            counts["on another slice"] += bound is not None and not is_own(event, bound)
            if number is None or bound is None:
                continue
            if phase == "s":
                open_flows[number] = bound
            elif open_flows.pop(number, None) is not None:
                counts["shown"] += 1
    counts["slices dropped"] = sum(lane.dropped for lane in lanes.values())
    return counts


def main(argv):
    own = "--own" in argv
    failed = False
    for path in (a for a in argv[1:] if a != "--own"):
        counts = follow(load(path))
        failed |= counts["shown"] + counts["backwards"] != counts["arrows"] or (
            own and counts["on another slice"] > 0)
        print("%s: %s" % (path, ", ".join("%d %s" % (counts[key], key) for key in (
            "arrows", "shown", "backwards", "without a number", "unbound", "on another slice",
            "slices dropped"))))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
