# SPDX-License-Identifier: Apache-2.0
EXTRA_DIST += tests/tools/dbi_kernels.py tests/plugins/analyse-dbi/kernels.py
dist_check_SCRIPTS += tests/plugins/analyse-dbi/test_kernels.sh
TESTS += tests/plugins/analyse-dbi/test_kernels.sh

if HAVE_CHECK
dbi_model_tests = tests/plugins/analyse-dbi/test_cache tests/plugins/analyse-dbi/test_model \
	tests/plugins/analyse-dbi/test_hot_spots
check_PROGRAMS += $(dbi_model_tests)
TESTS += $(dbi_model_tests)
DBI_MODEL_LIBS = plugins/analyse-dbi/.libs/libdbi-model.a $(TEST_LIBS)
tests_plugins_analyse_dbi_test_cache_SOURCES = tests/plugins/analyse-dbi/test_cache.c \
	tests/plugins/analyse-dbi/plain_cache.c tests/plugins/analyse-dbi/plain_cache.h
tests_plugins_analyse_dbi_test_cache_CPPFLAGS = $(TEST_CPPFLAGS)
tests_plugins_analyse_dbi_test_cache_LDADD = $(DBI_MODEL_LIBS)
tests_plugins_analyse_dbi_test_model_SOURCES = tests/plugins/analyse-dbi/test_model.c \
	tests/plugins/analyse-dbi/plain_cache.c tests/plugins/analyse-dbi/plain_cache.h
tests_plugins_analyse_dbi_test_model_CPPFLAGS = $(TEST_CPPFLAGS)
tests_plugins_analyse_dbi_test_model_LDADD = $(DBI_MODEL_LIBS)
tests_plugins_analyse_dbi_test_hot_spots_SOURCES = tests/plugins/analyse-dbi/test_hot_spots.c \
	plugins/analyse-dbi/hot_spots.c plugins/analyse-dbi/hot_spots.h
tests_plugins_analyse_dbi_test_hot_spots_CPPFLAGS = $(TEST_CPPFLAGS)
tests_plugins_analyse_dbi_test_hot_spots_LDADD = $(TEST_LIBS)
endif
