/* SPDX-License-Identifier: Apache-2.0 */
/* The run's tracks and clocks: declaring takes a lock, looking up is wait-free. */
#include "stream/tracks.h"

#include <stdlib.h>
#include <string.h>

/* Far beyond what a viewer can show; keeps broken input from filling the memory with them. */
#define MAX_TRACKS (1u << 20)
#define MAX_CLOCKS (1u << 16)

static bool same_text(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static bool track_equals(const void *item, const void *key)
{
    const OpprofTrack *a = item;
    const OpprofTrack *b = key;

    return same_text(a->thread, b->thread) && same_text(a->process, b->process) &&
           same_text(a->document, b->document);
}

static bool clock_equals(const void *item, const void *key)
{
    const OpprofClock *a = item;
    const OpprofClock *b = key;

    return a->hz == b->hz && a->offset_ps == b->offset_ps && a->epoch_ns == b->epoch_ns &&
           same_text(a->name, b->name);
}

static uint64_t hash_text(uint64_t seed, const char *text)
{
    return text == NULL ? OpprofInternHash(seed, &seed, sizeof seed)
                        : OpprofInternHash(seed, text, strlen(text) + 1);
}

static uint64_t hash_track(uint64_t seed, const OpprofTrack *track)
{
    return hash_text(hash_text(hash_text(seed, track->document), track->process), track->thread);
}

static uint64_t hash_clock(uint64_t seed, const OpprofClock *clock)
{
    const uint64_t numbers[] = { clock->hz, (uint64_t) clock->offset_ps,
                                 (uint64_t) clock->epoch_ns };
    return OpprofInternHash(hash_text(seed, clock->name), numbers, sizeof numbers);
}

static size_t text_bytes(const char *text)
{
    return text == NULL ? 0 : strlen(text) + 1;
}

/* Copies a text to *at and moves *at past it; NULL stays NULL. */
static const char *keep_text(char **at, const char *text)
{
    const size_t bytes = text_bytes(text);

    if (bytes == 0) {
        return NULL;
    }
    char *copy = memcpy(*at, text, bytes);
    *at += bytes;
    return copy;
}

/* A track as the table keeps it: one block with all its texts. */
typedef struct KeptTrack {
    OpprofTrack track; /* first, so that a pointer to it is one to the whole */
    const char *label; /* "document process thread" */
} KeptTrack;

static const char *make_label(char *at, const OpprofTrack *track)
{
    char *end = stpcpy(stpcpy(stpcpy(at, track->document), " "), track->process);

    if (track->thread != NULL) {
        stpcpy(stpcpy(end, " "), track->thread);
    }
    return at;
}

static const void *copy_track(Table *table, const void *thing)
{
    const OpprofTrack *track = thing;
    const size_t names =
        text_bytes(track->document) + text_bytes(track->process) + text_bytes(track->thread);
    KeptTrack *kept =
        TableRoom(table, sizeof *kept + 2 * names + 1 + text_bytes(track->process_name) +
                             text_bytes(track->thread_name));
    char *at;

    if (kept == NULL) {
        return NULL;
    }
    at = (char *) (kept + 1);
    kept->track = *track;
    kept->track.document = keep_text(&at, track->document);
    kept->track.process = keep_text(&at, track->process);
    kept->track.process_name = keep_text(&at, track->process_name);
    kept->track.thread = keep_text(&at, track->thread);
    kept->track.thread_name = keep_text(&at, track->thread_name);
    kept->label = make_label(at, &kept->track);
    return kept;
}

static const void *copy_clock(Table *table, const void *thing)
{
    const OpprofClock *clock = thing;
    OpprofClock *copy = TableRoom(table, sizeof *copy + text_bytes(clock->name));

    if (copy != NULL) {
        char *at = (char *) (copy + 1);
        *copy = *clock;
        copy->name = keep_text(&at, clock->name);
    }
    return copy;
}

TrackTable *TrackTableCreate(void)
{
    return TableCreate(MAX_TRACKS, track_equals);
}

uint32_t TrackTableDeclare(TrackTable *table, const OpprofTrack *track)
{
    OpprofTrack wanted = *track;

    wanted.document = track->document == NULL ? "" : track->document;
    wanted.process = track->process == NULL ? "" : track->process;
    const uint64_t hash = hash_track(OpprofInternSeed(table->intern), &wanted);
    const uint32_t index = TableDeclare(table, hash, &wanted, copy_track);
    return index == OPPROF_INTERN_NONE ? OPPROF_NA_U32 : index;
}

const OpprofTrack *TrackTableGet(const TrackTable *table, uint32_t id)
{
    return OpprofInternGet(table->intern, id);
}

const char *TrackTableLabel(const TrackTable *table, uint32_t id)
{
    const KeptTrack *kept = OpprofInternGet(table->intern, id);

    return kept == NULL ? NULL : kept->label;
}

ClockTable *ClockTableCreate(void)
{
    return TableCreate(MAX_CLOCKS, clock_equals);
}

uint32_t ClockTableDeclare(ClockTable *table, const OpprofClock *clock)
{
    OpprofClock wanted = *clock;

    if (clock->hz == 0) {
        return 0;
    }
    wanted.name = clock->name == NULL ? "" : clock->name;
    const uint64_t hash = hash_clock(OpprofInternSeed(table->intern), &wanted);
    const uint32_t index = TableDeclare(table, hash, &wanted, copy_clock);
    return index == OPPROF_INTERN_NONE ? 0 : index + 1;
}

const OpprofClock *ClockTableGet(const ClockTable *table, uint32_t id)
{
    return id == 0 ? NULL : OpprofInternGet(table->intern, id - 1);
}
