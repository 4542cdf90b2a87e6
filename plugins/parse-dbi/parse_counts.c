/* SPDX-License-Identifier: Apache-2.0 */
/*
 * parse-counts: reads how often the blocks of a kernel ran, what its threads waited for, and which
 * registers it used.
 * Tested by tests/plugins/parse-dbi/test_hot_spots.sh.
 */
#include "code_launch.h"

#include <opprof/kit/bytes.h>
#include <opprof/kit/raw_names.h>
#include <opprof/log.h>
#include <opprof/plugin.h>
#include <opprof/records/onboard.h>
#include <opprof/text.h>

#include <inttypes.h>

#define HELD_MAX (UINT64_C(256) << 20) /* of a map or a liveness file: more than for any code */
#define STUB_BYTES 8u

/* ---- blocks and their counts ---- */

static void report_cut_line(const CodeLaunch *launch)
{
    OPPROF_FILE_LACKS(&launch->base, "ends within a line, which is left out: the file looks "
                                     "truncated");
}

static OpprofStatus take_map(OpprofLaunch *base, const unsigned char *bytes, size_t length,
                             OpprofError **error)
{
    CodeLaunch *launch = (CodeLaunch *) base;
    BlockMap *map = &launch->map;

    (void) error;
    launch->map_file = base->file.name;
    if (!BlockMapRead(map, (const char *) bytes, length)) {
        return OPPROF_E_MEMORY;
    }
    if (map->bad_lines > 0) {
        OPPROF_FILE_LACKS(
            &launch->base,
            "line %" PRIu64 ": it names no function, start or block that can be; %" PRIu64
            " such %s left out",
            map->first_bad, map->bad_lines, OPPROF_PLURAL(map->bad_lines, "line is", "lines are"));
    }
    if (map->is_cut) {
        report_cut_line(launch);
    }
    if (map->block_count == 0) {
        OPPROF_FILE_LACKS(&launch->base, "names no basic block");
    }
    return OPPROF_OK;
}

/* Whole counters of fewer cores than the launch has: its blocks have three cores each, whether
 * those run something or not. */
static void report_cores(CodeLaunch *launch)
{
    const uint64_t cores =
        launch->counts.unit == 0 ? 0 : launch->counts.position / launch->counts.unit;
    double blocks = 0;
    const uint64_t wanted = OpprofLaunchNumber(&launch->base, "block_dim", &blocks)
                                ? (uint64_t) blocks * COUNT_UNITS_BLOCK
                                : 0;

    const uint64_t used = cores == 0 ? 0 : launch->counts.last_used / launch->counts.unit + 1;

    if (cores > COUNT_UNITS_MAX) {
        OPPROF_FILE_LACKS(&launch->base,
                          "holds the counters of %" PRIu64
                          " cores, more than the %u that there can be: it may have come twice",
                          cores, COUNT_UNITS_MAX);
    } else if (cores % COUNT_UNITS_BLOCK != 0) {
        OPPROF_FILE_LACKS(&launch->base,
                          "ends after the counters of %" PRIu64
                          " cores, within a block, which has %u: the file is cut",
                          cores, COUNT_UNITS_BLOCK);
    } else if (cores > 0 && cores < wanted && cores < COUNT_UNITS_MAX) {
        OPPROF_FILE_LACKS(&launch->base,
                          "ends after the counters of %" PRIu64
                          " cores, but the blocks of the launch have %" PRIu64 ": the file is cut",
                          cores, wanted < COUNT_UNITS_MAX ? wanted : COUNT_UNITS_MAX);
    } else if (wanted > 0 && used > wanted) {
        OPPROF_FILE_LACKS(&launch->base,
                          "counts for core %" PRIu64 ", but the blocks of the launch have %" PRIu64
                          ": it came twice, or is of another launch",
                          used, wanted);
    }
}

static void report_end_of_counts(CodeLaunch *launch)
{
    const uint64_t rest = CountsRest(&launch->counts);

    if (rest > 0) {
        OPPROF_FILE_LACKS(&launch->base,
                          "ends within the counters of a core at byte %" PRIu64 ": %" PRIu64
                          " of %" PRIu64 " bytes are there",
                          launch->counts.position - rest, rest, launch->counts.unit);
    } else {
        report_cores(launch);
    }
}

