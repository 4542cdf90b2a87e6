# SPDX-License-Identifier: Apache-2.0
nobase_dist_guides_DATA += plugins/mc2/README.md

# The decoders and what else the modules share, for them and for tests that look inside.
mc2_parts = \
	plugins/mc2/aicpu.c plugins/mc2/aicpu.h \
	plugins/mc2/align.c plugins/mc2/align.h \
	plugins/mc2/biu_align.c plugins/mc2/biu_align.h \
	plugins/mc2/biu_channel.c plugins/mc2/biu_channel.h \
	plugins/mc2/biu_event.h \
	plugins/mc2/biu_missing.c plugins/mc2/biu_missing.h \
	plugins/mc2/biu_launch.c plugins/mc2/biu_launch.h \
	plugins/mc2/biu_zero.c plugins/mc2/biu_zero.h \
	plugins/mc2/blocks.c plugins/mc2/blocks.h \
	plugins/mc2/cards.c plugins/mc2/cards.h \
	plugins/mc2/container.c plugins/mc2/container.h \
	plugins/mc2/core_marks.c plugins/mc2/core_marks.h \
	plugins/mc2/display.c plugins/mc2/display.h \
	plugins/mc2/draw.c plugins/mc2/draw.h \
	plugins/mc2/event.h plugins/mc2/event_types.c \
	plugins/mc2/facts.c plugins/mc2/facts.h \
	plugins/mc2/lanes.c plugins/mc2/lanes.h \
	plugins/mc2/launch.c plugins/mc2/launch.h plugins/mc2/launch_contradictions.c plugins/mc2/launch_emit.c \
	plugins/mc2/monitor.c plugins/mc2/monitor.h \
	plugins/mc2/names.c plugins/mc2/names.h \
	plugins/mc2/region_map.c plugins/mc2/region_map.h \
	plugins/mc2/sheet.c plugins/mc2/sheet.h \
	plugins/mc2/task_log.c plugins/mc2/task_log.h \
	plugins/mc2/word_stream.c plugins/mc2/word_stream.h
noinst_LTLIBRARIES += plugins/mc2/libmc2.la
plugins_mc2_libmc2_la_SOURCES = $(mc2_parts)
plugins_mc2_libmc2_la_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
plugins_mc2_libmc2_la_LIBADD = $(JANSSON_LIBS) -lm
MC2_LIBADD = plugins/mc2/libmc2.la $(PLUGIN_LIBADD)

plugin_LTLIBRARIES += plugins/mc2/biu-timeline.la plugins/mc2/mc2-timeline.la \
	plugins/mc2/parse-biu.la plugins/mc2/parse-mc2.la
plugins_mc2_biu_timeline_la_SOURCES = plugins/mc2/biu_timeline.c
plugins_mc2_biu_timeline_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_mc2_biu_timeline_la_LIBADD = $(MC2_LIBADD)
plugins_mc2_parse_biu_la_SOURCES = plugins/mc2/parse_biu.c
plugins_mc2_parse_biu_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_mc2_parse_biu_la_LIBADD = $(MC2_LIBADD)
plugins_mc2_mc2_timeline_la_SOURCES = plugins/mc2/mc2_timeline.c
plugins_mc2_mc2_timeline_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_mc2_mc2_timeline_la_LIBADD = $(MC2_LIBADD)
plugins_mc2_parse_mc2_la_SOURCES = plugins/mc2/parse_mc2.c
plugins_mc2_parse_mc2_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_mc2_parse_mc2_la_LIBADD = $(MC2_LIBADD)

SUITES += tests/plugins/mc2/suites
tests_plugins_mc2_suites_SOURCES = \
	tests/plugins/mc2/test_align.c \
	tests/plugins/mc2/test_biu_align.c \
	tests/plugins/mc2/test_marks.c \
	tests/plugins/mc2/test_monitor.c \
	tests/plugins/mc2/test_tasks.c \
	tests/plugins/mc2/test_words.c
tests_plugins_mc2_suites_LDADD = plugins/mc2/.libs/libmc2.a $(TEST_LIBS) -lm

mc2_scripts = tests/plugins/mc2/test_biu_mutations.sh tests/plugins/mc2/test_cards.sh tests/plugins/mc2/test_damage.sh tests/plugins/mc2/test_mutations.sh tests/plugins/mc2/test_same.sh tests/plugins/mc2/test_streams.sh tests/plugins/mc2/test_vectors.sh
dist_check_SCRIPTS += $(mc2_scripts)
TESTS += $(mc2_scripts)
EXTRA_DIST += tests/plugins/mc2/cards.py tests/plugins/mc2/run.py \
	tests/plugins/mc2/streams.py tests/plugins/mc2/vectors.py \
	tests/tools/mc2_raw.py

FUZZERS += fuzz/fuzz_mc2
fuzz_fuzz_mc2_SOURCES = fuzz/fuzz_mc2.c $(FUZZ_SOURCES)
fuzz_fuzz_mc2_CPPFLAGS = $(FUZZ_CPPFLAGS) -DFUZZ_CHIPS_DIR='"$(abs_top_srcdir)/chips"'
fuzz_fuzz_mc2_LDADD = plugins/mc2/.libs/libmc2.a $(FUZZ_LIBS)

FUZZERS += fuzz/fuzz_timeline_launch
fuzz_fuzz_timeline_launch_SOURCES = fuzz/fuzz_timeline_launch.c $(FUZZ_LAUNCH_FILES)
fuzz_fuzz_timeline_launch_CPPFLAGS = $(FUZZ_LAUNCH_CPPFLAGS)
fuzz_fuzz_timeline_launch_LDADD = $(FUZZ_MAIN) $(LIBOPPROF_KIT) $(LIBOPPROF)
EXTRA_fuzz_fuzz_timeline_launch_DEPENDENCIES = $(plugin_LTLIBRARIES)

EXTRA_PROGRAMS += bench/bench_mc2
BENCHES += mc2=bench/bench_mc2
bench_bench_mc2_SOURCES = bench/bench_mc2.c $(BENCH_SOURCES)
bench_bench_mc2_CPPFLAGS = $(BENCH_CPPFLAGS)
bench_bench_mc2_LDADD = plugins/mc2/libmc2.la $(BENCH_LIBS)
