/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the basic blocks of a kernel, and how often each of them ran.
 * Tested by tests/plugins/parse-dbi/test_counts.
 */
#include "block_map.h"

#include <opprof/grow.h>
#include <opprof/kit/bytes.h>

#include <stdlib.h>
#include <string.h>

#define FUNCTION "function: "
#define START "start addr: 0x"
#define BLOCK "BBB id:"
#define OFFSET "Offset: 0x"
#define END "end: 0x"
#define UNIT_ALIGN 256u
#define UNIT_MAX (UINT64_C(50) << 20)

/* A line, or the rest of it. */
typedef struct Line {
    const char *at;
    const char *end;
} Line;

/* Moves past a word of the line; false: the line has a different one. */
static bool skip_to(Line *line, const char *word)
{
    const char *found = memmem(line->at, (size_t) (line->end - line->at), word, strlen(word));

    if (found != NULL) {
        line->at = found + strlen(word);
    }
    return found != NULL;
}

static unsigned digit_of(char c)
{
    return c >= '0' && c <= '9'   ? (unsigned) (c - '0')
           : c >= 'a' && c <= 'f' ? (unsigned) (c - 'a') + 10
           : c >= 'A' && c <= 'F' ? (unsigned) (c - 'A') + 10
                                  : 16;
}

/* Digits of a base, moving past them; false: none, or too many. */
static bool read_number(Line *line, unsigned base, uint64_t *ret_value)
{
    const char *first = line->at;
    bool fits = true;

    *ret_value = 0;
    for (; line->at < line->end && digit_of(*line->at) < base; line->at++) {
        fits = fits && !__builtin_mul_overflow(*ret_value, (uint64_t) base, ret_value) &&
               !__builtin_add_overflow(*ret_value, (uint64_t) digit_of(*line->at), ret_value);
    }
    return fits && line->at > first;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static Line read_word(Line *line)
{
    Line word;

    while (line->at < line->end && is_blank(*line->at)) {
        line->at++;
    }
    word.at = line->at;
    while (line->at < line->end && !is_blank(*line->at)) {
        line->at++;
    }
    word.end = line->at;
    return word;
}

/* The next line of a text, without its end. What follows the last end is left at `*at`: it may be
 * part of a line. */
static bool next_line(const char **at, const char *end, Line *ret_line)
{
    const char *newline = *at >= end ? NULL : memchr(*at, '\n', (size_t) (end - *at));

    if (newline == NULL) {
        return false;
    }
    *ret_line = (Line){ *at, newline };
    *at = newline + 1;
    return true;
}

/* ---- the map ---- */

static void note_bad(BlockMap *map)
{
    map->first_bad = map->bad_lines++ == 0 ? map->lines : map->first_bad;
}

static bool add_function(BlockMap *map, Line line)
{
    const Line name = read_word(&line);

    if (!OpprofGrow(&map->functions, &map->function_capacity, map->function_count + 1,
                    sizeof *map->functions)) {
        return false;
    }
    char *copy = strndup(name.at, (size_t) (name.end - name.at));
    if (copy != NULL) {
        map->functions[map->function_count++] = (MapFunction){ .name = copy };
    }
    return copy != NULL;
}

/* Members of a block's line, in their order. */
static bool read_block(Line *line, MapBlock *block)
{
    return read_number(line, 10, &block->id) && skip_to(line, OFFSET) &&
           read_number(line, 16, &block->start) && skip_to(line, END) &&
           read_number(line, 16, &block->end);
}

static bool add_block(BlockMap *map, Line line)
{
    const MapFunction *function =
        map->function_count == 0 ? NULL : &map->functions[map->function_count - 1];
    MapBlock block = { .count = BLOCK_NO_COUNT, .function = (uint32_t) map->function_count - 1 };

    map->marks++;
    if (function == NULL || !function->has_start || !read_block(&line, &block) ||
        __builtin_add_overflow(block.start, function->start, &block.start) ||
        __builtin_add_overflow(block.end, function->start, &block.end) || block.end < block.start ||
        OpprofMapFind(&map->by_id, block.id) != OPPROF_MAP_NONE) {
        note_bad(map);
        return true;
    }
    if (!OpprofGrow(&map->blocks, &map->block_capacity, map->block_count + 1,
                    sizeof *map->blocks) ||
        !OpprofMapPut(&map->by_id, block.id, (uint32_t) map->block_count) ||
        !OpprofMapPut(&map->by_start, block.start, (uint32_t) map->block_count)) {
        return false;
    }
    map->blocks[map->block_count++] = block;
    return true;
}

static void set_start(BlockMap *map, Line line)
{
    MapFunction *function =
        map->function_count == 0 ? NULL : &map->functions[map->function_count - 1];

    if (function == NULL || function->has_start || !read_number(&line, 16, &function->start)) {
        note_bad(map);
        return;
    }
    function->has_start = true;
}

static bool take_line(BlockMap *map, Line line)
{
    Line rest = line;

    map->lines++;
    if (skip_to(&rest, FUNCTION)) {
        return add_function(map, rest);
    }
    if (skip_to(&rest, START)) {
        set_start(map, rest);
    } else if (skip_to(&rest, BLOCK)) {
        return add_block(map, rest);
    }
    return true;
}

bool BlockMapRead(BlockMap *map, const char *text, size_t length)
{
    const char *const end = text + length;
    Line line;

    while (next_line(&text, end, &line)) {
        if (!take_line(map, line)) {
            return false;
        }
    }
    map->is_cut = text < end;
    return true;
}

void BlockMapFinish(BlockMap *map)
{
    for (size_t i = 0; i < map->function_count; i++) {
        free(map->functions[i].name);
    }
    free(map->functions);
    free(map->blocks);
    OpprofMapFinish(&map->by_id);
    OpprofMapFinish(&map->by_start);
    *map = (BlockMap){ .block_count = 0 };
}

/* ---- names ---- */

/* Without the kind of core, and without what C++ adds around an identifier. */
static Line bare_name(Line name)
{
    static const char *const kinds[] = { "_mix_aic", "_mix_aiv" };
    Line inner = { name.at + 2, name.end };
    uint64_t length = 0;

    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        const size_t of_kind = strlen(kinds[i]);
        if ((size_t) (name.end - name.at) > of_kind &&
            memcmp(name.end - of_kind, kinds[i], of_kind) == 0) {
            name.end -= of_kind;
            break;
        }
    }
    if (name.end - name.at > 2 && memcmp(name.at, "_Z", 2) == 0 &&
        read_number(&inner, 10, &length) && length > 0 &&
        length <= (uint64_t) (name.end - inner.at)) {
        return (Line){ inner.at, inner.at + length };
    }
    return name;
}

