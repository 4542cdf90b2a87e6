/* SPDX-License-Identifier: Apache-2.0 */
/* The run's string table: insertion takes a lock, reading is wait-free. */
#include "base/strings.h"

#include <opprof/intern.h>

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Of all texts together: a broken input must not fill the memory. */
#define MAX_BYTES (UINT64_C(256) << 20)
#define BLOCK_BYTES (64u << 10)

typedef struct Text {
    uint32_t length;
    char text[]; /* NUL after it */
} Text;

/* Texts lie in blocks one after another; a large one has a block of its own. */
typedef struct Block {
    struct Block *next;
    size_t used;
    size_t size;
    _Alignas(Text) char data[];
} Block;

typedef struct TextKey {
    const char *text;
    size_t length;
} TextKey;

struct StringTable {
    OpprofIntern *intern;
    /* Guards additions to intern, and the members below. */
    pthread_mutex_t lock;
    Block *blocks;
    uint64_t bytes;
};

static bool text_equals(const void *item, const void *key)
{
    const Text *text = item;
    const TextKey *wanted = key;

    return text->length == wanted->length && memcmp(text->text, wanted->text, wanted->length) == 0;
}

StringTable *StringTableCreate(void)
{
    StringTable *table = calloc(1, sizeof *table);

    if (table == NULL) {
        return NULL;
    }
    pthread_mutex_init(&table->lock, NULL);
    table->intern = OpprofInternCreate(STRING_TABLE_MAX, text_equals);
    if (table->intern == NULL || StringTableIntern(table, "", 0) == 0) {
        StringTableDestroy(table);
        return NULL;
    }
    return table;
}

void StringTableDestroy(StringTable *table)
{
    if (table == NULL) {
        return;
    }
    while (table->blocks != NULL) {
        Block *next = table->blocks->next;
        free(table->blocks);
        table->blocks = next;
    }
    OpprofInternDestroy(table->intern);
    pthread_mutex_destroy(&table->lock);
    free(table);
}

/* A block of its own goes after the head, which keeps filling up. */
static Block *add_block(StringTable *table, size_t size, bool own)
{
    Block *block = malloc(sizeof *block + size);

    if (block == NULL) {
        return NULL;
    }
    Block **place = own && table->blocks != NULL ? &table->blocks->next : &table->blocks;
    block->used = 0;
    block->size = size;
    block->next = *place;
    *place = block;
    return block;
}

static Text *copy_text(StringTable *table, const TextKey *key)
{
    const size_t exact = sizeof(Text) + key->length + 1;
    const size_t need = (exact + sizeof(Text) - 1) / sizeof(Text) * sizeof(Text);
    Block *block = table->blocks;

    if (block == NULL || need > block->size - block->used) {
        const bool own = need > BLOCK_BYTES / 4; /* so that at most a quarter of a block is lost */
        block = add_block(table, own ? need : BLOCK_BYTES, own);
        if (block == NULL) {
            return NULL;
        }
    }
    void *place = block->data + block->used;
    Text *text = place;
    block->used += need;
    text->length = (uint32_t) key->length;
    if (key->length > 0) {
        memcpy(text->text, key->text, key->length);
    }
    text->text[key->length] = '\0';
    return text;
}

/* Under the lock: another thread may have been first. */
static uint32_t find_or_add(StringTable *table, uint64_t hash, const TextKey *key)
{
    uint32_t index = OpprofInternFind(table->intern, hash, key);

    if (index != OPPROF_INTERN_NONE) {
        return index;
    }
    if (OpprofInternCount(table->intern) >= STRING_TABLE_MAX ||
        table->bytes + key->length + 1 > MAX_BYTES) {
        return OPPROF_INTERN_NONE;
    }
    const Text *text = copy_text(table, key);
    if (text == NULL) {
        return OPPROF_INTERN_NONE;
    }
    table->bytes += key->length + 1;
    return OpprofInternAdd(table->intern, hash, text);
}

uint32_t StringTableIntern(StringTable *table, const char *text, size_t length)
{
    const TextKey key = { .text = text == NULL ? "" : text, .length = length };

    if ((text == NULL && length > 0) || length >= MAX_BYTES) {
        return 0;
    }
    const uint64_t hash = OpprofInternHash(OpprofInternSeed(table->intern), key.text, length);
    uint32_t index = OpprofInternFind(table->intern, hash, &key);
    if (index == OPPROF_INTERN_NONE) {
        pthread_mutex_lock(&table->lock);
        index = find_or_add(table, hash, &key);
        pthread_mutex_unlock(&table->lock);
    }
    return index == OPPROF_INTERN_NONE ? 0 : index + 1;
}

const char *StringTableGet(const StringTable *table, uint32_t id, size_t *ret_length)
{
    const Text *text = id == 0 ? NULL : OpprofInternGet(table->intern, id - 1);

    if (ret_length != NULL) {
        *ret_length = text == NULL ? 0 : text->length;
    }
    return text == NULL ? "" : text->text;
}
