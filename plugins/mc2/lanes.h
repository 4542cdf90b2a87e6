/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MC2_LANES_H
#define MC2_LANES_H

#include "word_stream.h"

/*
 * The eight marks that a kernel's last code leaves so that a line of marks is written out. They are
 * not events of the kernel, nor is anything after them.
 */

#define END_MARK_COUNT 8u

/* Zero at first. */
typedef struct EndMarks {
    uint64_t start; /* number of events before the first of them */
    uint32_t next;  /* how many have been seen; 0: none */
} EndMarks;

/* Add a mark, before which there are `events` events. */
void EndMarksTake(EndMarks *end, uint32_t id, uint64_t events);

/* True once all have been seen, and no other mark after them. */
static inline bool EndMarksComplete(const EndMarks *end)
{
    return end->next == END_MARK_COUNT;
}

/* Drawings of the words of one core: spans of busy pipes, marks, and regions between marks. */

/* Meaning of the marks. */
typedef enum LanesMode {
    LANES_PIPES,       /* busy pipes, marks, user regions */
    LANES_CHECKPOINTS, /* the same in the system profiler's form: marks without length */
    LANES_INSTRUCTIONS /* only pairs of marks that the compiler put around instructions */
} LanesMode;

typedef enum LaneItemKind {
    LANE_STATE,      /* a pipe was busy */
    LANE_MARK,       /* one cycle */
    LANE_CHECKPOINT, /* no length */
    LANE_REGION,     /* between a user's start and stop */
    LANE_INSTRUCTION /* between the compiler's marks */
} LaneItemKind;

typedef struct LaneItem {
    uint64_t start; /* core cycles */
    uint64_t end;
    uint32_t block;
    uint16_t id; /* of the mark, region or instruction; of states 0 */
    uint8_t pipe;
    uint8_t kind; /* LaneItemKind */
    bool is_cut;  /* it was still open when the stream ended */
} LaneItem;

/* Receiver of items; false: stop (without memory). */
typedef bool LaneTake(void *context, const LaneItem *item);

#define LANE_IDS 1024u /* regions, or instructions of a pipe */

typedef struct LaneCounts {
    uint64_t marks;
    uint64_t items;
    uint64_t unpaired; /* starts without end, ends without start, and repeated starts */
    uint64_t backwards;
    uint64_t cut;     /* spans still open at the end */
    uint64_t removed; /* items of the kernel's end */
} LaneCounts;

/* One core. */
typedef struct Lanes {
    LanesMode mode;
    LaneTake *take;
    void *context;
    uint32_t busy; /* pipes as bits */
    uint64_t busy_since[BIU_PIPES];
    uint64_t (*open)[LANE_IDS]; /* by pipe: start of each id; UINT64_MAX: not open */
    uint64_t last;              /* time of the last word */
    uint32_t block;
    EndMarks end;
    uint64_t end_time; /* of the first end mark */
    bool has_end;      /* LanesEnd found all end marks */
    LaneItem *pending; /* items since the first end mark */
    size_t pending_count;
    size_t pending_capacity;
    uint8_t unpaired[LANE_IDS / 8];         /* ids, as bits */
    uint8_t unpaired_pending[LANE_IDS / 8]; /* those since the first end mark … */
    uint64_t pending_unpaired;              /* … and their number */
    LaneCounts counts;
} Lanes;

void LanesInit(Lanes *lanes, LanesMode mode, LaneTake *take, void *context);

/* False without memory, or if `take` returned false; so does the next. */
bool LanesWords(Lanes *lanes, const Word *words, size_t count);

/* All words have been added: what is open is closed at the last one, and the kernel's end is
 * removed. */
bool LanesEnd(Lanes *lanes);

/* True if the starts and ends of an id do not match. */
static inline bool LanesIsUnpaired(const Lanes *lanes, uint32_t id)
{
    return (lanes->unpaired[id / 8] >> (id % 8) & 1) != 0;
}

void LanesFinish(Lanes *lanes);

#endif
