/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chip files with `pmu` and `metrics`: whatever they say, layouts, plans and formulas are made of
 * it or refused with a reason, and every name can be explained. The facts of the families are
 * there.
 */
#include "fuzz/fuzz.h"
#include "kit/facts/chip_file.h"
#include "kit/metrics/metrics_index.h"
#include "plugins/parse-pmu/merge.h"
#include "plugins/parse-pmu/model.h"

#include <fcntl.h>
#include <opprof/kit/cutter.h>
#include <opprof/kit/metrics.h>
#include <opprof/log.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_CHIPS 4u
#define MAX_NAMES 64u

static char directory[] = "/tmp/opprof-fuzz-pmu-chip-XXXXXX";
static char path[sizeof directory + sizeof "/chip.json"];
static FILE *nowhere;

static void clean_up(void)
{
    unlink(path);
    rmdir(directory);
}

static void set_up(void)
{
    if (path[0] != '\0') {
        return;
    }
    FUZZ_REQUIRE(mkdtemp(directory) != NULL);
    snprintf(path, sizeof path, "%s/chip.json", directory);
    setenv("OPPROF_CHIP_PATH", directory, 1);
    setenv("OPPROF_SYSTEM_CHIP_PATH", FUZZ_FACT_PATH, 1);
    OpprofLogSetLevel(OPPROF_LOG_ERROR);
    nowhere = fopen("/dev/null", "w");
    FUZZ_REQUIRE(nowhere != NULL);
    atexit(clean_up);
}

static void write_chip(const uint8_t *data, size_t size)
{
    const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

    FUZZ_REQUIRE(fd >= 0 && write(fd, data, size) == (ssize_t) size);
    close(fd);
}

/* A status that is not a success comes with its reason. */
static bool is_good(OpprofStatus status, OpprofError *error)
{
    FUZZ_REQUIRE((status == OPPROF_OK) == (error == NULL));
    OpprofErrorDestroy(error);
    return status == OPPROF_OK;
}

/* Records full of ones and of zeros, in every replay there is. */
static void merge_records(const PmuModel *model)
{
    static unsigned char records[2 * OPPROF_CUTTER_MAX];
    Merge merge;

    memset(records, 0xff, model->layout.counters.size);
    memset(records + model->layout.counters.size, 0, model->layout.counters.size);
    for (int plan = 0; plan < 2; plan++) {
        MergeInit(&merge, &model->layout, &model->plans[plan]);
        for (uint32_t round = 1; round <= model->plans[plan].rounds + 1; round++) {
            FUZZ_REQUIRE(MergeRecords(&merge, round, records, 2));
        }
        MergeFinish(&merge);
    }
}

static void try_model(const char *name)
{
    const ParserSettings settings = { .replay = "auto" };
    PmuModel model = { .chip = NULL };
    OpprofChip *chip = NULL;
    OpprofError *error = NULL;
    OpprofStatus status = OpprofChipLoad(name, &chip, &error);

    if (status == OPPROF_OK) {
        status = PmuModelLoad(chip, &settings, &model, &error);
    }
    if (is_good(status, error)) {
        merge_records(&model);
    }
    PmuModelFinish(&model);
    OpprofChipFree(chip);
}

static void try_metrics(const OpprofChip *chip)
{
    MetricIndex index;

    FUZZ_REQUIRE(MetricIndexInit(&index, chip));
    for (size_t i = 0; i < index.count && i < MAX_NAMES; i++) {
        OpprofError *error = NULL;
        const OpprofStatus status =
            OpprofMetricsExplain(chip, index.entries[i].name, nowhere, &error);
        FUZZ_REQUIRE(status != OPPROF_E_NOT_FOUND);
        is_good(status, error);
    }
    MetricIndexFinish(&index);
    for (int i = 0; i < 2; i++) {
        OpprofError *error = NULL;
        const OpprofStatus status =
            OpprofMetricsExplain(chip, i == 0 ? "all" : "peak(RING)", nowhere, &error);
        is_good(status, error);
    }
}

static void try_chip(const char *name)
{
    OpprofChip *chip = NULL;
    OpprofError *error = NULL;
    const OpprofStatus status = OpprofChipLoad(name, &chip, &error);

    if (is_good(status, error)) {
        try_metrics(chip);
        try_model(name);
    }
    OpprofChipFree(chip);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char **names = NULL;

    set_up();
    write_chip(data, size);
    RawNamesForget();
    const size_t count = OpprofChipList(&names);
    for (size_t i = 0; i < count; i++) {
        if (i < MAX_CHIPS) {
            try_chip(names[i]);
        }
        free(names[i]);
    }
    free(names);
    return 0;
}
