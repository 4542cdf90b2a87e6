/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the pipeline kineto for the tests of its analyses and finds cells in their tables. */
#include "results.h"

#include <check.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define CELLS_MAX 64u
#define CELL_ROOM 4096u

static char directory[PATH_MAX];
static char *text;
static char reason[4096];

void ResultsSetUp(void)
{
    const char *parent = getenv("TMPDIR");

    snprintf(directory, sizeof directory, "%s/opprof-analytics-XXXXXX",
             parent != NULL ? parent : "/tmp");
    ck_assert_ptr_nonnull(mkdtemp(directory));
    OpprofLogSetLevel(OPPROF_LOG_ERROR);
}

static int remove_entry(const char *path, const struct stat *info, int kind, struct FTW *place)
{
    (void) info;
    (void) kind;
    (void) place;
    return remove(path);
}

void ResultsTearDown(void)
{
    nftw(directory, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    free(text);
    text = NULL;
}

const char *ResultsPath(const char *name)
{
    static char paths[8][PATH_MAX];
    static unsigned next;
    char *path = paths[next++ % 8];

    ck_assert_int_lt(snprintf(path, PATH_MAX, "%s/%s", directory, name), PATH_MAX);
    return path;
}

const char *ResultsWrite(const char *name, const char *content)
{
    const char *path = ResultsPath(name);
    char parent[PATH_MAX];
    FILE *file;

    snprintf(parent, sizeof parent, "%s", path);
    *strrchr(parent, '/') = '\0';
    mkdir(parent, 0700);
    file = fopen(path, "wb");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(content, 1, strlen(content), file), strlen(content));
    ck_assert_int_eq(fclose(file), 0);
    return path;
}

const char *SamplePath(const char *name)
{
    static char path[PATH_MAX];

    snprintf(path, sizeof path, "%s/kineto/%s", TEST_DATA_DIR, name);
    return path;
}

