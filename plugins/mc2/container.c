/* SPDX-License-Identifier: Apache-2.0 */
/* Parses chunks of fixed size and passes on their valid bytes. Tested by
 * tests/plugins/mc2/test_words.c. */
#include "container.h"

#include <opprof/kit/bytes.h>

#include <string.h>

typedef struct Head {
    uint32_t core;
    uint32_t type;
    uint32_t valid;
    bool is_good;
} Head;

static Head read_head(const ContainerReader *reader)
{
    OpprofByteReader bytes = OpprofByteReaderInit(reader->head, CONTAINER_HEAD_BYTES);
    Head head = { .core = OpprofByteReaderU16(&bytes) };

    head.type = OpprofByteReaderU16(&bytes);
    head.valid = OpprofByteReaderU32(&bytes);
    head.is_good = head.core < reader->cores && head.type < CONTAINER_CORE_TYPES &&
                   head.valid <= CONTAINER_DATA_BYTES;
    return head;
}

/* The current chunk is skipped. */
static void count_bad(ContainerReader *reader)
{
    const uint64_t at =
        (reader->chunks - 1) * (uint64_t) (CONTAINER_HEAD_BYTES + CONTAINER_DATA_BYTES);

    reader->bad_at = reader->bad == 0 ? at : reader->bad_at;
    reader->bad++;
    if (reader->on_bad != NULL) {
        reader->on_bad(reader->context, at, reader->head);
    }
}

static void begin_chunk(ContainerReader *reader)
{
    reader->chunks++;
    reader->is_lost = false;
    if (!read_head(reader).is_good) {
        count_bad(reader);
    }
}

/* A chunk without valid bytes is not written, unless it is empty throughout: the head was lost. */
static void find_lost_head(ContainerReader *reader, const unsigned char *bytes, size_t length)
{
    for (size_t i = 0; !reader->is_lost && i < length; i++) {
        reader->is_lost = bytes[i] != 0;
        if (reader->is_lost) {
            count_bad(reader);
        }
    }
}

static size_t take_head(ContainerReader *reader, const unsigned char *bytes, size_t length)
{
    const size_t wanted = CONTAINER_HEAD_BYTES - reader->have;
    const size_t taken = length < wanted ? length : wanted;

    memcpy(reader->head + reader->have, bytes, taken);
    reader->have += (uint32_t) taken;
    if (reader->have == CONTAINER_HEAD_BYTES) {
        begin_chunk(reader);
    }
    return taken;
}

bool ContainerFeed(ContainerReader *reader, const unsigned char *bytes, size_t length,
                   ContainerTake *take, void *context)
{
    while (length > 0) {
        if (reader->have < CONTAINER_HEAD_BYTES) {
            const size_t taken = take_head(reader, bytes, length);
            bytes += taken;
            length -= taken;
            continue;
        }
        const Head head = read_head(reader);
        const size_t left = CONTAINER_DATA_BYTES - reader->data_at;
        const size_t taken = length < left ? length : left;
        const size_t valid = head.valid > reader->data_at ? head.valid - reader->data_at : 0;
        const size_t given = taken < valid ? taken : valid;
        if (head.is_good && given > 0 && !take(context, head.core, head.type, bytes, given)) {
            return false;
        }
        if (head.is_good && head.valid == 0) {
            find_lost_head(reader, bytes, taken);
        }
        bytes += taken;
        length -= taken;
        reader->data_at += (uint32_t) taken;
        if (reader->data_at == CONTAINER_DATA_BYTES) {
            reader->data_at = 0;
            reader->have = 0;
        }
    }
    return true;
}

uint64_t ContainerRest(const ContainerReader *reader)
{
    return reader->have + reader->data_at;
}
