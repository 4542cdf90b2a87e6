#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compare what sim-details says of registers and the vector unit with a slow model that holds all
issued instructions: a register's rows are those between its accesses that are not followed by a
write; masks and mode of a vector instruction are what the last instruction before it set.

usage: details_model.py ISSUES.tsv DETAILS.tsv       taps of dump.issues and details.pc-details
"""
import collections
import csv
import re
import sys

Use = collections.namedtuple("Use", "utilization read write")

WRITES = {
    "a2": {
        1: "ADD SUB MUL MADD DIV REM MAX MIN SEL AND OR XOR CMPN LD_XD_XN LD_DDR SQRT NEG ABS NOT "
           "SHL SHR SBCNT SFF "
           "SBITSET CLZ SFLBITS CONV MOV_XD_XN MOV_XD_SPR SIGNEXT ZEROEXT INSERT_XD_XN INSERT_XD "
           "LD_XD_XN_IMM "
           "MOV_XD_IMM MOVK ADD_IMM MUL_IMM SUB_IMM LD_DEV_XD_XN_IMM12 MOVX8_XD_IMM LD_DEV",
        2: "LDP_XI_XJ_XN", 4: "LD4_XD_XN LD4_XD_XN_IMM", -2: "ST_ATOMIC_IMM ST_DEV"},
    "310p": {
        1: "add sub mul madd div mod max min sel and or xor cmpn ld ld_ddr sqrt neg abs not shl "
           "shr sbcnt sff sbitset "
           "clz sflbits conv mov_xd_xn mov_xd_special signext zeroext insert insert_ext ld_imm "
           "mov_xd_imme16 "
           "movk_xd_imme16 add_imm12 mul_imm12 sub_imm12 ld_ddr_imm movx8",
        2: "ldp", 4: "ld4 ld4_imm"},
    "950": {}}
VECTOR = {
    1: "LD_VAD VABS VADDS VBS16 VCBD VCONV VEXP VGATHER VLN VLRELU VMAXS VMERGECH VMINS VMULS VNOT "
       "VPADDING VREC VRELU "
       "VRPAC VRSQRT VSCATTER VSHL VSHR VSQRT VTRANSPOSE",
    2: "VAADD VADD VADDDEQRELU VADDRELU VADDRELUCONV VAND VAXPY VCMP VDIV VIOU VMADD VMADDRELU "
       "VMAX VMIN VMLA VMUL "
       "VMULCONV VOR VSEL VSUB VSUBRELU VSUBRELUCONV",
    5: "VCADD VCGADD VCGMAX VCGMIN VCMAX VCMIN VCPADD",
    10: "VDP VEXTRACT VMOVMASK_XN VMS4 VREDUCE"}
A2_SIZES = {1: "S4 B4 U8 S8 B8 U8S8 B8U2 DEQ", 2: "U16 S16 B16 F16 F16F16 F16U2 BF16",
            4: "U32 S32 B32 B32S B32L F32 FMIX F16F32 BF16F32 F32F32", 8: "U64 S64 B64 F64",
            0: "UNDEF"}
P310_SIZES = (1, 2, 4, 1, 4, 2, 4, 4, 4, 2)
MASK = {"a2": (r"XN:X\d{0,2}=(?P<value>(0x)?[0-9a-f]+),Pos:(?P<place>\d+)", "MOVEMASK"),
        "310p": (r"mask:(?P<place>\d+),X\d{1,2}:(?P<value>(0x)?[0-9a-f]+)", "movemask")}
MODE = {"a2": (r"SPR:CTRL,XN:X\d{0,2}=((0x)?[0-9a-f]+)", "MOV_SPR_XN"),
        "310p": (r"SPR_CTRL=((0x)?[0-9a-f]+)", "scalar_mov_xd_special")}


def by_name(table):
    return {name: key for key, names in table.items() for name in names.split()}


def number(pattern, text, base=16):
    """Of the first hit; None if none."""
    hit = re.search(pattern, text)
    return int(hit.group(1), base) if hit else None


def bits(value, shift, count):
    return value // 2 ** shift % 2 ** count


# ---- registers


def series_of(row):
    """How the simulator of the row's chip prints operands."""
    return "950" if "950" in row["chip"] else "310p" if "310P" in row["chip"] else "a2"


