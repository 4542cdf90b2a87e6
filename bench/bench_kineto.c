/* SPDX-License-Identifier: Apache-2.0 */
/*
 * collect-kineto: text to linked work, against jansson's full parse and against looking at the same
 * bytes and against simdjson where that is installed; compressed text against zlib's inflating
 * alone; the analyses of device time on one thread and on all; peak memory over inputs of different
 * size with the same events that count, and per event that is kept; all files of a default run, and
 * the time until its report. Files are in the page cache.
 */
#include "bench/bench.h"
#include "plugins/collect-kineto/rank/link.h"
#include "plugins/collect-kineto/formats/trace_reader.h"
#include "tests/plugins/collect-kineto/trace_text.h"

#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#ifdef HAVE_ZLIB
#include <zlib.h>
#endif

#define MB UINT64_C(1000000)
#define TEXT_BYTES (100 * MB)
#define TEXT_KERNELS UINT64_C(40000)
#define JANSSON_PART 10u /* of the text: a full parse takes as many times its size in memory */
#define READ_BYTES ((size_t) 256 << 10)
#define RANKS UINT64_C(1000)
#define ALLOWED_TIMES 3   /* what a default run may take of simdjson's time */
#define REPORT_SHARE 0.35 /* of a run until its report */

typedef struct Files {
    char directory[64];
    char text[128];
    char part[128];
    char packed[128];
    char large[128];    /* five times the text, the same kernels */
    char kernels[128];  /* twice the kernels, hardly anything else */
    char half[128];     /* half of these */
    char pipeline[128]; /* analyses of device time and a timeline, without the host's operators */
    char host[128];     /* the same with operators, modules and functions, and their tables */
    char ranks[128];    /* directory of many */
    char few_ranks[128];
    char simdjson[128]; /* program */
    bool has_simdjson;
    uint64_t count;       /* kernels of text and large */
    uint64_t many;        /* kernels of `kernels` */
    uint64_t host_events; /* of text */
    uint64_t large_host_events;
    uint64_t text_bytes;
    uint64_t part_kernels;
    uint64_t rank_count; /* of ranks; a tenth of few_ranks */
} Files;

static uint64_t file_bytes(const char *path)
{
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    const off_t size = file < 0 ? 0 : lseek(file, 0, SEEK_END);

    if (file >= 0) {
        close(file);
    }
    return size < 0 ? 0 : (uint64_t) size;
}

/* ---- text to breakdown ---- */

static bool read_trace(Source *source, unsigned threads, RankTrace *trace, uint64_t *ret_bytes)
{
    static Vocabulary vocabulary;
    TraceReader *reader;
    OpprofStatus status = OPPROF_OK;
    const TraceEvent *event = NULL;
    TraceFacts facts;
    bool is_good;

    if (vocabulary.category_count == 0 && (VocabularyLoad(NULL, &vocabulary, NULL) != OPPROF_OK ||
                                           VocabularySettle(&vocabulary, NULL) != OPPROF_OK)) {
        abort();
    }
    reader = TraceReaderCreate(source, &vocabulary);
    is_good = reader != NULL && TraceReaderSetThreads(reader, threads, AHEAD_PIECE_BYTES) &&
              RankTraceInit(trace, &vocabulary);
    while (is_good && status != OPPROF_END) {
        status = TraceReaderNext(reader, &event, NULL);
        is_good = !OpprofFailed(status) && (status != OPPROF_OK || RankTraceAdd(trace, event));
    }
    if (is_good) {
        TraceReaderGetFacts(reader, &facts);
        *ret_bytes = facts.text_bytes;
        is_good = facts.problem == NULL;
    }
    TraceReaderDestroy(reader);
    return is_good;
}

/* Links the kernels to what launched them; the first to the last of them take a known time. */
static bool link_all(RankTrace *trace, uint64_t kernels)
{
    LinkedTrace linked;
    int64_t first_ns = INT64_MAX;
    int64_t last_ns = INT64_MIN;

    if (!LinkTrace(trace, false, &linked)) {
        return false;
    }
    for (uint32_t i = 0; i < linked.work_count; i++) {
        const WorkEvent *work = RankTraceWork(trace, linked.work[i]);
        const int64_t end_ns = work->start_ns + (int64_t) work->duration_ns;

        first_ns = work->start_ns < first_ns ? work->start_ns : first_ns;
        last_ns = end_ns > last_ns ? end_ns : last_ns;
    }
    LinkedTraceFinish(&linked);
    return last_ns - first_ns == (int64_t) TraceTextKernelNs(kernels) &&
           trace->work.count == kernels;
}

