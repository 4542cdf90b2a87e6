# SPDX-License-Identifier: Apache-2.0
# End-to-end tests through opprof-run, and what they preload.

# Preloaded by a test; no sanitizer could live with another allocator beside its own.
check_LTLIBRARIES += tests/tools/fail-alloc.la
tests_tools_fail_alloc_la_SOURCES = tests/tools/fail_alloc.c
tests_tools_fail_alloc_la_CFLAGS = -std=gnu11 $(WARN_CFLAGS)
tests_tools_fail_alloc_la_LDFLAGS = -module -avoid-version -shared -rpath /nowhere
tests_tools_fail_alloc_la_LIBADD = $(DL_LIBS)

e2e_tests = tests/e2e/pipeline_errors.sh tests/e2e/module_errors.sh tests/e2e/input_errors.sh \
	tests/e2e/output_errors.sh tests/e2e/signals.sh tests/e2e/terminal.sh tests/e2e/answer_first.sh tests/e2e/alloc_failures.sh tests/e2e/list_failures.sh tests/e2e/explain.sh \
	tests/e2e/chip_mistakes.sh tests/e2e/error_chains.sh tests/e2e/recognise.sh tests/e2e/completion.sh tests/e2e/hex_view.sh tests/e2e/inspect.sh tests/e2e/record_replay.sh tests/e2e/raw_records.sh tests/e2e/replay_live.sh tests/e2e/same_results.sh tests/e2e/verbose.sh
dist_check_SCRIPTS += $(e2e_tests) tests/stress/stop_at_random.sh
dist_check_DATA = tests/e2e/record_replay.py tests/tools/recording.py tests/e2e/chip_mistakes.py tests/e2e/zsh_completion.py tests/e2e/on_terminal.py tests/e2e/lib.sh tests/plugins/lib.sh tests/tools/ten_runs.sh tests/tools/ready_inputs.sh tests/tools/terminals.sh tests/tools/stages_say.sh tests/tools/whole_files.py
TESTS += $(e2e_tests)
