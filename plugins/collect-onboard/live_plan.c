/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Plans passes from facts about a chip.
 * Tested by tests/plugins/collect-onboard/test_live_plan.c.
 */
#include "live_plan.h"

#include "channel_facts.h"
#include "instrumenter.h"
#include "perfmon_facts.h"

#include <opprof/grow.h>
#include <opprof/kit/raw_names.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STUB_BYTES 8u /* of the area of a kernel that reports one number, or none */

static bool append(LivePlan *plan, const void *data, size_t size)
{
    if (!OpprofGrow(&plan->bytes, &plan->room, plan->size + size, 1)) {
        return false;
    }
    memcpy(plan->bytes + plan->size, data, size);
    plan->size += size;
    return true;
}

/* ---- facts ---- */

static const OpprofFact *channel_fact(const OpprofChip *chip, const char *name)
{
    return OpprofFactMember(OpprofChipFact(chip, "channels"), name);
}

static uint32_t number_of(const OpprofFact *object, const char *name)
{
    double value = 0;

    return OpprofFactNumber(OpprofFactMember(object, name), &value) && value >= 0 &&
                   value <= UINT32_MAX
               ? (uint32_t) value
               : 0;
}

bool LivePlanIsKnown(const OpprofChip *chip)
{
    return channel_fact(chip, "counters") != NULL && channel_fact(chip, "tasks") != NULL;
}

static const OpprofFact *rounds_of(const OpprofChip *chip, const char *kind)
{
    char path[64];

    snprintf(path, sizeof path, "pmu.rounds.%s", kind);
    return OpprofChipFact(chip, path);
}

static uint32_t counter_rounds(const OpprofChip *chip, bool is_basic)
{
    const size_t cube = OpprofFactCount(rounds_of(chip, "cube"));
    const size_t vector = OpprofFactCount(rounds_of(chip, "vector"));
    const size_t core = OpprofFactCount(rounds_of(chip, "core"));
    const size_t most = cube > vector ? cube : vector;

    return is_basic ? 1 : (uint32_t) (most > core ? most : core);
}

/* On some chips the L2 cache's own counters need a pass of their own. */
static bool has_l2_pass(const OpprofChip *chip, bool is_basic)
{
    return !is_basic && OpprofChipBool(chip, "channels.l2.own_pass", false);
}

/* Bits of what kernels of a chip report in every case. */
static uint32_t always_of(const OpprofChip *chip)
{
    const OpprofFact *names = OpprofChipFact(chip, "dbi.live.always");
    uint32_t kinds = 0;

    for (size_t i = 0; i < OpprofFactCount(names); i++) {
        const char *name = OpprofFactText(OpprofFactAt(names, i));

        for (uint32_t kind = 0; name != NULL && kind < OPPROF_LIVE_INSTRUMENTS; kind++) {
            kinds |= strcmp(name, InstrumentKindName(kind)) == 0 ? 1u << kind : 0;
        }
    }
    return kinds;
}

/*
 * The part of the requested instrumentation that is known for the chip. Where no events are
 * counted, nothing is made of operations.
 */
static uint32_t instruments_of(const OpprofChip *chip, const LivePlanWish *wish)
{
    const uint32_t common =
        1u << OPPROF_LIVE_INSTRUMENT_BLOCKS | 1u << OPPROF_LIVE_INSTRUMENT_MEMORY;

    return OpprofChipFact(chip, "dbi.live") == NULL || wish->replay == OPPROF_LIVE_REPLAY_RANGE
               ? 0
               : (wish->instruments & common) | (wish->is_basic ? 0 : always_of(chip));
}

uint32_t LivePlanRounds(const OpprofChip *chip, const LivePlanWish *wish)
{
    return counter_rounds(chip, wish->is_basic) + has_l2_pass(chip, wish->is_basic) +
           (uint32_t) __builtin_popcount(instruments_of(chip, wish));
}

/* ---- user data ---- */

/* Events of a round; those that it does not have are zero. */
typedef struct Events {
    uint32_t list[CHANNEL_MOST_EVENTS];
} Events;

/* Values that a word of a channel's user data may name. */
typedef struct Words {
    Events cube;
    Events vector;
    Events core; /* if there is one kind of cores */
    Events l2;
    uint32_t events; /* in the channel's form */
    uint32_t tag;
} Words;

