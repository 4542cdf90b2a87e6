/* SPDX-License-Identifier: Apache-2.0 */
/*
 * perfetto: writes spans and counters of all documents as one native Perfetto trace. Tested by
 * tests/plugins/export/test_perfetto.sh.
 */
#include "packets.h"
#include "span_id.h"

#include <opprof/grow.h>
#include <opprof/intern.h>
#include <opprof/log.h>
#include <opprof/plugin.h>

#include <opprof/text.h>
#include <stdlib.h>
#include <string.h>

enum { INPUT_SPANS, INPUT_COUNTERS };

#define FILE_NAME "trace.pftrace"
#define MANY_SECTIONS 128u /* if there are more, only the current ones hold packets in memory */
#define SEED UINT64_C(0x9fb21c651e98df25) /* fixed, so that results do not differ between runs */

/* A sender into a section. */
typedef struct SectionUse {
    uint32_t partition; /* of its last batch */
    uint32_t halves;    /* that are open */
    bool is_open;       /* it is in the list of open sections */
} SectionUse;

/* The opening half of a slice, until the other one comes. */
typedef struct OpenHalf {
    PacketSlice slice;
    uint32_t section;
    char *bytes; /* its arguments, and their texts after them */
} OpenHalf;

/* An end of an arrow whose slice has not come: another producer may still send it. */
typedef struct WaitingEnd {
    PacketSlice moment;
    uint32_t section;
    uint32_t next;  /* of the same id and track, or the next free one; or OPPROF_MAP_NONE */
    bool has_slice; /* the entry is free */
} WaitingEnd;

typedef struct Perfetto {
    OpprofStage *stage;
    OpprofSpool spool;
    PacketSection *sections;
    uint32_t section_count;
    uint32_t section_capacity;
    OpprofMap section_index; /* by document and process, and by link */
    SectionUse *uses;        /* for each section, in order of creation */
    uint32_t use_capacity;
    uint32_t *in_use; /* places of the open sections */
    uint32_t in_use_count;
    uint32_t in_use_capacity;
    uint32_t partition;   /* of the current batch */
    OpprofMap open_index; /* by id and track */
    OpenHalf *open;
    uint32_t open_count;
    uint32_t open_capacity;
    OpprofMap whole; /* complete slices with an id, by id and track */
    WaitingEnd *waiting;
    uint32_t waiting_count;
    uint32_t waiting_capacity;
    uint32_t waiting_free;   /* an entry whose slice came, or OPPROF_MAP_NONE */
    OpprofMap waiting_index; /* the last one by id and track */
    uint64_t halves;         /* without their other half */
    uint64_t crowded;
    uint32_t in_hand; /* section of the last record, which came from … */
    uint32_t in_hand_link;
    uint32_t in_hand_track; /* … on; OPPROF_NA_U32: none */
} Perfetto;

static const OpprofClock no_clock = { .name = "nanosecond", .hz = UINT64_C(1000000000) };

static OpprofStatus no_memory(OpprofError **error)
{
    return OpprofErrorNoMemory(error, "write a trace for Perfetto");
}

static OpprofStatus create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    Perfetto *self = calloc(1, sizeof *self);

    if (self == NULL) {
        return no_memory(error);
    }
    self->stage = stage;
    self->waiting_free = OPPROF_MAP_NONE;
    self->in_hand_track = OPPROF_NA_U32;
    *ret_self = self;
    return OPPROF_OK;
}

/* ---- sections ---- */

static OpprofStatus add_section(Perfetto *self, uint64_t key, uint32_t document, uint32_t group,
                                const OpprofTrack *track, OpprofError **error)
{
    PacketSection *section;

    if (!OpprofGrow32(&self->sections, &self->section_capacity, self->section_count + 1u,
                      sizeof *self->sections) ||
        !OpprofGrow32(&self->uses, &self->use_capacity, self->section_count + 1u,
                      sizeof *self->uses) ||
        !OpprofMapPut(&self->section_index, key, self->section_count)) {
        return no_memory(error);
    }
    self->uses[self->section_count] = (SectionUse){ .partition = OPPROF_NA_U32 };
    section = &self->sections[self->section_count++];
    *section = (PacketSection){ .document = document,
                                .group = group,
                                .link = OpprofStageLink(self->stage) };
    return PacketSectionBegin(section, self->stage, &self->spool, track, error);
}

