/* SPDX-License-Identifier: Apache-2.0 */
/* Prints log records as lines of dump files. Tested by tests/plugins/collect-sim/test_live_parts.c. */
#include "line.h"
#include <opprof/text.h>
#include <stdio.h>
#include <string.h>

static const char *const sub_cores[LIVE_SUB_CORES] = { "cubecore0", "veccore0", "veccore1" };

void LiveCorePrefix(const SimFacts *facts, const OpprofLiveRecord *record, char *text, size_t room)
{
    if (facts->has_sub_cores) {
        snprintf(text, room, "core%u.%s.", (unsigned) record->core, sub_cores[record->sub_core]);
    } else {
        snprintf(text, room, "core%u.", (unsigned) record->core);
    }
}

uint32_t LiveSubCore(const SimFacts *facts, const OpprofLiveRecord *record)
{
    return facts->has_sub_cores ? record->sub_core : 0;
}

typedef struct Line {
    char *at;
    char *end; /* the last byte, which stays free for the NUL */
    bool is_short;
} Line;

static bool reserve(Line *line, size_t length)
{
    line->is_short = line->is_short || (size_t) (line->end - line->at) < length;
    return !line->is_short;
}

static void put(Line *line, const char *text, size_t length)
{
    if (reserve(line, length)) {
        memcpy(line->at, text, length);
        line->at += length;
    }
}

#define PUT(line, literal) put((line), (literal), sizeof(literal) - 1)

#define TOGETHER 16u /* bytes */

typedef unsigned char Bytes __attribute__((vector_size(TOGETHER), aligned(1), may_alias));
typedef uint64_t Halves __attribute__((vector_size(TOGETHER), may_alias));

/* Copies bytes, and has a bit set for one that is below a blank, or 127. */
static inline Halves copy_together(char *to, const char *from)
{
    const Bytes bytes = *(const Bytes *) (const void *) from;

    *(Bytes *) (void *) to = bytes;
    return (Halves) ((bytes < ' ') | (bytes == 127));
}

static void replace_controls(char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        const unsigned char c = (unsigned char) text[i];

        text[i] = c < ' ' || c == 127 ? '?' : (char) c;
    }
}

/* Text from outside: nothing that could end the line. */
static void put_text(Line *line, const char *text, size_t length)
{
    Halves controls = { 0, 0 };

    if (!reserve(line, length)) {
        return;
    }
    if (length < TOGETHER) {
        memcpy(line->at, text, length);
        replace_controls(line->at, length);
        line->at += length;
        return;
    }
    for (size_t at = 0; at + TOGETHER <= length; at += TOGETHER) {
        controls |= copy_together(line->at + at, text + at);
    }
    controls |= copy_together(line->at + length - TOGETHER, text + length - TOGETHER);
    if ((controls[0] | controls[1]) != 0) {
        replace_controls(line->at, length);
    }
    line->at += length;
}

/* With leading zeros up to `digits`. */
static void put_decimal(Line *line, uint64_t value, unsigned digits)
{
    char text[OPPROF_TEXT_NUMBER];
    const size_t length = (size_t) (OpprofTextPutU64(text, value) - text);

    for (size_t zeros = length; zeros < digits; zeros++) {
        PUT(line, "0");
    }
    put(line, text, length);
}

/* Eight digits, or as many more as it takes. */
static void put_hex8(Line *line, uint64_t value, const char *digits)
{
    char text[16];
    unsigned at = sizeof text;

    for (; at > 8 || value != 0; value >>= 4) {
        text[--at] = digits[value & 15];
    }
    put(line, text + at, sizeof text - at);
}

#define LOWER "0123456789abcdef"
#define UPPER "0123456789ABCDEF"

static void put_instr(Line *line, const OpprofLiveRecord *record, const char *first,
                      const char *second)
{
    PUT(line, "[info] [");
    put_decimal(line, record->time, 8);
    PUT(line, "] ");
    put_text(line, first, record->first_length);
    if (record->second_length > 0) {
        PUT(line, "  ");
        put_text(line, second, record->second_length);
    }
}

/* Without leading zeros, as the address of a memory request is printed. */
static void put_hex(Line *line, uint64_t value)
{
    char text[16];
    unsigned at = sizeof text;

    do {
        text[--at] = LOWER[value & 15];
        value >>= 4;
    } while (value != 0);
    put(line, text + at, sizeof text - at);
}

static void put_mte(Line *line, const OpprofLiveRecord *record, const char *first,
                    const char *second)
{
    PUT(line, "[info] ");
    put_decimal(line, record->time, 0);
    PUT(line, ": ");
    put_text(line, first, record->first_length);
    PUT(line, " ");
    put_text(line, second, record->second_length);
    PUT(line, ", addr: 0x");
    put_hex(line, record->address);
    PUT(line, ", size: ");
    put_decimal(line, record->size, 0);
    PUT(line, ", instr_id: ");
    put_decimal(line, record->id, 0);
    PUT(line, ", req_id: ");
    put_decimal(line, record->request, 0);
}

/* In the first form of the chip's file, whose fields stand in '<' and '>'; nothing if it has none. */
static void put_form(Line *line, const SimForms *forms, const OpprofLiveRecord *record)
{
    const char *form = forms->count == 0 ? "" : OpprofFormText(forms->forms[0]);
    /* Then ticks have leading zeros, as in all logs of that form. */
    const unsigned tick_digits = strncmp(form, "[<tick>", 7) == 0 ? 8 : 0;
    unsigned numbers = 0;

    line->is_short = line->is_short || *form == '\0';
    while (*form != '\0') {
        const size_t plain = strcspn(form, "<");
        const size_t field = strcspn(form + plain, ">");

        put_text(line, form, plain);
        form += plain;
        if (*form == '\0') {
            break;
        }
        if (strncmp(form, "<tick>", field + 1) == 0) {
            put_decimal(line, record->time, tick_digits);
        } else if (strncmp(form, "<pc>", field + 1) == 0) {
            PUT(line, "0x");
            put_hex8(line, record->address, LOWER);
        } else if (strncmp(form, "<hex8>", field + 1) == 0) {
            put_hex8(line, (uint32_t) record->size, UPPER);
        } else if (strncmp(form, "<digits>", field + 1) == 0) {
            put_decimal(line, numbers++ == 0 ? record->request % 1000 : record->is_last, 0);
        }
        form += field + (form[field] == '>');
    }
}

static void put_record(Line *line, const SimFacts *facts, const OpprofLiveRecord *record,
                       const char *first, const char *second)
{
    switch (record->type) {
    case OPPROF_LIVE_POPPED:
    case OPPROF_LIVE_INSTR:
        put_instr(line, record, first, second);
        break;
    case OPPROF_LIVE_MTE:
        put_mte(line, record, first, second);
        break;
    case OPPROF_LIVE_MISS:
        PUT(line, "[info] ");
        put_form(line, &facts->misses, record);
        break;
    case OPPROF_LIVE_FETCH:
        put_form(line, &facts->fetches, record);
        break;
    default:
        put_form(line, &facts->issues, record);
        break;
    }
}

size_t LiveLine(const SimFacts *facts, const OpprofLiveRecord *record, const char *first,
                const char *second, char *text, size_t room)
{
    Line line = { .at = text, .end = text + room - 1 };

    if (room == 0) {
        return 0;
    }
    put_record(&line, facts, record, first, second);
    PUT(&line, "\n");
    *line.at = '\0';
    return line.is_short ? 0 : (size_t) (line.at - text);
}
