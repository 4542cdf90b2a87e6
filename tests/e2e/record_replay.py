# SPDX-License-Identifier: Apache-2.0
"""Every link of every ready pipeline is recorded, and what its readers make of the recording is
what they made of the link. Recordings of other versions, and broken ones."""
import json
import os
import random
import sqlite3
import struct
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

root, data, scratch = sys.argv[1:4]
sys.path.insert(0, os.path.join(root, "tests/tools"))
import dbi_raw
import mc2_raw
import recording

RUN = os.environ["OPPROF_RUN"].split()
# run.json has times; the database is compared by what is in it.
OTHERS = {"run.json", "INCOMPLETE.txt", "results.sqlite"}
failures = []


def check(good, *words):
    if not good:
        failures.append(" ".join(str(word) for word in words))
        print("FAIL:", *words)


def opprof(*arguments):
    return subprocess.run([*RUN, "-q", *arguments], capture_output=True, text=True,
                          errors="replace", check=False)


def contents(directory):
    found = {}
    for folder, _, files in os.walk(directory):
        for name in files:
            path = os.path.join(folder, name)
            if name == "results.sqlite":
                database = sqlite3.connect(path)
                found[name] = [line for line in database.iterdump()]
                database.close()
            if name not in OTHERS:
                with open(path, "rb") as file:
                    found[os.path.relpath(path, directory)] = file.read()
    return found


# What ran is another thing where recordings stand for the input.
TITLE = ["--set", "title=made up"]


def whole_pipeline(name, given):
    """Records all links in one run, and replays one after the other, then all of a stage
    together."""
    base = tempfile.mkdtemp(dir=scratch)
    arguments = ["--pipeline", name, "--flat"] + (TITLE if name == "sim-dump" else [])
    for setting in given:
        arguments += ["--set", setting]
    plain = opprof(*arguments, "--output", base + "/plain")
    check(plain.returncode == 0, name, "does not run:", plain.stderr)
    with open(base + "/plain/run.json", encoding="utf-8") as file:
        links = sorted({link["from"] for link in json.load(file)["links"]})
    wanted = []
    for link in links:
        wanted += ["--record", f"{link}={base}/{link}.oprec"]
    recorded = opprof(*arguments, *wanted, "--output", base + "/recorded")
    check(recorded.returncode == 0, name, "cannot be recorded:", recorded.stderr)
    expected = contents(base + "/plain")
    check(contents(base + "/recorded") == expected, name, "gives something else while it "
                                                          "is recorded")

    def replay(names):
        output = tempfile.mkdtemp(dir=base)
        some = []
        for link in names:
            some += ["--replay", f"{base}/{link}.oprec"]
        result = opprof(*arguments, *some, "--output", output)
        got = contents(output)
        wrong = [path for path in expected | got if expected.get(path) != got.get(path)]
        check(result.returncode == 0 and not wrong, name, "replay of", names, result.returncode,
              wrong, result.stderr[-300:])

    stages = {}
    for link in links:
        stages.setdefault(link.split(".")[0], []).append(link)
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(replay, [[link] for link in links] + [some for some in stages.values()
                                                            if len(some) > 1]))
    print(f"{name}: {len(links)} links")
    return base, links


def raw_data():
    mc2_raw.put(scratch + "/cores", "op_basic_info.txt",
                mc2_raw.info("950", "plain", "Current Freq=1000\n"))
    draw = random.Random(3)
    for core in range(2):
        stream = mc2_raw.stamp(1000 + draw.randrange(1000), core)
        for number in range(40):
            word = draw.choice((0x1000 + number, 0xF000 | 1 << draw.randrange(7)))
            stream += mc2_raw.word(draw.randrange(1, 60000), word)
        mc2_raw.put(scratch + "/cores", f"perfmon.core{core}.aiv0", stream +
                    mc2_raw.word(1, 0xF000))
    for order in (0, 1):
        folder = f"{scratch}/dbi/device0/made_up/{order}/dump"
        os.makedirs(folder)
        slots = {slot: [dbi_raw.dma_mov(0, 0x100000 * slot + 0x1000 * i, 0x40 + 4 * (i % 9), 8,
                                        8 + order, i % 3, 0, "GM>L1")
                        for i in range(60)] for slot in (2, 5)}
        dbi_raw.write_packets(folder + "/DbiPackets.bin", slots)
        with open(folder + "/op_basic_info.txt", "w", encoding="utf-8") as out:
            out.write("Run Soc Version=Ascend910B1\n")


