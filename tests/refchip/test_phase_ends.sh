#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Ctrl+C, a crash and the collector's death at each phase of a launch that is profiled.
. "${srcdir:-.}/tests/plugins/lib.sh"
export BOARD_KERNEL=$REFCHIP_KERNELS/vector_add.o
cd "$scratch"
python3 -B "$root/tests/refchip/phase_faults.py" ends
