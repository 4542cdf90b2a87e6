# SPDX-License-Identifier: Apache-2.0
"""Warps of SIMT code as a timeline."""
import json
import os
import shutil
import struct
import subprocess
import sys

scratch = sys.argv[1]
RUN = os.environ["OPPROF_RUN"]
SOURCE, RESULT = os.path.join(scratch, "dump"), os.path.join(scratch, "result")
WARPS = 64
checks = 0


def check(holds, what):
    global checks
    checks += 1
    if not holds:
        sys.exit("FAIL: %s" % what)


def block(core, kind, warps, magic=0x5A5A5A5A):
    data = struct.pack("<4I", magic, len(warps), core, kind) + b"".join(struct.pack("<2Q", *warp)
                                                                        for warp in warps)
    return data + bytes(16 + 16 * WARPS + 64 - len(data))


def run(data, code, freq="1000"):
    for folder in (SOURCE, RESULT):
        shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(SOURCE)
    with open(os.path.join(SOURCE, "op_basic_info.txt"), "w", encoding="utf-8") as out:
        out.write("Op Name=made_up\nRun Soc Version=Ascend950PR_9599\nCurrent Freq=%s\n" % freq)
    with open(os.path.join(SOURCE, "WarpTimeline.bin"), "wb") as out:
        out.write(data)
    done = subprocess.run([RUN, SOURCE, "--output", RESULT, "--flat"], capture_output=True,
                          text=True, check=False)
    check(done.returncode == code, "exit code %d, not %d: %s" %
          (done.returncode, code, done.stderr))
    path = os.path.join(RESULT, "trace.json")
    events = json.load(open(path, encoding="utf-8"))["traceEvents"] if os.path.exists(path) else []
    return [event for event in events if event["ph"] == "X"], [event for event in events
                                                               if event["ph"] == "M"], done.stderr


# Two warps of a clock of 1000 MHz: 60 and 40 cycles, the second one 40 cycles later.
slices, facts, _ = run(block(0, 0, [(300, 360), (340, 380)]), 0)
check([(one["name"], one["pid"], one["tid"], one["ts"], one["dur"], one["cname"])
       for one in slices] ==
      [("Warp_0", "warp.core0.veccore0", "Warp 0", 0, 0.06, "thread_state_running"),
       ("Warp_1", "warp.core0.veccore0", "Warp 1", 0.04, 0.04, "thread_state_running")],
      "two warps: %s" % slices)
check(slices[1]["args"] == {"block_id": 0, "core_id": 0, "core_type": "veccore0", "warp_id": 1},
      "arguments: %s" % slices[1]["args"])
check(sorted((one["tid"], one["args"]["sort_index"]) for one in facts
             if one["name"] == "thread_sort_index") == [("Warp 0", 0), ("Warp 1", 1)],
      "order of lanes: %s" % facts)

# Each core begins at 0; without a clock in the data the chip's counts.
slices, _, _ = run(block(0, 0, [(1000, 2650)]) + block(0, 1, [(5000, 8300), (4000, 4165)]), 0,
                   freq="NA")
check(sorted((one["pid"], one["tid"], one["ts"], one["dur"]) for one in slices) ==
      [("warp.core0.veccore0", "Warp 0", 0, 1), ("warp.core0.veccore1", "Warp 0", 0.606061, 2),
       ("warp.core0.veccore1", "Warp 1", 0, 0.1)],
      "cores: %s" % slices)

# What is broken loses itself only.
good = block(3, 2, [(10, 20), (0, 5), (30, 30)])
slices, _, said = run(good, 4)
check(len(slices) == 1 and "2 warps are not drawn: no start, or an end before it" in said,
      "warps that did not run: %s" % said)
slices, _, said = run(block(1, 0, [(1, 2)], magic=0) + good, 4)
check(len(slices) == 1 and "'WarpTimeline.bin' at byte 0: the head of a core's warps makes no "
                           "sense; 1 " in said, "a bad head: %s" % said)
for length in (1, 15, 16, 100, 1103):
    slices, _, said = run(good + good[:length], 4)
    check(len(slices) == 1 and "ends within the warps of a core at byte 1104" in said,
          "a cut file: %s" % said)
print("%d checks" % checks)