static bool text_to_work(const char *path, unsigned threads, uint64_t kernels, BenchSample *sample)
{
    RankTrace trace = { .open = NULL };
    Source *source = NULL;
    uint64_t bytes = 0;
    bool is_good = SourceOpen(path, &source, NULL) == OPPROF_OK &&
                   read_trace(source, threads, &trace, &bytes) && link_all(&trace, kernels);

    sample->amount = (double) bytes;
    RankTraceFinish(&trace);
    SourceClose(source);
    return is_good;
}

static bool plain_to_breakdown(void *context, BenchSample *sample)
{
    const Files *files = context;

    return text_to_work(files->text, 1, files->count, sample);
}

static bool packed_to_breakdown(void *context, BenchSample *sample)
{
    const Files *files = context;

    return text_to_work(files->packed, 1, files->count, sample);
}

static bool large_on_two_threads(void *context, BenchSample *sample)
{
    const Files *files = context;

    return text_to_work(files->large, 2, files->count, sample);
}

static bool large_on_one_thread(void *context, BenchSample *sample)
{
    const Files *files = context;

    return text_to_work(files->large, 1, files->count, sample);
}

/* Only the inflating. */
static bool inflate_packed(void *context, BenchSample *sample)
{
    const Files *files = context;
    char *buffer = malloc(READ_BYTES);
    Source *source = NULL;
    bool is_good = buffer != NULL && SourceOpen(files->packed, &source, NULL) == OPPROF_OK;
    size_t got = 1;

    while (is_good && got > 0) {
        got = SourceRead(source, buffer, READ_BYTES);
        sample->amount += (double) got;
    }
    is_good = is_good && SourceProblem(source) == NULL;
    SourceClose(source);
    free(buffer);
    return is_good && sample->amount == (double) files->text_bytes;
}

/* ---- peers ---- */

static bool jansson_parse(void *context, BenchSample *sample)
{
    const Files *files = context;
    json_t *root = json_load_file(files->part, 0, NULL);
    const bool is_good = json_array_size(json_object_get(root, "traceEvents")) > 0;

    json_decref(root);
    sample->amount = (double) file_bytes(files->part);
    return is_good;
}

/* Reads the text and adds its words up. */
static bool look_at_bytes(void *context, BenchSample *sample)
{
    const Files *files = context;
    const int file = open(files->text, O_RDONLY | O_CLOEXEC);
    uint64_t *buffer = malloc(READ_BYTES);
    uint64_t sum = 0;
    ssize_t got = -1;

    while (file >= 0 && buffer != NULL && (got = read(file, buffer, READ_BYTES)) > 0) {
        for (size_t i = 0; i < (size_t) got / sizeof *buffer; i++) {
            sum += buffer[i];
        }
        sample->amount += (double) got;
    }
    BenchKeep(&sum);
    free(buffer);
    if (file >= 0) {
        close(file);
    }
    return got == 0;
}

/* CPU time instead of wall time. */
static bool in_cpu_time(bool is_good, uint64_t before_ns, BenchSample *sample)
{
    sample->cpu_seconds = (double) (BenchProcessCpu() - before_ns) / 1e9;
    sample->seconds = sample->cpu_seconds;
    return is_good;
}

static bool plain_in_cpu_time(void *context, BenchSample *sample)
{
    const uint64_t before_ns = BenchProcessCpu();

    return in_cpu_time(plain_to_breakdown(context, sample), before_ns, sample);
}

/* As a process of its own, whose start costs a millisecond. */
static bool simdjson_reads(const Files *files, const char *how, BenchSample *sample)
{
    const uint64_t before_ns = BenchProcessCpu();
    char command[320];

    snprintf(command, sizeof command, "'%s' %s '%s' >/dev/null", files->simdjson, how, files->text);
    sample->amount = (double) files->text_bytes;
    return in_cpu_time(system(command) == 0, before_ns, sample);
}

static bool simdjson_dom(void *context, BenchSample *sample)
{
    return simdjson_reads(context, "dom", sample);
}

static bool simdjson_on_demand(void *context, BenchSample *sample)
{
    return simdjson_reads(context, "ondemand", sample);
}

