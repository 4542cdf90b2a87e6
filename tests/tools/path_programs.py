#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random programs of a host, streams, events and ranks, and what opprof says of their critical
paths: path_programs.py OPPROF_RUN FOLDER ALONE TOGETHER [SEED].

ALONE programs of one rank are read as ranks of one run that have nothing to do with each other;
each of TOGETHER programs has two to four ranks that meet in collectives. A program is simulated
here, independently of opprof: a host thread goes through operators, calls and pauses; work begins
when it was launched, the work before it in its stream has ended, and what its stream waits for has
ended; a synchronising call ends when the work has; a collective ends for all ranks at once. Then it
is simulated again with one part of half the time, and with none. The bounds:
  the path covers the time from the first moment to the last, and its parts sum to it;
  it is never shorter than the busy time of a stream;
  a gain is never above what the simulation without the cause gains.
The gains also have to be most of what is possible, so that a tool that always says 0 fails. Python
3 standard library only."""
import csv
import json
import os
import random
import shutil
import subprocess
import sys

PARTS = ("host", "outside_operators", "launch_delay", "kernel_gap", "computation", "memory",
         "communication")
BATCH = 500


class Program:
    """What each rank does, action by action; all ranks have the same actions with other
    durations."""

    def __init__(self, seed, ranks):
        pick = random.Random(seed)
        self.ranks = ranks
        self.delay = {"launch": 2 * pick.randrange(1000, 4000),
                      "gap": 2 * pick.choice((0, 500, 700)),
                      "return": 2 * pick.choice((0, 1000, 2500)),
                      "sync": 2 * pick.randrange(500, 1500)}
        streams = pick.randrange(1, 4)
        host_heavy = pick.choice((0.3, 1, 3))
        self.actions = []
        for _ in range(pick.randrange(6, 40)):
            self.actions.append(("outside", self.times(pick, 0, 20000 * host_heavy)))
            self.actions.append(("enter",))
            for _ in range(pick.randrange(0, 4)):
                self.actions.append(("work", self.times(pick, 100, 12000 * host_heavy)))
                self.add_call(pick, streams)
            self.actions.append(("work", self.times(pick, 100, 4000)))
            self.actions.append(("leave",))
            if pick.random() < 0.1:
                self.add_call(pick, streams)
        self.actions.append(("device_sync", self.times(pick, 1000, 1000)))

    def times(self, pick, low, high):
        return [2 * pick.randrange(int(low) // 2, int(high) // 2 + 1) for _ in range(self.ranks)]

    def add_call(self, pick, streams):
        cost = self.times(pick, 2000, 8000)
        stream, other = pick.randrange(streams), pick.randrange(streams)
        kinds = ["launch"] * 10 + ["copy", "blocking_copy", "stream_sync", "event_sync"]
        kinds += ["stream_wait"] * 3 if other != stream else []
        kinds += ["collective"] * 4 if self.ranks > 1 else []
        kind = pick.choice(kinds)
        if kind in ("launch", "copy", "blocking_copy", "collective"):
            self.actions.append((kind, cost, stream, self.times(pick, 1000, 60000)))
        elif kind == "stream_wait":
            self.actions.append(("record", cost, other))
            self.actions.append(("stream_wait", self.times(pick, 1000, 4000), stream, other))
        elif kind == "event_sync":
            self.actions.append(("record", cost, stream))
            self.actions.append(("event_sync", None, stream))
        else:
            self.actions.append((kind, None, stream))


class Rank:
    """One rank in a simulation."""

    def __init__(self, clock):
        self.now = self.clock = clock
        self.free = {}  # stream: when its last work ends
        self.pending = {}  # stream: what its next work waits for
        self.events = {}  # stream: what its last mark stands for, and the mark's number
        self.busy = {}
        self.open = None
        self.correlation = 0
        self.trace = []

    def put(self, category, name, start, end, **args):
        self.trace.append({"ph": "X", "cat": category, "name": name, "pid": 1, "tid": 1,
                           "ts": start / 1000, "dur": (end - start) / 1000, "args": args})

    def call(self, name, start):
        self.correlation += 1
        self.put("cuda_runtime", name, start, self.now, correlation=self.correlation)
        return self.correlation

    def put_work(self, kind, stream, start, end, **args):
        names = {"launch": ("kernel", "gemm"), "collective": ("kernel", "ncclDevKernel_AllReduce"),
                 "copy": ("gpu_memcpy", "Memcpy HtoD"),
                 "blocking_copy": ("gpu_memcpy", "Memcpy DtoH")}
        self.put(*names[kind], start, end, device=0, stream=stream, **args)
        self.free[stream] = end
        self.busy[stream] = self.busy.get(stream, 0) + end - start


class Simulation:
    def __init__(self, program, factors=None):
        self.program = program
        self.factors = factors or {}
        self.ranks = [Rank(1000000 + 77000 * i) for i in range(program.ranks)]
        self.last = [0] * program.ranks
        self.meetings = 0
        for action in program.actions:
            self.act(action)
        self.ends = [max([rank.now - rank.clock] + [end - rank.clock for end in rank.free.values()])
                     for rank in self.ranks]

    def scaled(self, ticks, part):
        return ticks * self.factors.get(part, 1)

    def delay(self, name):
        part = {"launch": "launch_delay", "gap": "kernel_gap"}.get(name, "host")
        return self.scaled(self.program.delay[name], part)

    def start_of(self, rank, stream, launched):
        ready = [launched + self.delay("launch")]
        if stream in rank.free:
            ready.append(rank.free[stream] + self.delay("gap"))
        ready += [end + self.delay("gap") for end in rank.pending.pop(stream, [])]
        return max(ready)

    def act(self, action):
        if action[0] == "collective":
            self.meet(action)
            return
        for number, rank in enumerate(self.ranks):
            getattr(self, action[0])(rank, number, *action[1:])

    def outside(self, rank, number, times):
        rank.now += self.scaled(times[number], "outside_operators")

    def enter(self, rank, _number):
        rank.open = rank.now

    def work(self, rank, number, times):
        rank.now += self.scaled(times[number], "host")

    def leave(self, rank, _number):
        rank.put("cpu_op", "aten::op%d" % (rank.correlation % 7), rank.open, rank.now)
        rank.open = None

    def launch_call(self, rank, number, name, cost):
        launched = rank.now
        rank.now += self.scaled(cost[number], "host")
        return launched, rank.call(name, launched)

    def launch(self, rank, number, cost, stream, times, kind="launch", part="computation"):
        name = "cudaLaunchKernel" if kind == "launch" else "cudaMemcpyAsync"
        launched = rank.now
        start = self.start_of(rank, stream, launched)
        end = start + self.scaled(times[number], part)
        rank.now += self.scaled(cost[number], "host") if kind == "launch" else self.delay("sync")
        if kind == "blocking_copy":
            rank.now = max(rank.now, end + self.delay("return"))
        rank.put_work(kind, stream, start, end, correlation=rank.call(name, launched))

    def copy(self, rank, number, cost, stream, times):
        self.launch(rank, number, cost, stream, times, "copy", "memory")

    def blocking_copy(self, rank, number, cost, stream, times):
        self.launch(rank, number, cost, stream, times, "blocking_copy", "memory")

    def meet(self, action):
        _, cost, stream, times = action
        starts, launches = [], []
        for number, rank in enumerate(self.ranks):
            starts.append(self.start_of(rank, stream, rank.now))
            launches.append(self.launch_call(rank, number, "cudaLaunchKernel", cost)[1])
        behind = [start - rank.clock for start, rank in zip(starts, self.ranks)]
        end = max(behind) + self.scaled(times[0], "communication")
        for rank, start, launch in zip(self.ranks, starts, launches):
            args = {"Collective name": "allreduce", "Process Group Name": "0", "Seq": self.meetings,
                    "Group size": self.program.ranks}
            rank.put_work("collective", stream, start, rank.clock + end, correlation=launch, **args)
        self.meetings += 1

    def record(self, rank, number, cost, stream):
        _, mark = self.launch_call(rank, number, "cudaEventRecord", cost)
        rank.events[stream] = (rank.free.get(stream), mark)

    def put_wait(self, rank, kind, stream, call, source=None, mark=None):
        args = {"cuda_sync_kind": kind, "stream": stream, "device": 0, "correlation": call}
        if mark is not None:
            args.update({"wait_on_stream": source, "wait_on_cuda_event_record_corr_id": mark,
                         "wait_on_cuda_event_id": mark})
        rank.put("cuda_sync", kind, rank.now, rank.now, **args)

    def stream_wait(self, rank, number, cost, stream, other):
        end, mark = rank.events[other]
        _, call = self.launch_call(rank, number, "cudaStreamWaitEvent", cost)
        if end is not None:
            rank.pending.setdefault(stream, []).append(end)
            self.put_wait(rank, "Stream Wait Event", stream, call, other, mark)

    def wait(self, rank, name, ends):
        start = rank.now
        ends = [end + self.delay("return") for end in ends if end is not None]
        rank.now = max([rank.now + self.delay("sync")] + ends)
        return rank.call(name, start)

    def event_sync(self, rank, _number, _cost, stream):
        end, mark = rank.events[stream]
        call = self.wait(rank, "cudaEventSynchronize", [end])
        self.put_wait(rank, "Event Sync", -1, call, stream, mark)

    def stream_sync(self, rank, _number, _cost, stream):
        call = self.wait(rank, "cudaStreamSynchronize", [rank.free.get(stream)])
        self.put_wait(rank, "Stream Sync", stream, call)

    def device_sync(self, rank, _number, _cost):
        call = self.wait(rank, "cudaDeviceSynchronize", rank.free.values())
        self.put_wait(rank, "Context Sync", -1, call)


class Checker:
    def __init__(self):
        self.bad = 0
        self.stated = dict.fromkeys(PARTS, 0)
        self.possible = dict.fromkeys(PARTS, 0)

    def expect(self, holds, program, text):
        if not holds:
            self.bad += 1
            if self.bad <= 10:
                print("program %s: %s" % (program, text))

    def check(self, seed, program, rows, whole, busy, with_gains=True):
        """Rows of one path, against the length that it has, and, if it has gains, against each
        simulation."""
        length = float(rows[0]["path(us)"]) if rows else -1
        total = sum(float(row["time(us)"]) for row in rows)
        self.expect(abs(length - whole) < 0.01, seed, "the path of %.3f us does not cover %.3f" %
                    (length, whole))
        self.expect(abs(total - length) < 0.01, seed, "parts of %.3f us are not the path of %.3f" %
                    (total, length))
        self.expect(length >= busy - 0.01, seed, "the path of %.3f us is shorter than a stream is "
                                                 "busy, %.3f" % (length, busy))
        for row in rows:
            if row["part"] in PARTS and with_gains:
                for heading, factor in (("gain_if_half(us)", 0.5), ("gain_if_none(us)", 0)):
                    gain = whole - span_of(Simulation(program, {row["part"]: factor}))
                    self.expect(row[heading] != "NA", seed, "no gain of " + row["part"])
                    if row[heading] == "NA":
                        continue
                    self.expect(float(row[heading]) <= gain + 0.01, seed, "%s of %s is %s us, of "
                                "%.3f that are possible" % (
                        heading, row["part"], row[heading], gain))
                    self.stated[row["part"]] += float(row[heading])
                    self.possible[row["part"]] += gain


def span_of(simulation):
    """From the first moment of all ranks to the last, in us. Ranks begin with a pause or an
    operator; clocks differ by constants."""
    firsts = [min(event["ts"] for event in rank.trace if event["cat"] != "cuda_sync") - rank.clock /
              1000 for rank in simulation.ranks]
    return max(simulation.ends) / 1000 - min(firsts)


def write(folder, name, rank, world, number):
    head = {"distributedInfo": {"rank": number, "world_size": world}, "traceEvents": rank.trace}
    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
        json.dump(head, file)


def run(opprof, folder):
    out = os.path.join(folder, "out")
    subprocess.run([opprof, "-q", "--pipeline", "kineto", "--set", "input=" +
                    os.path.join(folder, "in"), "--output", out, "--flat"],
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    with open(os.path.join(out, "critical_path.csv"), encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    shutil.rmtree(folder)
    return rows


def rows_of(rows, rank):
    return [row for row in rows if row["rank"] == rank]


def check_alone(checker, opprof, folder, seeds):
    os.makedirs(os.path.join(folder, "in"))
    made = []
    for number, seed in enumerate(seeds):
        program = Program(seed, 1)
        simulation = Simulation(program)
        made.append((seed, program, simulation))
        write(os.path.join(folder, "in"), "rank%d.json" % number, simulation.ranks[0], len(seeds),
              number)
    rows = run(opprof, folder)
    for number, (seed, program, simulation) in enumerate(made):
        busy = max(simulation.ranks[0].busy.values(), default=0) / 1000
        checker.check(seed, program, rows_of(rows, str(number)), span_of(simulation), busy)


def check_together(checker, opprof, folder, seed):
    program = Program(seed, random.Random(seed + 1).randrange(2, 5))
    simulation = Simulation(program)
    os.makedirs(os.path.join(folder, "in"))
    for number, rank in enumerate(simulation.ranks):
        write(os.path.join(folder, "in"), "rank%d.json" % number, rank, program.ranks, number)
    rows = run(opprof, folder)
    busy = max(max(rank.busy.values(), default=0) for rank in simulation.ranks) / 1000
    if simulation.meetings > 0:
        checker.check(seed, program, rows_of(rows, "all"), span_of(simulation), busy)
        checker.expect(all(row["gain_if_half(us)"] == "NA" for row in rows if row["rank"] != "all"),
                       seed, "a rank has gains of its own")


def main(opprof, folder, alone, together, first=1):
    checker = Checker()
    for start in range(first, first + alone, BATCH):
        check_alone(checker, opprof, os.path.join(folder, "alone"),
                    range(start, min(start + BATCH, first + alone)))
    for seed in range(first, first + together):
        check_together(checker, opprof, os.path.join(folder, "together"), seed)
    for part in PARTS:
        if checker.possible[part] > 0:
            share = checker.stated[part] / checker.possible[part]
            print("%s: %.1f %% of what is possible" % (part, 100 * share))
            checker.expect(share > 0.8, "all", "little of what %s could gain is said" % part)
    print("%d programs, %d violated bounds" % (alone + together, checker.bad))
    return 1 if checker.bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], *(int(number) for number in sys.argv[3:])))
