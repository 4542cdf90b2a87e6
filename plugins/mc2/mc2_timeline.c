/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mc2-timeline: draws launches by block, turn, stream and plane, each in a document of its own, and
 * the same launch of several cards side by side, with the cards' clocks aligned.
 * Tested by tests/plugins/mc2/test_cards.sh.
 */
#include "cards.h"
#include "draw.h"

#include <opprof/kit/launches.h>
#include <opprof/kit/raw_names.h>
#include <opprof/log.h>
#include <opprof/plugin.h>

#include <inttypes.h>
#include <math.h>
#include <opprof/text.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define TOOLKIT "ascend-toolkit" /* part of the paths of the toolkit's sources */

enum { OUTPUT_SPANS, OUTPUT_CARDS, OUTPUT_CLOCKS };

#define MOST_OFFSET_NS (50.0 * 86400 * 1e9) /* half of what picoseconds can hold */
#define PS_PER_NS 1000.0

/* A row of "mc2.clocks". */
typedef struct ClockRow {
    uint32_t kernel;
    uint32_t order;
    uint32_t card;
    uint32_t reference;
    double offset_us;
    double error_us;
    uint64_t notices;
    uint64_t collectives;
    uint32_t how;
    uint32_t reserved;
} ClockRow;

static const OpprofField clock_fields[] = {
    OPPROF_RECORD_FIELD(ClockRow, kernel, STRING, OPPROF_FIELD_KEY, NULL, "Operator.",
                        "there is one launch"),
    OPPROF_RECORD_FIELD(ClockRow, order, STRING, OPPROF_FIELD_KEY, NULL, "Launch of it.",
                        "there is one launch"),
    OPPROF_FIELD(ClockRow, card, OPPROF_FIELD_STRING, .heading = "rank", .flags = OPPROF_FIELD_KEY,
                 .meaning = "Rank whose clock was aligned."),
    OPPROF_RECORD_FIELD(ClockRow, reference, STRING, 0, NULL, "Rank whose clock the others follow.",
                        NULL),
    OPPROF_RECORD_FIELD(ClockRow, how, STRING, 0, NULL,
                        "What the alignment rests on. reference: the others follow it; notices in "
                        "both directions: bounds from both sides; notices in one direction: a "
                        "bound from one side; collectives of all ranks: none leaves before all "
                        "have entered; notices and collectives of all ranks: both; starts of the "
                        "launches: nothing else, so they are taken for simultaneous; notices that "
                        "contradict each other: none of them is used",
                        NULL),
    OPPROF_RECORD_NUMBER(ClockRow, offset_us, F64, NONE, 0, "us",
                         "Added to times from the rank's zero on to get the reference's.", NULL),
    OPPROF_RECORD_NUMBER(ClockRow, error_us, F64, NONE, 0, "us",
                         "The true offset is within this of the one used.",
                         "nothing bounds the offset from both sides"),
    OPPROF_RECORD_NUMBER(ClockRow, notices, U64, SUM, 0, "1", "Notices that the rank sent or got.",
                         NULL),
    OPPROF_RECORD_NUMBER(ClockRow, collectives, U64, SUM, 0, "1",
                         "Collectives that it took part in with all other ranks.", NULL),
};

static const OpprofRecordType clock_type =
    OPPROF_RECORD_TYPE(ClockRow, 1, "mc2.clocks",
                       "How the clocks of ranks were aligned, and how far that can be wrong.",
                       OPPROF_RECORD_TABLE | OPPROF_RECORD_SUMMARY, clock_fields,
                       "Alignment of the ranks' clocks", "clock_alignment");

typedef struct Timeline {
    OpprofStage *stage;
    const char *input;
    const char *kernel;
    const char *display_path;
    Display display;
    bool has_display;
    Cards cards;
    /* the current launch */
    uint32_t partition; /* 0: none */
    uint64_t launches;  /* so far */
    char *document;
    Drawing drawing;
    bool is_plain;
} Timeline;

static OpprofStatus no_memory(OpprofError **error)
{
    return OpprofErrorNoMemory(error, "draw timelines");
}

static OpprofStatus create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    return OpprofInstanceCreate(stage, sizeof(Timeline), ret_self, error);
}

