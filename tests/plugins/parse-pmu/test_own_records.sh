#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A chip whose raw data has nothing in common with that of other chips except its meaning: its own
# names of files, keys of facts, byte order, width of counters and classes of pipes, all of it in
# its chip file.
# shellcheck source=tests/plugins/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/../lib.sh"

mkdir "$scratch/chips" "$scratch/raw"
cat >"$scratch/chips/Ash.json" <<'JSON'
{
  "opprof_chip": "1.0",
  "series": "Ash",
  "uses": ["onboard"],
  "socs": { "Ash1": {} },
  "clocks": { "core": 1000 },
  "cores": { "count": 2 },
  "peaks": { "family": "all", "families": { "all": { "default": { "BUS": 400 } } } },
  "raw": {
    "files": { "info": "about.txt", "counters": "count-<k>.raw", "task_log": "when.raw", "l2_cache": "cache.raw" },
    "info": { "separator": ":", "name": "operator", "block_dim": "blocks", "soc": "chip", "device_id": "card",
              "current_freq": "MHz", "rated_freq": "rated MHz" }
  },
  "pmu": {
    "operator": { "type": "core" },
    "kinds": [ { "name": "core", "label": "core" } ],
    "defaults": { "rated_freq": 1000, "scheduler_khz": 1000 },
    "records": {
      "counters": {
        "size": 28,
        "byte_order": "big",
        "fields": { "block": { "at": 2, "bits": 16 }, "cycles": { "at": 4, "bits": 48 } },
        "counters": { "at": 12, "count": 4, "bits": 32 }
      },
      "task_log": {
        "size": 12,
        "byte_order": "big",
        "fields": { "function": { "at": 0, "bits": 4, "shift": 4 }, "time": { "at": 4, "bits": 64 } },
        "start": 1,
        "end": 2
      },
      "l2_cache": { "size": 16, "byte_order": "big", "at": 4, "bits": 24, "events": [7, 8], "evict_slot": 1 }
    },
    "events": {
      "5": { "name": "busy", "meaning": "cycles in which the core computed" },
      "6": { "name": "copying", "meaning": "cycles in which the copier ran" },
      "7": { "name": "hits", "meaning": "hits" },
      "8": { "name": "evicted", "meaning": "lines that were written back" },
      "9": { "name": "words", "meaning": "words of 64 bytes" }
    },
    "rounds": { "core": [ [5, 6, 0, 9] ] },
    "groups": { "Use": { "core": [5, 6, 7, 8, 9] } }
  },
  "metrics": {
    "choices": { "Use": { "groups": ["Use"] }, "Roofline": { "groups": ["Use"], "view": "roofline" } },
    "indexed": { "core": { "keys": "pmu.events", "unit": "count", "meaning": "Sum over the cores." } },
    "symbols": { "view_time": { "is": "total_cycles / freq", "unit": "us", "meaning": "Time of the core." } },
    "tables": {
      "Use": { "columns": [ { "name": "block", "shows": "block" }, { "name": "cycles", "is": "total_cycles", "unit": "cycles" },
        { "name": "busy", "is": "e(busy)", "unit": "cycles" }, { "name": "copying", "is": "e(copying)", "unit": "cycles" },
        { "name": "evicted", "is": "l2_evict", "unit": "lines" } ] },
      "OpBasicInfo": { "of": "operator", "columns": [ { "name": "name", "shows": "name" }, { "name": "time", "shows": "duration" } ] }
    },
    "storage": {
      "rows": { "pipes": [
        { "name": "Copier", "class": "move", "instructions": "0", "cycle": "e(copying)", "wait": "0" },
        { "name": "MTE", "class": "compute", "instructions": "0", "cycle": "e(busy)", "wait": "0" } ] },
      "tables": [ { "name": "Pipe", "shape": "pipe", "rows": "pipes" } ]
    },
    "roofline": {
      "compute": { "add": { "in": ["core"], "of": "core", "name": "ADD", "ops": "core(busy)", "theory": "1000 * cores * rated_freq / 1e6" } },
      "graphs": [ { "title": "Bus", "in": ["core"], "compute": [ { "of": ["add"] } ],
          "lines": [ { "name": "Bus", "bytes": "core(words) * 64", "peak": "peak(BUS) * cores / 1024" } ] } ]
    }
  }
}
JSON

cat >"$scratch/make.py" <<'PYTHON'
import struct, sys
copying, busy = int(sys.argv[2]), int(sys.argv[3])
def write(name, data):
    with open(sys.argv[1] + "/" + name, "wb") as file:
        file.write(data)