int RunBuilt(OpprofPipeline *pipeline)
{
    OpprofRunReport report = { 0 };
    OpprofError *error = NULL;
    int outcome = -1;

    nftw(ResultsPath("out"), remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    ck_assert_int_eq(OpprofPipelineSetOutput(pipeline, ResultsPath("out"), true, NULL), OPPROF_OK);
    reason[0] = '\0';
    if (RunAllPlugins(pipeline, &report, &error) == OPPROF_OK) {
        outcome = (int) report.outcome;
        snprintf(reason, sizeof reason, "%s", report.reason == NULL ? "" : report.reason);
    } else {
        char *chain = OpprofErrorText(error, false);

        snprintf(reason, sizeof reason, "%s", chain);
        free(chain);
    }
    OpprofRunReportFinish(&report);
    OpprofErrorDestroy(error);
    OpprofPipelineDestroy(pipeline);
    return outcome;
}

static void set(OpprofPipeline *pipeline, const char *setting)
{
    const char *value = strchr(setting, '=');
    char name[128];
    OpprofError *error = NULL;

    ck_assert_ptr_nonnull(value);
    snprintf(name, sizeof name, "%.*s", (int) (value - setting), setting);
    ck_assert_msg(OpprofPipelineSet(pipeline, name, value + 1, &error) == OPPROF_OK, "%s",
                  OpprofErrorMessage(error));
}

int RunKineto(const char *input, const char *const *settings)
{
    OpprofPipeline *pipeline = OpprofPipelineCreate();
    OpprofError *error = NULL;
    char setting[PATH_MAX + 16];

    ck_assert_ptr_nonnull(pipeline);
    snprintf(setting, sizeof setting, "input=%s", input);
    set(pipeline, setting);
    for (size_t i = 0; settings != NULL && settings[i] != NULL; i++) {
        set(pipeline, settings[i]);
    }
    ck_assert_msg(OpprofPipelineLoad(pipeline, "kineto", &error) == OPPROF_OK, "%s",
                  OpprofErrorMessage(error));
    return RunBuilt(pipeline);
}

const char *RunReason(void)
{
    return reason;
}

const char *ResultText(const char *name)
{
    char path[PATH_MAX];
    FILE *file;
    size_t size;

    snprintf(path, sizeof path, "out/%s", name);
    free(text);
    text = NULL;
    file = fopen(ResultsPath(path), "rb");
    if (file == NULL) {
        return NULL;
    }
    ck_assert_int_eq(fseek(file, 0, SEEK_END), 0);
    size = (size_t) ftell(file);
    rewind(file);
    text = malloc(size + 1);
    ck_assert_ptr_nonnull(text);
    ck_assert_uint_eq(fread(text, 1, size, file), size);
    text[size] = '\0';
    fclose(file);
    return text;
}

/* ---- tables ---- */

/* Cells of a line, their quotes taken off. */
typedef struct Line {
    char cells[CELLS_MAX][CELL_ROOM];
    unsigned count;
} Line;

static Line heading;
static Line line;

static const char *read_cell(const char *at, char *out)
{
    const bool is_quoted = *at == '"';
    size_t length = 0;

    at += is_quoted;
    while (*at != '\0' && (is_quoted ? *at != '"' || at[1] == '"' : *at != ',' && *at != '\n')) {
        at += is_quoted && *at == '"';
        ck_assert_uint_lt(length, CELL_ROOM - 1);
        out[length++] = *at++;
    }
    out[length] = '\0';
    return at + (is_quoted && *at == '"');
}

/* The next line, NULL at the end. */
static const char *read_line(const char *at, Line *ret_line)
{
    ret_line->count = 0;
    if (*at == '\0') {
        return NULL;
    }
    for (;;) {
        ck_assert_uint_lt(ret_line->count, CELLS_MAX);
        at = read_cell(at, ret_line->cells[ret_line->count++]);
        if (*at != ',') {
            return *at == '\n' ? at + 1 : at;
        }
        at++;
    }
}

static unsigned column_of(const char *file, const char *name, size_t length)
{
    for (unsigned i = 0; i < heading.count; i++) {
        if (strlen(heading.cells[i]) == length && memcmp(heading.cells[i], name, length) == 0) {
            return i;
        }
    }
    ck_abort_msg("%s has no column '%.*s'", file, (int) length, name);
}

static bool is_wanted(const char *file, const char *where)
{
    while (*where != '\0') {
        const size_t name_length = strcspn(where, "=");
        const char *value = where + name_length + 1;
        const size_t value_length = strcspn(value, ";");
        const char *cell = line.cells[column_of(file, where, name_length)];

        if (strlen(cell) != value_length || memcmp(cell, value, value_length) != 0) {
            return false;
        }
        where = value + value_length;
        where += *where == ';';
    }
    return true;
}

unsigned RowCount(const char *file)
{
    const char *at = ResultText(file);
    unsigned rows = 0;

    if (at == NULL) {
        return 0;
    }
    at = read_line(at, &heading);
    while (at != NULL && (at = read_line(at, &line)) != NULL) {
        rows++;
    }
    return rows;
}

const char *Cell(const char *file, const char *where, const char *column)
{
    static char found[8][CELL_ROOM];
    static unsigned next;
    const char *at = ResultText(file);
    char *result = found[next++ % 8];

    ck_assert_msg(at != NULL, "%s was not written", file);
    at = read_line(at, &heading);
    while (at != NULL && (at = read_line(at, &line)) != NULL) {
        if (is_wanted(file, where)) {
            memcpy(result, line.cells[column_of(file, column, strlen(column))], CELL_ROOM);
            return result;
        }
    }
    return NULL;
}

double CellNumber(const char *file, const char *where, const char *column)
{
    const char *cell = Cell(file, where, column);
    char *end;
    double value;

    ck_assert_msg(cell != NULL, "%s has no row where %s", file, where);
    value = strtod(cell, &end);
    ck_assert_msg(*cell != '\0' && *end == '\0', "%s where %s: '%s' is not a number", file, where,
                  cell);
    return value;
}
