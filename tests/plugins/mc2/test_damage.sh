#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# mc2-dump and biu-dump never call raw files complete if one of them is cut, empty, missing, doubled
# or something else.
# shellcheck source=tests/plugins/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/../lib.sh"
damage() {
    python3 "$root/tests/tools/damage_inputs.py" "$@" || fail "damage has not been reported"
}

for chip in 910b 950; do
    python3 "$root/tests/tools/mc2_raw.py" --cards 1 --blocks 2 --steps 3 --chip "$chip" \
        "$scratch/$chip"
    rm -- "$scratch/$chip/truth.json"
    damage mc2-dump "$scratch/$chip" <<'TABLE'
op_basic_info.txt   cut:10 cut:45 cut:90 cut:99 empty remove double text zero
DeviceProf1.bin     cut:10 cut:45 cut:90 cut:99 empty remove double text zero
duration.bin        cut:10 cut:45 cut:90 cut:99 empty remove double text zero
aicpu.bin           cut:10 cut:45 cut:90 cut:99 empty remove double text zero
aic_timestamp.bin   cut:10 cut:45 cut:90 cut:99 empty remove double text zero
TABLE
done

python3 - "$root/tests/tools" "$scratch" <<'PYTHON'
import sys
sys.path.insert(0, sys.argv[1])
import mc2_raw as raw
def words(*pairs):
    return b"".join(raw.word(*pair) for pair in pairs)
def launch(name, files, chip):
    raw.put(f"{sys.argv[2]}/{name}", "op_basic_info.txt",
            raw.info(chip, "plain", "Current Freq=1000\nBlock Dim=3\n"))
    for file, data in files.items():
        raw.put(f"{sys.argv[2]}/{name}", file, data)
busy = words((0, 0xF008), (1000, 0xF000), (10, 0xF010), (900, 0xF000))
launch("groups", {"instr.biu_perf_group0_aic.0.slice_0": raw.stamp(1000, 0) + busy,
                  "instr.biu_perf_group0_aiv0.0.slice_0": raw.stamp(3000, 1) + busy,
                  "instr.biu_perf_group1_aiv1.0.slice_0": raw.stamp(5000, 0) + busy}, "950")
launch("mix", {f"instr.biu_perf_group{group}_{core}.0.slice_0": raw.stamp(1000, group) + busy
               for group in range(3) for core in ("aic", "aiv0", "aiv1")}, "950")
launch("windows", {f"perfmon.core{core}.aiv0": raw.stamp(1000 + core, core) + busy
                   for core in range(3)}, "950")
launch("container",
       {"timeline.bin.0": raw.chunk(0, 0, raw.stamp(1000, 0) + busy) + raw.chunk(
            3, 2, raw.stamp(1000, 1) + busy) +
                  raw.chunk(3, 1, raw.stamp(1000, 2) + busy)}, "950")
PYTHON
# Groups are of a few cores of a device: which of them ran something, nothing says.
damage biu-dump "$scratch/groups" <<'TABLE'
op_basic_info.txt       cut:10 cut:45 cut:90 cut:99 empty remove double text zero
instr.biu_perf_group*   cut:10 cut:45 cut:90 cut:99 empty remove=0 double text
TABLE
# Where other groups have files of all three cores, one that is missing is known.
damage --name "has no file, while group" biu-dump "$scratch/mix" <<'TABLE'
instr.biu_perf_group*   remove
TABLE
# The blocks of the other cores tell that a stream is missing.
damage --name "no stream of a core names block" biu-dump "$scratch/windows" <<'TABLE'
perfmon.core*           cut:10 cut:45 cut:90 cut:99 empty remove double text
TABLE
damage --name timeline.bin biu-dump "$scratch/container" <<'TABLE'
timeline.bin.0          cut:10 cut:45 cut:90 cut:99 empty remove double text
TABLE
