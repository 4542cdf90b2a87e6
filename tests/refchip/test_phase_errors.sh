#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every call that the library makes while it profiles a launch fails once, and kernels do not end:
# what is said, and that the program's memory is exact.
. "${srcdir:-.}/tests/plugins/lib.sh"
export BOARD_KERNEL=$REFCHIP_KERNELS/vector_add.o
cd "$scratch"
python3 -B "$root/tests/refchip/phase_faults.py" errors
python3 -B "$root/tests/refchip/phase_faults.py" hangs
