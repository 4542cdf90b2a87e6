#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The plugin guide is true: its commands work in their order, and its C is in the example, word for word.
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"

guide=$root/docs/plugin-guide.md
use_opprof_run
enter_playground
for language in sh c csv; do
    mkdir -- "$scratch/$language"
    fenced "$language" "$guide" "$scratch/$language"
done

# The commands are one session: what one sets, the next may use.
cat -- "$scratch"/sh/* >"$scratch/session"
[ "$(wc -l <"$scratch/session")" -ge 5 ] || fail "found no commands"
opprof=$root bash -euo pipefail "$scratch/session" >"$scratch/out" 2>&1 || {
    cat -- "$scratch/out" >&2
    fail "the commands of the guide do not work"
}
diff -u "$scratch"/csv/* <(tr -d '\r' <my-plugin/results/busy_time.csv) || fail "the table comes out differently"

# Blanks do not count, "…" stands for what was left out; all else must be there in one piece.
flat() { tr -s ' \n\t' ' ' <"$1"; }
source=$(flat "$root/examples/plugin/busy_time.c")
for block in "$scratch"/c/*; do
    sed 's/^ *…$/\x01/' "$block" | awk -v RS='\001' -v into="$block." '{ printf "%s", $0 > (into NR) }'
    for piece in "$block".*; do
        text=$(flat "$piece" | sed 's/^ //; s/ $//')
        [[ "$source" == *"$text"* ]] || fail "the guide shows C that is not in the example (line ${block##*/}): $text"
    done
done
