/* SPDX-License-Identifier: Apache-2.0 */
/* Tests the results of sample-parse for a few records. */
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
    if (OpprofPipelineFindPlugin(finder, "sample-parse", &plugin, NULL, &error) != OPPROF_OK) {
        fprintf(stderr, "test: %s\n", OpprofErrorText(error, false));
        return 1;
    }
    memset(&options, 0, sizeof options);
    if (OpprofHarnessCreate(plugin, &options, &harness, &error) != OPPROF_OK) {
        fprintf(stderr, "test: %s\n", OpprofErrorText(error, false));
        return 1;
    }
    const struct {
        uint64_t word;
    } rows[] = { { UINT64_C(7) << 32 | 250 }, { 3 } };
    OpprofHarnessRecords records;
    memset(&records, 0, sizeof records);
    records.records = rows;
    records.count = 2;
    EXPECT(OpprofHarnessGive(harness, 0, &records, &error) == OPPROF_OK);
    EXPECT(OpprofHarnessRun(harness, &error) == OPPROF_OK);
    EXPECT_TEXT(OpprofHarnessLine(harness, 0, 0), "name=unit7\tvalue=250.0");
    EXPECT_TEXT(OpprofHarnessLine(harness, 0, 1), "name=unit0\tvalue=3.0");
    EXPECT(OpprofHarnessDestroy(harness) == 0);
    OpprofPipelineDestroy(finder);
    return 0;
}