static Events events_of(const OpprofFact *round)
{
    Events events = { { 0 } };
    double event = 0;

    for (size_t i = 0; i < OpprofFactCount(round) && i < CHANNEL_MOST_EVENTS; i++) {
        if (OpprofFactNumber(OpprofFactAt(round, i), &event)) {
            events.list[i] = (uint32_t) event;
        }
    }
    return events;
}

typedef struct UserData {
    uint8_t bytes[OPPROF_LIVE_MOST_USER_BYTES];
    size_t size;
} UserData;

static bool put(UserData *data, uint32_t value, size_t size)
{
    if (size > sizeof data->bytes - data->size) {
        return false;
    }
    memcpy(data->bytes + data->size, &value, size);
    data->size += size;
    return true;
}

static bool put_events(UserData *data, const Events *events, uint32_t count, size_t size)
{
    bool is_good = true;

    for (uint32_t i = 0; i < count && is_good; i++) {
        is_good = put(data, events->list[i], size);
    }
    return is_good;
}

static bool put_word(UserData *data, const ChannelWord *word, const Words *words)
{
    switch (word->name) {
    case CHANNEL_CUBE16:
        return put_events(data, &words->cube, words->events, 2);
    case CHANNEL_VECTOR16:
        return put_events(data, &words->vector, words->events, 2);
    case CHANNEL_CORE32:
        return put_events(data, &words->core, words->events, 4);
    case CHANNEL_L2:
        return put_events(data, &words->l2, words->events, 4);
    default:
        return put(data, word->name == CHANNEL_TAG ? words->tag : word->number, 4);
    }
}

/* ---- passes ---- */

typedef struct Maker {
    const OpprofChip *chip;
    const LivePlanWish *wish;
    LivePlan *plan;
    ChannelsFacts channels;
} Maker;

static LivePlanFile *add_file(Maker *maker, uint32_t channel, const char *name, uint32_t round)
{
    LivePlan *plan = maker->plan;
    LivePlanFile *file;

    if (!OpprofGrow32(&plan->files, &plan->file_room, plan->file_count + 1, sizeof *plan->files)) {
        return NULL;
    }
    file = &plan->files[plan->file_count++];
    *file = (LivePlanFile){ .pass = plan->passes, .channel = channel };
    OpprofRawFileName(OpprofChipSoc(maker->chip),
                      strcmp(name, "tasks") == 0 ? "task_log"
                      : strcmp(name, "l2") == 0  ? "l2_cache"
                                                 : name,
                      round + 1, file->name, sizeof file->name);
    return file;
}

/* A channel and its user data. */
static bool append_channel(LivePlan *plan, OpprofLiveChannel channel, const UserData *user)
{
    static const uint8_t zeros[8];

    channel.user_bytes = (uint32_t) user->size;
    return append(plan, &channel, sizeof channel) && append(plan, user->bytes, user->size) &&
           append(plan, zeros, OpprofLivePadded(user->size) - user->size);
}

static const ChannelFacts *channel_of(const Maker *maker, const char *name)
{
    return strcmp(name, "counters") == 0 ? &maker->channels.counters
           : strcmp(name, "tasks") == 0  ? &maker->channels.tasks
           : strcmp(name, "aicpu") == 0  ? &maker->channels.aicpu
                                         : &maker->channels.l2;
}

static Words words_of(const Maker *maker, const ChannelFacts *facts, uint32_t round)
{
    Words words = { .events = facts->slots,
                    .tag = maker->wish->is_scaled ? facts->kernel_scale_tag : 0 };

    for (uint32_t i = 0; i < facts->event_count && i < CHANNEL_MOST_EVENTS; i++) {
        words.l2.list[i] = facts->events[i];
    }
    if (!maker->wish->is_basic) {
        words.cube = events_of(OpprofFactAt(rounds_of(maker->chip, "cube"), round));
        words.vector = events_of(OpprofFactAt(rounds_of(maker->chip, "vector"), round));
        words.core = events_of(OpprofFactAt(rounds_of(maker->chip, "core"), round));
    }
    return words;
}

