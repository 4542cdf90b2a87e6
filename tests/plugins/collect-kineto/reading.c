/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a trace from memory or a file for the tests of the readers. */
#include "reading.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static void load(Vocabulary *vocabulary)
{
    if (vocabulary->category_count == 0) {
        ck_assert_int_eq(VocabularyLoad(NULL, vocabulary, NULL), OPPROF_OK);
        ck_assert_int_eq(VocabularySettle(vocabulary, NULL), OPPROF_OK);
    }
}

const Vocabulary *OwnVocabulary(void)
{
    static Vocabulary vocabulary;

    load(&vocabulary);
    return &vocabulary;
}

static Read read_with(const Vocabulary *vocabulary, const void *bytes, size_t size,
                      bool exclude_last_step)
{
    /* A copy without a byte to spare, so that sanitizers see every read after the end. */
    char *copy = malloc(size + (size == 0));
    Read read = { .status = OPPROF_OK };
    TraceReader *reader;
    const TraceEvent *event = NULL;
    Source *source;

    ck_assert_ptr_nonnull(copy);
    memcpy(copy, bytes, size);
    source = SourceOpenMemory(copy, size);
    ck_assert_ptr_nonnull(source);
    reader = TraceReaderCreate(source, vocabulary);
    ck_assert_ptr_nonnull(reader);
    ck_assert(RankTraceInit(&read.trace, vocabulary));
    while (read.status == OPPROF_OK || read.status == OPPROF_AGAIN) {
        read.status = TraceReaderNext(reader, &event, &read.error);
        ck_assert(read.status != OPPROF_OK || RankTraceAdd(&read.trace, event));
    }
    TraceReaderGetFacts(reader, &read.facts);
    ck_assert(RankTraceClose(&read.trace));
    ck_assert(LinkTrace(&read.trace, exclude_last_step, &read.linked));
    TraceReaderDestroy(reader);
    read.source = source;
    read.copy = copy;
    return read;
}

Read ReadBytes(const void *bytes, size_t size, bool exclude_last_step)
{
    return read_with(OwnVocabulary(), bytes, size, exclude_last_step);
}

Read ReadHost(const void *bytes, size_t size)
{
    static Vocabulary vocabulary;

    load(&vocabulary);
    vocabulary.reads_host = true;
    return read_with(&vocabulary, bytes, size, false);
}

Read ReadText(const char *text)
{
    return ReadBytes(text, strlen(text), false);
}

Read ReadEvents(const char *const *events, bool exclude_last_step)
{
    char text[8192] = "[";
    size_t length = 1;

    for (size_t i = 0; events[i] != NULL; i++) {
        ck_assert_uint_lt(length + strlen(events[i]) + 2, sizeof text);
        memcpy(text + length, events[i], strlen(events[i]));
        length += strlen(events[i]);
    }
    text[length++] = ']';
    return ReadBytes(text, length, exclude_last_step);
}

void ReadFinish(Read *read)
{
    OpprofErrorDestroy(read->error);
    LinkedTraceFinish(&read->linked);
    RankTraceFinish(&read->trace);
    SourceClose(read->source);
    free(read->copy);
}

static uint32_t crc_of(const unsigned char *bytes, size_t size)
{
    uint32_t crc = UINT32_MAX;

    for (size_t i = 0; i < size; i++) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; bit++) {
            crc = crc >> 1 ^ (crc & 1 ? UINT32_C(0xedb88320) : 0);
        }
    }
    return ~crc;
}

static unsigned char *put_u32(unsigned char *out, uint32_t value)
{
    for (int i = 0; i < 4; i++) {
        *out++ = (unsigned char) (value >> 8 * i);
    }
    return out;
}

unsigned char *GzipStored(const void *bytes, size_t size, size_t *ret_size)
{
    static const unsigned char header[10] = { 0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3 };
    const unsigned char *from = bytes;
    unsigned char *result = malloc(size + size / 0xffff * 5 + 64);
    unsigned char *out = result;
    size_t left = size;

    ck_assert_ptr_nonnull(result);
    memcpy(out, header, sizeof header);
    out += sizeof header;
    do {
        const size_t block = left < 0xffff ? left : 0xffff;

        *out++ = block == left; /* the last one */
        out = put_u32(out, (uint32_t) block | (uint32_t) (block ^ 0xffff) << 16);
        memcpy(out, from, block);
        out += block;
        from += block;
        left -= block;
    } while (left > 0);
    out = put_u32(out, crc_of(bytes, size));
    out = put_u32(out, (uint32_t) size);
    *ret_size = (size_t) (out - result);
    return result;
}
