# SPDX-License-Identifier: Apache-2.0
# Sourced after a lib.sh of tests: the same bytes in ten runs, five of them at a time, so that
# threads wait for one another in ever new orders. The short test has three runs at a time, which is
# enough for nearly all that was ever found.
if [ "${OPPROF_TEST:-}" = full ]; then
    same_runs=10 same_at_once=5
else
    same_runs=3 same_at_once=3
fi

# run_ten CODE OPTION...: runs opprof-run with the options into $scratch/same/1 to $same_runs, each
# with that exit code.
run_ten() {
    local code=$1 first run got running
    shift
    rm -rf -- "$scratch/same"
    mkdir -- "$scratch/same"
    for ((first = 1; first <= same_runs; first += same_at_once)); do
        running=()
        for ((run = first; run < first + same_at_once; run++)); do
            "$OPPROF_RUN" -q --output "$scratch/same/$run" --flat "$@" >/dev/null \
                2>"$scratch/same/$run.err" &
            running+=($!)
        done
        for run in "${running[@]}"; do
            got=0
            wait "$run" || got=$?
            [ "$got" = "$code" ] || { cat -- "$scratch"/same/*.err >&2; fail "$*: exit code $got"; }
        done
    done
    [ "$(find "$scratch/same/1" -type f | wc -l)" -gt 1 ] || fail "$*: no results"
}

# same_ten FILE...: all of them made the same bytes, but for run.json, which tells how long
# everything took, and the files.
same_ten() {
    local run
    for ((run = 2; run <= same_runs; run++)); do
        diff -r --brief --exclude=run.json "${@/#/--exclude=}" "$scratch/same/1" \
            "$scratch/same/$run" >&2 ||
            fail "run $run made other bytes"
    done
}

# ten_runs CODE OPTION...: both.
ten_runs() {
    run_ten "$@"
    same_ten
}
