#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every module of the tree passes the checker. Cases that need data of their own are skipped; at
# least those that need nothing but the module must have run.
set -euo pipefail

check=${OPPROF_PLUGIN_CHECK:-$OPPROF_BUILD_DIR/harness/check/opprof-plugin-check}
unset OPPROF_LOG
allocations=10
if [ "${OPPROF_TEST:-}" = full ]; then
    allocations=40
fi
work=$(mktemp -d "${TMPDIR:-/tmp}/opprof-check-XXXXXX")
trap 'rm -rf -- "$work"' EXIT

check_one() { # MODULE
    local name=${1##*/}
    local settings=(--set chip=Ascend910B1 --allocations "$allocations")
    # a program or a document: the table cannot say so
    case $name in collect-*-live.so | collect-opencl.so) settings+=(--set app=true) ;; esac
    "$check" "${settings[@]}" "$1" >"$work/$name.tap" 2>"$work/$name.err" || echo "$1" >>"$work/bad"
}
export -f check_one
export allocations check work

IFS=: read -ra directories <<<"$OPPROF_PLUGIN_PATH"
find "${directories[@]}" -maxdepth 1 -name '*.so' | sort -u >"$work/modules"
xargs -P "${OPPROF_CHECK_JOBS:-2}" -I{} bash -c 'check_one {}' <"$work/modules"
count=$(wc -l <"$work/modules")
passed=$(cat "$work"/*.tap | grep '^ok' | grep -vc '# SKIP')
skipped=$(cat "$work"/*.tap | grep -c '^ok .*# SKIP' || true)
if [ -s "$work/bad" ]; then
    while read -r module; do
        printf '%s\n' "$module"
        grep -A 1 '^not ok' "$work/${module##*/}.tap" || cat "$work/${module##*/}.err"
    done <"$work/bad"
    exit 1
fi
# Real records make rows: those of a recorded run. Spans of a simulator have no work of a device.
root=$(cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)
hotspot=$(grep '/sim-hotspot\.so$' "$work/modules" || true)
if [ -n "$hotspot" ]; then
    "$OPPROF_RUN" -q --output "$work/run" --flat --record dump.instructions="$work/instructions" \
        --record timeline.spans="$work/spans" --set chip=Ascend910B1 \
        sim-dump "$root/tests/data/sim/a2_synthetic" >/dev/null
    "$check" --only '^rows$' --recording instructions="$work/instructions" "$hotspot" >"$work/tap"
    grep -q '^ok 1 - rows: records give rows' "$work/tap"
    for wrong in "instructions=$work/spans sim-hotspot Record the link again" \
        "none=$work/instructions sim-hotspot There is no input for 'none=" \
        "instructions=$work/none sim-hotspot No such file" \
        "spans=$work/spans trace-kernels no row came out of the recordings"; do
        read -r recording name text <<<"$wrong"
        module=$(grep "/$name\.so$" "$work/modules" || true)
        [ -n "$module" ] || continue
        if "$check" --only '^rows$' --recording "$recording" "$module" >"$work/tap" ||
            ! grep -qF -- "$text" "$work/tap"; then
            cat "$work/tap"; echo "--recording $recording: not reported: $text"; exit 1
        fi
    done
fi
printf '%d modules: %d cases passed, %d were skipped\n' "$count" "$passed" "$skipped"
[ "$count" -gt 0 ] && [ "$passed" -ge $((count * 8)) ]
