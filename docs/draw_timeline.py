#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draw part of a trace.json as an SVG picture, for the documents.

    examples/dump/make_dump.sh dump
    opprof-run --pipeline sim-dump --set input=dump --set chip=Ascend910B1 --output results --flat
    docs/draw_timeline.py results/trace.json --begin 0.75 --to 2.05 >docs/images/timeline.svg
"""
import argparse
import html
import json

LEFT, RIGHT, TOP, LANE, GAP = 118, 12, 30, 19, 26
WIDTH = 1000
COLOURS = ["#4e79a7", "#f28e2b", "#59a14f", "#b07aa1", "#e15759", "#76b7b2", "#9c755f", "#edc948"]
LANE_COLOURS = {"SCALAR": 0, "VECTOR": 2, "MTE2": 1, "MTE3": 3, "CACHEMISS": 4, "USERMARK": 5, "CUBE": 6, "MTE1": 7}


def read(path):
    """Processes in their order, each with its lanes in theirs, and the events of each lane."""
    with open(path, encoding="utf-8") as file:
        events = json.load(file)
    events = events["traceEvents"] if isinstance(events, dict) else events
    sort = {}
    lanes = {}
    for event in events:
        if event["ph"] == "M" and event["name"].endswith("_sort_index"):
            key = event["pid"] if event["name"].startswith("process") else (event["pid"], event["tid"])
            sort[key] = event["args"]["sort_index"]
        elif event["ph"] in "XBst":
            lanes.setdefault(event["pid"], {}).setdefault(event["tid"], []).append(event)
    order = sorted(lanes, key=lambda pid: sort.get(pid, 0))
    return [(pid, sorted(lanes[pid].items(), key=lambda lane: sort.get((pid, lane[0]), 0))) for pid in order]


class Picture:
    """An SVG picture of the time from `begin` to `end`, in microseconds."""

    def __init__(self, begin, end):
        self.begin, self.end, self.y = begin, end, TOP
        self.parts = []
        self.arrows = {}

    def x(self, time):
        return LEFT + (time - self.begin) / (self.end - self.begin) * (WIDTH - LEFT - RIGHT)

    def text(self, x, y, text, size=11, fill="#444", anchor="start", weight="normal"):
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" fill="{fill}" text-anchor="{anchor}" '
                          f'font-weight="{weight}">{html.escape(text)}</text>')

    def rectangle(self, x, y, width, height, fill, title=None):
        inside = f"<title>{html.escape(title)}</title>" if title else ""
        self.parts.append(f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" fill="{fill}" '
                          f'rx="1.5">{inside}</rect>')

    def bar(self, event, colour):
        start = max(self.x(event["ts"]), LEFT)
        stop = min(self.x(event["ts"] + event["dur"]), WIDTH - RIGHT)
        if stop <= LEFT or start >= WIDTH - RIGHT:
            return
        width = max(stop - start, 0.8)
        self.rectangle(start, self.y + 2, width, LANE - 4, colour, f'{event["name"]}: {event["dur"]} us')
        if width > len(event["name"]) * 6.3 + 4:
            self.text(start + width / 2, self.y + LANE - 6, event["name"], 10, "#fff", "middle")

    def lane(self, name, events):
        self.rectangle(LEFT, self.y + 1, WIDTH - LEFT - RIGHT, LANE - 2, "#f3f4f6")
        self.text(LEFT - 8, self.y + LANE - 6, name, anchor="end")
        for event in events:
            if event["ph"] == "X":
                self.bar(event, COLOURS[LANE_COLOURS.get(name, 7)])
            elif event["ph"] in "st":
                self.arrows.setdefault(event["id"], []).append((event["ph"], event["ts"], self.y + LANE / 2))
        self.y += LANE

    def draw_arrows(self):
        for ends in self.arrows.values():
            ends.sort()
            if [end[0] for end in ends] != ["s", "t"] or not self.begin <= ends[0][1] <= ends[1][1] <= self.end:
                continue
            (x1, y1), (x2, y2) = ((self.x(time), y) for _, time, y in ends)
            self.parts.append(f'<path d="M{x1:.1f},{y1:.1f} C{x1 + 9:.1f},{y1:.1f} {x2 - 9:.1f},{y2:.1f} {x2:.1f},{y2:.1f}" '
                              'fill="none" stroke="#d1495b" stroke-width="1" opacity="0.75"/>')

    def axis(self):
        step = next(step for step in (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 1e9) if (self.end - self.begin) / step <= 10)
        tick = int(self.begin / step + 0.999999) * step
        while tick <= self.end:
            x = self.x(tick)
            self.parts.append(f'<line x1="{x:.1f}" y1="{TOP - 8}" x2="{x:.1f}" y2="{self.y}" stroke="#d8dade"/>')
            self.text(x, TOP - 13, f"{tick:g} µs", 10, anchor="middle")
            tick += step

    def __str__(self):
        return (f'<?xml version="1.0" encoding="UTF-8"?>\n<!-- SPDX-License-Identifier: Apache-2.0 -->\n'
                f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {self.y + 8}" width="{WIDTH}" '
                f'height="{self.y + 8}" font-family="Helvetica, Arial, sans-serif">\n'
                f'<rect width="{WIDTH}" height="{self.y + 8}" fill="#fff"/>\n' + "\n".join(self.parts) + "\n</svg>")


def main():
    parser = argparse.ArgumentParser(description="Draw part of a trace.json as SVG.")
    parser.add_argument("trace")
    parser.add_argument("--begin", type=float, help="first microsecond; default: that of the first event")
    parser.add_argument("--to", type=float, help="last microsecond; default: that of the last event")
    arguments = parser.parse_args()
    processes = read(arguments.trace)
    slices = [event for _, lanes in processes for _, events in lanes for event in events if event["ph"] == "X"]
    first = min(event["ts"] for event in slices)
    last = max(event["ts"] + event["dur"] for event in slices)
    picture = Picture(first if arguments.begin is None else arguments.begin, last if arguments.to is None else arguments.to)
    for process, lanes in processes:
        picture.text(8, picture.y + 12, process, 12, "#111", weight="bold")
        picture.y += GAP - 6
        for name, events in lanes:
            picture.lane(name, events)
        picture.y += 8
    picture.draw_arrows()
    bars, picture.parts = picture.parts, []
    picture.axis()
    picture.parts += bars
    print(picture)


if __name__ == "__main__":
    main()
