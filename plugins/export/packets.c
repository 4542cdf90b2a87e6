/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the packets of a Perfetto trace. Tested by tests/plugins/export/test_perfetto.sh. */
#include "packets.h"

#include "plugins/export/perfetto.pb-c.h"

#include <opprof/grow.h>
#include <opprof/intern.h>
#include <opprof/output.h>

#include <stdlib.h>
#include <string.h>

#define ARGS_MAX 48u                      /* more are left out */
#define SEED UINT64_C(0x5bd1e9955bd1e995) /* fixed, so that results do not differ between runs */
#define TRACE_PACKET_TAG 0x0a             /* member 1, length-delimited */
#define TAG_ROOM 11u
#define STATE_CLEARED 1u
#define NEEDS_STATE 2u
#define EXPLICIT_ORDER 3u

enum { TYPE_SLICE_BEGIN = 1, TYPE_SLICE_END = 2, TYPE_INSTANT = 3, TYPE_COUNTER = 4 };

typedef Opprof__Perfetto__TracePacket TracePacket;
typedef Opprof__Perfetto__TrackEvent TrackEvent;
typedef Opprof__Perfetto__TrackDescriptor TrackDescriptor;
typedef Opprof__Perfetto__DebugAnnotation Annotation;
typedef Opprof__Perfetto__InternedData InternedData;
typedef Opprof__Perfetto__InternedString InternedString;

/* The use of an interned text; each use has ids of its own. */
typedef enum Use { USE_CATEGORY, USE_NAME, USE_KEY, USE_VALUE, USES } Use;

/* An event being written, with the texts that the sequence does not have yet. */
typedef struct Draft {
    PacketSection *section;
    TrackEvent event;
    Annotation annotations[ARGS_MAX];
    Annotation *annotation_list[ARGS_MAX];
    InternedString strings[2 * ARGS_MAX + 2];
    InternedString *uses[USES][ARGS_MAX + 2];
    size_t use_counts[USES];
    size_t string_count;
    uint64_t category;
    uint64_t flow;
    bool has_memory;
} Draft;

static OpprofStatus no_memory(OpprofError **error)
{
    return OpprofErrorNoMemory(error, "write a trace for Perfetto");
}

static ProtobufCBinaryData bytes_of(const char *text, size_t length)
{
    return (ProtobufCBinaryData){ .len = length, .data = (uint8_t *) (uintptr_t) text };
}

static ProtobufCBinaryData text_of(const char *text)
{
    return bytes_of(text, strlen(text));
}

/* ---- bytes ---- */

static size_t put_varint(unsigned char *out, uint64_t value)
{
    size_t length = 0;

    while (value >= 0x80) {
        out[length++] = (unsigned char) (value | 0x80);
        value >>= 7;
    }
    out[length++] = (unsigned char) value;
    return length;
}

static OpprofStatus spool_bytes(PacketSection *section, OpprofError **error)
{
    PacketState *state = section->state;
    const OpprofStatus status =
        SpoolRangesAppend(&section->spooled, section->spool, OpprofStageOutput(section->stage),
                          (const char *) state->bytes, state->length, error);

    if (status == OPPROF_OK) {
        state->length = 0;
    }
    return status;
}

static OpprofStatus add_packet(PacketSection *section, TracePacket *packet, OpprofError **error)
{
    size_t size;

    packet->has_trusted_packet_sequence_id = 1;
    packet->trusted_packet_sequence_id = section->sequence;
    packet->has_sequence_flags = 1;
    packet->sequence_flags = section->state->has_begun ? NEEDS_STATE : STATE_CLEARED;
    section->state->has_begun = true;
    size = opprof__perfetto__trace_packet__get_packed_size(packet);
    if (!OpprofGrow(&section->state->bytes, &section->state->capacity,
                    section->state->length + size + TAG_ROOM, 1)) {
        return no_memory(error);
    }
    section->state->bytes[section->state->length++] = TRACE_PACKET_TAG;
    section->state->length += put_varint(section->state->bytes + section->state->length, size);
    section->state->length += opprof__perfetto__trace_packet__pack(
        packet, section->state->bytes + section->state->length);
    return section->state->length < SpoolRangesPiece(&section->spooled)
               ? OPPROF_OK
               : spool_bytes(section, error);
}

/* ---- tracks ---- */

