#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes raw files of timelines: records one by one, or a described workload of several cards.

As a program: mc2_raw.py [--cards N] [--kind mc2|lccl|plain] [--blocks N] [--steps N] [--seed N]
DIRECTORY
"""

import argparse
import json
import os
import random
import struct

SOCS = {"910b": "Ascend910B1", "950": "Ascend950PR_9599"}
KHZ = {"910b": 50000, "950": 1000000}
ITEMS = {
    "hccl_info": 0x0448D1A5EA052639,
    "Notify_Record": 0x9EB5886F0B5EF22F,
    "Notify_Wait": 0xAB44B101F36F4B07,
    "Memcpy": 0x628F0043A268D0CF,
    "Inter_Rank_Record": 0xFE1A130F3676775D,
    "Inter_Processor_Sync": 0x23F07C59D5C54AAF,
    "Reduce_Inline": 0x2C384F8E83425F7A,
    "RDMASend": 0x220E79FE6508B9CE,
}
AI_CORE, AI_CPU, NOTIFY_RECORD, NOTIFY_WAIT, WRITE_VALUE, SDMA = 0, 1, 6, 7, 8, 11


def block(chip, is_cube, block_id, sub, start, end, stream=3, task=2):
    """A record of DeviceProf<k>.bin: a block that ran."""
    record = bytearray(128)
    record[0] = 41
    struct.pack_into("<HH", record, 4, stream, task)
    if chip == "910b":
        record[20] = 0 if is_cube else 1
        struct.pack_into("<HH", record, 28, sub, block_id)
    else:
        record[20] = 0 if is_cube else 1
        struct.pack_into("<HH", record, 24, sub, block_id)
    struct.pack_into("<QQ", record, 112, start, end)
    return bytes(record)


def acsq(chip, kind, function, stream, task, time):
    """A record of duration.bin: a start (0) or an end (1)."""
    head = struct.pack("<HHHHQ", kind << 10 | function, 0, stream, task, time)
    return head.ljust(64 if chip == "910b" else 32, b"\0")


def task_pair(chip, kind, stream, task, start, end):
    return acsq(chip, kind, 0, stream, task, start) + acsq(chip, kind, 1, stream, task, end)


def report(kind, data, magic=0x5A5A, length=None):
    """A record of aicpu.bin."""
    head = struct.pack("<HHIIIQ", magic, 6000, kind, 1, len(data) if length is None else length, 0)
    return (head + data).ljust(256, b"\0")


def turn(number, times, stream, task):
    return report(4, struct.pack("<7QQIHHBBB5x", *times, 0, 0, stream, task, 0, 9, number))


def comm_slot(item, task, stream, plane, local=0, remote=1, notify=0, size=0, kinds=(0, 0, 0),
              group=1, estimated=0.0):
    """Half of a report of communication tasks; kinds: transport, data type, link."""
    return struct.pack("<QQQIIIIQQdQQQIIHHBBBBBBB9x", item, 0, group, local, remote, 2, 0, notify,
                       0, estimated, 0, 0, size, task, 0, stream, plane, 0, kinds[1], kinds[2],
                       kinds[0], 0, 0, 0)


def comm(*slots):
    return report(13, b"".join(slots).ljust(232, b"\0"))


def mark(time, block_id, desc, pc):
    return struct.pack("<QIIQ", time, block_id, desc, pc)


def lccl_mark(log, block_id, time, pc=0, operation=0, rest=0):
    return struct.pack("<IIQQII", log, block_id, time, pc, operation, rest)


def word(cycles, info):
    return struct.pack("<I", info << 16 | cycles)


def stamp(time, block_id=0):
    parts = [block_id & 0xFF, block_id >> 8, 0, 0]
    return b"".join(struct.pack("<HBB", time >> 16 * i & 0xFFFF, parts[i], 0xE0 + i)
                    for i in range(4))


def chunk(core, kind, data):
    """A chunk of timeline.bin.<k>."""
    return struct.pack("<HHI", core, kind, len(data)) + data.ljust(2097152, b"\0")


def put(directory, name, data):
    os.makedirs(directory, exist_ok=True)
    with open(os.path.join(directory, name), "wb") as file:
        file.write(data.encode() if isinstance(data, str) else data)


def info(chip, kind="plain", extra=""):
    return (f"Op Name=made_up\nRun Soc Version={SOCS[chip]}\nIs MC2={int(kind == 'mc2')}\n"
            f"Is Lccl={int(kind == 'lccl')}\n{extra}")


class Card:
    """What one card of the workload did; times are of its own counter."""

    def __init__(self, rank, ahead):
        self.rank = rank
        self.ahead = ahead
        self.spans = []  # (process, thread, name, start, end)
        self.files = {"DeviceProf1.bin": b"", "duration.bin": b"", "aicpu.bin": b"",
                      "aic_timestamp.bin": b""}
        self.slots = []

    def add(self, name, data):
        self.files[name] += data

    def span(self, process, thread, name, start, end):
        self.spans.append((process, thread, name, start, end))


def workload(cards, blocks, steps, seed, chip="910b"):
    """Cards that calculate and exchange in a ring. Returns them; card 0's clock is true time."""
    draw = random.Random(seed)
    base = 536000000000
    made = [Card(i, 0 if i == 0 else draw.randrange(-10**9, 10**9)) for i in range(cards)]
    begin = base + 1000
    sent = {}
    tasks = [100] * cards
    clock = [begin + draw.randrange(50, 500) for _ in made]
    for card in made:
        card.begin = begin + draw.randrange(0, 40)
        card.end = card.begin
        card.first = clock[card.rank]
    for step in range(steps):
        for card in made:
            at, rank = clock[card.rank], card.rank
            to = (rank + 1) % cards
            start, end = at, at + draw.randrange(1, 30)
            sent[rank] = start
            emit_comm(card, chip, NOTIFY_RECORD, "Notify_Record", tasks[rank], rank, to, start, end,
                      50 + rank)
            tasks[rank] += 1
            clock[rank] = end + draw.randrange(1, 50)
        for card in made:
            rank, origin = card.rank, (card.rank - 1) % cards
            start = clock[rank]
            end = max(start + 1, sent[origin] + draw.randrange(1, 20))
            emit_comm(card, chip, NOTIFY_WAIT, "Notify_Wait", tasks[rank], rank, origin, start, end,
                      50 + origin)
            tasks[rank] += 1
            start, end = end + draw.randrange(1, 20), end + draw.randrange(20, 400)
            emit_comm(card, chip, SDMA, "Memcpy", tasks[rank], rank, origin, start, end, 0,
                      size=draw.randrange(1 << 20))
            tasks[rank] += 1
            clock[rank] = end + draw.randrange(1, 50)
    for card in made:
        card.last = clock[card.rank]
        finish_card(card, chip, blocks, max(clock), draw)
    return made