bool BlockMapIsOf(const char *function, const char *kernel, size_t kernel_length)
{
    const Line own = bare_name((Line){ function, function + strlen(function) });
    const Line wanted = bare_name((Line){ kernel, kernel + kernel_length });

    return own.end - own.at == wanted.end - wanted.at &&
           memcmp(own.at, wanted.at, (size_t) (own.end - own.at)) == 0;
}

/* ---- counters ---- */

void CountsBegin(CountReader *reader, BlockMap *map)
{
    const uint64_t bytes = (map->marks * 4 + UNIT_ALIGN - 1) / UNIT_ALIGN * UNIT_ALIGN;

    *reader = (CountReader){ .map = map, .unit = bytes < UNIT_MAX ? bytes : UNIT_MAX };
    for (size_t i = 0; i < map->block_count; i++) {
        const bool has_word = map->blocks[i].id < reader->unit / 4;
        map->blocks[i].count = has_word ? 0 : BLOCK_NO_COUNT;
    }
}

static void add_count(MapBlock *block, uint64_t count)
{
    if (block->count == BLOCK_NO_COUNT) {
        block->count = 0;
    }
    if (__builtin_add_overflow(block->count, count, &block->count) ||
        block->count == BLOCK_NO_COUNT) {
        block->count = BLOCK_NO_COUNT - 1;
    }
}

/* A word at a place of the file. */
static void take_word(CountReader *reader, uint64_t at, uint32_t value)
{
    const uint64_t id = at % reader->unit / 4;
    const uint32_t place = value == 0 ? OPPROF_MAP_NONE : OpprofMapFind(&reader->map->by_id, id);

    reader->last_used = value == 0 ? reader->last_used : at;
    if (place != OPPROF_MAP_NONE) {
        add_count(&reader->map->blocks[place], value);
    } else if (value != 0 && reader->foreign++ == 0) {
        reader->first_foreign = at;
    }
}

