/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The files that say how often a launch's code ran, what it waited for and which registers it used.
 * Tested by tests/plugins/parse-dbi/test_hot_spots.sh.
 */
#include "code_launch.h"

#include <opprof/grow.h>
#include <opprof/kit/bytes.h>
#include <opprof/kit/raw_names.h>
#include <opprof/log.h>
#include <opprof/text.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define ANY_CHIP "auto" /* blocks and samples do not depend on the chip */

#define HELD_MAX (UINT64_C(256) << 20) /* of a map or a liveness file: more than for any code */

static OpprofStatus no_memory(OpprofError **error)
{
    return OpprofErrorNoMemory(error, "read counts of instructions");
}

static const char *place_of(const CodeLaunch *launch)
{
    return OpprofStageString(launch->stage, launch->partition);
}

static const char *file_of(const CodeLaunch *launch)
{
    return OpprofStageString(launch->stage, launch->file);
}

CodeLaunch *CodeLaunchCreate(OpprofStage *stage, uint32_t partition)
{
    CodeLaunch *launch = calloc(1, sizeof *launch);

    if (launch != NULL) {
        launch->stage = stage;
        launch->partition = partition;
    }
    return launch;
}

void CodeLaunchFree(CodeLaunch *launch)
{
    if (launch != NULL) {
        BlockMapFinish(&launch->map);
        SamplesFinish(&launch->samples);
        LivenessFinish(&launch->liveness);
        free(launch->held);
        free(launch);
    }
}

/* ---- kinds of files ---- */

static CodeFile kind_of(const char *name)
{
    static const struct {
        const char *role;
        CodeFile kind;
    } kinds[] = {
        { "info", CODE_FILE_INFO },
        { "code_start", CODE_FILE_START },
        { "sample_start", CODE_FILE_SAMPLE_START },
        { "sample_stub", CODE_FILE_STUB },
        { "block_map", CODE_FILE_MAP },
        { "block_counts", CODE_FILE_COUNTS },
        { "counted", CODE_FILE_COUNTED },
        { "samples", CODE_FILE_SAMPLES },
        { "liveness", CODE_FILE_LIVENESS },
    };
    const char *role = OpprofRawRole(ANY_CHIP, name, NULL);

    for (size_t i = 0; role != NULL && i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strcmp(kinds[i].role, role) == 0) {
            return kinds[i].kind;
        }
    }
    return CODE_FILE_OTHER;
}

static bool has_seen(const CodeLaunch *launch, CodeFile kind)
{
    return (launch->seen >> kind & 1) != 0;
}

static bool flag_of(const CodeLaunch *launch, const char *fact)
{
    size_t length = 0;
    const char *value = DbiValueOf(&launch->info, ANY_CHIP, fact, &length);

    return value != NULL && length == 1 && value[0] == '1';
}

/* Code of operators that communicate is never instrumented. */
static bool is_refused(CodeLaunch *launch)
{
    if (flag_of(launch, "mc2") || flag_of(launch, "lccl")) {
        OpprofStageWarn(launch->stage,
                        "Launch '%s': '%s' is of an operator that communicates, skipping it",
                        place_of(launch), file_of(launch));
        return true;
    }
    if (launch->kind != CODE_FILE_SAMPLES && has_seen(launch, launch->kind)) {
        OpprofStageIncomplete(
            launch->stage,
            "Launch '%s': '%s' is left out: another file of its kind was read already",
            place_of(launch), file_of(launch));
        return true;
    }
    if (launch->kind == CODE_FILE_COUNTS && !has_seen(launch, CODE_FILE_MAP)) {
        OpprofStageIncomplete(launch->stage,
                              "Launch '%s': '%s' is left out: no file 'kernel*.o.bbbmap.*' says to "
                              "which blocks its counters belong",
                              place_of(launch), file_of(launch));
        return true;
    }
    return false;
}

static void begin_kind(CodeLaunch *launch)
{
    if (launch->kind < CODE_FILE_MAP) {
        launch->seen |= 1u << launch->kind;
        return;
    }
    if (is_refused(launch)) {
        launch->kind = CODE_FILE_REFUSED;
        return;
    }
    launch->seen |= 1u << launch->kind;
    launch->held_length = 0;
    launch->is_too_long = false;
    if (launch->kind == CODE_FILE_COUNTS) {
        CountsBegin(&launch->counts, &launch->map);
    } else if (launch->kind == CODE_FILE_SAMPLES) {
        SamplesBeginFile(&launch->samples);
    }
}

