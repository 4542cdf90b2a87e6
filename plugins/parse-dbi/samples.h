/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_DBI_SAMPLES_H
#define PARSE_DBI_SAMPLES_H

#include <opprof/map.h>

/* Samples of the program counters of a launch: what threads waited for. */

#define SAMPLE_REASONS 9u /* the last one is not a wait */

/* Names of the reasons. */
extern const char *const sample_reasons[SAMPLE_REASONS];

typedef struct SamplePc {
    uint64_t raw; /* as sampled: its bits 26 to 0 */
    uint64_t counts[SAMPLE_REASONS];
} SamplePc;

/* Zeroed memory is empty. Files come one after another. */
typedef struct Samples {
    OpprofMap map;
    SamplePc *pcs;
    size_t count;
    size_t capacity;
    uint64_t taken;

    /* of the current file */
    uint64_t taken_before; /* samples of the files before it */
    uint64_t position;
    uint32_t have; /* bytes so far of the head, then of a sample */
    uint32_t valid;
    bool is_bad;
    unsigned char carry[16];
    uint64_t bad_heads;
    uint64_t first_bad; /* its offset */
    uint64_t odd;       /* chunks whose valid bytes end within a sample */
    uint64_t hash;      /* of the chunk so far */

    uint64_t first_hash; /* of the first chunk of all files; 0: none */
    uint64_t again; /* chunks of this file with the same head and samples as the first one of all */
} Samples;

void SamplesBeginFile(Samples *samples);
/* False without memory. */
bool SamplesFeed(Samples *samples, const unsigned char *bytes, size_t length);
/* Bytes of a chunk that did not arrive completely. */
uint64_t SamplesRest(const Samples *samples);
void SamplesFinish(Samples *samples);

/* The place of a sampled address, from the start of the code, which was loaded at `start`. */
uint64_t SamplePlace(uint64_t raw, uint64_t start, uint64_t stub);

#endif
