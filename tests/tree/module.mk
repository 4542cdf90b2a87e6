# SPDX-License-Identifier: Apache-2.0
# The rules that keep the tree in order. They look at sources and libraries, so once is enough: not under every sanitizer.
tree_tests = tests/tree/test_rules.sh tests/tree/test_core_alone.sh tests/tree/test_families.sh
dist_check_SCRIPTS += $(tree_tests)
if !SANITIZE
if !EMULATED
TESTS += $(tree_tests)
endif
endif
EXTRA_DIST += scripts/rules.py scripts/symbols.py scripts/core_alone.sh scripts/without_family.sh scripts/lint.sh

# Form, scripts and rules; needs clang-format 14 and shellcheck.
lint:
	@bash $(top_srcdir)/scripts/lint.sh
.PHONY: lint
