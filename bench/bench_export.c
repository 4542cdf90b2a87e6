/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Exporters of timelines: CPU time for a million spans with arguments, arrows and curves, each
 * beside that of `trace` in the same run, peak memory of four times as many, and the time of up to
 * eight times as many. Where there is a
 * Chromium, the page of two million spans is opened in it: how long it takes to appear, and a frame
 * to be drawn.
 */
#include "bench/bench.h"
#include "bench/tree.h"

#include <opprof/opprof.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define SPANS UINT64_C(1000000)
#define LONG 4u    /* times as many to look at memory */
#define LANES 48u  /* of 8 cores */
#define NAMES 40u  /* of spans */
#define ARROW 8u   /* a span of so many has an arrow to the next lane … */
#define SAMPLE 16u /* … and one a sample */

/* One run of an exporter, in a process of its own. */
typedef struct Run {
    const char *plugin;
    uint64_t spans;
    char directory[64];
    double cpu_seconds; /* of the exporter, in the last run */
    double peak_bytes;
} Run;

static uint64_t wanted; /* spans that the source makes */

/* ---- the source ---- */

typedef struct Source {
    OpprofStage *stage;
    uint64_t done;
    uint64_t time[LANES];
    uint32_t track[LANES];
    uint32_t name[NAMES];
    uint32_t key[3];
    uint32_t flow;
    uint32_t document;
    uint32_t seed;
} Source;

static uint32_t intern(Source *self, const char *text)
{
    return OpprofStageIntern(self->stage, text, strlen(text));
}

static OpprofStatus create(OpprofStage *stage, void **ret_self, OpprofError **error)
{
    Source *self = calloc(1, sizeof *self);

    if (self == NULL) {
        return OpprofErrorNoMemory(error, "make spans");
    }
    self->stage = stage;
    self->seed = 1;
    *ret_self = self;
    return OPPROF_OK;
}

static OpprofStatus start(void *context, OpprofError **error)
{
    Source *self = context;
    char process[16], thread[16], name[24];

    (void) error;
    for (uint32_t i = 0; i < LANES; i++) {
        snprintf(process, sizeof process, "core%u", i / 6);
        snprintf(thread, sizeof thread, "PIPE%u", i % 6);
        const OpprofTrack track = { .document = "trace",
                                    .process = process,
                                    .thread = thread,
                                    .process_sort = (int32_t) (i / 6),
                                    .thread_sort = (int32_t) (i % 6) };
        self->track[i] = OpprofStageTrack(self->stage, &track);
    }
    for (uint32_t i = 0; i < NAMES; i++) {
        snprintf(name, sizeof name, "INSTRUCTION_%u", i);
        self->name[i] = intern(self, name);
    }
    self->key[0] = intern(self, "code");
    self->key[1] = intern(self, "detail");
    self->key[2] = intern(self, "pc");
    self->flow = intern(self, "flow");
    self->document = intern(self, "trace");
    return OPPROF_OK;
}

static uint32_t next(Source *self, uint32_t limit)
{
    self->seed = self->seed * 1664525u + 1013904223u;
    return (self->seed >> 8) % limit;
}

/* An arrow leads from a span to the next one, which comes on the next lane: both have its id, as
 * those of a simulation do. */
static OpprofText id_of(const Source *self, OpprofBatch *batch)
{
    OpprofText at = { OPPROF_NA_U32, 0 };
    char id[32];
    int length = 0;

    if (self->done % ARROW == 0) {
        length = snprintf(id, sizeof id, "f%" PRIu64 ">", self->done);
    } else if (self->done % ARROW == 1) {
        length = snprintf(id, sizeof id, ">f%" PRIu64, self->done - 1);
    }
    if (length > 0) {
        OpprofBatchAppendText(batch, id, (size_t) length, &at);
    }
    return at;
}

