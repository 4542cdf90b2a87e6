# SPDX-License-Identifier: Apache-2.0
"""--diff of two runs whose difference is known: pairs.py FOLDER SEEDS.

Traces and launches are made in pairs. How long each takes follows from how it was made; the verdict
on the run has to be that, with these times, and its causes those that were put in."""
import json
import os
import random
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools"))
from onboard_raw import Launch  # noqa: E402  (needs the path)

folder, seeds = sys.argv[1], int(sys.argv[2])
failures = 0
KINDS = {-1: "faster", 0: "same", 1: "slower"}


def check(claim, what):
    global failures
    if not claim:
        failures += 1
        print("FAIL:", what)


def diff(before, after):
    done = subprocess.run([os.environ["OPPROF_RUN"], "--diff", before, after, "--format", "json"],
                          capture_output=True, text=True, check=False)
    check(done.returncode == 0, "--diff: exit code %d: %s" % (done.returncode, done.stderr))
    return json.loads(done.stdout)


# ---- traces ----


class Trace:
    """Work one piece after the other in each stream of each rank, with pauses before some."""

    def __init__(self, streams, device=0):
        """By rank and stream: pieces as (name, time, pause before it)."""
        self.streams, self.device = streams, device

    def length(self):
        """First to last work of the longest rank, in us."""
        longest = 0
        for rank in {rank for rank, _ in self.streams}:
            ends, starts = [], []
            for (of, _), pieces in self.streams.items():
                if of == rank:
                    starts.append(pieces[0][2])
                    ends.append(sum(time + pause for _, time, pause in pieces))
            longest = max(longest, max(ends) - min(starts))
        return longest

    def write(self, path):
        ranks = sorted({rank for rank, _ in self.streams})
        os.makedirs(path)
        for rank in ranks:
            events = []
            for (of, stream), pieces in self.streams.items():
                now = 1000.0
                for name, time, pause in pieces if of == rank else ():
                    now += pause
                    events.append({"ph": "X", "cat": "gpu_memcpy" if name.startswith("Memcpy")
                                   else "kernel", "name": name, "ts": now, "dur": time,
                                   "args": {"device": self.device + rank, "stream": stream,
                                            "bytes": 4096}})
                    now += time
            with open(os.path.join(path, "rank%d.json" % rank), "w", encoding="utf-8") as file:
                json.dump({"distributedInfo": {"rank": rank, "world_size": len(ranks)},
                           "traceEvents": events}, file)

    def run(self, path):
        self.write(path + ".in")
        done = subprocess.run([os.environ["OPPROF_RUN"], "-q", "--pipeline", "kineto", "--set",
                               "input=" + path + ".in", "--output", path, "--flat", "--without",
                               "csv,html,report,trace"],
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                              check=False)
        check(done.returncode == 0, "%s: exit code %d: %s" % (path, done.returncode, done.stderr))
        return path


def pieces_of(noise, kinds="abcd", count=24):
    return [("kernel_%s" % noise.choice(kinds), noise.randrange(20, 80), noise.randrange(1, 10))
            for _ in range(count)]


def changed(pieces, change):
    return [(name, *change(name, time, pause)) for name, time, pause in pieces]


def trace_pairs(noise):
    """What is changed, both traces, the kernel that is the cause (None: there is none)."""
    pieces = pieces_of(noise)
    name = pieces[3][0]
    other = next(piece[0] for piece in pieces if piece[0] != name)
    factor = noise.choice((0.5, 2, 3))
    one = {(0, 7): pieces}
    yield ("%s takes %g times as long" % (name, factor), Trace(one), Trace(
        {(0, 7): changed(pieces, lambda n, t, p: (t * factor if n == name else t, p))}), name)
    yield "another device", Trace(one), Trace(one, 3), None
    yield "another stream", Trace(one), Trace({(0, 20): pieces}), None
    stalled = [(n, t, p + 400 * (i == 5)) for i, (n, t, p) in enumerate(pieces)]
    moved = [(n, t, p + 400 * (i == 17)) for i, (n, t, p) in enumerate(pieces)]
    yield "a moved stall", Trace({(0, 7): stalled}), Trace({(0, 7): moved}), None
    # as much more of one kernel as less of another
    times = [(n, t) for n, t, _ in pieces]
    equal = changed(pieces, lambda n, t, p: (t, p))
    first, second = times.index(pieces[3][:2]), next(i for i, (n, _) in enumerate(times)
                                                     if n == other)
    equal[first] = (name, equal[first][1] + 15, equal[first][2])
    equal[second] = (other, equal[second][1] - 15, equal[second][2])
    yield "equal lengths", Trace(one), Trace({(0, 7): equal}), None
    # copies take what the work between them takes less
    copies = [[("Memcpy HtoD", 50 + more, 1)] + [(n, t - more / len(pieces), p)
                                                 for n, t, p in pieces] for more in (0, 240)]
    yield "copies instead of work", Trace({(0, 7): copies[0]}), Trace({(0, 7): copies[1]}), None
    # hidden beside a longer stream
    short = pieces_of(noise, "x", 4)
    yield ("work that another stream hides", Trace({(0, 7): pieces, (0, 8): short}), Trace(
        {(0, 7): pieces, (0, 8): changed(short, lambda n, t, p: (2 * t, p))}), None)
    slow = changed(pieces, lambda n, t, p: (t * 2 if n == name else t, p))
    ranks = {(0, 7): pieces, (1, 7): pieces, (2, 7): pieces}
    yield "one of three ranks", Trace(ranks), Trace({**ranks, (1, 7): slow}), name


