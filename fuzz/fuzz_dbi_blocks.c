/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Block maps with their counters: an input is a map, a NUL, and counters, or with a second NUL at
 * once a text of counted blocks. Any cut into pieces gives the same counts, and every count belongs
 * to a block of the map.
 */
#include "fuzz/fuzz.h"
#include "plugins/parse-dbi/block_map.h"

#include <string.h>

static uint64_t hash_of(const BlockMap *map)
{
    uint64_t hash = map->block_count;

    for (size_t i = 0; i < map->block_count; i++) {
        const MapBlock *block = &map->blocks[i];

        FUZZ_REQUIRE(block->end >= block->start);
        FUZZ_REQUIRE(block->function < map->function_count);
        FUZZ_REQUIRE(map->functions[block->function].has_start);
        hash = (hash ^ block->count ^ block->id << 1) * UINT64_C(0x100000001b3);
    }
    return hash;
}

static uint64_t count(const uint8_t *map_text, size_t map_length, const uint8_t *bytes, size_t size,
                      size_t piece)
{
    BlockMap map = { .block_count = 0 };
    CountReader reader;

    FUZZ_REQUIRE(BlockMapRead(&map, (const char *) map_text, map_length));
    FUZZ_REQUIRE(map.block_count + map.bad_lines >= map.marks);
    CountsBegin(&reader, &map);
    for (size_t at = 0; at < size; at += piece) {
        CountsFeed(&reader, bytes + at, size - at < piece ? size - at : piece);
    }
    FUZZ_REQUIRE(reader.unit == 0 || CountsRest(&reader) == size % reader.unit);
    const uint64_t hash = hash_of(&map);
    BlockMapFinish(&map);
    return hash;
}

static void read_text(const uint8_t *map_text, size_t map_length, const uint8_t *bytes, size_t size)
{
    BlockMap map = { .block_count = 0 };
    CountedText found;

    FUZZ_REQUIRE(BlockMapRead(&map, (const char *) map_text, map_length));
    FUZZ_REQUIRE(CountsReadText(&map, (const char *) bytes, size, &found));
    FUZZ_REQUIRE(found.strange <= found.entries && found.differ <= map.block_count);
    hash_of(&map);
    for (size_t i = 0; i < map.function_count; i++) {
        BlockMapIsOf(map.functions[i].name, (const char *) bytes, size);
    }
    BlockMapFinish(&map);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *end = size == 0 ? NULL : memchr(data, '\0', size);
    const size_t length = end == NULL ? size : (size_t) (end - data);
    const uint8_t *rest = end == NULL ? data + size : end + 1;
    const size_t left = size - (size_t) (rest - data);

    if (left > 0 && rest[0] == '\0') {
        read_text(data, length, rest + 1, left - 1);
        return 0;
    }
    FUZZ_REQUIRE(count(data, length, rest, left, left + 1) == count(data, length, rest, left, 3));
    return 0;
}
