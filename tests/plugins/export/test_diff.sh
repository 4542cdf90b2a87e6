#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# --diff: the cause first, equal results, thresholds with their exit code, repetitions, and what is not a result.
# shellcheck source=tests/plugins/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/../lib.sh"
for variant in single double; do
    "$OPPROF_RUN" -q --pipeline sim-dump --set "input=$root/tests/data/diff/$variant" --set chip=Ascend910B1 \
        --output "$scratch/$variant" --flat >"$scratch/out" 2>"$scratch/err" || { cat -- "$scratch/err" >&2; fail "$variant"; }
done
for variant in '' -slow; do
    describe=$root/examples/onboard/matmul.txt
    if [ -n "$variant" ]; then
        sed 's/^cube.busy.mte2 =.*/cube.busy.mte2 = 95/; s/^duration_us =.*/duration_us = 300/' "$describe" >"$scratch/slow.txt"
        describe=$scratch/slow.txt
    fi
    "${TEST_TOOLS:?}/gen_onboard" --describe "$describe" --name matmul_bias --blocks 4 "$scratch/raw$variant" >"$scratch/out"
    "$OPPROF_RUN" -q --pipeline onboard-dump --set "input=$scratch/raw$variant" --output "$scratch/board$variant" --flat >"$scratch/out"
done
python3 "$root/tests/plugins/export/differences.py" "$scratch" || fail "differences"

# A database that is not whole is not compared.
# damaged COMMAND...: changes $scratch/odd/results.sqlite
damaged() {
    rm -rf -- "$scratch/odd"
    cp -r -- "$scratch/single" "$scratch/odd"
    "$@" || fail "$*"
    for sides in "$scratch/single $scratch/odd" "$scratch/odd $scratch/single"; do
        status=0
        # shellcheck disable=SC2086
        "$OPPROF_RUN" --diff $sides >"$scratch/out" 2>"$scratch/err" || status=$?
        { [ $status -eq 2 ] && grep -q odd "$scratch/err"; } || { cat -- "$scratch/err" >&2; fail "$*: exit code $status"; }
    done
}
database=$scratch/odd/results.sqlite
size=$(stat -c %s -- "$scratch/single/results.sqlite")
for part in 10 45 90 99; do damaged truncate -s $((size * part / 100)) -- "$database"; done
damaged truncate -s 0 -- "$database"
damaged rm -- "$database"
damaged cp -- "$root/README.md" "$database"
damaged dd if="$scratch/single/results.sqlite" of="$database" bs="$size" seek=1 status=none
