# SPDX-License-Identifier: Apache-2.0
dist_man_MANS = docs/opprof-plugin-check.1 docs/opprof-plugin-new.1 docs/opprof-refchip.1 docs/opprof-run.1 docs/opprof-pipeline.5

EXTRA_DIST += NEWS.md HACKING.md \
	.editorconfig .clang-format .ci/run \
	scripts/abi.py scripts/common.sh scripts/compare_outputs.sh scripts/deps.sh scripts/libtool.sh scripts/demo.sh scripts/test.sh \
	docs/Doxyfile \
	docs/images/report-kineto.png docs/images/report-onboard.png \
	docs/images/report-phone.png docs/images/report-roofline.png docs/images/report-sim.png

nobase_dist_guides_DATA += SECURITY.md LICENSES/Apache-2.0.txt LICENSES/MulanPSL-2.0.txt
nobase_dist_guides_DATA += docs/design.md docs/glossary.md docs/images/notebook.png \
	docs/using/data.md docs/using/differences.md docs/using/onboard-live.md docs/using/opencl-live.md docs/using/pipelines.md docs/using/python.md docs/using/recordings.md docs/using/results.md docs/using/rules.md docs/using/sim-live.md \
	docs/plugins/abi.md docs/plugins/contracts.md docs/plugins/guide.md \
	docs/chips/bring-up.md docs/chips/chip-files.md docs/chips/formulas.md docs/chips/metrics.md \
	examples/plugin/Makefile examples/plugin/README.md examples/plugin/busy-time.json \
	examples/plugin/busy_time.c examples/plugin/curve.diff \
	examples/device-pool/Makefile examples/device-pool/README.md examples/device-pool/device_pool.c \
	$(example_pool)
example_pool = examples/device-pool/pool.c examples/device-pool/pool.h
nobase_dist_guides_SCRIPTS = examples/dump/make_dump.sh

AM_TESTS_ENVIRONMENT += \
	CC='$(CC)'; export CC; \
	OPPROF_BUILD_DIR='$(abs_top_builddir)'; export OPPROF_BUILD_DIR;

# What runs no code of ours is looked at once, not under every sanitizer.
docs_static_tests = tests/e2e-docs/test_headers.sh tests/e2e-docs/test_symbols.sh tests/e2e-docs/test_doxygen.sh \
	tests/e2e-docs/test_scripts.sh tests/e2e-docs/test_abi.sh
docs_tests = tests/e2e-docs/test_man.sh tests/e2e-docs/test_man_examples.sh \
	tests/e2e-docs/test_plugin_pages.sh tests/e2e-docs/test_documents.sh tests/e2e-docs/test_bring_up.sh tests/e2e-docs/test_facts.sh tests/e2e-docs/test_metrics.sh tests/e2e-docs/test_results.sh
dist_check_SCRIPTS += $(docs_static_tests) $(docs_tests)
TESTS += $(docs_tests)
if !SANITIZE
TESTS += $(docs_static_tests)
endif
EXTRA_DIST += tests/e2e-docs/lib.sh tests/e2e-docs/installcheck.sh \
	tests/e2e-docs/test_sdk.sh tests/e2e-docs/test_example_plugin.sh tests/e2e-docs/test_plugin_guide.sh \
	tests/e2e-docs/test_device_pool.sh

# As somebody outside uses the pool: public headers, and what the shared library exports.
if HAVE_CHECK
check_PROGRAMS += tests/examples/test_pool
TESTS += tests/examples/test_pool
tests_examples_test_pool_SOURCES = tests/examples/test_pool.c $(example_pool)
tests_examples_test_pool_CPPFLAGS = -D_GNU_SOURCE -I$(top_srcdir) -I$(top_srcdir)/core/include -I$(top_builddir)/core/include $(CHECK_CFLAGS)
tests_examples_test_pool_LDADD = $(LIBOPPROF) $(TEST_CHECK_LIBS)
endif

# A manual page of each plugin, printed by the program itself; not when it is for another machine. They are made with the
# rest, for while `make -j install` links modules anew, none can be loaded.
plugin_names = $(patsubst %.la,%,$(notdir $(plugin_LTLIBRARIES)))
plugin_pages = docs/plugin-pages
man7dir = $(mandir)/man7
$(plugin_pages)/stamp: cli/opprof-run$(EXEEXT) $(plugin_LTLIBRARIES)
	$(AM_V_GEN)rm -rf $(plugin_pages) && $(MKDIR_P) $(plugin_pages) && $(tree_environment) \
	for name in $(plugin_names); do \
	  $(top_builddir)/cli/opprof-run --allow-writable-plugins --inspect $$name --format man \
	    >$(plugin_pages)/opprof-plugin-$$name.7 || { rm -rf $(plugin_pages); exit 1; }; \
	done; touch $@
if PLUGIN_PAGES
all-local: $(plugin_pages)/stamp
install-data-local: install-plugin-pages
endif
install-plugin-pages: $(plugin_pages)/stamp
	$(MKDIR_P) '$(DESTDIR)$(man7dir)'
	$(INSTALL_DATA) $(plugin_pages)/*.7 '$(DESTDIR)$(man7dir)'
uninstall-local: uninstall-plugin-pages
uninstall-plugin-pages:
	-cd '$(DESTDIR)$(man7dir)' 2>/dev/null && rm -f $(plugin_names:%=opprof-plugin-%.7)
.PHONY: install-plugin-pages uninstall-plugin-pages

# `make html`: the reference of the public headers, in reference/html; `make install-html` installs it.
html-local:
	@command -v doxygen >/dev/null || { echo "make html needs doxygen" >&2; exit 1; }
	rm -rf reference
	$(MKDIR_P) reference
	cd $(top_srcdir) && { cat docs/Doxyfile; echo 'OUTPUT_DIRECTORY = $(abs_top_builddir)/reference'; } | doxygen -
install-html-local: html-local
	$(MKDIR_P) '$(DESTDIR)$(htmldir)/reference'
	cp -r reference/html/. '$(DESTDIR)$(htmldir)/reference'
clean-local:
	rm -rf reference $(plugin_pages)

# Tests of what is installed, also below DESTDIR.
installcheck-local:
	DESTDIR='$(DESTDIR)' BINDIR='$(DESTDIR)$(bindir)' LIBDIR='$(DESTDIR)$(libdir)' \
	INCLUDEDIR='$(DESTDIR)$(includedir)' PKGDATADIR='$(DESTDIR)$(pkgdatadir)' PLUGINDIR='$(DESTDIR)$(plugindir)' \
	DOCDIR='$(DESTDIR)$(docdir)' MANDIR='$(DESTDIR)$(mandir)' CHIPSDIR='$(DESTDIR)$(chipsdir)' FACTSDIR='$(DESTDIR)$(factsdir)' PIPELINESDIR='$(DESTDIR)$(pipelinesdir)' \
	CC='$(CC)' SANITIZE_FLAGS='$(SANITIZE_FLAGS)' FORTIFY='$(filter -D_FORTIFY_SOURCE=%,$(HARDEN_CFLAGS))' bash $(top_srcdir)/tests/e2e-docs/installcheck.sh