static OpprofStatus begin_counts(OpprofLaunch *base, OpprofError **error)
{
    CodeLaunch *launch = (CodeLaunch *) base;

    (void) error;
    if (!OpprofLaunchSaw(base, "block_map")) {
        OPPROF_FILE_LACKS(base, "is left out: no file 'kernel*.o.bbbmap.*' says to which blocks "
                                "its counters belong");
        return OPPROF_END;
    }
    CountsBegin(&launch->counts, &launch->map);
    return OPPROF_OK;
}

static OpprofStatus take_counts(OpprofLaunch *launch, const unsigned char *bytes, size_t length,
                                OpprofError **error)
{
    (void) error;
    CountsFeed(&((CodeLaunch *) launch)->counts, bytes, length);
    return OPPROF_OK;
}

static OpprofStatus end_counts(OpprofLaunch *base, OpprofError **error)
{
    CodeLaunch *launch = (CodeLaunch *) base;
    uint64_t without = 0;
    bool has_run = false;

    (void) error;
    for (size_t i = 0; i < launch->map.block_count; i++) {
        without += launch->map.blocks[i].count == BLOCK_NO_COUNT;
        has_run |= launch->map.blocks[i].count != BLOCK_NO_COUNT && launch->map.blocks[i].count > 0;
    }
    if (base->file.is_whole && base->file.size > 0 && !has_run &&
        without < launch->map.block_count && CountsRest(&launch->counts) == 0) {
        OPPROF_FILE_LACKS(base, "holds only zeros, though the first block of a kernel always "
                                "runs: its counters were not saved");
    }
    if (base->file.is_whole) {
        report_end_of_counts(launch);
    }
    if (launch->counts.foreign > 0) {
        OPPROF_FILE_LACKS(&launch->base,
                          "at byte %" PRIu64
                          ": a counter is of no block of '%s', which may be cut; %" PRIu64
                          " such %s left out",
                          launch->counts.first_foreign, launch->map_file, launch->counts.foreign,
                          OPPROF_PLURAL(launch->counts.foreign, "counter is", "counters are"));
    }
    if (without > 0) {
        OPPROF_LAUNCH_LACKS(&launch->base, "'%s': %" PRIu64 " %s beyond the counters",
                            launch->base.file.name, without,
                            OPPROF_PLURAL(without, "block has a number", "blocks have numbers"));
    }
    return OPPROF_OK;
}

static OpprofStatus take_counted(OpprofLaunch *base, const unsigned char *bytes, size_t length,
                                 OpprofError **error)
{
    CodeLaunch *launch = (CodeLaunch *) base;
    CountedText found;

    (void) error;
    if (!CountsReadText(&launch->map, (const char *) bytes, length, &found)) {
        return OPPROF_E_MEMORY;
    }
    if (found.is_cut) {
        report_cut_line(launch);
    }
    if (found.entries == 0) {
        OPPROF_FILE_LACKS(&launch->base, "counts no block");
    } else if (found.unnamed > 0) {
        OPPROF_FILE_LACKS(&launch->base,
                          "lacks %" PRIu64
                          " %s that ran by the raw counters, whose counts are used",
                          found.unnamed, OPPROF_PLURAL(found.unnamed, "block", "blocks"));
    }
    if (found.strange > 0) {
        OPPROF_FILE_LACKS(&launch->base,
                          "line %" PRIu64 ": it counts no block of the map; "
                          "%" PRIu64 " such %s left out",
                          found.first, found.strange,
                          OPPROF_PLURAL(found.strange, "line is", "lines are"));
    }
    if (found.differ > 0) {
        OPPROF_FILE_LACKS(&launch->base,
                          "counts %" PRIu64
                          " %s differently from the raw counters, using it: one of the two "
                          "is of another launch, or lost a part",
                          found.differ, OPPROF_PLURAL(found.differ, "block", "blocks"));
    }
    return OPPROF_OK;
}

/* ---- samples ---- */

static OpprofStatus begin_samples(OpprofLaunch *launch, OpprofError **error)
{
    (void) error;
    SamplesBeginFile(&((CodeLaunch *) launch)->samples);
    return OPPROF_OK;
}