def without_input(base, links):
    """Stages that a recording stands for need no input; what still needs it says so."""
    all_of = []
    for link in links:
        if link.startswith("dump."):
            all_of += ["--replay", f"{base}/{link}.oprec"]
    output = scratch + "/without"
    some = ["--pipeline", "sim-dump", "--flat", "--output", output, "--set", "chip=Ascend910B1",
            *TITLE]
    result = opprof(*some, *all_of)
    check(result.returncode == 0 and contents(output) == contents(base + "/plain"), "no input:",
          result.stderr)
    with open(output + "/run.json", encoding="utf-8") as file:
        stages = [stage["id"] for stage in json.load(file)["stages"]]
    check("dump" not in stages and "replay-1" in stages, "stages:", stages)
    result = opprof(*some, *all_of[:2])
    check(result.returncode == 2 and "/stages/0/params/dump (stage 'dump'): required"
          in result.stderr, result.stderr)
    graph = opprof("--graph", "--pipeline", "sim-dump", "--set", "chip=Ascend910B1", *all_of).stdout
    check('"replay-1" ->' in graph and '"dump"' not in graph, graph)
    check(opprof("--validate", "--pipeline", "sim-dump", "--set", "chip=Ascend910B1",
                 *all_of).returncode == 0, "validate")
    # A recording of a replay is the recording.
    result = opprof(*some, *all_of, "--record", f"dump.instructions={scratch}/again.oprec")
    with open(scratch + "/again.oprec", "rb") as again, open(base + "/dump.instructions.oprec",
                                                             "rb") as first:
        again, first = again.read(), first.read()
    links = [[part[1] for part in recording.chunks(file) if part[0] == b"LINK"]
             for file in (again, first)]
    check(recording.text(links[0][0], 0)[0] == b"dump.instructions" ==
          recording.text(links[1][0], 0)[0], "link of the copy")
    batches = [[part for part in recording.chunks(file) if part[0] != b"LINK"]
               for file in (again, first)]
    # Two cores that push at once take their numbers in one order and arrive in the other; a replay
    # numbers them as they lie.
    numbers = [[take_number(part) for part in parts if part[0] == b"BATC"] for parts in batches]
    check(numbers[0] == sorted(numbers[1]) == list(range(len(numbers[0]))), "numbers of batches:",
          numbers)
    at = next((i for i, pair in enumerate(zip(*batches)) if pair[0] != pair[1]),
              min(map(len, batches)))
    check(batches[0] == batches[1], "the copy of a recording has other batches:",
          *map(len, batches), "chunks, from number", at,
          *[(part[at][0], len(part[at][1]), part[at][1][:64]) for part in batches
            if at < len(part)])


def take_number(part):
    """The number of a batch on its port, which is blanked in the chunk."""
    number, = struct.unpack_from("<Q", part[1], 24)
    part[1] = part[1][:24] + bytes(8) + part[1][32:]
    return number


def replayed(name, bytes_of_file, link=""):
    """Replays a table of cores into a run that would have no rows of its own there; result and
    table."""
    path = f"{scratch}/{name}.oprec"
    with open(path, "wb") as file:
        file.write(bytes_of_file)
    output = f"{scratch}/of {name}"
    result = opprof("--pipeline", "sim-dump", "--flat", "--output", output, "--set",
                    f"input={data}/sim/gpr_bytes", "--set", "chip=Ascend910B1", "--replay",
                    link + path)
    table = output + "/core_summary.csv"
    return result, open(table, encoding="utf-8").read() if os.path.exists(table) else None


def versions():
    with open(data + "/recordings/core_summary-1.0.oprec", "rb") as file:
        first = file.read()
    with open(data + "/recordings/core_summary-1.1.oprec", "rb") as file:
        second = file.read()
    with open(data + "/recordings/core_summary.csv", encoding="utf-8") as file:
        expected = file.read()
    for name, made in (("first", first), ("same", recording.whole(recording.chunks(first))),
                       ("older", recording.older(first)), ("newer", recording.newer(first)),
                       ("second", second), ("newer than the second", recording.newer(second))):
        result, table = replayed(name, made)
        check(table == expected, name, "version:", table, result.stderr)
        said = "recording" in result.stderr or "recorded" in result.stderr
        check(not said, name, "version:", result.stderr)
    result, table = replayed("major", recording.whole(recording.chunks(first), major=2))
    check(result.returncode == 2 and "has format 2.0, but this opprof reads format 1"
          in result.stderr and table is None,
          result.stderr)
    needed = recording.chunks(first)
    needed.insert(-1, [b"NEED", b"a kind that must be known"])
    result, table = replayed("needed", recording.whole(needed, minor=9))
    check(result.returncode == 4 and "which this version does not know" in result.stderr
          and table == expected, result.stderr)
    return first, expected


