# SPDX-License-Identifier: Apache-2.0
# What the command and the comparison print with. Uses only the public headers of the core and of results.
noinst_LTLIBRARIES += print/libprint.la
print_libprint_la_SOURCES = \
	print/columns.c print/columns.h \
	print/plain_output.c print/plain_output.h \
	print/progress.c print/progress.h \
	print/rows.c print/rows.h \
	print/stages.c print/stages.h \
	print/summary.c print/summary.h \
	print/table.c print/table.h

include tests/print/module.mk