/* Mostly short, a few a hundred times as long. */
static OpprofSpan make_span(Source *self, OpprofBatch *batch, uint32_t lane)
{
    const uint64_t duration = self->done % 97 == 0 ? 2000 + next(self, 4000) : 4 + next(self, 60);
    char detail[48];
    OpprofArg args[3] = {
        { .key = self->key[0],
          .kind = OPPROF_ARG_STRING,
          .value.u64 = self->name[self->done % NAMES] },
        { .key = self->key[1], .kind = OPPROF_ARG_TEXT },
        { .key = self->key[2],
          .kind = OPPROF_ARG_HEX,
          .value.u64 = 0x10f86000 + self->done % 4096 * 4 },
    };
    OpprofSpan span = { .start = self->time[lane],
                        .duration = duration,
                        .track = self->track[lane],
                        .kind = OPPROF_SPAN_SLICE,
                        .name = self->name[next(self, NAMES)],
                        .arg_count = 3,
                        .id = id_of(self, batch),
                        .group = { OPPROF_NA_U32, 0 } };
    const int length =
        snprintf(detail, sizeof detail, "XD:X5=0x%" PRIx64 ",XN:X1=0x40", self->done);

    OpprofBatchAppendText(batch, detail, (size_t) length, &args[1].value.text);
    OpprofBatchAppendText(batch, (const char *) args, sizeof args, &span.args);
    self->time[lane] += duration + next(self, 20);
    return span;
}

static void add_arrow(Source *self, OpprofBatch *batch, const OpprofSpan *from, uint32_t lane)
{
    char id[24];
    const int length = snprintf(id, sizeof id, "f%" PRIu64, self->done);
    OpprofSpan end = *from;

    end.kind = OPPROF_SPAN_FLOW_START;
    end.name = self->flow;
    end.duration = 0;
    end.arg_count = 0;
    end.args = (OpprofText){ OPPROF_NA_U32, 0 };
    OpprofBatchAppendText(batch, id, (size_t) length, &end.id);
    *(OpprofSpan *) OpprofBatchAppend(batch) = end;
    end.kind = OPPROF_SPAN_FLOW_END;
    end.track = self->track[(lane + 1) % LANES];
    end.start += from->duration;
    *(OpprofSpan *) OpprofBatchAppend(batch) = end;
}

static void add_sample(const Source *self, OpprofBatch *batch, const OpprofSpan *span)
{
    OpprofCounter *counter = OpprofBatchAppend(batch);

    if (counter != NULL) {
        *counter = (OpprofCounter){ .time = span->start,
                                    .value = (double) (self->done % 1000),
                                    .track = self->track[0],
                                    .name = self->name[0],
                                    .series = self->name[1] };
    }
}

static OpprofStatus process(void *context, uint32_t port, const OpprofBatch *none,
                            OpprofError **error)
{
    Source *self = context;
    OpprofBatch *spans = OpprofStageNewBatch(self->stage, 0);
    OpprofBatch *counters = OpprofStageNewBatch(self->stage, 1);
    OpprofStatus status;

    (void) port;
    (void) none;
    if (spans == NULL || counters == NULL) {
        OpprofBatchUnref(spans);
        OpprofBatchUnref(counters);
        return OpprofErrorNoMemory(error, "make spans");
    }
    spans->partition = self->document;
    counters->partition = self->document;
    while (self->done < wanted && spans->count + 3 <= spans->capacity) {
        const uint32_t lane = (uint32_t) (self->done % LANES);
        const OpprofSpan span = make_span(self, spans, lane);

        *(OpprofSpan *) OpprofBatchAppend(spans) = span;
        if (self->done % ARROW == 0) {
            add_arrow(self, spans, &span, lane);
        }
        if (self->done % SAMPLE == 0) {
            add_sample(self, counters, &span);
        }
        self->done++;
    }
    status = OpprofStagePush(self->stage, 0, spans);
    const OpprofStatus other = OpprofStagePush(self->stage, 1, counters);
    status = status == OPPROF_OK ? other : status;
    return status == OPPROF_OK && self->done >= wanted ? OPPROF_END : status;
}

static void destroy(void *context)
{
    free(context);
}

static const OpprofPort outputs[] = {
    { .name = "spans", .record_type = &opprof_span_type, .summary = "Made up." },
    { .name = "counters", .record_type = &opprof_counter_type, .summary = "Made up." },
};

