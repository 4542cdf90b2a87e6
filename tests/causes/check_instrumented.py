#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whether the first advice on instrumented launches, and on operators that communicate, names what
is planted: check_instrumented.py FOLDER SEEDS.

Records of instrumentation have addresses and no times, so that their causes have no gain. Of
operators that communicate the model knows it. Python 3 standard library only."""
import csv
import os
import random
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools"))
import dbi_raw  # noqa: E402  (needs the path)
import mc2_raw  # noqa: E402
from expectations import expect, finish, said  # noqa: E402

BASE = 0x12C0C0000000
LINE, SETS, WAYS = 512, 16384, 24  # of the L2 cache of an Ascend910B1
PIECE = 65536
KHZ = 50000


def advice(folder, pipeline, *settings):
    out = os.path.join(folder, "out")
    command = [os.environ["OPPROF_RUN"], "-q", "--pipeline", pipeline, "--set", "input=" +
               os.path.join(folder, "in"), "--output", out, "--flat"]
    for setting in settings:
        command += ["--set", setting]
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                          check=False)
    expect(done.returncode == 0 and "says nothing" not in done.stderr, "exit code %d: %s" %
           (done.returncode, done.stderr))
    with open(os.path.join(out, "advice.csv"), encoding="utf-8") as file:
        return list(csv.DictReader(file))


# ---- accesses of memory ----

def load(address, size):
    return dbi_raw.dma_mov(0, address, 0x40, 1, size // 32, 0, 0, "GM>L1")


def accesses(cause, draw):
    """Where a kernel loads from. All blocks but the last one of a cause are the same without it."""
    lines = draw.randrange(60, 70)
    if cause == "capacity":  # twice through more than the cache holds
        pieces = (LINE * SETS * WAYS) // PIECE * 2 + draw.randrange(50)
        return [load(BASE + i * PIECE, PIECE) for _ in range(2) for i in range(pieces)]
    if cause == "conflicts":  # a column of a matrix whose rows are as long as all sets
        return [load(BASE + row * LINE * SETS, LINE) for _ in range(4) for row in range(lines)]
    if cause == "repeated loads":
        return [load(BASE + i * PIECE, PIECE) for _ in range(16) for i in range(lines)]
    return [load(BASE + i * PIECE, PIECE) for i in range(lines)]


def check_accesses(folder, seed, cause, rule):
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(os.path.join(folder, "in"))
    with open(os.path.join(folder, "in", "op_basic_info.txt"), "w", encoding="utf-8") as file:
        file.write("Run Soc Version=Ascend910B1\n")
    dbi_raw.write_packets(os.path.join(folder, "in", "DbiPackets.bin"),
                          {2: accesses(cause, random.Random(seed))})
    rows = advice(folder, "dbi-dump", "buffers=matrix:0x%x:%d" % (BASE, 1 << 31))
    expect(rows and rows[0]["rule"] == rule, "%s, seed %d: first comes %s" %
           (cause, seed, said(rows)))
    expect(rule != "healthy-cache" or len(rows) == 1, "healthy accesses, seed %d: %s" %
           (seed, said(rows)))


# ---- operators that communicate ----

class Rank:
    """The launch of a rank: blocks that compute, notices, waits and a move, in ticks of the
    device's clock."""

    def __init__(self, number, ranks, computes, notified, moves):
        self.number, self.card = number, mc2_raw.Card(number, 0)
        begin, end = 1000000, 1000000 + max(computes, moves[1]) + 50
        other, before = (number + 1) % ranks, (number - 1) % ranks
        self.communicate(mc2_raw.NOTIFY_RECORD, "Notify_Record", 0, other, begin + notified, 10,
                         number)
        self.communicate(mc2_raw.SDMA, "Memcpy", 1, before, begin + moves[0], moves[1] - moves[0],
                         0)
        self.begin, self.end, self.before = begin, end, before
        for block in range(4):
            for sub, is_cube in ((0, True), (0, False), (1, False)):
                self.card.add("DeviceProf1.bin", mc2_raw.block("910b", is_cube, block, sub,
                                                               begin + 5 + sub, begin + computes))
                core = (block if is_cube else 25 + 2 * block + sub) << 16 | (block if is_cube
                                                                             else 2 * block + sub)
                for time, description, pc in ((begin + 20, 0x1020, 0x40),
                                              (begin + 60, 0x1021, 0x44)):
                    self.card.add("aic_timestamp.bin", mc2_raw.mark(time, core, description, pc))

    def communicate(self, kind, name, task, other, start, length, notify):
        mc2_raw.emit_comm(self.card, "910b", kind, name, 100 + task, self.number, other, start,
                          start + length, 50 + notify, size=1 << 20)

    def finish(self, waited_from, until):
        self.communicate(mc2_raw.NOTIFY_WAIT, "Notify_Wait", 2, self.before, self.begin +
                         waited_from, until - waited_from, self.before)
        self.card.add("duration.bin", mc2_raw.task_pair("910b", mc2_raw.AI_CORE, 3, 2, self.begin,
                                                        self.end))
        self.card.add("duration.bin", mc2_raw.task_pair("910b", mc2_raw.AI_CPU, 4, 1, self.begin -
                                                        20, self.end + 10))
        for slot in range(0, len(self.card.slots), 2):
            self.card.add("aicpu.bin", mc2_raw.comm(*self.card.slots[slot:slot + 2]))
        times = [self.begin - 20 + 2 * i for i in range(4)] + [self.begin, self.begin + 10,
                                                               self.end]
        self.card.add("aicpu.bin", mc2_raw.turn(0, times, 60, 100))