static OpprofStatus configure(void *context, const OpprofParams *params, OpprofError **error)
{
    Timeline *self = context;

    (void) error;
    self->input = OpprofParamsString(params, "input");
    self->kernel = OpprofParamsString(params, "kernel");
    self->display_path = OpprofParamsString(params, "display");
    self->cards.limit = (uint64_t) OpprofParamsInt(params, "cards_limit");
    return OPPROF_OK;
}

static OpprofStatus start(void *context, OpprofError **error)
{
    Timeline *self = context;

    if (self->display_path == NULL || self->display_path[0] == '\0') {
        return OPPROF_OK;
    }
    const OpprofStatus status = DisplayLoad(self->display_path, &self->display, error);
    if (status != OPPROF_OK) {
        return status;
    }
    self->has_display = true;
    if (self->display.is_over) {
        OpprofStageIncomplete(self->stage, "'%s' has more than %u names: none is used",
                              self->display_path, DISPLAY_MAX_NAMES);
    } else if (self->display.skipped > 0) {
        OpprofStageIncomplete(
            self->stage, "%zu %s in '%s' %s left out: the number or text is wrong",
            self->display.skipped, OPPROF_PLURAL(self->display.skipped, "name", "names"),
            self->display_path, OPPROF_PLURAL(self->display.skipped, "is", "are"));
    }
    return OPPROF_OK;
}

/* ---- documents ---- */

/* NULL: it cannot be read, which is reported. */
static OpprofSource *open_kernel(const Timeline *self, const char *path,
                                 const OpprofSourceOptions *options)
{
    OpprofSource *source = NULL;
    OpprofError *error = NULL;

    if (OpprofSourceOpen(path, options, &source, &error) != OPPROF_OK) {
        OpprofStageIncomplete(self->stage, "Launch '%s': call stacks are missing: %s",
                              OpprofStageString(self->stage, self->partition),
                              OpprofErrorLine(error));
    }
    OpprofErrorDestroy(error);
    return source;
}

/* The kernel in a launch's folder, under the names that chips use; NULL: missing. */
static OpprofSource *open_beside(const Timeline *self, const char *folder,
                                 const OpprofSourceOptions *options)
{
    const char *const *names = NULL;
    const size_t count = OpprofRawPatterns("auto", "code", &names);
    OpprofSource *source = NULL;

    for (size_t i = 0; source == NULL && i < count; i++) {
        char *path = NULL;
        if (strpbrk(names[i], "*?[") != NULL) {
            continue; /* of many, which one to open would be unclear */
        }
        if (asprintf(&path, "%s/%s/%s%s", self->input,
                     OpprofStageString(self->stage, self->partition), folder, names[i]) < 0) {
            return NULL;
        }
        if (access(path, F_OK) == 0) {
            source = open_kernel(self, path, options);
        }
        free(path);
    }
    return source;
}

/* The kernel's file: as given, or beside the launch's raw files. */
static OpprofSource *open_source(Timeline *self, uint64_t start_pc)
{
    const char *const folders[] = { "", "dump/" };
    const OpprofSourceOptions options = { .start_pc = start_pc, .toolkit = TOOLKIT };
    OpprofSource *source = NULL;

    if (start_pc == OPPROF_NA_U64) {
        return NULL;
    }
    if (self->kernel != NULL && self->kernel[0] != '\0') {
        return open_kernel(self, self->kernel, &options);
    }
    for (size_t i = 0; source == NULL && self->input != NULL && i < 2; i++) {
        source = open_beside(self, folders[i], &options);
    }
    return source;
}

static OpprofStatus end_launch(Timeline *self)
{
    OpprofStatus status = OPPROF_OK;

    if (self->document != NULL) {
        status = SheetPush(&self->drawing.sheet, true);
    }
    SheetFinish(&self->drawing.sheet);
    OpprofSourceClose(self->drawing.source);
    free(self->document);
    self->document = NULL;
    self->drawing = (Drawing){ .prefix = "" };
    self->partition = 0;
    return status;
}

