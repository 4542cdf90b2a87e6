/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Interns names of kernels, calls and streams. Tested by
 * tests/plugins/collect-kineto/test_vocabulary.
 */
#include "names.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_SLOTS 256u

/* Eight bytes at a time: kernel names are long. */
static uint32_t hash_of(NameKind kind, const char *text, size_t length)
{
    const uint64_t factor = UINT64_C(0x9e3779b97f4a7c15);
    uint64_t hash = (uint64_t) kind + length * factor;
    uint64_t word;

    for (; length >= sizeof word; length -= sizeof word, text += sizeof word) {
        memcpy(&word, text, sizeof word);
        hash = (hash ^ word) * factor;
        hash ^= hash >> 29;
    }
    word = 0;
    memcpy(&word, text, length);
    hash = (hash ^ word) * factor;
    return (uint32_t) (hash >> 32);
}

static uint8_t meaning_of(const Vocabulary *vocabulary, NameKind kind, const char *text,
                          size_t length)
{
    switch (kind) {
    case NAME_WORK:
        return (uint8_t) VocabularyKernelClass(vocabulary, text, length);
    case NAME_CALL:
        return (uint8_t) VocabularyCallKind(vocabulary, text, length);
    case NAME_STEP:
        return VocabularyIsStep(vocabulary, text, length);
    case NAME_TEXT:
    case NAME_KINDS:
    default:
        return 0;
    }
}

/* The slot of the name, or the free one where it belongs. */
static uint32_t *find_slot(const Names *names, NameKind kind, const char *text, size_t length,
                           uint32_t hash)
{
    for (uint32_t at = hash;; at++) {
        uint32_t *slot = &names->slots[at & (names->slot_count - 1)];
        const Name *name;

        if (*slot == 0) {
            return slot;
        }
        name = NamesAt(names, *slot - 1);
        if (name->hash == hash && name->length == length && name->kind == kind &&
            memcmp(name->text, text, length) == 0) {
            return slot;
        }
    }
}

static bool grow(Names *names)
{
    const uint32_t count = names->slot_count == 0 ? FIRST_SLOTS : names->slot_count * 2;
    uint32_t *slots = calloc(count, sizeof *slots);

    if (slots == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < names->list.count; i++) {
        uint32_t at = NamesAt(names, i)->hash;

        while (slots[at & (count - 1)] != 0) {
            at++;
        }
        slots[at & (count - 1)] = i + 1;
    }
    free(names->slots);
    names->slots = slots;
    names->slot_count = count;
    return true;
}

/* Appends without looking for it. UINT32_MAX without memory. */
static uint32_t append(Names *names, Name name)
{
    char *copy = malloc((size_t) name.length + 1);
    Name *entry;

    if (copy == NULL) {
        return UINT32_MAX;
    }
    entry = ChunksAppend(&names->list);
    if (entry == NULL) {
        free(copy);
        return UINT32_MAX;
    }
    memcpy(copy, name.text, name.length);
    copy[name.length] = '\0';
    *entry = name;
    entry->text = copy;
    names->bytes += name.length + sizeof(Name) + 2 * sizeof(uint32_t);
    return names->list.count - 1;
}

bool NamesInit(Names *names)
{
    *names = (Names){ .list = ChunksOf(sizeof(Name)) };
    names->scratch = malloc(NAME_BYTES_MAX);
    if (names->scratch == NULL ||
        append(names, (Name){ .text = NAMES_OTHER,
                              .length = sizeof NAMES_OTHER - 1,
                              .hash = hash_of(NAME_KINDS, NAMES_OTHER, sizeof NAMES_OTHER - 1),
                              .kind = NAME_KINDS }) == UINT32_MAX ||
        !grow(names)) {
        NamesFinish(names);
        return false;
    }
    return true;
}

void NamesFinish(Names *names)
{
    for (uint32_t i = 0; i < names->list.count; i++) {
        Name *name = ChunksAt(&names->list, i);

        free((char *) (uintptr_t) name->text);
    }
    ChunksFree(&names->list);
    free(names->slots);
    free(names->scratch);
    *names = (Names){ .list = ChunksOf(sizeof(Name)) };
}

static uint32_t add(Names *names, Name name)
{
    uint32_t index;

    if (name.kind != NAME_WORK && names->bytes + name.length > NAMES_BYTES_MAX / 2) {
        return 0; /* work is what names are shown of */
    }
    if (names->bytes + name.length > NAMES_BYTES_MAX) {
        names->is_full = true;
        return 0;
    }
    if ((names->list.count + 1) * 2 > names->slot_count && !grow(names)) {
        return UINT32_MAX;
    }
    index = append(names, name);
    if (index != UINT32_MAX) {
        *find_slot(names, (NameKind) name.kind, name.text, name.length, name.hash) = index + 1;
    }
    return index;
}

uint32_t NamesGet(Names *names, const Vocabulary *vocabulary, NameKind kind, JsonText text,
                  uint8_t *ret_meaning)
{
    Name name = { .text = text.text, .kind = (uint8_t) kind };
    uint32_t slot;

    text.length = text.length < NAME_BYTES_MAX ? text.length : NAME_BYTES_MAX;
    name.length = text.length;
    if (text.has_escape) {
        name.length = (uint32_t) JsonTextDecode(text, names->scratch);
        name.text = names->scratch;
    }
    name.hash = hash_of(kind, name.text, name.length);
    slot = *find_slot(names, kind, name.text, name.length, name.hash);
    if (slot != 0) {
        *ret_meaning = NamesAt(names, slot - 1)->meaning;
        return slot - 1;
    }
    name.meaning = meaning_of(vocabulary, kind, name.text, name.length);
    *ret_meaning = name.meaning;
    if (kind == NAME_STEP && name.meaning == 0) {
        return 0; /* annotations may be worded anew each time */
    }
    return add(names, name);
}
