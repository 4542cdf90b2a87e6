/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

/**
 * @file
 * Harness of the bench programs.
 *
 * A case is a subject and, mostly, a peer or a bound (another way to do the same, the speed of
 * memory) that runs in the same program: A B A B …, so that a machine that changes its mind changes
 * it for both. The rate is the median over the rounds, the ratio the median of the rounds' ratios.
 *
 * Each program takes --quick, --rounds N, --filter TEXT and --json FILE; the latter adds its cases
 * to a JSON document that several programs share.
 */

#include <stdbool.h>
#include <stdint.h>

/** One program's cases. Opaque. */
typedef struct Bench Bench;

/** Time and amount of one run of a side. The side sets `amount`; times it leaves at 0 are those of
 * the whole call. */
typedef struct BenchSample {
    double amount;      /**< Units done: records, bytes, files. */
    double seconds;     /**< Wall time. */
    double cpu_seconds; /**< CPU time of all threads and of children that were waited for. */
} BenchSample;

/** One way to do the work. */
typedef struct BenchSide {
    const char *name; /**< Its name in the printed line. */
    bool (*run)(
        void *context,
        BenchSample *sample); /**< False: it failed or its result is wrong. NULL: no such side. */
    void *context;            /**< Passed to run. */
} BenchSide;

/** A case. */
typedef struct BenchCase {
    const char *name; /**< Unique in the program. */
    const char *unit; /**< Unit of the rate as printed, such as "Mrecords/s". */
    double scale;     /**< Amount per second that is 1 of `unit`; 0: 1. */
    double goal;      /**< Ratio to reach; 0: none. Missing it is reported, not an error. */
    bool is_size; /**< A size, not a speed: one round is enough, and smoke runs leave it out, whose
                         little input says nothing. */
    BenchSide subject;
    BenchSide peer; /**< Peer or bound; may be absent. */
} BenchCase;

/**
 * Begin. Reads the command line.
 *
 * @return NULL after --help or a wrong argument, with *ret_status what main returns.
 */
Bench *BenchOpen(const char *program, int argc, char **argv, int *ret_status);

/** Run a case and print its line, unless the filter leaves it out. */
void BenchRun(Bench *bench, const BenchCase *one);

/** Print a figure that is not a case, such as a part of one, and add it to the document's
 * "figures".
 */
void BenchReport(Bench *bench, const char *name, double value, const char *unit);

/** Time and memory of a child process. */
typedef struct BenchChild {
    int status; /**< Exit status; -1: it was not started or died. */
    uint64_t elapsed_ns;
    uint64_t user_ns;    /**< CPU time. */
    uint64_t system_ns;  /**< CPU time in the kernel. */
    uint64_t peak_bytes; /**< Most resident memory, at least that of this process. */
} BenchChild;

/**
 * Run a pipeline with opprof-run ($OPPROF_RUN) into a directory, its output on stdout thrown away,
 * and wait for it.
 *
 * @param input    Value of the pipeline's variable `input`.
 * @param setting  One more variable, as NAME=VALUE, or NULL.
 */
BenchChild BenchRunPipeline(const char *pipeline, const char *input, const char *setting,
                            const char *output);

/** Write the JSON document, free all. Returns what main returns: 1 if a case failed. */
int BenchClose(Bench *bench);

/** `amount`, or a small part of it in a smoke run. */
uint64_t BenchAmount(const Bench *bench, uint64_t amount);

/** Monotonic clock in ns. */
uint64_t BenchNow(void);
/** CPU time of the calling thread in ns. */
uint64_t BenchThreadCpu(void);
/** CPU time of this process and of its children that were waited for, in ns. */
uint64_t BenchProcessCpu(void);

/** Lets the compiler believe that memory at `data` is looked at. */
static inline void BenchKeep(const void *data)
{
    __asm__ volatile("" : : "r"(data) : "memory");
}

#endif
