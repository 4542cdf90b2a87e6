/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dbi-hotspot: where a kernel that ran on a device spent its work, by instruction and by source
 * line. Tested by tests/plugins/parse-dbi/test_hot_spots.sh.
 */
#include "kernel_file.h"
#include "hot_spot_rows.h"

#include <opprof/kit/raw_names.h>
#include <opprof/log.h>
#include <opprof/plugin.h>
#include <opprof/records/hotspot.h>
#include <opprof/records/onboard.h>

#include <inttypes.h>
#include <opprof/text.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ANY_CHIP "auto" /* file names are the same for all chips */

enum { INPUT_CHUNKS, INPUT_BLOCKS, INPUT_SAMPLES, INPUT_REGISTERS, INPUT_MOVES };

/* A launch whose records are arriving. */
typedef struct HotLaunch {
    struct HotLaunch *next;
    SpotPlace place;
    Spots spots;
    KernelFile kernel;
    uint32_t kernel_name; /* of its file, interned; absent: none arrived */
    char start[32];       /* text of the file that says where the code was loaded */
    size_t start_length;
} HotLaunch;

typedef struct Hotspot {
    OpprofStage *stage;
    const char *kernel;  /* parameter, or NULL */
    const char *objdump; /* the same */
    OpprofSpool spool;
    HotLaunch *launches; /* latest first */
    uint64_t taken;      /* launches with instructions that ran */
} Hotspot;

static OpprofStatus no_memory(OpprofError **error)
{
    return OpprofErrorNoMemory(error, "join hot spots");
}

static OpprofStatus create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    return OpprofInstanceCreate(stage, sizeof(Hotspot), ret_self, error);
}

static OpprofStatus configure(void *context, const OpprofParams *params, OpprofError **error)
{
    Hotspot *self = context;

    (void) error;
    self->kernel = OpprofParamsString(params, "kernel");
    self->objdump = OpprofParamsString(params, "objdump");
    return OPPROF_OK;
}

/* ---- coming in ---- */

static HotLaunch *find_launch(Hotspot *self, uint32_t partition)
{
    HotLaunch *launch = self->launches;

    while (launch != NULL && launch->place.partition != partition) {
        launch = launch->next;
    }
    if (launch == NULL) {
        launch = calloc(1, sizeof *launch);
        if (launch != NULL) {
            launch->place = (SpotPlace){ .stage = self->stage,
                                         .partition = partition,
                                         .start_pc = OPPROF_NA_U64 };
            launch->next = self->launches;
            self->launches = launch;
        }
    }
    return launch;
}

static void drop_launch(Hotspot *self)
{
    HotLaunch *launch = self->launches;

    self->launches = launch->next;
    SpotsFinish(&launch->spots);
    KernelFileFinish(&launch->kernel);
    ListingFinish(&launch->place.listing);
    free(launch);
}

static void take_start(HotLaunch *launch, const char *bytes, size_t length)
{
    const size_t room = sizeof launch->start - 1 - launch->start_length;
    const size_t taken = length < room ? length : room;

    memcpy(launch->start + launch->start_length, bytes, taken);
    launch->start_length += taken;
}

/* Hexadecimal; 0 and texts that are not numbers mean unknown. */
static uint64_t start_of(const HotLaunch *launch)
{
    char *end = NULL;
    const uint64_t start = strtoull(launch->start, &end, 16);

    return end == launch->start || strchr("\r\n", *end) == NULL || start == 0 ? OPPROF_NA_U64
                                                                              : start;
}

/* Only the first kernel file of a launch counts. */
static bool is_kernel(HotLaunch *launch, const OpprofOnboardChunk *chunk, const char *name)
{
    const char *role = OpprofRawRole(ANY_CHIP, name, NULL);

    if (role == NULL || strcmp(role, "code") != 0) {
        return false;
    }
    if (launch->kernel_name == OPPROF_NA_STRING) {
        launch->kernel_name = chunk->file;
    }
    return launch->kernel_name == chunk->file;
}

