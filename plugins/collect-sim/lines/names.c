/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Interns names and pipes of instructions, each once. Tested by
 * tests/plugins/collect-sim/test_pairing.c.
 */
#include "names.h"
#include <opprof/grow.h>
#include <stdlib.h>
#include <string.h>

/* Up to 8 bytes as a number; bytes after them are readable and ignored. */
static inline uint64_t load_bytes(const char *at, size_t length)
{
    uint64_t bytes;

    memcpy(&bytes, at, sizeof bytes);
    if (length >= 8) {
        return bytes;
    }
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return length == 0 ? 0 : bytes >> (64 - 8 * length);
#else
    return bytes & ((UINT64_C(1) << (8 * length)) - 1);
#endif
}

static inline void load_words(const SimLine *line, uint64_t words[3])
{
    words[0] = load_bytes(line->pipe, line->pipe_length);
    words[1] = load_bytes(line->name, line->name_length);
    words[2] = line->name_length > 8 ? load_bytes(line->name + 8, line->name_length - 8) : 0;
}

static inline uint64_t hash_words(const uint64_t words[3])
{
    return words[0] * UINT64_C(0x9e3779b97f4a7c15) + words[1] * UINT64_C(0xc2b2ae3d27d4eb4f) +
           words[2] * UINT64_C(0x165667b19e3779f9);
}

/* Texts with NULs differ from shorter ones by their lengths. */
static inline bool is_entry_of(const Names *names, const NamesEntry *entry, const SimLine *line,
                               const uint64_t words[3])
{
    const char *text = names->texts + entry->text;

    if (entry->words[0] != words[0] || entry->words[1] != words[1] || entry->words[2] != words[2] ||
        entry->pipe_length != line->pipe_length || entry->name_length != line->name_length) {
        return false;
    }
    return (line->pipe_length <= 8 && line->name_length <= 16) ||
           (memcmp(text, line->pipe, line->pipe_length) == 0 &&
            memcmp(text + entry->pipe_length, line->name, line->name_length) == 0);
}

static bool keep_texts(Names *names, const SimLine *line)
{
    const size_t needed = names->texts_used + line->pipe_length + line->name_length + 1;

    if (!OpprofGrow(&names->texts, &names->texts_capacity, needed, 1)) {
        return false;
    }
    memcpy(names->texts + names->texts_used, line->pipe, line->pipe_length);
    memcpy(names->texts + names->texts_used + line->pipe_length, line->name, line->name_length);
    return true;
}

static const NamesEntry *add(Names *names, const SimLine *line, const uint64_t words[3])
{
    size_t pipe_length;
    const char *pipe = SimPipesFind(&names->pipes, line, &pipe_length);
    const uint64_t hash = hash_words(words);
    NamesEntry entry = { .words = { words[0], words[1], words[2] },
                         .text = names->texts_used,
                         .pipe_length = line->pipe_length,
                         .name_length = line->name_length,
                         .next = OpprofMapFind(&names->places, hash) };

    entry.pipe = names->intern(names->context, pipe, pipe_length);
    entry.name = names->intern(names->context, line->name, line->name_length);
    if (entry.pipe == 0 || entry.name == 0 || !keep_texts(names, line) ||
        !OpprofGrow32(&names->entries, &names->capacity, (size_t) names->count + 1,
                      sizeof *names->entries) ||
        !OpprofMapPut(&names->places, hash, names->count)) {
        return NULL;
    }
    names->texts_used += (size_t) line->pipe_length + line->name_length;
    names->entries[names->count] = entry;
    return &names->entries[names->count++];
}

/* Where among the recent entries. The map is seeded, so these may collide at will. */
static inline uint32_t recent_of(const uint64_t words[3])
{
    return (uint32_t) (((words[0] + words[1] * 3 + words[2] * 5) * UINT64_C(0x9e3779b97f4a7c15)) >>
                       (64 - NAMES_RECENT_BITS));
}

/* Not one of the recent entries. Apart, so that those cost no stack frame. */
static __attribute__((noinline)) const NamesEntry *look_up(Names *names, const SimLine *line,
                                                           const uint64_t words[3])
{
    uint32_t place = OpprofMapFind(&names->places, hash_words(words));
    const NamesEntry *entry;

    while (place != OPPROF_MAP_NONE && !is_entry_of(names, &names->entries[place], line, words)) {
        place = names->entries[place].next;
    }
    entry = place == OPPROF_MAP_NONE ? add(names, line, words) : &names->entries[place];
    if (entry != NULL) {
        names->recent[recent_of(words)] = (uint32_t) (entry - names->entries);
    }
    return entry;
}

const NamesEntry *NamesLookUp(Names *names, const SimLine *line)
{
    uint64_t words[3];
    uint32_t place;

    load_words(line, words);
    place = names->recent[recent_of(words)];
    return place < names->count && is_entry_of(names, &names->entries[place], line, words)
               ? &names->entries[place]
               : look_up(names, line, words);
}

void NamesFinish(Names *names)
{
    free(names->entries);
    free(names->texts);
    OpprofMapFinish(&names->places);
    *names = (Names){ .intern = names->intern, .context = names->context, .pipes = names->pipes };
}
