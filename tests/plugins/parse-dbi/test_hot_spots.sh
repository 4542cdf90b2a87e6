#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Hot spots of a kernel that ran on a device, through opprof-run, beside what the input says.
. "$(dirname -- "${BASH_SOURCE[0]}")/../lib.sh"
[ -f "${TEST_KERNELS:?}/mapped.o" ] || fail "there is no kernel '$TEST_KERNELS/mapped.o'"
python3 "$root/tests/plugins/parse-dbi/hot_spots.py" "$scratch" "$root/tests/tools" \
    "$TEST_KERNELS/mapped.o"
