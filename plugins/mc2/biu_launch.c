/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the files of one launch that hold streams of its cores, of any kind. Tested by
 * tests/plugins/mc2/test_streams.sh. */
#include "biu_launch.h"

#include "biu_channel.h"
#include "biu_missing.h"
#include "biu_zero.h"
#include "names.h"

#include <inttypes.h>
#include <opprof/kit/raw_names.h>
#include <opprof/text.h>
#include <stdlib.h>
#include <string.h>

#define AFTER_STOP ((uint64_t) 1 << 20) /* each word of a damaged stream can be an event */
#define TEXT_MAX (UINT64_C(64) << 20)

/* ---- the chip ---- */

static OpprofStatus load_facts(void *instance, const OpprofChip *chip, void *facts,
                               OpprofError **error)
{
    (void) instance;
    return BiuFactsLoad(chip, facts, error);
}

static OpprofStatus choose(OpprofLaunch *base, OpprofError **error)
{
    BiuLaunch *launch = (BiuLaunch *) base;
    double blocks = 0;

    (void) error;
    OpprofLaunchNumber(base, "block_dim", &blocks);
    launch->facts = base->model;
    launch->core_hz = OpprofLaunchClock(base);
    launch->block_dim = blocks < UINT16_MAX ? (uint32_t) blocks : 0;
    const OpprofClock clock = { .name = "core", .hz = launch->core_hz };
    OpprofStageSetClock(base->stage, BIU_OUTPUT_EVENTS, OpprofStageClock(base->stage, &clock));
    return OPPROF_OK;
}

/* Why a stream cannot go on. */
static OpprofStatus failed(BiuLaunch *launch, OpprofError **error)
{
    if (launch->reason != NULL) {
        OpprofErrorPass(error, launch->reason);
        launch->reason = NULL;
    }
    return launch->status == OPPROF_OK ? OPPROF_E_MEMORY : launch->status;
}

/* ---- streams ---- */

static const char *chip_of(const BiuLaunch *launch)
{
    const char *chip = launch->base.reader->chip;

    return chip == NULL ? "auto" : chip;
}

static bool read_type(const char *text, uint32_t *ret_type)
{
    for (uint32_t i = 0; i < BIU_CORE_TYPES; i++) {
        if (strcmp(text, biu_core_types[i]) == 0) {
            *ret_type = i;
            return true;
        }
    }
    return false;
}

/* A number of at most four digits in a field of the name. */
static bool read_field(const BiuLaunch *launch, const char *name, const char *field,
                       uint32_t *ret_number)
{
    size_t length = 0;
    const char *text = OpprofRawField(chip_of(launch), name, field, &length);

    *ret_number = 0;
    for (size_t i = 0; text != NULL && i < length; i++) {
        if (text[i] < '0' || text[i] > '9' || length > 4) {
            return false;
        }
        *ret_number = *ret_number * 10 + (uint32_t) (text[i] - '0');
    }
    return text != NULL;
}

/* Channel of a file by its name. */
typedef struct ChannelName {
    BiuSource source;
    uint32_t group;
    uint32_t type;
    uint32_t device;
} ChannelName;

/* The channel of a file of one core; false: the file is not one. */
static bool read_name(const BiuLaunch *launch, const char *name, const char *role,
                      ChannelName *ret_name)
{
    char type[8] = "";
    size_t length = 0;
    const char *core = OpprofRawField(chip_of(launch), name, "core", &length);

    ret_name->source = strcmp(role, "pipe_groups") == 0     ? BIU_SOURCE_GROUP
                       : strcmp(role, "pipe_monitors") == 0 ? BIU_SOURCE_MONITOR
                                                            : BIU_SOURCE_WINDOW;
    if (!read_field(launch, name, "group", &ret_name->group) || core == NULL ||
        length >= sizeof type) {
        return false;
    }
    if (!read_field(launch, name, "device", &ret_name->device)) {
        ret_name->device = OPPROF_NA_U32;
    }
    memcpy(type, core, length);
    return read_type(type, &ret_name->type);
}

/* Data that the chip does not have is left out. */
static bool is_described(const BiuLaunch *launch, BiuSource source)
{
    const bool is_there =
        source == BIU_SOURCE_MONITOR ? launch->facts->has_monitors : launch->facts->has_words;

    if (!is_there) {
        OPPROF_FILE_LACKS(&launch->base,
                          "is left out: the chip file of '%s' does not "
                          "describe such records",
                          OpprofChipSoc(launch->base.chip));
    }
    return is_there;
}

/* Also of a launch whose file has the streams of several cores. */
static OpprofStatus begin_stream(OpprofLaunch *base, const char *role)
{
    BiuLaunch *launch = (BiuLaunch *) base;
    ChannelName its;

    if (!read_name(launch, base->file.name, role, &its) || !is_described(launch, its.source)) {
        return OPPROF_END;
    }
    launch->channel = BiuChannelFind(launch, its.source, its.group, its.type, its.device);
    if (launch->channel == NULL) {
        return OPPROF_E_MEMORY;
    }
    launch->channel->file = base->file.id;
    return OPPROF_OK;
}