static OpprofStatus take_chunk(Hotspot *self, HotLaunch *launch, const OpprofBatch *batch,
                               const OpprofOnboardChunk *chunk, OpprofError **error)
{
    const char *bytes = OpprofBatchText(batch, chunk->bytes);
    const char *name = OpprofStageString(self->stage, chunk->file);

    launch->place.device = chunk->device;
    launch->place.kernel = chunk->kernel;
    launch->place.order = chunk->order;
    if (chunk->file == OPPROF_NA_STRING || bytes == NULL) {
        return OPPROF_OK;
    }
    const char *role = OpprofRawRole("auto", name, NULL);
    if (role != NULL && strcmp(role, "code_start") == 0) {
        take_start(launch, bytes, chunk->bytes.length);
    } else if (self->kernel == NULL && is_kernel(launch, chunk, name)) {
        return KernelFileAdd(&launch->kernel, &self->spool, OpprofStageOutput(self->stage), bytes,
                             chunk->bytes.length, error);
    }
    return OPPROF_OK;
}

static OpprofStatus take(Hotspot *self, HotLaunch *launch, uint32_t port, const OpprofBatch *batch,
                         const void *record, OpprofError **error)
{
    bool is_good = true;

    switch (port) {
    case INPUT_CHUNKS:
        return take_chunk(self, launch, batch, record, error);
    case INPUT_BLOCKS:
        is_good = SpotsAddBlock(&launch->spots, record);
        break;
    case INPUT_SAMPLES:
        is_good = SpotsAddSample(&launch->spots, record);
        break;
    case INPUT_REGISTERS:
        is_good = SpotsAddRegister(&launch->spots, record);
        break;
    default:
        is_good = SpotsAddMoves(&launch->spots, record);
        break;
    }
    return is_good ? OPPROF_OK : no_memory(error);
}

static OpprofStatus process(void *context, uint32_t port, const OpprofBatch *batch,
                            OpprofError **error)
{
    Hotspot *self = context;
    HotLaunch *launch = find_launch(self, batch->partition);
    OpprofStatus status = launch == NULL ? no_memory(error) : OPPROF_OK;

    for (uint32_t i = 0; status == OPPROF_OK && i < batch->count; i++) {
        status = take(self, launch, port, batch, OpprofBatchRecord(batch, i), error);
    }
    return status;
}

/* ---- results ---- */

static OpprofStatus open_source(Hotspot *self, const HotLaunch *launch, int *ret_fd,
                                OpprofSource **ret_source, OpprofError **error)
{
    const OpprofSourceOptions options = { .toolkit = "ascend-toolkit" };
    const char *name = launch->kernel_name == OPPROF_NA_STRING
                           ? OpprofStageString(self->stage, launch->place.partition)
                           : OpprofStageString(self->stage, launch->kernel_name);
    OpprofError *why = NULL;
    OpprofStatus status;

    *ret_fd = -1;
    *ret_source = NULL;
    status = self->kernel != NULL
                 ? OpprofSourceOpen(self->kernel, &options, ret_source, &why)
                 : KernelFileOpen(&launch->kernel, &self->spool, name, ret_fd, ret_source, &why);
    if (status == OPPROF_E_NOT_FOUND) {
        char missing[128];

        OpprofRawFileName(ANY_CHIP, "code", 0, missing, sizeof missing);
        OpprofStageWarn(self->stage,
                        "Launch '%s': source lines are unknown: its kernel, '%s', is not there",
                        OpprofStageString(self->stage, launch->place.partition), missing);
    } else if (status != OPPROF_OK && status != OPPROF_E_MEMORY) {
        OpprofStageIncomplete(self->stage, "Launch '%s': source lines are unknown: %s",
                              OpprofStageString(self->stage, launch->place.partition),
                              OpprofErrorLine(why));
    } else if (status == OPPROF_OK && !OpprofSourceHasLines(*ret_source)) {
        OpprofStageWarn(self->stage,
                        "Launch '%s': source lines are unknown: its kernel has no debug "
                        "information (compile it with -g)",
                        OpprofStageString(self->stage, launch->place.partition));
    }
    if (status == OPPROF_E_MEMORY) {
        OpprofErrorPass(error, why);
        return status;
    }
    OpprofErrorDestroy(why);
    return OPPROF_OK;
}

/* Without instruction names the other results are still complete. */
static OpprofStatus disassemble(const Hotspot *self, HotLaunch *launch, int fd, OpprofError **error)
{
    OpprofError *why = NULL;
    OpprofStatus status = OPPROF_OK;

    if (self->objdump != NULL && (fd >= 0 || self->kernel != NULL)) {
        status = ListingRun(
            &launch->place.listing, self->stage,
            &(ListingKernel){ .tool = self->objdump, .path = self->kernel, .fd = fd }, &why);
    }
    if (status != OPPROF_OK && status != OPPROF_E_MEMORY) {
        OpprofStageIncomplete(self->stage, "Launch '%s': names of instructions are unknown: %s",
                              OpprofStageString(self->stage, launch->place.partition),
                              OpprofErrorLine(why));
    }
    if (status == OPPROF_E_MEMORY) {
        OpprofErrorPass(error, why);
        return status;
    }
    OpprofErrorDestroy(why);
    return OPPROF_OK;
}

