/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files of an Ascend profiler: the input's first line is the rank in the name of the file beside
 * the trace, the rest is the trace_view.json.
 */
#include "fuzz/fuzz.h"
#include "fuzz/trace_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define RANK_LENGTH 32

static char parent[64];
static char top[96];
static char folder[160];
static char trace[192];

static void remove_folders(void)
{
    unlink(trace);
    rmdir(folder);
    rmdir(top);
    rmdir(parent);
}

static void make_folders(void)
{
    const char *temporary = getenv("TMPDIR");

    snprintf(parent, sizeof parent, "%.32s/fuzz-ascend-XXXXXX",
             temporary != NULL ? temporary : "/tmp");
    FUZZ_REQUIRE(mkdtemp(parent) != NULL);
    snprintf(top, sizeof top, "%s/host_1_ascend_pt", parent);
    snprintf(folder, sizeof folder, "%s/ASCEND_PROFILER_OUTPUT", top);
    snprintf(trace, sizeof trace, "%s/trace_view.json", folder);
    FUZZ_REQUIRE(mkdir(top, 0700) == 0 && mkdir(folder, 0700) == 0 && atexit(remove_folders) == 0);
}

static void write_file(const char *path, const uint8_t *data, size_t size)
{
    FILE *file = fopen(path, "we");

    FUZZ_REQUIRE(file != NULL && (size == 0 || fwrite(data, 1, size, file) == size) &&
                 fclose(file) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *newline = size > 0 ? memchr(data, '\n', size) : NULL;
    const size_t length = newline == NULL ? 0 : (size_t) (newline - data);
    char about[256];

    if (newline == NULL || length > RANK_LENGTH || memchr(data, '/', length) != NULL) {
        return 0;
    }
    if (parent[0] == '\0') {
        make_folders();
    }
    snprintf(about, sizeof about, "%s/profiler_info_%.*s.json", top, (int) length,
             (const char *) data);
    write_file(about, NULL, 0);
    write_file(trace, newline + 1, size - length - 1);
    TraceRunPath(parent);
    unlink(about);
    return 0;
}
