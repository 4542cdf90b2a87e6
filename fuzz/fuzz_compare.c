/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A database of results as someone may hand it over, as in fuzz_results, compared with one of a
 * small run: whatever it holds, there is a comparison that can be printed, or an error.
 */
#include "fuzz/fuzz.h"
#include "fuzz/made_database.h"
#include "fuzz/quick_runs.h"

#include "compare/compare.h"
#include "compare/print.h"
#include "compare/texts.h"

#include <opprof/results.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char small_run[] = FUZZ_CORPUS_DIR "/results/good.sql";

/* The database of the small run, made by the SQL of the corpus. */
static void make_small_run(const char *path)
{
    static uint8_t sql[1 << 16];
    FILE *file = fopen(small_run, "rb");
    size_t size;

    FUZZ_REQUIRE(file != NULL);
    size = fread(sql, 1, sizeof sql, file);
    fclose(file);
    FUZZ_REQUIRE(size > 0 && size < sizeof sql);
    FuzzMakeDatabase(path, sql, size);
}

static void compare(const char *a, const char *b)
{
    static const char *const rules[] = { "duration_us > +5%" };
    OpprofError *error = NULL;
    DiffFound found;
    char *text = NULL;
    size_t size;
    FILE *out;

    if (DiffFind(&found, a, b, NULL, 0, &error) == OPPROF_OK) {
        out = open_memstream(&text, &size);
        FUZZ_REQUIRE(out != NULL && DiffPrintMarkdown(&found, out));
        FUZZ_REQUIRE(DiffPrintJson(&found, out) && fclose(out) == 0);
        FUZZ_REQUIRE(DiffOutcomeOf(&found) != DIFF_REGRESSION);
        free(text);
    }
    DiffFoundFree(&found);
    OpprofErrorDestroy(error);
    error = NULL;
    DiffFind(&found, b, a, rules, 1, &error);
    DiffFoundFree(&found);
    OpprofErrorDestroy(error);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char directory[FUZZ_DIRECTORY_BYTES];
    char path[64], other[64];

    FuzzMakeDirectory(directory);
    snprintf(path, sizeof path, "%s/" OPPROF_RESULTS_FILE, directory);
    snprintf(other, sizeof other, "%s/small.sqlite", directory);
    FuzzMakeDatabase(path, data, size);
    make_small_run(other);
    compare(other, path);
    unlink(path);
    unlink(other);
    rmdir(directory);
    return 0;
}