static uint64_t hash_text(uint64_t seed, const char *text)
{
    return text == NULL ? OpprofInternHash(seed + 1, "", 0)
                        : OpprofInternHash(seed, text, strlen(text));
}

static uint64_t hash_number(uint64_t seed, uint64_t number)
{
    return OpprofInternHash(seed, &number, sizeof number);
}

static OpprofStatus declare(PacketSection *section, TrackDescriptor *descriptor, uint64_t uuid,
                            const char *name, OpprofError **error)
{
    TracePacket packet = OPPROF__PERFETTO__TRACE_PACKET__INIT;

    descriptor->has_uuid = 1;
    descriptor->uuid = uuid;
    descriptor->has_name = 1;
    descriptor->name = text_of(name);
    packet.track_descriptor = descriptor;
    return add_packet(section, &packet, error);
}

static const char *process_name(const OpprofTrack *track)
{
    return track->process_name == NULL ? track->process : track->process_name;
}

static uint64_t process_uuid(const OpprofTrack *track)
{
    return hash_text(hash_text(SEED, track->document), track->process);
}

static OpprofStatus declare_process(PacketSection *section, const OpprofTrack *track,
                                    OpprofError **error)
{
    TrackDescriptor document = OPPROF__PERFETTO__TRACK_DESCRIPTOR__INIT;
    TrackDescriptor process = OPPROF__PERFETTO__TRACK_DESCRIPTOR__INIT;
    OpprofStatus status;

    document.has_child_ordering = 1;
    document.child_ordering = EXPLICIT_ORDER;
    status = declare(section, &document, hash_text(SEED, track->document), track->document, error);
    process.has_parent_uuid = 1;
    process.parent_uuid = hash_text(SEED, track->document);
    process.has_child_ordering = 1;
    process.child_ordering = EXPLICIT_ORDER;
    process.has_sibling_order_rank = track->process_sort >= 0;
    process.sibling_order_rank = track->process_sort;
    return status == OPPROF_OK
               ? declare(section, &process, process_uuid(track), process_name(track), error)
               : status;
}

/* Declares one of the parallel tracks; all have the same name, by which
 * Perfetto shows them as one. */
static OpprofStatus declare_slices(PacketSection *section, const PacketTrack *line, uint32_t number,
                                   OpprofError **error)
{
    const OpprofTrack *track = line->track;
    const char *thread = track->thread_name == NULL ? track->thread : track->thread_name;
    TrackDescriptor descriptor = OPPROF__PERFETTO__TRACK_DESCRIPTOR__INIT;

    descriptor.has_parent_uuid = 1;
    descriptor.parent_uuid = line->parent;
    descriptor.has_sibling_order_rank = track->thread_sort >= 0;
    descriptor.sibling_order_rank = track->thread_sort;
    return declare(section, &descriptor, hash_number(line->uuid, number),
                   thread == NULL ? process_name(track) : thread, error);
}

/* Make the section ready for packets. */
static bool open_section(PacketSection *section)
{
    if (section->state == NULL) {
        section->state = calloc(1, sizeof *section->state);
    }
    return section->state != NULL;
}

/* The section's entry of a track, which is open afterwards; NULL with an error. */
static PacketTrack *find_track(PacketSection *section, uint32_t id, OpprofError **error)
{
    PacketState *state;
    uint32_t at;
    const OpprofTrack *track;
    bool knows_process = false;
    uint64_t process;

    if (!open_section(section)) {
        no_memory(error);
        return NULL;
    }
    state = section->state;
    at = OpprofMapFind(&state->track_index, id);
    if (at != OPPROF_MAP_NONE) {
        return &state->tracks[at];
    }
    track = OpprofStageTrackInfo(section->stage, id);
    process = process_uuid(track);
    at = state->track_count;
    if (!OpprofGrow32(&state->tracks, &state->track_capacity, at + 1u, sizeof *state->tracks) ||
        !OpprofMapPut(&state->track_index, id, at)) {
        no_memory(error);
        return NULL;
    }
    for (uint32_t i = 0; i < at && !knows_process; i++) {
        knows_process = state->tracks[i].parent == process;
    }
    state->tracks[state->track_count++] = (PacketTrack){
        .uuid = hash_number(hash_text(process, track->thread), section->seed),
        .parent = process,
        .track = track,
    };
    return knows_process || declare_process(section, track, error) == OPPROF_OK ? &state->tracks[at]
                                                                                : NULL;
}