def operator(cause, seed, ranks):
    """The ranks' launches, and what the cause costs in ticks."""
    draw = random.Random(seed)
    work = 50000 + draw.randrange(2000)
    slow = work + 30000 if cause == "late rank" else work
    made = []
    for number in range(ranks):
        computes = slow if number == 1 else work
        moves = (work, work + 40000) if cause == "exposed communication" else (work // 4, work // 2)
        made.append(Rank(number, ranks, computes, (slow if number == 1 else work) - 200, moves))
    for rank in made:
        own = (slow if rank.number == 1 else work) - 180
        rank.finish(own, max(slow - 190, own + 5))
    mine = {"exposed communication": 40000, "late rank": 30000}.get(cause, 0)
    return [rank.card for rank in made], mine


def check_operator(folder, seed, cause, rule, ranks):
    shutil.rmtree(folder, ignore_errors=True)
    cards, cost = operator(cause, seed, ranks)
    mc2_raw.write_run(os.path.join(folder, "in"), cards)
    rows = advice(folder, "mc2-dump")
    what = "%s, %d ranks, seed %d" % (cause, ranks, seed)
    expect(rows and rows[0]["rule"] == rule, "%s: first comes %s" % (what, said(rows)))
    if cost > 0 and rows and rows[0]["rule"] == rule:
        expect(float(rows[0]["gain_us"]) >= 1000 * cost / KHZ - 5,
               "%s: the bound %s is below %.1f" % (what, rows[0]["gain_us"], 1000 * cost / KHZ))
    expect(rule != "healthy-communication" or len(rows) == 1, "%s: %s" % (what, said(rows)))


def main(folder, seeds):
    for seed in range(1, seeds + 1):
        check_accesses(folder, seed, "capacity", "l2-capacity")
        check_accesses(folder, seed, "conflicts", "l2-conflicts")
        check_accesses(folder, seed, "repeated loads", "repeated-loads")
        check_accesses(folder, seed, "none", "healthy-cache")
        for ranks in (2, 4):
            check_operator(folder, seed, "exposed communication", "overlap", ranks)
            check_operator(folder, seed, "late rank", "late-card", ranks)
            check_operator(folder, seed, "none", "healthy-communication", ranks)
    return finish()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2])))
