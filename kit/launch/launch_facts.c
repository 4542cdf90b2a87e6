/* SPDX-License-Identifier: Apache-2.0 */
/* A launch, its files, operator, chip and clock. Tested by tests/kit/launch/test_launch_reader. */
#include "launch_reader.h"

#include <inttypes.h>
#include <opprof/kit/chip.h>
#include <opprof/require.h>
#include <stdlib.h>
#include <string.h>

#define MAX_DIGITS 15 /* a double holds any such number */
#define LEAST_MHZ 1.0
#define MOST_MHZ 1e6
#define HZ_OF_MHZ 1e6

/* ---- its files ---- */

const char *OpprofLaunchPlace(const OpprofLaunch *launch)
{
    return OpprofStageString(launch->stage, launch->partition);
}

static uint32_t bit_of(const OpprofLaunch *launch, const char *role)
{
    const OpprofLaunchParser *parser = launch->reader->parser;

    for (size_t i = 0; i < parser->role_count; i++) {
        if (strcmp(parser->roles[i].role, role) == 0) {
            return UINT32_C(1) << i;
        }
    }
    return 0;
}

bool OpprofLaunchSaw(const OpprofLaunch *launch, const char *role)
{
    return (launch->own->seen & bit_of(launch, role)) != 0;
}

bool OpprofLaunchHas(const OpprofLaunch *launch, const char *role)
{
    return (launch->own->filled & bit_of(launch, role)) != 0;
}

static const char *chip_of(const OpprofLaunch *launch)
{
    return launch->reader->chip == NULL ? "auto" : launch->reader->chip;
}

OpprofFileName OpprofLaunchFileName(const OpprofLaunch *launch, const char *role, uint32_t number)
{
    OpprofFileName name;

    OpprofRawFileName(launch->chip == NULL ? chip_of(launch) : OpprofChipSoc(launch->chip), role,
                      number, name.text, sizeof name.text);
    return name;
}

void OpprofLaunchKeep(OpprofLaunch *launch, const unsigned char *record, size_t size,
                      const char *reason)
{
    OPPROF_REQUIRE("launch-record", launch != NULL && launch->own->piece != NULL,
                   "The record is one of those that take got");
    OpprofRawKeep(&launch->raw, launch->file.id,
                  launch->file.at + (uint64_t) (record - launch->own->piece), record, size, reason);
}

/* ---- the text ---- */

static const char *info_fault(const struct OpprofLaunchOwn *own)
{
    return own->is_info_long ? "is longer than 1 MiB: the rest is left out"
                             : RawTextFault(own->info.bytes, own->info.length);
}

/* The first question for a fact: from here on another file "info" comes too late, and a fault of
 * the text is reported, since facts may be missing. */
static void use_info(const OpprofLaunch *launch)
{
    struct OpprofLaunchOwn *own = launch->own;

    if (own->is_info_used) {
        return;
    }
    own->is_info_used = true;
    own->form = OpprofRawFormOf(chip_of(launch), own->info.bytes, own->info.length);
    const char *fault = own->is_info_cut ? NULL : info_fault(own);
    if (fault != NULL) {
        OPPROF_LAUNCH_LACKS(launch, "'%s' %s", OpprofLaunchFileName(launch, "info", 0).text, fault);
    }
}

const char *OpprofLaunchInfo(const OpprofLaunch *launch, size_t *ret_length)
{
    *ret_length = launch->own->info.length;
    return launch->own->info.bytes;
}

const char *OpprofLaunchFact(const OpprofLaunch *launch, const char *fact, size_t *ret_length)
{
    const struct OpprofLaunchOwn *own = launch->own;

    use_info(launch);
    return OpprofRawValue(&own->form, fact, own->info.bytes, own->info.length, ret_length);
}

const char *OpprofLaunchKey(const OpprofLaunch *launch, const char *fact)
{
    use_info(launch);
    const char *key = OpprofRawKey(&launch->own->form, fact);

    return key == NULL ? fact : key;
}

bool OpprofLaunchFlag(const OpprofLaunch *launch, const char *fact)
{
    size_t length = 0;
    const char *value = OpprofLaunchFact(launch, fact, &length);

    return value != NULL && length == 1 && value[0] == '1';
}

