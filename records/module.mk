# SPDX-License-Identifier: Apache-2.0
# Record types that families exchange. Header only.
opprofrecordsincludedir = $(includedir)/opprof/records
opprofrecordsinclude_HEADERS = \
	records/include/opprof/records/activity.h records/include/opprof/records/block.h records/include/opprof/records/dbi.h \
	records/include/opprof/records/host.h records/include/opprof/records/hotspot.h \
	records/include/opprof/records/onboard.h records/include/opprof/records/sim.h

include tests/records/module.mk
