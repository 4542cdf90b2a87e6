/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Harness of the bench programs.
 */

#include "bench/bench.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <jansson.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define ROUNDS_DEFAULT 7u
#define ROUNDS_QUICK 2u
#define ROUNDS_MAX 1000u
#define QUICK_PART 50u

struct Bench {
    const char *program;
    const char *json_path;
    const char *filter;
    uint32_t rounds;
    bool is_quick;
    bool has_failed;
    json_t *cases;
    json_t *figures;
};

/* The rounds of one case: ROUNDS_MAX at most, allocated together. */
typedef struct Rounds {
    uint32_t count;
    double *rates;
    double *cpu; /* CPU seconds a unit */
    double *peer_cpu;
    double *peer_rates;
    double *ratios;
} Rounds;

static uint64_t clock_ns(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t) now.tv_sec * 1000000000u + (uint64_t) now.tv_nsec;
}

uint64_t BenchNow(void)
{
    return clock_ns(CLOCK_MONOTONIC);
}

uint64_t BenchThreadCpu(void)
{
    return clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

static uint64_t time_ns(struct timeval time)
{
    return (uint64_t) time.tv_sec * 1000000000u + (uint64_t) time.tv_usec * 1000u;
}

uint64_t BenchProcessCpu(void)
{
    struct rusage children = { 0 };

    getrusage(RUSAGE_CHILDREN, &children);
    return clock_ns(CLOCK_PROCESS_CPUTIME_ID) + time_ns(children.ru_utime) +
           time_ns(children.ru_stime);
}

uint64_t BenchAmount(const Bench *bench, uint64_t amount)
{
    return bench->is_quick ? (amount + QUICK_PART - 1) / QUICK_PART : amount;
}

/* ---- the command line ---- */

static void print_help(const char *program)
{
    printf("Usage: %s [--quick] [--rounds N] [--filter TEXT] [--json FILE]\n"
           "  --quick        a smoke run: little work, %u rounds\n"
           "  --rounds N     rounds a case, 1 to %u (default %u)\n"
           "  --filter TEXT  only cases with TEXT in their name\n"
           "  --json FILE    add the cases to this JSON document\n",
           program, ROUNDS_QUICK, ROUNDS_MAX, ROUNDS_DEFAULT);
}

static bool read_rounds(const char *text, uint32_t *ret_rounds)
{
    char *end = NULL;

    errno = 0;
    unsigned long rounds = strtoul(text, &end, 10);
    if (errno != 0 || end == text || *end != '\0' || rounds < 1 || rounds > ROUNDS_MAX) {
        return false;
    }
    *ret_rounds = (uint32_t) rounds;
    return true;
}

/* Options taken from argv[i] on: 1 or 2 arguments, 0 if it is not an option. */
static int read_option(Bench *bench, char **argv)
{
    const char *value = argv[1];

    if (strcmp(argv[0], "--quick") == 0) {
        bench->is_quick = true;
        return 1;
    }
    if (strcmp(argv[0], "--rounds") == 0 && value && read_rounds(value, &bench->rounds)) {
        return 2;
    }
    if (strcmp(argv[0], "--filter") == 0 && value) {
        bench->filter = value;
        return 2;
    }
    if (strcmp(argv[0], "--json") == 0 && value) {
        bench->json_path = value;
        return 2;
    }
    return 0;
}

/* False when the program ends here, with *ret_status. */
static bool read_arguments(Bench *bench, int argc, char **argv, int *ret_status)
{
    for (int i = 1; i < argc;) {
        if (strcmp(argv[i], "--help") == 0) {
            print_help(bench->program);
            *ret_status = 0;
            return false;
        }
        int taken = read_option(bench, argv + i);
        if (taken == 0) {
            fprintf(stderr, "%s: wrong argument '%s'; see --help\n", bench->program, argv[i]);
            *ret_status = 2;
            return false;
        }
        i += taken;
    }
    if (bench->rounds == 0) {
        bench->rounds = bench->is_quick ? ROUNDS_QUICK : ROUNDS_DEFAULT;
    }
    return true;
}

Bench *BenchOpen(const char *program, int argc, char **argv, int *ret_status)
{
    *ret_status = 1;
    Bench *bench = calloc(1, sizeof *bench);
    json_t *cases = json_array();
    json_t *figures = json_array();
    if (!bench || !cases || !figures) {
        goto fail;
    }
    *bench = (Bench){ .program = program, .cases = cases, .figures = figures };
    if (!read_arguments(bench, argc, argv, ret_status)) {
        goto fail;
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    return bench;
fail:
    json_decref(cases);
    json_decref(figures);
    free(bench);
    return NULL;
}

/* ---- rounds ---- */

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *) a;
    double y = *(const double *) b;

    return (x > y) - (x < y);
}