static OpprofStatus begin_launch(Timeline *self, const OpprofBatch *batch, OpprofError **error)
{
    const Mc2Event *facts = OpprofBatchRecord(batch, 0);
    const OpprofClock *clock = OpprofStageClockInfo(self->stage, batch->clock);
    OpprofStatus status = end_launch(self);

    if (status != OPPROF_OK) {
        return status;
    }
    self->partition = batch->partition;
    self->document =
        OpprofLaunchPath(self->stage, facts->device, facts->kernel, facts->order, "trace");
    if (self->document == NULL) {
        return no_memory(error);
    }
    self->launches++;
    self->is_plain = strcmp(OpprofStageString(self->stage, facts->name), "plain") == 0;
    self->drawing = (Drawing){
        .prefix = "",
        .display = self->has_display && self->is_plain ? &self->display : NULL,
        .source = open_source(self, facts->kind == MC2_LAUNCH ? facts->pc : OPPROF_NA_U64),
        .has_addresses = facts->kind == MC2_LAUNCH && facts->pc != OPPROF_NA_U64,
        .hz = clock == NULL ? 1 : clock->hz,
    };
    SheetInit(&self->drawing.sheet, self->stage, OUTPUT_SPANS, self->document);
    SheetSetClock(&self->drawing.sheet, batch->clock);
    return OPPROF_OK;
}

static OpprofStatus process(void *context, uint32_t port, const OpprofBatch *batch,
                            OpprofError **error)
{
    Timeline *self = context;
    OpprofStatus status = OPPROF_OK;

    (void) port;
    if (batch->count == 0) {
        return OPPROF_OK;
    }
    if (self->document == NULL || batch->partition != self->partition) {
        status = begin_launch(self, batch, error);
    }
    for (uint32_t i = 0; status == OPPROF_OK && i < batch->count; i++) {
        const Mc2Event *event = OpprofBatchRecord(batch, i);
        DrawEvent(&self->drawing, event);
        status = self->drawing.sheet.status;
        if (event->device != OPPROF_NA_STRING && !CardsAdd(&self->cards, self->drawing.hz, event)) {
            return no_memory(error);
        }
    }
    if (status == OPPROF_OK && batch->watermark == UINT64_MAX) {
        status = end_launch(self);
    }
    return OpprofErrorExplain(error, status, "Cannot draw launch '%s'",
                              OpprofStageString(self->stage, batch->partition));
}

/* ---- several cards ---- */

static double rounded_us(double ns)
{
    return round(ns) / 1000.0;
}

static OpprofStatus put_clocks(Timeline *self, const CardGroup *group, const Alignment *list,
                               uint32_t count, OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;

    for (uint32_t i = 0; status == OPPROF_OK && i < count; i++) {
        const char *how = AlignHowName(list[i].how);
        const ClockRow row = { .kernel = group->kernel,
                               .order = group->order,
                               .card = group->cards[i].device,
                               .reference = group->cards[0].device,
                               .offset_us = rounded_us(list[i].offset_ns),
                               .error_us = list[i].error_ns < 0 ? OpprofNaF64()
                                                                : rounded_us(list[i].error_ns),
                               .notices = list[i].notices,
                               .collectives = list[i].barriers,
                               .how = OpprofStageIntern(self->stage, how, strlen(how)) };
        status = OpprofStageAppend(self->stage, OUTPUT_CLOCKS, 0, &row);
    }
    return status == OPPROF_E_MEMORY ? no_memory(error) : status;
}

/* Evidence that was ignored for clocks. */
static void warn_of_clues(const Timeline *self, const CardClues *clues)
{
    if (clues->unmatched > 0) {
        OpprofStageWarn(self->stage,
                        "%" PRIu64 " %s ignored for the clocks: the other half is missing",
                        clues->unmatched,
                        OPPROF_PLURAL(clues->unmatched, "notice between ranks is",
                                      "notices between ranks are"));
    }
    if (clues->uneven > 0) {
        OpprofStageWarn(
            self->stage, "%" PRIu64 " %s ignored for the clocks: not every rank has one of each",
            clues->uneven, OPPROF_PLURAL(clues->uneven, "collective is", "collectives are"));
    }
    if (clues->is_contradiction) {
        OpprofStageWarn(self->stage,
                        "Collectives contradict each other or the notices between ranks: clocks "
                        "are aligned without them");
    }
}

static bool is_bounded(AlignHow how)
{
    return how == ALIGN_NOTICES || how == ALIGN_BARRIERS || how == ALIGN_BOTH;
}