static OpprofStatus add_channel(Maker *maker, const char *name, uint32_t round, OpprofError **error)
{
    const ChannelFacts *facts = channel_of(maker, name);
    const Words words = words_of(maker, facts, round);
    const OpprofLiveChannel channel = { .channel = facts->channel,
                                        .kind = facts->kind |
                                                (facts->is_joint ? OPPROF_LIVE_CHANNEL_JOINT : 0),
                                        .period = facts->period };
    UserData user = { .size = 0 };

    for (uint32_t i = 0; i < facts->word_count; i++) {
        if (!put_word(&user, &facts->words[i], &words)) {
            return OpprofChipRefuse(maker->chip, "channels", error,
                                    "the data of channel '%s' has more than %zu bytes", name,
                                    sizeof user.bytes);
        }
    }
    if (!append_channel(maker->plan, channel, &user) ||
        add_file(maker, channel.channel, name, round) == NULL) {
        return OpprofErrorNoMemory(error, "plan the passes");
    }
    return OPPROF_OK;
}

/* A pass with the channels of a NULL-terminated list. */
static OpprofStatus add_pass(Maker *maker, const char *const *names, uint32_t round,
                             OpprofError **error)
{
    OpprofLivePass pass = { .channel_count = 0 };
    OpprofStatus status = OPPROF_OK;

    while (names[pass.channel_count] != NULL) {
        pass.channel_count++;
    }
    if (!append(maker->plan, &pass, sizeof pass)) {
        return OpprofErrorNoMemory(error, "plan the passes");
    }
    for (uint32_t i = 0; i < pass.channel_count && status == OPPROF_OK; i++) {
        status = add_channel(maker, names[i], round, error);
    }
    maker->plan->passes++;
    return status;
}

/* Tasks of an operator that communicates are drawn as one timeline, so those of an earlier run must
 * not mix in. */
static void mark_early(const Maker *maker)
{
    const uint32_t tasks = maker->channels.tasks.channel;

    for (size_t i = 0; i < maker->plan->file_count; i++) {
        LivePlanFile *file = &maker->plan->files[i];

        file->is_early =
            file->is_early || (file->pass + 1 == maker->plan->passes && file->channel == tasks);
    }
}

static OpprofStatus add_counters(Maker *maker, uint32_t round, OpprofError **error)
{
    const bool is_last = round + 1 == counter_rounds(maker->chip, maker->wish->is_basic);
    const bool has_tasks = is_last || maker->wish->replay == OPPROF_LIVE_REPLAY_APPLICATION;
    const bool has_l2 = round == 0 && !maker->wish->is_basic && maker->channels.l2.fact != NULL &&
                        !has_l2_pass(maker->chip, maker->wish->is_basic);
    const char *names[5] = { "counters" };
    unsigned count = 1;

    if (has_l2) {
        names[count++] = "l2";
    }
    if (has_tasks) {
        names[count++] = "tasks";
    }
    /* For operators that communicate, in the pass that times tasks. */
    if (is_last && maker->channels.aicpu.fact != NULL) {
        names[count++] = "aicpu";
    }
    const OpprofStatus status = add_pass(maker, names, round, error);

    if (status == OPPROF_OK && has_tasks && !is_last) {
        mark_early(maker);
    }
    return status;
}

static OpprofStatus refuse_registers(const Maker *maker, OpprofError **error)
{
    OpprofErrorSet(error, OPPROF_E_ARGUMENT,
                   "Registers of the monitors of %s were never confirmed on silicon",
                   OpprofChipSoc(maker->chip));
    OpprofErrorHint(error, "'provisional=on' accepts that a device may hang");
    return OPPROF_E_ARGUMENT;
}

/* The pass with all monitors of all cores on. */
static OpprofStatus add_monitors(Maker *maker, OpprofError **error)
{
    const OpprofLivePass pass = { .flags = OPPROF_LIVE_PASS_MONITORS };
    PerfmonFacts facts;
    OpprofStatus status = PerfmonFactsLoad(maker->chip, &facts, error);

    if (status == OPPROF_OK && facts.is_provisional && !maker->wish->is_provisional_accepted) {
        return refuse_registers(maker, error);
    }
    if (status != OPPROF_OK) {
        return status;
    }
    facts.monitors.buffer_bytes = maker->wish->monitor_bytes;
    maker->plan->passes++;
    return append(maker->plan, &pass, sizeof pass) &&
                   append(maker->plan, &facts.monitors, sizeof facts.monitors)
               ? OPPROF_OK
               : OpprofErrorNoMemory(error, "plan the passes");
}