/* All that a run makes by default. */
static bool default_files(void *context, BenchSample *sample)
{
    const Files *files = context;
    char output[128];

    snprintf(output, sizeof output, "%s/out", files->directory);

    const BenchChild child = BenchRunPipeline("kineto", files->text, NULL, output);

    sample->amount = (double) files->text_bytes;
    sample->cpu_seconds = (double) (child.user_ns + child.system_ns) / 1e9;
    sample->seconds = sample->cpu_seconds;
    return child.status == 0;
}

static bool allowed_for_files(void *context, BenchSample *sample)
{
    const bool is_good = simdjson_on_demand(context, sample);

    sample->cpu_seconds *= ALLOWED_TIMES;
    sample->seconds = sample->cpu_seconds;
    return is_good;
}

/* A default run: until its report appears, or until it ends. */
static bool run_until(const Files *files, bool is_report, double share, BenchSample *sample)
{
    char command[512];
    char buffer[4096];
    struct timespec from;
    struct timespec to;

    snprintf(command, sizeof command,
             "\"$OPPROF_RUN\" kineto '%s' --output '%s/out' --flat 2>&1 >/dev/null", files->text,
             files->directory);
    clock_gettime(CLOCK_MONOTONIC, &from);
    FILE *screen = popen(command, "r");
    if (screen == NULL) {
        return false;
    }
    const bool has_report = fgets(buffer, sizeof buffer, screen) != NULL;
    clock_gettime(CLOCK_MONOTONIC, &to);
    while (fread(buffer, 1, sizeof buffer, screen) > 0) {
    }
    const bool is_good = pclose(screen) == 0 && has_report;
    if (!is_report) {
        clock_gettime(CLOCK_MONOTONIC, &to);
    }
    sample->amount = 1;
    sample->seconds =
        share * ((double) (to.tv_sec - from.tv_sec) + (double) (to.tv_nsec - from.tv_nsec) / 1e9);
    return is_good;
}

static bool report_appears(void *context, BenchSample *sample)
{
    return run_until(context, true, 1, sample);
}

static bool run_ends(void *context, BenchSample *sample)
{
    return run_until(context, false, REPORT_SHARE, sample);
}

#ifdef HAVE_ZLIB
static bool zlib_inflates(void *context, BenchSample *sample)
{
    const Files *files = context;
    gzFile file = gzopen(files->packed, "rb");
    char *buffer = malloc(READ_BYTES);
    int got = -1;

    if (file != NULL && buffer != NULL) {
        gzbuffer(file, READ_BYTES);
        while ((got = gzread(file, buffer, READ_BYTES)) > 0) {
            sample->amount += got;
        }
    }
    if (file != NULL) {
        gzclose(file);
    }
    free(buffer);
    return got == 0 && sample->amount == (double) files->text_bytes;
}
#else
#define zlib_inflates NULL
#endif

/* ---- memory ---- */

/* Peak resident bytes of the whole pipeline over an input; 0 if it fails. */
static double peak_with(const Files *files, const char *pipeline, const char *input)
{
    char output[128];

    snprintf(output, sizeof output, "%s/out", files->directory);

    const BenchChild child = BenchRunPipeline(pipeline, input, NULL, output);
    return child.status == 0 ? (double) child.peak_bytes : 0;
}

static double peak_of(const Files *files, const char *input)
{
    return peak_with(files, "kineto", input);
}

static bool run_breakdowns(const Files *files, const char *threads, BenchSample *sample)
{
    char output[128];

    snprintf(output, sizeof output, "%s/out", files->directory);
    sample->amount = (double) file_bytes(files->large);
    return BenchRunPipeline(files->pipeline, files->large, threads, output).status == 0;
}

static bool host_in_cpu_time(const Files *files, const char *pipeline, BenchSample *sample)
{
    char output[128];

    snprintf(output, sizeof output, "%s/out", files->directory);

    const BenchChild child = BenchRunPipeline(pipeline, files->large, NULL, output);

    sample->amount = (double) file_bytes(files->large);
    sample->cpu_seconds = (double) (child.user_ns + child.system_ns) / 1e9;
    sample->seconds = sample->cpu_seconds;
    return child.status == 0;
}

static bool breakdowns_with_host(void *context, BenchSample *sample)
{
    const Files *files = context;

    return host_in_cpu_time(files, files->host, sample);
}