/* Alignments that are not bounded on both sides. */
static void warn_of_clocks(const Timeline *self, const CardGroup *group, const Alignment *list,
                           uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        if (!is_bounded(list[i].how)) {
            OpprofStageWarn(
                self->stage,
                "The clock of '%s' is aligned with that of '%s' by %s: the error is %s",
                OpprofStageString(self->stage, group->cards[i].device),
                OpprofStageString(self->stage, group->cards[0].device), AlignHowName(list[i].how),
                list[i].how == ALIGN_CONFLICT ? "at least that of the contradiction" : "not known");
        }
    }
    if (group->count > count) {
        OpprofStageIncomplete(self->stage, "%zu %s not shown beside the others: the limit is %u",
                              group->count - count,
                              OPPROF_PLURAL(group->count - count, "rank is", "ranks are"),
                              ALIGN_MAX_CARDS);
    }
}

/* Picoseconds from the first card's clock to this one's; clocks too far apart for one timeline
 * start together. */
static int64_t offset_of(Timeline *self, const Card *card, double ns)
{
    if (fabs(ns) < MOST_OFFSET_NS) {
        return (int64_t) round(ns * PS_PER_NS);
    }
    OpprofStageIncomplete(self->stage,
                          "The clock of '%s' is more than 50 days from that of the first rank: it "
                          "is not drawn where it belongs",
                          OpprofStageString(self->stage, card->device));
    return 0;
}

static OpprofStatus draw_card(Timeline *self, const Card *card, const Alignment *alignment,
                              double base_ns, Drawing *drawing, OpprofError **error)
{
    const OpprofClock clock = { .name = OpprofStageString(self->stage, card->device),
                                .hz = card->hz,
                                .offset_ps =
                                    offset_of(self, card, alignment->offset_ns - base_ns) };
    char *prefix = NULL;

    if (asprintf(&prefix, "%s ", OpprofStageString(self->stage, card->device)) < 0) {
        return no_memory(error);
    }
    drawing->prefix = prefix;
    drawing->hz = card->hz;
    SheetSetClock(&drawing->sheet, OpprofStageClock(self->stage, &clock));
    for (size_t i = 0; drawing->sheet.status == OPPROF_OK && i < card->count; i++) {
        const Mc2Event *event = &card->events[i];
        if (event->kind == MC2_LAUNCH) {
            drawing->has_addresses = event->pc != OPPROF_NA_U64;
            drawing->display =
                self->has_display &&
                        strcmp(OpprofStageString(self->stage, event->name), "plain") == 0
                    ? &self->display
                    : NULL;
        }
        DrawEvent(drawing, event);
    }
    free(prefix);
    return drawing->sheet.status;
}

static OpprofStatus draw_group(Timeline *self, const CardGroup *group, const Alignment *list,
                               uint32_t count, OpprofError **error)
{
    const bool is_only = self->cards.count == 1;
    char *document =
        OpprofLaunchPath(self->stage, OPPROF_NA_STRING, is_only ? OPPROF_NA_STRING : group->kernel,
                         is_only ? OPPROF_NA_STRING : group->order, "trace");
    Drawing drawing = { .prefix = "" };
    OpprofStatus status = OPPROF_OK;
    double base_ns = 0;

    if (document == NULL) {
        return no_memory(error);
    }
    for (uint32_t i = 0; i < count; i++) {
        base_ns = list[i].offset_ns < base_ns ? list[i].offset_ns : base_ns;
    }
    SheetInit(&drawing.sheet, self->stage, OUTPUT_CARDS, document);
    for (uint32_t i = 0; status == OPPROF_OK && i < count; i++) {
        status = draw_card(self, &group->cards[i], &list[i], base_ns, &drawing, error);
    }
    status = status == OPPROF_OK ? SheetPush(&drawing.sheet, true) : status;
    SheetFinish(&drawing.sheet);
    free(document);
    return status;
}

static OpprofStatus show_group(Timeline *self, const CardGroup *group, OpprofError **error)
{
    const uint32_t count =
        group->count < ALIGN_MAX_CARDS ? (uint32_t) group->count : ALIGN_MAX_CARDS;
    Alignment list[ALIGN_MAX_CARDS];
    CardClues clues;

    if (count < 2) {
        return OPPROF_OK;
    }
    if (!CardGroupAlign(group, list, &clues)) {
        return no_memory(error);
    }
    warn_of_clues(self, &clues);
    warn_of_clocks(self, group, list, count);
    OpprofStatus status = put_clocks(self, group, list, count, error);
    if (status == OPPROF_OK && OpprofStageHasReader(self->stage, OUTPUT_CARDS)) {
        status = draw_group(self, group, list, count, error);
    }
    return status;
}

