# SPDX-License-Identifier: Apache-2.0
dist_man_MANS = docs/opprof-run.1 docs/opprof-pipeline.5

EXTRA_DIST += NEWS.md HACKING.md LICENSES/Apache-2.0.txt LICENSES/MulanPSL-2.0.txt \
	.editorconfig .clang-format .ci/run \
	scripts/common.sh scripts/compare_outputs.sh scripts/deps.sh scripts/demo.sh scripts/test.sh \
	docs/Doxyfile docs/chips.md docs/differences.md docs/metrics.md docs/onboard-live.md docs/pipelines.md docs/plugin-guide.md docs/results.md docs/sim-live.md \
	docs/images/report-kineto.png docs/images/report-onboard.png \
	docs/images/report-phone.png docs/images/report-roofline.png docs/images/report-sim.png \
	examples/plugin/Makefile examples/plugin/README.md examples/plugin/busy-time.json \
	examples/plugin/busy_time.c examples/dump/make_dump.sh

AM_TESTS_ENVIRONMENT += \
	CC='$(CC)'; export CC; \
	OPPROF_BUILD_DIR='$(abs_top_builddir)'; export OPPROF_BUILD_DIR;

# What runs no code of ours is looked at once, not under every sanitizer.
docs_static_tests = tests/e2e-docs/test_headers.sh tests/e2e-docs/test_symbols.sh tests/e2e-docs/test_doxygen.sh \
	tests/e2e-docs/test_scripts.sh
docs_tests = tests/e2e-docs/test_man.sh tests/e2e-docs/test_man_examples.sh \
	tests/e2e-docs/test_documents.sh tests/e2e-docs/test_metrics.sh tests/e2e-docs/test_results.sh
dist_check_SCRIPTS += $(docs_static_tests) $(docs_tests)
TESTS += $(docs_tests)
if !SANITIZE
TESTS += $(docs_static_tests)
endif
EXTRA_DIST += tests/e2e-docs/lib.sh tests/e2e-docs/installcheck.sh \
	tests/e2e-docs/test_example_plugin.sh tests/e2e-docs/test_plugin_guide.sh

# Tests of what is installed, also below DESTDIR.
installcheck-local:
	DESTDIR='$(DESTDIR)' BINDIR='$(DESTDIR)$(bindir)' LIBDIR='$(DESTDIR)$(libdir)' \
	INCLUDEDIR='$(DESTDIR)$(includedir)' PLUGINDIR='$(DESTDIR)$(plugindir)' \
	CHIPSDIR='$(DESTDIR)$(chipsdir)' PIPELINESDIR='$(DESTDIR)$(pipelinesdir)' \
	CC='$(CC)' SANITIZE_FLAGS='$(SANITIZE_FLAGS)' bash $(top_srcdir)/tests/e2e-docs/installcheck.sh
