#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# One of several ranks fails, hangs, is interrupted or dies in each phase of an operator that
# communicates.
. "${srcdir:-.}/tests/plugins/lib.sh"
export BOARD_KERNEL=$REFCHIP_KERNELS/vector_add.o
cd "$scratch"
python3 -B "$root/tests/refchip/phase_faults.py" ranks
