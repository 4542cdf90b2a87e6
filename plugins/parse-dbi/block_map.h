/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARSE_DBI_BLOCK_MAP_H
#define PARSE_DBI_BLOCK_MAP_H

#include <opprof/map.h>

/* The basic blocks of a kernel that counts them, and their counts. */

#define BLOCK_NO_COUNT UINT64_MAX

/* Cores that an instrumented kernel has counters of: three for each of at most 100 blocks. */
#define COUNT_UNITS_BLOCK 3u
#define COUNT_UNITS_MAX (100u * COUNT_UNITS_BLOCK)

typedef struct MapFunction {
    char *name;
    uint64_t start;
    bool has_start;
} MapFunction;

typedef struct MapBlock {
    uint64_t start; /* first instruction and … */
    uint64_t end;   /* … last one, from the start of the code */
    uint64_t id;
    uint64_t count; /* BLOCK_NO_COUNT: unknown */
    uint32_t function;
} MapBlock;

/* Zeroed memory is an empty map. */
typedef struct BlockMap {
    MapFunction *functions;
    size_t function_count;
    size_t function_capacity;
    MapBlock *blocks;
    size_t block_count;
    size_t block_capacity;
    OpprofMap by_id;    /* blocks */
    OpprofMap by_start; /* blocks */
    uint64_t marks;     /* lines that name a block, valid or not */
    uint64_t lines;
    uint64_t bad_lines;
    uint64_t first_bad; /* from 1 */
    bool is_cut;        /* the last line has no end, and is left out */
} BlockMap;

/*
 * Read a map's text: for each function a line with its name, one with its start, then its blocks;
 * other lines may come between functions. Invalid lines are counted. False without memory.
 */
bool BlockMapRead(BlockMap *map, const char *text, size_t length);
void BlockMapFinish(BlockMap *map);

/* True if a function is the kernel with that name, or the part of it that
 * runs on one kind of core. */
bool BlockMapIsOf(const char *function, const char *kernel, size_t kernel_length);

/* Counters as the kernel left them: a unit of words for each core, a word
 * for each block's number. */
typedef struct CountReader {
    BlockMap *map;
    uint64_t unit; /* bytes */
    uint64_t position;
    unsigned char carry[4];
    uint64_t foreign;       /* counters that are not 0, but of no block */
    uint64_t first_foreign; /* offset of the first of them */
    uint64_t last_used;     /* offset of the last counter that is not 0 */
} CountReader;

void CountsBegin(CountReader *reader, BlockMap *map);
void CountsFeed(CountReader *reader, const unsigned char *bytes, size_t length);
/* Bytes after the last whole unit. */
uint64_t CountsRest(const CountReader *reader);

/* Content of a text of counted blocks. */
typedef struct CountedText {
    uint64_t entries;
    uint64_t strange; /* entries that match no block, and lines that are not entries */
    uint64_t first;   /* line of the first of them, from 1 */
    uint64_t differ;  /* blocks whose count differs from the previous one */
    uint64_t unnamed; /* blocks that ran by the previous count, and have no entry */
    bool is_cut;      /* the last line has no end, and is left out */
} CountedText;

/*
 * Read a text of lines "number function offset count", which replaces the counts of the blocks that
 * it names. False without memory.
 */
bool CountsReadText(BlockMap *map, const char *text, size_t length, CountedText *ret_found);

#endif
