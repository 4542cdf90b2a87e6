#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# dbi-dump never calls raw files complete if one of them is cut, empty, missing, doubled or
# something else.
# shellcheck source=tests/plugins/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/../lib.sh"
damage() {
    python3 "$root/tests/tools/damage_inputs.py" "$@" || fail "damage has not been reported"
}

python3 - "$root/tests/tools" "$scratch" <<'PYTHON'
import os, sys
sys.path.insert(0, sys.argv[1])
import dbi_raw as raw
slots = {0: [raw.dma_mov(0, 0x1000, 0x4C, 3, 4, 2, 1, "GM>UB")],
         1: [raw.dma_mov(0x8000, 0, 0x60, 2, 2, 0, 0, "UB>GM")]}
def charts(path):
    with open(path, "wb") as out:
        for i in range(8):
            out.write(raw.chart(0x1000 + 0xC0 * i, 0xA0 * i, 128, 128, 0x4C, 0, "GM>UB"))
for name, write in (("DbiArea.bin", lambda path: raw.write_area(path, {0: slots[0] * 8})),
                    ("DbiPackets.bin", lambda path: raw.write_packets(path, slots)),
                    ("MemoryChart.bin", charts)):
    folder = os.path.join(sys.argv[2], name.split(".")[0])
    os.mkdir(folder)
    write(os.path.join(folder, name))
    with open(os.path.join(folder, "op_basic_info.txt"), "w") as out:
        out.write("Run Soc Version=Ascend910B1\n")
PYTHON
for form in DbiArea DbiPackets MemoryChart; do
    # After the records of an area's last slot there is room for more, and what lies in it says
    # nothing; and nothing tells accesses of a chart that were made twice from those that came
    # twice.
    double=double=0
    [ $form != DbiPackets ] || double=double
    damage dbi-dump "$scratch/$form" <<TABLE
op_basic_info.txt   cut:45 cut:99 empty remove double text zero
$form.bin           cut:10 cut:45 cut:90 cut:99 empty remove $double text zero
TABLE
done

# What describes the code: a launch with all of it.
python3 - "$root/tests/tools" "$scratch" <<'PYTHON'
import os, struct, sys
sys.path.insert(0, sys.argv[1])
import dbi_raw as raw
folder = os.path.join(sys.argv[2], "code")
os.mkdir(folder)
files = {"op_basic_info.txt": b"Op Name=add\nBlock Dim=100\nRun Soc Version=Ascend910B1\nCurrent "
                              b"Freq=1000\n",
         "pc_start_addr.txt": b"0x1000\n",
         "kernel1Stub.o.bbbmap.0":
         raw.block_map([("add", 0, [(0, 0, 8), (1, 12, 12), (2, 16, 0x20)])]).encode(),
         "kernel1.extra.0": raw.block_counts([{0: 1, 1: 2}, {2: 3}] + [{}] * 298, 3),
         "PcOffset.bin": struct.pack("<Q", 0),
         "pcSampling.bin.0": raw.sample_chunk(0, 1, [raw.sample(0x1008, [1] * 9)] * 4),
         "lrm.bin": raw.liveness([0], [4], ["add"], [0], [(4 * i, [[(i, 1)]]) for i in range(9)]),
         "WarpTimeline.bin": struct.pack("<4I2Q", raw.MAGIC, 1, 0, 0, 10, 20) + bytes(1104 - 32)}
for name, data in files.items():
    with open(os.path.join(folder, name), "wb") as out:
        out.write(data)
PYTHON
# A file that is not there is named by its pattern. Registers and warps are of any launch or none.
damage --name "pcSampling.bin.*" --name "kernel*.extra.*" --name "kernel*.o.bbbmap.*" dbi-dump \
    "$scratch/code" <<TABLE
op_basic_info.txt      cut:45 cut:90 cut:99 empty remove double text zero
pc_start_addr.txt      empty text zero
kernel1.extra.0        cut:10 cut:45 cut:90 cut:99 empty remove double text zero
kernel1Stub.o.bbbmap.0 cut:10 cut:45 cut:90 cut:99 lines:10 lines:45 empty remove double text zero
PcOffset.bin           cut:10 empty remove=0 double text  # without the file, there is no stub
pcSampling.bin.0       cut:10 cut:45 cut:90 cut:99 empty remove double text zero
lrm.bin                cut:10 cut:45 cut:90 cut:99 empty remove=0 double text zero
WarpTimeline.bin       cut:10 cut:45 cut:90 cut:99 empty remove=0 double text zero
TABLE
