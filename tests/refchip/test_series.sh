#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Operators profiled on devices of the series 310P, 910_93 and 950: the channels of each series, its
# records equal to the chip's own account, every cell of the tables what exact arithmetic makes of
# them, and the program's results as ever.
. "${srcdir:-.}/tests/plugins/lib.sh"
chip=$OPPROF_REFCHIP_COMMAND
facts=$root/tests/data/pmu/facts
cd "$scratch"

# series NAME SOC WORD... : onboard-live over a command on such a chip, into ./NAME
series() {
    local name=$1 soc=$2 code=0
    shift 2
    OPPROF_REFCHIP="account=$PWD/$name.account" "$OPPROF_RUN" --output "$name" --flat \
        --set dump=on --set metrics=Default --set warm_up=1 \
        --set deadline=600 onboard-live -- "$chip" --chip "$soc" "$@" >said 2>why </dev/null ||
        code=$?
    [ "$code" = 0 ] || { cat said why >&2; fail "$name: exit code $code"; }
    grep -qx verified said || { cat said >&2; fail "$name: the operator's own result is wrong"; }
}
# tables NAME CHIP: the tables of a run are those of its raw files
tables() {
    python3 "$root/tests/tools/onboard_model.py" "$1/dump" "$1" --chip "$2" --facts "$facts" ||
        fail "$1: the tables are not those of the raw files"
}
account() {
    python3 "$root/tests/refchip/series_account.py" "$2" "$1.account" "$1/dump" "$facts" ||
        fail "$1: the counts are not the chip's"
}

for operator in 'matmul --double-buffer' 'vector-add --size 40000' 'matmul --relu'; do
    name=950-${operator//[ -]/}
    # shellcheck disable=SC2086
    series "$name" Ascend950PR_9599 $operator
    account "$name" 950
    tables "$name" a5
done
# What threads move is in records alone, which the model of the tables does not have.
series 950-simt Ascend950PR_9599 vector-add --simt
account 950-simt 950
[ "$(cut -d , -f 1,2 950-matmulrelu/PipeUtilization.csv | head -n 4 | tr '\n' ' ')" = \
    'block_id,sub_block_id 0,cube0 0,vector0 0,vector1 ' ] ||
    fail "a mixed operator has other cores"
for operator in 'matmul --double-buffer' 'vector-add --size 40000'; do
    name=310p-${operator//[ -]/}
    # shellcheck disable=SC2086
    series "$name" Ascend310P3 $operator
    account "$name" 310p
    tables "$name" 310p
done
series 910b-vector Ascend910B1 vector-add
python3 "$root/tests/refchip/board_account.py" 910b-vector.account 910b-vector/dump 910b-vector ||
    fail "910b-vector: the counts are not the chip's"
tables 910b-vector 910b
series 910_93-matmul Ascend910_9391 matmul
python3 "$root/tests/refchip/board_account.py" 910_93-matmul.account 910_93-matmul/dump ||
    fail "910_93: the counts are not the chip's"
tables 910_93-matmul 910b
series 910b-mixed Ascend910B1 matmul --relu
python3 "$root/tests/refchip/board_account.py" 910b-mixed.account 910b-mixed/dump ||
    fail "910b-mixed: the counts are not the chip's"
tables 910b-mixed 910b
