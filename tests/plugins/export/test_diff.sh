#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# --diff: the cause first, equal results, thresholds with their exit code, repetitions, and what is not a result.
# shellcheck source=tests/plugins/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/../lib.sh"
for variant in single double; do
    "$OPPROF_RUN" -q --pipeline sim-dump --set "input=$root/tests/data/diff/$variant" --set chip=Ascend910B1 \
        --output "$scratch/$variant" --flat >"$scratch/out" 2>"$scratch/err" || { cat -- "$scratch/err" >&2; fail "$variant"; }
done
python3 "$root/tests/plugins/export/differences.py" "$scratch" || fail "differences"