def damage(first, expected):
    parts = recording.chunks(first)
    batch = [kind for kind, _ in parts].index(b"BATC")
    start = len(recording.whole(parts[:batch]))
    rows = len(expected.splitlines())
    result, table = replayed("cut before the end", first[:-1])
    check(result.returncode == 4 and "a piece of 24 bytes, but only 23 are left" in result.stderr
          and table == expected, result.stderr)
    result, table = replayed("cut in the batch", first[:start + 30])
    check(result.returncode == 4 and f"from byte {start} on" in result.stderr, result.stderr)
    check(table is None or len(table.splitlines()) < rows, "rows of a batch that is cut")
    result, table = replayed("without its end", recording.whole(parts[:-1]))
    check(result.returncode == 4 and "lacks the mark that ends a whole recording" in result.stderr
          and table == expected,
          result.stderr)
    for more in (first[1:], b"x"):
        result, table = replayed("with more after its end", first + more)
        check(result.returncode == 4 and f"{len(more)} bytes come after the mark" in result.stderr
              and table == expected, result.stderr)
    changed = bytearray(first)
    changed[start + 70] ^= 1
    result, table = replayed("changed", bytes(changed))
    check(result.returncode == 4 and f"from byte {start} on: its checksum is" in result.stderr,
          result.stderr)
    result, _ = replayed("foreign", b"core,time\n1,2\n")
    check(result.returncode == 2 and "is not a recording" in result.stderr, result.stderr)
    result, _ = replayed("empty", b"")
    check(result.returncode == 2 and "is not a recording" in result.stderr, result.stderr)
    # Of another layout, or of a link that is not there.
    moved = [[kind, payload] for kind, payload in parts]
    at = [kind for kind, _ in parts].index(b"TYPE")
    moved[at][1] = moved[at][1][:4] + struct.pack("<I", 99) + moved[at][1][8:]
    result, _ = replayed("of another version", recording.whole(moved))
    check(result.returncode == 2 and "holds version 99 of 'sim.core-summary'" in result.stderr
          and "Record the link again" in result.stderr, result.stderr)
    result, _ = replayed("for nobody", first, "timeline.summery=")
    check(result.returncode == 2 and "reads a link 'timeline.summery'" in result.stderr
          and "mean 'timeline.summary'" in result.stderr, result.stderr)
    result = opprof("--pipeline", "sim-dump", "--replay", "/nowhere.oprec")
    check(result.returncode == 2 and "/nowhere.oprec" in result.stderr, result.stderr)
    result = opprof("--pipeline", "sim-dump", "--set", f"input={data}/sim/gpr_bytes", "--flat",
                    "--output", scratch + "/no", "--set", "chip=Ascend910B1", "--record",
                    "dump.instructions=/nowhere/at/all.oprec")
    check(result.returncode == 1 and "Cannot write '/nowhere/at/all.oprec'" in result.stderr,
          result.stderr)
    for wrong in ("dump.instructions", "=x", "dump.instructions="):
        check(opprof("--pipeline", "sim-dump", "--record", wrong).returncode == 2, "--record",
              wrong)


def own_files(first):
    """A recording is not written over while it is replayed, and no file is written by two."""
    path = scratch + "/held.oprec"
    with open(path, "wb") as file:
        file.write(first)
    some = ["--pipeline", "sim-dump", "--flat", "--set", f"input={data}/sim/gpr_bytes", "--set",
            "chip=Ascend910B1"]
    for option in ("--record", "--tap"):
        result = opprof(*some, "--output", scratch + "/held", "--replay", path, option,
                        f"timeline.summary={path}")
        check(result.returncode == 1 and f"Cannot write '{path}': the run reads it"
              in result.stderr, result.returncode, result.stderr)
        with open(path, "rb") as file:
            check(file.read() == first, option, "writes over what is replayed")
    for one, other in (("--tap", "--tap"), ("--tap", "--record"), ("--record", "--record")):
        result = opprof(*some, "--output", scratch + "/held", one,
                        f"dump.instructions={scratch}/both", other, f"dump.issues={scratch}/./both")
        check(result.returncode == 1 and "another tap or recording writes it" in result.stderr, one,
              other, result.stderr)
    result = opprof(*some, "--output", scratch + "/held", "--replay", path, "--replay", path)
    check(result.returncode == 2 and "is replayed from" in result.stderr and
          "already" in result.stderr, result.stderr)
    result = opprof(*some, "--output", scratch + "/held", "--replay", scratch)
    check(result.returncode == 2 and "it is a directory" in result.stderr, result.stderr)


