/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REFCHIP_CHIP_CONFIG_H
#define REFCHIP_CHIP_CONFIG_H

/*
 * The emulated chip. It comes from the environment variable OPPROF_REFCHIP, "key=value" with blanks
 * between, which opprof-refchip fills from the chip's file.
 */

#include "fault.h"
#include <stdbool.h>
#include <stdint.h>

#define REFCHIP_MOST_DEVICES 8u
#define REFCHIP_MOST_CORES 64u

typedef struct RefchipConfig {
    char soc[32];       /* "Ascend910B1" */
    bool has_ids;       /* logs carry instruction ids: the 950 series */
    bool is_310p;       /* cores have no parts, and logs have a form of their own */
    uint32_t devices;   /* 1..REFCHIP_MOST_DEVICES */
    uint32_t cores;     /* cube cores; there are two vector cores beside each */
    uint32_t threads;   /* threads that simulate cores */
    uint32_t bytes_in;  /* bytes that a core loads in a cycle from the L2 cache */
    uint32_t bytes_out; /* bytes that it stores */
    uint64_t memory;    /* bytes of each device */
    uint64_t patience;  /* instructions of a core after which a kernel does not end */
    uint64_t seed;      /* placement of blocks, latency of the memory */
    uint32_t limit;     /* seconds that a kernel of the AI CPU must have as its limit; 0: any */
    uint32_t meeting;   /* ms that a rank waits for the others */
    uint32_t mhz;       /* clock of the cores */
    uint32_t tick_khz;  /* clock of the scheduler */
    char account[256];  /* file that each launch's own account is appended to; "": none */
    char trace[256];    /* file that each call with a place for faults is appended to; "": none */
    uint32_t faults[FAULT_MOST_PLACES]
                   [FAULT_MOST_EFFECTS]; /* the call at which it happens; 0: never */
    uint32_t only;                       /* … by the device of this number and 1 alone; 0: any */
    /* Faults of profiling channels, by the channel's number; 0: none */
    uint32_t fail_start;
    uint32_t fail_read;
    uint32_t lose_stop; /* its stop says that records were lost */
    uint32_t silent;    /* no record ever comes */
    uint32_t late;      /* records are seen only after the stop */
    uint32_t endless;   /* once it has a record, reads repeat that for ever */
    uint32_t fail_poll; /* polls fail while it is open or has records */
    /* Registers of cores, and faults of their monitors, by the core's number and 1; 0: none */
    uint32_t windows;        /* cores whose registers can be mapped */
    uint64_t left_over;      /* that Dvc* functions leave in the register of a value */
    uint32_t fail_map;       /* its registers cannot be mapped */
    uint32_t silent_monitor; /* never writes a word */
    uint32_t stuck_monitor;  /* writes, and its pointer stands still */
    uint32_t short_read;     /* a read gives at most this many bytes, whatever a record's size */
} RefchipConfig;

/* The configuration of the process, read at the first call. [any thread] */
const RefchipConfig *RefchipConfigGet(void);

#endif
