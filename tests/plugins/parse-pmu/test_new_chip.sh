#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# An unknown chip with other records, events and tables: with one JSON file, its launches have their
# tables.
# shellcheck source=tests/plugins/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/../lib.sh"

mkdir "$scratch/chips" "$scratch/raw"
cat >"$scratch/chips/Nova.json" <<'JSON'
{
  "opprof_chip": "1.0",
  "series": "Nova",
  "uses": ["onboard"],
  "default_soc": "Nova1",
  "socs": { "Nova1": {}, "Nova2": { "peaks": { "family": "fast" } } },
  "clocks": { "core": 500 },
  "cores": { "count": 6 },
  "peaks": {
    "family": "slow",
    "families": {
      "slow": { "default": { "RING": 40 } },
      "fast": { "default": { "RING": 80 } }
    }
  },
  "pmu": {
    "operator": { "mix": "both", "none": "nothing" },
    "kinds": [
      { "type": 3, "name": "tensor", "label": "tensor core" },
      { "type": 5, "name": "stream", "label": "stream core" }
    ],
    "defaults": { "rated_freq": 500, "scheduler_khz": 2000 },
    "max_rounds": 4,
    "records": {
      "counters": {
        "size": 64,
        "fields": {
          "cycles": { "at": 0, "bits": 64 },
          "block": { "at": 8, "bits": 16 },
          "sub_block": { "at": 10, "bits": 8 },
          "core_type": { "at": 11, "bits": 4, "shift": 4 },
          "function": { "at": 12, "bits": 8 },
          "core": { "at": 13, "bits": 8 }
        },
        "counters": { "at": 24, "count": 5 },
        "accept": [7]
      },
      "task_log": {
        "size": 24,
        "fields": { "function": { "at": 0, "bits": 8 }, "time": { "at": 8, "bits": 64 } },
        "start": 3,
        "end": 9
      }
    },
    "rounds": {
      "tensor": [ [11, 12, 13, 14, 0], [15, 16, 0, 0, 0] ],
      "stream": [ [21, 22, 0, 0, 0], [15, 16, 23, 0, 0] ]
    },
    "groups": {
      "Compute": { "tensor": [11, 12, 13], "stream": [21, 22] },
      "Traffic": { "tensor": [14, 15, 16], "stream": [15, 16, 23] }
    },
    "events": {
      "11": { "name": "steps", "meaning": "steps of the tensor unit" },
      "12": { "name": "sparse_steps", "meaning": "steps that were skipped" },
      "13": { "name": "tensor_busy", "meaning": "cycles in which the tensor unit ran" },
      "14": { "name": "ring_words", "meaning": "words from the ring, 64 bytes each" },
      "15": { "name": "reads", "meaning": "reads of 256 bytes" },
      "16": { "name": "writes", "meaning": "writes of 256 bytes" },
      "21": { "name": "stream_busy", "meaning": "cycles in which the stream unit ran" },
      "22": { "name": "stream_ops", "meaning": "operations of the stream unit" },
      "23": { "name": "stalls", "meaning": "cycles of waiting" }
    }
  },
  "metrics": {
    "choices": {
      "Compute": { "groups": ["Compute"] },
      "Traffic": { "groups": ["Traffic"] },
      "Memory": null, "L2Cache": null, "Occupancy": null, "Roofline": null
    },
    "symbols": {
      "time": { "is": "total_cycles / freq", "unit": "us", "meaning": "Time of the core." },
      "dense": { "is": "sub0(e(11), e(12))", "unit": "steps", "meaning": "Steps that were done." }
    },
    "tables": {
      "OpBasicInfo": {
        "of": "operator",
        "columns": [
          { "name": "Op Name", "shows": "name" },
          { "name": "Op Type", "shows": "op_type" },
          { "name": "Task Duration(us)", "shows": "duration" }
        ]
      },
      "Compute": {
        "columns": [
          { "name": "block", "shows": "block" },
          { "name": "core", "shows": "sub_block" },
          { "name": "tensor_ops", "of": "tensor", "is": "dense * 2 * 4096", "unit": "ops" },
          { "name": "tensor_share", "of": "tensor", "is": "e(13) / total_cycles", "unit": "ratio" },
          { "name": "stream_ops_per_us", "of": "stream", "is": "e(22) / time", "unit": "ops/us" }
        ]
      },
      "Traffic": {
        "columns": [
          { "name": "core", "shows": "sub_block" },
          { "name": "ring(GB/s)", "of": "tensor", "is": "gib_s(e(14) * 64, time)", "unit": "GiB/s" },
          { "name": "ring_usage(%)", "of": "tensor", "is": "100 * gib_s(e(14) * 64, time) / peak(RING)", "unit": "%" },
          { "name": "bytes", "is": "(e(15) + e(16)) * 256", "unit": "bytes" }
        ]
      }
    }
  }
}
JSON

