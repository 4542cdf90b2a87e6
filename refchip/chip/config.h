/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REFCHIP_CONFIG_H
#define REFCHIP_CONFIG_H

/*
 * What is emulated. It comes from the environment variable OPPROF_REFCHIP, "key=value" with blanks
 * between, which opprof-refchip fills from the chip's file.
 */

#include <stdbool.h>
#include <stdint.h>

#define REFCHIP_MOST_DEVICES 8u
#define REFCHIP_MOST_CORES 64u

typedef struct RefchipConfig {
    char soc[32];         /* "Ascend910B1" */
    bool has_ids;         /* logs carry instruction ids: the 950 series */
    uint32_t devices;     /* 1..REFCHIP_MOST_DEVICES */
    uint32_t cores;       /* cube cores; there are two vector cores beside each */
    uint32_t threads;     /* that simulate cores */
    uint32_t bytes_in;    /* a core loads in a cycle from the L2 cache */
    uint32_t bytes_out;   /* and stores */
    uint64_t memory;      /* bytes of each device */
    uint64_t seed;        /* placement of blocks, latency of the memory */
    uint32_t fail_malloc; /* the n-th allocation fails; 0: none */
} RefchipConfig;

/* The configuration of the process, read at the first call. [any thread] */
const RefchipConfig *RefchipConfigGet(void);

#endif