/* Sorts, too: afterwards values[0] is the smallest and values[count - 1] the largest. */
static double median(double *values, uint32_t count)
{
    qsort(values, count, sizeof *values, compare_doubles);
    if (count % 2 == 1) {
        return values[count / 2];
    }
    return (values[count / 2 - 1] + values[count / 2]) / 2;
}

static bool run_side(const BenchSide *side, BenchSample *sample)
{
    uint64_t cpu = BenchProcessCpu();
    uint64_t start = BenchNow();

    *sample = (BenchSample){ 0 };
    bool is_ok = side->run(side->context, sample);
    uint64_t end = BenchNow();
    uint64_t cpu_end = BenchProcessCpu();

    if (sample->seconds <= 0) {
        sample->seconds = (double) (end - start) / 1e9;
    }
    if (sample->cpu_seconds <= 0) {
        sample->cpu_seconds = (double) (cpu_end - cpu) / 1e9;
    }
    return is_ok && sample->amount > 0 && sample->seconds > 0;
}

/* A round to warm up, not counted, and then the rounds. Nothing needs to be warm for a size. */
static bool run_rounds(const BenchCase *one, Rounds *rounds, uint32_t count)
{
    BenchSample sample;
    BenchSample peer = { 0 };
    double scale = one->scale > 0 ? one->scale : 1;

    for (uint32_t i = one->is_size ? 1 : 0; i <= count; i++) {
        if (!run_side(&one->subject, &sample) || (one->peer.run && !run_side(&one->peer, &peer))) {
            return false;
        }
        if (i == 0) {
            continue;
        }
        uint32_t at = rounds->count++;
        rounds->rates[at] = sample.amount / sample.seconds / scale;
        rounds->cpu[at] = sample.cpu_seconds / sample.amount;
        if (one->peer.run) {
            rounds->peer_rates[at] = peer.amount / peer.seconds / scale;
            rounds->peer_cpu[at] = peer.cpu_seconds / peer.amount;
            rounds->ratios[at] = rounds->rates[at] / rounds->peer_rates[at];
        }
    }
    return true;
}

/* ---- reporting ---- */

static void print_line(const BenchCase *one, const Rounds *rounds, double rate, double peer_rate,
                       double ratio)
{
    printf("%-46s %9.2f %s", one->name, rate, one->unit);
    if (one->peer.run) {
        printf("  %.2f×  (%.2f…%.2f; vs %s: %.2f)", ratio, rounds->ratios[0],
               rounds->ratios[rounds->count - 1], one->peer.name, peer_rate);
    }
    if (one->goal > 0) {
        printf("  goal %.3g×: %s", one->goal, ratio >= one->goal ? "met" : "MISSED");
    }
    printf("\n");
}

static void set_number(json_t *object, const char *key, double value)
{
    json_object_set_new(object, key, json_real(value));
}

static void set_peer(json_t *object, const BenchCase *one, Rounds *rounds, double peer_rate,
                     double ratio)
{
    json_object_set_new(object, "peer", json_string(one->peer.name));
    set_number(object, "peer_rate", peer_rate);
    set_number(object, "peer_cpu_ns_per_amount", median(rounds->peer_cpu, rounds->count) * 1e9);
    set_number(object, "ratio", ratio);
    set_number(object, "ratio_min", rounds->ratios[0]);
    set_number(object, "ratio_max", rounds->ratios[rounds->count - 1]);
    if (one->goal > 0) {
        set_number(object, "goal", one->goal);
    }
}

