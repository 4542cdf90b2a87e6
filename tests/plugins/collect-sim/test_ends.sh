#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What shows that a core's logs are whole, and what cannot be known: the end of the program, starts
# against ends, the other cores.
# shellcheck source=tests/plugins/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/../lib.sh"
gen_dump=${GEN_DUMP:-${TEST_TOOLS:-tests/tools}/gen_dump}; [ -x "$gen_dump" ] ||
    fail "there is no $gen_dump"
here=$(dirname -- "${BASH_SOURCE[0]}")
unchecked="reach the end of the program could not be checked"

# expect WANTED DUMP TEXT...: its run ends with this exit code, and says the texts, in run.json too;
# after `-`, it does not say them
expect() {
    local wanted=$1 dump=$2 code=0 says=yes text
    shift 2
    rm -rf -- "$scratch/results"
    "$OPPROF_RUN" --pipeline sim-dump --set "input=$dump" --set chip=Ascend910B1 \
        --output "$scratch/results" --flat --without html,report \
        >"$scratch/out" 2>"$scratch/err" || code=$?
    [ "$code" = "$wanted" ] || {
        cat -- "$scratch/err" >&2; fail "$dump: exit code $code, not $wanted"
    }
    for text in "$@"; do
        if [ "$text" = - ]; then
            says=no
        elif [ $says = no ]; then
            ! grep -qF -- "$text" "$scratch/err" || fail "$dump: says '$text'"
        else
            grep -qF -- "$text" "$scratch/err" || {
                cat -- "$scratch/err" >&2; fail "$dump: does not say '$text'"
            }
            grep -qF -- "$text" "$scratch/results/run.json" ||
                fail "$dump: run.json does not say '$text'"
        fi
    done
}

# changed NAME FROM CHANGE...: a changed dump
changed() {
    local name=$1 from=$2
    shift 2
    python3 "$here/change_dump.py" "$from" "$scratch/$name" "$@"
}

# Marks have an end of their own, which is not what this is about.
"$gen_dump" --cores 2 --instructions 200 --pcs 40 --ends "$scratch/whole"
"$gen_dump" --cores 2 --instructions 200 --pcs 40 "$scratch/endless"
sed -i '/LPCNT/d' "$scratch"/whole/*.dump "$scratch"/endless/*.dump

# The last instruction ends the program: nothing to say. Without it, no log shows where the program
# ends: one line says so.
expect 0 "$scratch/whole" - "$unchecked"
expect 0 "$scratch/endless" "Whether the logs of 4 of 4 cores $unchecked"
[ "$(grep -cF -- "$unchecked" "$scratch/err")" = 1 ] ||
    fail "several lines say that the end could not be checked"

# Both logs of a core cut alike: other cores show how the program ends.
changed alike "$scratch/whole" "core1.veccore0.instr*:stop:1200"
expect 4 "$scratch/alike" \
    "Core core1.veccore0: dump file 'core1.veccore0.instr_popped_log.dump' does not reach the end of the program (END)"
changed last "$scratch/whole" "core1.veccore0.instr*:cut:1"
expect 4 "$scratch/last" \
    "Core core1.veccore0: dump file 'core1.veccore0.instr_popped_log.dump' does not reach the end of the program (END)"
changed ends "$scratch/whole" "core1.veccore0.instr_log.dump:cut:1"
expect 4 "$scratch/ends" \
    "Core core1.veccore0: dump file 'core1.veccore0.instr_log.dump' does not reach the end of the program (END)"

# All cut alike, at any tick: nothing shows it, however many instructions are in flight.
for tick in 1010 1037 1100 1150 1200 1250; do
    rm -rf -- "$scratch/all"
    changed all "$scratch/whole" "*.instr*:stop:$tick"
    expect 0 "$scratch/all" "Whether the logs of 4 of 4 cores $unchecked"
done

# An END alone: one core, whose popped log has it and whose instr log does not.
mkdir -- "$scratch/alone"
cp -- "$scratch"/whole/core0.veccore0.* "$scratch/alone"
expect 0 "$scratch/alone" - "$unchecked"
changed open "$scratch/alone" "*.instr_log.dump:cut:1"
expect 0 "$scratch/open" "Whether the logs of 1 of 1 cores $unchecked"

# The popped log cut within its last 64 ends, whether the program's end is known or not: ends
# without a start.
for from in whole endless; do
    for lines in 2 5 20; do
        rm -rf -- "$scratch/cut"
        changed cut "$scratch/$from" "core0.veccore1.instr_popped_log.dump:cut:$lines"
        expect 4 "$scratch/cut" "have no instruction in 'core0.veccore1.instr_popped_log.dump'"
    done
done

# Lines dropped in the middle.
changed starts "$scratch/endless" "core0.veccore1.instr_popped_log.dump:drop:77:2"
expect 4 "$scratch/starts" \
    "2 of 202 ends in dump file 'core0.veccore1.instr_log.dump' have no instruction"
changed middle "$scratch/whole" "core0.veccore1.instr_log.dump:drop:77:2"
expect 4 "$scratch/middle" \
    "2 of 203 instructions of dump file 'core0.veccore1.instr_popped_log.dump' have no end" \
    "though the program has ended"
changed loop "$scratch/endless" "core0.veccore1.instr_log.dump:drop:30:3"
expect 4 "$scratch/loop" "long after all others of the name, and later ones of the pipe, have ended"

# A whole dump in which more instructions than a queue holds are popped before the first one ends.
changed deep "$scratch/whole" "*.instr_log.dump:late:5000"
expect 0 "$scratch/deep" - "$unchecked"
