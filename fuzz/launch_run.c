/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs pipelines over made-up raw files. Tested by the targets that use it, fuzz/fuzz_pmu_launch.c,
 * fuzz/fuzz_hotspot_launch.c and fuzz/fuzz_timeline_launch.c.
 */
#include "fuzz/launch_run.h"

#include "fuzz/fuzz.h"
#include "fuzz/fuzz_plugin.h"
#include "fuzz/quick_runs.h"
#include "tests/tools/container_reader.h"

#include <fcntl.h>
#include <ftw.h>
#include <opprof/kit/chip.h>
#include <opprof/opprof.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_FILES 24
#define MAX_BLOCKS 64

static char directory[FUZZ_DIRECTORY_BYTES];
static char input_directory[sizeof directory + sizeof "/input"];
static char output_directory[sizeof directory + sizeof "/output"];

const char *const launch_series[LAUNCH_SERIES] = { "910B", "310P", "950" };

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *place)
{
    (void) about;
    (void) kind;
    (void) place;
    return remove(path);
}

static void empty(const char *path)
{
    nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static void clean_up(void)
{
    empty(directory);
}

/* A directory for the series with its chip file. */
static void make_chips(const char *name)
{
    char path[sizeof directory + 64];
    char target[sizeof FUZZ_CHIPS_DIR + 64];
    char link[sizeof path + 64];

    snprintf(path, sizeof path, "%s/%s", directory, name);
    snprintf(target, sizeof target, "%s/%s.json", FUZZ_CHIPS_DIR, name);
    snprintf(link, sizeof link, "%s/%s.json", path, name);
    FUZZ_REQUIRE(mkdir(path, 0700) == 0 && symlink(target, link) == 0);
}

static void choose_chips(const char *name)
{
    char path[sizeof directory + 64];

    snprintf(path, sizeof path, "%s/%s", directory, name);
    setenv("OPPROF_CHIP_PATH", path, 1);
}

/* Without its chip a launch is not even begun. */
static void check_chip(const char *name)
{
    OpprofChip *chip = NULL;

    choose_chips(name);
    FUZZ_REQUIRE(OpprofChipLoad(name, &chip, NULL) == OPPROF_OK);
    OpprofChipFree(chip);
}

static void set_up(void)
{
    if (input_directory[0] != '\0') {
        return;
    }
    FuzzMakeDirectory(directory);
    snprintf(input_directory, sizeof input_directory, "%s/input", directory);
    snprintf(output_directory, sizeof output_directory, "%s/output", directory);
    for (size_t i = 0; i < LAUNCH_SERIES; i++) {
        make_chips(launch_series[i]);
    }
    setenv("OPPROF_SYSTEM_CHIP_PATH", FUZZ_FACT_PATH, 1);
    for (size_t i = 0; i < LAUNCH_SERIES; i++) {
        check_chip(launch_series[i]);
    }
    setenv("OPPROF_PLUGIN_PATH", FUZZ_MODULE_DIRS, 1);
    setenv("OPPROF_SYSTEM_PLUGIN_PATH", "", 1);
    OpprofLogSetLevel(OPPROF_LOG_ERROR);
    atexit(clean_up);
}

/* Folders on the way to a file; what is a file already stays one. */
static void make_folders(char *path)
{
    for (char *at = strchr(path + sizeof input_directory, '/'); at != NULL;
         at = strchr(at + 1, '/')) {
        *at = '\0';
        mkdir(path, 0700);
        *at = '/';
    }
}

static void write_file(const char *name, const uint8_t *bytes, size_t size)
{
    char path[sizeof input_directory + 64];

    snprintf(path, sizeof path, "%s/%s", input_directory, name);
    make_folders(path);
    const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd >= 0) {
        FUZZ_REQUIRE(write(fd, bytes, size) == (ssize_t) size);
        close(fd);
    }
}

void LaunchFilesWrite(const char *const *names, size_t count, const uint8_t *data, size_t size)
{
    set_up();
    empty(input_directory);
    empty(output_directory);
    FUZZ_REQUIRE(mkdir(input_directory, 0700) == 0);
    for (int i = 0; i < MAX_FILES && size >= 3; i++) {
        const size_t wanted = (size_t) data[1] | (size_t) data[2] << 8;
        const size_t length = wanted < size - 3 ? wanted : size - 3;
        write_file(names[data[0] % count], data + 3, length);
        data += 3 + length;
        size -= 3 + length;
    }
}

static void check_container(void)
{
    char path[sizeof output_directory + 64];
    FoundBlock found[MAX_BLOCKS];
    OpprofError *error = NULL;
    size_t count = 0;

    snprintf(path, sizeof path, "%s/visualize_data.bin", output_directory);
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return;
    }
    fseek(file, 0, SEEK_END);
    const size_t size = (size_t) ftell(file);
    rewind(file);
    char *bytes = malloc(size + 1);
    FUZZ_REQUIRE(bytes != NULL && fread(bytes, 1, size, file) == size);
    fclose(file);
    if (ContainerRead(bytes, size, found, MAX_BLOCKS, &count, &error) != OPPROF_OK) {
        fprintf(stderr, "visualize_data.bin: %s\n", OpprofErrorMessage(error));
        abort();
    }
    free(bytes);
}

static OpprofPipeline *create(const char *chip)
{
    OpprofPipeline *pipeline = OpprofPipelineCreate();

    choose_chips(chip);
    FUZZ_REQUIRE(pipeline != NULL);
    FUZZ_REQUIRE(OpprofPipelineSetOutput(pipeline, output_directory, true, NULL) == OPPROF_OK);
    return pipeline;
}

/* What is put together does not depend on the input: a pipeline that cannot be would test nothing
 * of any. */
static void require_pipeline(OpprofStatus status, OpprofError *const *error)
{
    if (status != OPPROF_OK) {
        char *text = OpprofErrorText(*error, false);

        fprintf(stderr, "The pipeline cannot be put together: %s\n", text == NULL ? "" : text);
        abort();
    }
}

/* Run it, and destroy it. */
static void finish(OpprofPipeline *pipeline)
{
    OpprofRunReport report = { 0 };
    OpprofError *error = NULL;

    require_pipeline(OpprofPipelineValidate(pipeline, &error), &error);
    const OpprofStatus status = RunAllPlugins(pipeline, &report, &error);
    if ((status == OPPROF_OK) != (error == NULL)) {
        fprintf(stderr, "status %d: %s\n", (int) status,
                error == NULL ? "no error" : OpprofErrorMessage(error));
        abort();
    }
    OpprofErrorDestroy(error);
    OpprofRunReportFinish(&report);
    OpprofPipelineDestroy(pipeline);
    if (status == OPPROF_OK) {
        check_container();
    }
}

const char *LaunchInput(void)
{
    return input_directory;
}

void LaunchRunLinked(const LaunchStage *stages, const char *from, const char *to, const char *chip)
{
    OpprofPipeline *pipeline = create(chip);
    OpprofError *error = NULL;

    for (; stages->plugin != NULL; stages++) {
        const OpprofPlugin *plugin = FuzzPlugin(stages->plugin, FUZZ_MODULE_DIRS);

        FUZZ_REQUIRE(plugin != NULL);
        require_pipeline(
            AddPluginDescriptor(pipeline, stages->plugin, plugin, stages->params, &error), &error);
    }
    if (from != NULL) {
        require_pipeline(OpprofPipelineLink(pipeline, from, to, &error), &error);
    }
    finish(pipeline);
}

void LaunchRunStages(const LaunchStage *stages, const char *chip)
{
    LaunchRunLinked(stages, NULL, NULL, chip);
}