static OpprofStatus look_section_up(Perfetto *self, uint32_t id, uint32_t *ret_place,
                                    OpprofError **error)
{
    const OpprofTrack *track = OpprofStageTrackInfo(self->stage, id);
    uint32_t document, group = 0;
    uint64_t key;

    if (track == NULL) {
        return OpprofErrorSet(error, OPPROF_E_CONTRACT,
                              "A span is on track %u, which was not declared", id);
    }
    document = OpprofStageIntern(self->stage, track->document, strlen(track->document));
    if ((track->flags & OPPROF_TRACK_APART) != 0) {
        group = OpprofStageIntern(self->stage, track->process, strlen(track->process)) + 1;
    }
    const uint32_t parts[] = { document, group, OpprofStageLink(self->stage) };
    key = OpprofInternHash(SEED, parts, sizeof parts);
    *ret_place = OpprofMapFind(&self->section_index, key);
    if (*ret_place != OPPROF_MAP_NONE) {
        return OPPROF_OK;
    }
    *ret_place = self->section_count;
    return add_section(self, key, document, group, track, error);
}

/* Notes that the current batch has records of a section. False without memory. */
static bool use_section(Perfetto *self, uint32_t place)
{
    SectionUse *use = &self->uses[place];

    use->partition = self->partition;
    if (use->is_open) {
        return true;
    }
    if (!OpprofGrow32(&self->in_use, &self->in_use_capacity, self->in_use_count + 1u,
                      sizeof *self->in_use)) {
        return false;
    }
    use->is_open = true;
    self->in_use[self->in_use_count++] = place;
    return true;
}

/*
 * A partition has no more records from the current link: there may be very many, one after another.
 * While halves are open, a section needs to know which lanes are taken.
 */
static OpprofStatus close_sections(Perfetto *self, uint32_t partition, OpprofError **error)
{
    const uint32_t link = OpprofStageLink(self->stage);
    OpprofStatus status = OPPROF_OK;

    for (uint32_t i = self->in_use_count; status == OPPROF_OK && i > 0; i--) {
        const uint32_t place = self->in_use[i - 1];
        SectionUse *use = &self->uses[place];

        if (self->sections[place].link == link && use->partition == partition && use->halves == 0) {
            status = PacketSectionClose(&self->sections[place], error);
            use->is_open = false;
            self->in_use[i - 1] = self->in_use[--self->in_use_count];
        }
    }
    self->in_hand_track = OPPROF_NA_U32;
    return status;
}

/* Place of a track's section for the current link. Most records are on the same track as the
 * previous one. */
static OpprofStatus find_section(Perfetto *self, uint32_t id, uint32_t *ret_place,
                                 OpprofError **error)
{
    const uint32_t link = OpprofStageLink(self->stage);
    OpprofStatus status;

    if (id == self->in_hand_track && link == self->in_hand_link && id != OPPROF_NA_U32) {
        *ret_place = self->in_hand;
        return OPPROF_OK;
    }
    status = look_section_up(self, id, ret_place, error);
    if (status == OPPROF_OK && !use_section(self, *ret_place)) {
        status = no_memory(error);
    }
    if (status == OPPROF_OK) {
        self->in_hand = *ret_place;
        self->in_hand_link = link;
        self->in_hand_track = id;
    }
    return status;
}

/* ---- spans ---- */

/* An id without its slice mark. */
typedef struct SpanId {
    const char *text;
    size_t length;
    bool is_tail; /* of a slice: the arrow begins there */
} SpanId;

static SpanId id_of(const OpprofBatch *batch, const OpprofSpan *span)
{
    const char *text = OpprofBatchText(batch, span->id);
    SpanId id = { .text = text == NULL ? "" : text, .length = text == NULL ? 0 : span->id.length };

    if (span->kind == OPPROF_SPAN_SLICE && id.length > 0) {
        const bool is_head = id.text[0] == '>';

        id.is_tail = !is_head && id.text[id.length - 1] == '>';
        id.text += is_head;
        id.length -= is_head || id.is_tail;
    }
    return id;
}

/* The same for halves, arrow ends and slices that belong together. */
static uint64_t tie_of(const OpprofBatch *batch, const OpprofSpan *span)
{
    const SpanId id = id_of(batch, span);

    return OpprofInternHash(OpprofInternHash(SEED, id.text, id.length), &span->track,
                            sizeof span->track);
}

/* Id of the arrow within the whole file. */
static uint64_t flow_of(const Perfetto *self, const OpprofBatch *batch, const OpprofSpan *span)
{
    const OpprofTrack *track = OpprofStageTrackInfo(self->stage, span->track);
    const SpanId id = id_of(batch, span);

    const uint64_t number = SpanIdNumber(id.text, id.length);

    return OpprofInternHash(OpprofInternHash(SEED, track->document, strlen(track->document)),
                            &number, sizeof number);
}