static void report(Bench *bench, const BenchCase *one, Rounds *rounds)
{
    double rate = median(rounds->rates, rounds->count);
    double peer_rate = one->peer.run ? median(rounds->peer_rates, rounds->count) : 0;
    double ratio = one->peer.run ? median(rounds->ratios, rounds->count) : 0;
    json_t *object = json_object();

    print_line(one, rounds, rate, peer_rate, ratio);
    json_object_set_new(object, "program", json_string(bench->program));
    json_object_set_new(object, "name", json_string(one->name));
    json_object_set_new(object, "subject", json_string(one->subject.name));
    json_object_set_new(object, "unit", json_string(one->unit));
    json_object_set_new(object, "rounds", json_integer((json_int_t) rounds->count));
    json_object_set_new(object, "quick", json_boolean(bench->is_quick));
    set_number(object, "rate", rate);
    set_number(object, "rate_min", rounds->rates[0]);
    set_number(object, "rate_max", rounds->rates[rounds->count - 1]);
    set_number(object, "cpu_ns_per_amount", median(rounds->cpu, rounds->count) * 1e9);
    if (one->peer.run) {
        set_peer(object, one, rounds, peer_rate, ratio);
    }
    if (json_array_append_new(bench->cases, object) != 0) {
        fprintf(stderr, "%s: cannot keep case '%s': out of memory\n", bench->program, one->name);
        bench->has_failed = true;
    }
}

void BenchRun(Bench *bench, const BenchCase *one)
{
    if (bench->filter && !strstr(one->name, bench->filter)) {
        return;
    }
    if (one->is_size && bench->is_quick) {
        printf("%-46s left out of a smoke run\n", one->name);
        return;
    }
    double *values = calloc((size_t) bench->rounds * 5, sizeof *values);
    if (!values) {
        fprintf(stderr, "%s: cannot run case '%s': out of memory\n", bench->program, one->name);
        bench->has_failed = true;
        return;
    }
    Rounds rounds = { .rates = values,
                      .cpu = values + bench->rounds,
                      .peer_rates = values + (size_t) bench->rounds * 2,
                      .ratios = values + (size_t) bench->rounds * 3,
                      .peer_cpu = values + (size_t) bench->rounds * 4 };
    if (run_rounds(one, &rounds, one->is_size ? 1 : bench->rounds)) {
        report(bench, one, &rounds);
    } else {
        fprintf(stderr, "%s: case '%s' failed or gave a wrong result\n", bench->program, one->name);
        bench->has_failed = true;
    }
    free(values);
}

void BenchReport(Bench *bench, const char *name, double value, const char *unit)
{
    json_t *object = json_pack("{s:s, s:s, s:f, s:s, s:b}", "program", bench->program, "name", name,
                               "value", value, "unit", unit, "quick", bench->is_quick);

    printf("  %-44s %9.2f %s\n", name, value, unit);
    if (!object || json_array_append_new(bench->figures, object) != 0) {
        fprintf(stderr, "%s: cannot keep figure '%s': out of memory\n", bench->program, name);
        bench->has_failed = true;
    }
}

/* ---- children ---- */

static BenchChild run_child(char *const arguments[])
{
    const char *program = getenv("OPPROF_RUN");
    BenchChild child = { .status = -1 };
    posix_spawn_file_actions_t actions;
    struct rusage usage;
    pid_t id = -1;
    int status;
    uint64_t start = BenchNow();

    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    if (program && posix_spawnp(&id, program, &actions, NULL, arguments, environ) != 0) {
        id = -1;
    }
    posix_spawn_file_actions_destroy(&actions);
    if (id < 0) {
        fprintf(stderr, "cannot start '%s', which OPPROF_RUN names\n", program ? program : "");
        return child;
    }
    if (wait4(id, &status, 0, &usage) == id && WIFEXITED(status)) {
        child = (BenchChild){ .status = WEXITSTATUS(status),
                              .elapsed_ns = BenchNow() - start,
                              .user_ns = time_ns(usage.ru_utime),
                              .system_ns = time_ns(usage.ru_stime),
                              .peak_bytes = (uint64_t) usage.ru_maxrss * 1024u };
    }
    return child;
}

