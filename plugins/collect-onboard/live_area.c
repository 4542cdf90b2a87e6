/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Instrumented kernels of launches, and what they report.
 * Tested by tests/refchip/test_instrument.sh.
 */
#include "live_area.h"

#include "live_files.h"

#include <inttypes.h>
#include <opprof/grow.h>
#include <opprof/kit/bytes.h>
#include <opprof/kit/raw_names.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_KERNEL_BYTES (UINT64_C(1) << 30)
#define OVERFLOWED (UINT64_C(1) << 63)
#define UNIT_BYTES 256u /* size of the units of a core's counters */
#define PACKET_OF_SLOT 3u
#define PACKET_BYTES 36u        /* its heads */
#define OPERAND_MOST_HEADER 64u /* of the file of operands */
#define WARP_HEADER 16u         /* magic, warps, core, its part */

void LiveAreaKeepKernel(const LiveLaunches *self, LiveLaunch *launch, const void *data, size_t size)
{
    if (launch->kernel_size + size > MOST_KERNEL_BYTES) {
        OpprofStageIncomplete(self->stage,
                              "Cannot instrument the kernel of '%s': it is larger than %u bytes",
                              launch->name, (unsigned) MOST_KERNEL_BYTES);
        return;
    }
    if (!OpprofGrow(&launch->kernel, &launch->kernel_room, launch->kernel_size + size, 1)) {
        OpprofStageIncomplete(self->stage, "Cannot instrument the kernel of '%s': out of memory",
                              launch->name);
        return;
    }
    memcpy(launch->kernel + launch->kernel_size, data, size);
    launch->kernel_size += size;
}

/* ---- the kernel ---- */

/* Not requested explicitly: a missing tool is no gap in the results. */
static void warn_no_tool(LiveLaunches *self)
{
    if (!self->has_warned_tool) {
        OpprofStageWarn(
            self->stage,
            "Kernels are not instrumented, so hot spots, memory detail and operations are "
            "not known: neither 'instrumenter' nor the environment of opprof-run "
            "(" OPPROF_LIVE_INSTRUMENTER ") names a tool");
    }
    self->has_warned_tool = true;
}

static void report_failure(const LiveLaunches *self, const LiveLaunch *launch, uint32_t kind,
                           const OpprofError *error)
{
    static const char *const lost[OPPROF_LIVE_INSTRUMENTS] = {
        "executions of its code",  "memory detail",   "operations", "warps",
        "the stub before samples", "its instructions"
    };

    OpprofStageIncomplete(
        self->stage, "%s: the kernel is not instrumented, so its results lack %s: %s", launch->name,
        lost[kind], error == NULL ? "out of memory" : OpprofErrorLine(error));
}

static LiveMade *find(const LiveLaunches *self, const LiveLaunch *launch, uint32_t kind,
                      uint32_t argument)
{
    LiveMade *made = self->made;

    while (made != NULL && (made->kind != kind || made->argument != argument ||
                            made->kernel_size != launch->kernel_size ||
                            memcmp(made->kernel, launch->kernel, launch->kernel_size) != 0)) {
        made = made->next;
    }
    return made;
}

static LiveMade *make(LiveLaunches *self, const LiveLaunch *launch, const InstrumentOrder *order)
{
    LiveMade *made = calloc(1, sizeof *made);
    OpprofError *error = NULL;
    OpprofStatus status = OPPROF_E_MEMORY;

    if (made != NULL && (made->kernel = malloc(launch->kernel_size)) != NULL) {
        memcpy(made->kernel, launch->kernel, launch->kernel_size);
        made->kernel_size = launch->kernel_size;
        made->kind = order->area->kind;
        made->argument = order->argument;
        status = InstrumentKernel(order, &made->made, &error);
    }
    if (status != OPPROF_OK) {
        report_failure(self, launch, order->area->kind, error);
        OpprofErrorDestroy(error);
        free(made == NULL ? NULL : made->kernel);
        free(made);
        return NULL;
    }
    made->next = self->made;
    self->made = made;
    return made;
}

/* The kernel of a launch, instrumented now or before. NULL: it cannot be;
 * the reason is reported. */
