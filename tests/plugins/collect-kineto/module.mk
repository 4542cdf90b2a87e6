# SPDX-License-Identifier: Apache-2.0
EXTRA_DIST += tests/data/kineto

if HAVE_INFLATE
collect_kineto_scripts = tests/plugins/collect-kineto/test_parallel_reader.sh tests/plugins/collect-kineto/test_damage.sh \
	tests/plugins/collect-kineto/test_forms.sh \
	tests/plugins/collect-kineto/test_inputs.sh
dist_check_SCRIPTS += $(collect_kineto_scripts) tests/plugins/collect-kineto/make_inputs.py \
	tests/plugins/collect-kineto/make_odd_texts.py
TESTS += $(collect_kineto_scripts)
endif

if HAVE_CHECK
if HAVE_INFLATE
collect_kineto_tests = tests/plugins/collect-kineto/test_known_text \
	tests/plugins/collect-kineto/test_link tests/plugins/collect-kineto/test_nsys_reader tests/plugins/collect-kineto/test_group_name tests/plugins/collect-kineto/test_scan \
	tests/plugins/collect-kineto/test_shapes \
	tests/plugins/collect-kineto/test_trace_reader tests/plugins/collect-kineto/test_values \
	tests/plugins/collect-kineto/test_vocabulary
check_PROGRAMS += $(collect_kineto_tests)
TESTS += $(collect_kineto_tests)
COLLECT_KINETO_TEST_LIBS = plugins/collect-kineto/.libs/libkineto.a $(KINETO_OUTSIDE_LIBS) $(TEST_LIBS)

tests_plugins_collect_kineto_test_known_text_SOURCES = tests/plugins/collect-kineto/test_known_text.c \
	tests/plugins/collect-kineto/reading.c tests/plugins/collect-kineto/reading.h
tests_plugins_collect_kineto_test_known_text_CPPFLAGS = $(TEST_CPPFLAGS)
tests_plugins_collect_kineto_test_known_text_LDADD = $(COLLECT_KINETO_TEST_LIBS)
tests_plugins_collect_kineto_test_link_SOURCES = tests/plugins/collect-kineto/test_link.c \
	tests/plugins/collect-kineto/reading.c tests/plugins/collect-kineto/reading.h
tests_plugins_collect_kineto_test_link_CPPFLAGS = $(TEST_CPPFLAGS)
tests_plugins_collect_kineto_test_link_LDADD = $(COLLECT_KINETO_TEST_LIBS)
tests_plugins_collect_kineto_test_nsys_reader_CPPFLAGS = $(TEST_CPPFLAGS)
tests_plugins_collect_kineto_test_nsys_reader_LDADD = $(COLLECT_KINETO_TEST_LIBS)
tests_plugins_collect_kineto_test_group_name_CPPFLAGS = $(TEST_CPPFLAGS)
tests_plugins_collect_kineto_test_group_name_LDADD = $(COLLECT_KINETO_TEST_LIBS)
tests_plugins_collect_kineto_test_scan_CPPFLAGS = $(TEST_CPPFLAGS)
tests_plugins_collect_kineto_test_scan_LDADD = $(COLLECT_KINETO_TEST_LIBS)
tests_plugins_collect_kineto_test_shapes_CPPFLAGS = $(TEST_CPPFLAGS)
tests_plugins_collect_kineto_test_shapes_LDADD = $(COLLECT_KINETO_TEST_LIBS)
tests_plugins_collect_kineto_test_trace_reader_SOURCES = \
	tests/plugins/collect-kineto/test_trace_reader.c \
	tests/plugins/collect-kineto/reading.c tests/plugins/collect-kineto/reading.h
tests_plugins_collect_kineto_test_trace_reader_CPPFLAGS = $(TEST_CPPFLAGS)
tests_plugins_collect_kineto_test_trace_reader_LDADD = $(COLLECT_KINETO_TEST_LIBS)
tests_plugins_collect_kineto_test_values_CPPFLAGS = $(TEST_CPPFLAGS)
tests_plugins_collect_kineto_test_values_LDADD = $(COLLECT_KINETO_TEST_LIBS)
tests_plugins_collect_kineto_test_vocabulary_CPPFLAGS = $(TEST_CPPFLAGS)
tests_plugins_collect_kineto_test_vocabulary_LDADD = $(COLLECT_KINETO_TEST_LIBS)
endif
endif
