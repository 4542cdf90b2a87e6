#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What the ready pipelines cost for small inputs, in instructions counted by callgrind, which a busy
# machine does not change: none is above its limit in tests/speed/limits. That holds for builds with
# the flags of configure; others are skipped. SPEED_SHOW=1 prints a new file of limits.
# shellcheck source=tests/plugins/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/../plugins/lib.sh"
# shellcheck source=tests/tools/ready_inputs.sh
. "$root/tests/tools/ready_inputs.sh"
skip() {
    echo "SKIP: $1" >&2
    exit 77
}

[ "${OPPROF_TEST:-}" = full ] || [ "${OPPROF_TEST:-}" = ci ] || [ -n "${SPEED_SHOW:-}" ] ||
    skip "only with OPPROF_TEST=full or ci"
command -v valgrind >/dev/null || skip "there is no valgrind"
[ "$(uname -m)" = x86_64 ] || skip "the limits are for x86-64"
grep -qx 'CFLAGS = -g -O2' Makefile || skip "the limits are for -g -O2"
limits=$root/tests/speed/limits

# Millions of instructions of a run.
count() {
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$OPPROF_RUN" "$@" \
        --output "$scratch/out" --flat -q >"$scratch/said" 2>&1 || {
        cat "$scratch/said" >&2
        fail "$*"
    }
    rm -rf -- "$scratch/out"
    awk '/Collected/ { printf "%d", $NF / 1000000 }' "$scratch/said"
}

ready_inputs "$root" "$scratch" >"$scratch/inputs" || fail "there are no inputs"
# Larger ones where start-up is most of the above.
"${TEST_TOOLS:?}/gen_dump" --instructions 3000 "$scratch/sim" >"$scratch/said" ||
    fail "no dump of a simulator"
python3 "$root/tests/tools/make_plain_trace.py" "$scratch/plain.json" || fail "no trace"
printf 'sim-dump %s chip=Ascend910B1\nkineto %s\n' "$scratch/sim" "$scratch/plain.json" \
    >>"$scratch/inputs"

number=0
bad=0
while read -r pipeline input settings; do
    number=$((number + 1))
    options=()
    for setting in $settings; do
        options+=(--set "$setting")
    done
    found=$(count --pipeline "$pipeline" --set "input=$input" "${options[@]}") || exit 1
    limit=$(awk -v number="$number" -v pipeline="$pipeline" \
        '$1 == number && $2 == pipeline { print $3 }' "$limits" 2>/dev/null) || true
    if [ -n "${SPEED_SHOW:-}" ]; then
        echo "$number $pipeline $((found + found / 10))"
    elif [ -z "$limit" ]; then
        echo "FAIL: run $number, $pipeline: it has no limit in $limits" >&2
        bad=1
    elif [ "$found" -gt "$limit" ]; then
        echo "FAIL: run $number, $pipeline: $found million instructions, more than $limit: make it faster, or raise the limit and say why" >&2
        bad=1
    else
        echo "$number $pipeline: $found of $limit million instructions"
    fi
done <"$scratch/inputs"
[ "$number" -gt 6 ] && [ "$bad" -eq 0 ] || fail "$number runs"
