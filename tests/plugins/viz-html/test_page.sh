#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The page of the exporter html in a headless Chromium: what it shows, what can be done with it, and
# that nothing leaves it.
# shellcheck source=tests/plugins/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/../lib.sh"

here=$(dirname -- "${BASH_SOURCE[0]}")
python3 -B - "$here" <<'PYTHON' || { echo "SKIP: there is no Chromium" >&2; exit 77; }
import sys
sys.path.insert(0, sys.argv[1])
import browser
sys.exit(0 if browser.find() else 1)
PYTHON

# profile NAME PIPELINE INPUT OPTION…: a page in $scratch/NAME
profile() {
    "$OPPROF_RUN" --pipeline "$2" --set "input=$3" --output "$scratch/$1" --flat -q "${@:4}" \
        >/dev/null ||
        fail "no page of $1"
    [ -f "$scratch/$1/report.html" ] || fail "no report.html of $1"
    [ "$(wc -c <"$scratch/$1/report.html")" -lt 20000000 ] || fail "the page of $1 is too large"
}

"$TEST_TOOLS/gen_onboard" --describe "$root/examples/onboard/matmul.txt" --name matmul_bias \
    --blocks 8 "$scratch/raw" >/dev/null
"$root/examples/dump/make_dump.sh" "$scratch/dump" 24 2 >/dev/null
profile onboard onboard-dump "$scratch/raw" --set metrics=default,roofline,occupancy
# Names without a blank, in titles and in what is missing.
long=$(printf 'n%.0s' {1..200})
for order in 0 1; do
    mkdir -p "$scratch/long.in/device0/$long/$order"
    "$TEST_TOOLS/gen_onboard" --describe "$root/examples/onboard/matmul.txt" --name matmul \
        --blocks 2 "$scratch/long.in/device0/$long/$order/dump" >/dev/null
    sed -i "s/^Op Name=.*/Op Name=$long/" \
        "$scratch/long.in/device0/$long/$order/dump/op_basic_info.txt"
done
truncate -s -100 -- "$scratch/long.in/device0/$long/1/dump/DeviceProf2.bin"
code=0
"$OPPROF_RUN" --pipeline onboard-dump --set "input=$scratch/long.in" \
    --set metrics=default,roofline,occupancy --output "$scratch/long" --flat -q >"$scratch/out" \
    2>&1 || code=$?
[ "$code" -eq 4 ] || { cat -- "$scratch/out" >&2; fail "long names: exit code $code"; }
profile paths onboard-dump "$root/tests/data/pmu/cases/310p_mix/input" \
    --set metrics=default,roofline
# More launches than there is room for.
for order in {0..39}; do
    mkdir -p "$scratch/large.in/device0/matmul/$order"
    "$TEST_TOOLS/gen_onboard" --describe "$root/examples/onboard/matmul.txt" --name matmul \
        --blocks 24 "$scratch/large.in/device0/matmul/$order/dump" >/dev/null
done
profile large onboard-dump "$scratch/large.in" --set metrics=default,roofline,occupancy
profile sim sim-dump "$scratch/dump" --set chip=Ascend910B1
profile kineto kineto "$root/tests/data/kineto/sampled_rank-0.json.gz"
python3 "$root/tests/tools/make_ranks.py" "$scratch/ranks.in" 4 5
profile ranks kineto "$scratch/ranks.in"
python3 "$root/tests/tools/make_ranks.py" "$scratch/many.in" 3 300
profile many kineto "$scratch/many.in"
# Each of two ranks was recorded twice, 100 s apart.
python3 "$root/tests/tools/make_ranks.py" "$scratch/cycles.in" 2 3
for trace in "$scratch"/cycles.in/*; do
    sed 's/"ts":17000000/"ts":17000001/' "$trace" >"${trace%.json}.later.json"
done
profile cycles kineto "$scratch/cycles.in"
python3 "$root/tests/tools/make_shapes.py" "NVIDIA A100-SXM4-80GB" "$scratch/shapes.json"
profile shapes kineto "$scratch/shapes.json"
profile source sim-dump "$root/tests/data/sim/a2_synthetic" --set chip=Ascend910B1 \
    --set "kernel=${TEST_KERNELS:?}/mapped.o"
# A dump that is cut is shown as far as it goes.
cp -r -- "$scratch/dump" "$scratch/short"
for log in "$scratch"/short/*instr_log.dump; do
    truncate -s "$(($(wc -c <"$log") / 2 + 7))" "$log"
done
code=0
"$OPPROF_RUN" --pipeline sim-dump --set "input=$scratch/short" --set chip=Ascend910B1 \
    --output "$scratch/cut" --flat -q >"$scratch/out" 2>&1 || code=$?
[ "$code" -eq 4 ] || { cat -- "$scratch/out" >&2; fail "a cut dump: exit code $code"; }

# The same operator with more time in its moves, once more slowly: a page of what differs.
sed 's/^cube.busy.mte2 =.*/cube.busy.mte2 = 95/; s/^duration_us =.*/duration_us = 300/' \
    "$root/examples/onboard/matmul.txt" >"$scratch/slow.txt"
"$TEST_TOOLS/gen_onboard" --describe "$scratch/slow.txt" --name matmul_bias --blocks 8 \
    "$scratch/slow" >/dev/null
profile slower onboard-dump "$scratch/slow" --set metrics=default,roofline,occupancy
mkdir "$scratch/compared"
code=0
"$OPPROF_RUN" --diff "$scratch/onboard" "$scratch/slower" --format html \
    --fail-if 'Task Duration(us) > +5%' >"$scratch/compared/report.html" || code=$?
[ "$code" -eq 5 ] || fail "--diff: exit code $code"
mkdir "$scratch/judged"
"$OPPROF_RUN" --diff "$scratch/onboard" "$scratch/slower" --format html \
    >"$scratch/judged/report.html" || fail "--diff"

# The timelines of two simulated runs.
"$root/examples/dump/make_dump.sh" "$scratch/longer.in" 36 2 >/dev/null
profile longer sim-dump "$scratch/longer.in" --set chip=Ascend910B1
mkdir "$scratch/sides"
"$OPPROF_RUN" --diff "$scratch/sim" "$scratch/longer" --format html \
    >"$scratch/sides/report.html" || fail "--diff of timelines"

python3 -B "$here/page_checks.py" "$scratch"
