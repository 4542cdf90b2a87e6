/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Instrumentation records through opprof-run, from packets to results: accesses a second, whether
 * memory grows with the length of the input, and what a second core gives, within a launch and with
 * a second launch. What other programs take of the machine hides the latter, so the run's own
 * account of its stages shows it too.
 */
#include "bench/bench.h"
#include "bench/tree.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define RECORDS 30000u /* of a launch */
#define TWICE 5u       /* times as many of each of two launches */
#define LONGER 20u     /* times as many, so that all queues are full */
#define LONGEST 80u    /* times as many to look at memory */
#define SLOTS 6u
#define BURSTS 64u /* accesses of a record */
#define RECORD_BYTES 56u
#define REGION (64u << 20) /* that the launch moves, again and again */

typedef struct Run {
    unsigned launches;
    uint32_t records; /* of each */
    char directory[64];
    /* of the last run */
    double peak_bytes;
    double decomposed; /* share of decomposition in the CPU time of both */
    double at_once;    /* models that were at work, on average */
} Run;

static void put(unsigned char *at, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++) {
        at[i] = (unsigned char) (value >> 8 * i);
    }
}

/* A load of bursts of a line each. */
static bool write_record(FILE *file, uint64_t address, uint64_t pc)
{
    unsigned char record[RECORD_BYTES] = { 0 };
    unsigned char *body = record + 8;

    put(record, 3, 4);
    put(record + 4, UINT32_C(0x5a5a5a5a), 4);
    put(body + 8, address, 8);
    put(body + 16, pc, 8);
    put(body + 32, BURSTS, 2);
    put(body + 34, 16, 2);
    put(body + 42, 4, 1); /* UB */
    put(body + 43, 6, 1); /* GM */
    return fwrite(record, sizeof record, 1, file) == 1;
}

static bool write_slot(FILE *file, unsigned slot, uint32_t records)
{
    unsigned char head[36] = { 0 };
    const uint64_t bytes = (uint64_t) records * RECORD_BYTES;
    bool is_good;

    put(head, 3, 4);
    put(head + 4, 28 + bytes, 4);
    put(head + 8, records, 8);
    put(head + 16, bytes, 8);
    put(head + 32, slot, 2);
    is_good = fwrite(head, sizeof head, 1, file) == 1;
    for (uint32_t i = 0; is_good && i < records; i++) {
        const uint64_t place = ((uint64_t) i * BURSTS * 512 + slot * 4096u) % REGION;
        is_good = write_record(file, UINT64_C(0x12c000000000) + place, i % 64 * 4);
    }
    return is_good;
}

static bool write_launch(const char *directory, uint32_t records)
{
    char path[160];

    snprintf(path, sizeof path, "%s/op_basic_info.txt", directory);
    FILE *file = fopen(path, "w");
    bool is_good = file != NULL && fputs("Run Soc Version=Ascend910B1\n", file) >= 0;
    is_good = file != NULL && fclose(file) == 0 && is_good;
    snprintf(path, sizeof path, "%s/DbiPackets.bin", directory);
    file = fopen(path, "w");
    for (unsigned slot = 0; file != NULL && is_good && slot < SLOTS; slot++) {
        is_good = write_slot(file, slot / 2 * 3 + slot % 2, records / SLOTS);
    }
    return file != NULL && fclose(file) == 0 && is_good;
}

static bool make(Run *run)
{
    static const char *const parts[] = { "/in", "/in/device0", "/in/device0/load" };
    char path[128];
    bool is_good = TreeMake("bench-dbi", run->directory, sizeof run->directory);

    for (size_t i = 0; is_good && i < sizeof parts / sizeof parts[0]; i++) {
        snprintf(path, sizeof path, "%s%s", run->directory, parts[i]);
        is_good = mkdir(path, 0700) == 0;
    }
    for (unsigned i = 0; is_good && i < run->launches; i++) {
        snprintf(path, sizeof path, "%s/in/device0/load/%u", run->directory, i);
        is_good = mkdir(path, 0700) == 0;
        snprintf(path, sizeof path, "%s/in/device0/load/%u/dump", run->directory, i);
        is_good = is_good && mkdir(path, 0700) == 0 && write_launch(path, run->records);
    }
    return is_good;
}

