#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whether the first advice on a launch names what makes it slow: check_launches.py SEEDS [CAUSE…].

For each cause and seed the model makes a launch with the cause and one without; the difference of
their times is the true gain. The cause's rule has to come first, with a gain that is not below the
true one. A healthy launch gets the note alone. Of two causes at once the one that costs more comes
first. Python 3 standard library only."""
import csv
import os
import sys

from expectations import expect, finish, said
from launches import Operator

CAUSES = {
    "single buffer": ("board-single-buffer", "vector"),
    "barriers": ("board-barriers", "vector"),
    "scalar code": ("board-scalar-bound", "cube"),
    "bank conflicts": ("board-bank-conflicts", "vector"),
    "slow moves": ("board-slow-moves", "cube"),
    "feeding": ("board-feeding-pipe", "cube"),
    "large code": ("board-instruction-fetch", "vector"),
    "unequal blocks": ("board-unequal-cores", "vector"),
    "few blocks": ("few-blocks", "cube"),
    "low clock": ("low-clock", "vector"),
    "launch overhead": ("launch-overhead", "vector"),
}
PAIRS = [("single buffer", "launch overhead", "vector"), ("few blocks", "low clock", "cube"),
         ("barriers", "unequal blocks", "vector"), ("feeding", "launch overhead", "cube")]


def advice(operator):
    result = operator.launch().run("default,roofline", code=0)
    expect("says nothing" not in result.errors, result.errors)
    with open(os.path.join(result.directory, "advice.csv"), encoding="utf-8") as file:
        return list(csv.DictReader(file))


def check_cause(seed, cause):
    rule, kind = CAUSES[cause]
    operator = Operator([cause], kind, seed)
    gain = operator.us - Operator((), kind, seed).us
    rows = advice(operator)
    what = "%s, seed %d: gains %.2f of %.2f us" % (cause, seed, gain, operator.us)
    expect(gain > 0.02 * operator.us, what + ", too little")
    expect(rows and rows[0]["rule"] == rule, "%s; first come %s" % (what, said(rows)))
    if rows and rows[0]["rule"] == rule:
        expect(float(rows[0]["gain_us"]) >= gain - 0.05, "%s, but the bound is %s" %
               (what, rows[0]["gain_us"]))
    expect(not any(row["rule"].startswith("healthy") for row in rows), what + "; called healthy")


def check_healthy(seed, kind):
    rows = advice(Operator((), kind, seed))
    expect(len(rows) == 1 and rows[0]["rule"].startswith("healthy-launch"), "healthy, seed %d: %s" %
           (seed, said(rows)))


def check_pair(seed, first, second, kind):
    operator = Operator([first, second], kind, seed)
    costs = [operator.us - Operator([other], kind, seed).us for other in (second, first)]
    wanted = CAUSES[(first, second)[costs.index(max(costs))]][0]
    rows = advice(operator)
    expect(rows and rows[0]["rule"] == wanted, "%s and %s, seed %d: cost %s of %.2f us, but %s" %
           (first, second, seed, costs, operator.us, said(rows)))


def main(seeds, causes):
    for seed in range(1, seeds + 1):
        for cause in causes or CAUSES:
            check_cause(seed, cause)
        if not causes:
            for kind in ("vector", "cube"):
                check_healthy(seed, kind)
            for pair in PAIRS:
                check_pair(seed, *pair)
    return finish()


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), sys.argv[2:]))
