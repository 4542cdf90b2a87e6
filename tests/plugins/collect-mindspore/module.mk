# SPDX-License-Identifier: Apache-2.0
collect_mindspore_scripts = tests/plugins/collect-mindspore/test_raw.sh tests/plugins/collect-mindspore/test_damage.sh \
	tests/plugins/collect-mindspore/test_mutations.sh tests/plugins/collect-mindspore/test_parsed.sh
dist_check_SCRIPTS += $(collect_mindspore_scripts) tests/plugins/collect-mindspore/make_sample.py tests/plugins/collect-mindspore/mindspore.py tests/tools/make_hwts.py
TESTS += $(collect_mindspore_scripts)
