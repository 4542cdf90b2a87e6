#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Make a folder of MindSpore's profiler with an HWTS log of so many megabytes, and tell what is in
one with a plain decoder:

make_hwts.py DIRECTORY MEGABYTES      make_hwts.py --read DIRECTORY: prints the executions
"""
import glob
import os
import struct
import sys

TASKS = 200
STREAMS = 8
RECORD = struct.Struct("<BBHHHQI44x")


def make(folder, megabytes):
    os.makedirs(folder)
    with open(folder + "/Framework.host.vm.task_desc_info.0.slice_0", "w", encoding="utf-8") as out:
        for task in range(TASKS):
            out.write(f"Default/network/layer{task // 10}/MatMul-op{task} 32 {task} "
                      f"{task % STREAMS}\n")
    block, ticks, tick = bytearray(), [], 1000
    # Two streams at a time: starts and ends of a task are not next to each other.
    for turn in range(0, TASKS * 16 * 4, 2):
        for kind, task in ((0, turn), (0, turn + 1), (1, turn), (1, turn + 1)):
            number = len(block) // RECORD.size
            block += RECORD.pack(kind | (number & 15) << 4, 0, 0x6bd3, 0, task % TASKS, tick,
                                 task % TASKS % STREAMS)
            ticks.append(tick)
            tick += 7 + task % TASKS
    with open(folder + "/hwts.log.data.45.dev.profiler_default_tag.0.slice_0", "wb") as out:
        for again in range(max(1, megabytes * 1000000 // len(block))):
            for number, each in enumerate(ticks):
                struct.pack_into("<Q", block, number * RECORD.size + 8, each + again * tick)
            out.write(block)


def read(folder):
    tasks = {}
    for line in open(glob.glob(folder + "/*task_desc_info*")[0], encoding="utf-8"):
        name, _, task, stream = line.split()
        tasks[int(stream), int(task)] = name
    opened, executions, sums = {}, 0, {}
    with open(glob.glob(folder + "/hwts*")[0], "rb") as log:
        while data := log.read(RECORD.size * 4096):
            for head, _, magic, _, task, tick, stream in RECORD.iter_unpack(data):
                if magic != 0x6bd3 or head & 7 > 1:
                    continue
                key = stream, task
                if head & 7 == 0:
                    opened[key] = tick
                elif key in opened and key in tasks:
                    name = tasks[key]
                    sums[name] = sums.get(name, 0) + tick - opened.pop(key)
                    executions += 1
    print(executions)


if sys.argv[1] == "--read":
    read(sys.argv[2])
else:
    make(sys.argv[1], int(sys.argv[2]))
