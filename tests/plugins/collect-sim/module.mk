# SPDX-License-Identifier: Apache-2.0
EXTRA_DIST += tests/plugins/collect-sim/cannsim.py tests/tools/damage_inputs.py \
	tests/plugins/collect-sim/own_logs.py tests/plugins/collect-sim/change_dump.py
collect_sim_scripts = tests/plugins/collect-sim/test_cannsim.sh tests/plugins/collect-sim/test_ends.sh \
	tests/plugins/collect-sim/test_mutations.sh tests/plugins/collect-sim/test_damage.sh \
	tests/plugins/collect-sim/test_own_logs.sh
dist_check_SCRIPTS += $(collect_sim_scripts)
TESTS += $(collect_sim_scripts)
noinst_PROGRAMS += tests/tools/gen_dump
tests_tools_gen_dump_SOURCES = tests/tools/gen_dump.c $(dump_writer)

SUITES += tests/plugins/collect-sim/suites
tests_plugins_collect_sim_suites_SOURCES = \
	tests/plugins/collect-sim/backtrack.c \
	tests/plugins/collect-sim/backtrack.h \
	tests/plugins/collect-sim/batches.h \
	tests/plugins/collect-sim/forms.h \
	tests/plugins/collect-sim/harness.c \
	tests/plugins/collect-sim/harness.h \
	tests/plugins/collect-sim/scratch.c \
	tests/plugins/collect-sim/scratch.h \
	$(dump_writer) \
	tests/plugins/collect-sim/test_collect_sim.c \
	tests/plugins/collect-sim/test_environment.c \
	tests/plugins/collect-sim/test_form.c \
	tests/plugins/collect-sim/test_issues.c \
	tests/plugins/collect-sim/test_line.c \
	tests/plugins/collect-sim/test_lines.c \
	tests/plugins/collect-sim/test_live_parts.c \
	tests/plugins/collect-sim/test_log.c \
	tests/plugins/collect-sim/test_overhead.c \
	tests/plugins/collect-sim/test_pairing.c \
	tests/plugins/collect-sim/test_records.c \
	tests/plugins/collect-sim/test_stretches.c \
	tests/plugins/collect-sim/test_tables.c
tests_plugins_collect_sim_suites_LDADD = $(call objects_of,plugins_collect_sim_collect_sim_la) plugins/collect-sim/.libs/libparts.a $(TEST_LIBS)

# Alone: test_pairing with blocks so small that short random logs have many of them.
SUITES += tests/plugins/collect-sim/test_pairing_small
tests_plugins_collect_sim_test_pairing_small_SOURCES = tests/plugins/collect-sim/test_pairing.c \
	$(sim_block_parts) $(sim_pairing_parts)
tests_plugins_collect_sim_test_pairing_small_CPPFLAGS = $(TEST_CPPFLAGS) -DHORIZON_BLOCK=8u
tests_plugins_collect_sim_test_pairing_small_LDADD = $(TEST_LIBS)