def record(block, cycles, *counters):
    return struct.pack(">2xH", block) + cycles.to_bytes(6, "big") + b"\xff\xff" + struct.pack(
        ">4I", *counters)
write("count-1.raw", record(0, 0x10000000a, busy, copying, 77, 12) + record(258, 0x10000000b, busy,
                                                                            copying, 77, 12))
write("when.raw", struct.pack(">BxxxQ", 0x1f, 5000) + struct.pack(">BxxxQ", 0x2f,
                                                                  7005000) + struct.pack(">BxxxQ",
                                                                                         0x3f, 9))
write("cache.raw", b"\xee" * 4 + (70000).to_bytes(3, "big") + (66051).to_bytes(3, "big") + b"\xee" *
      6)
write("about.txt", b"operator:sum=of=two\nblocks:2\ncard:0\nMHz:1000\nrated MHz:1000\nchip:Ash1\n")
PYTHON
export OPPROF_CHIP_PATH=$scratch/chips:${OPPROF_CHIP_PATH:?set by the makefile}

# run COPYING BUSY: of so many cycles
run() {
    python3 "$scratch/make.py" "$scratch/raw" "$1" "$2"
    "$OPPROF_RUN" "$scratch/raw" --set metrics=Use,Roofline --output "$scratch/result" --flat \
        >/dev/null 2>"$scratch/err" ||
        { cat -- "$scratch/err" >&2; fail "exit code"; }
}
run 4000000000 5

# table NAME: its content is what standard input says
table() {
    diff - "$scratch/result/$1.csv" >&2 || fail "$1.csv"
}
table Use <<'CSV'
block,cycles,busy,copying,evicted,
0,4294967306,5,4000000000,66051,
258,4294967307,5,4000000000,66051,
CSV
table OpBasicInfo <<'CSV'
name,time,
sum=of=two,7000000.000000,
CSV
"$OPPROF_RUN" --query pmu_roofline "$scratch/result" >"$scratch/roofs" ||
    fail "the nearest roof is not shown"
grep -q 'latency bound:memory caused' "$scratch/roofs" ||
    fail "a busy pipe that moves data does not count as memory"
rm -rf "$scratch/result"
run 5 4000000000
"$OPPROF_RUN" --query pmu_roofline "$scratch/result" >"$scratch/roofs" ||
    fail "the nearest roof is not shown"
grep -q 'latency bound:compute caused' "$scratch/roofs" ||
    fail "a busy pipe that computes does not count as computing"

# What is missing is called by the chip's own names.
rm -rf "$scratch/result" "$scratch/raw/count-1.raw" "$scratch/raw/when.raw"
"$OPPROF_RUN" --pipeline onboard-dump --set "input=$scratch/raw" --output "$scratch/result" --flat \
    >/dev/null 2>"$scratch/err" && code=0 || code=$?
[ "$code" -eq 4 ] || fail "a launch without counters is complete"
for text in "'count-1.raw' is missing" "no 'when.raw' states"; do
    grep -qF -- "$text" "$scratch/err" || { cat -- "$scratch/err" >&2; fail "not reported: $text"; }
done
sed -i '/^chip/d' "$scratch/raw/about.txt"
"$OPPROF_RUN" --pipeline onboard-dump --set "input=$scratch/raw" --set chip=Ash1 \
    --output "$scratch/named" --flat >/dev/null 2>"$scratch/err" || true
grep -qF "'count-1.raw' is missing" "$scratch/err" || {
    cat -- "$scratch/err" >&2; fail "a chip that is named is not used"
}

# Typing errors.
sed -i 's/"task_log": "when.raw"/"tsk_log": "when.raw"/; s/"separator"/"seperator"/; s/"class": "move"/"class": "mve"/; s/"byte_order": "big",$/"byte_order": "bg",/' \
    "$scratch/chips/Ash.json"
"$OPPROF_RUN" --validate --pipeline onboard-dump --set "input=$scratch/raw" --set chip=Ash1 \
    >/dev/null 2>"$scratch/err" &&
    fail "typing errors are not reported"
for text in "/raw/files/tsk_log: there is no 'tsk_log'. Did you mean 'task_log'?" \
    "/raw/info/seperator: there is no 'seperator'. Did you mean 'separator'?" \
    "/metrics/storage/rows/pipes/0/class: there is no 'mve'. Did you mean 'move'?" \
    "/pmu/records/counters/byte_order: there is no 'bg'. Did you mean 'big'?"; do
    grep -qF -- "$text" "$scratch/err" || { cat -- "$scratch/err" >&2; fail "not reported: $text"; }
done
