#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Strangers while a program is profiled: other users, processes in other namespaces, processes
# without the token, and many that say nothing are not served, and the run is as if they were not
# there. A process of the run that is not served is named.
. "${srcdir:-.}/tests/plugins/lib.sh"
export DRIVER_KERNEL=$REFCHIP_KERNELS/vector_add.o
cd "$scratch"

cat >program.sh <<'END'
echo $$ >ready
read -r word <go
"$@"
END
# Those who come from elsewhere read talk.py, too.
cp "$root"/tests/refchip/{talk,strangers}.py .
chmod 755 . && chmod 644 ./*.py
mkfifo ready go come
"$OPPROF_RUN" -q --output results --flat sim-live -- sh program.sh "$OPPROF_REFCHIP_COMMAND" \
    "$REFCHIP_DRIVER" once >said 2>why </dev/null &
run=$!
read -r program <ready
python3 -B strangers.py "$program" >come 2>strange </dev/null &
exec 6<come
read -r word <&6 || true
cat strange >&2
[ "$word" = 'done' ] || fail "a stranger was served: $(cat strange)"
echo go >go
code=0
wait "$run" || code=$?
wait
[ "$code" = 0 ] || { cat why >&2; fail "strangers change the exit code: $code"; }
[ ! -s why ] || [ "$(grep -vc 'source-page' why)" = 0 ] || {
    cat why >&2; fail "strangers are reported"
}
grep -qx verified said || fail "the program was kept from its work"
[ -e results/core0.veccore0/trace.json ] || fail "the operator of the program is not there"

# What nobody but the token can say: a process that cannot be profiled is the program's.
while read -r place; do
    code=0
    "$OPPROF_RUN" -q --output orphan --flat sim-live -- python3 -B strangers.py orphan "$place" \
        >said 2>why </dev/null || code=$?
    ! grep -qx 'left out' said || {
        echo "left out: this process may not run as or in $place" >&2; continue
    }
    grep -qx closed said || { cat said why >&2; fail "$place is served"; }
    case $place in
    'another user') wanted='runs as user 65534 of group 65534, and opprof-run as user' ;;
    *) wanted="runs in $place" ;;
    esac
    [ "$code" = 4 ] && grep -qF -- "$wanted" why || {
        cat why >&2; fail "$place is refused in silence, with exit code $code"
    }
done <<'PLACES'
another user
another user namespace
another pid namespace
another mount namespace
PLACES
