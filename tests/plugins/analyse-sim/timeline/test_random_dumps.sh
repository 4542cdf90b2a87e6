#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Random dumps are drawn as a slow model draws them, which holds all rows and counts tick by tick.
# shellcheck source=tests/plugins/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/../../lib.sh"
tools=$root/tests/tools

for seed in 1 2 3 4; do
    python3 "$tools/make_random_dump.py" "$seed" $((seed * 400)) "$scratch/$seed/dump"
    "$OPPROF_RUN" --pipeline sim-dump --set "input=$scratch/$seed/dump" --set chip=Ascend910B1 -q \
        --output "$scratch/$seed/ours" --flat --tap "dump.instructions=$scratch/$seed/rows.tsv" \
        >"$scratch/out" ||
        fail "seed $seed: exit code $?"
    python3 "$tools/draw_model.py" "$scratch/$seed/rows.tsv" 1850 "$scratch/$seed/model"
    python3 "$tools/compare_trace.py" "$scratch/$seed/ours" "$scratch/$seed/model" ||
        fail "seed $seed: drawn differently from the model"
    python3 "$tools/perfetto_rules.py" "$scratch/$seed/ours/trace.json" >"$scratch/out" &&
        python3 "$tools/perfetto_rules.py" --own "$scratch/$seed"/ours/*/trace.json \
            >"$scratch/out" ||
        { cat -- "$scratch/out" >&2; fail "seed $seed: arrows that Perfetto does not show"; }
done
