#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The k-th allocation fails, for every OPPROF_ALLOC_STEP-th k of a short run, or for 200 of them: no
# crash, no hang, an exit code that is documented and a message with it; and for some of them,
# nothing leaks (valgrind, where it is installed). All of them take hours.
. "$(dirname "$0")/lib.sh"
cd "$WORK" || exit 99
preload=${TEST_FAIL_ALLOC:?set by the makefile}

# A chip file with no more than this run needs: reading facts is most of the allocations.
mkdir chips
python3 - "$OPPROF_CHIP_PATH/910B.json" >chips/910B.json <<'PY' || exit 99
import json, sys
chip = json.load(open(sys.argv[1]))
kept = ("opprof_chip", "series", "default_soc", "clocks", "simulator")
json.dump({**{key: chip[key] for key in kept}, "uses": ["simulated"],
           "socs": {chip["default_soc"]: {}}}, sys.stdout)
PY
export OPPROF_CHIP_PATH=$WORK/chips

# On one processor stages have one instance, and none waits for its siblings.
processor=$(taskset -cp $$ | sed 's/.*: //; s/[-,].*//')

# The time limits here and below end a run that hangs, and are far beyond what a busy machine needs.
# sim K: run with the K-th allocation failing; 0: none.
sim() {
    rm -rf out
    run timeout 600 taskset -c "$processor" env LD_PRELOAD="$preload" FAIL_ALLOC_AT="$1" \
        FAIL_ALLOC_COUNT=count "$OPPROF_RUN" --pipeline sim-dump --set "input=$DATA/sim/gpr_bytes" \
        --set chip=Ascend910B1 --output out --flat
}

sim 0
if [ ! -s count ]; then
    echo "SKIP: the preloaded library does not work with this build"
    exit 77
fi
holds [ "$code" = 0 ]
total=$(cat count)

step=${OPPROF_ALLOC_STEP:-$((total / 200 + 1))}

# sweep FIRST STEP: every STEP-th allocation from FIRST on, in a directory of its own; one line for
# each fault, and at the end how many failures ended the run.
sweep() {
    local k told=0
    WORK=$WORK/sweep-$1
    mkdir "$WORK"
    cd "$WORK" || exit 99
    for ((k = $1; k <= total; k += $2)); do
        sim "$k"
        case $code in
        0) ;;
        1 | 4)
            told=$((told + 1))
            [ -s .stderr ] || printf 'FAIL: allocation %d: exit code %d without a message\n' "$k" \
                "$code"
            ;;
        *) printf 'FAIL: allocation %d: exit code %d: %s\n' "$k" "$code" "$(tail -n 1 .stderr)" ;;
        esac
        if [ -e out/trace.json ]; then
            [ "$(tail -c 3 out/trace.json)" = '}]}' ] ||
                printf 'FAIL: allocation %d: trace.json is not whole\n' "$k"
        fi
        [ -z "$(find out -name '.*part*' 2>/dev/null)" ] ||
            printf 'FAIL: allocation %d: temporary files stay\n' "$k"
    done
    printf 'told %d\n' "$told"
}

# Two halves side by side: it is the longest test.
(sweep 1 $((2 * step))) >"$WORK/odd" 2>&1 &
(sweep $((1 + step)) $((2 * step))) >"$WORK/even" 2>&1
wait
checks=$((checks + total / step))
failures=$((failures + $(cat "$WORK/odd" "$WORK/even" | grep -c '^FAIL')))
grep '^FAIL' "$WORK/odd" "$WORK/even" | head -n 20
told=$(awk '$1 == "told" { sum += $2 } END { print sum + 0 }' "$WORK/odd" "$WORK/even")
printf '%d allocations, %d failures tried, %d ended the run\n' "$total" $((total / step)) "$told"
holds [ "$told" -gt $((100 / step)) ]

# Lack of memory while stages are added is no mistake of the command line.
added() {
    run timeout 600 env LD_PRELOAD="$preload" FAIL_ALLOC_AT="$1" FAIL_ALLOC_COUNT=count \
        "$OPPROF_RUN" --validate --pipeline sim-dump \
        --set "input=$DATA/sim/gpr_bytes" --set chip=Ascend910B1 --tap dump.instructions=rows.txt \
        --record dump.instructions=rows.bin --add screen=report,width=60
}
added 0
holds [ "$code" = 0 ]
total=$(cat count)
for ((k = 1; k <= total; k += ${OPPROF_ALLOC_STEP:-$((total / 60 + 1))})); do
    added "$k"
    holds [ "$code" != 2 ]
done

if command -v valgrind >/dev/null && [ -z "${OPPROF_NO_VALGRIND:-}" ]; then
    # glibc keeps an old list of scopes when several modules bring in one library (dl-open.c,
    # resize_scopes).
    printf '{\n  scopes\n  Memcheck:Leak\n  match-leak-kinds: definite\n  ...\n  fun:resize_scopes\n  ...\n}\n' >"$WORK/linker.supp"
    for ((k = 7; k <= total; k += total / 6)); do
        rm -rf out
        run timeout 600 env LD_PRELOAD="$preload" FAIL_ALLOC_AT="$k" valgrind -q \
            --suppressions="$WORK/linker.supp" --leak-check=full \
            --errors-for-leak-kinds=definite --error-exitcode=99 "$OPPROF_RUN" --pipeline sim-dump \
            --set "input=$DATA/sim/gpr_bytes" --set chip=Ascend910B1 --output out --flat
        checks=$((checks + 1))
        [ "$code" != 99 ] || fail "allocation $k: valgrind complains"
    done
fi
finish
