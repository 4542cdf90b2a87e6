# SPDX-License-Identifier: Apache-2.0
EXTRA_DIST += tests/tools/dbi_kernels.py tests/plugins/analyse-dbi/kernels.py
analyse_dbi_scripts = tests/plugins/analyse-dbi/test_kernels.sh
dist_check_SCRIPTS += $(analyse_dbi_scripts)
TESTS += $(analyse_dbi_scripts)

SUITES += tests/plugins/analyse-dbi/suites
tests_plugins_analyse_dbi_suites_SOURCES = \
	tests/plugins/analyse-dbi/plain_cache.c \
	tests/plugins/analyse-dbi/plain_cache.h \
	tests/plugins/analyse-dbi/test_cache.c \
	tests/plugins/analyse-dbi/test_hot_spots.c \
	tests/plugins/analyse-dbi/test_model.c
tests_plugins_analyse_dbi_suites_LDADD = $(call objects_of,plugins_analyse_dbi_dbi_hotspot_la) plugins/analyse-dbi/.libs/libdbi-model.a $(TEST_LIBS)