def halves_of(data):
    """Two recordings, each with half of the batches of one and with all of its names."""
    parts = recording.chunks(data)
    names = [part for part in parts if part[0] not in (b"BATC", b"DONE")]
    batches = [part for part in parts if part[0] == b"BATC"]
    middle = len(batches) // 2
    for some in batches[:middle], batches[middle:]:
        counts = [struct.unpack_from("<I", payload, 16)[0] for _, payload in some]
        done = struct.pack("<QQII", len(some), sum(counts), 1, 0)
        yield recording.whole(names + some + [[b"DONE", done]], minor=1)


def several(base, links):
    """A file with several recordings, and several recordings of a link."""
    some = ["--pipeline", "sim-dump", "--flat", "--output", scratch + "/several", "--set",
            "chip=Ascend910B1", *TITLE]
    files = {link: f"{base}/{link}.oprec" for link in links if link.startswith("dump.")}
    whole = {}
    for link, path in files.items():
        with open(path, "rb") as file:
            whole[link] = file.read()

    def replay(name, *contents_of_files):
        words = []
        for number, content in enumerate(contents_of_files):
            path = f"{scratch}/{name} {number}.oprec"
            with open(path, "wb") as file:
                file.write(content)
            words += ["--replay", path]
        return opprof(*some, *words)

    def same(result, what):
        check(result.returncode == 0 and contents(scratch + "/several") ==
              contents(base + "/plain"), what, result.returncode, result.stderr)

    same(replay("one file", b"".join(whole.values())), "all recordings in one file")
    parts = [list(halves_of(data)) for data in whole.values()]
    check(all(recording.chunks(half)[-2][0] == b"BATC" for half in parts[0]), "empty halves")
    same(replay("halves", *[part for pair in parts for part in pair]), "two recordings a link")
    same(replay("mixed", *[b"".join(half) for half in zip(*parts)]), "two files of all links")
    # what is damaged in one is missing, and the others are read
    first, second = parts[0]
    result = replay("cut", first[:-8], second, *list(whole.values())[1:])
    check(result.returncode == 4 and "cut 0.oprec" in result.stderr, "cut:", result.stderr)
    # the end of one in the middle of a file is not that of the file
    result = replay("garbage", list(whole.values())[0] + b"OPPROFX" + bytes(20),
                    *list(whole.values())[1:])
    check(result.returncode == 4 and "come after the mark" in result.stderr, result.stderr)
    path = scratch + "/one file 0.oprec"
    result = opprof(*some, "--replay", "dump.instructions=" + path)
    check(result.returncode == 2 and "several recordings" in result.stderr, result.stderr)
    one, other = list(files)[:2]
    result = opprof(*some, "--replay", files[one], "--replay", f"{one}={files[other]}")
    check(result.returncode == 2 and "different fields" in result.stderr, result.stderr)


def not_complete():
    """What the recorded run lacked, the run of the replay lacks."""
    some = ["--pipeline", "sim-dump", "--flat", "--set", f"input={data}/sim/sample_a2", "--set",
            "chip=Ascend910B1"]
    result = opprof(*some, "--output", scratch + "/cut", "--record",
                    f"dump.instructions={scratch}/cut.oprec")
    check(result.returncode == 4 and "in the middle of a line" in result.stderr, result.stderr)
    result = opprof(*some, "--output", scratch + "/cut again", "--replay", scratch + "/cut.oprec")
    check(result.returncode == 4 and f"The run recorded in '{scratch}/cut.oprec' was not complete: "
                                     "Stage 'dump'" in result.stderr, result.stderr)


raw_data()
subprocess.run([sys.executable, root + "/tests/tools/mc2_raw.py", "--cards", "2", "--blocks", "3",
                "--steps", "6", scratch + "/cards"], check=True, stdout=subprocess.DEVNULL)
subprocess.run([root + "/examples/dump/make_dump.sh", scratch + "/dump"], check=True,
               stdout=subprocess.DEVNULL)
sim = whole_pipeline("sim-dump", [f"input={scratch}/dump", "chip=Ascend910B1"])
without_input(*sim)
several(*sim)
whole_pipeline("onboard-dump", [f"input={data}/pmu/cases/910b_mix/input"])
whole_pipeline("mc2-dump", [f"input={scratch}/cards"])
whole_pipeline("biu-dump", [f"input={scratch}/cores"])
whole_pipeline("dbi-dump", [f"input={scratch}/dbi"])
whole_pipeline("show", [f"input={sim[0]}/plain/results.sqlite"])
if os.path.exists(os.environ.get("KINETO_MODULE", "")):
    whole_pipeline("kineto", [f"input={data}/kineto/mi250_minitoy.json.gz"])
own_files(versions()[0])
damage(*versions())
not_complete()
sys.exit(1 if failures else 0)
