# SPDX-License-Identifier: Apache-2.0
# Fuzz targets of the core.
FUZZERS += fuzz/fuzz_chip
fuzz_fuzz_chip_SOURCES = fuzz/fuzz_chip.c $(FUZZ_SOURCES)
fuzz_fuzz_chip_CPPFLAGS = $(FUZZ_CPPFLAGS)
fuzz_fuzz_chip_LDFLAGS = $(FUZZ_LINKFLAGS)
fuzz_fuzz_chip_LDADD = $(FUZZ_LIBS)

# `make fuzz SECONDS=600`: all targets with libFuzzer, in a build of their own beside this one.
SECONDS = 600
fuzz:
	@bash $(top_srcdir)/scripts/fuzz.sh $(top_srcdir) $(SECONDS)
# What that build makes.
fuzz-targets: $(FUZZERS)
.PHONY: fuzz fuzz-targets
dist_noinst_SCRIPTS += scripts/fuzz.sh
