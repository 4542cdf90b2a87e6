#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The pipeline onboard-dump makes of each case what the reference made, but for the listed
# differences. The one of A5 has no operands, so no roofline is drawn.
# shellcheck source=tests/plugins/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/../lib.sh"
data=$root/tests/data/pmu

# run NAME STATUS OPTION...: into $scratch/NAME
run() {
    local name=$1 wanted=$2 status=0
    shift 2
    "$OPPROF_RUN" --pipeline onboard-dump --output "$scratch/$name" --flat "$@" \
        >"$scratch/out" 2>"$scratch/err" || status=$?
    [ "$status" -eq "$wanted" ] || { cat -- "$scratch/err" >&2; fail "$name: exit code $status"; }
}

while read -r case status metrics; do
    expected=$data/cases/$case/expected
    run "$case" "$status" --set "input=$data/cases/$case/input" --set "metrics=$metrics"
    python3 "$root/tests/tools/compare_csv.py" "$scratch/$case" "$expected" \
        --differences "$data/differences/$case.txt" || fail "$case: tables differ"
    python3 "$root/tests/tools/compare_blocks.py" "$scratch/$case/visualize_data.bin" "$expected" \
        --differences "$data/differences/$case.txt" || fail "$case: blocks differ"
    python3 "$root/tests/tools/visualize_check.py" --strict "$scratch/$case/visualize_data.bin" ||
        fail "$case: no viewer would read the blocks"
    for table in "$expected"/*.csv; do
        name=${table##*/}
        # The dialect: every field with a comma after it, every line with a line feed, the same
        # headers.
        cmp <(head -n 1 "$table") <(head -n 1 "$scratch/$case/$name") ||
            fail "$case: header of $name"
        ! grep -qv ',$' "$scratch/$case/$name" ||
            fail "$case: a line of $name does not end in a comma"
        [ -z "$(tail -c 1 "$scratch/$case/$name")" ] || fail "$case: $name ends without a line feed"
    done
done <<'CASES'
310p_mix 0 default,roofline
910b_mix 0 default,occupancy,roofline
910_93_vector 0 Default,Occupancy,Roofline
a5_mix 4 default,occupancy,roofline
CASES

# Without their names the defaults draw neither the load between cores nor the roofline.
run plain 0 --set "input=$data/cases/910b_mix/input"
python3 - "$scratch/plain/visualize_data.bin" <<'PYTHON' || fail "other blocks than 5 to 9"
import struct, sys
data, at, kinds = open(sys.argv[1], "rb").read(), 0, []
while at < len(data):
    size, kind = struct.unpack_from("<QB", data, at)
    kinds.append(kind)
    at += 12 + size
sys.exit(kinds != [5, 6, 7, 8, 9])
PYTHON