static double accesses_of(const Run *run)
{
    return (double) run->launches * (run->records / SLOTS * SLOTS) * BURSTS;
}

static double stage_number(json_t *document, const char *stage, const char *name)
{
    json_t *stages = json_object_get(document, "stages");
    json_t *one;
    size_t i;

    json_array_foreach(stages, i, one)
    {
        const char *id = json_string_value(json_object_get(one, "id"));
        if (id != NULL && strcmp(id, stage) == 0) {
            return json_number_value(json_object_get(one, name));
        }
    }
    return 0;
}

static void look_at_stages(Run *run, const char *output)
{
    char path[160];

    snprintf(path, sizeof path, "%s/run.json", output);
    json_t *document = json_load_file(path, 0, NULL);
    const double parser = stage_number(document, "records", "cpu_ns");
    const double model = stage_number(document, "cache", "cpu_ns");
    const double elapsed = json_number_value(json_object_get(document, "elapsed_ns"));
    run->decomposed = parser + model > 0 ? parser / (parser + model) : 0;
    run->at_once = elapsed > 0 ? stage_number(document, "cache", "busy_ns") / elapsed : 0;
    json_decref(document);
}

static bool run_whole(void *context, BenchSample *sample)
{
    Run *run = context;
    char input[128], output[128];

    snprintf(input, sizeof input, "%s/in", run->directory);
    snprintf(output, sizeof output, "%s/out", run->directory);
    TreeRemove(output);
    const BenchChild child = BenchRunPipeline("dbi-dump", input, NULL, output);
    sample->amount = accesses_of(run);
    sample->seconds = (double) child.elapsed_ns / 1e9;
    sample->cpu_seconds = (double) (child.user_ns + child.system_ns) / 1e9;
    run->peak_bytes = (double) child.peak_bytes;
    look_at_stages(run, output);
    return child.status == 0;
}

static bool read_all(void *context, BenchSample *sample)
{
    const Run *run = context;
    char input[128];

    snprintf(input, sizeof input, "%s/in", run->directory);
    sample->amount = accesses_of(run);
    return TreeRead(input);
}

/* Bytes count as bytes a second, so that the harness' rate is a size. */
static bool run_peak(void *context, BenchSample *sample)
{
    Run *run = context;
    const bool is_good = run_whole(context, sample);

    *sample = (BenchSample){ .amount = run->peak_bytes, .seconds = 1, .cpu_seconds = 1 };
    return is_good;
}

int main(int argc, char **argv)
{
    int status = 1;
    Bench *bench = BenchOpen("dbi-dump", argc, argv, &status);

    if (bench == NULL) {
        return status;
    }
    const uint32_t records = (uint32_t) BenchAmount(bench, RECORDS);
    Run one = { .launches = 1, .records = records * TWICE };
    Run two = { .launches = 2, .records = records * TWICE };
    Run longer = { .launches = 1, .records = records * LONGER };
    Run longest = { .launches = 1, .records = records * LONGEST };
    const bool is_made = make(&one) && make(&two) && make(&longer) && make(&longest);
    if (is_made) {
        BenchRun(bench, &(BenchCase){ .name = "records of a launch",
                                      .unit = "Maccesses/s",
                                      .scale = 1e6,
                                      .subject = { "dbi-dump", run_whole, &longer },
                                      .peer = { "read the files", read_all, &longer } });
        BenchReport(bench, "decomposition, which runs beside the model", longer.decomposed * 100,
                    "% of both");
        BenchRun(bench, &(BenchCase){ .name = "launches side by side",
                                      .unit = "Maccesses/s",
                                      .scale = 1e6,
                                      .subject = { "two launches", run_whole, &two },
                                      .peer = { "one launch", run_whole, &one } });
        BenchReport(bench, "models at work with two launches", two.at_once, "at once");
        BenchRun(bench, &(BenchCase){ .name = "peak memory",
                                      .unit = "MB",
                                      .scale = 1e6,
                                      .goal = 0.9,
                                      .is_size = true,
                                      .subject = { "a launch", run_peak, &longer },
                                      .peer = { "four times its length", run_peak, &longest } });
    }
    TreeRemove(one.directory);
    TreeRemove(two.directory);
    TreeRemove(longer.directory);
    TreeRemove(longest.directory);
    return BenchClose(bench) != 0 || !is_made;
}
