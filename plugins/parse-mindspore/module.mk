# SPDX-License-Identifier: Apache-2.0
parse_mindspore_parts = plugins/parse-mindspore/aicpu.c \
	plugins/parse-mindspore/codes.c plugins/parse-mindspore/codes.h plugins/parse-mindspore/device.c plugins/parse-mindspore/device.h \
	plugins/parse-mindspore/fields.h plugins/parse-mindspore/framework_binary.c plugins/parse-mindspore/framework_text.c \
	plugins/parse-mindspore/hwts.c plugins/parse-mindspore/log.c plugins/parse-mindspore/log.h \
	plugins/parse-mindspore/documents.c plugins/parse-mindspore/gpu_steps.c plugins/parse-mindspore/parsed.c \
	plugins/parse-mindspore/queues.c plugins/parse-mindspore/sheet.c plugins/parse-mindspore/sheet_checks.c plugins/parse-mindspore/sheet.h \
	plugins/parse-mindspore/types.c plugins/parse-mindspore/types.h plugins/parse-mindspore/steps.c plugins/parse-mindspore/tasks.c plugins/parse-mindspore/tasks.h
plugin_LTLIBRARIES += plugins/parse-mindspore/parse-mindspore.la
plugins_parse_mindspore_parse_mindspore_la_SOURCES = plugins/parse-mindspore/parse_mindspore.c $(parse_mindspore_parts)
plugins_parse_mindspore_parse_mindspore_la_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
plugins_parse_mindspore_parse_mindspore_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_parse_mindspore_parse_mindspore_la_LIBADD = $(PLUGIN_LIBADD) $(JANSSON_LIBS)
nobase_dist_guides_DATA += plugins/parse-mindspore/README.md