/* ---- ends of files ---- */

static void tell_cut_line(const CodeLaunch *launch)
{
    OpprofStageIncomplete(launch->stage,
                          "Launch '%s': '%s' ends within a line, which is left out: the file looks "
                          "truncated",
                          place_of(launch), file_of(launch));
}

static OpprofStatus end_map(CodeLaunch *launch)
{
    BlockMap *map = &launch->map;

    launch->map_file = launch->file;
    if (!BlockMapRead(map, launch->held, launch->held_length)) {
        return OPPROF_E_MEMORY;
    }
    if (map->bad_lines > 0) {
        OpprofStageIncomplete(launch->stage,
                              "Launch '%s': '%s' line %" PRIu64
                              ": it names no function, start or block that can be; %" PRIu64
                              " such %s left out",
                              place_of(launch), file_of(launch), map->first_bad, map->bad_lines,
                              OPPROF_PLURAL(map->bad_lines, "line is", "lines are"));
    }
    if (map->is_cut) {
        tell_cut_line(launch);
    }
    if (map->block_count == 0) {
        OpprofStageIncomplete(launch->stage, "Launch '%s': '%s' names no basic block",
                              place_of(launch), file_of(launch));
    }
    return OPPROF_OK;
}

/* Whole counters of fewer cores than the launch has: its blocks have three cores each, whether those run something or not. */
static void tell_cores(CodeLaunch *launch)
{
    const uint64_t cores =
        launch->counts.unit == 0 ? 0 : launch->counts.position / launch->counts.unit;
    const uint64_t blocks = DbiBlockDim(&launch->info, ANY_CHIP);
    const uint64_t wanted = blocks == OPPROF_NA_U64 ? 0 : blocks * COUNT_UNITS_BLOCK;

    if (cores > COUNT_UNITS_MAX) {
        OpprofStageIncomplete(launch->stage,
                              "Launch '%s': '%s' holds the counters of %" PRIu64
                              " cores, more than the %u that there can be: it may have come twice",
                              place_of(launch), file_of(launch), cores, COUNT_UNITS_MAX);
    } else if (cores % COUNT_UNITS_BLOCK != 0) {
        OpprofStageIncomplete(launch->stage,
                              "Launch '%s': '%s' ends after the counters of %" PRIu64
                              " cores, within a block, which has %u: the file is cut",
                              place_of(launch), file_of(launch), cores, COUNT_UNITS_BLOCK);
    } else if (cores > 0 && cores < wanted && cores < COUNT_UNITS_MAX) {
        OpprofStageIncomplete(launch->stage,
                              "Launch '%s': '%s' ends after the counters of %" PRIu64
                              " cores, but the blocks of the launch have %" PRIu64
                              ": the file is cut",
                              place_of(launch), file_of(launch), cores,
                              wanted < COUNT_UNITS_MAX ? wanted : COUNT_UNITS_MAX);
    }
}

static void end_counts(CodeLaunch *launch)
{
    const uint64_t rest = CountsRest(&launch->counts);
    uint64_t without = 0;
    bool has_run = false;

    for (size_t i = 0; i < launch->map.block_count; i++) {
        without += launch->map.blocks[i].count == BLOCK_NO_COUNT;
        has_run |= launch->map.blocks[i].count != BLOCK_NO_COUNT && launch->map.blocks[i].count > 0;
    }
    if (launch->counts.position == 0 && launch->map.block_count > 0) {
        OpprofStageIncomplete(launch->stage, "Launch '%s': '%s' is empty", place_of(launch),
                              file_of(launch));
    } else if (rest > 0) {
        OpprofStageIncomplete(launch->stage,
                              "Launch '%s': '%s' at byte %" PRIu64
                              ": the file ends within the counters of a core: %" PRIu64
                              " of %" PRIu64 " bytes are there",
                              place_of(launch), file_of(launch), launch->counts.position - rest,
                              rest, launch->counts.unit);
    } else if (!has_run && without < launch->map.block_count) {
        OpprofStageIncomplete(launch->stage,
                              "Launch '%s': '%s' holds only zeros, though the first block of a "
                              "kernel always runs: its counters were not saved",
                              place_of(launch), file_of(launch));
    }
    if (rest == 0) {
        tell_cores(launch);
    }
    if (launch->counts.foreign > 0) {
        OpprofStageIncomplete(
            launch->stage,
            "Launch '%s': '%s' at byte %" PRIu64
            ": a counter is of no block of '%s', which may be cut; %" PRIu64 " such %s left out",
            place_of(launch), file_of(launch), launch->counts.first_foreign,
            OpprofStageString(launch->stage, launch->map_file), launch->counts.foreign,
            OPPROF_PLURAL(launch->counts.foreign, "counter is", "counters are"));
    }
    if (without > 0) {
        OpprofStageIncomplete(launch->stage,
                              "Launch '%s': '%s': %" PRIu64 " %s beyond the counters",
                              place_of(launch), file_of(launch), without,
                              OPPROF_PLURAL(without, "block has a number", "blocks have numbers"));
    }
}

