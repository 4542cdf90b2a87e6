#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The first advice on a training loop names what makes it slow, and its bound is not below the true
# gain. One seed, five with OPPROF_TEST=full.
# shellcheck source=tests/plugins/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/../plugins/lib.sh"

seeds=1
if [ "${OPPROF_TEST:-}" = full ]; then
    seeds=5
fi
python3 -B "$root/tests/causes/check.py" "$OPPROF_RUN" "$scratch/loops" "$seeds" ||
    fail "a cause is not named first"