static PacketSlice slice_of(const Perfetto *self, const OpprofBatch *batch, const OpprofSpan *span,
                            const OpprofClock *clock)
{
    const uint64_t end =
        span->duration > UINT64_MAX - span->start ? UINT64_MAX : span->start + span->duration;
    const char *args = OpprofBatchText(batch, span->args);
    const size_t room = args == NULL ? 0 : span->args.length / sizeof(OpprofArg);
    const bool has_id = span->id.offset != OPPROF_NA_U32 && span->id.length > 0;

    return (PacketSlice){ .track = span->track,
                          .name = span->name,
                          .category = span->category,
                          .epoch_ns = clock->epoch_ns,
                          .start_ps = OpprofClockPicoseconds(clock, span->start),
                          .end_ps = OpprofClockPicoseconds(clock, end),
                          .args = args,
                          .arg_count = span->arg_count < room ? span->arg_count : (uint32_t) room,
                          .batch = batch,
                          .has_flow = has_id,
                          .begins_flow = has_id && id_of(batch, span).is_tail,
                          .ends_flow = has_id && !id_of(batch, span).is_tail,
                          .flow = has_id ? flow_of(self, batch, span) : 0 };
}

static OpprofStatus write_slice(Perfetto *self, uint32_t section, const PacketSlice *slice,
                                OpprofError **error)
{
    bool is_crowded;
    const OpprofStatus status =
        PacketSectionSlice(&self->sections[section], slice, &is_crowded, error);

    self->crowded += is_crowded;
    return status;
}

/* Number of slices with this tie whose arrow end has not come; `change` is added. False without
 * memory. */
static bool count_ends(Perfetto *self, uint64_t tie, int change)
{
    const uint32_t place = OpprofMapFind(&self->whole, tie);
    const uint32_t count = (place == OPPROF_MAP_NONE ? 0 : place) + (uint32_t) change;

    if (count == 0) {
        OpprofMapRemove(&self->whole, tie);
        return true;
    }
    return OpprofMapPut(&self->whole, tie, count);
}

/* An end that came before the slice of its tie; valid until the next one waits. NULL: none. */
static const WaitingEnd *take_waiting(Perfetto *self, uint64_t tie)
{
    const uint32_t place = OpprofMapFind(&self->waiting_index, tie);
    WaitingEnd *end;

    if (place == OPPROF_MAP_NONE) {
        return NULL;
    }
    end = &self->waiting[place];
    end->has_slice = true;
    if (end->next == OPPROF_MAP_NONE) {
        OpprofMapRemove(&self->waiting_index, tie);
    } else {
        OpprofMapPut(&self->waiting_index, tie, end->next); /* the key exists: needs no memory */
    }
    end->next = self->waiting_free;
    self->waiting_free = place;
    return end;
}

/* A slice with an id may be one end of an arrow. */
static OpprofStatus add_slice(Perfetto *self, const OpprofBatch *batch, const OpprofSpan *span,
                              uint32_t section, const PacketSlice *slice, OpprofError **error)
{
    if (slice->has_flow) {
        const uint64_t tie = tie_of(batch, span);

        if (take_waiting(self, tie) == NULL && !count_ends(self, tie, 1)) {
            return no_memory(error);
        }
    }
    return write_slice(self, section, slice, error);
}

/* Copies arguments with their texts, for use after the batch. */
static char *copy_args(PacketSlice *slice)
{
    const size_t head = slice->arg_count * sizeof(OpprofArg);
    size_t size = head + 1;
    char *bytes;

    for (uint32_t i = 0; i < slice->arg_count; i++) {
        OpprofArg arg;

        memcpy(&arg, slice->args + i * sizeof arg, sizeof arg);
        size += arg.kind == OPPROF_ARG_TEXT ? arg.value.text.length : 0;
    }
    bytes = malloc(size);
    for (uint32_t i = 0, at = (uint32_t) head; bytes != NULL && i < slice->arg_count; i++) {
        OpprofArg arg;
        const char *text;

        memcpy(&arg, slice->args + i * sizeof arg, sizeof arg);
        if (arg.kind == OPPROF_ARG_TEXT) {
            text = OpprofBatchText(slice->batch, arg.value.text);
            arg.value.text.length = text == NULL ? 0 : arg.value.text.length;
            memcpy(bytes + at, text == NULL ? "" : text, arg.value.text.length);
            arg.value.text.offset = at;
            at += arg.value.text.length;
        }
        memcpy(bytes + i * sizeof arg, &arg, sizeof arg);
    }
    slice->args = slice->texts = bytes;
    slice->batch = NULL;
    return bytes;
}

