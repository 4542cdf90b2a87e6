# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# What the tests of the documentation share. Sourced, not run. Exit codes are automake's: 77 is a
# test left out.
set -euo pipefail

root=$(cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)
sample=$root/tests/data/sim/gpr_bytes
scratch=$(mktemp -d "${TMPDIR:-/tmp}/opprof-docs.XXXXXX")
trap 'rm -rf -- "$scratch"' EXIT

fail() { printf 'FAIL: %s\n' "$*" >&2; exit 1; }
skip() { printf 'SKIP: %s\n' "$*" >&2; exit 77; }
need() { command -v "$1" >/dev/null 2>&1 || skip "there is no $1"; }

# Puts the opprof-run under test in front of the PATH.
use_opprof_run() {
    [ -x "${OPPROF_RUN:-}" ] || fail "OPPROF_RUN names no program"
    mkdir -p -- "$scratch/bin"
    printf '#!/bin/sh\nexec %q "$@"\n' "$OPPROF_RUN" >"$scratch/bin/opprof-run"
    chmod +x -- "$scratch/bin/opprof-run"
    export PATH=$scratch/bin:$PATH
}

# A directory with what examples take as given: the dump in `dump`. Changes into it.
enter_playground() {
    mkdir -p -- "$scratch/playground"
    cd -- "$scratch/playground" || exit 1
    cp -r -- "$sample" dump
    cp -r -- "$root/tests/data/pmu/cases/910b_mix/input" run
    chmod -R u+w -- dump run
}

# fenced LANGUAGE FILE DIRECTORY: each fenced block of a language into a file of its own, named by
# its line.
fenced() {
    awk -v language="$1" -v into="$3" '
        /^```/ && inside { close(file); inside = 0; next }
        $0 == "```" language { file = sprintf("%s/%05d", into, NR); inside = 1; printf "" > file; next }
        inside { print > file }' "$2"
}
