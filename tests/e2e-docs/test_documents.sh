#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What the documents link to is there, and the pipelines that they and the tree show are valid.
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"

use_opprof_run
cd -- "$root"

# Relative links and pictures of a Markdown file, without what is after '#'.
links_of() {
    grep -oE '\]\([^)]+\)' "$1" | sed 's/^](//; s/)$//; s/#.*//' |
        grep -vE '^(https?:|mailto:|$)' || true
}

while IFS= read -r document; do
    while IFS= read -r link; do
        [ -e "${document%/*}/$link" ] || fail "$document links to '$link', which is not there"
    done < <(links_of "$document")
done < <(find . -name '*.md' -not -path './build*/*' -not -path './.git/*')

# --validate with a value for every required variable, and a program where one of two variables
# names what to run.
validate() {
    local settings=() name
    ! grep -q '"app": *{' "$1" || settings=(--set app=true)
    for name in $(grep -oE '"[a-zA-Z0-9_-]+": *\{ *"required": *true' "$1" | grep -oE '^"[^"]+' |
        tr -d '"'); do
        settings+=(--set "$name=$sample")
    done
    opprof-run --validate --pipeline "$1" "${settings[@]}" >"$scratch/out" 2>&1 || {
        cat -- "$scratch/out" >&2
        return 1
    }
}

# Modules that a document has its reader write: tests of their own run them.
own='"busy-time"|"slate-capture"|"slate-beats"'

found=0
for document in README.md docs/*.md docs/*/*.md plugins/*/README.md; do
    mkdir -- "$scratch/blocks"
    fenced json "$document" "$scratch/blocks"
    for block in "$scratch"/blocks/*; do
        if [ -f "$block" ] && grep -q '"stages"' "$block" && ! grep -qE "$own" "$block"; then
            mv -- "$block" "$scratch/shown.json"
            validate "$scratch/shown.json" ||
                fail "a pipeline in $document is not valid (line ${block##*/})"
            found=$((found + 1))
        fi
    done
    rm -rf -- "$scratch/blocks"
done
[ "$found" -ge 3 ] || fail "found only $found pipelines in the documents"

for pipeline in pipelines/*.json; do
    [ ! -f "$pipeline" ] || validate "$pipeline" || fail "$pipeline is not valid"
done
