# SPDX-License-Identifier: Apache-2.0
if HAVE_CHECK
check_PROGRAMS += tests/inject/test_camodel
TESTS += tests/inject/test_camodel
tests_inject_test_camodel_SOURCES = tests/inject/test_camodel.c inject/camodel.c
tests_inject_test_camodel_CPPFLAGS = $(TEST_CPPFLAGS)
tests_inject_test_camodel_LDADD = $(TEST_LIBS)
endif