static void tie_half(OpenHalf *half, bool is_tail, uint64_t flow)
{
    half->slice.has_flow = true;
    half->slice.begins_flow = is_tail;
    half->slice.ends_flow = !is_tail;
    half->slice.flow = flow;
}

static OpprofStatus open_half(Perfetto *self, uint64_t tie, uint32_t section,
                              const PacketSlice *slice, OpprofError **error)
{
    OpenHalf half = { .slice = *slice, .section = section };
    const WaitingEnd *end;

    half.slice.has_flow = false; /* unless an arrow end came before or comes in between */
    half.bytes = copy_args(&half.slice);
    if (half.bytes == NULL ||
        !OpprofGrow32(&self->open, &self->open_capacity, self->open_count + 1u,
                      sizeof *self->open) ||
        !OpprofMapPut(&self->open_index, tie, self->open_count)) {
        free(half.bytes);
        return no_memory(error);
    }
    end = take_waiting(self, tie);
    if (end != NULL) {
        tie_half(&half, end->moment.begins_flow, end->moment.flow);
    }
    self->uses[section].halves++;
    self->open[self->open_count++] = half;
    return OPPROF_OK;
}

/* Removes a half that is no longer needed from the list. */
static void drop_half(Perfetto *self, uint64_t tie, uint32_t place)
{
    OpprofMapRemove(&self->open_index, tie);
    self->uses[self->open[place].section].halves--;
    free(self->open[place].bytes);
    self->open[place].bytes = NULL;
    while (self->open_count > 0 && self->open[self->open_count - 1].bytes == NULL) {
        self->open_count--;
    }
}

static OpprofStatus close_half(Perfetto *self, uint64_t tie, const PacketSlice *end,
                               OpprofError **error)
{
    const uint32_t place = OpprofMapFind(&self->open_index, tie);
    OpprofStatus status;

    if (place == OPPROF_MAP_NONE) {
        self->halves++;
        return OPPROF_OK;
    }
    self->open[place].slice.end_ps = end->start_ps;
    status = write_slice(self, self->open[place].section, &self->open[place].slice, error);
    drop_half(self, tie, place);
    return status;
}

/* A place where one more end can wait: many slices come soon after their arrows. OPPROF_MAP_NONE
 * without memory. */
static uint32_t free_place(Perfetto *self)
{
    if (self->waiting_free != OPPROF_MAP_NONE) {
        return self->waiting_free;
    }
    return OpprofGrow32(&self->waiting, &self->waiting_capacity, self->waiting_count + 1u,
                        sizeof *self->waiting)
               ? self->waiting_count
               : OPPROF_MAP_NONE;
}

/* Puts aside an end that has no slice yet; it has no arguments. */
static OpprofStatus wait_for_slice(Perfetto *self, uint64_t tie, uint32_t section,
                                   const PacketSlice *end, bool is_tail, OpprofError **error)
{
    WaitingEnd waiting = { .moment = *end,
                           .section = section,
                           .next = OpprofMapFind(&self->waiting_index, tie) };

    waiting.moment.begins_flow = is_tail;
    waiting.moment.ends_flow = !is_tail;
    waiting.moment.arg_count = 0;
    waiting.moment.args = NULL;
    waiting.moment.batch = NULL;
    const uint32_t place = free_place(self);

    if (place == OPPROF_MAP_NONE || !OpprofMapPut(&self->waiting_index, tie, place)) {
        return no_memory(error);
    }
    if (place == self->waiting_free) {
        self->waiting_free = self->waiting[place].next;
    } else {
        self->waiting_count++;
    }
    self->waiting[place] = waiting;
    return OPPROF_OK;
}

/*
 * An end of an arrow belongs to the open half, or to a complete slice that came or will come: an
 * arrow between two cores is drawn by one of them, and the slice at its far end by the other, which
 * may be slower.
 */
static OpprofStatus add_arrow_end(Perfetto *self, uint64_t tie, uint32_t section,
                                  const PacketSlice *end, bool is_tail, OpprofError **error)
{
    const uint32_t place = OpprofMapFind(&self->open_index, tie);

    if (place != OPPROF_MAP_NONE) {
        tie_half(&self->open[place], is_tail, end->flow);
        return OPPROF_OK;
    }
    if (OpprofMapFind(&self->whole, tie) != OPPROF_MAP_NONE) {
        count_ends(self, tie, -1);
        return OPPROF_OK;
    }
    return wait_for_slice(self, tie, section, end, is_tail, error);
}