def registers_of(row):
    """(read, written) sets."""
    series, text = series_of(row), row["detail"]
    if series == "950":
        found = [(letters.startswith("d"), int(digits, 16))
                 for letters, digits in re.findall(r"R([a-z0-9]{1,2}):([0-9a-f]{1,2})\|R", text)]
        return {r for is_written, r in found if not is_written}, {r for is_written, r in found
                                                                  if is_written}
    if series == "a2":
        found = [int(digits) for digits in re.findall(r"X(\d{1,2})", text)]
    else:
        found = [int(one or two or three) for one, two, three in
                 re.findall(r"X(\d{1,2})|x\[(\d{1,2})\]|x[a-z]:([12]?\d|3[01])(?![0-9x])", text)]
    name = row["name"] if series == "a2" else row["name"].partition("scalar_")[2]
    form = by_name(WRITES[series]).get(name, 0)
    places = {0: [], 1: [0], 2: [0, 1], 4: [0], -2: [1]}[form]
    written = {found[i] for i in places if i < len(found)}
    read = {found[i] for i in range(len(found)) if i not in places}
    if form == 4 and written:
        written = {(found[0] + i) % 32 for i in range(4)}
    return read, written


def live_counts(rows):
    accesses = collections.defaultdict(list)  # register: [(row, is read there)]
    for i, row in enumerate(rows):
        read, written = registers_of(row)
        for register in read | written:
            accesses[register].append((i, register in read))
    counts = [0] * len(rows)
    for of_one in accesses.values():
        for (i, _), (following, is_read) in zip(of_one, of_one[1:] + [(len(rows), False)]):
            for j in range(i, following if is_read else i + 1):
                counts[j] += 1
    return counts


# ---- the vector unit


def last_match(rows, index, pattern_and_name, wants=lambda hit: True):
    """What the last instruction of that name before rows[index] set; None if none."""
    pattern, name = pattern_and_name
    for row in reversed(rows[:index]):
        hit = re.search(pattern, row["detail"]) if row["name"] == name else None
        if hit and wants(hit):
            return hit
    return None


def elements(rows, index, series, repeat):
    masks = []
    for is_second in (False, True):
        hit = last_match(rows, index, MASK[series], lambda hit,
                         want=is_second: (int(hit.group("place")) == 1) == want)
        masks.append(int(hit.group("value"), 16) if hit else 0)
    hit = last_match(rows, index, MODE[series])
    if hit and bits(int(hit.group(1), 16), 56, 1):
        return (masks[1] or masks[0]) % 2 ** 32
    return sum(bin(mask).count("1") for mask in masks) * repeat % 2 ** 32


def conflicts(operands):
    groups = collections.Counter((address + i * stride * 32) // 32 % 16
                                 for address, stride in operands for i in range(8))
    return max(groups.values()) - 1 if groups else 0


def use_a2(rows, index, form):
    text = rows[index]["detail"]
    dtype = re.search(r"Dtype:([A-Za-z0-9]+)", text)
    size = by_name(A2_SIZES).get(dtype.group(1)) if dtype else None
    if size is None:
        return Use(-1, -1, -1)
    xd, xn, xm, xt = (number(r"X%s:X\d{0,2}=((?:0x)?[0-9a-f]+)" % letter, text)
                      for letter in "DNMT")
    share = -1
    if xt is not None:
        repeat = bits(xt, 0, 8) if form == 10 else bits(xt, 56, 8)
        share = min(100, elements(rows, index, "a2", repeat) * size * 100 / 65280)
    xd, xn, xm, xt = (value or 0 for value in (xd, xn, xm, xt))
    if form == 10:
        return Use(share, -1, -1)
    if form == 2:
        sources, target = [(xn, bits(xt, 8, 8)), (xm, bits(xt, 16, 8))], (xd, bits(xt, 0, 8))
    else:
        sources, target = [(xn, bits(xt, 16, 16))], (xd, 1 if form == 5 else bits(xt, 0, 16))
    return Use(share, conflicts(sources), conflicts([target]))