static bool breakdowns_without_host(void *context, BenchSample *sample)
{
    const Files *files = context;

    return host_in_cpu_time(files, files->pipeline, sample);
}

static bool breakdowns_on_all_threads(void *context, BenchSample *sample)
{
    return run_breakdowns(context, "kineto.threads=0", sample);
}

static bool breakdowns_on_one_thread(void *context, BenchSample *sample)
{
    return run_breakdowns(context, "kineto.threads=1", sample);
}

/* Bytes count as bytes a second, so that the harness' rate is a size. */
static bool peak_sample(double bytes, BenchSample *sample)
{
    sample->amount = bytes;
    sample->seconds = 1;
    sample->cpu_seconds = 1;
    return bytes > 0;
}

static bool peak_of_text(void *context, BenchSample *sample)
{
    const Files *files = context;

    return peak_sample(peak_with(files, files->pipeline, files->text), sample);
}

static bool peak_of_large(void *context, BenchSample *sample)
{
    const Files *files = context;

    return peak_sample(peak_with(files, files->pipeline, files->large), sample);
}

/* Half the cost of one more kernel and one more call. */
static bool bytes_an_event(void *context, BenchSample *sample)
{
    const Files *files = context;
    const double all = peak_of(files, files->kernels);
    const double half = peak_of(files, files->half);
    const double events = 2.0 * (double) (files->many - files->many / 2);

    return peak_sample(all > half ? (all - half) / events : 1, sample) && half > 0;
}

/* The cost of one more operator or function of the host: the longer text has only these. */
static bool bytes_an_operator(void *context, BenchSample *sample)
{
    const Files *files = context;
    const double large = peak_of(files, files->large);
    const double text = peak_of(files, files->text);
    const double more = (double) (files->large_host_events - files->host_events);

    return peak_sample(large > text ? (large - text) / more : 1, sample) && text > 0;
}

/* The cost of one more rank of a directory, each of 20 iterations. */
static bool bytes_a_rank(void *context, BenchSample *sample)
{
    const Files *files = context;
    const double many = peak_of(files, files->ranks);
    const double few = peak_of(files, files->few_ranks);
    const double ranks = (double) (files->rank_count - files->rank_count / 10);

    return peak_sample(many > few ? (many - few) / ranks : 1, sample) && few > 0;
}

static bool allowed_a_rank(void *context, BenchSample *sample)
{
    (void) context;
    return peak_sample(32768, sample);
}

static bool allowed_an_operator(void *context, BenchSample *sample)
{
    (void) context;
    return peak_sample(128, sample);
}

static bool allowed_an_event(void *context, BenchSample *sample)
{
    (void) context;
    return peak_sample(256, sample);
}

/* ---- files ---- */

/* The analyses of device time, with the timeline and the tables. */
static bool write_pipeline(const char *path, const char *operators, const char *stage)
{
    static const char text[] =
        "{ \"opprof_pipeline\": \"1.0\", \"vars\": { \"input\": { \"required\": true } }, "
        "\"stages\": [\n"
        "{ \"id\": \"kineto\", \"use\": \"collect-kineto\", \"params\": { \"input\": \"${input}\", "
        "\"operators\": %s } },%s\n"
        "{ \"id\": \"breakdown\", \"use\": \"trace-temporal\" }, { \"id\": \"overlap\", \"use\": "
        "\"overlap\" },\n"
        "{ \"id\": \"idle\", \"use\": \"trace-idle\" }, { \"id\": \"kernels\", \"use\": "
        "\"trace-kernels\" },\n"
        "{ \"id\": \"bandwidth\", \"use\": \"trace-memory-bandwidth\" },\n"
        "{ \"id\": \"queues\", \"use\": \"trace-queue-length\" },\n"
        "{ \"id\": \"launches\", \"use\": \"trace-launches\" },\n"
        "{ \"id\": \"stragglers\", \"use\": \"trace-stragglers\" },\n"
        "{ \"id\": \"trace\", \"use\": \"trace\", \"params\": { \"of\": \"framework\" } },\n"
        "{ \"id\": \"csv\", \"use\": \"csv\" } ] }\n";
    FILE *file = fopen(path, "w");
    const bool is_good = file != NULL && fprintf(file, text, operators, stage) >= 0;

    return file != NULL && fclose(file) == 0 && is_good;
}

