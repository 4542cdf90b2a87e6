#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A list made with too little memory is never presented as complete: while the k-th allocation fails, --list prints
# what it always does, or ends with exit code 1 and a message. OPPROF_ALLOC_STEP=N tries fewer.
. "$(dirname "$0")/lib.sh"
cd "$WORK" || exit 99
preload=${TEST_FAIL_ALLOC:?set by the makefile}

# list K OPTION...: with the K-th allocation failing; 0: none.
list() {
    local k=$1
    shift
    run timeout 600 env LD_PRELOAD="$preload" FAIL_ALLOC_AT="$k" FAIL_ALLOC_COUNT=count "$OPPROF_RUN" --list "$@"
}

for form in '' --json; do
    list 0 ${form:+"$form"}
    if [ ! -s count ]; then
        echo "SKIP: the preloaded library does not work with this build"
        exit 77
    fi
    holds [ "$code" = 0 ]
    cp .stdout whole
    total=$(cat count)
    for ((k = 7; k <= total; k += 61 * ${OPPROF_ALLOC_STEP:-1})); do
        list "$k" ${form:+"$form"}
        checks=$((checks + 1))
        case $code in
        0) cmp -s whole .stdout || fail "allocation $k: another list, and exit code 0: $form" ;;
        1) [ -s .stderr ] || fail "allocation $k: exit code 1 without a message: $form" ;;
        *) fail "allocation $k: exit code $code: $form" ;;
        esac
    done
done
finish