static void report_problems(const Hotspot *self, const HotLaunch *launch, OpprofSource *source)
{
    const char *place = OpprofStageString(self->stage, launch->place.partition);
    const Spots *spots = &launch->spots;
    const char *problem = source == NULL ? NULL : OpprofSourceProblem(source);

    if (spots->is_cut) {
        OpprofStageIncomplete(self->stage,
                              "Launch '%s': its blocks span more code than any kernel has: hot "
                              "spots are of the first %" PRIu64 " addresses",
                              place, SPOTS_MAX_PCS);
    }
    if (spots->lost_samples > spots->all_samples / 2) {
        OpprofStageIncomplete(self->stage,
                              "Launch '%s': %" PRIu64 " of %" PRIu64
                              " samples are of addresses outside of the kernel's code, so the "
                              "others may lie at wrong addresses as well: what 'pc_start_*.txt' "
                              "and 'PcOffset.bin' state may be of another launch",
                              place, spots->lost_samples, spots->all_samples);
    } else if (spots->lost_samples > 0) {
        OpprofStageWarn(self->stage,
                        "Launch '%s': %" PRIu64
                        " %s outside of the kernel's code: counted for the launch only",
                        place, spots->lost_samples,
                        OPPROF_PLURAL(spots->lost_samples, "sample is of an address",
                                      "samples are of addresses"));
    }
    if (spots->lost_moves > 0) {
        OpprofStageIncomplete(
            self->stage,
            "Launch '%s': %" PRIu64
            " %s outside of the kernel's blocks and not among the hot spots; the block map, "
            "'kernel*.o.bbbmap.*', may be cut",
            place, spots->lost_moves,
            OPPROF_PLURAL(spots->lost_moves, "instruction that moved data lies",
                          "instructions that moved data lie"));
    }
    if (problem != NULL) {
        OpprofStageIncomplete(self->stage, "Launch '%s': source lines may be missing: %s", place,
                              problem);
    }
}

/* Traffic alone is already in the tables of the L2 cache; a kernel adds source lines. */
static bool has_hot_spots(const Hotspot *self, const HotLaunch *launch)
{
    const Spots *spots = &launch->spots;
    const bool has_kernel = launch->kernel.count > 0 || self->kernel != NULL;

    return spots->block_count > 0 || spots->sample_count > 0 || spots->register_count > 0 ||
           (has_kernel && spots->move_count > 0);
}

static OpprofStatus finish_launch(Hotspot *self, HotLaunch *launch, OpprofError **error)
{
    SpotLines lines = { .count = 0 };
    OpprofSource *source = NULL;
    int fd = -1;

    if (!has_hot_spots(self, launch)) {
        return OPPROF_OK;
    }
    launch->place.start_pc = start_of(launch);
    OpprofStatus status = open_source(self, launch, &fd, &source, error);
    if (status == OPPROF_OK) {
        status = disassemble(self, launch, fd, error);
    }
    if (status == OPPROF_OK &&
        (!SpotsJoin(&launch->spots) || !SpotLinesFind(&lines, &launch->spots, source))) {
        status = no_memory(error);
    }
    if (status == OPPROF_OK) {
        report_problems(self, launch, source);
        self->taken++;
        status = SpotRowsEmit(&launch->place, &launch->spots, &lines, source);
        status = status == OPPROF_E_MEMORY ? no_memory(error) : status;
    }
    SpotLinesFinish(&lines);
    OpprofSourceClose(source);
    if (fd >= 0) {
        close(fd);
    }
    return status;
}

/* The latest launch is first in the list. */
static void turn_around(Hotspot *self)
{
    HotLaunch *turned = NULL;

    while (self->launches != NULL) {
        HotLaunch *launch = self->launches;
        self->launches = launch->next;
        launch->next = turned;
        turned = launch;
    }
    self->launches = turned;
}

static OpprofStatus flush(void *context, OpprofError **error)
{
    Hotspot *self = context;
    OpprofStatus status = OPPROF_OK;

    turn_around(self);
    while (status == OPPROF_OK && self->launches != NULL) {
        status = finish_launch(self, self->launches, error);
        OpprofErrorExplain(error, status, "Cannot find the hot spots of launch '%s'",
                           OpprofStageString(self->stage, self->launches->place.partition));
        drop_launch(self);
    }
    OpprofLog(OPPROF_LOG_INFO, OpprofStageId(self->stage), "Found hot spots: launches=%" PRIu64,
              self->taken);
    return status;
}