static const OpprofPluginOps ops = { .struct_size = sizeof(OpprofPluginOps),
                                     .create = create,
                                     .start = start,
                                     .process = process,
                                     .destroy = destroy };

static const OpprofPlugin source_plugin = { .struct_size = sizeof(OpprofPlugin),
                                            .abi_major = OPPROF_ABI_MAJOR,
                                            .abi_minor = OPPROF_ABI_MINOR,
                                            .name = "made-up-spans",
                                            .version = "1.0",
                                            .license = "Apache-2.0",
                                            .summary = "Spans from nothing.",
                                            .kind = OPPROF_COLLECTOR,
                                            .outputs = outputs,
                                            .output_count = OPPROF_COUNT(outputs),
                                            .ops = &ops };

/* ---- a run ---- */

/* CPU nanoseconds of the exporter; 0: it failed. */
static uint64_t run_here(const Run *run)
{
    OpprofPipeline *pipeline = OpprofPipelineCreate();
    OpprofRunReport report = { 0 };
    OpprofError *error = NULL;
    uint64_t cpu_ns = 0;

    wanted = run->spans;
    if (AddPluginDescriptor(pipeline, "source", &source_plugin, NULL, &error) == OPPROF_OK &&
        AddPlugin(pipeline, "exporter", run->plugin,
                  strcmp(run->plugin, "sqlite") == 0 ? "{\"formats\": [\"spans\"]}" : NULL,
                  &error) == OPPROF_OK &&
        OpprofPipelineSetOutput(pipeline, run->directory, true, &error) == OPPROF_OK &&
        RunAllPlugins(pipeline, &report, &error) == OPPROF_OK &&
        report.outcome == OPPROF_RUN_COMPLETE) {
        cpu_ns = report.stages[1].cpu_ns;
    }
    if (error != NULL) {
        char *text = OpprofErrorText(error, false);

        fprintf(stderr, "%s\n", text == NULL ? "?" : text);
        free(text);
        OpprofErrorDestroy(error);
    }
    OpprofRunReportFinish(&report);
    OpprofPipelineDestroy(pipeline);
    return cpu_ns;
}

static bool run_exporter(void *context, BenchSample *sample)
{
    Run *run = context;
    struct rusage usage;
    uint64_t cpu_ns = 0;
    int ends[2], status = 0;

    if (pipe(ends) != 0) {
        return false;
    }
    const pid_t child = fork();
    if (child == 0) {
        cpu_ns = run_here(run);
        _exit(write(ends[1], &cpu_ns, sizeof cpu_ns) == sizeof cpu_ns ? 0 : 1);
    }
    close(ends[1]);
    const bool is_good = child > 0 && read(ends[0], &cpu_ns, sizeof cpu_ns) == sizeof cpu_ns &&
                         wait4(child, &status, 0, &usage) == child && status == 0 && cpu_ns > 0;
    close(ends[0]);
    if (!is_good) {
        return false;
    }
    run->cpu_seconds = (double) cpu_ns / 1e9;
    run->peak_bytes = (double) usage.ru_maxrss * 1024;
    sample->amount = (double) run->spans;
    sample->seconds = run->cpu_seconds;
    sample->cpu_seconds = run->cpu_seconds;
    return true;
}

static bool read_peak(void *context, BenchSample *sample)
{
    const Run *run = context;

    sample->amount = run->peak_bytes;
    sample->seconds = 1;
    return run->peak_bytes > 0;
}

static void compare_with_trace(Bench *bench, const char *plugin, Run *subject, Run *trace)
{
    const double goal = strcmp(plugin, "html") == 0     ? 1 / 1.5
                        : strcmp(plugin, "sqlite") == 0 ? 1 / 3.0
                                                        : 0;
    char name[64];

    snprintf(name, sizeof name, "export-%s", plugin);
    BenchRun(bench, &(BenchCase){ .name = name,
                                  .unit = "Mspans/s of CPU",
                                  .scale = 1e6,
                                  .goal = goal,
                                  .subject = { plugin, run_exporter, subject },
                                  .peer = { "trace", run_exporter, trace } });
}