static OpprofStatus end_counted(CodeLaunch *launch)
{
    CountedText found;

    if (!CountsReadText(&launch->map, launch->held, launch->held_length, &found)) {
        return OPPROF_E_MEMORY;
    }
    if (found.is_cut) {
        tell_cut_line(launch);
    }
    if (found.entries == 0) {
        OpprofStageIncomplete(launch->stage, "Launch '%s': '%s' counts no block", place_of(launch),
                              file_of(launch));
    } else if (found.unnamed > 0) {
        OpprofStageIncomplete(launch->stage,
                              "Launch '%s': '%s' lacks %" PRIu64
                              " %s that ran by the raw counters, whose counts are used",
                              place_of(launch), file_of(launch), found.unnamed,
                              OPPROF_PLURAL(found.unnamed, "block", "blocks"));
    }
    if (found.strange > 0) {
        OpprofStageIncomplete(launch->stage,
                              "Launch '%s': '%s' line %" PRIu64 ": it counts no block of the map; "
                              "%" PRIu64 " such %s left out",
                              place_of(launch), file_of(launch), found.first, found.strange,
                              OPPROF_PLURAL(found.strange, "line is", "lines are"));
    }
    if (found.differ > 0) {
        OpprofStageIncomplete(launch->stage,
                              "Launch '%s': '%s' counts %" PRIu64
                              " %s differently from the raw counters, using it: one of the two "
                              "is of another launch, or lost a part",
                              place_of(launch), file_of(launch), found.differ,
                              OPPROF_PLURAL(found.differ, "block", "blocks"));
    }
    return OPPROF_OK;
}

static void end_samples(CodeLaunch *launch)
{
    const Samples *samples = &launch->samples;
    const uint64_t rest = SamplesRest(samples);

    if (samples->position == 0) {
        OpprofStageIncomplete(launch->stage, "Launch '%s': '%s' is empty", place_of(launch),
                              file_of(launch));
    }
    if (rest > 0) {
        OpprofStageIncomplete(launch->stage,
                              "Launch '%s': '%s' at byte %" PRIu64
                              ": the file ends within a piece of samples",
                              place_of(launch), file_of(launch), samples->position - rest);
    }
    if (samples->taken == samples->taken_before && samples->position > rest &&
        samples->bad_heads == 0) {
        OpprofStageIncomplete(launch->stage,
                              "Launch '%s': '%s' holds no sample in its %" PRIu64 " bytes",
                              place_of(launch), file_of(launch), samples->position);
    }
    if (samples->again > 0) {
        OpprofStageIncomplete(launch->stage,
                              "Launch '%s': '%s' repeats the first piece of samples: the file came "
                              "twice, and its samples count twice",
                              place_of(launch), file_of(launch));
    }
    if (samples->bad_heads > 0) {
        OpprofStageIncomplete(
            launch->stage,
            "Launch '%s': '%s' at byte %" PRIu64
            ": the head of a piece of samples makes no sense; %" PRIu64 " such %s left out",
            place_of(launch), file_of(launch), samples->first_bad, samples->bad_heads,
            OPPROF_PLURAL(samples->bad_heads, "piece is", "pieces are"));
    }
    if (samples->odd > 0) {
        OpprofStageIncomplete(
            launch->stage, "Launch '%s': '%s': %" PRIu64 " %s within a sample, which is left out",
            place_of(launch), file_of(launch), samples->odd,
            OPPROF_PLURAL(samples->odd, "piece ends", "pieces end"));
    }
}

