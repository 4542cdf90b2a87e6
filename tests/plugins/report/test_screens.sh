#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Each ready pipeline that reads files ends with its report: at 40, 80 and 200 columns, on a
# terminal and in a pipe.
# shellcheck source=tests/plugins/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/../lib.sh"
# shellcheck source=tests/tools/terminals.sh
. "$root/tests/tools/terminals.sh"
need_terminals
pipelines=(sim-dump onboard-dump mc2-dump biu-dump dbi-dump mindspore-dump)
"$OPPROF_RUN" --list | grep collect-kineto >"$scratch/kineto-line" && pipelines+=(kineto)
"${TEST_TOOLS:?}/gen_onboard" --describe "$root/examples/onboard/matmul.txt" --name matmul_bias \
    --blocks 4 "$scratch/raw"
python3 "$root/tests/tools/mc2_raw.py" "$scratch/mc2"
python3 -B - "$root/tests/tools" "$scratch" <<'PYTHON'
import os, sys
sys.path.insert(0, sys.argv[1])
import dbi_raw, mc2_raw
scratch = sys.argv[2]
words = b"".join(mc2_raw.word(*word) for word in ((0, 0xF008), (1000, 0xF000), (0, 0xF010),
                                                  (500, 0xF000)))
mc2_raw.put(f"{scratch}/biu", "instr.biu_perf_group0_aic.0.slice_0", mc2_raw.stamp(1000, 0) + words)
for kind in ("biu", "dbi"):
    mc2_raw.put(f"{scratch}/{kind}", "op_basic_info.txt", "Op Name=made_up\nRun Soc "
                                                          f"Version={'Ascend910B1' if kind == 'dbi' else 'Ascend950PR_9599'}\n")
slots = {core: [dbi_raw.dma_mov(0, 0x1000 + 0x8000 * i, 0x4c, 3, 4, 2, 1, "GM>UB")
                for i in range(200)] for core in (0, 1)}
dbi_raw.write_packets(f"{scratch}/dbi/DbiPackets.bin", slots)
PYTHON
python3 "$root/tests/plugins/report/screens.py" "$root/tests/data" "$scratch" "${pipelines[@]}" ||
    fail "screens"
for file in "$root"/pipelines/*.json; do
    grep -q '"use": "report"' "$file" || fail "$file does not end with a report"
done