python3 - "$scratch/raw" <<'PYTHON'
import struct, sys
def record(kind, block, sub, cycles, counters, function=7):
    return struct.pack("<QHBBBB10x5Q", cycles, block, sub, kind << 4, function, block, *counters)
def write(name, data):
    with open(sys.argv[1] + "/" + name, "wb") as file:
        file.write(data)
write("DeviceProf1.bin", record(3, 0, 0, 1000, (900, 100, 800, 65536, 99)) + record(5, 0, 2, 500,
                                                                                    (450, 7000, 0,
                                                                                     0, 0))
      + record(3, 1, 0, 9, (1, 2, 3, 4, 5), function=8) + record(3, 2, 0, 9, (1, 2, 3, 4, 5),
                                                                 function=7 + 64))
write("DeviceProf2.bin", record(3, 0, 0, 2000, (10, 20, 0, 0, 0)) + record(5, 0, 2, 1000,
                                                                           (1, 2, 3, 0, 0)))
write("duration.bin", struct.pack("<BxxxxxxxQQ", 3, 4000, 0) + struct.pack("<BxxxxxxxQQ", 9, 4021,
                                                                           0))
write("op_basic_info.txt", b"Op Name=demo\nBlock Dim=2\nDevice Id=0\nPid=7\nRated Freq=NA\nRun Soc "
                           b"Version=Nova2\nCurrent Freq=400\n")
PYTHON

# Two records are of functions that the chip's file does not know: the run is incomplete.
code=0
OPPROF_CHIP_PATH=$scratch/chips:${OPPROF_CHIP_PATH:?set by the makefile} "$OPPROF_RUN" \
    --pipeline onboard-dump --set "input=$scratch/raw" --output "$scratch/result" --flat \
    >/dev/null 2>"$scratch/err" || code=$?
if [ "$code" != 4 ] || ! grep -qF "2 records are of kinds that the chip's file does not know" \
    "$scratch/err"; then
    cat -- "$scratch/err" >&2
    fail "exit code $code"
fi

# table NAME: its content is what standard input says
table() {
    diff - "$scratch/result/$1.csv" >&2 || fail "$1.csv"
}
table OpBasicInfo <<'CSV'
Op Name,Op Type,Task Duration(us),
demo,both,10.500000,
CSV
# 800 * 8192 operations; 800 of 2000 cycles; 7000 operations in 1000 cycles at 400 MHz.
table Compute <<'CSV'
block,core,tensor_ops,tensor_share,stream_ops_per_us,
0,stream2,NA,NA,2800.000000,
0,tensor0,6553600,0.400000,NA,
CSV
# 4 MiB in 5 us are 781.25 GiB/s, of 80.
table Traffic <<'CSV'
core,ring(GB/s),ring_usage(%),bytes,
stream2,NA,NA,768,
tensor0,781.250000,976.562500,7680,
CSV

OPPROF_CHIP_PATH=$scratch/chips:$OPPROF_CHIP_PATH "$OPPROF_RUN" --explain 'ring_usage(%)' \
    --set chip=Nova2 >"$scratch/out" || fail "the chip's metric has no explanation"
for text in 'ring_words' 'words from the ring, 64 bytes each' 'replay 1, counter 3' \
    'peak(RING) = 80'; do
    grep -qF -- "$text" "$scratch/out" || {
        cat -- "$scratch/out" >&2; fail "not explained: $text"
    }
done
