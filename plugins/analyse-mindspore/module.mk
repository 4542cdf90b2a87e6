# SPDX-License-Identifier: Apache-2.0
dist_rules_DATA += plugins/analyse-mindspore/rules/communication-share.sql \
	plugins/analyse-mindspore/rules/data-queue.sql \
	plugins/analyse-mindspore/rules/data-transmission.sql \
	plugins/analyse-mindspore/rules/host-cpu.sql \
	plugins/analyse-mindspore/rules/iteration-interval.sql \
	plugins/analyse-mindspore/rules/slow-computation.sql \
	plugins/analyse-mindspore/rules/slow-link.sql \
	plugins/analyse-mindspore/rules/slow-rank.sql \
	plugins/analyse-mindspore/rules/stage-bubbles.sql \
	plugins/analyse-mindspore/rules/stage-communication.sql \
	plugins/analyse-mindspore/rules/stage-work.sql
plugin_LTLIBRARIES += plugins/analyse-mindspore/mindspore-operators.la plugins/analyse-mindspore/mindspore-queues.la plugins/analyse-mindspore/mindspore-steps.la
plugins_analyse_mindspore_mindspore_operators_la_SOURCES = plugins/analyse-mindspore/mindspore_operators.c \
	plugins/analyse-mindspore/lanes.c plugins/analyse-mindspore/lanes.h
plugins_analyse_mindspore_mindspore_operators_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_analyse_mindspore_mindspore_operators_la_LIBADD = $(PLUGIN_LIBADD)
plugins_analyse_mindspore_mindspore_queues_la_SOURCES = plugins/analyse-mindspore/mindspore_queues.c
plugins_analyse_mindspore_mindspore_queues_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_analyse_mindspore_mindspore_queues_la_LIBADD = $(PLUGIN_LIBADD)
plugins_analyse_mindspore_mindspore_steps_la_SOURCES = plugins/analyse-mindspore/mindspore_steps.c \
	plugins/analyse-mindspore/lanes.c plugins/analyse-mindspore/lanes.h
plugins_analyse_mindspore_mindspore_steps_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_analyse_mindspore_mindspore_steps_la_LIBADD = $(PLUGIN_LIBADD)
nobase_dist_guides_DATA += plugins/analyse-mindspore/README.md