/* ---- texts ---- */

/* Id of an interned text in the sequence; a new one goes into the draft. */
static uint64_t iid_of(Draft *draft, Use use, uint32_t string)
{
    PacketSection *section = draft->section;
    const uint64_t key = (uint64_t) use << 32 | string;
    uint32_t iid = OpprofMapFind(&section->state->strings, key);
    InternedString *entry = &draft->strings[draft->string_count];
    const char *text;
    size_t length;

    if (iid != OPPROF_MAP_NONE) {
        return iid;
    }
    iid = ++section->state->string_count;
    if (!OpprofMapPut(&section->state->strings, key, iid)) {
        draft->has_memory = false;
        return 0;
    }
    text = OpprofStageStringLength(section->stage, string, &length);
    *entry = (InternedString) OPPROF__PERFETTO__INTERNED_STRING__INIT;
    entry->has_iid = 1;
    entry->iid = iid;
    entry->has_str = 1;
    entry->str = bytes_of(text, length);
    draft->uses[use][draft->use_counts[use]++] = entry;
    draft->string_count++;
    return iid;
}

static void begin_draft(Draft *draft, PacketSection *section, unsigned type, uint64_t track)
{
    draft->section = section;
    draft->event = (TrackEvent) OPPROF__PERFETTO__TRACK_EVENT__INIT;
    draft->event.has_type = 1;
    draft->event.type = type;
    draft->event.has_track_uuid = 1;
    draft->event.track_uuid = track;
    draft->string_count = 0;
    memset(draft->use_counts, 0, sizeof draft->use_counts);
    draft->has_memory = true;
}

static void set_name(Draft *draft, const PacketSlice *slice)
{
    draft->event.has_name_iid = 1;
    draft->event.name_iid = iid_of(draft, USE_NAME, slice->name);
    if (slice->category != OPPROF_NA_STRING) {
        draft->category = iid_of(draft, USE_CATEGORY, slice->category);
        draft->event.n_category_iids = 1;
        draft->event.category_iids = &draft->category;
    }
}

static void set_text(Annotation *annotation, const PacketSlice *slice, OpprofText text)
{
    const char *bytes =
        slice->batch == NULL ? slice->texts + text.offset : OpprofBatchText(slice->batch, text);

    annotation->has_string_value = 1;
    annotation->string_value = bytes == NULL ? bytes_of("", 0) : bytes_of(bytes, text.length);
}

static void set_arg(Draft *draft, Annotation *annotation, const PacketSlice *slice,
                    const OpprofArg *arg)
{
    *annotation = (Annotation) OPPROF__PERFETTO__DEBUG_ANNOTATION__INIT;
    annotation->has_name_iid = 1;
    annotation->name_iid = iid_of(draft, USE_KEY, arg->key);
    switch (arg->kind) {
    case OPPROF_ARG_TEXT:
        set_text(annotation, slice, arg->value.text);
        break;
    case OPPROF_ARG_STRING:
        annotation->has_string_value_iid = 1;
        annotation->string_value_iid = iid_of(draft, USE_VALUE, (uint32_t) arg->value.u64);
        break;
    case OPPROF_ARG_HEX:
        annotation->has_pointer_value = 1;
        annotation->pointer_value = arg->value.u64;
        break;
    case OPPROF_ARG_F64:
        annotation->has_double_value = 1;
        annotation->double_value = arg->value.f64;
        break;
    default:
        annotation->has_uint_value = 1;
        annotation->uint_value = arg->value.u64;
        break;
    }
}

static void set_args(Draft *draft, const PacketSlice *slice)
{
    const uint32_t count = slice->arg_count < ARGS_MAX ? slice->arg_count : ARGS_MAX;

    for (uint32_t i = 0; i < count; i++) {
        OpprofArg arg;

        memcpy(&arg, slice->args + i * sizeof arg, sizeof arg);
        set_arg(draft, &draft->annotations[i], slice, &arg);
        draft->annotation_list[i] = &draft->annotations[i];
    }
    draft->event.n_debug_annotations = count;
    draft->event.debug_annotations = draft->annotation_list;
}

