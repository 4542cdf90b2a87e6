/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the compiler's notes on the instructions that it marked. Tested by
 * tests/plugins/mc2/test_monitor.c. */
#include "region_map.h"

#include <opprof/grow.h>
#include <stdlib.h>

#include <string.h>
#include <strings.h>

/* In the order of the words' pipes; the scalar pipe has no compiler marks. */
static const char *const pipes[] = { NULL, "VECTOR", "CUBE", "MTE1", "MTE2", "MTE3", "FIXP" };

#define TUNE_ERROR "TUNE-ERROR: all dfx ids consumed"
#define TUNE_PIPE "[pipe="

typedef struct Cursor {
    const char *at;
    size_t left;
} Cursor;

/* Pipe by name in upper or lower case, as index into the words' pipes; false: not a pipe with
 * marks. */
static bool find_pipe(const char *name, size_t length, uint32_t *ret_pipe)
{
    for (uint32_t i = 1; i < sizeof pipes / sizeof pipes[0]; i++) {
        if (strlen(pipes[i]) == length && strncasecmp(pipes[i], name, length) == 0) {
            *ret_pipe = i;
            return true;
        }
    }
    return false;
}

static bool skip_text(Cursor *cursor, const char *text)
{
    const size_t length = strlen(text);

    if (cursor->left < length || memcmp(cursor->at, text, length) != 0) {
        return false;
    }
    cursor->at += length;
    cursor->left -= length;
    return true;
}

static int digit_of(char c, unsigned base)
{
    const int value = c >= '0' && c <= '9'   ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : 16;

    return value < (int) base ? value : -1;
}

/* Up to `most` digits, at least one. */
static bool read_number(Cursor *cursor, unsigned base, size_t most, uint64_t *ret_value)
{
    size_t count = 0;

    *ret_value = 0;
    while (count < cursor->left && digit_of(cursor->at[count], base) >= 0) {
        if (++count > most) {
            return false;
        }
        *ret_value = *ret_value * base + (uint64_t) digit_of(cursor->at[count - 1], base);
    }
    cursor->at += count;
    cursor->left -= count;
    return count > 0;
}

static size_t field_length(const Cursor *cursor)
{
    const char *comma = memchr(cursor->at, ',', cursor->left);

    return comma == NULL ? cursor->left : (size_t) (comma - cursor->at);
}

/* Move to the field that begins with `text`. */
static bool find_field(Cursor *cursor, const char *text)
{
    while (cursor->left > 0) {
        if (skip_text(cursor, text)) {
            return true;
        }
        const size_t length = field_length(cursor);
        const size_t step = length < cursor->left ? length + 1 : length;
        cursor->at += step;
        cursor->left -= step;
    }
    return false;
}

static bool read_opcode(const Cursor *cursor, char opcode[REGION_OPCODE_ROOM])
{
    const size_t length = field_length(cursor);

    if (length == 0 || length >= REGION_OPCODE_ROOM) {
        return false;
    }
    for (size_t i = 0; i < length; i++) {
        if (cursor->at[i] <= ' ' || cursor->at[i] > '~') {
            return false;
        }
        opcode[i] = cursor->at[i];
    }
    opcode[length] = '\0';
    return true;
}

static bool read_line(Cursor cursor, Region *region)
{
    uint64_t id = 0;

    if (!skip_text(&cursor, "region_id=") || !read_number(&cursor, 10, 4, &id) ||
        !skip_text(&cursor, ",pipe=")) {
        return false;
    }
    const size_t length = field_length(&cursor);
    if (!find_pipe(cursor.at, length, &region->pipe)) {
        return false;
    }
    region->id = (uint32_t) id;
    return find_field(&cursor, "pc=0x") && read_number(&cursor, 16, 8, &region->pc) &&
           find_field(&cursor, "opcode=") && read_opcode(&cursor, region->opcode);
}

static uint64_t key_of(uint32_t pipe, uint32_t id)
{
    return (uint64_t) pipe << 32 | id;
}

bool RegionMapLine(RegionMap *map, const char *line, size_t length, uint64_t start_pc)
{
    Region region = { .id = 0 };

    if (length == 0) {
        return true;
    }
    map->lines++;
    if (!read_line((Cursor){ line, length }, &region)) {
        map->skipped++;
        return true;
    }
    region.pc += start_pc;
    const uint32_t index = OpprofMapFind(&map->map, key_of(region.pipe, region.id));
    if (index != OPPROF_MAP_NONE) {
        map->list[index] = region;
        return true;
    }
    if (!OpprofGrow(&map->list, &map->capacity, map->count + 1, sizeof *map->list) ||
        !OpprofMapPut(&map->map, key_of(region.pipe, region.id), (uint32_t) map->count)) {
        return false;
    }
    map->list[map->count++] = region;
    return true;
}

const Region *RegionMapFind(const RegionMap *map, uint32_t pipe, uint32_t id)
{
    const uint32_t index = OpprofMapFind(&map->map, key_of(pipe, id));

    return index == OPPROF_MAP_NONE ? NULL : &map->list[index];
}

bool RegionTuneLine(const char *line, size_t length, uint32_t *ret_pipe)
{
    if (memmem(line, length, TUNE_ERROR, strlen(TUNE_ERROR)) == NULL) {
        return false;
    }
    const char *at = memmem(line, length, TUNE_PIPE, strlen(TUNE_PIPE));
    if (at == NULL) {
        return false;
    }
    at += strlen(TUNE_PIPE);
    const char *end = memchr(at, ']', length - (size_t) (at - line));
    return end != NULL && find_pipe(at, (size_t) (end - at), ret_pipe);
}

void RegionMapFinish(RegionMap *map)
{
    OpprofMapFinish(&map->map);
    free(map->list);
    *map = (RegionMap){ .list = NULL };
}