static OpprofStatus take_samples(OpprofLaunch *launch, const unsigned char *bytes, size_t length,
                                 OpprofError **error)
{
    (void) error;
    return SamplesFeed(&((CodeLaunch *) launch)->samples, bytes, length) ? OPPROF_OK
                                                                         : OPPROF_E_MEMORY;
}

static OpprofStatus end_samples(OpprofLaunch *base, OpprofError **error)
{
    const CodeLaunch *launch = (const CodeLaunch *) base;
    const Samples *samples = &launch->samples;
    const uint64_t rest = base->file.is_whole ? SamplesRest(samples) : 0;

    (void) error;
    if (rest > 0) {
        OPPROF_FILE_LACKS(&launch->base, "ends within a piece of samples at byte %" PRIu64,
                          samples->position - rest);
    }
    if (base->file.is_whole && samples->taken == samples->taken_before &&
        samples->position > rest && samples->bad_heads == 0) {
        OPPROF_FILE_LACKS(&launch->base, "holds no sample in its %" PRIu64 " bytes",
                          samples->position);
    }
    if (samples->again > 0) {
        OPPROF_FILE_LACKS(&launch->base, "repeats the first piece of samples: the file came "
                                         "twice, and its samples count twice");
    }
    if (samples->bad_heads > 0) {
        OPPROF_FILE_LACKS(&launch->base,
                          "at byte %" PRIu64
                          ": the head of a piece of samples makes no sense; %" PRIu64
                          " such %s left out",
                          samples->first_bad, samples->bad_heads,
                          OPPROF_PLURAL(samples->bad_heads, "piece is", "pieces are"));
    }
    if (samples->odd > 0) {
        OPPROF_LAUNCH_LACKS(&launch->base,
                            "'%s': %" PRIu64 " %s within a sample, which is left out",
                            launch->base.file.name, samples->odd,
                            OPPROF_PLURAL(samples->odd, "piece ends", "pieces end"));
    }
    return OPPROF_OK;
}

/* ---- registers ---- */

/* Totals and functions belong to the whole file: no record of an instruction has room for them. */
static void log_liveness(const CodeLaunch *launch)
{
    const Liveness *liveness = &launch->liveness;
    const char *id = OpprofStageId(launch->base.stage);

    for (size_t i = 0; i < liveness->kind_count; i++) {
        OpprofLog(OPPROF_LOG_DEBUG, id, "Launch '%s': registers of type %c=%" PRIu64,
                  OpprofLaunchPlace(&launch->base), LivenessLetter(liveness->kinds[i].kind),
                  liveness->kinds[i].total);
    }
    for (size_t i = 0; i < liveness->function_count; i++) {
        const char *name = liveness->functions[i].name;
        OpprofLog(OPPROF_LOG_DEBUG, id, "Launch '%s': function '%s' starts at instruction %" PRId64,
                  OpprofLaunchPlace(&launch->base), name == NULL ? "" : name,
                  liveness->functions[i].start);
    }
}

static OpprofStatus take_liveness(OpprofLaunch *base, const unsigned char *bytes, size_t length,
                                  OpprofError **error)
{
    CodeLaunch *launch = (CodeLaunch *) base;
    const char *why = NULL;
    size_t where = 0;
    const LivenessOutcome outcome = LivenessRead(&launch->liveness, bytes, length, &why, &where);

    (void) error;
    if (outcome == LIVENESS_BAD) {
        OPPROF_FILE_LACKS(base, "is left out: at byte %zu %s", where, why);
    } else if (outcome == LIVENESS_GOOD) {
        log_liveness(launch);
    }
    return outcome == LIVENESS_NO_MEMORY ? OPPROF_E_MEMORY : OPPROF_OK;
}

/* ---- where the code was loaded ---- */

static OpprofStatus take_sample_start(OpprofLaunch *base, const unsigned char *bytes, size_t length,
                                      OpprofError **error)
{
    (void) error;
    if (!OpprofRawAddress((const char *) bytes, length, &((CodeLaunch *) base)->sample_start)) {
        OPPROF_FILE_LACKS(base, "has no hexadecimal address: samples may lie at wrong addresses");
    }
    return OPPROF_OK;
}

