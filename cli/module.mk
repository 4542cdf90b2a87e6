# SPDX-License-Identifier: Apache-2.0
bin_PROGRAMS += cli/opprof-run
cli_opprof_run_SOURCES = \
	cli/answers.c \
	cli/answers.h \
	cli/complete.c \
	cli/complete.h \
	cli/describe.c \
	cli/describe.h \
	cli/describe_json.c \
	cli/describe_json.h \
	cli/describe_questions.c \
	cli/describe_questions.h \
	cli/documents.c \
	cli/documents.h \
	cli/explain.c \
	cli/explain_tables.c \
	cli/explain.h \
	cli/explain_tables.h \
	cli/heap.c \
	cli/heap.h \
	cli/inspect.c \
	cli/inspect.h \
	cli/inspect_man.c \
	cli/inspect_man.h \
	cli/inspect_pipeline.c \
	cli/inspect_pipeline.h \
	cli/opprof_run.c \
	cli/options.c \
	cli/options.h \
	cli/programs.c \
	cli/programs.h \
	cli/query.c \
	cli/query.h \
	cli/questions.c \
	cli/questions.h \
	cli/recognise.c \
	cli/recognise.h \
	cli/run.c \
	cli/run.h \
	cli/screen.c \
	cli/screen.h \
	cli/signals.c \
	cli/signals.h \
	cli/vars.c \
	cli/vars.h
cli_opprof_run_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir) $(JANSSON_CFLAGS) -DOPPROF_CHIP_DIR='"$(chipsdir)"'
cli_opprof_run_LDADD = compare/libcompare.la print/libprint.la $(LIBOPPROF_RESULTS) $(LIBOPPROF) $(JANSSON_LIBS) -lm

# Where bash and zsh look for the completion of a command.
bashcompletiondir = $(datadir)/bash-completion/completions
zshcompletiondir = $(datadir)/zsh/site-functions
dist_bashcompletion_DATA = cli/completion/opprof-run cli/completion/opprof-plugin-check \
	cli/completion/opprof-plugin-new cli/completion/opprof-refchip
dist_zshcompletion_DATA = cli/completion/_opprof-run
