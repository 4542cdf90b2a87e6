#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Each sentence about recordings of others was checked by hand, and is listed in README.md with why
# it is right.
# shellcheck source=tests/plugins/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/../plugins/lib.sh"

python3 -B "$root/tests/causes/check_real.py" "$OPPROF_RUN" "$root" "$scratch" ||
    fail "a sentence is not one that was checked"

# The guide lists all rules by what they look for.
for rule in "$root"/plugins/*/rules/*.sql; do
    name=$(basename -- "$rule" .sql)
    grep -qF "\`$name\`" "$root/docs/using/rules.md" || fail "docs/using/rules.md lacks $name"
done
