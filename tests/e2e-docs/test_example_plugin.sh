#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The example plugin builds with its plain Makefile against the installed opprof, and its numbers are those that the
# instructions themselves give, worked out here by a second, plainer way.
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"

use_opprof_run
enter_playground
cp -r -- "$root/examples/plugin" plugin
chmod -R u+w -- plugin
make -C plugin CFLAGS='-O2 -g -Werror' >"$scratch/make" 2>&1 || { cat -- "$scratch/make"; fail "it does not build"; }

opprof-run --plugin-path plugin --inspect busy-time >"$scratch/inspect" || fail "it cannot be inspected"
grep -q 'org.example.busy-time' "$scratch/inspect" || fail "--inspect does not show its record type"

# busy_of FILE: per core and pipe the instructions, the length of the union of [start, end), from the tap's lines; and
# its share of the core's time.
busy_of() {
    awk -F '\t' -v OFS='\t' '
        NR == 1 { for (i = 1; i <= NF; i++) { column[$i] = i } next }
        { print $column["core"], $column["pipe"], $column["start"], $column["end"] }' "$1" |
        sort -t "$(printf '\t')" -k 1,1 -k 2,2 -k 3,3n |
        awk -F '\t' -v OFS='\t' '
            { key = $1 FS $2; core[key] = $1 }
            !(key in count) { to[key] = $3 }
            !($1 in first) || $3 < first[$1] { first[$1] = $3 }
            $4 > last[$1] { last[$1] = $4 }
            { count[key]++; from = $3 > to[key] ? $3 : to[key] }
            $4 > from { busy[key] += $4 - from; to[key] = $4 }
            END {
                for (key in count) {
                    whole = last[core[key]] - first[core[key]]
                    print key, count[key], busy[key] + 0, whole
                }
            }' | LC_ALL=C sort
}

# check_dump NAME CHIP MHZ
check_dump() {
    local name=$1 chip=$2 mhz=$3
    rm -rf -- results taps.tsv
    opprof-run -q --plugin-path plugin --pipeline plugin/busy-time.json --set "input=$root/tests/data/sim/$name" \
        --set "chip=$chip" --set window=10ns --output results --flat --tap dump.instructions=taps.tsv >"$scratch/out" ||
        [ $? -eq 4 ] || fail "the run over $name fails"
    # The share of the two-decimal column may differ in its last digit when a half is rounded.
    busy_of taps.tsv | awk -F '\t' -v mhz="$mhz" '{
        printf "%s,%s,%d,%.3f,%.2f\n", $1, $2, $3, $4 / mhz, $5 > 0 ? 100 * $4 / $5 : 0 }' >"$scratch/expected"
    tail -n +2 results/busy_time.csv | tr -d '"\r' | LC_ALL=C sort >"$scratch/given"
    [ -s "$scratch/expected" ] || fail "$name has no instructions"
    diff -u "$scratch/expected" "$scratch/given" || fail "the busy times of $name are wrong"
    grep -q '"busy ' results/trace.json || fail "the curves of $name are not in the timeline"
}

check_dump a2_910B Ascend910B1 1850
check_dump a2_synthetic Ascend910B1 1850
check_dump a5_synthetic Ascend950PR_9599 1800