static const LiveMade *find_or_make(LiveLaunches *self, const LiveLaunch *launch,
                                    const OpprofLiveAskInstrumented *question)
{
    const OpprofLiveArea *area = LivePlanFindArea(&self->plan, question->pass);
    const InstrumentOrder order = { .stage = self->stage,
                                    .chip = self->facts,
                                    .area = area,
                                    .seconds = self->instrumenter_seconds,
                                    .pipes = self->pipes,
                                    .tool = self->instrumenter,
                                    .argument = question->argument,
                                    .kernel = launch->kernel,
                                    .kernel_size = launch->kernel_size };
    LiveMade *made;

    if (area == NULL || launch->kernel == NULL) {
        return NULL;
    }
    if (order.tool == NULL && (self->instruments_asked >> area->kind & 1) == 0) {
        warn_no_tool(self);
        return NULL;
    }
    made = find(self, launch, area->kind, question->argument);
    return made != NULL ? made : make(self, launch, &order);
}

/* Bytes of a core's counters: as many as the blocks of the map need. */
static uint64_t counter_bytes(const Instrumented *made)
{
    const char *at = made->map, *end = made->map + made->map_size;
    uint64_t blocks = 0;

    while (at < end && (at = memmem(at, (size_t) (end - at), "BBB id", 6)) != NULL) {
        blocks++;
        at += 6;
    }
    return (4 * blocks + UNIT_BYTES - 1) / UNIT_BYTES * UNIT_BYTES;
}

/* Bytes of a core's slot. */
static uint64_t slot_bytes(const OpprofLiveArea *area, const Instrumented *made)
{
    return area->slot_bytes != 0 ? area->slot_bytes : counter_bytes(made);
}

static void answer(const OpprofLiveArea *area, const Instrumented *made, OpprofLiveClient *client,
                   uint64_t offset, bool has_kernel)
{
    const uint64_t left = offset < made->size && !has_kernel ? made->size - offset : 0;
    const uint64_t piece = left < OPPROF_LIVE_PIECE_BYTES ? left : OPPROF_LIVE_PIECE_BYTES;
    OpprofLiveInstrumented head = { .size = made->size, .slot_bytes = slot_bytes(area, made) };
    uint8_t *message = malloc(sizeof head + piece);

    if (message == NULL) {
        head.size = 0;
        OpprofLiveClientAnswer(client, OPPROF_LIVE_INSTRUMENTED, &head, sizeof head);
        return;
    }
    memcpy(message, &head, sizeof head);
    if (piece > 0) {
        memcpy(message + sizeof head, made->data + offset, piece);
    }
    OpprofLiveClientAnswer(client, OPPROF_LIVE_INSTRUMENTED, message, sizeof head + piece);
    free(message);
}

OpprofStatus LiveAreaAnswer(LiveLaunches *self, LiveLaunch *launch, OpprofLiveClient *client,
                            const OpprofLiveHead *head, const uint8_t *body, const char **ret_why)
{
    const OpprofLiveInstrumented none = { .size = 0 };
    OpprofLiveAskInstrumented question;
    const OpprofLiveArea *area;

    if (head->length != sizeof question) {
        *ret_why = "its request for an instrumented kernel has a wrong length";
        return OPPROF_E_DATA;
    }
    memcpy(&question, body, sizeof question);
    area = LivePlanFindArea(&self->plan, question.pass);
    if (launch != NULL && question.offset == 0) {
        launch->made = find_or_make(self, launch, &question);
        launch->area_bytes = 0;
    }
    if (launch != NULL && launch->made != NULL && area != NULL) {
        answer(area, &launch->made->made, client, question.offset, question.has_kernel != 0);
    } else {
        OpprofLiveClientAnswer(client, OPPROF_LIVE_INSTRUMENTED, &none, sizeof none);
    }
    return OPPROF_OK;
}

/* ---- reading it ---- */

static void put(uint8_t *at, uint32_t size, uint64_t value)
{
    for (uint32_t i = 0; i < size; i++) {
        at[i] = (uint8_t) (value >> 8 * i);
    }
}

/* Appends to the file of packets, in the form of the vendor's injection library. */
static void write_packets(const LiveLaunches *self, LiveLaunch *launch, const void *bytes,
                          size_t size)
{
    char name[256];

    OpprofRawFileName(OpprofChipSoc(self->facts), "dbi_packets", 0, name, sizeof name);
    LiveFilesWrite(self, launch, name, bytes, size);
}

