/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Turns words into times. A stamp sets the time, every word of data advances it, fillers do
 * neither. Tested by tests/plugins/mc2/test_words.c.
 */
#include "word_stream.h"

#include <opprof/kit/bytes.h>

#include <string.h>

#define FILLER 0xddddddddu
#define END_FLAG 0xefffffffu
#define STAMP_WORDS 4u
#define WORD_BYTES 4u

void WordStreamInit(WordStream *stream, const BiuFacts *facts, uint64_t core_hz)
{
    *stream = (WordStream){ .facts = facts, .core_hz = core_hz, .block = WORD_NO_BLOCK };
}

static uint64_t to_cycles(const WordStream *stream, uint64_t counter)
{
    const uint64_t hz = stream->facts->counter_hz;

    if (hz == stream->core_hz) {
        return counter;
    }
    return (uint64_t) (((unsigned __int128) counter * stream->core_hz + hz / 2) / hz);
}

/* After a stamp that was cut short the time is unknown until the next one. */
static void break_stamp(WordStream *stream)
{
    stream->counts.broken++;
    stream->stamp_words = 0;
    stream->is_lost = true;
}

static void take_stamp(WordStream *stream, uint32_t word)
{
    const uint32_t at = stream->stamp_words++;

    if (at == 0) {
        stream->stamp = 0;
        stream->stamp_block = 0;
    }
    stream->stamp |= (uint64_t) (word & 0xffff) << (16 * at);
    if (at < 2) {
        stream->stamp_block |= (word >> 16 & 0xff) << (8 * at);
    }
    if (stream->stamp_words == STAMP_WORDS) {
        stream->counts.earlier += stream->last_stamp != 0 && stream->stamp <= stream->last_stamp;
        stream->last_stamp = stream->stamp;
        stream->time = to_cycles(stream, stream->stamp);
        stream->block = stream->stamp_block;
        stream->stamp_words = 0;
        stream->is_lost = false;
        stream->counts.stamps++;
    }
}

/* True if the word has content. */
static inline bool take_word(WordStream *stream, uint32_t word, Word *out)
{
    const uint32_t code = word >> 28;
    const uint8_t control = stream->facts->controls[code];

    stream->counts.words++;
    if (word == FILLER || word == END_FLAG) {
        stream->counts.fillers++;
        return false;
    }
    stream->counts.codes[code]++;
    if (control == BIU_CONTROL_STAMP) {
        take_stamp(stream, word);
        return false;
    }
    if (stream->stamp_words > 0) {
        break_stamp(stream);
    }
    if (stream->is_lost) {
        stream->counts.lost++;
        return false;
    }
    stream->time += word & 0xffff;
    out->time = stream->time;
    out->block = stream->block;
    out->payload = (uint16_t) (word >> 16 & 0xfff);
    out->control = control;
    out->code = (uint8_t) code;
    return control != BIU_CONTROL_TIME;
}

/* As take_word, for the four bytes that end at `end` in the piece. */
static inline bool take_bytes(WordStream *stream, const unsigned char *bytes,
                              const unsigned char *end, Word *out)
{
    const uint64_t lost = stream->counts.lost;
    const bool has_meaning = take_word(stream, OpprofLoadLe32(bytes), out);

    if (stream->counts.lost != lost && stream->on_lost != NULL) {
        stream->on_lost(stream->context, bytes, end);
    }
    return has_meaning;
}

size_t WordStreamDecode(WordStream *stream, const unsigned char **at, const unsigned char *end,
                        Word *out, size_t room)
{
    const unsigned char *from = *at;
    size_t count = 0;

    while (stream->have > 0 && from < end && count < room) {
        stream->carry[stream->have++] = *from++;
        if (stream->have == WORD_BYTES) {
            stream->have = 0;
            count += take_bytes(stream, stream->carry, from, &out[count]);
        }
    }
    while (count < room && (size_t) (end - from) >= WORD_BYTES) {
        count += take_bytes(stream, from, from + WORD_BYTES, &out[count]);
        from += WORD_BYTES;
    }
    while (count < room && from < end) {
        stream->carry[stream->have++] = *from++;
    }
    *at = from;
    return count;
}

void WordStreamEnd(WordStream *stream)
{
    if (stream->stamp_words > 0) {
        break_stamp(stream);
    }
}