static void compare_memory(Bench *bench, const char *plugin, Run *once, Run *many)
{
    char name[64];
    BenchSample unused = { 0 };

    if (!run_exporter(many, &unused)) {
        return;
    }
    snprintf(name, sizeof name, "export-%s-memory", plugin);
    BenchRun(bench, &(BenchCase){ .name = name,
                                  .unit = "MiB",
                                  .scale = 1048576,
                                  .is_size = true,
                                  .subject = { "four times as many", read_peak, many },
                                  .peer = { "a million", read_peak, once } });
}

/* The time for a span does not grow with their number: of n spans against 2n, 4n and 8n. */
static bool compare_growth(Bench *bench, const char *plugin, uint64_t least)
{
    Run few = { .plugin = plugin, .spans = least };
    bool is_good = TreeMake("bench-export", few.directory, sizeof few.directory);

    for (uint32_t times = 2; is_good && times <= 8; times *= 2) {
        Run many = { .plugin = plugin, .spans = times * least };
        char name[64];

        snprintf(name, sizeof name, "export-%s-growth-%u", plugin, times);
        is_good = TreeMake("bench-export", many.directory, sizeof many.directory);
        if (is_good) {
            BenchRun(bench, &(BenchCase){ .name = name,
                                          .unit = "Mspans/s of CPU",
                                          .scale = 1e6,
                                          .goal = 1 / 1.1,
                                          .subject = { "as many times", run_exporter, &many },
                                          .peer = { "once", run_exporter, &few } });
        }
        TreeRemove(many.directory);
    }
    TreeRemove(few.directory);
    return is_good;
}

/* ---- the page in a browser ---- */

/* `script PAGE` prints lines of name, value and unit. */
static void look_at_page(Bench *bench, const Run *run)
{
    char command[512], name[64], unit[16];
    double value;
    FILE *out;

    snprintf(command, sizeof command, "python3 -B '%s' '%s/report.html'", FRAMES_SCRIPT,
             run->directory);
    out = popen(command, "r");
    while (out != NULL && fscanf(out, "%63s %lf %15s", name, &value, unit) == 3) {
        BenchReport(bench, name, value, unit);
    }
    if (out == NULL || pclose(out) != 0) {
        puts("# the page was not looked at: there is no python3 or no Chromium");
    }
}

/* Beside `trace`, and four times as many spans. */
static bool compare(Bench *bench, const char *plugin, Run *trace)
{
    Run once = { .plugin = plugin, .spans = trace->spans };
    Run many = { .plugin = plugin, .spans = LONG * trace->spans };
    const bool is_good = TreeMake("bench-export", once.directory, sizeof once.directory) &&
                         TreeMake("bench-export", many.directory, sizeof many.directory);

    if (is_good) {
        compare_with_trace(bench, plugin, &once, trace);
        compare_memory(bench, plugin, &once, &many);
    }
    TreeRemove(once.directory);
    TreeRemove(many.directory);
    return is_good;
}

int main(int argc, char **argv)
{
    static const char *const exporters[] = { "html", "perfetto", "sqlite" };
    static const char *const growing[] = { "trace", "html", "perfetto", "sqlite" };
    int status;
    Bench *bench = BenchOpen("export", argc, argv, &status);
    Run trace = { .plugin = "trace" };
    Run page = { .plugin = "html" };
    BenchSample unused = { 0 };
    bool is_good;

    if (bench == NULL) {
        return status;
    }
    trace.spans = BenchAmount(bench, SPANS);
    page.spans = 2 * trace.spans;
    is_good = TreeMake("bench-export", trace.directory, sizeof trace.directory) &&
              TreeMake("bench-export", page.directory, sizeof page.directory);
    for (size_t i = 0; is_good && i < sizeof exporters / sizeof exporters[0]; i++) {
        is_good = compare(bench, exporters[i], &trace);
    }
    for (size_t i = 0; is_good && i < sizeof growing / sizeof growing[0]; i++) {
        is_good = compare_growth(bench, growing[i], trace.spans / 4);
    }
    if (is_good && run_exporter(&page, &unused)) {
        look_at_page(bench, &page);
    }
    TreeRemove(trace.directory);
    TreeRemove(page.directory);
    return BenchClose(bench);
}
