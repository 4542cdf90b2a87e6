/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REFCHIP_CHIP_CORE_H
#define REFCHIP_CHIP_CORE_H

/*
 * One core: registers, buffers, pipes. Instructions are executed in program order; their times come
 * from a queue for each pipe. core.c has the times, operate.c what instructions do.
 */

#include "config.h"
#include "counts.h"
#include "execute.h"
#include "l2.h"
#include "log.h"
#include "window.h"
#include "refchip/isa.h"

#define CORE_L1 (512u << 10)
#define CORE_L0 (64u << 10)
#define CORE_L0C (128u << 10)
#define CORE_UB (192u << 10)

#define QUEUE_DEPTH 32u
#define FLAG_IDS 16u
#define FLAG_DEPTH 16u
#define ICACHE_LINE 128u
#define ICACHE_LINES 128u

/* Instructions that wait for a pipe. */
typedef struct Queue {
    uint64_t free_at;             /* the pipe has done all that was given to it */
    uint64_t starts[QUEUE_DEPTH]; /* of the last instructions, a ring */
    uint64_t count;
} Queue;

/* Times at which a flag was set and not yet waited for, oldest first. */
typedef struct Flag {
    uint64_t times[FLAG_DEPTH];
    uint8_t first;
    uint8_t count;
} Flag;

/* Flags that the cube core of a block sets and that its vector cores wait for, each on its own. The
 * cube core is simulated first, so they go this way only. */
#define CROSS_DEPTH 1024u
typedef struct Cross {
    uint64_t times[FLAG_IDS][CROSS_DEPTH];
    uint32_t count[FLAG_IDS];
} Cross;

typedef struct Core {
    const RefchipConfig *config;
    const RefchipLaunch *launch;
    LogCore *log; /* NULL: no listener */
    WindowTrace trace;
    bool is_watched;    /* its monitor is on */
    uint64_t last_mark; /* of the user's, in LPCNT */
    L2View l2;
    Cross *cross;                  /* of the block */
    uint32_t cross_read[FLAG_IDS]; /* flags of the block that were waited for */
    bool is_cube;
    uint32_t core_id;
    uint32_t sub_core_id;
    uint32_t pc;       /* word that comes next */
    uint64_t now;      /* of the front end */
    uint64_t executed; /* instructions */
    uint32_t requests; /* to memory */
    uint64_t moved;    /* bytes of global memory, by the instruction at hand */
    uint64_t random;   /* state of the generator */
    bool is_done;
    char *fault; /* 160 bytes; "" : none */
    uint64_t x[32];
    uint64_t spr[SPR_COUNT];
    uint64_t mask[2];
    Queue queues[PIPE_COUNT];
    Flag flags[PIPE_COUNT][PIPE_COUNT][FLAG_IDS];
    uint64_t icache[ICACHE_LINES]; /* line number + 1 */
    const uint64_t *l2_shared;     /* L2_LINES, as the launch found them */
    uint64_t *l2_own;              /* L2_LINES */
    uint8_t *l1, *l0a, *l0b, *l0c, *ub;
    uint64_t counts[COUNT_KINDS];
    uint64_t (*threads)[32];                  /* registers of SIMT threads; NULL: none has run */
    uint64_t warps[COUNTED_WARPS][2];         /* start and end; 0: it did not run */
    InstructionCounts *instructions;          /* of the launch's words; NULL: not wanted */
    bool is_traced;                           /* its channel wants words of pipes */
    uint64_t sample_period;                   /* of its program counter, in cycles; 0: not wanted */
    uint32_t (*samples)[INSTRUCTION_SAMPLES]; /* of the launch's words */
} Core;

/* Allocate a core's buffers; false without memory. Finish accepts a half-made one. */
bool CoreInit(Core *core, const RefchipLaunch *launch, const uint64_t *l2_shared, Cross *cross,
              char *fault);
void CoreFinish(Core *core);

/* Begin with a place of the launch; of the three of a mixed kernel's block the cube core comes
 * first. */
void CoreStart(Core *core, uint32_t place);
/* Run it to its end. False: there is a fault. */
bool CoreRun(Core *core);

/* Effect and time of one instruction. */
typedef struct Effect {
    uint64_t cycles;
    uint64_t gm_address; /* of the move's global side */
    uint64_t gm_size;    /* 0: no move from or to global memory */
    uint64_t latency;    /* before its first byte */
    bool is_store;
} Effect;

/* Account for an access to memory: its L2 lines, and the cost of waiting for them. False: there is
 * a fault. */
bool CoreTouch(Core *core, uint64_t address, uint64_t size, bool is_store, Effect *effect);
/* What the instruction at `pc` did, `before` being the L2 cache's account until then. */
void CoreNote(const Core *core, uint32_t pc, const L2View *before, uint64_t bytes);
/* Execute a word of any pipe but FLOWCTRL and flags. False: there is a fault. */
bool Operate(Core *core, uint32_t word, Effect *effect);
__attribute__((format(printf, 2, 3))) bool CoreFault(Core *core, const char *format, ...);

/* What an instrumented kernel reports at this word; the next one is what it is about. False: there
 * is a fault. */
bool Report(Core *core, uint32_t word);

/* Operands with the values of registers now: "XD:X0=0x1, XN:X2=0, ". */
void CoreDescribe(const Core *core, uint32_t word, char *text, size_t size);
/* As logs of the 310P have it, with its name; and that series' name of a pipe. */
void CoreDescribe310p(const Core *core, uint32_t word, char *text, size_t size);
const char *CorePipe310p(uint32_t pipe);

#endif