/* Totals and functions belong to the whole file: no record of an instruction has room for them. */
static void log_liveness(const CodeLaunch *launch)
{
    const Liveness *liveness = &launch->liveness;
    const char *id = OpprofStageId(launch->stage);

    for (size_t i = 0; i < liveness->kind_count; i++) {
        OpprofLog(OPPROF_LOG_DEBUG, id, "Launch '%s': registers of type %c=%" PRIu64,
                  place_of(launch), LivenessLetter(liveness->kinds[i].kind),
                  liveness->kinds[i].total);
    }
    for (size_t i = 0; i < liveness->function_count; i++) {
        const char *name = liveness->functions[i].name;
        OpprofLog(OPPROF_LOG_DEBUG, id, "Launch '%s': function '%s' starts at instruction %" PRId64,
                  place_of(launch), name == NULL ? "" : name, liveness->functions[i].start);
    }
}

static OpprofStatus end_liveness(CodeLaunch *launch)
{
    const char *why = NULL;
    size_t where = 0;
    const LivenessOutcome outcome = LivenessRead(
        &launch->liveness, (const unsigned char *) launch->held, launch->held_length, &why, &where);

    if (outcome == LIVENESS_BAD) {
        OpprofStageIncomplete(launch->stage, "Launch '%s': '%s' is left out: at byte %zu %s",
                              place_of(launch), file_of(launch), where, why);
    } else if (outcome == LIVENESS_GOOD) {
        log_liveness(launch);
    }
    return outcome == LIVENESS_NO_MEMORY ? OPPROF_E_MEMORY : OPPROF_OK;
}

static OpprofStatus end_file(CodeLaunch *launch)
{
    const CodeFile kind = launch->file == OPPROF_NA_STRING ? CODE_FILE_OTHER : launch->kind;
    OpprofStatus status = OPPROF_OK;

    if (launch->is_too_long) {
        OpprofStageIncomplete(launch->stage,
                              "Launch '%s': '%s' is left out: it is longer than 256 MiB",
                              place_of(launch), file_of(launch));
    } else if (kind == CODE_FILE_MAP) {
        status = end_map(launch);
    } else if (kind == CODE_FILE_COUNTED) {
        status = end_counted(launch);
    } else if (kind == CODE_FILE_LIVENESS) {
        status = end_liveness(launch);
    } else if (kind == CODE_FILE_COUNTS) {
        end_counts(launch);
    } else if (kind == CODE_FILE_SAMPLES) {
        end_samples(launch);
    }
    launch->file = OPPROF_NA_STRING;
    launch->kind = CODE_FILE_OTHER;
    launch->is_too_long = false;
    return status;
}

/* ---- pieces ---- */

static bool hold(CodeLaunch *launch, const char *bytes, size_t length)
{
    launch->is_too_long |= launch->held_length + length > HELD_MAX;
    if (launch->is_too_long) {
        return true;
    }
    if (!OpprofGrow(&launch->held, &launch->held_capacity, launch->held_length + length + 1, 1)) {
        return false;
    }
    memcpy(launch->held + launch->held_length, bytes, length);
    launch->held_length += length;
    return true;
}

static bool feed_file(CodeLaunch *launch, const char *bytes, size_t length)
{
    const unsigned char *raw = (const unsigned char *) bytes;

    switch (launch->kind) {
    case CODE_FILE_INFO:
        DbiTextTake(&launch->info, bytes, length);
        break;
    case CODE_FILE_START:
        DbiTextTake(&launch->start, bytes, length);
        break;
    case CODE_FILE_SAMPLE_START:
        DbiTextTake(&launch->sample_start, bytes, length);
        break;
    case CODE_FILE_STUB:
        DbiTextTake(&launch->stub, bytes, length);
        break;
    case CODE_FILE_COUNTS:
        CountsFeed(&launch->counts, raw, length);
        break;
    case CODE_FILE_SAMPLES:
        return SamplesFeed(&launch->samples, raw, length);
    case CODE_FILE_MAP:
    case CODE_FILE_COUNTED:
    case CODE_FILE_LIVENESS:
        return hold(launch, bytes, length);
    case CODE_FILE_OTHER:
    case CODE_FILE_REFUSED:
        break;
    }
    return true;
}

OpprofStatus CodeLaunchFeed(CodeLaunch *launch, const OpprofOnboardChunk *chunk, const char *bytes,
                            OpprofError **error)
{
    OpprofStatus status = OPPROF_OK;

    if (chunk->file == OPPROF_NA_STRING) {
        return OPPROF_OK;
    }
    if (chunk->offset == 0 || chunk->file != launch->file) {
        status = end_file(launch);
        launch->file = chunk->file;
        launch->kind = kind_of(file_of(launch));
        begin_kind(launch);
    }
    if (status == OPPROF_OK && bytes != NULL && !feed_file(launch, bytes, chunk->bytes.length)) {
        status = OPPROF_E_MEMORY;
    }
    return status == OPPROF_OK ? OPPROF_OK : no_memory(error);
}

