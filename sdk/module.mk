# SPDX-License-Identifier: Apache-2.0
# opprof-plugin-new and what it writes.
dist_bin_SCRIPTS = sdk/opprof-plugin-new
sdkdir = $(pkgdatadir)/sdk
dist_sdk_DATA = sdk/Makefile.native sdk/Makefile.rule sdk/Makefile.rust sdk/opprof.rs sdk/rule.sql.in sdk/sample.json sdk/words.c.in \
	sdk/analyse.c.in sdk/collect.c.in sdk/export.c.in sdk/launches.c.in sdk/parse.c.in \
	sdk/analyse.rs sdk/collect.rs sdk/export.rs sdk/parse.rs \
	sdk/test-analyse.c.in sdk/test-collect.c.in sdk/test-export.c.in sdk/test-launches.c.in sdk/test-parse.c.in
nobase_dist_guides_DATA += examples/plugins/Makefile.am examples/plugins/configure.ac examples/plugins/samples.json \
	examples/plugins/sample-analyse/Makefile examples/plugins/sample-analyse/plugin.c examples/plugins/sample-analyse/test.c \
	examples/plugins/sample-collect/Makefile examples/plugins/sample-collect/plugin.c examples/plugins/sample-collect/test.c \
	examples/plugins/sample-export/Makefile examples/plugins/sample-export/plugin.c examples/plugins/sample-export/test.c \
	examples/plugins/sample-parse/Makefile examples/plugins/sample-parse/plugin.c examples/plugins/sample-parse/test.c
