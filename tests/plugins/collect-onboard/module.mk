# SPDX-License-Identifier: Apache-2.0
EXTRA_DIST += tests/plugins/collect-onboard/ranges.py
dist_check_SCRIPTS += tests/plugins/collect-onboard/test_ranges.sh
TESTS += tests/plugins/collect-onboard/test_ranges.sh