/* ---- results ---- */

static uint32_t intern(const CodeLaunch *launch, const char *text)
{
    return OpprofStageIntern(launch->stage, text, strlen(text));
}

static OpprofStatus append(const CodeLaunch *launch, uint32_t port, const void *record)
{
    return OpprofStageAppend(launch->stage, port, launch->partition, record);
}

/* Whether a function belongs to the kernel; if the kernel has no name, or no function has its name, all do. */
static bool *choose_functions(const CodeLaunch *launch)
{
    const BlockMap *map = &launch->map;
    size_t length = 0;
    const char *kernel = DbiValueOf(&launch->info, ANY_CHIP, "name", &length);
    bool *chosen = calloc(map->function_count + 1, sizeof *chosen);
    size_t count = 0;

    for (size_t i = 0; chosen != NULL && i < map->function_count; i++) {
        chosen[i] = kernel == NULL || BlockMapIsOf(map->functions[i].name, kernel, length);
        count += chosen[i];
    }
    if (chosen != NULL && count == 0 && map->function_count > 0) {
        OpprofStageWarn(launch->stage,
                        "Launch '%s': no function of the block map belongs to '%.*s': the hot "
                        "spots are those of all its functions",
                        place_of(launch), (int) length, kernel);
        memset(chosen, true, map->function_count);
    }
    return chosen;
}

static OpprofStatus push_blocks(const CodeLaunch *launch)
{
    const BlockMap *map = &launch->map;
    bool *chosen = choose_functions(launch);
    OpprofStatus status = chosen == NULL ? OPPROF_E_MEMORY : OPPROF_OK;
    uint64_t uncounted = 0;

    for (size_t i = 0; status == OPPROF_OK && i < map->block_count; i++) {
        const MapBlock *block = &map->blocks[i];
        const OpprofDbiBlockCount record = {
            .start = block->start,
            .end = block->end,
            .count = block->count,
            .function = intern(launch, map->functions[block->function].name),
        };
        if (chosen[block->function]) {
            uncounted += block->count == BLOCK_NO_COUNT;
            status = append(launch, OUTPUT_BLOCKS, &record);
        }
    }
    if (uncounted > 0 && has_seen(launch, CODE_FILE_COUNTED)) {
        OpprofStageIncomplete(
            launch->stage,
            "Launch '%s': 'fdata' lacks %" PRIu64 " %s of the kernel, whose counts are unknown",
            place_of(launch), uncounted, OPPROF_PLURAL(uncounted, "block", "blocks"));
    }
    free(chosen);
    return status;
}

/* Size of what the stub put before the code; 0: unknown. */
static uint64_t stub_of(const CodeLaunch *launch)
{
    if (launch->stub.length != 8 && has_seen(launch, CODE_FILE_STUB)) {
        OpprofStageIncomplete(
            launch->stage,
            "Launch '%s': 'PcOffset.bin' has %zu bytes, not 8: samples may lie at wrong addresses",
            place_of(launch), launch->stub.length);
        return 0;
    }
    return launch->stub.length == 0 ? 0 : OpprofLoadLe64(launch->stub.bytes);
}

/* "0x0" stands for an unknown address; anything that is no address was damaged. */
static void tell_start(const CodeLaunch *launch, CodeFile kind, const char *file,
                       const DbiText *text)
{
    if (has_seen(launch, kind) && !DbiStartIsSaid(text)) {
        OpprofStageIncomplete(launch->stage,
                              "Launch '%s': '%s' has no hexadecimal address: samples may lie at "
                              "wrong addresses",
                              place_of(launch), file);
    }
}

static uint64_t sample_start(const CodeLaunch *launch)
{
    uint64_t start = DbiStartOf(&launch->sample_start);

    start = start == OPPROF_NA_U64 ? DbiStartOf(&launch->start) : start;
    tell_start(launch, CODE_FILE_SAMPLE_START, "pc_start_pcsampling.txt", &launch->sample_start);
    tell_start(launch, CODE_FILE_START, "pc_start_addr.txt", &launch->start);
    if (start == OPPROF_NA_U64) {
        OpprofStageIncomplete(launch->stage,
                              "Launch '%s': 'pc_start_pcsampling.txt' and 'pc_start_addr.txt' do "
                              "not say where the code was loaded: samples are placed as if at 0",
                              place_of(launch));
    }
    return start == OPPROF_NA_U64 ? 0 : start;
}

