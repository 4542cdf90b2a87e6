#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The example plugin builds with its plain Makefile against the installed opprof, and its numbers
# are those that the instructions themselves give, computed here by a second, plainer way.
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"

use_opprof_run
enter_playground
cp -r -- "$root/examples/plugin" plugin
chmod -R u+w -- plugin
env -u PKG_CONFIG_PATH make -C plugin PKG_CONFIG_PATH="${PKG_CONFIG_PATH:-}" \
    CFLAGS="-O2 -g -Werror ${SANITIZE_FLAGS:-}" >"$scratch/make" 2>&1 || {
        cat -- "$scratch/make"; fail "it does not build"
    }

opprof-run --plugin-path plugin --inspect busy-time >"$scratch/inspect" ||
    fail "it cannot be inspected"
grep -q 'org.example.busy-time' "$scratch/inspect" || fail "--inspect does not show its record type"

# columns FILE NAME…: these columns of what a tap wrote.
columns() {
    local file=$1
    shift
    awk -F '\t' -v OFS='\t' -v names="$*" '
        NR == 1 { for (i = 1; i <= NF; i++) { at[$i] = i } count = split(names, name, " "); next }
        { row = $at[name[1]]; for (i = 2; i <= count; i++) { row = row OFS $at[name[i]] } print row }' "$file"
}

# busy_of FILE: per core and pipe the instructions, and the length of the union of their [start,
# end), in the order of their starts.
busy_of() {
    columns "$1" core pipe start end name | sort -t "$(printf '\t')" -k 1,1 -k 2,2 -k 3,3n |
        awk -F '\t' -v OFS='\t' '
            !($1 in first) || $3 < first[$1] { first[$1] = $3 }
            $4 > last[$1] { last[$1] = $4 }
            tolower(substr($5, 1, 4)) == "wait" { next }
            { key = $1 FS $2; core[key] = $1 }
            !(key in count) { to[key] = $3 }
            { count[key]++; from = $3 > to[key] ? $3 : to[key] }
            $4 > from { busy[key] += $4 - from; to[key] = $4 }
            END { for (key in count) { print key, count[key], busy[key] + 0, last[core[key]] - first[core[key]] } }' |
        LC_ALL=C sort
}

# check_dump DIRECTORY CHIP MHZ
check_dump() {
    local dump=$1 chip=$2 mhz=$3
    rm -rf -- results records.tsv
    opprof-run -q --plugin-path plugin --pipeline plugin/busy-time.json --set "input=$dump" \
        --set "chip=$chip" --output results --flat --tap dump.instructions=records.tsv \
        >"$scratch/out" || [ $? -eq 4 ] || fail "the run over $dump fails"
    busy_of records.tsv >"$scratch/busy"
    [ -s "$scratch/busy" ] || fail "$dump has no instructions"
    awk -F '\t' -v mhz="$mhz" '{
        printf "%s,%s,%d,%.3f\n", $1, $2, $3, $4 / mhz }' "$scratch/busy" |
        diff -u - <(tail -n +2 results/busy_time.csv | tr -d '"\r' | LC_ALL=C sort) ||
        fail "the busy times of $dump are wrong"
}

check_dump "$root/tests/data/sim/a2_910B" Ascend910B1 1850
check_dump "$root/tests/data/sim/a2_synthetic" Ascend910B1 1850
check_dump "$root/tests/data/sim/a5_synthetic" Ascend950PR_9599 1800
# Enough tiles that many stretches come.
"$root/examples/dump/make_dump.sh" dump 400 3
check_dump dump Ascend910B1 1850
