#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every wait of the injection library and of its collector has an end, and a test that comes to it;
# the rest of them are in the table of tests/refchip/README.md.
. "${srcdir:-.}/tests/plugins/lib.sh"
export BOARD_KERNEL=$REFCHIP_KERNELS/vector_add.o
cd "$scratch"
python3 -B "$root/tests/refchip/phase_faults.py" waits