def emit_comm(card, chip, kind, name, task, local, remote, start, end, notify, size=0):
    start, end = start + card.ahead, end + card.ahead
    plane = task % 2
    card.add("duration.bin", task_pair(chip, kind, 53 + plane, task, start, end))
    card.slots.append(comm_slot(ITEMS[name], task, 53 + plane, plane, local, remote, notify, size))
    types = {NOTIFY_RECORD: "NOTIFY_RECORD_SQE", NOTIFY_WAIT: "NOTIFY_WAIT_SQE", SDMA: "SDMA_SQE"}
    card.span("HCCL", f"STREAM{53 + plane}", types[kind], start, end)
    card.span("HCCL TASK", f"PLANE{plane}", name, start, end)


def finish_card(card, chip, blocks, last, draw):
    begin, ahead = card.begin + card.ahead, card.ahead
    cpu = begin - draw.randrange(1, 100)
    finish = last + draw.randrange(100, 2000) + ahead
    card.add("duration.bin", task_pair(chip, AI_CPU, 4, 1, cpu, finish + 10))
    card.add("duration.bin", task_pair(chip, AI_CORE, 3, 2, begin, finish))
    card.span("AI CPU", "AI_CPU", "AI_CPU", cpu, finish + 10)
    card.span("AI CORE", "AI_CORE", "AI_CORE", begin, finish)
    for index in range(blocks):
        for sub, is_cube in ((0, True), (0, False), (1, False)):
            start = begin + draw.randrange(1, 50)
            end = start + draw.randrange((finish - start) // 2, finish - start)
            card.add("DeviceProf1.bin", block(chip, is_cube, index, sub, start, end))
            lane = f"core{index}." + ("cubecore0" if is_cube else f"veccore{sub}")
            card.span("BLOCK", lane, "cube time" if is_cube else "vector time", start, end)
            physical = index if is_cube else 25 + 2 * index + sub
            number = index if is_cube else 2 * index + sub
            at = start + draw.randrange(1, 10)
            until = draw.randrange(at + 1, end)
            card.add("aic_timestamp.bin", mark(at, physical << 16 | number, 0x1020, 0x40))
            card.add("aic_timestamp.bin", mark(until, physical << 16 | number, 0x1021, 0x44))
            card.span("BLOCK", lane, "WAIT", at, until)
    for i in range(0, len(card.slots), 2):
        card.add("aicpu.bin", comm(*card.slots[i:i + 2]))
    names = ["StartServer", "TaskWaitRequest", "TaskOrchestration", "TaskLaunch", "TaskExecute",
             "Finalize"]
    # The exchange is a collective: it begins with the first notice, and what all sent came before
    # it ends.
    times = [cpu + 2 * i + 1 for i in range(4)] + [card.first + ahead, card.first + 10 + ahead,
                                                   card.last + ahead]
    card.add("aicpu.bin", turn(0, times, 60, 100))
    for i, name in enumerate(names):
        card.span("AI CPU", "TURN0", name, times[i], times[i + 1])
    card.zero = cpu


def write_run(directory, made, chip="910b", kind="mc2"):
    for card in made:
        where = directory if len(made) == 1 else os.path.join(directory, f"device{card.rank}",
                                                              "made_up", "0", "dump")
        put(where, "op_basic_info.txt", info(chip, kind))
        for name, data in card.files.items():
            put(where, name, data)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cards", type=int, default=2)
    parser.add_argument("--blocks", type=int, default=4)
    parser.add_argument("--steps", type=int, default=8)
    parser.add_argument("--chip", choices=SOCS, default="910b")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("directory")
    options = parser.parse_args()
    made = workload(options.cards, options.blocks, options.steps, options.seed, options.chip)
    write_run(options.directory, made, options.chip)
    truth = [{"rank": c.rank, "ahead": c.ahead, "zero": c.zero, "spans": c.spans} for c in made]
    put(options.directory, "truth.json", json.dumps(truth))


if __name__ == "__main__":
    main()