/* Compiles the peer; without it its cases are left out. */
static void make_simdjson(Files *files)
{
    char command[512];

    snprintf(files->simdjson, sizeof files->simdjson, "%s/busy_simdjson", files->directory);
    snprintf(command, sizeof command, "${CXX:-c++} -O2 -o '%s' '%s' -lsimdjson 2>/dev/null",
             files->simdjson, BENCH_SIMDJSON_SOURCE);
    files->has_simdjson = system(command) == 0;
    if (!files->has_simdjson) {
        fprintf(stderr, "bench_kineto: no comparison with simdjson, which is not installed\n");
    }
}

static bool make_ranks(const char *folder, uint64_t ranks)
{
    char command[512];

    snprintf(command, sizeof command, "python3 '%s' '%s' %llu", BENCH_MAKE_RANKS, folder,
             (unsigned long long) ranks);
    return system(command) == 0;
}

static bool make_files(const Bench *bench, Files *files)
{
    const char *parent = getenv("TMPDIR");
    const uint64_t bytes = BenchAmount(bench, TEXT_BYTES);
    char command[320];

    files->count = BenchAmount(bench, TEXT_KERNELS);
    files->many = 10 * files->count;
    files->part_kernels = files->count / JANSSON_PART;
    files->rank_count = BenchAmount(bench, RANKS);
    snprintf(files->directory, sizeof files->directory, "%.32s/bench-kineto-XXXXXX",
             parent != NULL ? parent : "/tmp");
    if (mkdtemp(files->directory) == NULL) {
        return false;
    }
    snprintf(files->text, sizeof files->text, "%s/text.json", files->directory);
    snprintf(files->part, sizeof files->part, "%s/part.json", files->directory);
    snprintf(files->packed, sizeof files->packed, "%s/text.json.gz", files->directory);
    snprintf(files->large, sizeof files->large, "%s/large.json", files->directory);
    snprintf(files->kernels, sizeof files->kernels, "%s/kernels.json", files->directory);
    snprintf(files->half, sizeof files->half, "%s/half.json", files->directory);
    snprintf(files->pipeline, sizeof files->pipeline, "%s/breakdowns.json", files->directory);
    snprintf(command, sizeof command, "gzip -k '%s'", files->text);
    snprintf(files->host, sizeof files->host, "%s/host.json", files->directory);
    snprintf(files->ranks, sizeof files->ranks, "%s/ranks", files->directory);
    snprintf(files->few_ranks, sizeof files->few_ranks, "%s/few-ranks", files->directory);
    make_simdjson(files);
    if (!TraceTextWrite(files->text, bytes, files->count, &files->host_events) ||
        !TraceTextWrite(files->part, bytes / JANSSON_PART, files->part_kernels, NULL) ||
        !TraceTextWrite(files->large, 5 * bytes, files->count, &files->large_host_events) ||
        !TraceTextWrite(files->kernels, 0, files->many, NULL) ||
        !TraceTextWrite(files->half, 0, files->many / 2, NULL) ||
        !write_pipeline(files->pipeline, "false", "") ||
        !write_pipeline(files->host, "true",
                        " { \"id\": \"operators\", \"use\": \"trace-operators\" },") ||
        !make_ranks(files->ranks, files->rank_count) ||
        !make_ranks(files->few_ranks, files->rank_count / 10)) {
        return false;
    }
    files->text_bytes = file_bytes(files->text);
    return system(command) == 0;
}

static void remove_files(const Files *files)
{
    char command[128];

    snprintf(command, sizeof command, "rm -rf '%s'", files->directory);
    if (files->directory[0] != '\0' && system(command) != 0) {
        fprintf(stderr, "bench_kineto: Cannot remove '%s'\n", files->directory);
    }
}

static void run_cases(Bench *bench, const Files *files, const BenchCase *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (files->has_simdjson || strstr(cases[i].name, "simdjson") == NULL) {
            BenchRun(bench, &cases[i]);
        }
    }
}

