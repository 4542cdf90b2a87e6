#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What can be seen without building: scripts (shellcheck), and the rules of the tree.
# A tool that is not there is an error here, since a check that is left out finds nothing.
set -uo pipefail

cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")/.." || exit 1
failed=0
# check NAME COMMAND...
check() {
    printf 'lint: %s\n' "$1"
    shift
    "$@" || failed=$((failed + 1))
}
scripts() {
    command -v shellcheck >/dev/null || { echo "there is no shellcheck; scripts/deps.sh lint installs it"; return 1; }
    shellcheck -x --source-path=SCRIPTDIR scripts/*.sh tests/e2e-docs/*.sh tests/tree/*.sh examples/*/*.sh .ci/run &&
        find tests refchip -name '*.sh' -print0 | xargs -0 shellcheck -s bash -S error
}

check "scripts" scripts
check "rules of the tree" python3 scripts/rules.py includes words families spdx share
[ "$failed" -eq 0 ] || { printf 'lint: %d of 2 checks failed\n' "$failed"; exit 1; }
