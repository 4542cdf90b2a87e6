# SPDX-License-Identifier: Apache-2.0

if HAVE_INFLATE
collect_kineto_scripts = tests/plugins/collect-kineto/test_mutations.sh tests/plugins/collect-kineto/test_directories.sh tests/plugins/collect-kineto/test_ascend.sh tests/plugins/collect-kineto/test_faults.sh tests/plugins/collect-kineto/test_merged.sh \
	tests/plugins/collect-kineto/test_parallel_reader.sh tests/plugins/collect-kineto/test_damage.sh \
	tests/plugins/collect-kineto/test_forms.sh \
	tests/plugins/collect-kineto/test_inputs.sh tests/plugins/collect-kineto/test_nsys_waits.sh tests/plugins/collect-kineto/test_ascend_tables.sh tests/plugins/collect-kineto/test_ascend_db.sh
dist_check_SCRIPTS += $(collect_kineto_scripts) tests/plugins/collect-kineto/make_inputs.py \
	tests/plugins/collect-kineto/make_odd_texts.py tests/tools/make_plain_trace.py tests/tools/make_form_trace.py tests/tools/make_kernel_details.py tests/plugins/collect-kineto/ascend_tables.py
TESTS += $(collect_kineto_scripts)
endif

if HAVE_INFLATE
SUITES += tests/plugins/collect-kineto/suites
tests_plugins_collect_kineto_suites_SOURCES = \
	tests/plugins/collect-kineto/reading.c \
	tests/plugins/collect-kineto/reading.h \
	tests/plugins/collect-kineto/test_group_name.c \
	tests/plugins/collect-kineto/test_known_text.c \
	tests/plugins/collect-kineto/test_link.c \
	tests/plugins/collect-kineto/test_nsys_reader.c \
	tests/plugins/collect-kineto/test_scan.c \
	tests/plugins/collect-kineto/test_shapes.c \
	tests/plugins/collect-kineto/test_trace_reader.c \
	tests/plugins/collect-kineto/test_values.c \
	tests/plugins/collect-kineto/test_vocabulary.c
tests_plugins_collect_kineto_suites_LDADD = plugins/collect-kineto/.libs/libkineto.a $(KINETO_OUTSIDE_LIBS) $(TEST_LIBS)
endif
