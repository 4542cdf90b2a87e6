#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Read a native Perfetto trace by the numbers of the published schema, and compare it with what
stages gave.

usage: perfetto_decode.py TRACE MHZ RESULTS TAP...

TAP: files that --tap wrote of ports of spans and counters; their ticks are of a clock of MHZ, those
of documents with a slash of one twice as fast; those of samples are microseconds. RESULTS:
directory with the trace.json of each document, which names processes and lanes. Slices, moments,
arrows and samples must be the same. Exits with 1 where they are not. Python 3 standard library
only.
"""
import collections
import csv
import json
import os
import struct
import sys

SLICE_BEGIN, SLICE_END, INSTANT, COUNTER = 1, 2, 3, 4


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7f) << shift
        shift += 7
        if byte < 0x80:
            return value, at


def fields(data):
    """Members of a message: number to list of values; texts and messages as bytes."""
    found, at = collections.defaultdict(list), 0
    while at < len(data):
        key, at = varint(data, at)
        kind = key & 7
        if kind == 0:
            value, at = varint(data, at)
        elif kind == 1:
            value, at = data[at:at + 8], at + 8
        elif kind == 2:
            size, at = varint(data, at)
            value, at = data[at:at + size], at + size
        else:
            raise ValueError("wire type %d at byte %d" % (kind, at))
        if at > len(data):
            raise ValueError("a member ends after its message")
        found[key >> 3].append(value)
    return found


def text(value):
    return value.decode("utf-8", "replace")


def one(message, number, default=None):
    return message[number][-1] if number in message else default


def read_packets(path):
    with open(path, "rb") as file:
        data = file.read()
    return [fields(packet) for packet in fields(data)[1]]


class Sequence:
    """Texts of a packet sequence, by use."""

    def __init__(self):
        self.texts = {number: {} for number in (1, 2, 3, 29)}

    def add(self, interned):
        for number, texts in self.texts.items():
            for entry in map(fields, interned.get(number, [])):
                texts[one(entry, 1)] = text(one(entry, 2, b""))


class Slice:
    def __init__(self, place, name, start, args):
        self.place, self.name, self.start, self.end, self.args = place, name, start, None, args

    def key(self):
        return self.place + (self.name, self.start, self.end)


class Trace:
    def __init__(self, path):
        self.tracks, self.counters = {}, []
        self.slices, self.moments, self.arrows = [], [], []
        events = []
        sequences = collections.defaultdict(Sequence)
        for packet in read_packets(path):
            sequence = sequences[one(packet, 10)]
            if one(packet, 13) == 1:
                sequence.texts = Sequence().texts
            if 60 in packet:
                self.add_track(fields(one(packet, 60)))
            if 12 in packet:
                sequence.add(fields(one(packet, 12)))
            if 11 in packet:
                events.append((one(packet, 8), fields(one(packet, 11)), sequence))
        events.sort(key=lambda event: event[0])  # stable
        self.stacks, self.flows = collections.defaultdict(list), {}
        for time, event, sequence in events:
            self.follow(time, event, sequence)
        if any(self.stacks.values()):
            raise ValueError("slices without end")

    def add_track(self, track):
        self.tracks[one(track, 1)] = (text(one(track, 2, b"")), one(track, 5), 8 in track)

    def place(self, uuid):
        """Names from the document down."""
        names = []
        while uuid is not None:
            name, uuid, _ = self.tracks[uuid]
            names.insert(0, name)
        return tuple(names)

    def annotations(self, event, sequence):
        args = {}
        for annotation in map(fields, event.get(4, [])):
            key = sequence.texts[3][one(annotation, 1)]
            if 17 in annotation:
                args[key] = sequence.texts[29][one(annotation, 17)]
            elif 6 in annotation:
                args[key] = text(one(annotation, 6))
            elif 7 in annotation:
                args[key] = hex(one(annotation, 7))
            elif 5 in annotation:
                args[key] = struct.unpack("<d", one(annotation, 5))[0]
            else:
                args[key] = one(annotation, 3)
        return args

    def follow(self, time, event, sequence):
        kind, uuid = one(event, 9), one(event, 11)
        if kind == COUNTER:
            self.counters.append(self.place(uuid) + (time, struct.unpack("<d", one(event, 44))[0]))
            return
        if kind == SLICE_END:
            piece = self.stacks[uuid].pop()
            piece.end = time
        else:
            piece = Slice(self.place(uuid), sequence.texts[2][one(event, 10)], time,
                          self.annotations(event, sequence))
            if kind == SLICE_BEGIN:
                if self.stacks[uuid]:
                    raise ValueError("slices overlap on one track: %s" % (piece.place,))
                self.stacks[uuid].append(piece)
                self.slices.append(piece)
            else:
                piece.end = time
                self.moments.append(piece)
        for flow in event.get(47, []):
            if flow in self.flows:
                self.arrows.append((self.flows[flow], piece))
            self.flows[flow] = piece
        for flow in event.get(48, []):
            if flow in self.flows:
                self.arrows.append((self.flows.pop(flow), piece))


class Names:
    """What a document calls its processes and lanes."""

    def __init__(self, results):
        self.results, self.known = results, {}

    def load(self, document):
        names = {}
        with open(os.path.join(self.results, document + ".json"), encoding="utf-8") as file:
            for event in json.load(file)["traceEvents"]:
                if event["ph"] == "M" and event["name"] == "process_name":
                    names[str(event["pid"]),] = event["args"]["name"]
                if event["ph"] == "M" and event["name"] == "thread_name":
                    names[str(event["pid"]), str(event["tid"])] = event["args"]["name"]
        return names

    def place(self, label):
        """From "document process thread", none of which but the process has blanks here."""
        document, rest = label.split(" ", 1)
        process, thread = rest, None
        if " " in rest and not rest.startswith("MTE "):
            process, thread = rest.rsplit(" ", 1)
        if document not in self.known:
            self.known[document] = self.load(document)
        names = self.known[document]
        place = (document, names.get((process,), process))
        return place if thread is None else place + (names.get((process, thread), thread),)


def nanoseconds(document, ticks, mhz):
    hz = int(mhz * 1000000) * (2 if "/" in document else 1)
    picoseconds = (2 * ticks * 10 ** 12 + hz) // (2 * hz)
    return (picoseconds + 500) // 1000


def read_taps(paths, names, mhz):
    slices, moments, arrows, counters, ends, halves = [], [], [], [], {}, {}
    for path in paths:
        with open(path, encoding="utf-8") as file:
            for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
                place = names.place(row["track"])
                if "value" in row:
                    if row["value"] != "NA":
                        counters.append(place + (row["name"], 1000 * int(row["time"]),
                                                 float(row["value"])))
                    continue
                start, kind = int(row["start"]), int(row["kind"])
                begin = nanoseconds(place[0], start, mhz)
                key = (place[0], row["id"])
                if kind == 1:
                    slices.append(place + (row["name"], begin,
                                           nanoseconds(place[0], start + int(row["duration"]),
                                                       mhz)))
                elif kind == 2:
                    halves[key + place + (row["name"],)] = begin
                elif kind == 3:
                    slices.append(place + (row["name"], halves.pop(key + place + (row["name"],)),
                                           begin))
                elif kind == 4:
                    moments.append(place + (row["name"], begin, begin))
                else:
                    ends.setdefault(key, {})[kind] = (place, begin)
    for pair in ends.values():
        arrows.append((pair[5], pair[6]))
    return slices, moments, arrows, counters


def differ(what, ours, theirs):
    ours, theirs = collections.Counter(ours), collections.Counter(theirs)
    for sign, rest in (("only in the trace", ours - theirs), ("only in the taps", theirs - ours)):
        for entry in list(rest)[:5]:
            print("%s %s: %s" % (what, sign, entry))
    return ours != theirs


def is_at(piece, end):
    return piece.place == end[0] and piece.start <= end[1] <= piece.end


def arrows_differ(ours, theirs):
    rest, bad = collections.defaultdict(list), False
    for tail, head in ours:
        rest[tail.place, head.place].append((tail, head))
    for tail, head in theirs:
        found = next((pair for pair in rest[tail[0], head[0]] if is_at(pair[0], tail)
                      and is_at(pair[1], head)), None)
        if found is None and head[1] < tail[1]:
            continue  # the head is earlier: Perfetto can't show it
        if found is None:
            print("no arrow from %s to %s" % (tail, head))
            bad = True
        else:
            rest[tail[0], head[0]].remove(found)
    return bad


def main(argv):
    if len(argv) < 5:
        sys.stderr.write(__doc__)
        return 2
    trace = Trace(argv[1])
    slices, moments, arrows, counters = read_taps(argv[4:], Names(argv[3]), float(argv[2]))
    bad = differ("slice", (piece.key() for piece in trace.slices), slices)
    bad |= differ("moment", (piece.key() for piece in trace.moments), moments)
    bad |= differ("sample", trace.counters, counters)
    bad |= arrows_differ(trace.arrows, arrows)
    print("%d slices, %d moments, %d arrows, %d samples on %d tracks" % (
        len(trace.slices), len(trace.moments), len(trace.arrows), len(trace.counters),
        len(trace.tracks)))
    return 1 if bad or not slices else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
