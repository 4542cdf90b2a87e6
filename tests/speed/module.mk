# SPDX-License-Identifier: Apache-2.0
# What the ready pipelines cost, counted.
dist_check_SCRIPTS += tests/speed/instructions.sh tests/speed/growth.sh
EXTRA_DIST += tests/speed/limits tests/speed/growth.py scripts/bench_goals.py
if !EMULATED
if !SANITIZE
TESTS += tests/speed/instructions.sh tests/speed/growth.sh
endif
endif
