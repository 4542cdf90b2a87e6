#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The commands of the EXAMPLES sections of the manual pages do what they say, on the bundled dump.
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"

use_opprof_run
enter_playground

# The literal blocks of a page's EXAMPLES, with roff's \e as the backslash it shows. Blocks go into
# files of their own.
examples() {
    awk -v into="$2" '
        /^\.Sh / { examples = ($2 == "EXAMPLES"); next }
        !examples { next }
        /^\.Bd -literal/ { file = sprintf("%s/%05d", into, NR); inside = 1; next }
        /^\.Ed/ { if (inside) { close(file) } inside = 0; next }
        inside { gsub(/\\e/, "\\"); print > file }' "$1"
}

ran=0
for page in opprof-run.1 opprof-pipeline.5; do
    mkdir -- "$scratch/$page"
    examples "$root/docs/$page" "$scratch/$page"
    for block in "$scratch/$page"/*; do
        if [ "$(head -c 1 -- "$block")" = '{' ]; then
            cp -- "$block" timeline.json # the document that the commands after it name
            continue
        fi
        bash -euo pipefail "$block" >"$scratch/out" 2>"$scratch/err" || {
            cat -- "$block" "$scratch/out" "$scratch/err" >&2
            fail "an example of $page does not work"
        }
        ran=$((ran + 1))
    done
done
[ "$ran" -ge 7 ] || fail "found only $ran examples"
[ -s latest/trace.json ] || fail "--flat did not put trace.json into its place"
[ "$(wc -l <instructions.tsv)" -ge 3 ] || fail "--tap wrote no records"
grep -q '^digraph' graph.dot || fail "--graph printed no graph"
