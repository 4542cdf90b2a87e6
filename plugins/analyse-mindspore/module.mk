# SPDX-License-Identifier: Apache-2.0
plugin_LTLIBRARIES += plugins/analyse-mindspore/mindspore-operators.la plugins/analyse-mindspore/mindspore-steps.la
plugins_analyse_mindspore_mindspore_operators_la_SOURCES = plugins/analyse-mindspore/mindspore_operators.c \
	plugins/analyse-mindspore/lanes.c plugins/analyse-mindspore/lanes.h
plugins_analyse_mindspore_mindspore_operators_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_analyse_mindspore_mindspore_operators_la_LIBADD = $(PLUGIN_LIBADD)
plugins_analyse_mindspore_mindspore_steps_la_SOURCES = plugins/analyse-mindspore/mindspore_steps.c \
	plugins/analyse-mindspore/lanes.c plugins/analyse-mindspore/lanes.h
plugins_analyse_mindspore_mindspore_steps_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_analyse_mindspore_mindspore_steps_la_LIBADD = $(PLUGIN_LIBADD)
nobase_dist_guides_DATA += plugins/analyse-mindspore/README.md
