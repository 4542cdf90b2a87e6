# SPDX-License-Identifier: Apache-2.0
EXTRA_DIST += tests/data/sim tests/plugins/collect-sim/test_damage.sh tests/tools/damage_inputs.py \
	tests/plugins/collect-sim/test_own_logs.sh tests/plugins/collect-sim/own_logs.py
TESTS += tests/plugins/collect-sim/test_damage.sh tests/plugins/collect-sim/test_own_logs.sh
noinst_PROGRAMS += tests/tools/gen_dump
tests_tools_gen_dump_SOURCES = tests/tools/gen_dump.c tests/tools/dump.c tests/tools/dump.h

if HAVE_CHECK
collect_sim_tests = tests/plugins/collect-sim/test_environment tests/plugins/collect-sim/test_form tests/plugins/collect-sim/test_line tests/plugins/collect-sim/test_pairing \
	tests/plugins/collect-sim/test_pairing_small tests/plugins/collect-sim/test_stretches tests/plugins/collect-sim/test_tables \
	tests/plugins/collect-sim/test_log tests/plugins/collect-sim/test_overhead tests/plugins/collect-sim/test_issues \
	tests/plugins/collect-sim/test_live_parts tests/plugins/collect-sim/test_records tests/plugins/collect-sim/test_collect_sim
check_PROGRAMS += $(collect_sim_tests)
TESTS += $(collect_sim_tests)
COLLECT_SIM_TEST_LIBS = plugins/collect-sim/.libs/libparts.a $(TEST_LIBS)

tests_plugins_collect_sim_test_environment_CPPFLAGS = $(TEST_CPPFLAGS)
tests_plugins_collect_sim_test_environment_LDADD = $(COLLECT_SIM_TEST_LIBS)
tests_plugins_collect_sim_test_form_CPPFLAGS = $(TEST_CPPFLAGS)
tests_plugins_collect_sim_test_form_LDADD = $(COLLECT_SIM_TEST_LIBS)
tests_plugins_collect_sim_test_line_SOURCES = tests/plugins/collect-sim/test_line.c \
	tests/plugins/collect-sim/backtrack.c tests/plugins/collect-sim/backtrack.h
tests_plugins_collect_sim_test_line_CPPFLAGS = $(TEST_CPPFLAGS)
tests_plugins_collect_sim_test_line_LDADD = $(COLLECT_SIM_TEST_LIBS)

tests_plugins_collect_sim_test_pairing_CPPFLAGS = $(TEST_CPPFLAGS)
tests_plugins_collect_sim_test_pairing_LDADD = $(COLLECT_SIM_TEST_LIBS)

tests_plugins_collect_sim_test_stretches_CPPFLAGS = $(TEST_CPPFLAGS)
tests_plugins_collect_sim_test_stretches_LDADD = $(COLLECT_SIM_TEST_LIBS)

tests_plugins_collect_sim_test_tables_CPPFLAGS = $(TEST_CPPFLAGS)
tests_plugins_collect_sim_test_tables_LDADD = $(COLLECT_SIM_TEST_LIBS)

tests_plugins_collect_sim_test_issues_SOURCES = tests/plugins/collect-sim/test_issues.c
tests_plugins_collect_sim_test_issues_CPPFLAGS = $(TEST_CPPFLAGS)
tests_plugins_collect_sim_test_issues_LDADD = plugins/collect-sim/.libs/libparts.a $(TEST_LIBS)
tests_plugins_collect_sim_test_overhead_SOURCES = tests/plugins/collect-sim/test_overhead.c
tests_plugins_collect_sim_test_overhead_CPPFLAGS = $(TEST_CPPFLAGS)
tests_plugins_collect_sim_test_overhead_LDADD = plugins/collect-sim/.libs/libparts.a $(TEST_LIBS)
tests_plugins_collect_sim_test_live_parts_SOURCES = tests/plugins/collect-sim/test_live_parts.c tests/plugins/collect-sim/batches.h \
	tests/plugins/collect-sim/forms.h
tests_plugins_collect_sim_test_live_parts_CPPFLAGS = $(TEST_CPPFLAGS)
tests_plugins_collect_sim_test_live_parts_LDADD = $(COLLECT_SIM_TEST_LIBS)
tests_plugins_collect_sim_test_records_SOURCES = tests/plugins/collect-sim/test_records.c tests/plugins/collect-sim/batches.h \
	tests/plugins/collect-sim/scratch.c tests/plugins/collect-sim/scratch.h
tests_plugins_collect_sim_test_records_CPPFLAGS = $(TEST_CPPFLAGS)
tests_plugins_collect_sim_test_records_LDADD = $(COLLECT_SIM_TEST_LIBS)
tests_plugins_collect_sim_test_log_SOURCES = tests/plugins/collect-sim/test_log.c \
	tests/plugins/collect-sim/scratch.c tests/plugins/collect-sim/scratch.h
tests_plugins_collect_sim_test_log_CPPFLAGS = $(TEST_CPPFLAGS)
tests_plugins_collect_sim_test_log_LDADD = $(COLLECT_SIM_TEST_LIBS)

# The whole module, linked in.
tests_plugins_collect_sim_test_collect_sim_SOURCES = tests/plugins/collect-sim/test_collect_sim.c \
	tests/plugins/collect-sim/harness.c tests/plugins/collect-sim/harness.h \
	tests/plugins/collect-sim/scratch.c tests/plugins/collect-sim/scratch.h \
	tests/tools/dump.c tests/tools/dump.h \
	plugins/collect-sim/collect_sim.c
tests_plugins_collect_sim_test_collect_sim_CPPFLAGS = $(TEST_CPPFLAGS)
tests_plugins_collect_sim_test_collect_sim_LDADD = $(COLLECT_SIM_TEST_LIBS)

# test_pairing with blocks so small that short random logs have many of them.
tests_plugins_collect_sim_test_pairing_small_SOURCES = tests/plugins/collect-sim/test_pairing.c \
	plugins/collect-sim/lines/charset.c plugins/collect-sim/pairing/horizon.c plugins/collect-sim/pairing/issues.c \
	plugins/collect-sim/pairing/keys.c \
	plugins/collect-sim/lines/form.c plugins/collect-sim/lines/line.c plugins/collect-sim/lines/mark_words.c plugins/collect-sim/pairing/marks.c plugins/collect-sim/lines/names.c plugins/collect-sim/lines/pipes.c \
	plugins/collect-sim/pairing/order.c plugins/collect-sim/pairing/overhead.c plugins/collect-sim/pairing/first_reading.c plugins/collect-sim/pairing/pairing.c plugins/collect-sim/lines/simt.c \
	plugins/collect-sim/pairing/slots.c plugins/collect-sim/pairing/span.c plugins/collect-sim/pairing/stretches.c \
	plugins/collect-sim/pairing/tally.c
tests_plugins_collect_sim_test_pairing_small_CPPFLAGS = $(TEST_CPPFLAGS) -DHORIZON_BLOCK=8u
tests_plugins_collect_sim_test_pairing_small_LDADD = $(TEST_LIBS)
endif
