# SPDX-License-Identifier: Apache-2.0
EXTRA_DIST += tests/causes/expectations.py
if HAVE_INFLATE
causes_trace_scripts = tests/causes/test_causes.sh tests/causes/test_real.sh
dist_check_SCRIPTS += $(causes_trace_scripts)
EXTRA_DIST += tests/causes/README.md tests/causes/check.py tests/causes/check_real.py tests/causes/training.py
TESTS += $(causes_trace_scripts)
endif
causes_launch_scripts = tests/causes/test_instrumented.sh tests/causes/test_launches.sh
dist_check_SCRIPTS += $(causes_launch_scripts)
EXTRA_DIST += tests/causes/check_instrumented.py tests/causes/check_launches.py tests/causes/launches.py
TESTS += $(causes_launch_scripts)
# Kernels run on the reference chip, as in tests/refchip.
EXTRA_DIST += tests/causes/check_operators.py tests/causes/kernels.py
causes_operator_scripts = tests/causes/test_operators.sh
dist_check_SCRIPTS += $(causes_operator_scripts)
if !EMULATED
if !SANITIZE
TESTS += $(causes_operator_scripts)
endif
endif
