#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whether the first advice on a training loop names what makes it slow: check.py OPPROF_RUN FOLDER
SEEDS [CAUSE…].

For each cause and seed the model makes a loop with the cause and one without; the difference of
their times is the true gain. The cause's rule has to come first, with a gain that is not below the
true one. A healthy loop gets the note of the rule 'healthy' alone. Of two causes at once the one
that costs more comes first. Python 3 standard library only."""
import csv
import os
import shutil
import subprocess
import sys

from expectations import expect, finish
from training import Training

# Rule, ranks, and what the model takes. What each costs follows from the model; all true gains are
# above 2 % of the time.
CAUSES = {
    "data loading": ("data-loading", 1, {}),
    "loader and waits": ("data-loading", 1, {}),
    "loader in frames": ("data-loading", 1, {}),
    "late loader": ("late-host", 4, {}),
    "host bound": ("host-bound", 1, {"small": True}),
    "synchronisation": ("synchronisation", 1, {}),
    "pageable copies": ("pageable-copies", 1, {}),
    "small copies": ("small-copies", 1, {}),
    "exposed copies": ("copies", 1, {}),
    "exposed communication": ("overlap", 4, {}),
    "slow group": ("slow-group", 4, {"groups": True}),
    "late host": ("late-host", 4, {}),
    "late device": ("collectives", 4, {}),
    "moving imbalance": ("moving-imbalance", 4, {}),
    "pipeline bubbles": ("pipeline-bubbles", 1, {}),
    "small messages": ("small-messages", 4, {"large": 4}),  # other ones of the group are large
    "dominating kernel": ("dominating-kernel", 1, {}),
    "slow products": ("slow-products", 1, {}),
    "layout conversions": ("layout-conversions", 1, {}),
    "unfused optimizer": ("unfused-optimizer", 1, {}),
    "optimizer in frames": ("unfused-optimizer-function", 1, {}),
    "unfused elementwise": ("unfused-elementwise", 1, {}),
    "allocation": ("allocation", 1, {}),
    "garbage collection": ("garbage-collection", 1, {}),
    "unnamed collection": ("quiet-python", 1, {}),
    "checkpoint": ("slow-steps", 1, {}),
    "last checkpoint": ("slow-steps", 1, {}),
    "first loader": ("slow-steps", 1, {}),
    "recompilation": ("recompilation", 1, {}),
    "slow device": ("slow-device", 4, {}),
    "longer products": ("more-work", 4, {}),
    "more layers": ("more-work", 4, {}),
    "evaluation": ("more-work-in-steps", 1, {}),
    "short reductions": ("small-kernels", 1, {}),
    "attention in pieces": ("unfused-attention", 1, {}),
    "fills": ("copies", 1, {}),
    "too few blocks": ("small-grids", 1, {}),
    "operators on the CPU of the device": ("device-cpu", 1, {}),
}
MOST = 1.5  # a bound by the true gain; recompilation counts needed compilations, too
WITHOUT_GAIN = {"dominating kernel"}
# What the first sentence has to name.
NAMED = {"data loading": "enumerate(DataLoader)", "late loader": "enumerate(DataLoader)",
         "first loader": "enumerate(DataLoader)", "synchronisation": "aten::item",
         "late host": "aten::tokenize", "dominating kernel": "my_serial_kernel",
         "slow products": "aten::mm", "unfused optimizer": "Optimizer.step#AdamW.step",
         "allocation": "cudaMalloc", "garbage collection": "gc.collect",
         "longer products": "its kernels of the group gemm", "more layers": "times as many kernels",
         "evaluation": "in evaluate", "short reductions": "reduce_kernel", "fills": " fills ",
         "checkpoint": "save_checkpoint", "last checkpoint": "save_checkpoint",
         "recompilation": "torch._dynamo", "too few blocks": "row_reduce_kernel"}
# What is said as well, without a gain.
ALSO = {"late device": {"path-on-one-rank", "waiting-for-ranks"}}
# Causes that lie at a moment of the timeline, on a device's lines.
PLACED = {"data loading", "loader and waits", "loader in frames", "late loader", "synchronisation",
          "late host", "allocation", "garbage collection", "unnamed collection", "checkpoint",
          "recompilation"}
PAIRS = [("data loading", "layout conversions"), ("pageable copies", "dominating kernel"),
         ("slow products", "synchronisation"), ("allocation", "unfused optimizer"),
         ("checkpoint", "layout conversions")]


def advice(opprof, folder, training):
    shutil.rmtree(folder, ignore_errors=True)
    training.write(os.path.join(folder, "in"))
    out = os.path.join(folder, "out")
    done = subprocess.run([opprof, "-q", "--pipeline", "kineto", "--set", "input=" +
                           os.path.join(folder, "in"), "--output", out, "--flat"],
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
    expect(done.returncode == 0 and "says nothing" not in done.stderr, "exit code %d: %s" %
           (done.returncode, done.stderr))
    with open(os.path.join(out, "advice.csv"), encoding="utf-8") as file:
        return list(csv.DictReader(file))


def span_without(seed, ranks, cause, sizes):
    """The time of the loop without a cause. Host-bound is a loop of small kernels; without it the
    host takes no time."""
    if sizes.get("small"):
        return Training(seed, ranks, (), **sizes, free_host=True).span
    if cause == "moving imbalance":
        return Training(seed, ranks, ("balanced",), **sizes).span
    without = {"recompilation": ("compilation",), "too few blocks": ("enough blocks",),
               "loader and waits": ("only waits",), "unnamed collection": ("no collection",),
               "unfused elementwise": ("fused elementwise",),
               "attention in pieces": ("batched products",)}.get(cause, ())
    return Training(seed, ranks, without, **sizes).span


def check_cause(opprof, folder, seed, cause, of_ranks=None, **more):
    rule, ranks, sizes = CAUSES[cause]
    ranks, sizes = of_ranks or ranks, {**sizes, **more}
    training = Training(seed, ranks, () if sizes.get("small") else (cause,), **sizes)
    rows = advice(opprof, folder, training)
    gain = training.span - span_without(seed, ranks, cause, sizes)
    what = "%s, seed %d" % (cause, seed)
    expect(gain > 0.02 * training.span, "%s: gains %.1f of %.1f us, too little" %
           (what, gain, training.span))
    expect(rows and rows[0]["rule"] == rule, "%s: first come %s" %
           (what, [(row["rule"], row["gain_us"], row["sentence"]) for row in rows[:3]]))
    expect(rows and NAMED.get(cause, "") in rows[0]["sentence"], "%s: the first sentence does not "
                                                                 "name %s: %s" %
           (what, NAMED.get(cause), [row["sentence"] for row in rows[:1]]))
    if cause not in WITHOUT_GAIN and rows and rows[0]["rule"] == rule:
        expect(float(rows[0]["gain_us"]) >= gain - 0.1, "%s: the bound %s is below the true "
                                                        "gain %.1f" %
               (what, rows[0]["gain_us"], gain))
        expect(float(rows[0]["gain_us"]) <= MOST * gain, "%s: the bound %s is far above the true "
                                                         "gain %.1f" %
               (what, rows[0]["gain_us"], gain))
    expect(all(row["gain_us"] == "NA" or float(row["gain_us"]) <= training.span for row in rows),
           "%s: gains above %.1f us, the time of all" % (what, training.span))
    expect(all(row["rule"] != "healthy" for row in rows), "%s: called healthy" % what)
    lacking = ALSO.get(cause, set()) - {row["rule"] for row in rows} if of_ranks is None else set()
    expect(not lacking, "%s: nothing is said by %s" % (what, lacking))
    expect(not any(row["sentence"].endswith("for " + row["subject"]) for row in rows),
           "%s: a rank waits for itself" % what)
    expect(all(len(row["sentence"].split()) > 4 for row in rows), "%s: not sentences: %s" %
           (what, [row["sentence"] for row in rows]))
    if cause in PLACED and rows:
        place = rows[0]["start_us"]
        expect(place != "NA" and 0 <= float(place) <= training.span
               and rows[0]["track"].endswith("device 0"),
               "%s: shown at %s of %s" % (what, place, rows[0]["track"]))


def check_healthy(opprof, folder, seed, ranks, **sizes):
    rows = advice(opprof, folder, Training(seed, ranks, **sizes))
    rule = "healthy-without-shapes" if sizes.get("shapeless") else "healthy"
    expect([row["rule"] for row in rows] == [rule],
           "healthy, seed %d, %d ranks %s: %s" %
           (seed, ranks, sizes, [(row["rule"], row["gain_us"], row["sentence"]) for row in rows]))


def check_silent(opprof, folder, seed, cause, rule):
    """What looks like a cause, but is not."""
    rows = advice(opprof, folder, Training(seed, 1, (cause,)))
    expect(all(row["rule"] != rule for row in rows), "%s, seed %d: %s speaks" % (cause, seed, rule))


def check_pair(opprof, folder, seed, pair):
    """The causes do not overlap, so that each costs what it costs alone on top of the other."""
    training = Training(seed, 1, pair)
    costs = [training.span - Training(seed, 1, [other for other in pair if other != one]).span
             for one in pair]
    rows = [row for row in advice(opprof, folder, training)]
    rules = [CAUSES[one][0] for one in pair]
    first = next((row["rule"] for row in rows if row["rule"] in rules), None)
    expect(rows and first == rows[0]["rule"], "%s, seed %d: first comes %s" %
           (pair, seed, [(row["rule"], row["gain_us"]) for row in rows]))
    if not WITHOUT_GAIN & set(pair):
        expect(first == rules[costs.index(max(costs))], "%s, seed %d: costs %s, but %s" %
               (pair, seed, costs, [(row["rule"], row["gain_us"]) for row in rows]))


def main(opprof, folder, seeds, causes):
    for seed in range(1, seeds + 1):
        for cause in causes or CAUSES:
            check_cause(opprof, folder, seed, cause)
        if not causes:
            check_cause(opprof, folder, seed, "late host", 2)
            check_cause(opprof, folder, seed, "late device", 2)
            check_cause(opprof, folder, seed, "longer products", 2)
            check_cause(opprof, folder, seed, "pipeline bubbles", 4)
            check_cause(opprof, folder, seed, "evaluation", 4)
            check_cause(opprof, folder, seed, "small messages", 4, groups=True)
            for ranks in (1, 4):
                check_healthy(opprof, folder, seed, ranks)
            check_healthy(opprof, folder, seed, 4, groups=True, uneven=True)
            check_healthy(opprof, folder, seed, 1, shapeless=True)
            check_silent(opprof, folder, seed, "compilation", "recompilation")
            for pair in PAIRS:
                check_pair(opprof, folder, seed, pair)
    return finish()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4:]))
