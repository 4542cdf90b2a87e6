# SPDX-License-Identifier: Apache-2.0
if HAVE_INFLATE
dist_check_SCRIPTS += tests/causes/test_causes.sh
EXTRA_DIST += tests/causes/check.py tests/causes/training.py
TESTS += tests/causes/test_causes.sh
endif
