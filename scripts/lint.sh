#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What can be checked without building: the form of the C (clang-format 14), scripts (shellcheck),
# spelling (codespell), the rules of the tree, and the subjects of the last commits.
# A missing tool is an error here, since a check that is left out finds nothing.
set -uo pipefail

cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")/.." || exit 1
failed=0
# check NAME COMMAND...
check() {
    printf 'lint: %s\n' "$1"
    shift
    "$@" || failed=$((failed + 1))
}
# The C that is ours, each name ended by NUL. In a clone not what a build wrote into the source
# tree.
sources() {
    git ls-files -z -- '*.[ch]' ':!tests/data' 2>/dev/null | grep -z . ||
        find core cli kit results print compare harness records plugins inject refchip sdk bench \
            fuzz tests examples -name '*.[ch]' ! -path 'tests/data/*' -print0
}
formatted() {
    local format=clang-format-14
    command -v "$format" >/dev/null || {
        echo "clang-format-14 is missing; install it with scripts/deps.sh lint"; return 1
    }
    # All errors are read before any is shown: a program that writes into a closed pipe would not
    # say that it found some.
    local said
    said=$(sources | xargs -0 "$format" --style=file --dry-run --Werror 2>&1) && return
    head -n 20 <<<"$(grep 'error:' <<<"$said" || printf '%s\n' "$said")"
    return 1
}
scripts() {
    command -v shellcheck >/dev/null || {
        echo "shellcheck is missing; install it with scripts/deps.sh lint"; return 1
    }
    shellcheck -x --source-path=SCRIPTDIR scripts/*.sh tests/e2e-docs/*.sh tests/tree/*.sh \
        examples/*/*.sh .ci/run &&
        find tests refchip -name '*.sh' -print0 | xargs -0 shellcheck -s bash -S error
}

# Tests hold words that are misspelt on purpose.
spelled() {
    command -v codespell >/dev/null || {
        echo "codespell is missing; install it with scripts/deps.sh lint"; return 1
    }
    { git ls-files -z 2>/dev/null | grep -z . || find . -type f ! -path './build*/*' \
        -printf '%P\0'; } |
        grep -zvE -e '^(tests|fuzz|LICENSES|m4|build-aux|autom4te.cache)/|\.(png|gz|pftrace)$|~$' \
            -e '^(aclocal.m4|configure|config.h.in|Makefile.in)' |
        xargs -0 codespell --ignore-words=scripts/spelling.txt
}

check "form of the C" formatted
check "scripts" scripts
check "spelling" spelled
check "rules of the tree" python3 scripts/rules.py
check "subjects of commits" python3 scripts/subjects.py
[ "$failed" -eq 0 ] || { printf 'lint: %d of 5 checks failed\n' "$failed"; exit 1; }
