# SPDX-License-Identifier: Apache-2.0
bin_PROGRAMS += cli/opprof-run
cli_opprof_run_SOURCES = \
	cli/explain.c \
	cli/explain.h \
	cli/inspect.c \
	cli/inspect.h \
	cli/opprof_run.c \
	cli/options.c \
	cli/options.h \
	cli/plain_output.c \
	cli/plain_output.h \
	cli/screen.c \
	cli/screen.h \
	cli/summary.c \
	cli/summary.h
cli_opprof_run_LDADD = core/libopprof.la
