#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes streams of pipe activity of an operator's vector cores, each with its start stamp and the
marks of the kernel's end.

    make_biu_run.py [--cores N] [--words N] [--seed N] DIRECTORY
"""
import argparse
import random

import mc2_raw as raw

END = (0xD88, 0xD99, 0xDAA, 0xDBB, 0xDCC, 0xDDD, 0xDEE, 0xDFF)


def stream(draw, count):
    """Pipes that begin and end to work, marks, and regions in pairs."""
    words, busy, region = [], 0, None
    while len(words) < count:
        kind = draw.random()
        if kind < 0.7:
            busy ^= 1 << draw.randrange(6)
            word = 0xF000 | busy
        elif kind < 0.85:
            word = draw.choice((0x0000, 0x1000)) | draw.randrange(0x100)
        else:
            word = 0x0C00 | region if region is not None else 0x0400 | draw.randrange(64)
            region = None if region is not None else word & 0x3FF
        words.append(raw.word(draw.randrange(5, 400), word))
    if region is not None:
        words.append(raw.word(9, 0x0C00 | region))
    words.append(raw.word(9, 0xF000))
    return b"".join(words + [raw.word(2, mark) for mark in END + (0xDFF,)])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cores", type=int, default=4)
    parser.add_argument("--words", type=int, default=120)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("directory")
    options = parser.parse_args()
    draw = random.Random(options.seed)
    raw.put(options.directory, "op_basic_info.txt", raw.info("950", "plain", "Current Freq=1000\n"
                                                             f"Block Dim={options.cores}\n"))
    for core in range(options.cores):
        data = raw.stamp(1000 + draw.randrange(500), core) + stream(draw, options.words)
        raw.put(options.directory, f"perfmon.core{core}.aiv0", data)


if __name__ == "__main__":
    main()