static void run_memory(Bench *bench, Files *files)
{
    const BenchCase cases[] = {
        { .name = "peak-memory",
          .unit = "MB",
          .scale = MB,
          .goal = 0.9,
          .is_size = true,
          .subject = { "100 MB of text", peak_of_text, files },
          .peer = { "500 MB", peak_of_large, files } },
        { .name = "memory-an-event",
          .unit = "B",
          .is_size = true,
          .subject = { "bytes a kernel or call", bytes_an_event, files },
          .peer = { "allowed", allowed_an_event, files } },
        { .name = "memory-an-operator",
          .unit = "B",
          .is_size = true,
          .subject = { "bytes an operator or function", bytes_an_operator, files },
          .peer = { "allowed", allowed_an_operator, files } },
        { .name = "memory-a-rank",
          .unit = "B",
          .is_size = true,
          .subject = { "bytes a rank of many", bytes_a_rank, files },
          .peer = { "allowed", allowed_a_rank, files } },
    };

    run_cases(bench, files, cases, sizeof cases / sizeof cases[0]);
}

static void run_reading(Bench *bench, Files *files)
{
    const BenchCase cases[] = {
        { .name = "json-to-work",
          .unit = "MB/s",
          .scale = MB,
          .goal = 25,
          .subject = { "collect-kineto", plain_to_breakdown, files },
          .peer = { "jansson", jansson_parse, files } },
        { .name = "json-to-work-memory",
          .unit = "MB/s",
          .scale = MB,
          .subject = { "collect-kineto", plain_to_breakdown, files },
          .peer = { "look at the bytes", look_at_bytes, files } },
        { .name = "json-to-work-simdjson-dom",
          .unit = "MB/s of CPU",
          .scale = MB,
          .goal = 2,
          .subject = { "collect-kineto", plain_in_cpu_time, files },
          .peer = { "simdjson, documents", simdjson_dom, files } },
        { .name = "json-to-work-simdjson-ondemand",
          .unit = "MB/s of CPU",
          .scale = MB,
          .goal = 2,
          .subject = { "collect-kineto", plain_in_cpu_time, files },
          .peer = { "simdjson, on demand", simdjson_on_demand, files } },
        { .name = "two-threads",
          .unit = "MB/s",
          .scale = MB,
          .goal = 1 / 0.6, /* of the time of one */
          .subject = { "500 MB on two threads", large_on_two_threads, files },
          .peer = { "on one", large_on_one_thread, files } },
        { .name = "gz-to-work",
          .unit = "MB/s",
          .scale = MB,
          .subject = { "collect-kineto", packed_to_breakdown, files },
          .peer = { "zlib's inflate alone", zlib_inflates, files } },
        { .name = "gz-inflate",
          .unit = "MB/s",
          .scale = MB,
          .goal = 2,
          .subject = { "collect-kineto's source", inflate_packed, files },
          .peer = { "zlib", zlib_inflates, files } },
    };

    run_cases(bench, files, cases, sizeof cases / sizeof cases[0]);
}

static void run_pipelines(Bench *bench, Files *files)
{
    const BenchCase cases[] = {
        { .name = "breakdowns-two-threads",
          .unit = "MB/s",
          .scale = MB,
          .goal = 1 / 0.6, /* of the time of one */
          .subject = { "500 MB to breakdowns on all threads", breakdowns_on_all_threads, files },
          .peer = { "on one", breakdowns_on_one_thread, files } },
        { .name = "default-files-simdjson",
          .unit = "MB/s of CPU",
          .scale = MB,
          .goal = 1,
          .subject = { "default run", default_files, files },
          .peer = { "3 times simdjson's breakdown", allowed_for_files, files } },
        { .name = "time-to-report",
          .unit = "runs/s",
          .goal = 1,
          .subject = { "until the report", report_appears, files },
          .peer = { "0.35 of the run", run_ends, files } },
        { .name = "operators-and-modules",
          .unit = "MB/s of CPU",
          .scale = MB,
          .goal = 1 / 1.6,
          .subject = { "500 MB to breakdowns and operators", breakdowns_with_host, files },
          .peer = { "without operators", breakdowns_without_host, files } },
    };

    run_cases(bench, files, cases, sizeof cases / sizeof cases[0]);
}

int main(int argc, char **argv)
{
    Files files = { .directory = "" };
    int status;
    Bench *bench = BenchOpen("bench_kineto", argc, argv, &status);

    if (bench == NULL) {
        return status;
    }
    if (make_files(bench, &files)) {
        /* Memory first: a child's peak is at least that of the process it was forked from. */
        run_memory(bench, &files);
        run_reading(bench, &files);
        run_pipelines(bench, &files);
        status = 0;
    } else {
        fprintf(stderr, "bench_kineto: cannot write traces\n");
        status = 1;
    }
    remove_files(&files);
    return BenchClose(bench) != 0 ? 1 : status;
}
