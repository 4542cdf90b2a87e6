/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Interns names of kernels, calls and streams. Tested by
 * tests/plugins/collect-kineto/test_vocabulary.
 */
#include "collect-kineto/rank/names.h"

#include <stdlib.h>
#include <string.h>

static uint16_t meaning_of(const Vocabulary *vocabulary, NameKind kind, const char *text,
                           size_t length)
{
    switch (kind) {
    case NAME_WORK:
        return (uint16_t) VocabularyKernelClass(vocabulary, text, length);
    case NAME_CALL:
        return (uint16_t) VocabularyCallKind(vocabulary, text, length) |
               VocabularyCallTraits(vocabulary, text, length);
    case NAME_STEP:
        return VocabularyIsStep(vocabulary, text, length);
    case NAME_TEXT:
    case NAME_KINDS:
    default:
        return 0;
    }
}

bool NamesInit(Names *names)
{
    Name *other;

    *names = (Names){ .list = ChunksOf(sizeof(Name)) };
    names->scratch = malloc(NAME_BYTES_MAX);
    other = ChunksAppend(&names->list);
    if (names->scratch == NULL || other == NULL) {
        NamesFinish(names);
        return false;
    }
    *other = (Name){ .text = NAMES_OTHER, .length = sizeof NAMES_OTHER - 1, .kind = NAME_KINDS };
    return true;
}

void NamesFinish(Names *names)
{
    for (size_t kind = 0; kind < NAME_KINDS; kind++) {
        OpprofTextMapFinish(&names->places[kind]);
    }
    ChunksFinish(&names->list);
    free(names->scratch);
    *names = (Names){ .list = ChunksOf(sizeof(Name)) };
}

static uint32_t add(Names *names, Name name)
{
    const uint32_t index = names->list.count;
    Name *entry;

    if (name.kind != NAME_WORK && names->bytes + name.length > NAMES_BYTES_MAX / 2) {
        return 0; /* work is what names are shown of */
    }
    if (names->bytes + name.length > NAMES_BYTES_MAX) {
        names->is_full = true;
        return 0;
    }
    if (!OpprofTextMapPut(&names->places[name.kind], name.text, name.length, index, &name.text)) {
        return UINT32_MAX;
    }
    entry = ChunksAppend(&names->list);
    if (entry == NULL) {
        return UINT32_MAX; /* the caller gives up: the name is never looked up again */
    }
    *entry = name;
    names->bytes += name.length + sizeof(Name) + 2 * sizeof(OpprofTextMapSlot);
    return index;
}

/* A name's place among the recent ones. */
static uint32_t *recent_place(Names *names, const Name *name)
{
    uint64_t end = 0;

    if (name->length >= sizeof end) {
        memcpy(&end, name->text + name->length - sizeof end, sizeof end);
    }
    end = (end ^ name->length << 2 ^ name->kind) * UINT64_C(0x9e3779b97f4a7c15);
    return &names->recent[(end >> 32) % NAMES_RECENT];
}

/* Most names come again soon. Index of the name if it is the recent one of its place, 0 if it is
 * not. */
static uint32_t find_recent(const Names *names, uint32_t index, const Name *name)
{
    const Name *found = NamesAt(names, index);

    return found->length == name->length && found->kind == name->kind &&
                   memcmp(found->text, name->text, name->length) == 0
               ? index
               : 0;
}

uint32_t NamesGet(Names *names, const Vocabulary *vocabulary, NameKind kind, JsonText text,
                  uint16_t *ret_meaning)
{
    Name name = { .text = text.text, .kind = (uint8_t) kind };
    uint32_t *recent;
    uint32_t place;

    text.length = text.length < NAME_BYTES_MAX ? text.length : NAME_BYTES_MAX;
    name.length = text.length;
    if (text.has_escape) {
        name.length = (uint32_t) JsonTextDecode(text, names->scratch);
        name.text = names->scratch;
    }
    recent = recent_place(names, &name);
    place = find_recent(names, *recent, &name);
    if (place == 0) {
        place = OpprofTextMapFind(&names->places[kind], name.text, name.length);
    }
    if (place != OPPROF_MAP_NONE) {
        *recent = place;
        *ret_meaning = NamesAt(names, place)->meaning;
        return place;
    }
    name.meaning = meaning_of(vocabulary, kind, name.text, name.length);
    *ret_meaning = name.meaning;
    if (kind == NAME_STEP && name.meaning == 0) {
        return 0; /* the texts of annotations may always be new */
    }
    return add(names, name);
}
