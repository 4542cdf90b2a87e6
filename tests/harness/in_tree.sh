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
printf '%d modules: %d cases passed, %d were skipped\n' "$count" "$passed" "$skipped"
[ "$count" -gt 0 ] && [ "$passed" -ge $((count * 8)) ]