static void set_flow(Draft *draft, uint64_t flow, bool terminates)
{
    draft->flow = flow;
    if (terminates) {
        draft->event.n_terminating_flow_ids = 1;
        draft->event.terminating_flow_ids = &draft->flow;
    } else {
        draft->event.n_flow_ids = 1;
        draft->event.flow_ids = &draft->flow;
    }
}

static OpprofStatus finish_draft(Draft *draft, uint64_t time_ns, OpprofError **error)
{
    TracePacket packet = OPPROF__PERFETTO__TRACE_PACKET__INIT;
    InternedData interned = OPPROF__PERFETTO__INTERNED_DATA__INIT;

    if (!draft->has_memory) {
        return no_memory(error);
    }
    interned.n_event_categories = draft->use_counts[USE_CATEGORY];
    interned.event_categories = draft->uses[USE_CATEGORY];
    interned.n_event_names = draft->use_counts[USE_NAME];
    interned.event_names = draft->uses[USE_NAME];
    interned.n_debug_annotation_names = draft->use_counts[USE_KEY];
    interned.debug_annotation_names = draft->uses[USE_KEY];
    interned.n_debug_annotation_string_values = draft->use_counts[USE_VALUE];
    interned.debug_annotation_string_values = draft->uses[USE_VALUE];
    packet.interned_data = draft->string_count > 0 ? &interned : NULL;
    packet.has_timestamp = 1;
    packet.timestamp = time_ns;
    packet.track_event = &draft->event;
    return add_packet(draft->section, &packet, error);
}

/* ---- events ---- */

static uint64_t nanoseconds(int64_t epoch_ns, int64_t time_ps)
{
    const __int128 all_ps = (__int128) epoch_ns * 1000 + time_ps;

    return all_ps <= 0 ? 0 : (uint64_t) ((all_ps + 500) / 1000);
}

OpprofStatus PacketSectionSlice(PacketSection *section, const PacketSlice *slice, bool *ret_crowded,
                                OpprofError **error)
{
    const uint64_t start = nanoseconds(slice->epoch_ns, slice->start_ps);
    const uint64_t end = nanoseconds(slice->epoch_ns, slice->end_ps);
    PacketTrack *line = find_track(section, slice->track, error);
    OpprofStatus status = OPPROF_OK;
    uint32_t number;
    Draft draft;

    *ret_crowded = false;
    if (line == NULL) {
        return OPPROF_E_MEMORY;
    }
    number = OpprofSubLanesPlace(&line->slices, start, end, PACKET_MOST_TRACKS);
    if (number == OPPROF_SUB_LANES_NO_MEMORY) {
        return no_memory(error);
    }
    *ret_crowded = number == OPPROF_SUB_LANES_FULL;
    if (*ret_crowded) {
        return OPPROF_OK;
    }
    if (number >= line->declared) {
        status = declare_slices(section, line, number, error);
        line->declared = number + 1;
    }
    begin_draft(&draft, section, TYPE_SLICE_BEGIN, hash_number(line->uuid, number));
    set_name(&draft, slice);
    set_args(&draft, slice);
    if (slice->has_flow && slice->begins_flow) {
        set_flow(&draft, slice->flow, false);
    }
    if (status == OPPROF_OK) {
        status = finish_draft(&draft, start, error);
    }
    begin_draft(&draft, section, TYPE_SLICE_END, hash_number(line->uuid, number));
    if (slice->has_flow && !slice->begins_flow) {
        set_flow(&draft, slice->flow, slice->ends_flow);
    }
    return status == OPPROF_OK ? finish_draft(&draft, end, error) : status;
}

OpprofStatus PacketSectionMoment(PacketSection *section, const PacketSlice *moment,
                                 OpprofError **error)
{
    PacketTrack *line = find_track(section, moment->track, error);
    OpprofStatus status = OPPROF_OK;
    Draft draft;

    if (line == NULL) {
        return OPPROF_E_MEMORY;
    }
    if (line->declared == 0) {
        status = declare_slices(section, line, 0, error);
        line->declared = 1;
    }
    begin_draft(&draft, section, TYPE_INSTANT, hash_number(line->uuid, 0));
    set_name(&draft, moment);
    set_args(&draft, moment);
    if (moment->has_flow) {
        set_flow(&draft, moment->flow, moment->ends_flow);
    }
    return status == OPPROF_OK
               ? finish_draft(&draft, nanoseconds(moment->epoch_ns, moment->start_ps), error)
               : status;
}