static OpprofStatus flush(void *context, OpprofError **error)
{
    Timeline *self = context;
    OpprofStatus status = end_launch(self);

    for (size_t i = 0; status == OPPROF_OK && i < self->cards.count; i++) {
        status = show_group(self, &self->cards.groups[i], error);
    }
    OpprofLog(OPPROF_LOG_INFO, OpprofStageId(self->stage),
              "Drew launches: %" PRIu64 ", of several ranks: %zu", self->launches,
              self->cards.count);
    if (self->cards.left > 0) {
        OpprofStageIncomplete(self->stage,
                              "%" PRIu64 " %s missing where several ranks are shown: the "
                              "limit is %" PRIu64,
                              self->cards.left,
                              OPPROF_PLURAL(self->cards.left, "event is", "events are"),
                              self->cards.limit);
    }
    return OpprofErrorExplain(error, status, "Cannot draw the timelines of launches");
}

static void destroy(void *context)
{
    Timeline *self = context;

    SheetFinish(&self->drawing.sheet);
    OpprofSourceClose(self->drawing.source);
    CardsFinish(&self->cards);
    DisplayFinish(&self->display);
    free(self->document);
    free(self);
}

static const OpprofPort inputs[] = {
    { .name = "events",
      .type = "mc2.event",
      .record_type = &mc2_event_type,
      .summary = "What happened in each launch, launch after launch." },
};

static const OpprofPort outputs[] = {
    [OUTPUT_SPANS] = { .name = "spans",
                       .record_type = &opprof_span_type,
                       .summary = "One document per launch: '<device>/<kernel>/<order>/trace', "
                                  "without the parts that all launches share." },
    [OUTPUT_CARDS] = { .name = "cards",
                       .record_type = &opprof_span_type,
                       .summary = "The ranks of a launch side by side, clocks aligned: 'trace', or "
                                  "'<kernel>/<order>/trace' if there are several operators." },
    [OUTPUT_CLOCKS] = { .name = "clocks",
                        .record_type = &clock_type,
                        .batch_records = ALIGN_MAX_CARDS,
                        .summary = "One row per rank: how its clock was aligned." },
};

static const OpprofParam params[] = {
    { .name = "input",
      .type = OPPROF_PARAM_PATH,
      .summary = "The collector's input, where the kernels' files are looked for." },
    { .name = "kernel",
      .type = OPPROF_PARAM_PATH,
      .summary = "ELF file of the kernel, for call stacks; aicore_binary.o beside the raw files "
                 "unless given." },
    { .name = "display",
      .type = OPPROF_PARAM_PATH,
      .summary = "JSON file that names users' marks; for operators that do not communicate." },
    { .name = "cards_limit",
      .type = OPPROF_PARAM_INT,
      .default_value = "4000000",
      .min = 0,
      .max = 1e9,
      .unit = "events",
      .summary = "Number of events that are held to show several ranks together, 168 bytes each." },
};

static const OpprofPluginOps ops = {
    .struct_size = sizeof(OpprofPluginOps),
    .create = create,
    .configure = configure,
    .start = start,
    .process = process,
    .flush = flush,
    .destroy = destroy,
};

OPPROF_PLUGIN_DEFINE(
        .name = "mc2-timeline", .version = "1.0", .license = "Apache-2.0",
        .summary = "Draws blocks, marks, turns of the AI CPU and tasks of streams of each launch.",
        .help = "The clocks of ranks are aligned by their notices: a wait does not end before the "
                "notice was sent, and a rank does not leave a collective before all entered it. "
                "Notices "
                "in both directions and collectives bound the difference of two clocks from both "
                "sides; "
                "the middle is taken, half the distance is the error.",
        .kind = OPPROF_ANALYSIS, .inputs = inputs, .input_count = OPPROF_COUNT(inputs),
        .outputs = outputs, .output_count = OPPROF_COUNT(outputs), .params = params,
        .param_count = OPPROF_COUNT(params), .ops = &ops);
