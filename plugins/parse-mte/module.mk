# SPDX-License-Identifier: Apache-2.0
plugin_LTLIBRARIES += plugins/parse-mte/parse-mte.la
plugins_parse_mte_parse_mte_la_SOURCES = plugins/parse-mte/parse_mte.c \
	plugins/parse-mte/line.c plugins/parse-mte/line.h plugins/parse-mte/request_facts.c plugins/parse-mte/request_facts.h
plugins_parse_mte_parse_mte_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_parse_mte_parse_mte_la_LIBADD = $(PLUGIN_LIBADD)
nobase_dist_guides_DATA += plugins/parse-mte/README.md

FUZZERS += fuzz/fuzz_mte
fuzz_fuzz_mte_SOURCES = fuzz/fuzz_mte.c plugins/parse-mte/line.c plugins/parse-mte/request_facts.c $(FUZZ_SOURCES)
fuzz_fuzz_mte_CPPFLAGS = $(FUZZ_CPPFLAGS)
fuzz_fuzz_mte_LDADD = $(FUZZ_LIBS)

include tests/plugins/parse-mte/module.mk
