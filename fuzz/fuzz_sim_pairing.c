/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Both logs of a core: the first byte chooses the options; then lines, those that begin with '>'
 * for the instr log, the others for the popped log. Rows keep their order and all counts add up.
 */
#include "fuzz/marked_lines.h"
#include "plugins/collect-sim/pairing/pairing.h"
#include "tests/plugins/collect-sim/forms.h"
#include <opprof/record.h>
#include <stdlib.h>
#include <string.h>

typedef struct Last {
    uint64_t end;
    uint64_t floor;
    uint64_t start_floor;
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
    FUZZ_REQUIRE(row->start <= row->end && row->end >= last->floor &&
                 row->start >= last->start_floor);
    if (row->reach > 0 && row->reach <= row->end && row->end - row->reach > last->start_floor) {
        last->start_floor = row->end - row->reach;
    }
    last->is_out_of_order = last->is_out_of_order || row->end < last->end;
    last->end = row->end;
    last->floor = row->floor;
    return OPPROF_OK;
}

static void count(Pairing *pairing, MarkedLines *popped, MarkedLines *instr)
{
    const char *line;
    size_t length;

    while (next_marked_line(popped, &line, &length, NULL) == OPPROF_OK) {
        FUZZ_REQUIRE(PairingCountPopped(pairing, line, length));
    }
    while (next_marked_line(instr, &line, &length, NULL) == OPPROF_OK) {
        FUZZ_REQUIRE(PairingCountInstr(pairing, line, length));
    }
    PairingCountEnd(pairing);
    popped->at = instr->at = 0;
}

static void pair(Pairing *pairing, MarkedLines *popped, MarkedLines *instr)
{
    OpprofStatus status = OPPROF_OK;
    const char *line;
    size_t length;

    while (status == OPPROF_OK && PairingWants(pairing) != PAIRING_DONE) {
        MarkedLines *log = PairingWants(pairing) == PAIRING_POPPED ? popped : instr;

        status = next_marked_line(log, &line, &length, NULL) == OPPROF_END
                     ? PairingGiveEnd(pairing, NULL)
                     : PairingGive(pairing, line, length, NULL);
    }
    FUZZ_REQUIRE(status == OPPROF_OK);
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
    const PairingCoreWords core_words = CAMODEL_CORE_WORDS;
    const PairingOptions options = { .by_id = (choice & 1) != 0,
                                     .threads = (choice & 2) != 0 ? camodel_threads() : NULL,
                                     .marks = camodel_marks(),
                                     .pipes = { .user_mark = "USERMARK" },
                                     .core_words =
                                         (choice & 4) != 0 ? core_words : (PairingCoreWords){ 0 },
                                     .left_out = (choice & 8) != 0 ? "SET_FLAG|WAIT_FLAG" : NULL,
                                     .most_rows = (choice & 16) != 0 ? 1 : 0 };
    const char *text = (const char *) data + (size > 0);
    MarkedLines popped = { .text = text, .size = size - (size > 0), .marks = ">", .padding = '0' };
    MarkedLines instr = {
        .text = text, .size = size - (size > 0), .marks = ">", .mark = '>', .padding = '0'
    };
    Last last = { .end = 0 };
    const PairingSink sink = { .context = &last, .intern = intern, .row = take_row };
    Pairing *pairing = PairingCreate(&options);
    PairingCounts counts;

    FUZZ_REQUIRE(pairing != NULL);
    count(pairing, &popped, &instr);
    check_marks(pairing);
    PairingStart(pairing, &sink);
    pair(pairing, &popped, &instr);
    counts = PairingGetCounts(pairing);
    FUZZ_REQUIRE(counts.missing == 0 && last.is_out_of_order <= counts.is_out_of_order);
    FUZZ_REQUIRE(counts.popped + counts.instr ==
                 counts.pruned + counts.alone + 2 * (counts.rows + counts.backwards));
    PairingDestroy(pairing);
    free(popped.line);
    free(instr.line);
    return 0;
}
