/* SPDX-License-Identifier: Apache-2.0 */
/* Tests the results of sample-analyse for a few records. */
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
    if (OpprofPipelineFindPlugin(finder, "sample-analyse", &plugin, NULL, &error) != OPPROF_OK) {
        fprintf(stderr, "test: %s\n", OpprofErrorText(error, false));
        return 1;
    }
    memset(&options, 0, sizeof options);
    if (OpprofHarnessCreate(plugin, &options, &harness, &error) != OPPROF_OK) {
        fprintf(stderr, "test: %s\n", OpprofErrorText(error, false));
        return 1;
    }
    const struct {
        uint64_t time;
        double value;
        uint32_t name, reserved;
    } rows[] = { { 1, 1500, OpprofHarnessIntern(harness, "alpha"), 0 },
                 { 2, OpprofNaF64(), 0, 0 } };
    OpprofHarnessRecords records;
    memset(&records, 0, sizeof records);
    records.records = rows;
    records.count = 2;
    EXPECT(OpprofHarnessGive(harness, 0, &records, &error) == OPPROF_OK);
    EXPECT(OpprofHarnessRun(harness, &error) == OPPROF_OK);
    EXPECT_TEXT(OpprofHarnessLine(harness, 0, 0), "name=alpha\tvalue=1500.0\tvalue_ms=1.5");
    EXPECT_TEXT(OpprofHarnessLine(harness, 0, 1), ""); /* all values are absent */
    EXPECT(OpprofHarnessDestroy(harness) == 0);
    OpprofPipelineDestroy(finder);
    return 0;
}