static OpprofStatus write_span(Perfetto *self, const OpprofBatch *batch, const OpprofSpan *span,
                               const OpprofClock *clock, OpprofError **error)
{
    uint32_t section;
    const OpprofStatus status = find_section(self, span->track, &section, error);
    PacketSlice slice;

    if (status != OPPROF_OK) {
        return status;
    }
    slice = slice_of(self, batch, span, clock);
    switch ((OpprofSpanKind) span->kind) {
    case OPPROF_SPAN_BEGIN:
        return open_half(self, tie_of(batch, span), section, &slice, error);
    case OPPROF_SPAN_END:
        return close_half(self, tie_of(batch, span), &slice, error);
    case OPPROF_SPAN_FLOW_START:
    case OPPROF_SPAN_FLOW_END:
        return add_arrow_end(self, tie_of(batch, span), section, &slice,
                             span->kind == OPPROF_SPAN_FLOW_START, error);
    case OPPROF_SPAN_MARK:
        return PacketSectionMoment(&self->sections[section], &slice, error);
    case OPPROF_SPAN_SLICE:
    default:
        return add_slice(self, batch, span, section, &slice, error);
    }
}

static OpprofStatus write_counter(Perfetto *self, const OpprofCounter *counter,
                                  const OpprofClock *clock, OpprofError **error)
{
    uint32_t section;
    OpprofStatus status;

    if (counter->value != counter->value) { /* absent: no sample */
        return OPPROF_OK;
    }
    status = find_section(self, counter->track, &section, error);
    return status == OPPROF_OK
               ? PacketSectionSample(&self->sections[section], counter, clock->epoch_ns,
                                     OpprofClockPicoseconds(clock, counter->time), error)
               : status;
}

static OpprofStatus process(void *context, uint32_t port, const OpprofBatch *batch,
                            OpprofError **error)
{
    Perfetto *self = context;
    const OpprofClock *clock = OpprofStageClockInfo(self->stage, batch->clock);
    OpprofStatus status = OPPROF_OK;

    clock = clock == NULL ? &no_clock : clock;
    self->partition = batch->partition;
    for (uint32_t i = 0; status == OPPROF_OK && i < batch->count; i++) {
        status = port == INPUT_SPANS
                     ? write_span(self, batch, OpprofBatchRecord(batch, i), clock, error)
                     : write_counter(self, OpprofBatchRecord(batch, i), clock, error);
    }
    if (status == OPPROF_OK && batch->watermark == UINT64_MAX) {
        return close_sections(self, batch->partition, error);
    }
    /* Traces of many ranks come one after another: a section may wait long for its next batch. */
    return status == OPPROF_OK && self->section_count > MANY_SECTIONS
               ? PacketSectionRest(&self->sections[self->in_hand], error)
               : status;
}

/* ---- the file ---- */

/* By document, then by rank and id of the process, then by link. */
static int compare_sections(const void *a, const void *b)
{
    const PacketSection *x = a;
    const PacketSection *y = b;
    int order = strcmp(x->first->document, y->first->document);

    if (order == 0 && (x->group == 0) != (y->group == 0)) {
        order = (x->group == 0) - (y->group == 0);
    }
    if (order == 0 && x->group != y->group) {
        order = (x->first->process_sort > y->first->process_sort) -
                (x->first->process_sort < y->first->process_sort);
        order = order != 0 ? order : strcmp(x->first->process, y->first->process);
    }
    return order != 0 ? order : (x->link > y->link) - (x->link < y->link);
}

/* Slices without an end. */
static OpprofStatus write_open_halves(Perfetto *self, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;

    for (uint32_t i = 0; status == OPPROF_OK && i < self->open_count; i++) {
        if (self->open[i].bytes != NULL) {
            self->halves++;
            status = write_slice(self, self->open[i].section, &self->open[i].slice, error);
        }
    }
    return status;
}

/* By time and arrow, so that the order of arrival does not count. */
static int compare_waiting(const void *a, const void *b)
{
    const PacketSlice *x = &((const WaitingEnd *) a)->moment;
    const PacketSlice *y = &((const WaitingEnd *) b)->moment;
    int order = (x->start_ps > y->start_ps) - (x->start_ps < y->start_ps);

    order = order != 0 ? order : (x->flow > y->flow) - (x->flow < y->flow);
    return order != 0 ? order : x->begins_flow - y->begins_flow;
}

