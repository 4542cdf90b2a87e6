# SPDX-License-Identifier: Apache-2.0
"""Instrumentation records as an instrumented kernel leaves them: the record area, packets, and
charts."""
import struct

MAGIC = 0x5A5A5A5A
HEADER = 176
SLOT = 104857600
GAP = 64
MEMORIES = {"L1": 0, "L0A": 1, "L0B": 2, "L0C": 3, "UB": 4, "BT": 5, "GM": 6, "REG": 7,
            "PRIVATE": 8}


def dma_mov(dst, src, pc, bursts, length, src_stride, dst_stride, path, pad_mode=0, byte_mode=0,
            core=0):
    """`bursts` pieces of `length` blocks of 32 bytes with gaps of blocks."""
    source, target = path.split(">")
    body = struct.pack("<4Q5H4B2x", dst, src, pc, 0, bursts, length, src_stride, dst_stride, core,
                       MEMORIES[target], MEMORIES[source], pad_mode, byte_mode)
    return struct.pack("<2I", 3, MAGIC) + body


def thread(register, address, pc, size, memory, is_load, core=0):
    """What one SIMT thread loads or stores."""
    body = struct.pack("<4Q3QH3B3x", 0, 0, pc, 0, register, address, size, core, MEMORIES[memory],
                       1 if is_load else 2, 0)
    return struct.pack("<2I", 18, MAGIC) + body


def slot_header(count, length):
    return struct.pack("<2Q", count, length) + bytes(HEADER - 16)


def write_area(path, slots):
    """slots: slot number to list of records. Holes stay holes; the file ends with the last
    record."""
    with open(path, "wb") as out:
        for number in sorted(slots):
            data = b"".join(slots[number])
            out.seek(number * (SLOT + GAP))
            out.write(slot_header(len(slots[number]), len(data)) + data)


def write_packets(path, slots, closed=False):
    """A packet for each slot; closed: and the one that ends the kernel, with the folder of its
    results."""
    with open(path, "wb") as out:
        for number in sorted(slots):
            data = b"".join(slots[number])
            out.write(struct.pack("<2I", 3,
                                  28 + len(data)) + struct.pack("<3QHBx", len(slots[number]),
                                                                len(data), 0, number, 0))
            out.write(data)
        if closed:
            folder = b"/results/dump"
            out.write(struct.pack("<2I3QHBx", 3, 28 + len(folder), 0, len(folder), 0, 0,
                                  1) + folder)


def chart(src, dst, src_bytes, dst_bytes, pc, slot, path, sub_block=0):
    source, target = path.split(">")
    return struct.pack("<6Q2H2B2x", src, dst, src_bytes, dst_bytes, pc, 0, slot, sub_block,
                       MEMORIES[source], MEMORIES[target])


# What an instrumented kernel leaves of its code: counters of basic blocks, samples, register
# liveness.
BLOCK_UNIT = 256
SAMPLE_DATA = 2097152


def block_map(functions, between=("InstrumentBlockCount",)):
    """functions: list of (name, start, [(id, offset, end)]). Other lines stand before each
    function."""
    lines = []
    for name, start, blocks in functions:
        lines += list(between)
        lines += ["function: %s" % name, "start addr: 0x%x" % start]
        lines += ["BBB id:%d Offset: 0x%x end: 0x%x" % block for block in blocks]
    return "\n".join(lines) + "\n"


def block_counts(units, blocks):
    """units: for each core its counters by block number; `blocks`: how many the map names."""
    size = max(BLOCK_UNIT, (4 * blocks + BLOCK_UNIT - 1) // BLOCK_UNIT * BLOCK_UNIT)
    data = b""
    for unit in units:
        words = [0] * (size // 4)
        for number, count in unit.items():
            words[number] = count
        data += struct.pack("<%dI" % len(words), *words)
    return data


def sample(pc, counts):
    """A sample of an address (its bits 26 to 3) with nine counts."""
    return struct.pack("<I", pc >> 3 & 0xFFFFFF)[:3] + bytes(counts) + bytes(16 - 3 - len(counts))


def sample_chunk(core, kind, samples):
    data = b"".join(samples)
    return struct.pack("<2HI", core, kind, len(data)) + data + bytes(SAMPLE_DATA - len(data))


def element(tag, value):
    return struct.pack("<IQ", tag, len(value)) + value


def liveness(kinds, totals, functions, starts, instructions):
    """instructions: list of (address, [registers of a kind: [(index, operation)]])."""
    records = b""
    for kind in range(len(kinds)):
        listed = b""
        for address, registers in instructions:
            value = b"".join(struct.pack("<2H", *one) for one in registers[kind])
            listed += element(10, element(11, struct.pack("<Q", address)) + element(12, value))
        records += element(9, listed)
    return element(0, element(1, struct.pack("<%dI" % len(kinds), *kinds)) + element(
                       2, struct.pack("<%dQ" % len(totals), *totals)) +
                   element(3, struct.pack("<Q", len(instructions))) + element(
                       4, struct.pack("<Q", len(functions))) +
                   element(5, b"".join(element(6, name.encode()) for name in functions)) +
                   element(7, struct.pack("<%dq" % len(starts), *starts)) + element(8, records))
