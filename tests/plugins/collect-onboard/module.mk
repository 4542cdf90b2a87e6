# SPDX-License-Identifier: Apache-2.0
EXTRA_DIST += tests/plugins/collect-onboard/ranges.py
collect_onboard_scripts = tests/plugins/collect-onboard/test_ranges.sh
dist_check_SCRIPTS += $(collect_onboard_scripts)
TESTS += $(collect_onboard_scripts)