static OpprofStatus take_stub(OpprofLaunch *base, const unsigned char *bytes, size_t length,
                              OpprofError **error)
{
    (void) error;
    if (length != STUB_BYTES) {
        OPPROF_FILE_LACKS(base, "has %zu bytes, not 8: samples may lie at wrong addresses", length);
        return OPPROF_OK;
    }
    ((CodeLaunch *) base)->stub = OpprofLoadLe64(bytes);
    return OPPROF_OK;
}

/* ---- the plugin ---- */

static OpprofStatus end_launch(OpprofLaunch *base, OpprofError **failure, OpprofError **error)
{
    const CodeLaunch *launch = (const CodeLaunch *) base;
    const OpprofStatus status = CodeLaunchPush((CodeLaunch *) base);

    (void) failure; /* unreadable files are left out one by one */
    OpprofStageCount(base->stage, "blocks", launch->map.block_count);
    OpprofStageCount(base->stage, "samples", launch->samples.taken);
    return status == OPPROF_E_MEMORY ? OpprofErrorNoMemory(error, "read counts of instructions")
                                     : status;
}

static void finish_launch(OpprofLaunch *base)
{
    CodeLaunch *launch = (CodeLaunch *) base;

    BlockMapFinish(&launch->map);
    SamplesFinish(&launch->samples);
    LivenessFinish(&launch->liveness);
}

#define OF_CODE (OPPROF_ROLE_INSTRUMENTED | OPPROF_ROLE_ONCE)

static const OpprofRoleReader roles[] = {
    { .role = "sample_start", .flags = OPPROF_ROLE_WHOLE, .take = take_sample_start },
    { .role = "sample_stub", .flags = OPPROF_ROLE_WHOLE, .take = take_stub },
    { .role = "block_map",
      .flags = OF_CODE | OPPROF_ROLE_WHOLE,
      .most_bytes = HELD_MAX,
      .take = take_map },
    { .role = "block_counts",
      .flags = OF_CODE,
      .begin = begin_counts,
      .take = take_counts,
      .end = end_counts },
    { .role = "counted",
      .flags = OF_CODE | OPPROF_ROLE_WHOLE,
      .most_bytes = HELD_MAX,
      .take = take_counted },
    { .role = "samples",
      .flags = OPPROF_ROLE_INSTRUMENTED,
      .begin = begin_samples,
      .take = take_samples,
      .end = end_samples },
    { .role = "liveness",
      .flags = OF_CODE | OPPROF_ROLE_WHOLE,
      .most_bytes = HELD_MAX,
      .take = take_liveness },
};

static const OpprofLaunchParser parser = {
    .instance_bytes = sizeof(OpprofLaunchReader),
    .launch_bytes = sizeof(CodeLaunch),
    .roles = roles,
    .role_count = OPPROF_COUNT(roles),
    .raw_port = OPPROF_NA_U32,
    .end = end_launch,
    .finish = finish_launch,
};

static const OpprofPort outputs[] = {
    [OUTPUT_BLOCKS] = { .name = "blocks",
                        .record_type = &opprof_dbi_block_type,
                        .summary = "Basic blocks of the kernel, with their counts." },
    [OUTPUT_SAMPLES] = { .name = "samples",
                         .record_type = &opprof_dbi_sample_type,
                         .summary = "Samples of the program counter, by address and reason." },
    [OUTPUT_REGISTERS] = { .name = "registers",
                           .record_type = &opprof_dbi_register_type,
                           .summary = "Registers in use, by instruction." },
};

OPPROF_LAUNCH_PARSER_DEFINE(
    parser, NULL, NULL, outputs, .name = "parse-counts", .version = "1.0", .license = "Apache-2.0",
    .summary = "Turns basic-block counters, samples and register liveness into records.",
    .help = "Reads the block map and counters of an instrumented kernel (kernel*.o.bbbmap.*, "
            "kernel*.extra.*, or fdata, in which both are joined), samples of the program "
            "counter (pcSampling.bin.*) and register liveness (lrm.bin). From a damaged file "
            "the valid part is used, and the run is incomplete; a liveness file that "
            "contradicts itself is left out.",
    .flags = OPPROF_PLUGIN_PARTITIONED);