bool OpprofLaunchCommunicates(const OpprofLaunch *launch)
{
    return OpprofLaunchFlag(launch, "mc2") || OpprofLaunchFlag(launch, "lccl");
}

bool OpprofLaunchNumber(const OpprofLaunch *launch, const char *fact, double *ret_number)
{
    size_t length = 0;
    const char *value = OpprofLaunchFact(launch, fact, &length);
    double number = 0;

    if (value == NULL || length > MAX_DIGITS) {
        return false;
    }
    for (size_t i = 0; i < length; i++) {
        if (value[i] < '0' || value[i] > '9') {
            return false;
        }
        number = number * 10 + (value[i] - '0');
    }
    *ret_number = number;
    return true;
}

/* ---- the chip ---- */

/* Facts derived from the chip of a SoC, as the data names it. */
struct OpprofLaunchModel {
    struct OpprofLaunchModel *next;
    OpprofChip *chip;
    char *soc;
    bool is_substitute;
    void *derived;
};

void LaunchModelsFree(const OpprofLaunchParser *parser, struct OpprofLaunchModel *models)
{
    while (models != NULL) {
        struct OpprofLaunchModel *next = models->next;

        if (models->derived != NULL && parser->unload != NULL) {
            parser->unload(models->derived);
        }
        OpprofChipFree(models->chip);
        free(models->derived);
        free(models->soc);
        free(models);
        models = next;
    }
}

static OpprofStatus fill_model(OpprofLaunchReader *reader, struct OpprofLaunchModel *model,
                               OpprofError **error)
{
    const OpprofLaunchParser *parser = reader->parser;
    const OpprofStatus status =
        OpprofChipChoose(reader->chip, model->soc, &model->chip, &model->is_substitute, error);

    if (status != OPPROF_OK || parser->load == NULL) {
        return status;
    }
    model->derived = calloc(1, parser->model_bytes + 1);
    return model->derived == NULL ? OpprofErrorNoMemory(error, "read the facts of a chip")
                                  : parser->load(reader, model->chip, model->derived, error);
}

/* The model for a SoC; "": the data names none. */
static OpprofStatus find_model(OpprofLaunchReader *reader, const char *soc,
                               struct OpprofLaunchModel **ret_model, OpprofError **error)
{
    for (*ret_model = reader->models; *ret_model != NULL; *ret_model = (*ret_model)->next) {
        if (strcmp((*ret_model)->soc, soc) == 0) {
            return OPPROF_OK;
        }
    }
    struct OpprofLaunchModel *model = calloc(1, sizeof *model);

    if (model == NULL || (model->soc = strdup(soc)) == NULL) {
        free(model);
        return OpprofErrorNoMemory(error, "read the facts of a chip");
    }
    const OpprofStatus status = fill_model(reader, model, error);
    if (status != OPPROF_OK) {
        LaunchModelsFree(reader->parser, model);
        return status;
    }
    model->next = reader->models;
    reader->models = model;
    *ret_model = model;
    return OPPROF_OK;
}

OpprofStatus OpprofLaunchReaderCheck(OpprofLaunchReader *reader, OpprofError **error)
{
    struct OpprofLaunchModel *unused;

    return OpprofChipIsAuto(reader->chip) ? OPPROF_OK : find_model(reader, "", &unused, error);
}

/* Only these concern all launches; with any other failure of one launch the others go on. */
static bool ends_stage(OpprofStatus status)
{
    return status == OPPROF_E_MEMORY || status == OPPROF_E_ARGUMENT;
}

static OpprofStatus refuse_chip(OpprofLaunch *launch, OpprofStatus status, OpprofError *reason,
                                OpprofError **error)
{
    if (ends_stage(status)) {
        OpprofErrorPass(error, reason);
        return status;
    }
    launch->failure = reason;
    if (launch->file.name != NULL &&
        (launch->reader->parser->flags & OPPROF_PARSER_LEAVES_OUT) != 0) {
        OPPROF_LAUNCH_LACKS(launch, "Files that need the chip are left out, '%s' first: %s",
                            launch->file.name, OpprofErrorLine(reason));
    }
    return OPPROF_END;
}

