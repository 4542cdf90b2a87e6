#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draw rows by the definition: whole tables in memory, sorted, one byte a tick and lane. Slow and
simple, to compare with what the plugin does while rows stream by.

usage: draw_model.py ROWS.TSV MHZ DIRECTORY     rows as --tap writes them, of sim.instruction
"""
import csv
import json
import os
import sys

NUMBERS = {"SCALAR": 10, "SCALARLDST": 20, "VECTOR": 30, "CUBE": 40, "MTE1": 50, "MTE2": 60,
           "MTE3": 70, "FIXP": 80, "FLOWCTRL": 90, "ALL": 100}


class Row:
    def __init__(self, record):
        self.start, self.end = int(record["start"]), int(record["end"])
        self.pc = int(record["pc"], 16)
        self.pipe, self.name, self.detail = record["pipe"], record["name"], record["detail"]
        self.lane = "SCALARLDST" if self.pipe == "SCALAR" and "XD:" in self.detail else self.pipe

    def args(self):
        return {"code": "", "detail": self.detail, "pc_addr": hex(self.pc)}


def read_rows(path):
    cores = {}
    with open(path, encoding="utf-8") as file:
        for record in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            cores.setdefault(record["core"], []).append(Row(record))
    for rows in cores.values():
        rows.sort(key=lambda row: (row.end, row.pc))
    return cores


def shortened(row, latest_end):
    """Start of a wait: the end of what came before, if that lies inside."""
    if latest_end is not None and row.start < latest_end < row.end:
        return latest_end
    return row.start


def pairs_of(sets, waits):
    """(set or None, wait or None), the i-th with the i-th of a key."""
    for key in sorted(set(sets) | set(waits)):
        of_sets, of_waits = sets.get(key, []), waits.get(key, [])
        for i in range(max(len(of_sets), len(of_waits))):
            yield (of_sets[i] if i < len(of_sets) else None,
                   of_waits[i] if i < len(of_waits) else None)


def draw_main(core, rows, us):
    events, sets, waits, latest = [], {}, {}, {}

    def add(row, phase, tick, **more):
        events.append(dict(name=row.name, ph=phase, pid=core, tid=row.pipe, ts=us(tick), **more))

    for row in rows:
        if row.name == "SET_FLAG":
            sets.setdefault(row.detail, []).append((row, row.end - 1))
        elif row.name == "WAIT_FLAG":
            waits.setdefault(row.detail, []).append((row, shortened(row, latest.get(row.pipe))))
        else:
            latest[row.pipe] = max(latest.get(row.pipe, 0), row.end)
            start, length = (row.end - 1, 1) if row.name == "BAR" else (row.start,
                                                                        row.end - row.start)
            add(row, "X", start, dur=us(length), args=row.args())
    for number, (a_set, a_wait) in enumerate(pairs_of(sets, waits)):
        number = "%s_%d" % (core, number)
        for row, start in filter(None, (a_set, a_wait)):
            add(row, "B", start, args=row.args(), id=number)
            add(row, "E", row.end, args={}, id=number)
        if a_set and a_wait:
            category = "%sTo%s" % (a_set[0].pipe, a_wait[0].pipe)
            for phase, (row, _) in (("s", a_set), ("t", a_wait)):
                events.append(dict(name="flow", ph=phase, pid=core, tid=row.pipe, ts=us(row.end),
                                   id=number, cat=category))
    return events


def list_lanes(rows):
    """Rows of each lane in drawing order, waits shortened."""
    lanes, before = {}, {}
    for row in rows:
        lane = lanes.setdefault(row.lane, [])
        start, end = before.get(row.lane, (0, 0))
        if row.name == "WAIT_FLAG" and lane:
            row.start = shortened(row, end)
        if row.end == end and row.start > start:
            lane.insert(len(lane) - 1, row)
        else:
            lane.append(row)
        before[row.lane] = row.start, row.end
    return lanes


def draw_own(rows, us):
    events, sets, waits = [], {}, {}
    for lane, listed in sorted(list_lanes(rows).items(), key=lambda item: NUMBERS[item[0]]):
        last, taken = listed[-1].end, []
        events.append(dict(name="process_name", ph="M", pid=NUMBERS[lane], tid=0,
                           args={"name": lane}))
        for row in listed:
            if row.name == "BAR":
                row.start = row.end - 1
            ticks = slice(min(row.start, last), min(row.end + 1, last))
            thread = next((i for i, sub_lane in enumerate(taken) if not any(sub_lane[ticks])),
                          len(taken))
            if thread == len(taken):
                taken.append(bytearray(last))
                events.append(dict(name="thread_name", ph="M", pid=NUMBERS[lane], tid=thread + 1,
                                   args={"name": "%s_%d" % (lane, thread + 1)}))
            taken[thread][ticks] = b"\1" * (ticks.stop - ticks.start)
            start = row.end - 1 if row.name == "SET_FLAG" else row.start
            event = dict(name=row.name, ph="X", pid=NUMBERS[lane], tid=thread + 1, ts=us(start),
                         dur=us(row.end - start), args=row.args())
            events.append(event)
            if row.name in ("SET_FLAG", "WAIT_FLAG"):
                kept = sets if row.name == "SET_FLAG" else waits
                kept.setdefault(row.detail, []).append((event, lane))
    for number, (a_set, a_wait) in enumerate(pairs_of(sets, waits)):
        if not (a_set and a_wait):
            continue
        for phase, (event, _), part in (("s", a_set, 0.5), ("t", a_wait, 1)):
            events.append(dict(name="flow", ph=phase, id=str(number), pid=event["pid"],
                               tid=event["tid"], ts=event["ts"] + event["dur"] * part,
                               cat="%sTo%s" % (a_set[1], a_wait[1])))
    return events


def write(path, events):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"traceEvents": events}, file)


def main(argv):
    if len(argv) != 4:
        sys.stderr.write(__doc__)
        return 2

    def us(ticks):
        return ticks / float(argv[2])

    together = []
    for core, rows in read_rows(argv[1]).items():
        together += draw_main(core, rows, us)
        write(os.path.join(argv[3], core, "trace.json"), draw_own(rows, us))
    write(os.path.join(argv[3], "trace.json"), together)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
