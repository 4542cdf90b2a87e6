#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every public symbol is documented, and doxygen reports nothing.
. "$(dirname -- "${BASH_SOURCE[0]}")/lib.sh"

need doxygen
cd -- "$root"
{
    cat docs/Doxyfile
    printf 'OUTPUT_DIRECTORY = %s\n' "$scratch/doxygen"
} >"$scratch/Doxyfile"
doxygen "$scratch/Doxyfile" >"$scratch/out" 2>"$scratch/warnings" || {
    cat -- "$scratch/warnings"
    fail "doxygen failed"
}
if [ -s "$scratch/warnings" ]; then
    cat -- "$scratch/warnings"
    fail "doxygen warns"
fi