static OpprofStatus declare_curve(PacketSection *section, const PacketTrack *line,
                                  const OpprofCounter *counter, uint64_t uuid, OpprofError **error)
{
    Opprof__Perfetto__CounterDescriptor curve = OPPROF__PERFETTO__COUNTER_DESCRIPTOR__INIT;
    TrackDescriptor descriptor = OPPROF__PERFETTO__TRACK_DESCRIPTOR__INIT;

    if (OpprofMapFind(&section->state->curves, uuid) != OPPROF_MAP_NONE) {
        return OPPROF_OK;
    }
    if (!OpprofMapPut(&section->state->curves, uuid, 1)) {
        return no_memory(error);
    }
    curve.has_unit_name = 1;
    curve.unit_name = text_of(OpprofStageString(section->stage, counter->series));
    descriptor.counter = &curve;
    descriptor.has_parent_uuid = 1;
    descriptor.parent_uuid = line->parent;
    return declare(section, &descriptor, uuid, OpprofStageString(section->stage, counter->name),
                   error);
}

OpprofStatus PacketSectionSample(PacketSection *section, const OpprofCounter *counter,
                                 int64_t epoch_ns, int64_t time_ps, OpprofError **error)
{
    PacketTrack *line = find_track(section, counter->track, error);
    OpprofStatus status;
    uint64_t uuid;
    Draft draft;

    if (line == NULL) {
        return OPPROF_E_MEMORY;
    }
    uuid = hash_text(hash_text(line->uuid, OpprofStageString(section->stage, counter->name)),
                     OpprofStageString(section->stage, counter->series));
    status = declare_curve(section, line, counter, uuid, error);
    begin_draft(&draft, section, TYPE_COUNTER, uuid);
    draft.event.has_double_counter_value = 1;
    draft.event.double_counter_value = counter->value;
    return status == OPPROF_OK ? finish_draft(&draft, nanoseconds(epoch_ns, time_ps), error)
                               : status;
}

/* ---- life ---- */

OpprofStatus PacketSectionBegin(PacketSection *section, OpprofStage *stage, OpprofSpool *spool,
                                const OpprofTrack *track, OpprofError **error)
{
    const uint64_t process =
        section->group == 0 ? hash_text(SEED, track->document) : process_uuid(track);

    section->stage = stage;
    section->spool = spool;
    section->first = track;
    section->seed = hash_number(process, section->link);
    section->sequence = (uint32_t) (section->seed >> 32) | 1u;
    return open_section(section) ? declare_process(section, track, error) : no_memory(error);
}

OpprofStatus PacketSectionRest(PacketSection *section, OpprofError **error)
{
    PacketState *state = section->state;
    const OpprofStatus status =
        state == NULL || state->length == 0 ? OPPROF_OK : spool_bytes(section, error);

    if (status == OPPROF_OK && state != NULL) {
        free(state->bytes);
        state->bytes = NULL;
        state->capacity = 0;
    }
    return status;
}

static void destroy_state(PacketState *state)
{
    if (state == NULL) {
        return;
    }
    for (uint32_t i = 0; i < state->track_count; i++) {
        OpprofSubLanesFinish(&state->tracks[i].slices);
    }
    free(state->bytes);
    free(state->tracks);
    OpprofMapFinish(&state->strings);
    OpprofMapFinish(&state->track_index);
    OpprofMapFinish(&state->curves);
    free(state);
}

OpprofStatus PacketSectionClose(PacketSection *section, OpprofError **error)
{
    const OpprofStatus status = PacketSectionRest(section, error);

    if (status == OPPROF_OK) {
        destroy_state(section->state);
        section->state = NULL;
        SpoolRangesTrim(&section->spooled);
    }
    return status;
}

OpprofStatus PacketSectionWrite(const PacketSection *section, OpprofOutputFile *file,
                                OpprofError **error)
{
    const OpprofStatus status = SpoolRangesCopy(&section->spooled, section->spool, 0, file, error);

    return status == OPPROF_OK && section->state != NULL && section->state->length > 0
               ? OpprofOutputFileWrite(file, (const char *) section->state->bytes,
                                       section->state->length, error)
               : status;
}

void PacketSectionFinish(PacketSection *section)
{
    destroy_state(section->state);
    SpoolRangesFinish(&section->spooled);
    *section = (PacketSection){ .link = 0 };
}
