# SPDX-License-Identifier: Apache-2.0
"""Instrumented runs of described kernels, whose hit rates can be computed on paper.

    dbi_kernels.py KERNEL DIRECTORY [--set NAME=VALUE]...

Kernels: matmul (n x n tiles of `tile` bytes, in macro tiles of `block` x `block`; block=1: not
tiled), transpose (size x size pieces of 32 bytes, rows `pitch` bytes apart on the way out), gather
(`passes` times over `lines` lines of 512 bytes, by SIMT threads, in a shuffled order that is the
same each time).
"""
import argparse
import os
import random
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import dbi_raw as raw  # noqa: E402

BASE = 0x12C000000000
BUFFER = 1 << 30  # distance of buffers


def move(address, size, pc, path):
    """`size` bytes from or to global memory, as bursts of at most 65535 blocks of 32 bytes."""
    into_chip = path.startswith("GM")
    return raw.dma_mov(0 if into_chip else address, address if into_chip else 0, pc, 1, size // 32,
                       0, 0, path)


def matmul(n=4, tile=32768, block=1):
    """C = A B. Tiles are contiguous; a macro tile's C is stored when its sums are done."""
    a, b, c = BASE, BASE + BUFFER, BASE + 2 * BUFFER
    records = []
    for big_i in range(0, n, block):
        for big_j in range(0, n, block):
            for big_k in range(0, n, n if block == 1 else block):
                for i in range(big_i, big_i + block):
                    for j in range(big_j, big_j + block):
                        for k in range(big_k, big_k + (n if block == 1 else block)):
                            records.append(move(a + (i * n + k) * tile, tile, 0x100, "GM>L1"))
                            records.append(move(b + (k * n + j) * tile, tile, 0x120, "GM>L1"))
            for i in range(big_i, big_i + block):
                for j in range(big_j, big_j + block):
                    records.append(move(c + (i * n + j) * tile, tile, 0x140, "L1>GM"))
    return {2: records}


def transpose(size=32, pitch=32768):
    records = []
    for row in range(size):
        records.append(move(BASE + row * size * 32, size * 32, 0x200, "GM>UB"))
        # one burst a column: pieces of a block, a pitch apart
        records.append(raw.dma_mov(BASE + BUFFER + row * 32, 0, 0x220, size, 1, 0, pitch // 32 - 1,
                                   "UB>GM"))
    return {0: records}


def gather(lines=1024, passes=2, slots=1):
    order = list(range(lines))
    random.Random(1).shuffle(order)
    one = [raw.thread(0x100, BASE + line * 512 + 4 * (line % 100), 0x300, 4, "GM", True)
           for line in order]
    return {slot: one * passes for slot in range(slots)}


KERNELS = {"matmul": matmul, "transpose": transpose, "gather": gather}


def write(kernel, directory, soc="Ascend910B1", start=0x1269F000, **options):
    os.makedirs(directory, exist_ok=True)
    with open(os.path.join(directory, "op_basic_info.txt"), "w", encoding="utf-8") as out:
        out.write("Op Name=made_up_%s\nRun Soc Version=%s\n" % (kernel, soc))
    with open(os.path.join(directory, "pc_start_addr.txt"), "w", encoding="utf-8") as out:
        out.write("0x%x\n" % start)
    raw.write_packets(os.path.join(directory, "DbiPackets.bin"), KERNELS[kernel](**options))


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kernel", choices=sorted(KERNELS))
    parser.add_argument("directory")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
    given = parser.parse_args()
    write(given.kernel, given.directory, **{name: int(value, 0) for name,
                                            value in (pair.split("=") for pair in given.set)})


if __name__ == "__main__":
    main()
