# SPDX-License-Identifier: Apache-2.0
"""Instrumentation records as an instrumented kernel leaves them: the record area, packets, and charts."""
import struct

MAGIC = 0x5A5A5A5A
HEADER = 176
SLOT = 104857600
GAP = 64
MEMORIES = {"L1": 0, "L0A": 1, "L0B": 2, "L0C": 3, "UB": 4, "BT": 5, "GM": 6, "REG": 7, "PRIVATE": 8}


def dma_mov(dst, src, pc, bursts, length, src_stride, dst_stride, path, pad_mode=0, byte_mode=0, core=0):
    """`bursts` pieces of `length` blocks of 32 bytes with gaps of blocks."""
    source, target = path.split(">")
    body = struct.pack("<4Q5H4B2x", dst, src, pc, 0, bursts, length, src_stride, dst_stride, core,
                       MEMORIES[target], MEMORIES[source], pad_mode, byte_mode)
    return struct.pack("<2I", 3, MAGIC) + body


def thread(register, address, pc, size, memory, is_load, core=0):
    """What one SIMT thread loads or stores."""
    body = struct.pack("<4Q3QH3B3x", 0, 0, pc, 0, register, address, size, core, MEMORIES[memory], 1 if is_load else 2, 0)
    return struct.pack("<2I", 18, MAGIC) + body


def slot_header(count, length):
    return struct.pack("<2Q", count, length) + bytes(HEADER - 16)


def write_area(path, slots):
    """slots: slot number to list of records. Holes stay holes; the file ends with the last record."""
    with open(path, "wb") as out:
        for number in sorted(slots):
            data = b"".join(slots[number])
            out.seek(number * (SLOT + GAP))
            out.write(slot_header(len(slots[number]), len(data)) + data)


def write_packets(path, slots):
    with open(path, "wb") as out:
        for number in sorted(slots):
            data = b"".join(slots[number])
            out.write(struct.pack("<2I", 3, 28 + len(data)) + struct.pack("<3QHBx", len(slots[number]), len(data), 0, number, 0))
            out.write(data)


def chart(src, dst, src_bytes, dst_bytes, pc, slot, path, sub_block=0):
    source, target = path.split(">")
    return struct.pack("<6Q2H2B2x", src, dst, src_bytes, dst_bytes, pc, 0, slot, sub_block, MEMORIES[source], MEMORIES[target])
