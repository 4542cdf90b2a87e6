#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A dump one file of which was cut, or has lines doubled, dropped or of another launch, has the same
# numbers, or is incomplete, or the change is of a kind that cannot be known.
# shellcheck source=tests/plugins/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/../lib.sh"
gen_dump=${GEN_DUMP:-${TEST_TOOLS:-tests/tools}/gen_dump}; [ -x "$gen_dump" ] ||
    fail "there is no $gen_dump"

# mutate TABLE [OPTION...]: a dump that gen_dump makes with the options
mutate() {
    local table=$1
    shift
    rm -rf -- "$scratch/dump" "$scratch/other"
    "$gen_dump" --cores 1 --instructions 1500 --pcs 90 "$@" "$scratch/dump"
    "$gen_dump" --cores 1 --instructions 1600 --pcs 90 --seed 2 "$@" "$scratch/other"
    # the user mark around the program would end it
    sed -i '/LPCNT/d' "$scratch"/dump/*.dump "$scratch"/other/*.dump
    python3 "$root/tests/tools/mutate_files.py" "$root/tests/tools/mutations/$table.json" \
        "$scratch/dump" "$scratch/other" ||
        fail "$table: complete with other numbers"
}

mutate sim-dump --ends
mutate sim-dump-no-end