/* ---- traces of the cores that channels cover ---- */

bool LivePlanHasTrace(const OpprofChip *chip)
{
    return channel_fact(chip, "trace") != NULL;
}

/* Newer drivers report whether they lost data, if a byte at the end asks for it. */
static bool put_trace(const Maker *maker, uint32_t mode, UserData *user)
{
    const TraceFacts *trace = &maker->channels.trace;
    const bool is_new =
        maker->wish->api_version > 0 && (uint32_t) maker->wish->api_version >= trace->loss_since;
    bool is_good = true;

    for (uint32_t i = 0; i < trace->word_count && is_good; i++) {
        const ChannelWord *word = &trace->words[i];

        is_good = word->name == CHANNEL_LOSS
                      ? !is_new || put(user, 1, 1)
                      : put(user, word->name == CHANNEL_MODE ? mode : word->number, 4);
    }
    return is_good;
}

/* A pass with traces also needs an instrumented kernel. */
static bool add_trace_area(Maker *maker, uint32_t kind)
{
    LivePlanArea *entry = &maker->plan->areas[maker->plan->area_count++];

    entry->pass = maker->plan->passes;
    entry->area = (OpprofLiveArea){
        .kind = kind, .slots_per_block = 1, .most_slots = 1, .slot_bytes = STUB_BYTES
    };
    return append(maker->plan, &entry->area, sizeof entry->area);
}

/*
 * A pass with all of them open: words of pipes (mode 0), or samples (mode 1). `kind` is the
 * kernel's; OPPROF_LIVE_INSTRUMENTS: unchanged.
 */
static OpprofStatus add_trace(Maker *maker, uint32_t mode, const char *role, uint32_t kind,
                              OpprofError **error)
{
    const TraceFacts *trace = &maker->channels.trace;
    const bool has_kind = kind < OPPROF_LIVE_INSTRUMENTS;
    const OpprofLivePass pass = { .channel_count = trace->count,
                                  .flags = has_kind ? OPPROF_LIVE_PASS_INSTRUMENTED : 0 };
    UserData user = { .size = 0 };
    bool is_good = put_trace(maker, mode, &user) && append(maker->plan, &pass, sizeof pass);

    for (uint32_t i = 0; i < pass.channel_count && is_good; i++) {
        const OpprofLiveChannel channel = { .channel = trace->channel + i,
                                            .kind = OPPROF_LIVE_CHANNEL_SPARSE };
        LivePlanFile *file = append_channel(maker->plan, channel, &user)
                                 ? add_file(maker, trace->channel + i, role, 0)
                                 : NULL;

        is_good = file != NULL;
        if (is_good) {
            file->chunk = trace->chunk;
            file->core = (uint16_t) (i / 3);
            file->part = (uint16_t) (i % 3);
        }
    }
    is_good = is_good && (!has_kind || add_trace_area(maker, kind));
    maker->plan->passes++;
    return is_good ? OPPROF_OK : OpprofErrorNoMemory(error, "plan the passes");
}

/* Monitors of all cores are better, if their registers may be written. */
static OpprofStatus add_pipes(Maker *maker, OpprofError **error)
{
    return LivePlanHasTrace(maker->chip) && !maker->wish->is_provisional_accepted
               ? add_trace(maker, 0, "pipe_words", OPPROF_LIVE_INSTRUMENTS, error)
               : add_monitors(maker, error);
}

static OpprofStatus add_samples(Maker *maker, OpprofError **error)
{
    return !maker->wish->has_samples || !LivePlanHasTrace(maker->chip)
               ? OPPROF_OK
               : add_trace(maker, 1, "samples", OPPROF_LIVE_INSTRUMENT_START, error);
}

static OpprofStatus add_regions(Maker *maker, OpprofError **error)
{
    if (LivePlanHasTrace(maker->chip)) {
        return add_trace(maker, 0, "pipe_words", OPPROF_LIVE_INSTRUMENT_REGIONS, error);
    }
    return OpprofErrorSet(error, OPPROF_E_ARGUMENT,
                          "The chip file of %s does not say how instructions are traced "
                          "('channels.trace')",
                          OpprofChipSoc(maker->chip));
}

