#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Strangers while a program is profiled: other users, processes in other namespaces, processes without the token, and many that say
# nothing are not served, and the run is as if they were not there.
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
"$OPPROF_RUN" -q --output results --flat sim-live -- sh program.sh "$OPPROF_REFCHIP_COMMAND" "$REFCHIP_DRIVER" once >said 2>why </dev/null &
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
[ ! -s why ] || [ "$(grep -vc 'source-page' why)" = 0 ] || { cat why >&2; fail "strangers are reported"; }
grep -qx verified said || fail "the program was kept from its work"
[ -e results/core0.veccore0/trace.json ] || fail "the operator of the program is not there"
