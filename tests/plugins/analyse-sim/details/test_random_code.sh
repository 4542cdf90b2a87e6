#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Registers, masks and bank conflicts of random programs are those of a slow model, which holds all rows.
# shellcheck source=tests/plugins/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/../../lib.sh"
tools=$root/tests/tools

# check SERIES CHIP SEED
check() {
    local here=$scratch/$1-$3 status=0

    python3 "$tools/make_random_code.py" "$3" $(($3 * 300)) "$1" "$here/dump"
    "$OPPROF_RUN" --pipeline sim-dump --set "input=$here/dump" --set "chip=$2" -q --output "$here/results" --flat \
        --tap "dump.issues=$here/issues.tsv" --tap "dump.instructions=$here/rows.tsv" \
        --tap "details.pc-details=$here/details.tsv" >"$here/out" 2>"$here/err" || status=$?
    # Some of the instructions end before they start.
    if [ "$status" -ne 4 ] || ! grep -q 'an end before the start in' "$here/err"; then
        cat -- "$here/err" >&2
        fail "$1, seed $3: exit code $status"
    fi
    python3 "$tools/details_model.py" "$here/issues.tsv" "$here/rows.tsv" "$here/details.tsv" ||
        fail "$1, seed $3: details are not those of the model"
}

for seed in 1 2 3 4; do
    check a2 Ascend910B1 "$seed"
    check 310p Ascend310P1 "$seed"
done
check 950 Ascend950PR_9599 5
