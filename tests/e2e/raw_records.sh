#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What a parser does not understand is counted and kept as it is, with its place: of counters,
# instrumentation, tasks of the scheduler, reports of the AI CPU, marks of cores, words of pipes,
# warps and lines of a simulator. The hex view shows its bytes, and a recording of it is read by
# another run.
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/lib.sh"
root=$(cd -P -- "$(dirname -- "$0")/../.." && pwd)
cd "$WORK" || exit 99
command -v python3 >/dev/null || exit 77

python3 - "$root" <<'PYTHON' || fail "no input"
import os, struct, sys
sys.path.insert(0, sys.argv[1] + "/tests/tools")
import dbi_raw

INFO = ("Op Name=demo\nBlock Dim=1\nRun Soc Version=%s\nDevice Id=0\nPid=1\nCurrent Freq=%d\nRated "
        "Freq=%d\n%s")


def put(folder, name, data):
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, name), "wb") as out:
        out.write(data)


def info(folder, soc, mhz, flags=""):
    put(folder, "op_basic_info.txt", (INFO % (soc, mhz, mhz, flags)).encode())


# instrumentation: a move, one of a memory that there is not, then an unknown type
good = dbi_raw.dma_mov(0, 0x1000, 0x4C, 1, 4, 0, 0, "GM>UB")
nowhere = bytearray(good)
nowhere[8 + 43] = 77
unknown = struct.pack("<2I", 60, dbi_raw.MAGIC) + bytes(range(48))
data = good + bytes(nowhere) + unknown
info("dbi", "Ascend910B1", 1800)
put("dbi", "DbiPackets.bin", struct.pack("<2I", 3, 28 + len(data)) + struct.pack("<3QHBx", 3,
                                                                                 len(data), 0, 0,
                                                                                 0) + data)
# a chart whose second access is of a slot that there is not
info("chart", "Ascend910B1", 1800)
put("chart", "MemoryChart.bin", dbi_raw.chart(0x1000, 0, 64, 64, 0, 0,
                                              "GM>UB") + dbi_raw.chart(0x2000, 0, 64, 64, 0, 60000,
                                                                       "GM>UB"))


# an operator that communicates: tasks, of which one is neither start nor end, a report of another
# kind, a bad one
def task(function, time):
    return struct.pack("<HHHHQ", function | 1 << 6, 0, 5, 7, time) + bytes(48)


info("mc2", "Ascend910B1", 1800, "Is MC2=1\n")
put("mc2", "duration.bin", task(0, 1000) + task(9, 1500) + task(1, 2000))
put("mc2", "aicpu.bin", struct.pack("<HHIII", 0x5A5A, 6000, 99, 0,
                                    0).ljust(256, b"\1") + struct.pack("<H", 0x1234).ljust(
        256, b"\2"))
# the first record is of a kind that the chip file lists as known
put("mc2", "DeviceProf1.bin",
    struct.pack("<H", 0x28).ljust(128, b"\0") + struct.pack("<H", 0x15).ljust(128, b"\0"))

# marks of cores: one of a user, one of a call that no table has, and the same of collective kernels
for folder, flag, marks in (
    ("marks", "Is MC2=1\n", struct.pack("<QIIQ", 1500, 0, 0x10000,
                                        0) + struct.pack("<QIIQ", 1600, 3, 4242, 0xABCDEF)),
    ("lccl", "Is Lccl=1\n", struct.pack("<IIQQII", 4243, 3, 1600, 0xABCDEF, 5, 6)),
):
    info(folder, "Ascend910B1", 1800, flag)
    put(folder, "duration.bin", task(0, 1000) + task(1, 2000))
    put(folder, "aic_timestamp.bin", marks)

# words: a stamp of one quarter, then words of unknown time
info("biu", "Ascend950PR_9599", 1650)
put("biu", "perfmon.core0.aic", struct.pack("<4I", 0xE0001234, 0x00110007, 0x00120007, 0x00130007))

# warps: the head of the first core makes no sense
info("warps", "Ascend950PR_9599", 1650)
put("warps", "WarpTimeline.bin", bytes([0xAB]) * 1104)
PYTHON

