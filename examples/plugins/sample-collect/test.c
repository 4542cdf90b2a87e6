/* SPDX-License-Identifier: Apache-2.0 */
/* Tests the results of sample-collect for a few records. */
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
    if (OpprofPipelineFindPlugin(finder, "sample-collect", &plugin, NULL, &error) != OPPROF_OK) {
        fprintf(stderr, "test: %s\n", OpprofErrorText(error, false));
        return 1;
    }
    memset(&options, 0, sizeof options);
    FILE *file = fopen("test-input.txt", "w");
    EXPECT(file != NULL && fputs("alpha 1.5\nbeta 2\n", file) >= 0 && fclose(file) == 0);
    options.params_json = "{\"input\": \"test-input.txt\"}";
    if (OpprofHarnessCreate(plugin, &options, &harness, &error) != OPPROF_OK) {
        fprintf(stderr, "test: %s\n", OpprofErrorText(error, false));
        return 1;
    }
    EXPECT(OpprofHarnessRun(harness, &error) == OPPROF_OK);
    EXPECT(OpprofHarnessCount(harness, 0) == 2);
    EXPECT_TEXT(OpprofHarnessLine(harness, 0, 0), "name=alpha\ttime=1\tvalue=1.5");
    remove("test-input.txt");
    EXPECT(OpprofHarnessDestroy(harness) == 0);
    OpprofPipelineDestroy(finder);
    return 0;
}
