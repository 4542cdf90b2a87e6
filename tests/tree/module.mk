# SPDX-License-Identifier: Apache-2.0
# The rules that keep the tree in order. They look at sources and libraries, so once is enough: not under every sanitizer.
tree_tests = tests/tree/test_rules.sh tests/tree/test_core_alone.sh tests/tree/test_families.sh tests/tree/test_subjects.sh
dist_check_SCRIPTS += $(tree_tests)
if !SANITIZE
if !EMULATED
TESTS += $(tree_tests)
endif
endif
EXTRA_DIST += scripts/rules.py scripts/symbols.py scripts/core_alone.sh scripts/without_family.sh scripts/lint.sh scripts/spelling.txt scripts/subjects.py

# Form, scripts, spelling, rules and subjects of commits; needs clang-format 14, shellcheck and codespell.
lint:
	@bash $(top_srcdir)/scripts/lint.sh
.PHONY: lint
