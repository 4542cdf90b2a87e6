#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whether advice on recordings of others is what README.md lists, with why it is right:
check_real.py OPPROF_RUN TREE FOLDER.

A sentence that is not listed has to be checked by hand before it is. Python 3 standard library
only."""
import csv
import os
import re
import subprocess
import sys

from expectations import expect, finish

TRACES = ["event_sync_multi_stream", "mi250_minitoy", "sampled_rank-0", "trace_compare_base",
          "trace_compare_test"]
DUMPS = {"a2_910B": "Ascend910B1", "sample_a2": "Ascend910B1", "a5_950": "Ascend950PR_9599",
         "p310_310P": "Ascend310P1", "mte_a2": "Ascend910B4"}


def listed(readme):
    """{input: {(rule, sentence)}} of the table."""
    found = {}
    with open(readme, encoding="utf-8") as file:
        for line in file:
            row = re.match(r"\| `([^`]+)` \| `([^`]+)` \| (.+?) \| (.+) \|$", line)
            if row:
                found.setdefault(row[1], set()).add((row[2], row[3]))
    return found


def said(opprof, folder, pipeline, *settings):
    out = os.path.join(folder, os.path.basename(settings[0]) + ".out")
    command = [opprof, "-q", "--pipeline", pipeline, "--output", out, "--flat"]
    for setting in settings:
        command += ["--set", setting]
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                          check=False)
    expect(done.returncode in (0, 4) and "says nothing" not in done.stderr, "exit code %d: %s" %
           (done.returncode, done.stderr))
    path = os.path.join(out, "advice.csv")
    if not os.path.exists(path):
        return set()
    with open(path, encoding="utf-8") as file:
        return {(row["rule"], ("" if row["subject"] == "NA"
                               else row["subject"] + ": ") + row["sentence"])
                for row in csv.DictReader(file)}


def main(opprof, tree, folder):
    table = listed(os.path.join(tree, "tests", "causes", "README.md"))
    inputs = {name + ".json.gz": ("kineto", "input=" +
                                  os.path.join(tree, "tests/data/kineto", name + ".json.gz"))
              for name in TRACES}
    inputs.update({name: ("sim-dump", "input=" + os.path.join(tree, "tests/data/sim", name),
                          "chip=" + chip) for name, chip in DUMPS.items()})
    expect(set(table) <= set(inputs), "the table names unknown inputs: %s" %
           sorted(set(table) - set(inputs)))
    for name, run in inputs.items():
        sentences = said(opprof, folder, *run)
        for one in sentences - table.get(name, set()):
            expect(False, "%s: nobody checked this sentence by hand: %s" % (name, one))
        for one in table.get(name, set()) - sentences:
            expect(False, "%s: no longer said: %s" % (name, one))
    return finish()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
