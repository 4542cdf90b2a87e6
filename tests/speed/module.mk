# SPDX-License-Identifier: Apache-2.0
# What the ready pipelines cost, counted.
speed_scripts = tests/speed/instructions.sh tests/speed/growth.sh
dist_check_SCRIPTS += $(speed_scripts)
EXTRA_DIST += tests/speed/limits tests/speed/growth.py scripts/bench_goals.py
if !EMULATED
if !SANITIZE
TESTS += $(speed_scripts)
endif
endif
