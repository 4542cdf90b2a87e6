#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""make_dbi_run.py FOLDER: a complete run of two launches of an instrumented kernel of three blocks
on the 910B, for the tests.

The records come in packets; what describes the code comes with them."""
import os
import struct
import sys

import dbi_raw as raw

BLOCKS = 3


def slots(launch):
    """What each core moves: addresses and lengths differ by core and launch."""
    return {slot: [raw.dma_mov(0x100 * i, 0x100000 * slot + 0x1000 * i, 4 * (i % 9), 4 + i % 3,
                               3 + slot + 2 * launch, i % 2, 0, "GM>L1" if slot % 3 == 2
                               else "GM>UB") for i in range(6 + slot)]
            for slot in range(3 * BLOCKS)}


def code(launch):
    """Files that describe the code: counters of its blocks, samples, registers and warps."""
    samples = [raw.sample(0x1000 + 4 * i, [1 + (i + k + launch) % 5 for k in range(9)])
               for i in range(9)]
    warps = b"".join(struct.pack("<4I", raw.MAGIC, 2, core, 0) +
                     b"".join(struct.pack("<2Q", 10 + warp + core, 50 + 7 * warp + launch + core)
                              for warp in range(2)) +
                     bytes(1104 - 16 - 32) for core in range(3))
    return {"op_basic_info.txt": b"Op Name=add\nBlock Dim=%d\nRun Soc Version=Ascend910B1\nCurrent "
                                 b"Freq=1000\n" % BLOCKS,
            "pc_start_addr.txt": b"0x1000\n",
            "kernel1Stub.o.bbbmap.0":
            raw.block_map([("add", 0, [(0, 0, 8), (1, 12, 12), (2, 16, 0x20)])]).encode(),
            "kernel1.extra.0": raw.block_counts([{0: 1, 1: 2 + core + launch, 2: 3}
                                                 for core in range(3 * BLOCKS)], 3),
            "PcOffset.bin": struct.pack("<Q", 0),
            "pcSampling.bin.0": raw.sample_chunk(0, 1, samples),
            "lrm.bin": raw.liveness([0], [4], ["add"], [0],
                                    [(4 * i, [[(i % 3, 1)]]) for i in range(9)]),
            "WarpTimeline.bin": warps}


def main():
    for launch in range(2):
        folder = os.path.join(sys.argv[1], "device0", "add", str(launch), "dump")
        os.makedirs(folder)
        for name, data in code(launch).items():
            with open(os.path.join(folder, name), "wb") as out:
                out.write(data)
        raw.write_packets(os.path.join(folder, "DbiPackets.bin"), slots(launch))


if __name__ == "__main__":
    main()