def check_traces(seed):
    for number, (what, before, after, name) in enumerate(trace_pairs(random.Random(seed))):
        what = "%s, seed %d" % (what, seed)
        where = os.path.join(folder, "trace-%d-%d-" % (seed, number))
        found = diff(before.run(where + "before"), after.run(where + "after"))
        wanted = before.length(), after.length()
        run = found["run_time"]
        check_run(what, run, wanted)
        same = abs(wanted[1] - wanted[0]) < 0.001
        causes = [(cause["key"], cause["column"], cause["before"], cause["after"])
                  for cause in found["causes"]]
        if name is not None:
            check(causes and any(name in (key or "") for key, _, _, _ in causes),
                  "%s: %s is no cause: %s" % (what, name, causes))
            check(not any("kernel_" in (key or "") and name not in key for key, _, _, _ in causes),
                  "%s: another kernel is a cause: %s" % (what, causes))
        if "another" in what.split(",")[0] and same and "hides" not in what:
            check(found["equal"] or not causes, "%s: differs: %s" % (what, causes))
            check(not any(change["kind"] in ("new", "gone") for table in found["tables"]
                          for change in table["changes"]), what + ": rows are new or gone")


def check_run(what, run, wanted):
    difference = wanted[1] - wanted[0]
    kind = KINDS[0 if abs(difference) < 0.001 else 1 if difference > 0 else -1]

    check((run["kind"], round(run["before"], 2), round(run["after"], 2))
          == (kind, round(wanted[0], 2), round(wanted[1], 2)),
          "%s: %s, wanted %s %s" % (what, run, kind, wanted))


# ---- launches ----

MTE2, MTE2_WAIT, VEC, VEC_WAIT = 12, 91, 8, 89  # events of busy and wait cycles of a vector core
CLOCK = 1850


def launch(path, blocks, work, waits=(0, 0)):
    """`work` cycles, split over blocks that take 2000 more each. Returns its time in us."""
    cycles = work // blocks + 2000
    made = Launch("910b", freq=CLOCK, rated=CLOCK, block_dim=blocks)
    for block in range(blocks):
        made.core("vector", cycles, {MTE2: cycles // 2, MTE2_WAIT: waits[0], VEC: cycles // 3,
                                     VEC_WAIT: waits[1]}, block=block)
    us = round(50 * cycles / CLOCK) / 50  # the device's clock has 50 MHz
    result = made.took(us).run("default", code=0)
    check(result.errors == "" or "incomplete" not in result.errors, result.errors)
    os.rename(result.directory, path)
    return us


def check_launches(seed):
    noise = random.Random(seed)
    work = noise.randrange(100000, 400000)
    for what, before, after in (
            ("1 block and 8", {"blocks": 1}, {"blocks": 8}),
            ("8 blocks and 1", {"blocks": 8}, {"blocks": 1}),
            ("a stall of another pipe", {"blocks": 4, "waits": (work // 20, 0)},
             {"blocks": 4, "waits": (0, work // 20)})):
        paths = [os.path.join(folder, "launch-%d-%s-%s" % (seed, what.replace(" ", "-"), side))
                 for side in ("before", "after")]
        times = [launch(path, work=work, **side) for path, side in zip(paths, (before, after))]
        found = diff(*paths)
        check_run(what, found["run_time"], times)
        if times[0] == times[1]:
            check(not found["causes"], "%s: causes of nothing: %s" % (what, found["causes"]))


for number in range(1, seeds + 1):
    check_traces(number)
    check_launches(number)
print("%d failures" % failures)
sys.exit(failures > 0)
