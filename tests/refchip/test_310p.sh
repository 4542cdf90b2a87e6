#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A simulator of the 310P: no log callbacks, one log a core, and instructions under names of that
# series.
# shellcheck source=tests/plugins/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/../plugins/lib.sh"
chip=("$OPPROF_REFCHIP_COMMAND" --chip Ascend310P3)
# What ran is another thing in a live run and in one over its dump, though they find the same.
title=(--set title=operator)
cd "$scratch"

launch() { # NAME OPERATOR...
    "$OPPROF_RUN" "${title[@]}" --output "$1" --flat --set dump=on --set launch_count=2 sim-live \
        -- "${chip[@]}" "${@:2}" >said 2>why </dev/null || { cat why >&2; fail "$1: exit code $?"; }
    grep -qx verified said || fail "$1: the operator's own result is wrong"
}
run() { # NAME OPERATOR...
    launch "$@"
    "$OPPROF_RUN" "${title[@]}" -q --pipeline sim-dump --set input="$1/dump" \
        --set chip=Ascend310P3 --output "$1-offline" --flat >said ||
        fail "$1-offline: exit code $?"
    diff -r -x run.json -x dump -x 'device[0-9]*' "$1" "$1-offline" >&2 ||
        fail "$1: other results of the dump"
}
run vector vector-add
launch twice vector-add --repeat 2
run double vector-add --double-buffer
run cube matmul --size 128
[ "$(find vector/dump -name 'core*' | LC_ALL=C sort | tr '\n' ' ')" = "vector/dump/core0.icache_log.dump \
vector/dump/core0.instr_log.dump vector/dump/core0.instr_popped_log.dump vector/dump/core1.icache_log.dump \
vector/dump/core1.instr_log.dump vector/dump/core1.instr_popped_log.dump vector/dump/core2.icache_log.dump \
vector/dump/core2.instr_log.dump vector/dump/core2.instr_popped_log.dump vector/dump/core3.icache_log.dump \
vector/dump/core3.instr_log.dump vector/dump/core3.instr_popped_log.dump " ] ||
fail "there are other logs: $(ls vector/dump)"
[ -e twice/device0/vector_add/1/core0/trace.json ] || fail "the second operator is missing"
python3 "$root/tests/refchip/old_logs.py" vector double ||
    fail "the logs are not as that series writes them"
code=0
"${chip[@]}" matmul --relu >said 2>why || code=$?
[ "$code" != 0 ] || fail "a kernel of two kinds of cores ran"
grep -q 'two kinds of cores' why || fail "a kernel of two kinds of cores failed without a reason"
