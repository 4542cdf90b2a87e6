#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Critical paths of random programs, against a simulation of each with and without what takes its
# time. They are 10,000 with OPPROF_TEST=full.
# shellcheck source=tests/plugins/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/../lib.sh"

alone=300 together=20
if [ "${OPPROF_TEST:-}" = full ]; then
    alone=9000 together=1000
fi
python3 "$root/tests/tools/path_programs.py" "$OPPROF_RUN" "$scratch/programs" "$alone" \
    "$together" || fail "a bound is violated"
