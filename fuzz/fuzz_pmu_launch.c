/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A whole launch through the pipeline onboard-dump: from raw files to tables and the viewer's
 * container, which a strict reader must accept. The first byte chooses what is asked for, and
 * whether the files are those of one launch or of a run with a range that is to be shared out; then
 * come the files, each as a byte that chooses its name, two bytes with its length, and its content.
 */
#include "fuzz/fuzz.h"
#include "tests/tools/container_reader.h"

#include <fcntl.h>
#include <ftw.h>
#include <opprof/opprof.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_FILES 24
#define MAX_BLOCKS 64

/* In memory, where there is such a place: the files of a run cost more than the run. */
static char directory[] = "/dev/shm/opprof-fuzz-pmu-XXXXXX";
static char input_directory[sizeof directory + sizeof "/input"];
static char output_directory[sizeof directory + sizeof "/output"];

static const char *const names[] = {
    "op_basic_info.txt", "duration.bin",     "L2Cache.bin",      "MemoryChart.bin",
    "OperandRecord.bin", "DeviceProf1.bin",  "DeviceProf2.bin",  "DeviceProf3.bin",
    "DeviceProf4.bin",   "DeviceProf5.bin",  "DeviceProf6.bin",  "DeviceProf7.bin",
    "DeviceProf8.bin",   "DeviceProf9.bin",  "DeviceProf10.bin", "DeviceProf11.bin",
    "DeviceProf12.bin",  "DeviceProf13.bin", "DeviceProf0.bin",  "op_basic_info.bin",
};

/* The same below a run, for what finds launches and cuts ranges. */
static const char *const places_of_run[] = {
    "device0/add/0/dump/op_basic_info.txt",
    "device0/add/1/dump/op_basic_info.txt",
    "device0/mul/0/dump/op_basic_info.txt",
    "device0/mul/0/dump/DeviceProf1.bin",
    "device1/add/999/dump/duration.bin",
    "device1/add/x/dump/duration.bin",
    "device0/add/0/dump/DeviceProf2.bin",
    "tmp_dump/device0/1/0/output.txt",
    "tmp_dump/device0/1/0/freq.txt",
    "tmp_dump/device0/1/0/duration.bin",
    "tmp_dump/device0/1/0/DeviceProf1.bin",
    "tmp_dump/device0/1/0/DeviceProf2.bin",
    "tmp_dump/device0/1/0/DeviceProf3.bin",
    "tmp_dump/device0/22/1/output.txt",
    "tmp_dump/device0/22/1/DeviceProf1.bin",
    "tmp_dump/device1/x/0/output.txt",
    "tmp_dump",
    "file",
};

static const char *const metrics[] = { "", "default,occupancy,roofline", "memory",
                                       "pipeutilization,kernelscale,memorydetail" };
static const char *const series[] = { "910B", "310P", "950" };

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

/* A directory for the series with its chip file and what all of them extend. */
static void make_chips(const char *name)
{
    char path[sizeof directory + 64];
    const char *const files[] = { name, "onboard" };

    snprintf(path, sizeof path, "%s/%s", directory, name);
    FUZZ_REQUIRE(mkdir(path, 0700) == 0);
    for (size_t i = 0; i < 2; i++) {
        char target[sizeof FUZZ_CHIPS_DIR + 64];
        char link[sizeof path + 64];
        snprintf(target, sizeof target, "%s/%s.json", FUZZ_CHIPS_DIR, files[i]);
        snprintf(link, sizeof link, "%s/%s.json", path, files[i]);
        FUZZ_REQUIRE(symlink(target, link) == 0);
    }
}

static void choose_chips(const char *name)
{
    char path[sizeof directory + 64];

    snprintf(path, sizeof path, "%s/%s", directory, name);
    setenv("OPPROF_CHIP_PATH", path, 1);
}

static void set_up(void)
{
    if (input_directory[0] != '\0') {
        return;
    }
    if (access("/dev/shm", W_OK) != 0) {
        snprintf(directory, sizeof directory, "/tmp/opprof-fuzz-pmu-XXXXXX");
    }
    FUZZ_REQUIRE(mkdtemp(directory) != NULL);
    snprintf(input_directory, sizeof input_directory, "%s/input", directory);
    snprintf(output_directory, sizeof output_directory, "%s/output", directory);
    for (size_t i = 0; i < sizeof series / sizeof series[0]; i++) {
        make_chips(series[i]);
    }
    setenv("OPPROF_SYSTEM_CHIP_PATH", "", 1);
    setenv("OPPROF_PIPELINE_PATH", FUZZ_PIPELINES_DIR, 1);
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

static void write_files(const uint8_t *data, size_t size, bool is_run)
{
    const char *const *list = is_run ? places_of_run : names;
    const size_t count =
        is_run ? sizeof places_of_run / sizeof places_of_run[0] : sizeof names / sizeof names[0];

    empty(input_directory);
    empty(output_directory);
    FUZZ_REQUIRE(mkdir(input_directory, 0700) == 0);
    for (int i = 0; i < MAX_FILES && size >= 3; i++) {
        const size_t wanted = (size_t) data[1] | (size_t) data[2] << 8;
        const size_t length = wanted < size - 3 ? wanted : size - 3;
        write_file(list[data[0] % count], data + 3, length);
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

static void set(OpprofPipeline *pipeline, const char *name, const char *value)
{
    FUZZ_REQUIRE(OpprofPipelineSet(pipeline, name, value, NULL) == OPPROF_OK);
}

static void run(uint8_t choice)
{
    OpprofPipeline *pipeline = OpprofPipelineCreate();
    OpprofError *error = NULL;
    OpprofRunReport report = { 0 };

    choose_chips(series[choice % 3]);
    FUZZ_REQUIRE(pipeline != NULL);
    set(pipeline, "input", input_directory);
    set(pipeline, "chip", choice / 12 % 2 == 0 ? "auto" : series[choice % 3]);
    set(pipeline, "metrics", metrics[choice / 3 % 4]);
    set(pipeline, "pmu.operand_threads", "1");
    FUZZ_REQUIRE(OpprofPipelineSetOutput(pipeline, output_directory, true, NULL) == OPPROF_OK);
    OpprofStatus status = OpprofPipelineLoad(pipeline, "onboard-dump", &error);
    if (status == OPPROF_OK) {
        status = RunAllPlugins(pipeline, &report, &error);
    }
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    set_up();
    if (size > 0) {
        write_files(data + 1, size - 1, data[0] / 24 % 2 == 1);
        run(data[0]);
    }
    return 0;
}
