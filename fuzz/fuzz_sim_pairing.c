/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Both logs of a core: the first byte chooses the options; then lines, those that begin with '>'
 * for the instr log, the others for the popped log. Rows keep their order and all counts add up.
 */
#include "fuzz/fuzz.h"
#include "plugins/collect-sim/pairing.h"
#include <opprof/record.h>
#include <stdlib.h>
#include <string.h>

#define PAD 64u

typedef struct Log {
    const char *text;
    size_t size;
    size_t at;
    bool is_instr;
    char *line; /* the last one given, with what may be read behind it */
} Log;

static OpprofStatus next_line(void *context, const char **ret_line, size_t *ret_length,
                              OpprofError **error)
{
    Log *log = context;

    (void) error;
    while (log->at < log->size) {
        const char *from = log->text + log->at;
        const char *end = memchr(from, '\n', log->size - log->at);
        size_t length = end == NULL ? log->size - log->at : (size_t) (end - from);
        const bool is_instr = length > 0 && *from == '>';

        log->at += length + 1;
        if (is_instr != log->is_instr) {
            continue;
        }
        from += is_instr;
        length -= is_instr;
        free(log->line);
        log->line = malloc(length + PAD);
        FUZZ_REQUIRE(log->line != NULL);
        memcpy(log->line, from, length);
        memset(log->line + length, '0', PAD);
        *ret_line = log->line;
        *ret_length = length;
        return OPPROF_OK;
    }
    return OPPROF_END;
}

static PairingSource rewind_log(Log *log)
{
    log->at = 0;
    return (PairingSource){ .context = log, .next = next_line };
}

typedef struct Last {
    uint64_t end;
    uint64_t floor;
    bool is_out_of_order;
} Last;

static uint32_t intern(void *context, const char *text, size_t length)
{
    (void) context;
    (void) text;
    return (uint32_t) length + 1;
}

static OpprofStatus take_row(void *context, const PairingRow *row, OpprofError **error)
{
    Last *last = context;

    (void) error;
    FUZZ_REQUIRE(row->start <= row->end && row->end >= last->floor);
    last->is_out_of_order = last->is_out_of_order || row->end < last->end;
    last->end = row->end;
    last->floor = row->floor;
    return OPPROF_OK;
}

static void count(Pairing *pairing, Log *popped, Log *instr)
{
    PairingSource source = rewind_log(popped);

    while (PairingCountPopped(pairing, &source, 3, NULL) == OPPROF_OK) {
    }
    source = rewind_log(instr);
    while (PairingCountInstr(pairing, &source, 3, NULL) == OPPROF_OK) {
    }
}

/* Whole marks only, a start and a stop each. */
static void check_marks(const Pairing *pairing)
{
    uint64_t nested, open;
    const Marks *marks = PairingGetMarks(pairing, &nested, &open);

    FUZZ_REQUIRE(2 * marks->count + nested + open <= PairingGetCounts(pairing).marks);
    for (size_t i = 0; i < marks->count; i++) {
        const Mark *mark = &marks->marks[i];

        FUZZ_REQUIRE(mark->end != OPPROF_NA_U64 && mark->end >= mark->start);
        FUZZ_REQUIRE(mark->digit < MARK_DIGITS && !marks->is_nested[mark->digit]);
        FUZZ_REQUIRE(mark->text + mark->length <= marks->texts_used);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t choice = size > 0 ? data[0] : 0;
    const PairingOptions options = { .by_id = (choice & 1) != 0,
                                     .is_simt = (choice & 2) != 0,
                                     .find_core = (choice & 4) != 0,
                                     .left_out = (choice & 8) != 0 ? "SET_FLAG|WAIT_FLAG" : NULL,
                                     .most_rows = (choice & 16) != 0 ? 1 : 0 };
    const char *text = (const char *) data + (size > 0);
    Log popped = { .text = text, .size = size - (size > 0) };
    Log instr = { .text = text, .size = size - (size > 0), .is_instr = true };
    Last last = { .end = 0 };
    const PairingSink sink = { .context = &last, .intern = intern, .row = take_row };
    Pairing *pairing = PairingCreate(&options);
    PairingSource popped_source, instr_source;
    PairingCounts counts;

    FUZZ_REQUIRE(pairing != NULL);
    count(pairing, &popped, &instr);
    check_marks(pairing);
    PairingSetSink(pairing, &sink);
    popped_source = rewind_log(&popped);
    instr_source = rewind_log(&instr);
    while (PairingPair(pairing, &popped_source, &instr_source, 3, NULL) == OPPROF_OK) {
    }
    counts = PairingGetCounts(pairing);
    FUZZ_REQUIRE(counts.missing == 0 && last.is_out_of_order <= counts.is_out_of_order);
    FUZZ_REQUIRE(counts.popped + counts.instr ==
                 counts.pruned + counts.alone + 2 * (counts.rows + counts.backwards));
    PairingDestroy(pairing);
    free(popped.line);
    free(instr.line);
    return 0;
}
