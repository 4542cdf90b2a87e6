/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_CORE_RUN_FIXTURES_H
#define TESTS_CORE_RUN_FIXTURES_H

#include <opprof/opprof.h>
#include <stdatomic.h>

/* Small plugins for tests of the runner; their parameters say what they do. */

/* What the numbers plugins saw, over all instances; reset before a run. */
typedef struct Seen {
    atomic_ullong produced;
    atomic_ullong consumed;
    atomic_ullong sum;
    atomic_uint flushes;
    atomic_uint stops;
    atomic_uint destroys;
    /* batches of a partition that came out of order, or to two instances */
    atomic_uint out_of_order;
    atomic_uint inside;          /* set while somebody is inside the slow consumer */
    atomic_uint release;         /* the stuck plugins leave when it is set */
    atomic_uint open_to_signals; /* calls of process in threads that a signal could interrupt */
} Seen;

extern Seen seen;
void SeenReset(void);

typedef struct Number {
    uint64_t value;
    uint64_t partition;
} Number;

extern const OpprofRecordType number_type;
extern const OpprofPlugin
    numbers_plugin; /* collector: count, batch, partitions, fail_at, fail_in, stuck */
extern const OpprofPlugin many_plugin;   /* parallel collector of the same */
extern const OpprofPlugin double_plugin; /* analysis: value * 2; fail_at, fail_in */
extern const OpprofPlugin spread_plugin; /* partitioned analysis that passes on */
extern const OpprofPlugin sum_plugin;    /* exporter: sums; fail_at, fail_in, stuck, file */
extern const OpprofPlugin crash_plugin;  /* exporter that writes to a null pointer */

#endif
