#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SIMT code of a 950: its warps tell when they ran, which is when the chip ran them; what its
# threads compute and move is the chip's.
. "${srcdir:-.}/tests/plugins/lib.sh"
chip=$OPPROF_REFCHIP_COMMAND
account=$root/tests/refchip/warp_account.py
cd "$scratch"

# board NAME WORD... : onboard-live with the options in $set on a 950 over a command into ./NAME
set=()
board() {
    local name=$1 code=0
    shift
    OPPROF_REFCHIP="account=$PWD/$name.account" "$OPPROF_RUN" --output "$name" --flat \
        --set warm_up=0 --set deadline=600 --set dump=on "${set[@]}" \
        onboard-live -- "$chip" --chip Ascend950PR_9599 "$@" >said 2>why </dev/null || code=$?
    [ "$code" = 0 ] || { cat said why >&2; fail "$name: exit code $code"; }
    grep -qx verified said || {
        cat said why >&2; fail "$name: the operator's own result is wrong"
    }
}

# One turn of the threads; several, on both vector cores of an AI core.
board once vector-add --simt --size 1536 --blocks 3
[ "$(python3 -B "$account" once.account once)" = '48 warps' ] ||
    fail "warps ran at other times than the chip's"
board turns vector-add --simt --size 8192 --blocks 2
[ "$(python3 -B "$account" turns.account turns)" = '32 warps' ] ||
    fail "warps that ran several times ran at other times than the chip's"
board none vector-add --size 8192
[ "$(python3 -B "$account" none.account none)" = '0 warps' ] ||
    fail "there are warps without SIMT code"

# The raw files alone give the same again.
"$OPPROF_RUN" -q --pipeline onboard-dump --set input=turns/dump --set metrics=All --output offline \
    --flat >/dev/null 2>why ||
    { cat why >&2; fail "onboard-dump: exit code $?"; }
for part in turns/*.csv turns/visualize_data.bin turns/trace.json; do
    cmp "$part" "offline/${part#turns/}" || fail "live and offline differ in $part"
done

set=(--set replay_mode=application --set metrics=Default)
board application vector-add --simt --size 1536 --blocks 3
[ "$(grep -cx verified said)" = 8 ] || fail "the program ran $(grep -cx verified said) times, not 8"
python3 -B - application.account application <<'END' || fail \
    "an application that is run again has other warps"
import json, struct, sys
run = [json.loads(line) for line in open(sys.argv[1], encoding="utf-8")][-1]
data = open(sys.argv[2] + "/dump/WarpTimeline.bin", "rb").read()
spans = run["cores"][0]["warps"]
assert list(struct.unpack_from(f"<{2 * len(spans)}Q", data, 16)) == sum(spans, [])
END

# Other chips have no such code, and cube cores neither; words of threads are for them alone.
code=0
"$chip" vector-add --simt >said 2>why || code=$?
[ "$code" = 1 ] || fail "a 910B runs SIMT code: exit code $code"
grep -q 'SIMT code runs on vector cores of the 950 alone' why || {
    cat why >&2; fail "the reason is not reported"
}
sed 's/SIMT_CALL X15, add/IADD X1, X2, X3/' "$root/refchip/kernels/vector_add_simt.s" >wrong.s
"$REFCHIP_AS" wrong.s wrong.s wrong.o || fail "the assembler fails"
code=0
"$chip" --chip Ascend950PR_9599 vector-add --simt --kernel "$PWD/wrong.o" >said 2>why || code=$?
[ "$code" = 1 ] || fail "a core runs words of threads: exit code $code"
grep -q 'The instruction is for SIMT code alone' why || {
    cat why >&2; fail "the reason is not reported"
}
