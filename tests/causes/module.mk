# SPDX-License-Identifier: Apache-2.0
EXTRA_DIST += tests/causes/expectations.py
if HAVE_INFLATE
dist_check_SCRIPTS += tests/causes/test_causes.sh tests/causes/test_real.sh
EXTRA_DIST += tests/causes/README.md tests/causes/check.py tests/causes/check_real.py tests/causes/training.py
TESTS += tests/causes/test_causes.sh tests/causes/test_real.sh
endif
dist_check_SCRIPTS += tests/causes/test_instrumented.sh tests/causes/test_launches.sh
EXTRA_DIST += tests/causes/check_instrumented.py tests/causes/check_launches.py tests/causes/launches.py
TESTS += tests/causes/test_instrumented.sh tests/causes/test_launches.sh
# Kernels run on the reference chip, as in tests/refchip.
EXTRA_DIST += tests/causes/check_operators.py tests/causes/kernels.py
dist_check_SCRIPTS += tests/causes/test_operators.sh
if !EMULATED
if !SANITIZE
TESTS += tests/causes/test_operators.sh
endif
endif