def use_310p(rows, index):
    text = rows[index]["detail"]
    repeat = number(r"repeat:(\d+)", text, 10)
    if repeat is None:
        return Use(-1, -1, -1)
    code = number(r"[Tt]ype:{0,3}(\d+)", text, 10)
    share = read = write = -1
    if code is not None and code < len(P310_SIZES):
        share = min(100, elements(rows, index, "310p", repeat) * P310_SIZES[code] * 100 / 65280)
    operands = []
    for operand, place in (("dest", "dst"), ("src", "src"), ("src1", "src1")):
        values = [number(operand + r"_addr:((?:0x)?[0-9a-f]+)", text)]
        for key in ("_stride:", "_rep_stride:"):
            digits = re.search(place + key + r"(0x[0-9a-f]+|\d+)", text)
            values.append(int(digits.group(1), 0) if digits else None)
        operands.append(None if None in values else (values[0], values[1]))
    if operands[0] and operands[1]:
        read, write = conflicts([operand for operand in operands[1:] if operand]), conflicts(
            operands[:1])
    return Use(share, read, write)


def use_of(rows, index):
    """None: no vector instruction."""
    series, name = series_of(rows[index]), rows[index]["name"]
    names = by_name(VECTOR) if series != "950" else {}
    if series == "310p":
        names = {name.lower(): form for name, form in names.items()
                 if name not in ("LD_VAD", "VMOVMASK_XN")}
        names.update({"ldvad": 1, "vmovemask_cmp_xn": 10})
    if name not in names:
        return None
    return use_a2(rows, index, names[name]) if series == "a2" else use_310p(rows, index)


# ---- all of it


def expected(rows, ended):
    """{pc: [registers, utilization, read conflicts, write conflicts]}; -1: absent."""
    result = {}
    for index, count in enumerate(live_counts(rows)):
        entry = result.setdefault(rows[index]["pc"], [-1, None, -1, -1])
        use = use_of(rows, index)
        entry[0] = max(entry[0], count)
        if use is not None:
            entry[1] = use.utilization if entry[1] is None else min(entry[1], use.utilization)
            if rows[index]["sequence"] in ended:  # accesses of what never ran do not collide
                entry[2:] = max(entry[2], use.read), max(entry[3], use.write)
    return {pc: [entry[0], -1 if entry[1] is None else entry[1]] + entry[2:] for pc,
            entry in result.items()}


def read_tap(path):
    with open(path, encoding="ascii", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def main(argv):
    if len(argv) != 4:
        sys.stderr.write(__doc__)
        return 2
    cores, problems, found, ended = collections.defaultdict(list), [], {}, collections.defaultdict(
        set)
    for row in read_tap(argv[1]):
        cores[row["core"]].append(row)
    for row in read_tap(argv[2]):
        ended[row["core"]].add(row["sequence"])
    for row in read_tap(argv[3]):
        values = (row["gpr_count"], row["vector_utilization"], row["ub_read_conflict"],
                  row["ub_write_conflict"])
        found[row["core"], row["pc"]] = [-1 if value == "NA" else float(value) for value in values]
    for core, rows in cores.items():
        rows.sort(key=lambda row: (int(row["start"]), int(row["sequence"])))
        for pc, wanted in expected(rows, ended[core]).items():
            ours = found.pop((core, pc), None)
            if ours is None or any(abs(a - b) > 1e-6 * max(1, abs(b)) for a,
                                   b in zip(ours, wanted)):
                problems.append("%s %s: %s, not %s" % (core, pc, ours, wanted))
    problems += ["%s %s should not be there" % key for key in found]
    print("\n".join(problems[:20]) if problems else "%d instructions agree" %
          sum(map(len, cores.values())))
    return 1 if problems or not cores else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
