# SPDX-License-Identifier: Apache-2.0
"""halves.py SCRATCH INPUT...: what the first halves of all stages hand over is recorded, and the
second halves make the same results of the recordings."""
import json
import os
import re
import sqlite3
import subprocess
import sys

scratch, inputs = sys.argv[1], sys.argv[2:]
RUN = os.environ["OPPROF_RUN"].split()
LEAST = 25  # partial ports of the pipeline
DRAWING = {"queues", "bandwidth"}  # they also draw curves of each rank
failures = []


def check(good, *words):
    if not good:
        failures.append(words)
        print("FAIL:", *words)


def opprof(*arguments):
    return subprocess.run([*RUN, *arguments], capture_output=True, text=True, check=False)


def described(name):
    return json.loads(opprof("--inspect", name, "--json").stdout)


def partial_links():
    """"stage.port" of each partial output, by stage."""
    found = {}
    for stage in described("kineto")["pipeline"]["stages"]:
        ports = [port["name"] for port in described(stage["use"])["plugin"].get("outputs", [])
                 if port.get("partial")]
        if ports:
            found[stage["id"]] = ["%s.%s" % (stage["id"], port) for port in ports]
    return found


def contents(folder):
    found = {}
    for at, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(at, name)
            if name == "results.sqlite":
                database = sqlite3.connect(path)
                found[name] = list(database.iterdump())
                database.close()
            elif name != "run.json":
                with open(path, "rb") as file:
                    found[os.path.relpath(path, folder)] = file.read()
    return found


def compare(number, path, stages):
    """Results of one run, and of two: all of them where a stage only sums up, and tables where it
    also draws each rank, which takes what the recordings do not have."""
    base = os.path.join(scratch, str(number))
    os.makedirs(base)
    every = [link for links in stages.values() for link in links]
    record = [word for link in every for word in ("--record", "%s=%s/%s" % (link, base, link))]
    one = results(path, os.path.join(base, "one"), [])
    same(path, one, results(path, os.path.join(base, "first"), record), "")
    for name, drawing, ends in ("all", False, ""), ("tables", True, ".csv"):
        replay = [word for stage, links in stages.items() if (stage in DRAWING) == drawing
                  for link in links for word in ("--replay", "%s/%s" % (base, link))]
        # Recordings of an incomplete run give its reasons in other words.
        same(path, one, results(path, os.path.join(base, name), replay),
             ends if one[0] == 0 else ".csv")


def results(path, folder, options):
    done = opprof("kineto", path, "-q", "--flat", "-o", folder, *options)
    check(done.returncode in (0, 4), path, folder, "ends with", done.returncode, done.stderr)
    return done.returncode, contents(folder)


def same(path, left, right, ends):
    check(left[0] == right[0], path, "ends with", right[0], "not", left[0])
    check(sorted(left[1]) == sorted(right[1]), path, "writes", sorted(right[1]))
    for file, content in left[1].items():
        check(not file.endswith(ends) or right[1].get(file) == content, path, file, "differs")


def readers_take_nothing_else(links, stages):
    """Each stage's inputs are its recordings, and nothing of the collector."""
    base = os.path.join(scratch, "0")
    replay = [word for link in links for word in ("--replay", "%s/%s" % (base, link))]
    edges = re.findall(r'"(\S+)" -> "(\S+)"', opprof("--graph", "kineto", "x", *replay).stdout)
    for stage, ports in stages.items():
        sources = [source for source, reader in edges if reader == stage]
        check(len(sources) == len(ports) and all(s.startswith("replay-") for s in sources), stage,
              "reads", sources)


def all_or_none(stages):
    """A stage that gets some of its recordings is refused before anything runs."""
    links = next(ports for ports in stages.values() if len(ports) > 1)
    done = opprof("--validate", "kineto", "x", "--replay", "%s/0/%s" % (scratch, links[0]))
    check(done.returncode == 2 and links[1] in done.stderr and "all of them" in done.stderr,
          done.returncode, done.stderr)


def join(path, stages):
    """Two runs read some of the ranks each, and a third one joins what they hand over; it reads all
    ranks for their timelines only."""
    every = [link for stage, links in stages.items() for link in links if stage not in DRAWING]
    traces = sorted(os.listdir(path), key=lambda name: int(re.sub(r"\D", "", name)))
    joined = []
    for number in 0, 1:
        folder = os.path.join(scratch, "share%d" % number)
        os.makedirs(folder + "/traces")
        for name in traces[number * 5:] if number else traces[:5]:
            os.symlink(os.path.join(path, name), os.path.join(folder, "traces", name))
        record = [word for link in every
                  for word in ("--record", "%s=%s/%s" % (link, folder, link))]
        results(folder + "/traces", folder + "/results", record)
        with open(folder + "/all", "wb") as out:
            for link in every:
                with open(os.path.join(folder, link), "rb") as file:
                    out.write(file.read())
        joined += ["--replay", folder + "/all"]
    whole = tables(os.path.join(scratch, "whole"), path, [])
    check(whole == tables(os.path.join(scratch, "joined"), path, joined), "what two runs handed "
          "over gives other tables than one run")


def tables(folder, path, options):
    """One of the two runs lacked ranks of the job, and so does what is made of it."""
    found = results(path, folder, options)[1]
    return {name: content for name, content in found.items() if name.endswith(".csv")}


by_stage = partial_links()
every = [link for ports in by_stage.values() for link in ports]
check(len(every) >= LEAST, "only these ports are partial:", every)
for i, input_path in enumerate(inputs):
    compare(i, input_path, by_stage)
join(inputs[0], by_stage)
readers_take_nothing_else(every, by_stage)
all_or_none(by_stage)
sys.exit(1 if failures else 0)
