# SPDX-License-Identifier: Apache-2.0
# Bench programs. A family adds its own in its module.mk:
#   EXTRA_PROGRAMS += bench/bench_parse
#   BENCHES += parse=bench/bench_parse
#   bench_bench_parse_SOURCES = bench/bench_parse.c $(BENCH_SOURCES)
#   bench_bench_parse_CPPFLAGS = $(BENCH_CPPFLAGS)
#   bench_bench_parse_LDADD = $(BENCH_LIBS)
BENCH_SOURCES = bench/bench.c bench/bench.h
# Of benches that run opprof-run and the modules of this tree.
BENCH_TREE_SOURCES = bench/tree.c bench/tree.h $(BENCH_SOURCES)
BENCH_CPPFLAGS = $(CORE_CPPFLAGS) -I$(top_srcdir) -DBENCH_FACT_PATH='"$(fact_path)"' -DBENCH_CHIPS_DIR='"$(abs_top_srcdir)/chips"'
BENCH_LIBS = kit/libkit.la core/libcore.la $(JANSSON_LIBS)
# For example: make bench BENCH_FLAGS=--quick
BENCH_FLAGS =

EXTRA_PROGRAMS += bench/bench_stream
BENCHES += stream=bench/bench_stream
bench_bench_stream_SOURCES = bench/bench_stream.c $(BENCH_SOURCES)
bench_bench_stream_CPPFLAGS = $(BENCH_CPPFLAGS)
if HAVE_CK
bench_bench_stream_CPPFLAGS += -DHAVE_CK=1
endif
bench_bench_stream_LDADD = $(BENCH_LIBS)

# Runs opprof-run and the modules of this tree.
EXTRA_PROGRAMS += bench/bench_deliver
BENCHES += deliver=bench/bench_deliver
bench_bench_deliver_SOURCES = bench/bench_deliver.c $(dump_writer) $(BENCH_TREE_SOURCES)
bench_bench_deliver_CPPFLAGS = $(BENCH_CPPFLAGS)
bench_bench_deliver_LDADD = $(BENCH_LIBS)

bench_programs = $(foreach pair,$(BENCHES),$(lastword $(subst =, ,$(pair))))
CLEANFILES += bench.json bench.json.part $(EXTRA_PROGRAMS)

# All benches, one after the other, nothing beside them; their numbers in bench.json, and a table of their goals at the end.
bench: all-am $(bench_programs)
	@rm -f bench.json
	@$(AM_TESTS_ENVIRONMENT) \
	failed=; \
	for pair in $(BENCHES); do \
	  echo "# $${pair%%=*}"; \
	  "./$${pair#*=}" --json bench.json $(BENCH_FLAGS) || failed="$$failed $${pair%%=*}"; \
	done; \
	if command -v python3 >/dev/null; then python3 -B $(srcdir)/scripts/bench_goals.py bench.json; fi; \
	test -z "$$failed" || { echo "failed:$$failed" >&2; exit 1; }
# What that runs.
bench-programs: $(bench_programs)
.PHONY: bench bench-programs
