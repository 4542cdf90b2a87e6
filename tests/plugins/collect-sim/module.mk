# SPDX-License-Identifier: Apache-2.0
EXTRA_DIST += tests/data/sim tests/plugins/collect-sim/test_cannsim.sh tests/plugins/collect-sim/cannsim.py tests/plugins/collect-sim/test_damage.sh tests/tools/damage_inputs.py \
	tests/plugins/collect-sim/test_own_logs.sh tests/plugins/collect-sim/own_logs.py \
	tests/plugins/collect-sim/test_ends.sh tests/plugins/collect-sim/change_dump.py tests/plugins/collect-sim/test_mutations.sh
TESTS += tests/plugins/collect-sim/test_cannsim.sh tests/plugins/collect-sim/test_ends.sh tests/plugins/collect-sim/test_mutations.sh tests/plugins/collect-sim/test_damage.sh tests/plugins/collect-sim/test_own_logs.sh
noinst_PROGRAMS += tests/tools/gen_dump
tests_tools_gen_dump_SOURCES = tests/tools/gen_dump.c tests/tools/dump.c tests/tools/dump.h

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
	tests/tools/dump.c \
	tests/tools/dump.h \
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
	plugins/collect-sim/lines/charset.c plugins/collect-sim/pairing/horizon.c plugins/collect-sim/pairing/issues.c \
	plugins/collect-sim/pairing/keys.c \
	plugins/collect-sim/lines/form.c plugins/collect-sim/lines/line.c plugins/collect-sim/lines/mark_facts.c plugins/collect-sim/pairing/marks.c plugins/collect-sim/lines/names.c plugins/collect-sim/lines/pipes.c \
	plugins/collect-sim/pairing/order.c plugins/collect-sim/pairing/overhead.c plugins/collect-sim/pairing/first_reading.c plugins/collect-sim/pairing/pairing.c plugins/collect-sim/lines/simt.c \
	plugins/collect-sim/pairing/slots.c plugins/collect-sim/pairing/span.c plugins/collect-sim/pairing/stretches.c \
	plugins/collect-sim/pairing/tally.c
tests_plugins_collect_sim_test_pairing_small_CPPFLAGS = $(TEST_CPPFLAGS) -DHORIZON_BLOCK=8u
tests_plugins_collect_sim_test_pairing_small_LDADD = $(TEST_LIBS)