static OpprofStatus push_samples(const CodeLaunch *launch)
{
    const uint64_t start = sample_start(launch);
    const uint64_t stub = stub_of(launch);
    uint64_t of_stub = 0;
    bool is_any = false;
    uint32_t reasons[SAMPLE_REASONS];
    OpprofStatus status = OPPROF_OK;

    for (unsigned i = 0; i < SAMPLE_REASONS; i++) {
        reasons[i] = intern(launch, sample_reasons[i]);
    }
    for (size_t i = 0; i < launch->samples.count * SAMPLE_REASONS && status == OPPROF_OK; i++) {
        const SamplePc *pc = &launch->samples.pcs[i / SAMPLE_REASONS];
        const unsigned reason = (unsigned) (i % SAMPLE_REASONS);
        const OpprofDbiSample record = { .pc = SamplePlace(pc->raw, start, stub),
                                         .samples = pc->counts[reason],
                                         .reason = reasons[reason],
                                         .is_issued = reason == SAMPLE_REASONS - 1 };
        /* Samples of the stub before the kernel do not count. */
        if (SamplePlace(pc->raw, start, 0) < stub) {
            of_stub += record.samples;
        } else if (record.samples > 0) {
            is_any = true;
            status = append(launch, OUTPUT_SAMPLES, &record);
        }
    }
    if (of_stub > 0 && !is_any) {
        OpprofStageIncomplete(launch->stage,
                              "Launch '%s': all %" PRIu64 " samples lie in the %" PRIu64
                              " bytes before the code, and are left out: 'PcOffset.bin' or "
                              "'pc_start_*.txt' may be of another launch",
                              place_of(launch), of_stub, stub);
    }
    return status;
}

static OpprofStatus push_register(const CodeLaunch *launch, const LiveRegister *one)
{
    char name[1 + OPPROF_TEXT_NUMBER] = { LivenessLetter(one->kind) };

    *OpprofTextPutU64(name + 1, one->index) = '\0';
    const OpprofDbiRegister record = { .pc = launch->liveness.addresses[one->place],
                                       .name = intern(launch, name),
                                       .status = one->operation,
                                       .survival = one->survival };
    return append(launch, OUTPUT_REGISTERS, &record);
}

static OpprofStatus push_registers(const CodeLaunch *launch)
{
    const Liveness *liveness = &launch->liveness;
    bool *has_one = calloc(liveness->count + 1, sizeof *has_one);
    OpprofStatus status = has_one == NULL ? OPPROF_E_MEMORY : OPPROF_OK;

    for (size_t i = 0; status == OPPROF_OK && i < liveness->register_count; i++) {
        has_one[liveness->registers[i].place] = true;
        status = push_register(launch, &liveness->registers[i]);
    }
    for (size_t i = 0; status == OPPROF_OK && i < liveness->count; i++) {
        const OpprofDbiRegister none = { .pc = liveness->addresses[i], .name = OPPROF_NA_STRING };
        if (!has_one[i]) {
            status = append(launch, OUTPUT_REGISTERS, &none);
        }
    }
    free(has_one);
    return status;
}

OpprofStatus CodeLaunchEnd(CodeLaunch *launch, OpprofError **error)
{
    OpprofStatus status = end_file(launch);

    if (launch->map.block_count > 0 && !has_seen(launch, CODE_FILE_COUNTS) &&
        !has_seen(launch, CODE_FILE_COUNTED)) {
        OpprofStageIncomplete(
            launch->stage,
            "Launch '%s' has a block map but no counts: neither 'kernel*.extra.*' "
            "nor 'fdata' is there",
            place_of(launch));
    }
    if (!has_seen(launch, CODE_FILE_SAMPLES) &&
        (has_seen(launch, CODE_FILE_SAMPLE_START) || has_seen(launch, CODE_FILE_STUB))) {
        OpprofStageIncomplete(launch->stage,
                              "Launch '%s' says where sampled code was loaded, but has no samples: "
                              "'pcSampling.bin.*' is missing",
                              place_of(launch));
    }
    status = status == OPPROF_OK ? push_blocks(launch) : status;
    if (status == OPPROF_OK && launch->samples.count > 0) {
        status = push_samples(launch);
    }
    if (status == OPPROF_OK && launch->liveness.count > 0) {
        status = push_registers(launch);
    }
    return status == OPPROF_E_MEMORY ? no_memory(error) : status;
}
