#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# docs/using/results.md describes every member that a run.json has.
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"

use_opprof_run
enter_playground
opprof-run -q --pipeline sim-dump --set input=dump --set chip=Ascend910B1 --output results --flat \
    >"$scratch/out" ||
    fail "the run fails"
# Keys inside of vars, params and counts are the pipeline's own.
awk '/"(vars|params|counts)": \{$/ { print; inside = 1; next } inside { if (/\}/) { inside = 0 } next } { print }' \
    results/run.json | grep -oE '^ *"[a-z_]+":' | tr -d ' ":' | sort -u >"$scratch/members"
[ "$(wc -l <"$scratch/members")" -ge 30 ] || fail "found too few members"
while IFS= read -r member; do
    grep -qF "\`$member\`" "$root/docs/using/results.md" ||
        fail "docs/using/results.md does not mention '$member'"
done <"$scratch/members"
