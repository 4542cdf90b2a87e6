#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# dbi-dump makes the same bytes in each run, of several launches and cores.
# shellcheck source=tests/plugins/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/../lib.sh"
# shellcheck source=tests/tools/ten_runs.sh
. "$root/tests/tools/ten_runs.sh"

python3 - "$root/tests/tools" "$scratch/run" <<'PYTHON'
import os, sys
sys.path.insert(0, sys.argv[1])
import dbi_raw as raw
for device in (0, 1):
    for order in (0, 1, 2):
        folder = os.path.join(sys.argv[2], f"device{device}", "made_up", str(order), "dump")
        os.makedirs(folder)
        slots = {slot: [raw.dma_mov(0, 0x100000 * slot + 0x1000 * i, 0x40 + 4 * (i % 9), 8,
                                    8 + order, i % 3, 0, "GM>L1")
                        for i in range(60)] for slot in (2, 5, 8, 11)}
        raw.write_packets(os.path.join(folder, "DbiPackets.bin"), slots)
        with open(os.path.join(folder, "op_basic_info.txt"), "w") as out:
            out.write("Run Soc Version=Ascend910B1\n")
PYTHON
ten_runs 0 --pipeline dbi-dump --set "input=$scratch/run"