void CountsFeed(CountReader *reader, const unsigned char *bytes, size_t length)
{
    for (size_t i = 0; reader->unit > 0 && i < length;) {
        const unsigned have = (unsigned) (reader->position % 4);

        if (have == 0 && length - i >= 4) {
            take_word(reader, reader->position, OpprofLoadLe32(bytes + i));
            i += 4;
            reader->position += 4;
            continue;
        }
        reader->carry[have] = bytes[i++];
        reader->position++;
        if (have == 3) {
            take_word(reader, reader->position - 4, OpprofLoadLe32(reader->carry));
        }
    }
}

uint64_t CountsRest(const CountReader *reader)
{
    return reader->unit == 0 ? 0 : reader->position % reader->unit;
}

/* ---- counted text ---- */

static const MapFunction *find_function(const BlockMap *map, Line name)
{
    const size_t length = (size_t) (name.end - name.at);

    for (size_t i = 0; i < map->function_count; i++) {
        if (strlen(map->functions[i].name) == length &&
            memcmp(map->functions[i].name, name.at, length) == 0) {
            return &map->functions[i];
        }
    }
    return NULL;
}

/* Counts an entry; false: it is not an entry, or no block begins there. */
static bool take_entry(BlockMap *map, Line line)
{
    Line number = read_word(&line);
    const Line name = read_word(&line);
    Line offset = read_word(&line);
    Line count = read_word(&line);
    const MapFunction *function = find_function(map, name);
    uint64_t values[3];

    if (count.end - count.at == 0 || !read_number(&number, 10, &values[0]) ||
        number.at != number.end || function == NULL || !function->has_start) {
        return false;
    }
    if (offset.end - offset.at > 2 && memcmp(offset.at, "0x", 2) == 0) {
        offset.at += 2;
    }
    if (!read_number(&offset, 16, &values[1]) || offset.at != offset.end ||
        !read_number(&count, 10, &values[2]) || count.at != count.end) {
        return false;
    }
    const uint32_t place = OpprofMapFind(&map->by_start, function->start + values[1]);
    if (place != OPPROF_MAP_NONE) {
        add_count(&map->blocks[place], values[2]);
    }
    return place != OPPROF_MAP_NONE;
}

/* The counts so far, free with free(); all blocks restart without any. */
static uint64_t *take_counts(BlockMap *map)
{
    uint64_t *counts = calloc(map->block_count + 1, sizeof *counts);

    for (size_t i = 0; counts != NULL && i < map->block_count; i++) {
        counts[i] = map->blocks[i].count;
        map->blocks[i].count = BLOCK_NO_COUNT;
    }
    return counts;
}

/* Blocks without an entry keep their counts; free with free(). */
static void compare_counts(BlockMap *map, uint64_t *before, CountedText *found)
{
    for (size_t i = 0; i < map->block_count; i++) {
        MapBlock *block = &map->blocks[i];

        if (block->count == BLOCK_NO_COUNT) {
            block->count = before[i];
            found->unnamed += before[i] != BLOCK_NO_COUNT && before[i] > 0;
        } else {
            found->differ += before[i] != BLOCK_NO_COUNT && before[i] != block->count;
        }
    }
    free(before);
}

bool CountsReadText(BlockMap *map, const char *text, size_t length, CountedText *ret_found)
{
    const char *const end = text + length;
    uint64_t *before = take_counts(map);
    uint64_t number = 0;
    Line line;

    *ret_found = (CountedText){ .entries = 0 };
    if (before == NULL) {
        return false;
    }
    while (next_line(&text, end, &line)) {
        Line rest = line;
        number++;
        if (read_word(&rest).at == line.end) {
            continue;
        }
        ret_found->entries++;
        if (!take_entry(map, line)) {
            ret_found->first = ret_found->strange++ == 0 ? number : ret_found->first;
        }
    }
    ret_found->is_cut = text < end;
    compare_counts(map, before, ret_found);
    return true;
}