static OpprofStatus begin_window(OpprofLaunch *launch, OpprofError **error)
{
    (void) error;
    return begin_stream(launch, "pipe_windows");
}

static OpprofStatus begin_group(OpprofLaunch *launch, OpprofError **error)
{
    (void) error;
    return begin_stream(launch, "pipe_groups");
}

static OpprofStatus begin_monitor(OpprofLaunch *launch, OpprofError **error)
{
    (void) error;
    return begin_stream(launch, "pipe_monitors");
}

static OpprofStatus take_words(OpprofLaunch *base, const unsigned char *bytes, size_t length,
                               OpprofError **error)
{
    BiuLaunch *launch = (BiuLaunch *) base;

    launch->piece = bytes;
    return BiuChannelWords(launch->channel, bytes, length) ? OPPROF_OK : failed(launch, error);
}

/* A monitor's records go on in its next file. */
static OpprofStatus take_monitor(OpprofLaunch *base, const unsigned char *bytes, size_t length,
                                 OpprofError **error)
{
    BiuLaunch *launch = (BiuLaunch *) base;

    return OpprofCutterFeed(&launch->channel->pieces, bytes, length, BiuChannelMonitor,
                            launch->channel)
               ? OPPROF_OK
               : failed(launch, error);
}

/* ---- containers ---- */

/* Passes on the invalid head of a piece. */
static void keep_head(void *context, uint64_t offset, const unsigned char *head)
{
    BiuLaunch *launch = context;

    OpprofRawKeep(&launch->base.raw, launch->base.file.id, offset, head, CONTAINER_HEAD_BYTES,
                  "the head of a piece is invalid");
}

static bool take_chunk(void *context, uint32_t core, uint32_t type, const unsigned char *bytes,
                       size_t length)
{
    BiuLaunch *launch = context;
    BiuChannel *channel = BiuChannelFind(launch, BIU_SOURCE_CONTAINER, core, type, OPPROF_NA_U32);

    if (channel == NULL) {
        return false;
    }
    channel->file = launch->base.file.id;
    return BiuChannelWords(channel, bytes, length);
}

static OpprofStatus begin_container(OpprofLaunch *base, OpprofError **error)
{
    BiuLaunch *launch = (BiuLaunch *) base;

    (void) error;
    if (!is_described(launch, BIU_SOURCE_CONTAINER)) {
        return OPPROF_END;
    }
    launch->container =
        (ContainerReader){ .cores = launch->facts->groups, .on_bad = keep_head, .context = launch };
    return OPPROF_OK;
}

static OpprofStatus take_container(OpprofLaunch *base, const unsigned char *bytes, size_t length,
                                   OpprofError **error)
{
    BiuLaunch *launch = (BiuLaunch *) base;

    launch->piece = bytes;
    return ContainerFeed(&launch->container, bytes, length, take_chunk, launch)
               ? OPPROF_OK
               : failed(launch, error);
}

static OpprofStatus end_container(OpprofLaunch *base, OpprofError **error)
{
    const ContainerReader *container = &((const BiuLaunch *) base)->container;
    const uint64_t rest = ContainerRest(container);

    (void) error;
    if (base->file.is_whole && rest > 0) {
        OPPROF_FILE_LACKS(base, "ends within the chunk at byte %" PRIu64, base->file.size - rest);
    }
    if (container->bad > 0) {
        OPPROF_LAUNCH_LACKS(base,
                            "%" PRIu64 " %s of '%s' %s left out, the first at byte %" PRIu64
                            ": the head names no core, no bytes or too many",
                            container->bad, OPPROF_PLURAL(container->bad, "chunk", "chunks"),
                            base->file.name, OPPROF_PLURAL(container->bad, "is", "are"),
                            container->bad_at);
    }
    return OPPROF_OK;
}

/* ---- the compiler's notes ---- */

typedef bool TakeLine(BiuLaunch *launch, const char *line, size_t length);

static bool take_region(BiuLaunch *launch, const char *line, size_t length)
{
    const uint64_t start = OpprofLaunchCodeStart(&launch->base);

    return RegionMapLine(&launch->regions, line, length, start == OPPROF_NA_U64 ? 0 : start);
}

static bool take_tune(BiuLaunch *launch, const char *line, size_t length)
{
    uint32_t pipe = 0;

    if (RegionTuneLine(line, length, &pipe)) {
        OPPROF_LAUNCH_LACKS(&launch->base,
                            "pipe %u had more instructions than the compiler has marks: some are "
                            "not shown",
                            pipe);
    }
    return true;
}