# kept PIPELINE INPUT STAGE COUNT REASON OFFSET: what comes out of the stage's port raw
kept() {
    opprof --pipeline "$1" --set "input=$2" --flat --output "out-$2" --tap "$3.raw=$2-$3.hex" \
        --tap "$3.raw=$2-$3.tsv" --record "$3.raw=$2-$3.oprec"
    case $code in 0 | 1 | 4) ;; *) fail "$1 of $2 ends with $code" ;; esac
    [ "$(tail -n +2 "$2-$3.tsv" | wc -l)" = "$4" ] ||
        fail "$3 of $2 keeps $(tail -n +2 "$2-$3.tsv" | wc -l), not $4"
    holds grep -qF "$5" "$2-$3.tsv"
    holds grep -qE "	$6	" "$2-$3.tsv"
    holds grep -q "reason " "$2-$3.hex"
    holds python3 - "out-$2/run.json" "$3" "$4" <<'PYTHON'
import json, sys
with open(sys.argv[1], encoding="utf-8") as text:
    stage = next(one for one in json.load(text)["stages"] if one["id"] == sys.argv[2])
assert stage["counts"]["records of unknown kinds"] == int(sys.argv[3]), stage["counts"]
PYTHON
}

kept dbi-dump dbi records 2 "a type that the chip file does not know" 148
holds grep -qxE '    \+0000  3c 00 00 00 5a 5a 5a 5a 00 01 02 03 04 05 06 07  .*' dbi-records.hex
holds grep -qF "the record names a memory that does not exist" dbi-records.tsv
kept dbi-dump chart records 1 "the record names a slot that does not exist" 56
kept mc2-dump mc2 mc2 4 "neither the start nor the end of a task" 64
holds grep -qF "neither a turn nor communication tasks" mc2-mc2.tsv
holds grep -qF "a wrong magic number or length" mc2-mc2.tsv
holds grep -qF "a record of a function type that the chip file does not name" mc2-mc2.tsv
holds grep -qF "1 record is of kinds that the chip's file does not know, and is left out" \
    "$WORK/.stderr"
kept mc2-dump marks mc2 1 "a mark whose id is unknown" 24
holds grep -qxE '    \+0000  40 06 00 00 00 00 00 00 03 00 00 00 92 10 00 00  .*' marks-mc2.hex
kept mc2-dump lccl mc2 1 "a mark whose id is unknown" 0
holds grep -qxE '    \+0000  93 10 00 00 03 00 00 00 40 06 00 00 00 00 00 00  .*' lccl-mc2.hex
holds grep -qxE '    \+0010  ef cd ab 00 00 00 00 00 05 00 00 00 06 00 00 00  .*' lccl-mc2.hex
kept biu-dump biu biu 3 "a word after a broken start stamp, without a time" 12
holds grep -qxE '    \+0000  07 00 13 00 .*' biu-biu.hex
kept dbi-dump warps warps 1 "the head of a core's warps makes no sense" 0

# Lines of a simulator's log that are not requests.
mkdir mte
cp -r "$DATA/sim/mte_a2/." mte/
before=$(grep -c . mte/core0.mte_log.dump)
printf 'this is no request\n' >>mte/core0.mte_log.dump
opprof --pipeline sim-dump --set input=mte --set metrics=PMSampling --set chip=Ascend910B4 --flat \
    --output out-mte --tap mte.raw=mte.tsv
holds grep -qF "no request of an instruction" mte.tsv
[ "$(tail -n +2 mte.tsv | wc -l)" -le "$before" ] || fail "requests are kept as unknown lines"

# A recording holds the bytes as they are.
holds python3 - "$root" <<'PYTHON'
import sys
sys.path.insert(0, sys.argv[1] + "/tests/tools")
import recording
with open("dbi-records.oprec", "rb") as file:
    batches = [payload for kind, payload in recording.chunks(file.read()) if kind == b"BATC"]
assert any(bytes(range(48)) in payload for payload in batches)
PYTHON
finish