/* The head of a slot's packet, in the form of the vendor's injection library. */
static void write_packet_head(const LiveLaunches *self, LiveLaunch *launch,
                              const OpprofLiveArea *area, uint16_t slot, const uint8_t *header)
{
    const uint64_t count = OpprofLoadLe(header, 8);
    const uint64_t told = OpprofLoadLe(header + area->length_at, 8);
    const uint64_t room = area->slot_bytes - area->header_bytes;
    const bool is_full = (told & OVERFLOWED) != 0;
    const uint64_t length = is_full || told > room ? room : told;
    const uint64_t overflow = is_full ? (told & ~OVERFLOWED) - count : 0;
    uint8_t packet[PACKET_BYTES] = { PACKET_OF_SLOT };

    put(packet + 4, 4, PACKET_BYTES - 8 + length);
    put(packet + 8, 8, count);
    put(packet + 16, 8, length);
    put(packet + 24, 8, overflow);
    put(packet + 32, 2, slot);
    write_packets(self, launch, packet, sizeof packet);
}

/* ---- areas that are taken as a whole ---- */

/* Writes a text of the tool as a file of the launch. */
static void write_note(const LiveLaunches *self, LiveLaunch *launch, const char *name,
                       const char *text, size_t size)
{
    if (text != NULL && size > 0) {
        LiveFilesWrite(self, launch, name, text, size);
    }
}

static void name_of(const LiveLaunches *self, const char *role, char *name, size_t size)
{
    OpprofRawFileName(OpprofChipSoc(self->facts), role, 0, name, size);
}

static void write_operand_header(const LiveLaunches *self, LiveLaunch *launch, const char *name)
{
    uint8_t head[OPERAND_MOST_HEADER] = { 0 };
    double magic = 0, size = 0;

    OpprofChipNumber(self->facts, "pmu.records.operands.magic", &magic);
    OpprofChipNumber(self->facts, "pmu.records.operands.header", &size);
    put(head, 4, (uint64_t) magic);
    LiveFilesWrite(self, launch, name, head,
                   size >= 4 && size <= sizeof head ? (size_t) size : sizeof head);
}

/* The file's head, before the first byte of an area. */
static void begin_file(const LiveLaunches *self, LiveLaunch *launch, uint32_t kind,
                       const char *name)
{
    const Instrumented *made = &launch->made->made;
    char other[256];

    if (kind == OPPROF_LIVE_INSTRUMENT_OPERANDS) {
        write_operand_header(self, launch, name);
    } else if (kind == OPPROF_LIVE_INSTRUMENT_BLOCKS) {
        write_note(self, launch, "kernel0Stub.o.bbbmap.0", made->map, made->map_size);
    } else if (kind == OPPROF_LIVE_INSTRUMENT_REGIONS) {
        name_of(self, "region_map", other, sizeof other);
        write_note(self, launch, other, made->map, made->map_size);
        name_of(self, "tune_log", other, sizeof other);
        write_note(self, launch, other, made->log, made->log_size);
    }
}

/* False: the area's bytes mean nothing. */
static bool area_file(const LiveLaunches *self, uint32_t kind, char *name, size_t size)
{
    static const char *const roles[OPPROF_LIVE_INSTRUMENTS] = {
        [OPPROF_LIVE_INSTRUMENT_OPERANDS] = "operands",
        [OPPROF_LIVE_INSTRUMENT_WARPS] = "warps",
        [OPPROF_LIVE_INSTRUMENT_START] = "sample_stub"
    };

    if (roles[kind] != NULL) {
        name_of(self, roles[kind], name, size);
    } else {
        snprintf(name, size, "kernel0.extra.0");
    }
    return kind != OPPROF_LIVE_INSTRUMENT_REGIONS;
}

static void write_zeros(const LiveLaunches *self, LiveLaunch *launch, const char *name,
                        uint64_t size)
{
    static const uint8_t zeros[65536];

    for (uint64_t at = 0; at < size; at += sizeof zeros) {
        const uint64_t left = size - at;

        LiveFilesWrite(self, launch, name, zeros, left < sizeof zeros ? left : sizeof zeros);
    }
}

