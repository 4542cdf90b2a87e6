#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A list or a comparison made with too little memory is never presented as complete: while the k-th
# allocation fails, --list and --diff print what they always do, or end with exit code 1 and a
# message. OPPROF_ALLOC_STEP=1 tries more.
. "$(dirname "$0")/lib.sh"
cd "$WORK" || exit 99
preload=${TEST_FAIL_ALLOC:?set by the makefile}

# with K OPTION...: with the K-th allocation failing; 0: none.
with() {
    local k=$1
    shift
    run timeout 600 env LD_PRELOAD="$preload" FAIL_ALLOC_AT="$k" FAIL_ALLOC_COUNT=count \
        "$OPPROF_RUN" "$@"
}

# all_or_message K OPTION...: the same as in the file 'whole', or a message.
all_or_message() {
    with "$@"
    checks=$((checks + 1))
    case $code in
    0) cmp -s whole .stdout || fail "allocation $1: another output, and exit code 0: ${*:2}" ;;
    1) [ -s .stderr ] || fail "allocation $1: exit code 1 without a message: ${*:2}" ;;
    *) fail "allocation $1: exit code $code: ${*:2}" ;;
    esac
}

for form in '' --json; do
    with 0 --list ${form:+"$form"}
    if [ ! -s count ]; then
        echo "SKIP: the preloaded library does not work with this build"
        exit 77
    fi
    holds [ "$code" = 0 ]
    cp .stdout whole
    total=$(cat count)
    for ((k = 7; k <= total; k += 61 * ${OPPROF_ALLOC_STEP:-80})); do
        all_or_message "$k" --list ${form:+"$form"}
    done
    # What is printed is put together at the end, in pieces of twice the size.
    for ((k = total > 12 ? total - 12 : 1; k <= total; k++)); do
        all_or_message "$k" --list ${form:+"$form"}
    done
done

# What a comparison prints is put together at its end, from small pieces.
opprof -q --pipeline sim-dump --set "input=$DATA/sim/gpr_bytes" --set chip=Ascend910B1 \
    --output one --flat
expect 0
for format in text json markdown; do
    with 0 --diff one one --format $format
    holds [ "$code" = 0 ]
    cp .stdout whole
    total=$(cat count)
    for ((k = total > 120 ? total - 120 : 1; k <= total; k += ${OPPROF_ALLOC_STEP:-80})); do
        all_or_message "$k" --diff one one --format $format
    done
done
finish