static void destroy(void *context)
{
    Hotspot *self = context;

    while (self->launches != NULL) {
        drop_launch(self);
    }
    OpprofSpoolFinish(&self->spool);
    free(self);
}

static const OpprofPort inputs[] = {
    [INPUT_CHUNKS] = { .name = "chunks",
                       .type = "onboard.chunk",
                       .record_type = &opprof_onboard_chunk_type,
                       .summary = "Raw files of launches; only the kernel is used." },
    [INPUT_BLOCKS] = { .name = "blocks",
                       .type = "dbi.block",
                       .record_type = &opprof_dbi_block_type,
                       .flags = OPPROF_PORT_OPTIONAL,
                       .summary = "Basic blocks and their counts." },
    [INPUT_SAMPLES] = { .name = "samples",
                        .type = "dbi.sample",
                        .record_type = &opprof_dbi_sample_type,
                        .flags = OPPROF_PORT_OPTIONAL,
                        .summary = "Samples of program counters." },
    [INPUT_REGISTERS] = { .name = "registers",
                          .type = "dbi.register",
                          .record_type = &opprof_dbi_register_type,
                          .flags = OPPROF_PORT_OPTIONAL,
                          .summary = "Registers in use." },
    [INPUT_MOVES] = { .name = "moves",
                      .type = "dbi.pc",
                      .record_type = &opprof_dbi_pc_type,
                      .flags = OPPROF_PORT_OPTIONAL,
                      .summary = "Bytes and L2 hits of instructions." },
};

static const OpprofPort outputs[] = {
    [OUTPUT_ADDRESSES] = { .name = "addresses",
                           .record_type = &opprof_hot_address_type,
                           .summary = "Instructions, with all that is known about them." },
    [OUTPUT_LINES] = { .name = "lines",
                       .record_type = &opprof_hot_line_type,
                       .summary = "Addresses of the source lines." },
    [OUTPUT_SAMPLES] = { .name = "samples",
                         .record_type = &opprof_hot_sample_type,
                         .summary = "What threads waited for, by address." },
    [OUTPUT_REGISTERS] = { .name = "registers",
                           .record_type = &opprof_hot_register_type,
                           .summary = "Registers in use, by address." },
    [OUTPUT_INSTRUCTION_ROWS] = { .name = "instruction-table",
                                  .record_type = &dbi_hot_instruction_type,
                                  .summary = "Instructions, by address." },
    [OUTPUT_LINE_ROWS] = { .name = "line-table",
                           .record_type = &dbi_hot_line_type,
                           .summary = "Source lines, most executions first." },
    [OUTPUT_STALL_ROWS] = { .name = "stalls",
                            .record_type = &dbi_stall_type,
                            .summary = "Stall reasons by source line, most samples first." },
};

static const OpprofParam params[] = {
    { .name = "kernel",
      .type = OPPROF_PARAM_PATH,
      .summary =
          "ELF file of the kernel, for its source lines; that of each launch unless given." },
    { .name = "objdump",
      .type = OPPROF_PARAM_STRING,
      .summary = "Program that disassembles the kernel and takes the options of llvm-objdump: the "
                 "vendor's, or a path to it. Default: instructions have no names." },
};

static const OpprofPluginOps ops = {
    .struct_size = sizeof(OpprofPluginOps),
    .create = create,
    .configure = configure,
    .process = process,
    .flush = flush,
    .destroy = destroy,
};

OPPROF_PLUGIN_DEFINE(
        .name = "dbi-hotspot", .version = "1.0", .license = "Apache-2.0",
        .summary = "Joins counts, samples, registers and traffic by instruction and source line.",
        .help = "An instruction ran as often as its basic block. Lines come from the DWARF of the "
                "kernel's ELF file, with inlined calls: an instruction counts for its own line and "
                "for the lines it was inlined into. Lines of the toolkit (paths with "
                "ascend-toolkit) do not count.",
        .kind = OPPROF_ANALYSIS, .flags = OPPROF_PLUGIN_PARTITIONED, .inputs = inputs,
        .input_count = OPPROF_COUNT(inputs), .outputs = outputs,
        .output_count = OPPROF_COUNT(outputs), .params = params,
        .param_count = OPPROF_COUNT(params), .ops = &ops);