/* ---- instrumented kernels ---- */

/* One entry per type of operands, outside of SIMT code and in each of its threads. */
static void describe_operands(const OpprofChip *chip, OpprofLiveArea *area)
{
    const OpprofFact *record = OpprofChipFact(chip, "pmu.records.operands");
    const uint64_t part = (uint64_t) number_of(record, "types") * number_of(record, "entry") +
                          number_of(record, "gap");
    double threads = 0;

    OpprofChipNumber(chip, "pmu.operand_threads", &threads);
    area->slot_bytes = part * (1 + (uint64_t) threads);
    area->gap = number_of(record, "gap");
}

static void describe_area(const Maker *maker, uint32_t kind, OpprofLiveArea *area)
{
    const OpprofFact *slots = OpprofChipFact(maker->chip, "dbi.area");
    const OpprofFact *live = OpprofChipFact(maker->chip, "dbi.live");

    *area = (OpprofLiveArea){ .kind = kind, .slots_per_block = number_of(live, "slots_per_block") };
    if (kind == OPPROF_LIVE_INSTRUMENT_BLOCKS) {
        area->most_slots = number_of(live, "counter_slots");
        return;
    }
    area->most_slots = number_of(slots, "slots");
    if (kind == OPPROF_LIVE_INSTRUMENT_OPERANDS) {
        describe_operands(maker->chip, area);
        return;
    }
    if (kind == OPPROF_LIVE_INSTRUMENT_WARPS) {
        area->slot_bytes = number_of(OpprofFactMember(live, "warps"), "bytes");
        area->gap = number_of(OpprofFactMember(live, "warps"), "gap");
        return;
    }
    area->header_bytes = number_of(slots, "header");
    area->length_at = number_of(live, "length_at");
    area->gap = number_of(slots, "gap");
    area->slot_bytes = number_of(slots, "bytes");
}

static OpprofStatus add_area(Maker *maker, uint32_t kind, OpprofError **error)
{
    const OpprofLivePass pass = { .flags = OPPROF_LIVE_PASS_INSTRUMENTED };
    LivePlan *plan = maker->plan;
    LivePlanArea *entry = &plan->areas[plan->area_count];

    entry->pass = plan->passes;
    describe_area(maker, kind, &entry->area);
    if (!OpprofLiveAreaIsGood(&entry->area)) {
        return OpprofErrorSet(error, OPPROF_E_DATA,
                              "The chip file of %s does not describe the record area of "
                              "instrumented kernels ('dbi.area' and 'dbi.live')",
                              OpprofChipSoc(maker->chip));
    }
    plan->area_count++;
    plan->passes++;
    return append(plan, &pass, sizeof pass) && append(plan, &entry->area, sizeof entry->area)
               ? OPPROF_OK
               : OpprofErrorNoMemory(error, "plan the passes");
}

/* All that are wanted; if the application is replayed, only the one of its round. */
static OpprofStatus add_areas(Maker *maker, OpprofError **error)
{
    const LivePlanWish *wish = maker->wish;
    const uint32_t kinds = instruments_of(maker->chip, wish);
    uint32_t round =
        counter_rounds(maker->chip, wish->is_basic) + has_l2_pass(maker->chip, wish->is_basic);
    OpprofStatus status = OPPROF_OK;

    for (uint32_t kind = 0; kind < OPPROF_LIVE_INSTRUMENTS && status == OPPROF_OK; kind++) {
        if ((kinds >> kind & 1) == 0) {
            continue;
        }
        if (wish->replay != OPPROF_LIVE_REPLAY_APPLICATION || round == wish->round) {
            status = add_area(maker, kind, error);
        }
        round++;
    }
    return status;
}

static OpprofStatus add_counting_passes(Maker *maker, OpprofError **error)
{
    static const char *const l2[] = { "l2", NULL };
    const LivePlanWish *wish = maker->wish;
    const bool has_own = has_l2_pass(maker->chip, wish->is_basic);
    const uint32_t rounds = counter_rounds(maker->chip, wish->is_basic);
    OpprofStatus status = OPPROF_OK;

    if (wish->replay == OPPROF_LIVE_REPLAY_APPLICATION && wish->round >= rounds + has_own) {
        return OPPROF_OK; /* a round with an instrumented kernel */
    }
    if (wish->replay == OPPROF_LIVE_REPLAY_APPLICATION) {
        return has_own && wish->round == 0 ? add_pass(maker, l2, 0, error)
                                           : add_counters(maker, wish->round - has_own, error);
    }
    if (has_own && wish->replay == OPPROF_LIVE_REPLAY_KERNEL) {
        status = add_pass(maker, l2, 0, error);
    }
    for (uint32_t round = 0; round < rounds && status == OPPROF_OK; round++) {
        status = add_counters(maker, round, error);
    }
    return status;
}

