#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Each fault of channels and monitors, reads of any size, and a full disk, while counters, monitors
# and instrumented kernels are read.
. "${srcdir:-.}/tests/plugins/lib.sh"
export BOARD_KERNEL=$REFCHIP_KERNELS/vector_add.o
cd "$scratch"
python3 -B "$root/tests/refchip/phase_faults.py" channels
