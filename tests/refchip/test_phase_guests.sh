#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Other users and bad messages on the collector's socket, noise on the program's own connection, and
# a disk that gets full, at each phase of a launch on a device and on a simulator; a simulator whose
# log makes no sense.
. "${srcdir:-.}/tests/plugins/lib.sh"
export BOARD_KERNEL=$REFCHIP_KERNELS/vector_add.o TALK=$root/tests/refchip/talk.py
cd "$scratch"
python3 -B "$root/tests/refchip/phase_faults.py" guests
