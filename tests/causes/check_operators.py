#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whether the first advice on a kernel names what makes it slow: check_operators.py FOLDER SEEDS
[CAUSE…].

Each kernel runs on the reference chip with the cause and without; the difference of their times is
the true gain. The cause's rule has to come first, with a gain that is not below the true one. A
healthy kernel gets the note of the rule 'healthy-operator' alone. Of two causes at once the one
that costs more comes first. Python 3 standard library only."""
import csv
import json
import math
import os
import shutil
import subprocess
import sys

from expectations import expect, finish, said
from kernels import Kernel

# Rule, and what the kernel takes.
CAUSES = {
    "single buffer": ("single-buffer", {}),
    "barriers": ("barriers", {}),
    "scalar code": ("scalar-bound", {}),
    "long head": ("long-head", {"tiles": 16}),
    "short moves": ("short-moves", {"tiles": 8}),
    "bank conflicts": ("bank-conflicts", {"additions": 8}),
    "short vectors": ("short-vectors", {"additions": 3, "tiles": 12}),  # each 6 times, of 48
    "feeding": ("feeding-pipe", {"additions": 0}),
    "unequal blocks": ("unequal-cores", {}),
    "large code": ("instruction-fetch", {"counts": True}),
}
# only scalar code is as fast as it is fetched, and it costs more
AFTER = {"large code": "scalar-bound"}
# Some of the same kernels as launches on all vector cores of the device, once; launches.py has the
# others. The reference chip's cores do not share the bandwidth of the memory, so that launches pass
# its roof.
ON_BOARD = {
    "single buffer": ("board-single-buffer", {"tiles": 8}),
    "barriers": ("board-barriers", {"tiles": 8}),
    "short moves": ("board-slow-moves", {"tiles": 4}),
}
BLOCKS = 48
HEALTHY = [{}, {"additions": 8}, {"additions": 0, "tiles": 48}, {"tiles": 40, "blocks": 2}]
PAIRS = [("barriers", "unequal blocks", {}), ("bank conflicts", "unequal blocks",
                                              {"additions": 8, "tiles": 16}),
         ("single buffer", "long head", {"tiles": 16}), ("scalar code", "unequal blocks", {})]
FETCH = 0.05  # us: code of another length is fetched in another time


def run(folder, kernel, pipeline="sim-live"):
    """The advice and the time of the kernel, in us."""
    is_simulated = pipeline == "sim-live"
    shutil.rmtree(folder, ignore_errors=True)
    document = kernel.write(os.path.join(folder, "in"), os.environ["REFCHIP_AS"], "ca"
                            if is_simulated else "onboard")
    out = os.path.join(folder, "out")
    done = subprocess.run([os.environ["OPPROF_REFCHIP_COMMAND"], os.environ["OPPROF_RUN"], "-q",
                           "--output", out, "--flat", "--set", "config=" + document, pipeline],
                          stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, text=True, check=False,
                          env=dict(os.environ, OPPROF_REFCHIP="seed=%d" % kernel.seed))
    expect(done.returncode == 0 and "says nothing" not in done.stderr, "exit code %d: %s" %
           (done.returncode, done.stderr))
    table, column = ("core_summary.csv", "duration_time(us)") if is_simulated else (
        "OpBasicInfo.csv", "Task Duration(us)")
    with open(os.path.join(out, table), encoding="utf-8") as file:
        time = max(float(row[column]) for row in csv.DictReader(file))
    with open(os.path.join(out, "advice.csv"), encoding="utf-8") as file:
        return list(csv.DictReader(file)), time


def even(causes, sizes):
    """Blocks that are equal do the same work, in pairs of tiles."""
    blocks = sizes.get("blocks", 4)
    tiles = sizes.get("tiles", 24) * (blocks + 1) / blocks
    return dict(sizes, tiles=2 * math.ceil(tiles / 2)) if "unequal blocks" in causes else sizes


def time_without(folder, seed, causes, cause, sizes):
    rest = [one for one in causes if one != cause]
    return run(folder, Kernel(rest, seed=seed, **(even([cause], sizes))))[1]


def check_cause(folder, seed, cause):
    rule, sizes = CAUSES[cause]
    rows, time = run(folder, Kernel([cause], seed=seed, **sizes))
    gain = time - time_without(folder, seed, [cause], cause, sizes)
    what = "%s, seed %d" % (cause, seed)
    expect(gain > 0.02 * time, "%s: gains %.2f of %.2f us, too little" % (what, gain, time))
    expect([row["rule"] for row in rows[:2]] == [AFTER[cause], rule] if cause in AFTER else rows
           and rows[0]["rule"] == rule,
           "%s: gains %.2f of %.2f us; first come %s" % (what, gain, time, said(rows)))
    for row in rows:
        if row["rule"] == rule:
            expect(float(row["gain_us"]) >= gain - FETCH, "%s: the bound %s is below the true "
                                                          "gain %.2f" %
                   (what, row["gain_us"], gain))
    for row in rows:
        expect(float(row["gain_us"]) <= time + 0.01, "%s: %s gains %s of %.2f us" %
               (what, row["rule"], row["gain_us"], time))
        expect(row["track"].startswith("core") and float(row["start_us"]) >= 0,
               "%s: %s is shown at %s of %s" % (what, row["rule"], row["start_us"], row["track"]))
    expect(all(row["rule"] != "healthy-operator" for row in rows), "%s: called healthy" % what)


def check_healthy(folder, seed, sizes):
    rows, _ = run(folder, Kernel((), seed=seed, **sizes))
    expect([row["rule"] for row in rows] == ["healthy-operator"], "healthy %s, seed %d: %s" %
           (sizes, seed, said(rows)))


def check_on_board(folder, seed, cause):
    rule, sizes = ON_BOARD[cause]
    rows, time = run(folder, Kernel([cause], blocks=BLOCKS, seed=seed, **sizes), "onboard-live")
    _, without = run(folder, Kernel([], blocks=BLOCKS, seed=seed, **sizes), "onboard-live")
    what = "%s on the device, seed %d: gains %.2f of %.2f us" % (cause, seed, time - without, time)
    expect(rows and rows[0]["rule"] == rule, "%s; first come %s" % (what, said(rows)))
    if rows and rows[0]["rule"] == rule:
        expect(float(rows[0]["gain_us"]) >= time - without - FETCH, "%s, but the bound is %s" %
               (what, rows[0]["gain_us"]))


def check_healthy_on_board(folder, seed):
    rows, _ = run(folder, Kernel([], blocks=BLOCKS, seed=seed), "onboard-live")
    expect(len(rows) == 1 and rows[0]["rule"].startswith("healthy-launch"),
           "healthy on the device, seed %d: %s" % (seed, said(rows)))


def check_pair(folder, seed, first, second, sizes):
    pair = (first, second)
    rows, time = run(folder, Kernel(pair, seed=seed, **sizes))
    costs = [time - time_without(folder, seed, pair, one, sizes) for one in pair]
    wanted = CAUSES[pair[costs.index(max(costs))]][0]
    expect(rows and rows[0]["rule"] == wanted, "%s, seed %d: cost %s of %.2f us, but %s" %
           (pair, seed, costs, time, said(rows)))


def check_diff(folder, seed):
    """--diff of the same tiles on one block and on eight."""
    folders = [os.path.join(folder, "blocks%d" % blocks) for blocks in (1, 8)]
    times = [run(of, Kernel((), tiles=16 // blocks, blocks=blocks, seed=seed))[1]
             for of, blocks in zip(folders, (1, 8))]
    done = subprocess.run([os.environ["OPPROF_RUN"], "--diff", *[os.path.join(of, "out")
                                                                 for of in folders],
                           "--format", "json"],
                          capture_output=True, text=True, check=False)
    found = json.loads(done.stdout)["run_time"]
    expect(times[1] < times[0] and (found["kind"], found["before"], found["after"])
           == ("faster", times[0], times[1]), "--diff of 1 block and 8, %s: %s" % (times, found))


def main(folder, seeds, causes):
    for seed in range(1, seeds + 1):
        for cause in causes or CAUSES:
            check_cause(folder, seed, cause)
        if not causes:
            for sizes in HEALTHY:
                check_healthy(folder, seed, sizes)
            for first, second, sizes in PAIRS:
                check_pair(folder, seed, first, second, sizes)
    if not causes:
        for cause in ON_BOARD:
            check_on_board(folder, seeds, cause)
        check_healthy_on_board(folder, seeds)
        check_diff(folder, seeds)
    return finish()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2]), sys.argv[3:]))
