#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The commands of docs/chips/bring-up.md, run one after the other, give what the page shows.
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"

need python3
use_opprof_run
document=$root/docs/chips/bring-up.md
mkdir -p -- "$scratch/work/chips"
cd -- "$scratch/work"

# block LANGUAGE N: the N-th fenced block of a language
block() {
    rm -rf -- "$scratch/blocks"
    mkdir -- "$scratch/blocks"
    fenced "$1" "$document" "$scratch/blocks"
    sed -n "$2p" < <(ls -- "$scratch/blocks") | { read -r file && cat -- "$scratch/blocks/$file"; }
}

block json 1 >chips/slate.json
block json 2 >slate.json
block json 3 >beats.json
block c 1 >slate_capture.c
block c 2 >slate_beats.c
[ "$(wc -l <slate_beats.c)" -le 150 ] || fail "the parser of a raw format has more than 150 lines"
for i in 1 2 3 4; do
    block python $i >make$i.py
done
for i in 1 2 3 4 5 6; do
    block sh $i >"part$i.sh"
done
# Without an installed opprof the build's own is compiled against.
if ! pkg-config --exists opprof opprof-kit 2>/dev/null; then
    build=${OPPROF_BUILD_DIR:?set by the makefile}
    printf '#!/bin/sh\necho %s\n' \
        "-I$root/core/include -I$build/core/include -I$root/kit/include -I$root/records/include \
-L$build/core/.libs -lopprof -L$build/kit/.libs -lopprof-kit ${SANITIZE_FLAGS:-}" \
>"$scratch/bin/pkg-config"
    chmod +x "$scratch/bin/pkg-config"
fi
printf '#!/bin/sh\nexec %s "$@"\n' "${CC:-gcc}" >"$scratch/bin/cc"
chmod +x "$scratch/bin/cc"
cat >all.sh <<'END'
. ./part1.sh
python3 make1.py
. ./part2.sh
. ./part3.sh
python3 make2.py
. ./part4.sh
python3 make3.py
. ./part5.sh
python3 make4.py
. ./part6.sh
END
opprof=$root bash -euo pipefail all.sh >out 2>&1 || {
    cat out; fail "the commands of docs/chips/bring-up.md fail"
}
python3 - <<'PYTHON' || fail "the timeline is not as docs/chips/bring-up.md says"
import json
with open("timelines/trace.json") as file:
    document = json.load(file)
events = document["traceEvents"] if isinstance(document, dict) else document
text = json.dumps(events)
assert "TILE" in text and "RING" in text, "lanes"
assert sum(event["ph"] == "s" for event in events) == 4, "arrows"
moved = [event["args"]["process_bytes"] for event in events if event.get("name") == "FETCH"
         and "args" in event]
assert [int(str(size)) for size in moved] == [512] * 4, moved
with open("details.tsv") as file:
    head, *lines = (line.rstrip("\n").split("\t") for line in file)
rows = {int(row[head.index("pc")], 0): dict(zip(head, row)) for row in lines}
assert float(rows[0x100c]["vector_utilization"]) == 25, rows[0x100c]
assert rows[0x100c]["ub_read_conflict"] == "1" and rows[0x100c]["ub_write_conflict"] == "0", rows[
    0x100c]
assert rows[0x1000]["process_bytes"] == "2048", rows[0x1000]
fetched = [event for event in events if event.get("name") == "cache_time"]
assert len(fetched) == 4, fetched
assert "MISSES" in text and "NOTES" in text and "Mark 0x1" in text, "misses and marks"
rates = [event["args"] for event in events if event["ph"] == "C"
         and event.get("name") == "GM_TO_UB"]
assert any(float(str(value)) > 0 for rate in rates for value in rate.values()), rates
PYTHON
block csv 1 | diff - results/Use.csv || fail "Use.csv is not as docs/chips/bring-up.md shows it"
block csv 2 | diff - beats/Beats.csv || fail "Beats.csv is not as docs/chips/bring-up.md shows it"
grep -q 'it is no beat' beats.hex || { cat beats.hex; fail "the record of another kind is lost"; }
grep -q 'roofline.*The launch is compute bound' results/advice.csv || {
    cat results/advice.csv; fail "the roofline gives no advice"
}
grep -qF 'without which MindStudio Insight does not show' out || {
    cat out; fail "only numbers say what a viewer lacks"
}
grep -q 'peak(RING) = 40' out || { cat out; fail "--explain does not name the peak"; }

# Wherever the container is cut but between files, the run says so.
printf '%-24.24s' notes.txt | cat slate.cap - <(printf '\5\0\0\0\0\0\0\0notes') >whole.cap
for bytes in 0 1 5 10 29 36 37; do
    head -c "-$bytes" whole.cap >cut.cap
    code=0
    OPPROF_CHIP_PATH=$PWD/chips${OPPROF_CHIP_PATH:+:$OPPROF_CHIP_PATH} opprof-run \
        --allow-writable-plugins --plugin-path . --pipeline ./slate.json \
        --set input=cut.cap --output cut --flat >out 2>&1 || code=$?
    case $bytes in 0 | 37) wanted=0 ;; *) wanted=4 ;; esac
    [ "$code" = $wanted ] || {
        cat out; fail "a container without its last $bytes bytes: exit code $code"
    }
    cmp -s results/Use.csv cut/Use.csv || fail "what came before the cut is lost"
done

# A file that is cut within a record is reported by the reader.
truncate -s -3 raw/beats-0.bin
code=0
OPPROF_CHIP_PATH=$PWD/chips${OPPROF_CHIP_PATH:+:$OPPROF_CHIP_PATH} opprof-run \
    --allow-writable-plugins --plugin-path . --pipeline ./beats.json \
    --set input=raw --output cut --flat >out 2>&1 || code=$?
[ "$code" = 4 ] || fail "a cut file of beats: exit code $code"
grep -q "'beats-0.bin' ends within a beat at byte 48: 13 of 16 bytes are there" out || {
    cat out; fail "a cut file of beats"
}

# The typing error that the page shows.
sed -i 's/"of": "tile" },$/"of": "tiel" },/' chips/slate.json
OPPROF_CHIP_PATH=$PWD/chips${OPPROF_CHIP_PATH:+:$OPPROF_CHIP_PATH} opprof-run \
    --validate --pipeline onboard-dump --set input=raw --set chip=Slate1 >out 2>&1 &&
    fail "a typing error is not found"
wanted="chips/slate.json at /metrics/tables/Use/columns/1/of: there is no 'tiel'. Did you mean 'tile'?"
grep -qF -- "$wanted" "$document" || fail "docs/chips/bring-up.md does not show: $wanted"
grep -qF -- "$wanted" out || {
    cat out; fail "the typing error is not reported as docs/chips/bring-up.md shows it"
}
