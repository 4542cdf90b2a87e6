#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# mc2-dump and biu-dump make the same bytes in each run, of several cards and many cores.
# shellcheck source=tests/plugins/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/../lib.sh"
# shellcheck source=tests/tools/ten_runs.sh
. "$root/tests/tools/ten_runs.sh"

python3 "$root/tests/tools/mc2_raw.py" --cards 4 --blocks 6 --steps 20 "$scratch/cards"
ten_runs 0 --pipeline mc2-dump --set "input=$scratch/cards"

python3 - "$root/tests/tools" "$scratch/cores" <<'PYTHON'
import random, sys
sys.path.insert(0, sys.argv[1])
import mc2_raw as raw
draw = random.Random(3)
raw.put(sys.argv[2], "op_basic_info.txt", raw.info("950", "plain", "Current Freq=1000\n"))
for core in range(18):
    data = raw.stamp(1000 + draw.randrange(1000), core)
    for number in range(400):
        data += raw.word(draw.randrange(1, 60000),
                         draw.choice((0x1000 + number, 0xF000 | 1 << draw.randrange(7))))
    raw.put(sys.argv[2], f"perfmon.core{core}.aiv0", data + raw.word(1, 0xF000))
PYTHON
ten_runs 0 --pipeline biu-dump --set "input=$scratch/cores"
