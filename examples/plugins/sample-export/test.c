/* SPDX-License-Identifier: Apache-2.0 */
/* Tests the results of sample-export for a few records. */
#include <opprof/harness.h>
#include <opprof/opprof.h>

#include <stdlib.h>
#include <string.h>

#define EXPECT(condition)                                                                          \
    ((condition) ? (void) 0 : (fprintf(stderr, "test: not true: %s\n", #condition), exit(1)))
#define EXPECT_TEXT(text, wanted) expect_text(text, wanted, __LINE__)

static void expect_text(const char *text, const char *wanted, int line)
{
    if (strcmp(text, wanted) != 0) {
        fprintf(stderr, "test.c:%d: got '%s', expected '%s'\n", line, text, wanted);
        exit(1);
    }
}

int main(void)
{
    OpprofPipeline *finder = OpprofPipelineCreate();
    OpprofHarnessOptions options;
    OpprofHarness *harness = NULL;
    const OpprofPlugin *plugin = NULL;
    OpprofError *error = NULL;

    OpprofPipelineAllowWritablePlugins(finder);
    OpprofPipelineAddPluginPath(finder, ".", NULL);
    if (OpprofPipelineFindPlugin(finder, "sample-export", &plugin, NULL, &error) != OPPROF_OK) {
        fprintf(stderr, "test: %s\n", OpprofErrorText(error, false));
        return 1;
    }
    memset(&options, 0, sizeof options);
    static const OpprofField fields[] = { { "value", OPPROF_FIELD_U64, 0, NULL, "A value.", NULL,
                                            NULL, 0, 0, 0 } };
    static const OpprofRecordType type = { sizeof type, 1,   "test.row",
                                           "A row.",    8,   OPPROF_RECORD_TABLE,
                                           fields,      1,   "Rows",
                                           "rows",      NULL };
    static const OpprofRecordType *const types[] = { &type };
    char path[400], line[100] = "";
    options.input_types = types;
    if (OpprofHarnessCreate(plugin, &options, &harness, &error) != OPPROF_OK) {
        fprintf(stderr, "test: %s\n", OpprofErrorText(error, false));
        return 1;
    }
    const struct {
        uint64_t value;
    } rows[] = { { 5 }, { UINT64_MAX } };
    OpprofHarnessRecords records;
    memset(&records, 0, sizeof records);
    records.records = rows;
    records.count = 2;
    EXPECT(OpprofHarnessGive(harness, 0, &records, &error) == OPPROF_OK);
    EXPECT(OpprofHarnessRun(harness, &error) == OPPROF_OK);
    snprintf(path, sizeof path, "%s/sample-export.txt", OpprofHarnessDirectory(harness));
    FILE *file = fopen(path, "r");
    EXPECT(file != NULL && fread(line, 1, sizeof line - 1, file) > 0);
    EXPECT_TEXT(line, "5\nNA\n");
    fclose(file);
    EXPECT(OpprofHarnessDestroy(harness) == 0);
    OpprofPipelineDestroy(finder);
    return 0;
}