static OpprofStatus add_passes(Maker *maker, OpprofError **error)
{
    OpprofStatus status = add_counting_passes(maker, error);

    if (status == OPPROF_OK) {
        status = add_samples(maker, error);
    }
    if (status == OPPROF_OK && maker->wish->has_monitors) {
        status = add_pipes(maker, error);
    }
    if (status == OPPROF_OK && maker->wish->has_regions) {
        status = add_regions(maker, error);
    }
    return status == OPPROF_OK ? add_areas(maker, error) : status;
}

static OpprofStatus make(Maker *maker, OpprofError **error)
{
    const LivePlanWish *wish = maker->wish;
    LivePlan *plan = maker->plan;
    OpprofLivePlan head = { .replay = wish->replay,
                            .warm_up = wish->warm_up,
                            .deadline_ms = wish->deadline_ms,
                            .command = maker->channels.command,
                            .clear_bytes = wish->clears_cache ? maker->channels.clear_bytes : 0 };
    const OpprofStatus status = append(plan, &head, sizeof head)
                                    ? add_passes(maker, error)
                                    : OpprofErrorNoMemory(error, "plan the passes");

    if (status == OPPROF_OK) {
        head.pass_count = plan->passes;
        memcpy(plan->bytes, &head, sizeof head);
    } else {
        LivePlanFinish(plan);
    }
    return status;
}

OpprofStatus LivePlanMake(const OpprofChip *chip, const LivePlanWish *wish, LivePlan *ret_plan,
                          OpprofError **error)
{
    Maker maker = { .chip = chip, .wish = wish, .plan = ret_plan };

    *ret_plan = (LivePlan){ .size = 0 };
    if (!LivePlanIsKnown(chip)) {
        return OpprofErrorSet(error, OPPROF_E_NOT_FOUND,
                              "The chip file of %s does not say how its profiling channels are "
                              "programmed (section 'channels')",
                              OpprofChipSoc(chip));
    }
    OpprofStatus status =
        OpprofFactsBind(chip, "channels", &channels_table, &maker.channels, error);
    if (status == OPPROF_OK) {
        status = make(&maker, error);
        OpprofFactsFree(&channels_table, &maker.channels);
    }
    return status;
}

const LivePlanFile *LivePlanFind(const LivePlan *plan, uint32_t pass, uint32_t channel)
{
    for (uint32_t i = 0; i < plan->file_count; i++) {
        if (plan->files[i].pass == pass && plan->files[i].channel == channel) {
            return &plan->files[i];
        }
    }
    return NULL;
}

const OpprofLiveArea *LivePlanFindArea(const LivePlan *plan, uint32_t pass)
{
    for (uint32_t i = 0; i < plan->area_count; i++) {
        if (plan->areas[i].pass == pass) {
            return &plan->areas[i].area;
        }
    }
    return NULL;
}

bool LivePlanMonitorFile(const char *chip, uint32_t channel, char *name, size_t size)
{
    static const char *const sub_cores[] = { "aic", "aiv0", "aiv1" };
    const uint32_t number = channel - OPPROF_LIVE_RAW_MONITOR;
    char group[16];

    if (channel < OPPROF_LIVE_RAW_MONITOR || number % 4 > 2) {
        return false;
    }
    snprintf(group, sizeof group, "%u", (unsigned) number / 4);
    const OpprofRawPart parts[] = { { "group", group }, { "core", sub_cores[number % 4] } };
    OpprofRawFileNameOf(chip, "pipe_windows", parts, sizeof parts / sizeof parts[0], name, size);
    return true;
}

void LivePlanFinish(LivePlan *plan)
{
    free(plan->bytes);
    free(plan->files);
    *plan = (LivePlan){ .size = 0 };
}