/* Ends of arrows without a slice are moments. */
static OpprofStatus write_lone_ends(Perfetto *self, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;

    if (self->waiting_count > 1) {
        qsort(self->waiting, self->waiting_count, sizeof *self->waiting, compare_waiting);
    }
    for (uint32_t i = 0; status == OPPROF_OK && i < self->waiting_count; i++) {
        if (!self->waiting[i].has_slice) {
            status = PacketSectionMoment(&self->sections[self->waiting[i].section],
                                         &self->waiting[i].moment, error);
        }
    }
    return status;
}

static OpprofStatus write_file(Perfetto *self, OpprofError **error)
{
    OpprofOutputFile *file;
    OpprofStatus status =
        OpprofOutputFileCreate(OpprofStageOutput(self->stage), FILE_NAME, &file, error);

    if (status != OPPROF_OK) {
        return status;
    }
    qsort(self->sections, self->section_count, sizeof *self->sections, compare_sections);
    for (uint32_t i = 0; status == OPPROF_OK && i < self->section_count; i++) {
        status = PacketSectionWrite(&self->sections[i], file, error);
    }
    if (status != OPPROF_OK) {
        OpprofOutputFileDiscard(file);
        return status;
    }
    return OpprofOutputFileFinish(file, error);
}

static OpprofStatus flush(void *context, OpprofError **error)
{
    Perfetto *self = context;
    OpprofLog(OPPROF_LOG_INFO, OpprofStageId(self->stage), "Writes timelines: sections=%zu",
              (size_t) self->section_count);
    OpprofStatus status = write_open_halves(self, error);

    if (status == OPPROF_OK) {
        status = write_lone_ends(self, error);
    }
    if (self->halves > 0) {
        OpprofStageIncomplete(
            self->stage, "%llu %s no other half", (unsigned long long) self->halves,
            OPPROF_PLURAL(self->halves, "half of a slice has", "halves of slices have"));
    }
    if (self->crowded > 0) {
        OpprofStageIncomplete(self->stage, "%llu %s left out: more than %u overlap in one lane",
                              (unsigned long long) self->crowded,
                              OPPROF_PLURAL(self->crowded, "slice is", "slices are"),
                              PACKET_MOST_TRACKS);
    }
    return status == OPPROF_OK && self->section_count > 0 ? write_file(self, error) : status;
}

static void destroy(void *context)
{
    Perfetto *self = context;

    for (uint32_t i = 0; i < self->section_count; i++) {
        PacketSectionFinish(&self->sections[i]);
    }
    for (uint32_t i = 0; i < self->open_count; i++) {
        free(self->open[i].bytes);
    }
    free(self->sections);
    free(self->uses);
    free(self->in_use);
    free(self->open);
    free(self->waiting);
    OpprofMapFinish(&self->waiting_index);
    OpprofMapFinish(&self->section_index);
    OpprofMapFinish(&self->open_index);
    OpprofMapFinish(&self->whole);
    OpprofSpoolFinish(&self->spool);
    free(self);
}

static const OpprofPort inputs[] = {
    [INPUT_SPANS] = { .name = "spans",
                      .type = "span",
                      .record_type = &opprof_span_type,
                      .flags = OPPROF_PORT_MANY,
                      .summary = "Pieces of timelines." },
    [INPUT_COUNTERS] = { .name = "counters",
                         .type = "counter",
                         .record_type = &opprof_counter_type,
                         .flags = OPPROF_PORT_MANY | OPPROF_PORT_OPTIONAL,
                         .summary = "Samples of curves." },
};

static const OpprofPluginOps ops = {
    .struct_size = sizeof(OpprofPluginOps),
    .create = create,
    .process = process,
    .flush = flush,
    .destroy = destroy,
};

OPPROF_PLUGIN_DEFINE(
        .name = "perfetto", .version = "1.0", .license = "Apache-2.0",
        .summary = "Writes timelines and curves as one native Perfetto trace.",
        .help =
            "All documents are in trace.pftrace, each with its processes and lanes. Overlapping "
            "slices go to parallel tracks, which Perfetto shows as one lane; arrows are tied to "
            "their slices. Times are whole nanoseconds, as everywhere in Perfetto.",
        .kind = OPPROF_EXPORTER, .inputs = inputs, .input_count = OPPROF_COUNT(inputs),
        .ops = &ops);