/* The kernel has written when warps ran and how many; which core they belong to is added here. */
static void write_warps(const LiveLaunches *self, LiveLaunch *launch, const OpprofLiveArea *area,
                        const char *name, const uint8_t *data, size_t size)
{
    const size_t stride = area->slot_bytes + area->gap;
    double magic = 0;

    OpprofChipNumber(self->facts, "dbi.area.magic", &magic);
    for (size_t slot = 0; (slot + 1) * stride <= size; slot++) {
        const uint8_t *from = data + slot * stride;
        uint8_t head[WARP_HEADER];

        put(head, 4, (uint64_t) magic);
        memcpy(head + 4, from + 4, 4);
        put(head + 8, 4, slot / area->slots_per_block);
        put(head + 12, 4, slot % area->slots_per_block);
        launch->has_simt = launch->has_simt || OpprofLoadLe(from + 4, 4) > 0;
        LiveFilesWrite(self, launch, name, head, sizeof head);
        LiveFilesWrite(self, launch, name, from + sizeof head, stride - sizeof head);
    }
}

/* Takes a piece, which may follow zeros that were left out. False: it lies elsewhere. */
static bool take_piece(const LiveLaunches *self, LiveLaunch *launch, const OpprofLiveArea *area,
                       const OpprofLiveSlot *slot, const uint8_t *data, size_t size)
{
    const uint64_t most =
        launch->made == NULL
            ? 0
            : area->most_slots * (area->gap + slot_bytes(area, &launch->made->made));
    char name[256];
    bool has_file;

    /* Slots of warps are small enough to come in one piece; a chip may need them without stating
     * their size. */
    if (slot->offset < launch->area_bytes || slot->offset > most || size > most - slot->offset ||
        (area->kind == OPPROF_LIVE_INSTRUMENT_WARPS &&
         (slot->offset > 0 || area->slot_bytes < WARP_HEADER))) {
        return false;
    }
    has_file = area_file(self, area->kind, name, sizeof name);
    if (launch->area_bytes == 0) {
        begin_file(self, launch, area->kind, name);
    }
    if (!has_file) {
        return true;
    }
    write_zeros(self, launch, name, slot->offset - launch->area_bytes);
    if (area->kind == OPPROF_LIVE_INSTRUMENT_WARPS) {
        write_warps(self, launch, area, name, data, size);
    } else {
        LiveFilesWrite(self, launch, name, data, size);
    }
    launch->area_bytes = slot->offset + size;
    return true;
}

OpprofStatus LiveAreaTake(LiveLaunches *self, LiveLaunch *launch, const OpprofLiveHead *head,
                          const uint8_t *body, const char **ret_why)
{
    OpprofLiveSlot slot;
    const OpprofLiveArea *area;
    size_t size;

    *ret_why = "a piece of a record area has a wrong length";
    if (head->length <= sizeof slot) {
        return OPPROF_E_DATA;
    }
    memcpy(&slot, body, sizeof slot);
    body += sizeof slot;
    size = head->length - sizeof slot;
    area = LivePlanFindArea(&self->plan, slot.pass);
    if (launch == NULL || area == NULL) {
        return OPPROF_OK;
    }
    OpprofStageCount(self->stage, "raw bytes", size);
    if (area->header_bytes == 0) {
        *ret_why = "a piece of a record area lies outside of it";
        return take_piece(self, launch, area, &slot, body, size) ? OPPROF_OK : OPPROF_E_DATA;
    } else if (slot.offset != 0) {
        write_packets(self, launch, body, size);
    } else if (size == area->header_bytes) {
        write_packet_head(self, launch, area, slot.slot, body);
    } else {
        return OPPROF_E_DATA;
    }
    return OPPROF_OK;
}

OpprofStatus LiveAreaLoaded(const LiveLaunches *self, LiveLaunch *launch,
                            const OpprofLiveHead *head, const uint8_t *body)
{
    OpprofLiveLoaded loaded;
    char name[256], text[32];

    if (head->length != sizeof loaded) {
        return OPPROF_E_DATA;
    }
    memcpy(&loaded, body, sizeof loaded);
    if (launch != NULL) {
        name_of(self, "sample_start", name, sizeof name);
        snprintf(text, sizeof text, "0x%" PRIx64 "\n", loaded.start_pc);
        LiveFilesWrite(self, launch, name, text, strlen(text));
    }
    return OPPROF_OK;
}

void LiveAreaFinish(LiveLaunches *self)
{
    while (self->made != NULL) {
        LiveMade *made = self->made;

        self->made = made->next;
        InstrumentedFinish(&made->made);
        free(made->kernel);
        free(made);
    }
}