BenchChild BenchRunPipeline(const char *pipeline, const char *input, const char *setting,
                            const char *output)
{
    char input_setting[256];
    const char *words[] = {
        "opprof-run", "--pipeline", pipeline, "--output",    output,
        "--flat",     "-q",         "--set",  input_setting, setting == NULL ? NULL : "--set",
        setting,      NULL
    };
    char *arguments[sizeof words / sizeof words[0]];

    snprintf(input_setting, sizeof input_setting, "input=%s", input);
    /* posix_spawnp() does not write to the words; it was declared before C had const. */
    memcpy(arguments, words, sizeof words);
    return run_child(arguments);
}

/* ---- the JSON document ---- */

/* Value of a "key : value" line of a file of /proc; empty if none. */
static void read_proc(const char *path, const char *key, char *value, size_t size)
{
    char line[512];
    FILE *file = fopen(path, "r");

    value[0] = '\0';
    while (file && fgets(line, sizeof line, file)) {
        char *colon = strchr(line, ':');
        if (strncmp(line, key, strlen(key)) == 0 && colon) {
            char *text = colon + 1 + strspn(colon + 1, " \t");
            text[strcspn(text, "\n")] = '\0';
            snprintf(value, size, "%s", text);
            break;
        }
    }
    if (file) {
        fclose(file);
    }
}

static json_t *describe_machine(void)
{
    char text[256];
    struct utsname system;
    double load = 0;
    json_t *machine = json_object();

    read_proc("/proc/cpuinfo", "model name", text, sizeof text);
    json_object_set_new(machine, "cpu", json_string(text));
    json_object_set_new(machine, "cpus", json_integer(sysconf(_SC_NPROCESSORS_ONLN)));
    read_proc("/proc/meminfo", "MemTotal", text, sizeof text);
    json_object_set_new(machine, "memory", json_string(text));
    if (uname(&system) == 0) {
        json_object_set_new(machine, "system", json_string(system.sysname));
        json_object_set_new(machine, "release", json_string(system.release));
        json_object_set_new(machine, "architecture", json_string(system.machine));
    }
    if (getloadavg(&load, 1) == 1) {
        set_number(machine, "load_before", load);
    }
    json_object_set_new(machine, "compiler", json_string(__VERSION__));
#ifdef __OPTIMIZE__
    json_object_set_new(machine, "optimized", json_true());
#else
    json_object_set_new(machine, "optimized", json_false());
#endif
    return machine;
}

static json_t *open_document(const char *path)
{
    json_t *document = json_load_file(path, 0, NULL);

    if (!json_is_array(json_object_get(document, "cases")) ||
        !json_is_array(json_object_get(document, "figures"))) {
        json_decref(document);
        document = json_pack("{s:s, s:o, s:[], s:[]}", "opprof_bench", "1.0", "machine",
                             describe_machine(), "cases", "figures");
    }
    return document;
}

/* Through a file beside it, so that the document is whole at any time. */
static bool write_document(const Bench *bench)
{
    char temporary[4096];
    int length = snprintf(temporary, sizeof temporary, "%s.part", bench->json_path);
    if (length < 0 || (size_t) length >= sizeof temporary) {
        return false;
    }
    json_t *document = open_document(bench->json_path);
    bool is_ok =
        document && json_array_extend(json_object_get(document, "cases"), bench->cases) == 0 &&
        json_array_extend(json_object_get(document, "figures"), bench->figures) == 0 &&
        json_dump_file(document, temporary, JSON_INDENT(2) | JSON_REAL_PRECISION(6)) == 0 &&
        rename(temporary, bench->json_path) == 0;
    json_decref(document);
    return is_ok;
}

int BenchClose(Bench *bench)
{
    if (bench->json_path && !write_document(bench)) {
        fprintf(stderr, "%s: cannot write '%s': %s\n", bench->program, bench->json_path,
                strerror(errno));
        bench->has_failed = true;
    }
    int status = bench->has_failed ? 1 : 0;
    json_decref(bench->cases);
    json_decref(bench->figures);
    free(bench);
    return status;
}
