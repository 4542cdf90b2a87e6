#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# --diff of generated pairs of runs whose difference is known. One seed, twenty with
# OPPROF_TEST=full.
# shellcheck source=tests/plugins/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/../plugins/lib.sh"

seeds=1
if [ "${OPPROF_TEST:-}" = full ]; then
    seeds=20
fi
python3 -B "$root/tests/compare/pairs.py" "$scratch" "$seeds" || fail "a verdict is wrong"