static OpprofStatus take_lines(BiuLaunch *launch, const char *text, size_t left, TakeLine *take)
{
    while (left > 0) {
        const char *end = memchr(text, '\n', left);
        const size_t whole = end == NULL ? left : (size_t) (end - text);
        const size_t line = whole > 0 && text[whole - 1] == '\r' ? whole - 1 : whole;

        if (!take(launch, text, line)) {
            return OPPROF_E_MEMORY;
        }
        text += end == NULL ? whole : whole + 1;
        left -= end == NULL ? whole : whole + 1;
    }
    return OPPROF_OK;
}

static OpprofStatus take_regions(OpprofLaunch *base, const unsigned char *text, size_t length,
                                 OpprofError **error)
{
    BiuLaunch *launch = (BiuLaunch *) base;
    const OpprofStatus status = take_lines(launch, (const char *) text, length, take_region);

    (void) error;
    if (launch->regions.skipped > 0) {
        OPPROF_LAUNCH_LACKS(base, "%" PRIu64 " of %" PRIu64 " lines of '%s' are not understood",
                            launch->regions.skipped, launch->regions.lines, base->file.name);
    }
    return status;
}

static OpprofStatus take_tune_log(OpprofLaunch *launch, const unsigned char *text, size_t length,
                                  OpprofError **error)
{
    (void) error;
    return take_lines((BiuLaunch *) launch, (const char *) text, length, take_tune);
}

#define NOTES (OPPROF_ROLE_WHOLE | OPPROF_ROLE_MAY_BE_EMPTY)

static const OpprofRoleReader roles[] = {
    { .role = "region_map", .flags = NOTES, .most_bytes = TEXT_MAX, .take = take_regions },
    { .role = "tune_log", .flags = NOTES, .most_bytes = TEXT_MAX, .take = take_tune_log },
    { .role = "pipe_words",
      .flags = OPPROF_ROLE_NEEDS_CHIP,
      .begin = begin_container,
      .take = take_container,
      .end = end_container },
    { .role = "pipe_windows",
      .flags = OPPROF_ROLE_NEEDS_CHIP,
      .begin = begin_window,
      .take = take_words },
    { .role = "pipe_groups",
      .flags = OPPROF_ROLE_NEEDS_CHIP,
      .begin = begin_group,
      .take = take_words },
    { .role = "pipe_monitors",
      .flags = OPPROF_ROLE_NEEDS_CHIP,
      .begin = begin_monitor,
      .take = take_monitor },
};

/* ---- launches ---- */

static OpprofStatus begin_launch(OpprofLaunch *launch)
{
    ((BiuLaunch *) launch)->settings = &((const BiuParser *) launch->reader)->settings;
    return OPPROF_OK;
}

static bool end_streams(BiuLaunch *launch)
{
    bool is_good = true;

    for (size_t i = 0; is_good && i < launch->channel_count; i++) {
        is_good = BiuChannelEnd(launch->channels[i]);
    }
    is_good = is_good && BiuZeroAlign(launch);
    if (is_good) {
        BiuMissingOfLaunch(launch);
        launch->status = OpprofStagePushOpen(launch->base.stage, BIU_OUTPUT_EVENTS, UINT64_MAX);
    }
    return is_good && launch->status == OPPROF_OK;
}

static OpprofStatus end_launch(OpprofLaunch *base, OpprofError **failure, OpprofError **error)
{
    BiuLaunch *launch = (BiuLaunch *) base;

    (void) failure; /* the reader's */
    if (base->failure == NULL && base->is_over && launch->channel_count == 0 &&
        !((const BiuParser *) base->reader)->is_optional) {
        OPPROF_LAUNCH_LACKS(base, "it has no stream of pipe activity: there is no "
                                  "'timeline.bin.0', 'perfmon.core…' or 'instr.…' with records");
    }
    if (end_streams(launch)) {
        return OPPROF_OK;
    }
    const OpprofStatus status = failed(launch, error);
    return status == OPPROF_E_MEMORY ? OpprofErrorNoMemory(error, "parse pipe activity") : status;
}

static void finish_launch(OpprofLaunch *base)
{
    BiuLaunch *launch = (BiuLaunch *) base;

    for (size_t i = 0; i < launch->channel_count; i++) {
        LanesFinish(&launch->channels[i]->lanes);
        BiuFirstsFinish(&launch->channels[i]->firsts);
        OpprofSpoolFinish(&launch->channels[i]->held);
        free(launch->channels[i]);
    }
    free(launch->channels);
    RegionMapFinish(&launch->regions);
    OpprofMapFinish(&launch->opcodes);
    OpprofErrorDestroy(launch->reason);
}

const OpprofLaunchParser biu_launch_parser = {
    .instance_bytes = sizeof(BiuParser),
    .launch_bytes = sizeof(BiuLaunch),
    .roles = roles,
    .role_count = OPPROF_COUNT(roles),
    .raw_port = BIU_OUTPUT_RAW,
    .after_stop = AFTER_STOP,
    .model_bytes = sizeof(BiuFacts),
    .load = load_facts,
    .begin = begin_launch,
    .choose = choose,
    .end = end_launch,
    .finish = finish_launch,
};
