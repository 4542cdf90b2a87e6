/* SPDX-License-Identifier: Apache-2.0 */
/*
 * launch-subject: says what ran, by the text beside the raw files of each launch, for the beginning
 * of reports. Tested by tests/plugins/report/test_screens.sh.
 */
#include <opprof/kit/launch_reader.h>
#include <opprof/plugin.h>
#include <opprof/records/subject.h>

#include <string.h>

static uint32_t intern_fact(const OpprofLaunch *launch, const char *fact)
{
    size_t length = 0;
    const char *value = OpprofLaunchFact(launch, fact, &length);

    return value == NULL || length == 0 ? OPPROF_NA_STRING
                                        : OpprofStageIntern(launch->stage, value, length);
}

/* As the data names it, else as the user does. Parsers report a chip that is unknown. */
static OpprofStatus find_chip(OpprofLaunch *launch, uint32_t *ret_chip, OpprofError **error)
{
    *ret_chip = intern_fact(launch, "soc");
    if (*ret_chip != OPPROF_NA_STRING || OpprofChipIsAuto(launch->reader->chip)) {
        return OPPROF_OK;
    }
    const OpprofStatus status = OpprofLaunchChoose(launch, error);

    if (status == OPPROF_OK) {
        const char *soc = OpprofChipSoc(launch->chip);

        *ret_chip = OpprofStageIntern(launch->stage, soc, strlen(soc));
    }
    OpprofErrorDestroy(launch->failure);
    launch->failure = NULL;
    return status == OPPROF_END ? OPPROF_OK : status;
}

static OpprofStatus end_launch(OpprofLaunch *launch, OpprofError **failure, OpprofError **error)
{
    static const char way[] = "on a device";
    double blocks = 0;
    OpprofSubject row = { .device = launch->device,
                          .kernel = launch->kernel,
                          .order = launch->order,
                          .name = intern_fact(launch, "name"),
                          .way = OpprofStageIntern(launch->stage, way, sizeof way - 1),
                          .blocks = OPPROF_NA_U32,
                          .cores = OPPROF_NA_U32,
                          .cycles = OPPROF_NA_U64 };
    const OpprofStatus status = find_chip(launch, &row.chip, error);

    (void) failure;
    if (OpprofLaunchNumber(launch, "block_dim", &blocks) && blocks > 0 && blocks < OPPROF_NA_U32) {
        row.blocks = (uint32_t) blocks;
    }
    return status == OPPROF_OK ? OpprofStageAppend(launch->stage, 0, launch->partition, &row)
                               : status;
}

static const OpprofLaunchParser parser = {
    .instance_bytes = sizeof(OpprofLaunchReader),
    .launch_bytes = sizeof(OpprofLaunch),
    .raw_port = OPPROF_NA_U32,
    .end = end_launch,
};

static const OpprofPort outputs[] = {
    { .name = "subject",
      .record_type = &opprof_subject_type,
      .summary = "What ran: each launch, its chip and its blocks." },
};

static const OpprofParam params[] = {
    { .name = "chip",
      .type = OPPROF_PARAM_STRING,
      .default_value = "auto",
      .summary = "SoC or series that ran, where the data names none; auto: unknown." },
};

OPPROF_LAUNCH_PARSER_DEFINE(
    parser, OpprofLaunchReaderConfigure, NULL, outputs, .name = "launch-subject", .version = "1.0",
    .license = "Apache-2.0",
    .summary = "Says what ran: operators, chip and blocks of launches on a device.",
    .help = "Reads the text that lies beside the raw files of a launch (op_basic_info.txt).",
    .params = params, .param_count = OPPROF_COUNT(params));
