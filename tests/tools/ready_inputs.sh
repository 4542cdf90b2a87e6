# SPDX-License-Identifier: Apache-2.0
# Sourced by tests: an input for every ready pipeline, so that what must hold for all of them is
# tested for all.

# ready_inputs TREE FOLDER: makes what the tree does not have in FOLDER, and prints lines of
# PIPELINE INPUT NAME=VALUE... Pipelines that read no raw data have no line: the -live ones start
# programs, and `show` reads results.
ready_inputs() {
    local tree=$1 folder=$2
    printf 'sim-dump %s chip=Ascend910B1 metrics=PipeUtilization,ResourceConflictRatio,Overhead\n' \
        "$tree/tests/data/sim/a2_synthetic"
    printf 'onboard-dump %s\n' "$tree/tests/data/pmu/cases/910b_mix/input"
    printf 'kineto %s idle.stats=true\n' "$tree/tests/data/kineto/sampled_rank-0.json.gz"
    printf '%s-dump %s\n' mc2 "$folder/mc2" biu "$folder/biu" dbi "$folder/dbi"
    printf 'mindspore-dump %s\n' "$tree/tests/data/mindspore/made_b"
    python3 "$tree/tests/tools/mc2_raw.py" --cards 2 --blocks 2 --steps 4 "$folder/mc2" &&
        rm -f -- "$folder/mc2/truth.json" &&
        python3 - "$tree/tests/tools" "$folder" <<'PYTHON'
import os, sys
sys.path.insert(0, sys.argv[1])
import dbi_raw, mc2_raw
words = b"".join(mc2_raw.word(10 + 7 * i, (0xF008, 0xF000, 0xF010, 0x1000 + i)[i % 4])
                 for i in range(200))
mc2_raw.put(sys.argv[2] + "/biu", "op_basic_info.txt",
            mc2_raw.info("950", "plain", "Current Freq=1000\n"))
for core in range(4):
    mc2_raw.put(sys.argv[2] + "/biu", f"perfmon.core{core}.aiv0",
                mc2_raw.stamp(1000 + core, core) + words + mc2_raw.word(1, 0xF000))
os.mkdir(sys.argv[2] + "/dbi")
with open(sys.argv[2] + "/dbi/op_basic_info.txt", "w") as out:
    out.write("Run Soc Version=Ascend910B1\n")
dbi_raw.write_packets(sys.argv[2] + "/dbi/DbiPackets.bin",
                      {slot: [dbi_raw.dma_mov(0, 0x100000 * slot + 0x1000 * i, 0x40 + 4 * (i % 9),
                                              8, 9, i % 3, 0, "GM>L1")
                              for i in range(40)] for slot in (2, 5)})
PYTHON
}