OpprofStatus OpprofLaunchChoose(OpprofLaunch *launch, OpprofError **error)
{
    OPPROF_REQUIRE("launch-given", launch != NULL, "The launch is one that the reader began");
    if (launch->chip != NULL || launch->failure != NULL) {
        return launch->chip != NULL ? OPPROF_OK : OPPROF_END;
    }
    const OpprofLaunchParser *parser = launch->reader->parser;
    struct OpprofLaunchModel *model = NULL;
    OpprofError *reason = NULL;
    size_t length = 0;
    const char *value = OpprofLaunchFact(launch, "soc", &length);
    char *soc = strndup(value == NULL ? "" : value, length);
    const OpprofStatus status = soc == NULL ? OpprofErrorNoMemory(error, "read the facts of a chip")
                                            : find_model(launch->reader, soc, &model, &reason);

    if (status == OPPROF_OK) {
        launch->chip = model->chip;
        launch->model = model->derived;
        if (model->is_substitute) {
            OpprofStageWarn(launch->stage,
                            "The data is from '%s', but the facts of '%s' are used, as requested",
                            soc, OpprofChipSoc(model->chip));
        }
    }
    free(soc);
    if (status != OPPROF_OK) {
        return soc == NULL ? status : refuse_chip(launch, status, reason, error);
    }
    return parser->choose == NULL ? OPPROF_OK : parser->choose(launch, error);
}

/* ---- the clock ---- */

static bool is_clock(double mhz)
{
    return mhz >= LEAST_MHZ && mhz <= MOST_MHZ;
}

/* 0: the chip file states none, or there is no chip. */
static double clock_of_chip(OpprofLaunch *launch)
{
    double mhz = 0;

    if (OpprofLaunchChoose(launch, NULL) == OPPROF_OK &&
        !OpprofChipNumber(launch->chip, "pmu.defaults.rated_freq", &mhz)) {
        mhz = (double) OpprofChipClock(launch->chip, "core") / HZ_OF_MHZ;
    }
    return is_clock(mhz) ? mhz : 0;
}

/* Without a clock in the data, that of the chip is used; the cores may have had another. */
static void report_clock(const OpprofLaunch *launch, double mhz)
{
    const OpprofFileName info = OpprofLaunchFileName(launch, "info", 0);

    if (!(mhz > 0)) {
        OPPROF_LAUNCH_LACKS(launch, "neither '%s' nor the chip file states the clock of its cores",
                            info.text);
    } else if (launch->own->info.length == 0) {
        OPPROF_LAUNCH_LACKS(launch,
                            "'%s' is missing or empty, so the clock of its cores is unknown: the "
                            "chip's %.0f MHz are used",
                            info.text, mhz);
    } else {
        OPPROF_LAUNCH_WARNS(launch, "'%s' states no clock of the cores, using the chip's %.0f MHz",
                            info.text, mhz);
    }
}

uint64_t OpprofLaunchClock(OpprofLaunch *launch)
{
    OPPROF_REQUIRE("launch-given", launch != NULL, "The launch is one that the reader began");

    struct OpprofLaunchOwn *own = launch->own;
    double mhz = 0;

    if (!own->has_clock) {
        if (!OpprofLaunchNumber(launch, "current_freq", &mhz) || !is_clock(mhz)) {
            mhz = 0;
            OpprofLaunchNumber(launch, "rated_freq", &mhz);
        }
        if (!is_clock(mhz)) {
            mhz = clock_of_chip(launch);
            report_clock(launch, mhz);
        }
        own->clock = (uint64_t) (mhz * HZ_OF_MHZ);
        own->has_clock = true;
    }
    return own->clock;
}

/* ---- the code ---- */

uint64_t OpprofLaunchCodeStart(const OpprofLaunch *launch)
{
    OPPROF_REQUIRE("launch-given", launch != NULL, "The launch is one that the reader began");

    struct OpprofLaunchOwn *own = launch->own;
    uint64_t start = 0;

    if (!OpprofRawAddress(own->start.bytes, own->start.length, &start) && own->has_start &&
        !own->is_start_reported) {
        own->is_start_reported = true;
        OPPROF_LAUNCH_LACKS(launch,
                            "'%s' has no hexadecimal address: where the code was loaded is unknown",
                            OpprofLaunchFileName(launch, "code_start", 0).text);
    }
    return start == 0 ? OPPROF_NA_U64 : start;
}
