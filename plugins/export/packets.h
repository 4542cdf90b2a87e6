/* SPDX-License-Identifier: Apache-2.0 */
#ifndef EXPORT_PACKETS_H
#define EXPORT_PACKETS_H

#include "spool_ranges.h"

#include <opprof/kit/sub_lanes.h>
#include <opprof/map.h>
#include <opprof/present.h>
#include <opprof/stage.h>

#define PACKET_MOST_TRACKS 65536u /* for slices of one track at the same time */

/* A track of a section, and the parallel tracks that it uses. */
typedef struct PacketTrack {
    uint64_t uuid;
    uint64_t parent; /* process, or its document */
    const OpprofTrack *track;
    OpprofSubLanes slices;
    uint32_t declared; /* parallel tracks that were declared */
} PacketTrack;

/* State of a section while packets come. */
typedef struct PacketState {
    unsigned char *bytes; /* not in the spool yet */
    size_t length;
    size_t capacity;
    OpprofMap strings; /* kind and interned id: iid */
    uint32_t string_count;
    OpprofMap track_index; /* by track */
    PacketTrack *tracks;
    uint32_t track_count;
    uint32_t track_capacity;
    OpprofMap curves; /* uuids of declared curves */
    bool has_begun;
} PacketState;

/*
 * Packets of one document from one link, or of one of its processes, if processes are separate: put
 * aside until the end, so that the file does not depend on the order of arrival. They make one
 * sequence, with texts of its own. Packets after the section was closed declare its tracks and
 * texts again.
 */
typedef struct PacketSection {
    OpprofStage *stage;
    OpprofSpool *spool; /* of all sections; borrowed */
    uint32_t document;  /* interned */
    uint32_t group;     /* interned id of the process plus 1; 0: not separate */
    uint32_t link;
    uint32_t sequence;
    const OpprofTrack *first; /* track that was used first */
    uint64_t seed;            /* of its uuids */
    PacketState *state;       /* NULL: it is closed */
    SpoolRanges spooled;
} PacketSection;

/* A slice, a moment or one half of a flow; arguments and their texts are borrowed. */
typedef struct PacketSlice {
    uint32_t track;
    uint32_t name;     /* interned */
    uint32_t category; /* interned, or absent */
    int64_t epoch_ns;  /* to be added to both times */
    int64_t start_ps;
    int64_t end_ps;
    const char *args; /* OpprofArg after OpprofArg, not aligned */
    uint32_t arg_count;
    const OpprofBatch *batch; /* batch with the texts of the arguments, or NULL: */
    const char *texts;        /* the texts are here */
    bool has_flow;            /* with the id below */
    bool begins_flow;         /* at its start; else the flow passes its end */
    bool ends_flow;           /* at its end */
    uint64_t flow;
} PacketSlice;

/* Make the section's first packet. */
OpprofStatus PacketSectionBegin(PacketSection *section, OpprofStage *stage, OpprofSpool *spool,
                                const OpprofTrack *track, OpprofError **error);

/* *ret_crowded: no track was free, so the slice is left out. */
OpprofStatus PacketSectionSlice(PacketSection *section, const PacketSlice *slice, bool *ret_crowded,
                                OpprofError **error);
OpprofStatus PacketSectionMoment(PacketSection *section, const PacketSlice *moment,
                                 OpprofError **error);
OpprofStatus PacketSectionSample(PacketSection *section, const OpprofCounter *counter,
                                 int64_t epoch_ns, int64_t time_ps, OpprofError **error);

/* Write everything so far to the spool, and free what is only needed if more comes, which is
 * possible but unlikely. */
OpprofStatus PacketSectionClose(PacketSection *section, OpprofError **error);

/* Write everything so far to the spool, and hold no room for packets until more comes. */
OpprofStatus PacketSectionRest(PacketSection *section, OpprofError **error);

/* Append the section to the file. */
OpprofStatus PacketSectionWrite(const PacketSection *section, OpprofOutputFile *file,
                                OpprofError **error);
void PacketSectionFinish(PacketSection *section);

#endif
