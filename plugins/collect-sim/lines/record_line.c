/* SPDX-License-Identifier: Apache-2.0 */
/* Prints log records as lines of dump files. Tested by
 * tests/plugins/collect-sim/test_live_parts.c. */
#include "record_line.h"
#include <opprof/text.h>
#include <stdio.h>
#include <string.h>

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

typedef unsigned char Piece __attribute__((vector_size(OPPROF_LIVE_PIECE), aligned(1), may_alias));
typedef uint64_t Halves __attribute__((vector_size(OPPROF_LIVE_PIECE), may_alias));

static inline bool is_control(char byte)
{
    return (unsigned char) byte < ' ' || byte == 127;
}

/*
 * Whether there may be control characters: in the text, or in the bytes with which a sender has
 * filled its last piece. Whole pieces are loaded as they were stored, since other loads would have
 * to wait.
 */
static bool may_have_controls(const SimEntry *entry)
{
    Halves controls = { 0, 0 };

    for (size_t at = 0; at < entry->length; at += OPPROF_LIVE_PIECE) {
        const Piece piece = *(const Piece *) (const void *) (entry->text + at);

        controls |= (Halves) ((piece < ' ') | (piece == 127));
    }
    return (controls[0] | controls[1]) != 0;
}

static void replace_controls(char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        text[i] = is_control(text[i]) ? '?' : text[i];
    }
}

/* Text from outside: removes whatever could end the line. */
static void put_text(Line *line, const SimEntry *entry)
{
    char *at = line->at;

    put(line, entry->text, entry->length);
    if (line->at > at && may_have_controls(entry)) {
        replace_controls(at, entry->length);
    }
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

/* Eight digits, or more if necessary. */
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

static void put_instr(Line *line, const SimEntry *entry)
{
    PUT(line, "[info] [");
    put_decimal(line, entry->time, 8);
    PUT(line, "] ");
    put_text(line, entry);
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

static void put_mte(Line *line, const SimEntry *entry)
{
    const OpprofLiveAccess *access = &entry->access;

    PUT(line, "[info] ");
    put_decimal(line, entry->time, 0);
    PUT(line, ": ");
    put_text(line, entry);
    PUT(line, ", addr: 0x");
    put_hex(line, access->address);
    PUT(line, ", size: ");
    put_decimal(line, access->size, 0);
    PUT(line, ", instr_id: ");
    put_decimal(line, access->id, 0);
    PUT(line, ", req_id: ");
    put_decimal(line, access->request, 0);
}

/* Fields of a form have '<' and '>' around them; so have optional texts, which are printed. */
static void put_form(Line *line, const char *form, const SimEntry *entry)
{
    /* In this form ticks have leading zeros, in all logs. */
    const unsigned tick_digits = strstr(form, "[<tick>") != NULL ? 8 : 0;
    unsigned numbers = 0;

    line->is_short = line->is_short || *form == '\0';
    while (*form != '\0') {
        const size_t plain = strcspn(form, "<");
        const size_t field = strcspn(form + plain, ">");

        put(line, form, plain);
        form += plain;
        if (*form == '\0') {
            break;
        }
        if (strncmp(form, "<tick>", field + 1) == 0) {
            put_decimal(line, entry->time, tick_digits);
        } else if (strncmp(form, "<pc>", field + 1) == 0) {
            PUT(line, "0x");
            put_hex8(line, entry->access.address, LOWER);
        } else if (strncmp(form, "<hex8>", field + 1) == 0) {
            put_hex8(line, (uint32_t) entry->access.size, UPPER);
        } else if (strncmp(form, "<digits>", field + 1) == 0) {
            put_decimal(line, numbers++ == 0 ? entry->access.request % 1000 : entry->is_last, 0);
        } else if (form[1] == '?' && form[field] == '>') {
            put(line, form + 2, field - 2);
        }
        form += field + (form[field] == '>');
    }
}

static void put_entry(Line *line, const SimRecordForms *forms, const SimEntry *entry)
{
    switch (entry->kind) {
    case OPPROF_LIVE_INSTRUCTION:
        put_instr(line, entry);
        break;
    case OPPROF_LIVE_TRANSFER:
        put_mte(line, entry);
        break;
    case OPPROF_LIVE_MISS:
        put_form(line, forms->miss, entry);
        break;
    case OPPROF_LIVE_FETCH:
        put_form(line, forms->fetch, entry);
        break;
    default:
        put_form(line, forms->issue, entry);
        break;
    }
}

size_t SimRecordLine(const SimRecordForms *forms, const SimEntry *entry, char *text, size_t room)
{
    Line line = { .at = text, .end = text + room - 1 };

    if (room == 0) {
        return 0;
    }
    put_entry(&line, forms, entry);
    PUT(&line, "\n");
    *line.at = '\0';
    return line.is_short ? 0 : (size_t) (line.at - text);
}

const char *SimRecordText(const SimEntry *entry, char *scratch)
{
    if (!may_have_controls(entry)) {
        return entry->text;
    }
    memcpy(scratch, entry->text, entry->length);
    replace_controls(scratch, entry->length);
    return scratch;
}
