#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A second user of the machine, while root profiles a program: reads neither results nor the token,
# and redirects nothing to where root may write and that user not. That it cannot connect or delay
# is in test_strangers.sh.
. "${srcdir:-.}/tests/plugins/lib.sh"
cd "$scratch"
other=(setpriv --reuid=65534 --regid=65534 --clear-groups)
if [ "$(id -u)" != 0 ] || ! "${other[@]}" true 2>said; then
    echo "skipped: this process cannot become another user: $(cat said 2>&1)" >&2
    exit 77
fi
export DRIVER_KERNEL=$REFCHIP_KERNELS/vector_add.o
chmod 755 .
umask 022
mkdir theirs && chown 65534:65534 theirs
mkdir -m 700 closed
as_other() { "${other[@]}" sh -c "$1" >said 2>&1; }
cannot() { ! as_other "$1" || { cat said >&2; fail "another user can: $1"; }; }
nothing_in() { [ -z "$(find "$1" -mindepth 1)" ] || { find "$1" >&2; fail "something is in $1"; }; }
as_other 'ls theirs && touch theirs/x && rm theirs/x' ||
    fail "another user cannot use a folder of its own: $(cat said)"

cat >program.sh <<'END'
echo $$ >ready
read -r word <go
"$@"

echo ran >ready
read -r word <go
END
mkfifo ready go
# start PIPELINE OUTPUT OPTION... : until the program waits; $program is it
start() {
    "$OPPROF_RUN" -q --output "$2" --flat "${@:3}" "$1" -- \
        sh program.sh "$OPPROF_REFCHIP_COMMAND" "$REFCHIP_DRIVER" once >out 2>why </dev/null &
    run=$!
    read -r program <ready
}
go_on() { echo go >go; }
ends() {
    code=0
    wait "$run" || code=$?
}

exchange() { as_other 'mv theirs/results theirs/moved && ln -s ../closed theirs/results'; }
# refused PIPELINE SENTENCE OPTION... : and leaves nothing
refused() {
    local code=0
    "$OPPROF_RUN" "${@:3}" "$1" -- sh -c ': >closed/ran' >out 2>why </dev/null || code=$?
    [ "$code" = 1 ] && grep -qF -- "$2" why || { cat why >&2; fail "$1 ${*:3}: exit code $code"; }
    nothing_in closed
    [ ! -e new ] || fail "$1 ${*:3}: a run that was refused leaves a folder"
}

for pipeline in sim-live onboard-live; do
    # Reading.
    start "$pipeline" "own-$pipeline"
    cannot "cat /proc/$program/environ"
    cannot "ls own-$pipeline"
    go_on
    read -r word <ready
    cannot "ls own-$pipeline || find own-$pipeline -type f"
    go_on
    ends
    [ "$code" = 0 ] || { cat why >&2; fail "$pipeline: exit code $code"; }
    while read -r file; do
        cannot "cat '$file'"
    done < <(find "own-$pipeline" -type f)

    # Redirecting: to a folder that the other user can exchange. It is refused, and leaves nothing.
    refused "$pipeline" 'it belongs to another user' --output theirs/a/b
    nothing_in theirs
    # By a link that lies where the results are to be.
    as_other 'ln -s ../closed theirs/link'
    refused "$pipeline" 'it is a symbolic link' --output theirs/link --flat --set unsafe_paths=on
    rm theirs/link
    # At the user's own risk: exchanged before the first launch, and after it. What is written stays
    # in the folder that was checked.
    for when in before after; do
        start "$pipeline" theirs/results --set unsafe_paths=on
        [ $when = after ] || exchange
        go_on
        read -r word <ready
        [ $when = before ] || exchange
        go_on
        ends
        [ "$code" != 0 ] || fail "$pipeline: complete, with results exchanged $when a launch"
        grep -qx verified out || fail "$pipeline: the program was kept from its work"
        nothing_in closed
        [ -e theirs/moved/run.json ] || fail "$pipeline: exchanged $when a launch: no run.json"
        # Raw files, logs and kernels are read where they were written, so that there are results of
        # them.
        if [ "$pipeline" = sim-live ]; then
            grep -q 'vector_add\.s' theirs/moved/core0.veccore0/core0.veccore0_code_exe.csv
        else
            grep -q vector_add theirs/moved/OpBasicInfo.csv
        fi || { cat why >&2; fail "$pipeline: exchanged $when a launch: nothing was read"; }
        rm -r theirs/moved theirs/results
    done
    # A library that the other user can exchange.
    install -o 65534 "$OPPROF_INJECT_LIBRARY" theirs/inject.so
    (
        export OPPROF_INJECT_LIBRARY=$PWD/theirs/inject.so
        refused "$pipeline" 'it belongs to another user' --output new/folder
    )
    rm theirs/inject.so
done
# A program that does not start leaves nothing, either.
! "$OPPROF_RUN" --output new/folder --flat sim-live -- ./missing >out 2>why </dev/null ||
    fail "a program that is not there starts"
[ ! -e new ] || fail "a run whose program does not start leaves a folder"
